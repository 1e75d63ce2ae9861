"""Whether any cell of a material is left is known, wherever it was found before."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.compiled.kernel import kernel
from mars_logic.sim import Simulator
from mars_logic.sim.board import age_of, is_left, set_age, set_material
from mars_logic.sim.state import materials_of
from mars_logic.world.dialect import AREA
from mars_logic.world.goals import MOST_GOALS
from tests.paths import REPOSITORY

MATERIALS = (3, 15, 16)
places = st.sampled_from([0, 1, 15, 16, 31, 62, AREA - 1])
changes = st.tuples(places, places, st.sampled_from(MATERIALS))


@kernel
def _change(envs, x, y, material):
    set_material(envs[0], x, y, material)
    set_age(envs[0], x, y, 7)


@kernel
def _is_left(envs, material, goal):
    return is_left(envs[0], material, goal)


@kernel
def _age(envs, x, y):
    return age_of(envs[0], x, y)


@pytest.mark.parametrize("name", ["sokoban", "xland_neighbours"])
@settings(max_examples=40, deadline=None)
@given(changed=st.lists(changes, min_size=1, max_size=12))
def test_a_material_is_left_as_long_as_a_cell_has_it(name: str, changed) -> None:
    simulator = Simulator(load_world(REPOSITORY / "worlds" / "gallery" / f"{name}.yaml"))
    simulator.reset(0)
    envs = simulator.snapshot().envs.copy()
    goals = dict(zip(MATERIALS, (0, 1, MOST_GOALS - 1), strict=True))
    for x, y, material in changed:
        _change(envs, x, y, material)
        for asked, goal in goals.items():
            before = materials_of(envs[0])
            assert _is_left(envs, asked, goal) == (before == asked).any()
            assert np.array_equal(materials_of(envs[0]), before)
    if name == "xland_neighbours":  # it has timers
        assert all(_age(envs, x, y) == 7 for x, y, _ in changed)
