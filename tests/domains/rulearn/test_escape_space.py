"""The version space of the escape room against plain enumeration, and against the truth."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic.domains import games_of, load_game
from mars_logic.domains.rulearn.domain import puzzle_simulator
from mars_logic.domains.rulearn.episode import PuzzleAction, RecordedDraws
from mars_logic.domains.rulearn.escape_room.rules import (
    ATTRIBUTES,
    DigitTerm,
    EscapeRoom,
    paintings,
)
from mars_logic.domains.rulearn.escape_room.space import EscapeSpace
from mars_logic.domains.rulearn.escape_room.terms import plain_terms, wide_terms
from mars_logic.domains.rulearn.sampling.request import Drawing
from mars_logic.domains.rulearn.sampling.rooms import draw_term
from mars_logic.errors import InputError

NOTHING = RecordedDraws([])
TERMS = list(plain_terms("color").terms)


def enter(code):
    return PuzzleAction("enter_code", code=code)


def room(numbers, digits, focus="color"):
    order = ["blue", "yellow", "black", "green"] if focus == "color" else ["oil", "acrylic"]
    rule = {"focus": focus, "focus_order": order, "digits": digits}
    rooms = [{"name": "Hall", "paintings": numbers}]
    return EscapeRoom.model_validate({"door": "Hall", "rooms": rooms, "rule": rule})


numbers = st.lists(st.sampled_from(sorted(paintings())), min_size=1, max_size=13, unique=True)


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(
    numbers,
    st.lists(st.sampled_from(TERMS), min_size=2, max_size=2),
    st.lists(st.from_regex("[0-5]{2}", fullmatch=True), max_size=5),
)
def test_it_is_what_enumeration_finds(shown, digits, codes):
    puzzle = room(shown, digits)
    simulator = puzzle_simulator(puzzle)
    space = EscapeSpace(simulator.start, digits=2)
    seen = [paintings()[each] for each in shown]
    answers = []

    def fitting(terms):
        """For each digit the terms by which the door would have answered as it did."""
        return [
            [
                term
                for term in terms
                if all((term.value(seen, f) % 10 == int(c[at])) == r[at] for f, c, r in answers)
            ]
            for at in range(2)
        ]

    for code in codes:
        focus = puzzle.rule.focus_order[simulator.snapshot().focus]
        outcome = simulator.step(enter(code), NOTHING)
        if outcome.done:
            break
        answers.append((focus, code, outcome.shown["digits"]))
        space.observe(enter(code), outcome.shown)
        terms = wide_terms("color").terms if space.widened else TERMS
        left = fitting(terms)
        assert space.count == math.prod(map(len, left)) > 0
        assert all(term in found for term, found in zip(digits, left, strict=True))
        listed = space.hypotheses(len(TERMS) ** 2)
        assert all(each[at] in left[at] for each, _ in listed for at in (0, 1))
        if not space.widened:
            assert {each for each, _ in listed} == set(itertools.product(*left))
            assert math.fsum(weight for _, weight in listed) == pytest.approx(1)
    focus = puzzle.rule.focus_order[simulator.snapshot().focus]
    values = [
        {term.value(seen, focus) % 10 for term in found}
        for found in fitting(wide_terms("color").terms if space.widened else TERMS)
    ]
    possible = {f"{one}{other}" for one, other in itertools.product(*values)}
    found = space.codes()
    assert set(found) == possible
    assert math.fsum(found.values()) == pytest.approx(1)
    for code in codes:
        expected: dict = {}
        for each, weight in found.items():
            right = tuple(a == b for a, b in zip(each, code, strict=True))
            expected[right] = expected.get(right, 0.0) + weight
        assert dict(space.predict(enter(code))) == pytest.approx(expected, abs=1e-9)


def chosen(space, simulator):
    plan = space.plan(simulator.game.length - simulator.snapshot().steps)
    return max(plan.actions, key=space.information)


def language(puzzle):
    return list(plain_terms(puzzle.rule.focus).terms)


def contains(space, digits):
    terms = space._terms
    return all(t in terms and space._fits[at, terms.index(t)] for at, t in enumerate(digits))


def played(puzzle):
    """The last outcome of an episode by the space's own plan, and the space."""
    simulator = puzzle_simulator(puzzle)
    space = EscapeSpace(simulator.start, digits=len(puzzle.rule.digits))
    tried = set()
    while not simulator.snapshot().done:
        action = chosen(space, simulator)
        key = (action, simulator.seen(simulator.snapshot())[f"hint_{puzzle.rule.focus}"])
        assert key not in tried
        tried.add(key)
        outcome = simulator.step(action, NOTHING)
        if not outcome.done:
            space.observe(action, outcome.shown)
            plain = all(term in language(puzzle) for term in puzzle.rule.digits)
            assert contains(space, puzzle.rule.digits) == (plain or space.widened)
    return outcome, space


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_rooms_of_a_round_with_digits_in_any_order(order):
    steps = []
    for name in games_of("rulearn/escape_room@round=1"):
        puzzle = load_game(name)
        digits = tuple(puzzle.rule.digits[each] for each in order)
        rule = puzzle.rule.model_copy(update={"digits": digits})
        simulator = puzzle_simulator(puzzle.model_copy(update={"rule": rule}))
        space = EscapeSpace(simulator.start)
        while not simulator.snapshot().done:
            action = chosen(space, simulator)
            outcome = simulator.step(action, NOTHING)
            if not outcome.done:
                space.observe(action, outcome.shown)
        assert outcome.success
        steps.append(outcome.steps)
    assert sum(steps) / len(steps) < 2.5


