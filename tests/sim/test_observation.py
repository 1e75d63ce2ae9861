from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.sim import LOOKS, OBJECTS, Observation, Scene, Simulator
from mars_logic.world import names

KIND = {look: look.removeprefix("ripe_").split("_")[0] for look in LOOKS}


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
        seen = np.array([LOOKS.index(KIND[look]) for look in LOOKS])[observation.objects[i]]
        np.testing.assert_array_equal(seen, expected)
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
    assert LOOKS[objects[4, 3]] == "player"
    assert LOOKS[objects[5, 3]] == "plant"
    assert LOOKS[objects[3, 3]] == "ripe_plant"


DIRECTIONS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def test_an_arrow_shows_where_it_flies(simulator):
    scene = Scene(simulator.snapshot()).clear("path")
    for x, (dx, dy) in zip((28, 30, 34, 36), DIRECTIONS.values(), strict=True):
        scene.put("arrow", x, 29, facing_x=dx, facing_y=dy)
    objects = show(simulator, scene).objects[0]
    assert [LOOKS[code] for code in objects[[0, 2, 6, 8], 0]] == [f"arrow_{d}" for d in DIRECTIONS]
    assert simulator.semantic()[0, 28, 29] == 12 + OBJECTS.index("arrow")


@pytest.mark.parametrize("name", DIRECTIONS)
def test_a_skeletons_arrow_comes_from_it(simulator, name):
    """The direction seen is that of the flight: from the skeleton to the player."""
    dx, dy = DIRECTIONS[name]
    for seed in range(40):
        simulator.reset(seed)
        scene = Scene(simulator.snapshot()).clear("path")
        simulator.restore(scene.put("skeleton", 32 - 3 * dx, 32 - 3 * dy).snapshot())
        simulator.step(0)
        looks = {LOOKS[code] for code in np.unique(simulator.observe().objects)}
        if looks & {look for look in LOOKS if look.startswith("arrow")}:
            assert looks == {"none", "player", "skeleton", f"arrow_{name}"}
            return
    pytest.fail("no skeleton shot")


def test_observing_into_given_arrays():
    simulator = Simulator(load_world("all_three"), n=3, threads=2)
    simulator.reset(seed=70)
    kept = Observation.empty(3)
    for row in np.random.default_rng(0).integers(0, 17, (30, 3)):
        simulator.step(row)
        assert simulator.observe(kept) is kept
        for given, new in zip(kept.arrays, simulator.observe().arrays, strict=True):
            np.testing.assert_array_equal(given, new)


@pytest.mark.parametrize(
    ("field", "array"),
    [
        ("materials", np.zeros((2, 9, 7), np.int32)),
        ("objects", np.zeros((2, 7, 9), np.uint8)),
        ("objects", np.zeros((2, 7, 9), np.uint8).swapaxes(1, 2)),
        ("daylight", np.zeros(1)),
        ("sleeping", [True, False]),
        ("facing", np.broadcast_to(np.int8(0), (2, 2))),
    ],
)
def test_observing_into_wrong_arrays(field, array):
    simulator = Simulator(load_world("crafter"), n=2)
    simulator.reset(1)
    out = dataclasses.replace(Observation.empty(2), **{field: array})
    with pytest.raises(ValueError, match=rf"out.{field} must be a writeable, contiguous array"):
        simulator.observe(out)


def test_the_semantic_map_is_the_state():
    simulator = Simulator(load_world("crafter"), n=4)
    simulator.reset(seed=70)
    for row in np.random.default_rng(0).integers(0, 17, (60, 4)):
        simulator.step(row)
    semantic = simulator.semantic()
    assert semantic.dtype == np.uint8
    assert semantic.shape == (4, 64, 64)
    for i in range(4):
        state = simulator.state(i)
        expected = state.materials.copy()
        expected[state.x, state.y] = 13
        expected[state.objects["x"], state.objects["y"]] = 12 + state.objects["kind"]
        np.testing.assert_array_equal(semantic[i], expected)


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
