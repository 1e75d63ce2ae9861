"""The version space of the function operator against plain enumeration, and against the truth."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from mars_logic.domains import games_of, load_game
from mars_logic.domains.chance import Seeded
from mars_logic.domains.rulearn.domain import puzzle_simulator
from mars_logic.domains.rulearn.episode import DrawnChance, PuzzleAction
from mars_logic.domains.rulearn.function_operator.rules import (
    RELEASED,
    FunctionOperator,
    OperatorHypothesis,
)
from mars_logic.domains.rulearn.function_operator.simulator import evaluated
from mars_logic.domains.rulearn.function_operator.space import OperatorSpace
from mars_logic.errors import InputError
from tests.domains.rulearn.strategies import functions

INPUTS = ("2.3", "-0.7", "0", "pi", "x", "1e-9")


def evaluate(function, text):
    return PuzzleAction("evaluate", function=function, input=text)


def enter(code):
    return PuzzleAction("enter_code", code="".join(map(str, code)))


def chance(seed=0):
    return DrawnChance(Seeded(seed))


class Plain:
    """All hypotheses in a list."""

    def __init__(self, visible, low, high):
        self.letters = visible["params"]
        self.low = low
        bases = ["1", *visible["monomials"]]
        shapes = visible["params_per_function"]
        each = [list(itertools.product(bases, repeat=len(shape))) for shape in shapes]
        self.shapes = shapes
        self.all = [
            OperatorHypothesis(chosen, values)
            for chosen in itertools.product(*each)
            if all(
                all(times == 1 or basis == "1" for basis, times in Counter(row).items())
                for row in chosen
            )
            and {basis for row in chosen for basis in row} >= set(visible["monomials"])
            for values in itertools.permutations(range(low, high + 1), len(self.letters))
        ]

    def outcome(self, hypothesis, action):
        if action.do == "enter_code":
            code = [int(each) for each in action.code]
            return tuple(a == b for a, b in zip(hypothesis.values, code, strict=True))
        values = dict(zip(self.letters, hypothesis.values, strict=True))
        row = hypothesis.bases[action.function - 1]
        shape = self.shapes[action.function - 1]
        model = [
            {"param": letter, "coef": values[letter], "basis": basis}
            for letter, basis in zip(shape, row, strict=True)
        ]
        terms = FunctionOperator.model_validate({"functions": [model]}).functions[0]
        value, error = evaluated(terms, values, action.input)
        return error if value is None else value

    def observe(self, action, outcome):
        self.all = [each for each in self.all if same(self.outcome(each, action), outcome)]


def same(one, other):
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-12)
    return one == other


small = functions(open_fields=False, bases=RELEASED).map(
    lambda found: [
        [term | {"coef": (term["coef"] - 1) % 4 + 1} for term in row[:2]] for row in found[:2]
    ]
)


@settings(max_examples=40, deadline=None)
@example(
    [[{"param": "a", "coef": 1, "basis": "1"}, {"param": "b", "coef": 2, "basis": "x"}]],
    [(0, "1e-9")],
)
@given(small, st.lists(st.tuples(st.integers(0, 1), st.sampled_from(INPUTS)), max_size=2))
def test_it_is_what_enumeration_finds(stated, queries):
    try:
        puzzle = FunctionOperator.model_validate({"functions": stated, "param_range": [1, 4]})
    except ValueError:
        assume(False)
    assume(
        all(
            max(Counter(t.basis for t in f if t.basis != "1").values(), default=1) == 1
            for f in puzzle.functions
        )
    )
    simulator = puzzle_simulator(puzzle)
    space = OperatorSpace(simulator.start, param_range=(1, 4))
    plain = Plain(simulator.start, 1, 4)
    wrong = tuple(each % 4 + 1 for each in puzzle.values.values())
    actions = [evaluate(at % len(puzzle.functions) + 1, text) for at, text in queries]
    for action in [*actions, enter(wrong)]:
        predicted = space.predict(action)
        expected = [plain.outcome(each, action) for each in plain.all]
        for value, weight in predicted.items():
            times = sum(same(value, each) for each in expected)
            assert weight == pytest.approx(times / len(expected), abs=1e-9)
        assert math.fsum(predicted.values()) == pytest.approx(1)
        outcome = simulator.step(action, chance())
        space.observe(action, outcome.shown)
        shown = outcome.shown
        found = tuple(shown["digits"]) if "digits" in shown else shown["error"] or shown["value"]
        plain.observe(action, float(found) if isinstance(found, int) else found)
        assert space.count == len(plain.all) > 0 and space.exact
        times = Counter(each.values for each in plain.all)
        total = sum(times.values())
        assert dict(space.codes()) == pytest.approx({c: n / total for c, n in times.items()})
        listed = space.hypotheses(space.count + 1)
        assert {each for each, _ in listed} == set(plain.all)
        assert math.fsum(weight for _, weight in listed) == pytest.approx(1)
        for each, _ in listed[:5]:
            for query in actions:
                assert same(space.expected(each, query), plain.outcome(each, query))


def truth(puzzle):
    bases = tuple(tuple(term.basis for term in terms) for terms in puzzle.functions)
    return bases, tuple(puzzle.values.values())


@pytest.mark.parametrize("name", games_of("rulearn/function_operator@round=4"))
def test_the_truth_stays_in_it_and_the_door_opens(name):
    puzzle = load_game(name)
    simulator = puzzle_simulator(puzzle)
    space = OperatorSpace(simulator.start)
    texts = ("2.3", "-2.3", "0.7", "-0.7")
    while not simulator.snapshot().done:
        code = tuple(puzzle.values.values())
        assert space.codes()[code] > 0
        queries = [evaluate(at + 1, x) for at in range(len(puzzle.functions)) for x in texts]
        actions = [enter(next(iter(space.codes()))), *(queries if len(space.codes()) > 1 else [])]
        action = max(actions, key=space.information)
        before, predicted = space.count, space.predict(action)
        outcome = simulator.step(action, chance())
        if not outcome.done:
            told = outcome.shown.get("value", outcome.shown.get("digits"))
            told = tuple(told) if isinstance(told, list) else told
            assert any(same(each, told) for each in predicted)
            space.observe(action, outcome.shown)
            assert space.count < before
    assert outcome.success and outcome.steps <= 5


def test_values_that_change_are_learned_anew():
    puzzle = load_game("rulearn/fo_r1_09")
    simulator = puzzle_simulator(puzzle)
    space = OperatorSpace(simulator.start)
    for action in [evaluate(1, "2.3"), evaluate(2, "2.3"), *[enter("")] * 4]:
        space.observe(action, simulator.step(action, chance(3)).shown)
    assert not space.exact
    values = tuple(simulator.values.values())
    assert values != truth(puzzle)[1] and space.codes()[values] > 0
    for function in (1, 2):
        action = evaluate(function, "-0.7")
        space.observe(action, simulator.step(action, chance()).shown)
    assert list(space.codes()) == [values]
    found = space.theory()
    assert tuple(found.values.values()) == values


def test_what_is_known_is_a_theory():
    simulator = puzzle_simulator(load_game("rulearn/fo_r1_06"))
    space = OperatorSpace(simulator.start)
    assert space.theory().uncertain
    for function in (1, 2):
        for x in ("2.3", "-0.7"):
            action = evaluate(function, x)
            space.observe(action, simulator.step(action, chance()).shown)
    assert not space.theory().uncertain
    assert space.theory().functions == simulator.game.functions


def test_a_basis_may_occur_twice_where_nothing_else_fits():
    terms = [[("a", 2, "x"), ("b", 5, "x")], [("b", 5, "x^2"), ("c", 3, "1")]]
    functions = [[dict(zip(("param", "coef", "basis"), t, strict=True)) for t in f] for f in terms]
    puzzle = FunctionOperator.model_validate({"functions": functions})
    simulator = puzzle_simulator(puzzle)
    space = OperatorSpace(simulator.start)
    for function in (1, 2):
        for x in ("2.3", "-0.7"):
            action = evaluate(function, x)
            space.observe(action, simulator.step(action, chance()).shown)
    assert space.widened and truth(puzzle)[1] in space.codes()
    assert all(each.bases[0] == ("x", "x") for each, _ in space.hypotheses(100))


def test_contradictions_leave_nothing():
    simulator = puzzle_simulator(load_game("rulearn/fo_r1_06"))
    space = OperatorSpace(simulator.start)
    space.observe(evaluate(1, "2.3"), {"value": 0.123, "error": None})
    assert space.count == 0 and not space.hypotheses(1)
    with pytest.raises(InputError, match="no hypothesis is left"):
        space.theory()


def test_four_codes_that_no_evaluation_separates():
    simulator = puzzle_simulator(load_game("rulearn/fo_r5_19"))
    space = OperatorSpace(simulator.start)
    for x in ("2.3", "-2.3", "0.7", "-0.7", "11"):
        for function in range(1, len(simulator.game.functions) + 1):
            action = evaluate(function, x)
            simulator.reset()
            space.observe(action, simulator.step(action, chance()).shown)
    assert len(space.codes()) == 4


def test_too_many_parameters():
    visible = {"monomials": [], "params": list("abcdefg"), "params_per_function": [list("abcdefg")]}
    with pytest.raises(InputError, match="7 parameters are too many"):
        OperatorSpace(visible)
