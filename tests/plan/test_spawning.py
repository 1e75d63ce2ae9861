"""Where creatures come, and what is left as it is for their sake."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.plan.belief_state import BeliefState, spawn_cells
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
    assert spawn_cells(meadow(cells), "zombie").sum() == come
