"""Images of observations, in the layout of Crafter.

Nine by nine cells: the view, seven rows high, and two rows of inventory below it. Night and sleep
look as in Crafter (reference: ``crafter/engine.py``, ``LocalView`` and ``ItemView``), but the noise
of the night follows from what is observed instead of the game's random numbers, so an image is a
function of its observation.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import index
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mars_logic.compiled.kernel import kernel
from mars_logic.sim.codes import OTHER_LOOKS, PLAYER
from mars_logic.sim.sharing import Shares, share_done, shares_of, take_share
from mars_logic.views.appearances import BEHIND_PLAYERS, drawn_as, player_looks
from mars_logic.views.atlas import NOISE_SPREAD, Atlas, atlas, units
from mars_logic.views.blocks import lay_tiles
from mars_logic.views.mixing import FULL, SHIFT, Noise, fade, mix_tiles
from mars_logic.world.dialect import VIEW_HEIGHT, VIEW_WIDTH

if TYPE_CHECKING:
    from mars_logic.sim import Observation
    from mars_logic.world.vocabulary import Vocabulary

SIZE: Final = (64, 64)
"""Width and height of an image, unless told otherwise; Crafter's."""


def render(
    observation: Observation,
    size: tuple[int, int] = SIZE,
    out: NDArray[np.uint8] | None = None,
    share: Callable[..., object] | None = None,
    words: Vocabulary | None = None,
) -> NDArray[np.uint8]:
    """Draw what the players of a batch of n environments see.

    Args:
        observation: Of n environments, or of n moments.
        size: Width and height of an image in pixels, at least 9 each. A cell has a ninth of each,
            rounded down; what remains is a black border.
        out: uint8[n, height, width, 3], contiguous, to draw into. For large batches this saves the
            system the time to find new memory, which may be longer than the drawing itself.
        share: :meth:`~mars_logic.sim.Simulator.share` of a simulator of n environments, whose
            threads then draw; by default, the calling thread draws.
        words: The vocabulary of the world, by default Crafter's. Where a world adds more items
            than two rows of cells hold, cells are less high, so that all have room.

    Returns:
        uint8[n, height, width, 3]: red, green, blue; ``out``, if given.

    Raises:
        ValueError: ``size`` is no pair of integers or too small, ``out`` has another shape or
            type, or the observation holds codes that stand for nothing.
    """
    try:
        width, height = map(index, size)
    except (TypeError, ValueError):
        raise ValueError(f"size must be (width, height) in pixels, not {size!r}") from None
    words = drawn_as(words)
    parts = atlas(width, height, words)
    materials = _codes("materials", observation.materials, len(words.materials))
    objects = _codes("objects", observation.objects, len(words.looks))
    inventory = _codes("inventory", observation.inventory, 10)
    if inventory.shape[1:] != (len(words.items),):
        raise ValueError(f"inventory must have {len(words.items)} items, not {inventory.shape[1:]}")
    shape = (len(materials), height, width, 3)
    if out is None:
        out = np.empty(shape, np.uint8)
    elif out.shape != shape or out.dtype != np.uint8 or not out.flags.c_contiguous:
        raise ValueError(f"out must be a contiguous uint8{list(shape)}")
    share = share or partial(_alone, len(materials))
    share(
        _draw_batch,
        parts,
        materials,
        objects,
        inventory,
        player_looks(observation.facing, observation.sleeping),
        np.ascontiguousarray(observation.sleeping, np.bool_),
        np.ascontiguousarray(observation.daylight, np.float64),
        out.reshape(len(out), -1),
    )
    return out


def require_room(size: tuple[int, int], words: Vocabulary | None = None) -> None:
    """Make sure that images of this size have a pixel a cell at least.

    Raises:
        InputError: They have not.
    """
    units(*size, drawn_as(words))


def _codes(name: str, array: NDArray[Any], limit: int) -> NDArray[np.uint8]:
    """An array as the kernel takes it, after making sure that every code stands for something."""
    if array.size and (int(array.max()) >= limit or int(array.min()) < 0):
        raise ValueError(f"{name} must be 0 to {limit - 1}")
    return np.ascontiguousarray(array, np.uint8)


def _alone(n: int, work: Callable[..., None], *arguments: Any) -> None:
    work(*arguments, shares_of(0, n), 0)


@kernel
def _draw_batch(
    atlas: Atlas,
    materials: Any,
    objects: Any,
    inventory: Any,
    players: Any,
    sleeping: Any,
    daylight: Any,
    out: Any,
    shares: Shares,
    thread: int,
) -> None:
    first, end = take_share(shares, thread)
    if first < end:
        size = atlas.day.shape[1:]
        room = Room(
            np.full((2, size[0]), -1, np.int64),
            np.empty(size, np.uint8),
            np.empty(size, np.uint16),
            np.empty((VIEW_HEIGHT, VIEW_WIDTH), np.int64),
            np.zeros((atlas.item_rows, VIEW_WIDTH), np.int64),
        )
    while first < end:
        _draw_some(
            atlas, materials, objects, inventory, players, sleeping, daylight, out, room, first, end
        )
        share_done(shares, first, end, True)
        first, end = take_share(shares, thread)


