from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic.sim import Observation
from mars_logic.views.appearances import APPEARANCES, NUM_APPEARANCES, appearances
from mars_logic.views.atlas import asleep, by_night, cell_tiles
from mars_logic.views.image import render
from mars_logic.views.mixing import Noise, fade, mix_tiles
from mars_logic.world import names
from tests.views.conftest import FACINGS, lit, make, observations, part

sides = st.integers(9, 90)


def cells(image, unit_width, unit_height, left=0, top=0):
    """The blocks of an image without its border: [column, row, height, width, 3]."""
    inside = image[top : top + 9 * unit_height, left : left + 9 * unit_width]
    return inside.reshape(9, unit_height, 9, unit_width, 3).transpose(2, 0, 1, 3, 4)


def tiles_of(observation, unit_width, unit_height):
    codes = observation.materials.astype(int) * NUM_APPEARANCES + appearances(observation)
    return cell_tiles(unit_width, unit_height)[codes]


@given(observations, sides, sides)
@settings(max_examples=30, deadline=None)
def test_by_day_each_cell_shows_its_tile_and_the_border_is_black(observation, width, height):
    observation = replace(lit(observation, 1.0), sleeping=np.zeros(len(observation.sleeping), bool))
    dirty = np.full((len(observation.facing), height, width, 3), 77, np.uint8)
    images = render(observation, (width, height), dirty)
    assert images is dirty
    unit = width // 9, height // 9
    left, top = (width - 9 * unit[0]) // 2, (height - 9 * unit[1]) // 2
    expected = tiles_of(observation, *unit)
    for image, tiles in zip(images, expected, strict=True):
        np.testing.assert_array_equal(cells(image, *unit, left, top)[:, :7], tiles)
        border = np.ones((height, width), bool)
        border[top : top + 9 * unit[1], left : left + 9 * unit[0]] = False
        assert not image[border].any()


@given(observations, st.sampled_from([(64, 64), (31, 50), (200, 90)]))
@settings(max_examples=30, deadline=None)
def test_a_batch_is_the_same_as_one_by_one_and_as_itself(observation, size):
    images = render(observation, size)
    np.testing.assert_array_equal(images, render(observation, size))
    for i, image in enumerate(images):
        alone = render(part(observation, slice(i, i + 1)), size)
        np.testing.assert_array_equal(alone[0], image)


@given(st.integers(0, 2**32 - 1), st.sampled_from([(64, 64), (31, 50), (200, 90)]))
@settings(max_examples=20, deadline=None)
def test_a_batch_in_many_lights_is_the_same_as_one_by_one(seed, size):
    dice = np.random.default_rng(seed)
    observation = replace(
        make(seed, n=12), daylight=dice.random(12), sleeping=dice.integers(0, 2, 12) > 0
    )
    for i, image in enumerate(render(observation, size)):
        np.testing.assert_array_equal(
            image, render(part(observation, slice(i, i + 1)), size)[0], str(i)
        )


@given(
    seed=st.integers(0, 2**32 - 1),
    width=st.integers(1, 60),
    height=st.integers(1, 5),
    noisy=st.integers(0, 256),
)
@settings(max_examples=30, deadline=None)
def test_tiles_are_mixed_with_noise_as_numbers_are(seed, width, height, noisy):
    """In sixteen bits, of several bytes at once, the result is that of whole numbers."""
    dice = np.random.default_rng(seed)
    day, night = dice.integers(0, 256, (2, 5, height * width)).astype(np.uint8)
    share = int(dice.integers(noisy, 257))
    lit = np.zeros((5 + 64, height * width), np.uint16)
    for one, *looks in zip(lit, day, night, strict=False):
        fade(one, *looks, share, 0)
    dark = np.pad(night, ((0, 64), (0, 0)))
    tiles = dice.integers(0, 5, (7, 9))
    length = 7 * height * 9 * width
    hidden, noise = (dice.integers(0, 256, length + more).astype(np.uint8) for more in (0, 40))
    out = np.zeros(length, np.uint8)
    behind = Noise(noisy, hidden, noise, 40)
    mix_tiles(tiles, lit.ravel(), dark.ravel(), width, height, out, 0, 9 * width, behind)

    def laid(looks):
        laid = looks[tiles].reshape(7, 9, height, width).transpose(0, 2, 1, 3)
        return laid.ravel().astype(int)

    hides = hidden.astype(int) * noisy >> 8
    mixed = laid(day) * (256 - share) + laid(night) * (share - hides) + noise[40:] * hides
    np.testing.assert_array_equal(out, mixed >> 8)


@given(st.integers(0, 2**32 - 1), st.floats(0.5, 1))
@settings(max_examples=30, deadline=None)
def test_while_it_is_light_a_picture_fades_to_its_look_by_night(seed, daylight):
    observation = make(seed, daylight=daylight)
    tiles = tiles_of(observation, 7, 7)[0]
    expected = daylight * tiles + (1 - daylight) * by_night(tiles)
    shown = cells(render(observation, (63, 63))[0], 7, 7)[:, :7]
    assert np.abs(shown - expected).max() <= 2.5


