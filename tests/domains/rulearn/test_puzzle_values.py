"""Values of puzzles: the search against plain recursion, and the values that are known."""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import cache
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic.domains import domain_of, games_of, load_game
from mars_logic.domains.rulearn.door_search import DoorBelief, DoorSearch
from mars_logic.domains.rulearn.escape_room.rules import ATTRIBUTES, EscapeRoom, paintings
from mars_logic.domains.rulearn.function_operator.rules import FunctionOperator
from mars_logic.domains.rulearn.reactor.rules import Reactor
from mars_logic.errors import InputError


def value(puzzle, prior="none"):
    return domain_of(puzzle).value(puzzle, prior)


@st.composite
def beliefs(draw):
    many, digits = draw(st.integers(1, 5)), draw(st.integers(1, 2))
    phases = draw(st.integers(1, 2))

    def numbers(*shape, most):
        size = int(np.prod(shape))
        made = draw(st.lists(st.integers(0, most), min_size=size, max_size=size))
        return np.array(made, dtype=np.int64).reshape(shape)

    return DoorBelief(
        weights=1 + numbers(many, most=3),
        codes=numbers(phases, many, digits, most=2),
        tests=numbers(draw(st.integers(0, 2)), many, most=2),
        attempts=draw(st.integers(1, 3)),
        afterwards=draw(st.sampled_from((Fraction(15), Fraction(1, 2)))),
    )


def plain(belief):
    """Expected steps times weight, by all policies: any test that tells something, any code."""

    @cache
    def least(held, phase, failures):
        weight = sum(int(belief.weights[each]) for each in held)
        if not held:
            return 0
        if phase == len(belief.codes):
            return weight * belief.afterwards
        found = []
        for outcomes in belief.tests:
            groups = [tuple(h for h in held if outcomes[h] == each) for each in range(3)]
            if len([each for each in groups if each]) > 1:
                found.append(weight + sum(least(each, phase, failures) for each in groups))
        ended = failures + 1 == belief.attempts
        after = (phase + 1, 0) if ended else (phase, failures + 1)
        codes = belief.codes[phase].tolist()
        for code in itertools.product(range(4), repeat=len(codes[0])):
            groups = {}
            for each in held:
                right = tuple(a == b for a, b in zip(codes[each], code, strict=True))
                groups[right] = (*groups.get(right, ()), each)
            groups.pop((True,) * len(code), None)
            wrong = sum(int(belief.weights[each]) for group in groups.values() for each in group)
            found.append(wrong + sum(least(each, *after) for each in groups.values()))
        return min(found)

    return least(tuple(range(len(belief.weights))), 0, 0)


@settings(max_examples=40, deadline=None)
@given(beliefs())
def test_the_search_finds_what_plain_recursion_finds(belief):
    found = DoorSearch(belief).optimum()
    total = int(belief.weights.sum())
    assert found.steps * total == plain(belief)
    if found.exact:
        assert found.tests or found.codes
    bound = DoorSearch(belief, most=0).optimum()
    assert bound.steps <= found.steps


@pytest.mark.parametrize(
    ("name", "steps", "first"),
    [
        ("fo_r1_02", 1, "evaluate function 1 at 2.3"),
        ("fo_r3_07", 2, "evaluate function 2 at -2.3"),
        ("fo_r1_11", Fraction(3, 2), "evaluate function 1 at 2.3"),
        ("fo_r2_14", Fraction(53, 30), "evaluate function 1 at 2.3"),
    ],
)
def test_values_of_functions(name, steps, first):
    found = value(load_game(f"rulearn/{name}"))
    assert found.exact and found.steps == pytest.approx(float(steps), abs=1e-12)
    assert first in found.moves and not found.note


