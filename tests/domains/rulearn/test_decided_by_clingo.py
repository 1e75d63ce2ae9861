"""Codes of functions that clingo joins, against plain enumeration on random instances."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic.domains import games_of, load_game
from mars_logic.domains.rulearn.function_operator.join import (
    FunctionRow,
    JoinProblem,
    equal_codes,
    joined_codes,
)
from mars_logic.domains.rulearn.function_operator.rules import (
    BASES,
    SIDES,
    FunctionOperator,
    identity,
)
from tests.domains.rulearn.strategies import functions

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


@few
@given(join_problems())
def test_rows_are_joined_on_shared_parameters(problem):
    codes = plain_join(problem)
    assert joined_codes(problem) == codes


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


@pytest.mark.slow
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


def test_nothing_that_fits_leaves_nothing():
    row = FunctionRow(("x",), ((0, 1),))
    other = FunctionRow(("x",), ((0, 2),))
    problem = JoinProblem(((row,), (other,)), 1, (), distinct=True)
    assert joined_codes(problem) == []


def test_a_parameter_that_cancels():
    """A parameter that cancels leaves all its values."""
    stated = [[{"param": "a", "coef": 3, "basis": b} for b in ("x", "-x")]]
    puzzle = FunctionOperator.model_validate({"functions": stated})
    assert equal_codes(puzzle) == [(value,) for value in range(1, 10)]