class Room(NamedTuple):
    """Room for what drawing needs.

    Attributes:
        lights: int64[2, tiles]: in which light a tile lies in the next two arrays, -1 if in none.
        faded: uint8[tiles, bytes]: tiles in a light.
        exact: uint16[tiles, bytes]: tiles in a light, in 256ths.
        tiles: int64[7, 9]: the tiles of a view.
        items: int64[rows, 9]: the tiles of an inventory.
    """

    lights: Any
    faded: Any
    exact: Any
    tiles: Any
    items: Any


@kernel
def _draw_some(
    atlas: Atlas,
    materials: Any,
    objects: Any,
    inventory: Any,
    players: Any,
    sleeping: Any,
    daylight: Any,
    out: Any,
    room: Room,
    first: int,
    end: int,
) -> None:
    width, height = atlas.unit_width * 3, atlas.unit_height
    left, stride = atlas.left * 3, atlas.width * 3
    rows = VIEW_HEIGHT + atlas.item_rows
    bordered = width * VIEW_WIDTH < stride or height * rows < atlas.height
    for i in range(first, end):
        image = out[i]
        if bordered:
            for byte in range(len(image)):
                image[byte] = 0
        _choose_items(inventory[i], room.items)
        below = (atlas.top + VIEW_HEIGHT * height) * stride + left
        lay_tiles(room.items, atlas.items, width, height, image, below, stride)
        tiles = room.tiles
        _choose_tiles(materials[i], objects[i], players[i], atlas.looks, tiles)
        eyes = 1 if sleeping[i] else 0
        night = round(FULL * (1 - daylight[i]))
        view = image[atlas.top * stride : atlas.top * stride + len(atlas.noise_share)]
        noisy = round(night * (1 - 2 * daylight[i]))
        if night == 0:
            day = atlas.day[eyes].reshape(-1)
            lay_tiles(tiles, day, width, height, view, left, stride)
        elif noisy <= 0:
            _light_tiles(atlas, tiles, eyes, night, room.lights[0], room.faded, SHIFT)
            lay_tiles(tiles, room.faded.reshape(-1), width, height, view, left, stride)
        else:
            _light_tiles(atlas, tiles, eyes, night, room.lights[1], room.exact, 0)
            place = 3 * _noise_place(tiles, inventory[i], daylight[i])
            noise = Noise(noisy, atlas.noise_share, atlas.noise[eyes], place)
            by_night, lit = atlas.night[eyes].reshape(-1), room.exact.reshape(-1)
            mix_tiles(tiles, lit, by_night, width, height, view, left, stride, noise)


@kernel
def _choose_items(inventory: Any, tiles: Any) -> None:
    """Which tile of ``Atlas.items`` is where; tile 0 is black."""
    for item in range(len(inventory)):
        tiles[item // VIEW_WIDTH, item % VIEW_WIDTH] = item * 10 + inventory[item]


@kernel
def _choose_tiles(materials: Any, objects: Any, player: int, appearances: int, tiles: Any) -> None:
    """Which tile of ``Atlas.day`` is where."""
    for x in range(VIEW_WIDTH):
        for y in range(VIEW_HEIGHT):
            look: Any = np.int64(objects[x, y])
            if look == PLAYER:
                look = player
            elif look >= OTHER_LOOKS:
                look += BEHIND_PLAYERS
            tiles[y, x] = materials[x, y] * appearances + look


@kernel
def _light_tiles(
    atlas: Atlas, tiles: Any, eyes: int, night: int, lights: Any, lit: Any, shift: int
) -> None:
    """Make sure that ``lit`` holds the tiles as they look in this light, without noise.

    An image shows few different tiles. ``lights`` tells in which light a tile in ``lit`` is.
    """
    light = eyes * (FULL + 1) + night
    for y in range(VIEW_HEIGHT):
        for x in range(VIEW_WIDTH):
            tile = tiles[y, x]
            if lights[tile] != light:
                lights[tile] = light
                fade(lit[tile], atlas.day[eyes, tile], atlas.night[eyes, tile], night, shift)


@kernel
def _noise_place(tiles: Any, inventory: Any, daylight: float) -> int:
    """Where the noise of an image starts: a hash of what is observed, 0 to NOISE_SPREAD - 1.

    A sum of products needs no product to wait for the one before.
    """
    factor = np.uint64(0x9E3779B97F4A7C15)
    mixed = np.uint64(daylight * 2.0**53) * factor
    for y in range(VIEW_HEIGHT):
        for x in range(VIEW_WIDTH):
            factor += np.uint64(0xD1B54A32D192ED03)
            mixed += np.uint64(tiles[y, x]) * factor
    for item in range(len(inventory)):
        factor += np.uint64(0xD1B54A32D192ED03)
        mixed += np.uint64(inventory[item]) * factor
    mixed = (mixed ^ (mixed >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
    return int((mixed >> np.uint64(40)) % np.uint64(NOISE_SPREAD))