@given(st.integers(0, 2**32 - 1), st.floats(0, 0.499), st.booleans())
@settings(max_examples=30, deadline=None)
def test_in_the_dark_noise_hides_what_is_far(seed, daylight, sleeping):
    """The formula of Crafter's ``LocalView._light`` and ``_sleep`` holds for some noise."""
    observation = make(seed, daylight=daylight, sleeping=sleeping)
    tiles = tiles_of(observation, 7, 7)[0].transpose(1, 2, 0, 3, 4).reshape(49, 63, 3)
    x, y = np.linspace(-1, 1, 63)[None, :, None], np.linspace(-1, 1, 49)[:, None, None]
    share = 2 * (0.5 - daylight) * (1 - np.exp(-2 * (x**2 + y**2)))
    bounds = []
    for noise in (32.0, 127.0):
        hidden = (1 - share) * tiles + share * noise
        seen = daylight * tiles + (1 - daylight) * by_night(hidden)
        bounds.append(asleep(seen) if sleeping else seen)
    shown = render(observation, (63, 63))[0][:49].astype(float)
    assert (shown >= np.minimum(*bounds) - 4).all()
    assert (shown <= np.maximum(*bounds) + 4).all()
    if daylight < 0.3 and not sleeping:
        spread = (shown - bounds[0]) / np.maximum(bounds[1] - bounds[0], 1)
        assert np.std(spread[share[..., 0] > 0.25]) > 0.15, "there is noise"


def test_noise_depends_on_what_is_seen_alone():
    dark = make(5, n=2, daylight=0.1)
    same = Observation(*(np.repeat(array[:1], 2, axis=0) for array in dark.arrays))
    one, other = render(same)
    np.testing.assert_array_equal(one, other)
    hungry = replace(same, inventory=same.inventory.copy())
    hungry.inventory[1, 0] = (hungry.inventory[0, 0] + 1) % 10
    one, other = render(hungry)
    assert (one[:49] != other[:49]).any(), "another moment has other noise"


def test_night_is_darker_and_sleep_darker_still():
    day = make(1, n=20)
    brightness = [render(lit(day, light))[:, :49].mean() for light in (1.0, 0.6, 0.3, 0.0)]
    assert brightness == sorted(brightness, reverse=True)
    sleeping = replace(lit(day, 0.3), sleeping=np.ones(20, bool))
    assert render(sleeping)[:, :49].mean() < brightness[2]


def test_who_sleeps_sees_no_colours():
    image = render(make(1, sleeping=True))[0, :49, :63].astype(int)
    assert (image[..., 0] == image[..., 1]).all()
    assert (np.abs(image[..., 2] - image[..., 1] - 8) <= 1).all(), "a touch of blue"


def test_drawing_leaves_the_random_streams_alone(simulator):
    other = simulator.snapshot()
    for _ in range(3):
        render(lit(simulator.observe(), 0.1))
    after = [simulator.step([5, 5]) and simulator.observe() for _ in range(30)]
    simulator.restore(other)
    plain = [simulator.step([5, 5]) and simulator.observe() for _ in range(30)]
    for one, two in zip(after, plain, strict=True):
        for a, b in zip(one.arrays, two.arrays, strict=True):
            np.testing.assert_array_equal(a, b)


def test_the_player_looks_where_it_faces():
    looks = set()
    for facing in FACINGS:
        observation = replace(make(2), facing=np.array([facing], np.int8))
        look = APPEARANCES[appearances(observation)[0, 4, 3]]
        looks.add(look)
        expected = tiles_of(observation, 16, 16)[0, 4, 3]
        image = render(observation, (144, 144))[0]
        np.testing.assert_array_equal(cells(image, 16, 16)[4, 3], expected)
    assert looks == {f"player_{way}" for way in ("left", "right", "up", "down")}


@pytest.mark.parametrize("size", [(64, 64), (144, 144), (512, 512)])
def test_the_inventory_shows_what_there_is_in_its_place(size):
    unit = size[0] // 9
    border = (size[0] - 9 * unit) // 2
    empty = replace(make(0), inventory=np.zeros((1, 16), np.int16))
    assert not cells(render(empty, size)[0], unit, unit, border, border)[:, 7:].any()
    pictures = set()
    for item in range(len(names.ITEMS)):
        for amount in range(1, 10):
            inventory = np.zeros((1, 16), np.int16)
            inventory[0, item] = amount
            image = render(replace(make(0), inventory=inventory), size)[0]
            shown = cells(image, unit, unit, border, border)[:, 7:]
            used = shown.any((2, 3, 4))
            assert np.argwhere(used).tolist() == [[item % 9, item // 9]]
            pictures.add(shown[item % 9, item // 9].tobytes())
    assert len(pictures) == 16 * 9, "all differ"


def test_light_does_not_change_the_inventory():
    day = make(3)
    np.testing.assert_array_equal(render(day)[:, 49:], render(lit(day, 0.2))[:, 49:])


@pytest.mark.parametrize(
    ("field", "value"), [("materials", 13), ("objects", 12), ("inventory", 10), ("inventory", -1)]
)
def test_codes_that_stand_for_nothing(field, value):
    bad = getattr(make(0), field).copy()
    bad.reshape(-1)[0] = value
    with pytest.raises(ValueError, match=f"{field} must be 0 to"):
        render(replace(make(0), **{field: bad}))


def test_sizes_and_arrays_that_do_not_fit():
    with pytest.raises(ValueError, match="at least 9 × 9"):
        render(make(0), (64, 8))
    for size in (64, (64.0, 64), (64, 64, 3), "64"):
        with pytest.raises(ValueError, match=r"size must be \(width, height\) in pixels, not"):
            render(make(0), size)
    for out in (np.empty((1, 64, 64, 4), np.uint8), np.empty((1, 64, 64, 3), np.float32)):
        with pytest.raises(ValueError, match="out must be"):
            render(make(0), out=out)
    with pytest.raises(ValueError, match="out must be"):
        render(make(0), out=np.empty((2, 64, 64, 3), np.uint8)[::2][:, ::-1])
