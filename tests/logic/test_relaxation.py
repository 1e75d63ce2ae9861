"""Numbers of interactions that balance."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import World, load_world
from mars_logic.logic.action_bounds import MOST, action_bounds
from mars_logic.logic.relaxation import Relaxation, RelaxedGoal
from tests.logic.mutants import EIGHT, changed, mutants

CELLS = {
    "water": 5,
    "grass": 30,
    "stone": 30,
    "path": 9,
    "sand": 9,
    "tree": 20,
    "lava": 2,
    "coal": 5,
    "iron": 3,
    "diamond": 2,
}


class Generous(Relaxation):
    """As its parent, but with larger numbers told apart."""

    def __init__(self, world: World):
        super().__init__(world, CELLS, 60)
        self._enough = {way: number + 2 for way, number in action_bounds(world).items()}


def test_the_fewest_interactions_of_default() -> None:
    """37 interactions, ten more steps asleep, and a move between any two of 20 cells."""
    found = Relaxation(load_world("default"), CELLS, 60).fewest(RelaxedGoal(least=22))
    assert found is not None
    assert found.interactions == 37 + 10
    assert found.moves == sum(found.taken.values()) - 1 == 19
    assert found.taken["tree"] == 8 and not found.beyond


@pytest.mark.parametrize("name", EIGHT)
def test_numbers_of_bundled_worlds_are_bounded(name: str) -> None:
    assert max(action_bounds(load_world(name)).values()) < MOST


@settings(max_examples=15, deadline=None)
@given(mutants(), st.integers(1, 22))
def test_larger_numbers_are_of_no_use(world: World, least: int) -> None:
    if max(action_bounds(world).values()) > MOST - 3:
        return
    goal = RelaxedGoal(least=least)
    found, other = Relaxation(world, CELLS, 60).fewest(goal), Generous(world).fewest(goal)
    assert (found and found.steps) == (other and other.steps)


def test_what_is_needed_before() -> None:
    relaxation = Relaxation(load_world("default"), CELLS, 60)
    assert relaxation.before("tree", "stone", 5) == 0
    assert relaxation.before("stone", "tree", 8) == 3
    assert relaxation.before("diamond", "stone", 7) == 5
    assert relaxation.before("diamond", "stone", 2) == 2


def test_placing_and_collecting_in_turns_can_pay() -> None:
    """Two stones for one: then one stone on the map is enough for a furnace."""
    world = changed(load_world("default"), "collect.stone", yields={"stone": {"amount": 2}})
    cells = CELLS | {"stone": 1}
    found = Relaxation(world, cells, 60).fewest(RelaxedGoal({"place_furnace"}))
    assert found is not None and found.taken["stone"] == 1
    assert (
        Relaxation(load_world("default"), cells, 60).fewest(RelaxedGoal({"place_furnace"})) is None
    )


def test_numbers_that_have_no_end_are_cut_off() -> None:
    """Each tree that is left gives one of two things, and is left again by what it leaves."""
    chances = {item: {"amount": 1, "probability": 0.5} for item in ("wood", "diamond")}
    world = changed(load_world("default"), "collect.tree", yields=chances, leaves="water")
    world = changed(world, "collect.water", leaves="tree")
    assert action_bounds(world)["collect.tree", "wood"] == MOST
    found = Relaxation(world, CELLS | {"tree": 1}, 60).fewest(RelaxedGoal({"make_wood_pickaxe"}))
    assert found is not None and not found.beyond
    assert found.interactions == (3 + 2) + 1 + 1, "three times the tree, twice the water in between"
    assert found.taken == {"tree": 1}


def test_cuts_hold_from_then_on() -> None:
    relaxation = Relaxation(load_world("default"), CELLS, 60)
    goal = RelaxedGoal({"collect_drink"})
    assert relaxation.fewest(goal) is not None
    relaxation.require_moves({"water": 1}, 9)
    found = relaxation.fewest(goal)
    assert found is not None and (found.moves, found.steps) == (9, 10)
    relaxation.require_moves({"water": 1}, None)
    assert relaxation.fewest(goal) is None
    assert relaxation.fewest(replace(goal, wanted={"collect_wood"})) is not None
