from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from mars_logic.views.appearances import APPEARANCES, sprite_of
from mars_logic.views.atlas import cell_tiles
from mars_logic.views.sprites import over, palette, scaled, sheet
from mars_logic.world import names

GREY = np.array([0.299, 0.587, 0.114])


def test_everything_has_a_sprite():
    assert tuple(sheet("materials")) == names.MATERIALS
    assert tuple(sheet("items")) == names.ITEMS
    assert tuple(sheet("digits")) == tuple("123456789")
    assert sprite_of("none") is None
    assert all(sprite_of(look) is not None for look in APPEARANCES if look != "none")


@pytest.mark.parametrize("name", ["materials", "objects", "items"])
def test_sprites_are_sixteen_by_sixteen(name):
    assert {sprite.shape for sprite in sheet(name).values()} == {(16, 16, 4)}


def test_materials_hide_what_is_below_and_objects_do_not():
    assert all((sprite[..., 3] == 255).all() for sprite in sheet("materials").values())
    assert all((sprite[..., 3] == 0).any() for sprite in sheet("objects").values())


def test_every_colour_of_the_palette_is_used_once_defined():
    used = {
        tuple(pixel)
        for name in ("materials", "objects", "items", "digits")
        for sprite in sheet(name).values()
        for pixel in sprite.reshape(-1, 4).tolist()
    }
    colours = palette()
    assert len(set(colours.values())) == len(colours)
    assert used == set(colours.values())


def distance(one, other):
    """The mean difference of brightness of two pictures, 0 to 255."""
    return np.abs((one[..., :3] - other[..., :3].astype(float)) @ GREY).mean()


@pytest.mark.parametrize("side", [7, 16])
def test_materials_differ_in_brightness_too(side):
    small = {name: scaled(sprite, side, side) for name, sprite in sheet("materials").items()}
    for one, other in combinations(small, 2):
        assert distance(small[one], small[other]) > 8, (one, other)


@pytest.mark.parametrize("side", [7, 16])
@pytest.mark.parametrize("ground", ["grass", "path"])
def test_things_differ_in_brightness_too(side, ground):
    below = sheet("materials")[ground]
    small = {
        name: scaled(np.dstack([over(sprite, below), below[..., 3]]), side, side)
        for name, sprite in sheet("objects").items()
    }
    small["none"] = scaled(below, side, side)
    for one, other in combinations(small, 2):
        assert distance(small[one], small[other]) > 6, (one, other)


def test_items_differ_in_brightness_too():
    for side in (5, 16):
        black = np.zeros((16, 16, 3), np.uint8)
        small = {
            name: scaled(
                np.dstack([over(sprite, black), np.full((16, 16), 255, np.uint8)]), side, side
            )
            for name, sprite in sheet("items").items()
        }
        for one, other in combinations(small, 2):
            assert distance(small[one], small[other]) > 6, (one, other)


def test_scaling_keeps_pixels_where_it_can():
    sprite = sheet("objects")["cow"]
    np.testing.assert_array_equal(scaled(sprite, 16, 16), sprite)
    np.testing.assert_array_equal(scaled(sprite, 48, 32), sprite.repeat(2, 0).repeat(3, 1))
    halved = scaled(sheet("materials")["iron"], 8, 8)
    means = sheet("materials")["iron"].astype(float).reshape(8, 2, 8, 2, 4).mean((1, 3))
    assert np.abs(halved - means).max() <= 1


def test_tiles_are_things_on_materials():
    tiles = cell_tiles(16, 16).reshape(len(names.MATERIALS), len(APPEARANCES), 16, 16, 3)
    water, cow = names.MATERIALS.index("water"), APPEARANCES.index("cow")
    np.testing.assert_array_equal(tiles[water, 0], sheet("materials")["water"][..., :3])
    expected = over(sheet("objects")["cow"], sheet("materials")["water"])
    np.testing.assert_array_equal(tiles[water, cow], expected)
