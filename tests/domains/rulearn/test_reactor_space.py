"""The version space of the reactor against plain evaluation, and against the truth."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mars_logic.domains import games_of, load_game
from mars_logic.domains.rulearn.domain import puzzle_simulator
from mars_logic.domains.rulearn.episode import PuzzleAction, RecordedDraws
from mars_logic.domains.rulearn.reactor.rules import (
    CONDITIONS,
    RELEASED_PROGRAMS,
    ReactionCase,
    Reactor,
    products,
)
from mars_logic.domains.rulearn.reactor.search import (
    _SHORT,
    _UNDO,
    MOST_PIECES,
    _pieces,
    explanations,
)
from mars_logic.domains.rulearn.reactor.space import ReactorSpace, react
from mars_logic.errors import InputError

START = {"target": "ABC", "storage": ["A", "B", "C"]}
MOST = 10_000


def programs(space):
    return [program for program, _ in space.hypotheses(MOST)]


ALL = programs(ReactorSpace(START))
PAIRS = list(itertools.product(("A", "B", "AB", "CAB", "ABCA"), repeat=2))
materials = st.text("ABCXZ", min_size=1, max_size=5)


def shown(made):
    return {"products": list(made), "error": None}


def test_the_language_holds_the_released_rules_and_each_program_once():
    assert len(ALL) == len(set(ALL)) == ReactorSpace(START).count > 3_000
    assert ALL[0] in (RELEASED_PROGRAMS[1], RELEASED_PROGRAMS[2])
    for program in RELEASED_PROGRAMS.values():
        assert program in ALL


def within(program):
    """Whether a program is of this language."""
    known = {piece for piece, _ in _pieces()}
    return len(program) <= 2 and all(
        len(case.when) <= 2
        and all(
            len(each.join) <= MOST_PIECES
            and len(each.then) <= 1
            and known.issuperset(each.join or each.interleave)
            and (set(each.then) <= _UNDO.keys() or _short(each))
            for each in case.products
        )
        for case in program
    )


def _short(template):
    """Whether a template joins up to two pieces so short that any operation may follow."""
    bits = dict(_pieces())
    return 0 < len(template.join) <= 2 and all(bits[each] <= _SHORT for each in template.join)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.sampled_from(ALL), st.lists(st.tuples(materials, materials), min_size=1, max_size=4))
def test_it_is_what_enumeration_finds(truth, pairs):
    space, plain = ReactorSpace(START), ALL
    for u, v in pairs:
        made = products(truth, u, v)
        predicted = space.predict(react(u, v))
        assert math.fsum(predicted.values()) == pytest.approx(1)
        assert set(predicted) == {products(each, u, v) for each in plain}
        space.observe(react(u, v), shown(made))
        plain = [each for each in plain if products(each, u, v) == made]
        assert space.count == len(plain) and set(programs(space)) == set(plain)
        assert math.fsum(weight for _, weight in space.hypotheses(MOST)) == pytest.approx(1)
        assert truth in plain


@pytest.mark.parametrize("rule", RELEASED_PROGRAMS)
def test_informative_reactions_decide_among_all_programs(rule):
    space, steps = ReactorSpace(START), 0
    truth = RELEASED_PROGRAMS[rule]
    actions = [react(*pair) for pair in PAIRS]
    while undecided := space.consequences(actions)[1]:
        action = max(undecided, key=space.information)
        space.observe(action, shown(products(truth, *action.materials)))
        steps += 1
    assert steps <= 6
    certain, undecided = space.consequences(actions)
    assert not undecided
    assert all(certain[each] == products(truth, *each.materials) for each in actions)


def test_a_false_hint_is_outlived_by_one_reaction():
    puzzle = load_game("rulearn/re_r1_06")
    simulator = puzzle_simulator(puzzle)
    space = ReactorSpace(simulator.start, puzzle.told)
    told = space.predict(react("C", "A"))
    assert next(iter(told)) == ("CA",) and told["AC",] > 0
    assert RELEASED_PROGRAMS[2] in programs(space)
    outcome = simulator.step(react("C", "A"), RecordedDraws([]))
    space.observe(react("C", "A"), outcome.shown)
    assert programs(space)[0] == RELEASED_PROGRAMS[2]


def test_other_outcomes_tell_nothing():
    space = ReactorSpace(START)
    space.observe(PuzzleAction("react", materials=("A",)), shown(("A",)))
    space.observe(react("A", "Z"), {"products": [], "error": "unknown_material"})
    space.observe(PuzzleAction("malformed"), {})
    assert space.count == len(ALL) and space.predict(PuzzleAction("submit")) == {(): 1.0}


def played(puzzle, hints):
    """The last outcome of an episode by the space's own plan, the space and the reactions."""
    simulator = puzzle_simulator(puzzle)
    space, taken = ReactorSpace(simulator.start, hints), []
    while not simulator.snapshot().done:
        plan = space.plan(puzzle.length - simulator.snapshot().steps)
        action = max(plan.actions, key=space.information)
        outcome = simulator.step(action, RecordedDraws([]))
        taken.append(action)
        if not outcome.done:
            space.observe(action, outcome.shown)
            assert puzzle.rule in programs(space) and not space.widened
            made = space.outcome(action, outcome.shown)
            assert space.predict(action) == {made: pytest.approx(1)}
            assert space.expected(puzzle.rule, action) == made == tuple(outcome.shown["products"])
    return outcome, space, taken


