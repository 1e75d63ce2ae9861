"""Plans of reactions against a breadth-first search, and for the released puzzles."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mars_logic.domains import games_of, load_game
from mars_logic.domains.rulearn.reactor.planner import ReactionPlanner, plan_reactions
from mars_logic.domains.rulearn.reactor.reactions import pool, preimages
from mars_logic.domains.rulearn.reactor.rules import RELEASED_PROGRAMS, products
from mars_logic.domains.rulearn.reactor.space import ReactorSpace

ALL = [
    program
    for program, _ in ReactorSpace({"target": "AB", "storage": ["A", "B"]}).hypotheses(10_000)
]
MOST_STEPS = 4


def after(program, stored, pair, useful):
    return stored | (set(products(program, *pair)) & useful)


def plain(program, target, raw, useful):
    """The fewest reactions and all that such plans may begin with, by breadth-first search."""
    level = {frozenset(raw): frozenset()}
    for steps in range(1, MOST_STEPS + 1):
        following: dict = {}
        for stored, firsts in level.items():
            for pair in itertools.product(sorted(stored), repeat=2):
                found = frozenset(after(program, stored, pair, useful))
                if found != stored:
                    begins = firsts or frozenset({pair})
                    following[found] = following.get(found, frozenset()) | begins
        reached = [firsts for stored, firsts in following.items() if target in stored]
        if reached:
            return steps, frozenset().union(*reached)
        level = following
    return None


@settings(max_examples=40, deadline=None)
@given(
    st.one_of(st.sampled_from(list(RELEASED_PROGRAMS.values())), st.sampled_from(ALL)),
    st.text("AB", min_size=2, max_size=4),
)
def test_it_is_what_breadth_first_search_finds(program, target):
    useful = pool(program, target, ("A", "B"))
    assume(len(useful) <= 30)
    expected = plain(program, target, ("A", "B"), useful)
    found = ReactionPlanner(program, target, ("A", "B")).plan(("A", "B"))
    if expected is None:
        assert found is None or len(found.reactions) > MOST_STEPS
        return
    assert found and found.minimal and len(found.reactions) == expected[0]
    assert set(found.next) == expected[1]


@pytest.mark.parametrize("name", games_of("rulearn/reactor@round=2"))
def test_plans_lead_to_the_target(name):
    puzzle = load_game(name)
    planner = ReactionPlanner(puzzle.rule, puzzle.target, puzzle.raw)
    storage = list(puzzle.raw)
    plan = planner.plan(storage)
    assert plan and plan.minimal
    for left in range(len(plan.reactions), 0, -1):
        plan = planner.plan(storage)
        assert plan and len(plan.reactions) == left
        pair = plan.next[left % len(plan.next)]
        assert set(pair) <= set(storage)
        storage += products(puzzle.rule, *pair)
    assert puzzle.target in storage


def test_a_reaction_with_two_products_may_save_one():
    plan = plan_reactions(RELEASED_PROGRAMS[4], "ABCDEF", "ABCDEF")
    assert plan and plan.minimal and len(plan.reactions) == 6


def test_no_plan_where_a_letter_is_missing():
    assert plan_reactions(RELEASED_PROGRAMS[1], "ABC", "AB") is None


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(ALL), st.text("ABC", min_size=1, max_size=4))
def test_inputs_of_a_product_make_it(program, made):
    for u, v in preimages(program, made):
        if "?" not in u + v:
            assert made in products(program, u, v)
