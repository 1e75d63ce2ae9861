"""Where creatures come, and what is left as it is for their sake."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.plan.belief_state import BeliefState, breeding
from mars_logic.plan.skills import collecting, tasks_for
from mars_logic.plan.task_plan import Task
from mars_logic.plan.world_model import CODE
from mars_logic.world.dialect import CHUNK
from tests.plan.scenes import situation


def meadow(cells: int, *, walkable: bool = True, **about: Any) -> BeliefState:
    """So many cells of grass in one chunk, in which the player stands, among stone."""
    world = load_world("default")
    digs = world.collect["grass"].model_copy(update={"leaves": "path"})
    walk = world.walk["grass"].model_copy(update={"walkable": walkable})
    here = situation("@", world.with_rules(digs, walk), **about)
    here.seen.materials[:] = CODE["stone"]
    x, y = (each // CHUNK * CHUNK for each in here.seen.position)
    chunk = here.seen.materials[x : x + CHUNK, y : y + CHUNK]
    chunk[np.unravel_index(np.arange(cells), chunk.shape)] = CODE["grass"]
    return here


@pytest.mark.parametrize(("cells", "come"), [(49, 0), (50, 50)])
def test_zombies_come_in_a_chunk_with_enough_of_their_ground(cells: int, come: int) -> None:
    assert breeding(meadow(cells), "zombie").sum() == come


def test_the_last_ground_on_which_a_creature_comes_is_not_collected() -> None:
    for here, kept in (
        (meadow(50), True),
        (meadow(51), False),
        (meadow(50, unlocked=("kill_zombie",)), False),
        (meadow(50, step=400), False),
    ):
        assert here.last_resort.any() == kept
        (task,) = collecting(here, here.model.world.collect["grass"])
        assert task.facing is not None
        grass = task.facing[here.seen.materials == CODE["grass"]]
        assert grass.any() is np.bool_(not kept)


def test_a_way_through_the_last_ground_on_which_a_creature_comes_is_dear() -> None:
    costs = []
    for cells in (50, 51):
        here = meadow(cells, walkable=False)
        grass = here.seen.materials == CODE["grass"]
        costs.append(here.routes.terrain.open_cost[grass].min())
    assert costs[0] > 2 * costs[1]


def test_nothing_is_placed_on_the_last_ground_on_which_a_creature_comes() -> None:
    for cells, kept in ((50, True), (51, False)):
        here = meadow(cells, wood=9)
        (table,) = tasks_for(here, Task("place.table"), {})
        assert table.facing is not None
        assert (table.facing & (here.seen.materials == CODE["grass"])).any() == (not kept)
