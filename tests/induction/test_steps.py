"""The search for the fewest expected steps against plain recursion."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic.induction.steps import Limits, StepSearch, Test

LOST = 100.0
CODES = ["12", "13", "21", "31", "32"]


def answer(tried, truth):
    return tuple(a == b for a, b in zip(tried, truth, strict=True))


def plain(cases, tests, steps, attempts, changed):
    """The least expected steps over all policies, and those of each first action.

    Args:
        cases: The weight, solution and outcomes of the tests of each case.
    """
    if steps <= 0:
        return LOST, {}
    solutions = {solution for _, solution, _ in cases}
    if len(solutions) == 1:
        return 0.0, dict.fromkeys(solutions, 0.0)
    total = sum(weight for weight, _, _ in cases)
    values = {}
    for at in range(tests):
        groups = split(cases, lambda case, at=at: case[2][at])
        if len(groups) > 1:
            values[f"test {at}"] = math.fsum(
                share(group) / total * (1 + plain(group, tests, steps - 1, attempts, changed)[0])
                for group in groups
            )
    for tried in solutions:
        wrong = [case for case in cases if case[1] != tried]
        value = 0.0
        for group in split(wrong, lambda case, tried=tried: answer(tried, case[1])):
            if steps == 1:
                after = LOST
            elif attempts == 1:
                after = changed
            else:
                left = None if attempts is None else attempts - 1
                after = plain(group, tests, steps - 1, left, changed)[0]
            value += share(group) / total * (1 + after)
        values[tried] = value
    return min(values.values()), values


def share(cases):
    return sum(weight for weight, _, _ in cases)


def split(cases, outcome):
    found = {}
    for case in cases:
        found.setdefault(outcome(case), []).append(case)
    return list(found.values())


cases = st.lists(
    st.tuples(
        st.sampled_from((1.0, 2.0, 3.0)),
        st.sampled_from(CODES),
        st.tuples(st.integers(0, 2), st.integers(0, 1)),
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=150, deadline=None)
@given(cases, st.integers(1, 6), st.sampled_from((None, 1, 2)))
def test_it_is_what_plain_recursion_finds(found, steps, attempts):
    changed = 3.0
    search = StepSearch(
        [weight for weight, _, _ in found],
        [solution for _, solution, _ in found],
        answer,
        [Test(f"test {at}", [case[2][at] for case in found]) for at in range(2)],
        Limits(steps, attempts, changed=changed, depth=20, width=20),
    )
    plan = search.plan()
    least, values = plain(found, 2, steps, attempts, changed)
    assert plan.optimal
    assert plan.steps == pytest.approx(least)
    assert set(plan.actions) == {each for each, value in values.items() if value < least + 1e-9}


def test_a_search_that_leaves_something_out_says_so():
    codes = ["111", "222", "333", "444"]
    for limits in (Limits(15, depth=1), Limits(15, width=2, depth=9)):
        plan = StepSearch([1.0] * 4, codes, answer, (), limits).plan()
        assert not plan.optimal
    plan = StepSearch([1.0] * 4, codes, answer, (), Limits(15, depth=9)).plan()
    assert plan.optimal and plan.steps == pytest.approx(1.5) and set(plan.actions) == set(codes)


def test_a_code_is_entered_where_a_test_tells_no_more():
    two = StepSearch([1.0, 1.0], ["12", "21"], answer, [Test("look", [0, 1])], Limits(15)).plan()
    assert two.steps == pytest.approx(0.5) and set(two.actions) == {"12", "21"}
