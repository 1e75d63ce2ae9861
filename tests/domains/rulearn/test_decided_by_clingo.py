"""What clingo decides about version spaces, against plain enumeration on random instances."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic.domains import games_of, load_game
from mars_logic.domains.rulearn.escape_room.digits import DigitTerm
from mars_logic.domains.rulearn.escape_room.explain import (
    DigitProblem,
    DoorEvidence,
    known_digits,
    possible_codes,
)
from mars_logic.domains.rulearn.escape_room.paintings import paintings
from mars_logic.domains.rulearn.function_operator.bases import BASES
from mars_logic.domains.rulearn.function_operator.identity import SIDES, identity
from mars_logic.domains.rulearn.function_operator.join import (
    FunctionRow,
    JoinProblem,
    equal_codes,
    joined_codes,
    known_values,
    seen_problem,
)
from mars_logic.domains.rulearn.function_operator.rules import FunctionOperator
from mars_logic.domains.rulearn.function_operator.simulator import evaluated
from mars_logic.domains.rulearn.reactor.explain import (
    ProgramProblem,
    explanations,
    known_products,
)
from mars_logic.domains.rulearn.reactor.programs import products
from mars_logic.domains.rulearn.reactor.rules import Reactor
from tests.domains.rulearn.strategies import digit_terms, functions, programs

few = settings(max_examples=40, deadline=None)


@st.composite
def join_problems(draw):
    letters = draw(st.integers(1, 3))
    tables = []
    for _ in range(draw(st.integers(1, 3))):
        own = draw(st.lists(st.integers(0, letters - 1), min_size=1, max_size=2, unique=True))
        row = st.builds(
            FunctionRow,
            st.lists(st.sampled_from(("1", "x", "sin(x)")), min_size=1, max_size=2).map(tuple),
            st.tuples(*(st.tuples(st.just(each), st.integers(1, 3)) for each in sorted(own))),
        )
        tables.append(tuple(draw(st.lists(row, min_size=1, max_size=6, unique=True))))
    listed = draw(st.lists(st.sampled_from(("x", "sin(x)")), max_size=2, unique=True))
    return JoinProblem(tuple(tables), letters, tuple(listed), draw(st.booleans()))


def plain_join(problem):
    """All codes of rows that fit together, one combination of rows after the other."""
    found = set()
    for rows in itertools.product(*problem.rows):
        values = {}
        agrees = all(
            values.setdefault(letter, value) == value
            for row in rows
            for letter, value in row.values
        )
        occurs = {basis for row in rows for basis in row.bases} >= set(problem.listed)
        distinct = not problem.distinct or len(set(values.values())) == len(values)
        if agrees and occurs and distinct and len(values) == problem.letters:
            found.add(tuple(values[letter] for letter in range(problem.letters)))
    return sorted(found)


def plain_consequences(codes):
    """What is the same in all codes, by place; and what is not."""
    columns = [set(column) for column in zip(*codes, strict=True)]
    certain = {at: next(iter(each)) for at, each in enumerate(columns) if len(each) == 1}
    return certain, {at: tuple(sorted(e)) for at, e in enumerate(columns) if len(e) > 1}


@few
@given(join_problems())
def test_rows_are_joined_on_shared_parameters(problem):
    codes = plain_join(problem)
    assert joined_codes(problem) == codes
    assert known_values(problem) == plain_consequences(codes)


def test_rows_that_were_seen_are_joined():
    """Four codes of this puzzle differ in no evaluation, and a few evaluations leave no other."""
    puzzle = load_game("rulearn/fo_r5_19")
    seen = [
        (number, x, evaluated(terms, puzzle.values, str(x))[0])
        for number, terms in enumerate(puzzle.functions, 1)
        for x in (2.3, -2.3)
    ]
    problem = seen_problem(puzzle, seen)
    assert joined_codes(problem) == plain_join(problem) == equal_codes(puzzle)
    assert known_values(problem) == ({0: 3, 1: 4}, {2: (2, 5, 6), 3: (2, 5, 6)})


AMBIGUOUS = {
    "fo_r1_18": 2,
    "fo_r1_19": 2,
    "fo_r3_18": 2,
    "fo_r4_19": 2,
    "fo_r4_20": 2,
    "fo_r5_16": 2,
    "fo_r5_17": 2,
    "fo_r5_19": 4,
}
"""Released puzzles in which several codes fit every evaluation, by the facts about RULEARN."""


def test_codes_that_no_evaluation_separates():
    found = {name: equal_codes(load_game(name)) for name in games_of("rulearn/function_operator")}
    several = {name.removeprefix("rulearn/"): len(c) for name, c in found.items() if len(c) > 1}
    assert several == AMBIGUOUS
    for name, codes in found.items():
        assert tuple(load_game(name).values.values()) in codes


@settings(max_examples=100, deadline=None)
@given(functions(open_fields=False), functions(open_fields=False))
def test_equal_identities_are_equal_functions(one, other):
    """Identities are equal if and only if values are, at numbers in general position."""
    pairs = [[(term["basis"], term["coef"]) for term in made[0]] for made in (one, other)]
    for side, points in zip(SIDES, ((2.37, 53.3), (-2.37, -53.3), (0.0,)), strict=True):
        same = identity(pairs[0], side) == identity(pairs[1], side)
        values = [[_value(terms, x) for x in points] for terms in pairs]
        equal = all(_close(a, b) for a, b in zip(*values, strict=True))
        assert same == equal
    same = identity(pairs[0]) == identity(pairs[1])
    assert same == all(identity(pairs[0], side) == identity(pairs[1], side) for side in SIDES)


def _value(terms, x):
    try:
        return math.fsum(value * BASES[basis](x) for basis, value in terms)
    except ZeroDivisionError:
        return None


def _close(a, b):
    if a is None or b is None:
        return a is b
    return math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12)


terms = st.lists(digit_terms(), min_size=1, max_size=6)
rooms = st.lists(st.sampled_from(sorted(paintings())), min_size=1, max_size=12, unique=True)
focuses = st.sampled_from(("blue", "yellow", "black"))


@few
@given(
    terms,
    rooms,
    focuses,
    st.lists(st.tuples(focuses, st.from_regex("[0-5]{2}", fullmatch=True)), max_size=3),
    st.data(),
)
def test_terms_of_digits(stated, shown, focus, tried, data):
    chosen = [DigitTerm.model_validate(each) for each in stated]
    truth = [data.draw(st.sampled_from(chosen)) for _ in range(2)]
    seen = [paintings()[each] for each in shown]

    def made(pair, now):
        return "".join(str(term.value(seen, now) % 10) for term in pair)

    evidence = [
        DoorEvidence(now, code, tuple(a == b for a, b in zip(made(truth, now), code, strict=True)))
        for now, code in tried
    ]
    fits = [
        pair
        for pair in itertools.product(chosen, repeat=2)
        if all(
            tuple(a == b for a, b in zip(made(pair, each.focus), each.entered, strict=True))
            == each.right
            for each in evidence
        )
    ]
    problem = DigitProblem(chosen, 2, shown, focus, evidence)
    codes = sorted({made(pair, focus) for pair in fits})
    assert possible_codes(problem) == codes and made(truth, focus) in codes
    assert known_digits(problem) == plain_consequences([tuple(map(int, each)) for each in codes])


pairs = st.tuples(*[st.text("ABC", min_size=1, max_size=4)] * 2)


@few
@given(
    st.lists(programs(open_fields=False), min_size=1, max_size=6),
    st.lists(pairs, max_size=3, unique=True),
    st.lists(pairs, min_size=1, max_size=3, unique=True),
    st.data(),
)
def test_programs_that_explain_what_was_seen(stated, tried, asked, data):
    made = [Reactor.model_validate({"target": "A", "rule": each}).rule for each in stated]
    lengths = [data.draw(st.integers(1, 20)) / 2 for _ in made]
    truth, liar = data.draw(st.sampled_from(made)), data.draw(st.sampled_from(made))
    seen = {pair: products(truth, *pair) for pair in tried}
    hints = {pair: products(liar, *pair) for pair in asked[:1]}
    problem = ProgramProblem(list(zip(made, lengths, strict=True)), seen, hints, 5.5)
    expected = sorted(
        length + 5.5 * sum(products(each, *pair) != told for pair, told in hints.items())
        for each, length in zip(made, lengths, strict=True)
        if all(products(each, *pair) == told for pair, told in seen.items())
    )
    found = explanations(problem)
    assert [bits for _, bits in found] == pytest.approx(expected)
    assert truth in [each for each, _ in found]
    certain, still_open = known_products(problem, asked)
    for pair in asked:
        possible = {products(each, *pair) for each, _ in found}
        if len(possible) == 1:
            assert {certain[pair]} == possible and pair not in still_open
        else:
            assert still_open[pair] == possible and pair not in certain


def test_nothing_that_fits_leaves_nothing():
    row = FunctionRow(("x",), ((0, 1),))
    other = FunctionRow(("x",), ((0, 2),))
    problem = JoinProblem(((row,), (other,)), 1, (), distinct=True)
    assert joined_codes(problem) == [] and known_values(problem) == ({}, {})


def test_a_parameter_that_cancels():
    """A parameter that cancels leaves all its values."""
    stated = [[{"param": "a", "coef": 3, "basis": b} for b in ("x", "-x")]]
    puzzle = FunctionOperator.model_validate({"functions": stated})
    assert equal_codes(puzzle) == [(value,) for value in range(1, 10)]
