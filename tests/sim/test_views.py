from __future__ import annotations

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.sim import OBJECTS, Scene, Simulator
from mars_logic.world import names


@pytest.fixture
def simulator():
    simulator = Simulator(load_world("crafter"))
    simulator.reset(seed=2)
    return simulator


def show(simulator, scene):
    simulator.restore(scene.snapshot())
    return simulator.observe()


def test_the_view_is_the_map_around_the_player():
    simulator = Simulator(load_world("all_three"), n=5)
    simulator.reset(seed=70)
    for row in np.random.default_rng(0).integers(0, 17, (150, 5)):
        simulator.step(row)
    observation = simulator.observe()
    for i in range(5):
        state = simulator.state(i)
        padded = np.pad(state.materials, ((4, 4), (3, 3)))
        expected = padded[state.x : state.x + 9, state.y : state.y + 7]
        np.testing.assert_array_equal(observation.materials[i], expected)
        objects = np.zeros((64, 64), int)
        objects[state.x, state.y] = OBJECTS.index("player")
        objects[state.objects["x"], state.objects["y"]] = state.objects["kind"]
        padded = np.pad(objects, ((4, 4), (3, 3)))
        expected = padded[state.x : state.x + 9, state.y : state.y + 7]
        seen = observation.objects[i]
        ripe = seen == OBJECTS.index("ripe_plant")
        np.testing.assert_array_equal(np.where(ripe, OBJECTS.index("plant"), seen), expected)
        assert tuple(observation.facing[i]) == state.facing
        assert observation.inventory[i].tolist() == state.inventory.tolist()
        assert observation.status[i].tolist() == state.inventory[:4].tolist()
        assert observation.sleeping[i] == state.sleeping
        assert observation.daylight[i] == state.daylight


@pytest.mark.parametrize("at", [(0, 0), (63, 63), (0, 63), (63, 0)])
def test_nothing_is_seen_beyond_the_edge(simulator, at):
    scene = Scene(simulator.snapshot()).clear("grass").player(at=at)
    seen = show(simulator, scene).materials[0]
    inside = np.zeros((9, 7), bool)
    for column in range(9):
        for row in range(7):
            x, y = at[0] - 4 + column, at[1] - 3 + row
            inside[column, row] = 0 <= x < 64 and 0 <= y < 64
    np.testing.assert_array_equal(seen == names.MATERIALS.index("grass"), inside)
    assert (seen[~inside] == 0).all()


def test_a_ripe_plant_looks_different(simulator):
    scene = Scene(simulator.snapshot()).clear("grass")
    scene.put("plant", 33, 32, grown=300).put("plant", 31, 32, grown=301)
    objects = show(simulator, scene).objects[0]
    assert OBJECTS[objects[4, 3]] == "player"
    assert OBJECTS[objects[5, 3]] == "plant"
    assert OBJECTS[objects[3, 3]] == "ripe_plant"


def test_a_state_cannot_be_written_to(simulator):
    state = simulator.state()
    for array in (state.materials, state.objects, state.inventory, state.achievements):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(AttributeError):
        state.x = 1  # type: ignore[misc]


def test_the_state_of_an_environment_that_is_not_there(simulator):
    for env in (1, -1):
        with pytest.raises(ValueError, match="env must be 0 to 0"):
            simulator.state(env)


def test_types(simulator):
    observation = simulator.observe()
    assert observation.materials.dtype == observation.objects.dtype == np.uint8
    assert observation.inventory.shape == (1, 16)
    assert observation.status.shape == (1, 4)
    assert observation.facing.tolist() == [[0, 1]]
    state = simulator.state()
    assert isinstance(state.x, int)
    assert isinstance(state.hunger, float)
    assert isinstance(state.sleeping, bool)