@pytest.mark.parametrize("hinted", [True, False])
@pytest.mark.parametrize("name", games_of("rulearn/reactor@round=4")[::4])
def test_the_truth_stays_in_it_and_the_target_is_made(name, hinted):
    puzzle = load_game(name)
    outcome, _, taken = played(puzzle, puzzle.told if hinted else ())
    assert outcome.success and len(set(taken)) == len(taken)


def test_a_rule_that_is_believed_is_planned_by_whatever_is_seen():
    puzzle = load_game("rulearn/re_r2_13")
    simulator = puzzle_simulator(puzzle)
    space = ReactorSpace(simulator.start)
    space.settle(puzzle.rule)
    while not simulator.snapshot().done:
        plan = space.plan(15)
        assert plan.optimal and space.attempt() in plan.actions
        outcome = simulator.step(plan.actions[0], RecordedDraws([]))
        space.observe(plan.actions[0], outcome.shown)
    assert outcome.success and outcome.steps == 4 and space.count == 1
    space.settle(RELEASED_PROGRAMS[1])
    space.observe(react("A", "B"), shown(("BA",)))
    assert programs(space) == [RELEASED_PROGRAMS[1]]


RICH = list(itertools.product(("A", "CB", "BCAD"), repeat=2))
MORE = list(itertools.product(("A", "CB", "BCA", "BCAD", "DABEC"), repeat=2))
pieces = st.sampled_from([piece for piece, bits in _pieces() if bits < 8])
joined = st.tuples(pieces, pieces).map(lambda two: {"join": list(two)})
templates = st.one_of(
    joined,
    st.builds(
        lambda join, then: {**join, "then": [then]},
        joined,
        st.sampled_from(["reverse", "rotate_left", "rotate_right"]),
    ),
    st.tuples(pieces, pieces).map(lambda two: {"interleave": list(two)}),
)
bodies = templates.map(lambda each: {"products": [each]})
cases = st.builds(
    lambda when, body: {"if": [when], **body}, st.sampled_from(sorted(CONDITIONS)), bodies
)
wide = st.one_of(st.tuples(bodies), st.tuples(cases, bodies)).map(
    lambda found: tuple(map(ReactionCase.model_validate, found))
)


def words_of(program, pairs):
    return {pair: products(program, *pair) for pair in pairs}


@pytest.mark.slow
@settings(max_examples=3, deadline=None)
@given(wide)
def test_a_short_rule_of_the_larger_language_is_found(truth):
    assert within(truth)
    seen = words_of(truth, RICH)
    assume(all(seen.values()))
    found = explanations(seen, 300)
    assert found and all(words_of(each, RICH) == seen for each, _ in found)
    assert [bits for _, bits in found] == sorted(bits for _, bits in found)
    # Of pieces with the same texts the shortest are listed, so an equal rule may stand for it.
    assert len(found) == 300 or words_of(truth, MORE) in [words_of(e, MORE) for e, _ in found]


@pytest.mark.slow
def test_a_rule_of_another_kind_is_found_in_the_larger_language():
    rule = [
        {"if": ["first_longer"], "products": [{"join": [{"of": "second"}, {"of": "first"}]}]},
        {"products": [{"join": [{"of": "first", "reversed": True}, {"of": "second"}]}]},
    ]
    puzzle = Reactor.model_validate({"target": "CABDA", "rule": rule, "hints": "none"})
    simulator = puzzle_simulator(puzzle)
    space = ReactorSpace(simulator.start)
    assert puzzle.rule not in ALL
    for pair in (("A", "B"), ("B", "A"), ("AB", "C"), ("C", "AB"), ("AB", "CD")):
        space.observe(react(*pair), shown(products(puzzle.rule, *pair)))
    assert space.widened and not space.exact and puzzle.rule in programs(space)
    assert math.fsum(weight for _, weight in space.hypotheses(MOST)) == pytest.approx(1)
    while not simulator.snapshot().done:
        action = max(space.plan(15).actions, key=space.information)
        outcome = simulator.step(action, RecordedDraws([]))
        space.observe(action, outcome.shown) if not outcome.done else None
    assert outcome.success


def test_what_no_program_makes_leaves_nothing():
    space = ReactorSpace(START)
    space.observe(react("A", "B"), shown(("QQQ",)))
    assert space.count == 0 and not space.hypotheses(1) and not space.predict(react("A", "B"))
    with pytest.raises(InputError, match="no hypothesis is left"):
        space.plan(3)
