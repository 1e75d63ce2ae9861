from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.sim import OBJECTS, Scene, Simulator
from mars_logic.views import whole_map
from mars_logic.views.appearances import APPEARANCES, NUM_APPEARANCES
from mars_logic.views.atlas import cell_tiles
from tests.paths import REPOSITORY


def cell(picture, x, y, unit):
    return picture[y * unit : (y + 1) * unit, x * unit : (x + 1) * unit]


def tile(material, look, unit):
    return cell_tiles(unit, unit)[material * NUM_APPEARANCES + APPEARANCES.index(look)]


@pytest.mark.parametrize("unit", [1, 5, 8])
def test_each_cell_shows_what_is_there(simulator, unit):
    state = simulator.state(1)
    picture = whole_map.draw(state, unit)
    assert picture.shape == (64 * unit, 64 * unit, 3) and picture.dtype == np.uint8
    looks = np.full((64, 64), "none", object)
    for thing in state.objects:
        looks[thing["x"], thing["y"]] = OBJECTS[thing["kind"]]
    looks[state.x, state.y] = "player_down"
    assert len(state.objects) > 5
    for x in range(64):
        for y in range(64):
            expected = tile(state.materials[x, y], looks[x, y], unit)
            np.testing.assert_array_equal(cell(picture, x, y, unit), expected)


def test_arrows_plants_and_sleepers():
    simulator = Simulator(load_world("crafter"))
    simulator.reset(seed=3)
    scene = Scene(simulator.snapshot()).clear("grass")
    scene.put("arrow", 10, 12, facing_x=-1).put("plant", 11, 12, grown=31)
    simulator.restore(scene.snapshot())
    state = replace(simulator.state(), sleeping=True)
    material = state.materials[10, 12]
    for ripe_age, plant in ((None, "plant"), (300, "plant"), (30, "ripe_plant")):
        picture = whole_map.draw(state, 16, ripe_age)
        assert (cell(picture, 10, 12, 16) == tile(material, "arrow_left", 16)).all()
        assert (cell(picture, 11, 12, 16) == tile(material, plant, 16)).all()
        assert (cell(picture, state.x, state.y, 16) == tile(material, "player_asleep", 16)).all()


def test_a_unit_of_nothing(simulator):
    with pytest.raises(ValueError, match="at least 1"):
        whole_map.draw(simulator.state(), 0)


def test_what_lies_around_a_drawing_is_left_out():
    simulator = Simulator(load_world(REPOSITORY / "worlds" / "gallery" / "rooms.yaml"))
    simulator.reset(2)
    state = simulator.state()
    part = whole_map.cropped(state)
    assert part.materials.shape == (9, 9) and (part.materials > 0).sum() == 63
    assert state.materials[state.x, state.y] == part.materials[part.x, part.y] == 2
    assert len(part.objects) == len(state.objects) == 2
    for one, other in zip(part.objects, state.objects, strict=True):
        assert (one["x"] - part.x, one["y"] - part.y) == (
            other["x"] - state.x,
            other["y"] - state.y,
        )
    assert whole_map.draw(part, 3).shape == (27, 27, 3)