@pytest.mark.long
def test_values_of_released_functions():
    """1.00, 2.00 and 1.63 steps, by the difficulty of the puzzle."""
    steps = {}
    for name in games_of("rulearn/function_operator"):
        index = int(name[-2:])
        if index <= 15 and name != "rulearn/fo_r1_12":
            found = value(load_game(name))
            assert found.exact
            steps.setdefault((index - 1) // 5, []).append(found.steps)
    assert fmean(steps[0]) == 1 and fmean(steps[1]) == 2 and len(steps[2]) == 24
    assert fmean(steps[2]) == pytest.approx(1.634, abs=5e-4)


@pytest.mark.slow
def test_more_functions_have_a_bound():
    found = value(load_game("rulearn/fo_r1_16"))
    assert not found.exact and 1.5 < found.steps < 2.27 and found.note.startswith("A bound")
    found = value(load_game("rulearn/fo_r1_20"))
    assert not found.exact and 0.9 < found.steps < 1 and "500,000" in found.note


def test_bases_that_are_told_are_worth_something():
    puzzle = load_game("rulearn/fo_r1_11")
    assert value(puzzle, "told").steps == 1 < value(puzzle).steps


def test_a_whole_number_larger_than_all_values_tells_floor_from_1():
    terms = [
        {"param": "a", "coef": 3, "basis": "floor(x)"},
        {"param": "b", "coef": 4, "basis": "1"},
    ]
    found = value(FunctionOperator.model_validate({"functions": [terms]}))
    assert found.steps == 1.5 and found.exact
    assert found.moves == ("evaluate function 1 at 11.7", "evaluate function 1 at -11.7")


def test_values_from_zero_have_a_bound():
    """An error of division may tell of a basis whose value is 0, so less than that is exact."""
    terms = [{"param": "a", "coef": 3, "basis": "1/x"}, {"param": "b", "coef": 4, "basis": "x"}]
    stated = {"functions": [terms], "param_range": [0, 2]}
    found = value(
        FunctionOperator.model_validate(stated | {"functions": [[terms[0] | {"coef": 2}]]})
    )
    assert found.steps == 1 and found.exact
    stated["functions"] = [[each | {"coef": at} for at, each in enumerate(terms)]]
    found = value(FunctionOperator.model_validate(stated))
    assert not found.exact and "no number was found" in found.note


def test_values_of_rooms():
    """0.71 wrong codes with all orders of the digits alike, and a step for each gallery."""
    found = {n: value(load_game(n)) for n in games_of("rulearn/escape_room")}
    assert all(each.exact for each in found.values())
    assert fmean(each.steps for each in found.values()) == pytest.approx(1.71)
    one_room = [each.steps for name, each in found.items() if int(name[-2:]) <= 10]
    assert fmean(one_room) == pytest.approx(0.7133, abs=1e-4)


def orders(puzzle):
    """Expected wrong codes where the digits of the first hint may have any order, by hand."""
    digits = puzzle.password(puzzle.rule.focus_order[0])
    return len(set(itertools.permutations(digits)))


@pytest.mark.parametrize("name", ["er_r1_01", "er_r1_06", "er_r1_07"])
def test_a_room_with_few_orders(name):
    puzzle = load_game(f"rulearn/{name}")
    expected = {1: 0, 3: Fraction(2, 3)}[orders(puzzle)] if orders(puzzle) < 6 else 1
    assert value(puzzle).steps == pytest.approx(float(expected), abs=0.2)
    assert value(puzzle, "told").steps == 0


@pytest.mark.slow
def test_values_of_reactors():
    puzzle = load_game("rulearn/re_r1_19")
    bound, told = value(puzzle), value(puzzle, "told")
    assert bound.steps == told.steps == 6 and told.exact and not bound.exact
    assert bound.note.startswith("A bound") and told.moves and not bound.moves


def test_a_target_out_of_reach():
    rule = [{"products": [{"join": [{"of": "first"}]}]}]
    puzzle = Reactor.model_validate({"target": "AB", "rule": rule})
    with pytest.raises(InputError, match="target: no plan was found for AB; allowed: "):
        value(puzzle)


def room(size, order):
    """A room whose digits are all different."""
    counts = [{"medium": each} for each in ATTRIBUTES["medium"]]
    counts += [{"color": each} for each in ("blue", "yellow", "black")]
    rule = {"focus": "color", "focus_order": order, "digits": [{"count": c} for c in counts[:size]]}
    rooms = [{"name": "Hall", "paintings": list(paintings())}]
    return EscapeRoom.model_validate({"door": "Hall", "rooms": rooms, "rule": rule})


@pytest.mark.slow
def test_codes_that_may_all_fail():
    """Three codes decide among the orders of three digits, but not among those of four."""
    found = value(room(3, ["blue"]))
    assert found.exact and found.steps == pytest.approx(1) and not found.note
    found = value(room(4, ["blue"]))
    assert found.exact and found.steps > 1 and found.note.startswith("Where all codes may fail, 15")


def test_many_digits_have_a_bound():
    found = value(room(5, ["blue", "yellow"]))
    assert not found.exact and found.steps > 0 and found.note.startswith("A bound")