def test_a_rule_of_another_kind_is_found_in_the_larger_language():
    digits = [
        {"sum": [{"count": {"color": "$focus"}}, {"count": {"medium": "oil"}}]},
        {"distinct": "medium", "where": {"color": {"not": "$focus"}}},
    ]
    puzzle = room([44, 49, 50, 51, 45, 46, 52, 53, 56, 57, 60, 61, 62], digits)
    outcome, space = played(puzzle)
    assert outcome.success and space.widened
    assert not any(each in language(puzzle) for each in puzzle.rule.digits)
    assert all(each in wide_terms("color").terms for each in puzzle.rule.digits)


def test_rooms_that_were_not_seen_come_first():
    simulator = puzzle_simulator(load_game("rulearn/er_r1_20"))
    space = EscapeSpace(simulator.start)
    assert len(space.unseen) == 2
    for left in (1, 0):
        action = space.plan(15).actions[0]
        assert action.do == "pass"
        space.observe(action, simulator.step(action, NOTHING).shown)
        assert len(space.unseen) == left
    assert space.plan(15).actions[0].do == "enter_code"


def test_a_hint_about_the_medium():
    digits = [{"count": {"color": each, "medium": "$focus"}} for each in ("green", "blue")]
    outcome, _ = played(room([44, 45, 48, 52, 54, 56, 60], digits, focus="medium"))
    assert outcome.success


def test_too_many_digits():
    simulator = puzzle_simulator(load_game("rulearn/er_r1_01"))
    with pytest.raises(InputError, match="6 digits are too many"):
        EscapeSpace(simulator.start, digits=6)


@pytest.mark.parametrize("focus", ["color", "medium"])
def test_the_larger_language_holds_what_the_sampler_draws(focus: str) -> None:
    """All that a file states of two counts, negated values included, with its values."""
    language = wide_terms(focus)
    known = {_unordered(term) for term in language.terms}
    drawing = Drawing(0, f"larger language {focus}")
    seen = list(paintings().values())
    hint = ATTRIBUTES[focus][0]
    values = language.values(seen, hint)
    for _ in range(200):
        term = DigitTerm.model_validate(draw_term(focus, drawing))
        assert _unordered(term) in known
    for at in range(0, len(language.terms), 97):
        assert language.terms[at].value(seen, hint) % 10 == values[at]


def _unordered(term: DigitTerm) -> Any:
    """A term without the order of its two counts."""
    pair = term.sum or term.difference
    if pair is None:
        return term
    kind = "sum" if term.sum else "difference"
    return kind, frozenset(each.model_dump_json() for each in pair)
