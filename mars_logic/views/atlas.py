"""The tiles of images of one size, prepared once for each size."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mars_logic.errors import InputError
from mars_logic.views.appearances import (
    APPEARANCES,
    CRAFTER,
    creature_sprites,
    item_icons,
    material_sprites,
    sprite_in,
)
from mars_logic.views.blocks import CHUNK
from mars_logic.views.sprites import over, scaled, sheet
from mars_logic.world.dialect import VIEW_HEIGHT, VIEW_WIDTH
from mars_logic.world.vocabulary import Vocabulary

Pixels = NDArray[np.uint8]

ROWS: Final = 9
"""Rows of a whole image of Crafter in cells: the view, and two rows of inventory."""
TINT: Final = np.array([0, 16, 64])
"""The colour of the night, as in Crafter's ``LocalView._light``."""
SLEEP_TINT: Final = np.array([0, 0, 16])
NOISE_SPREAD: Final = 1024
"""Places at which a frame's noise may start in the strip of noise."""


class Atlas(NamedTuple):
    """The pictures that an image is put together from; all arrays are flat in the last axis.

    Attributes:
        width: Of an image, in pixels.
        height: Of an image, in pixels.
        unit_width: Of a cell.
        unit_height: Of a cell.
        left: Black pixels left of the cells.
        top: Black pixels above the cells.
        item_rows: Rows of cells below the view.
        looks: Number of appearances.
        day: uint8[2, tiles, unit_height * unit_width * 3], for awake and asleep: each appearance
            on each material at full daylight; tile ``material * looks + appearance``.
        night: The same without any daylight.
        items: uint8[items * 10 * unit_height * unit_width * 3]: each item with each amount; tile
            ``item * 10 + amount``. Nothing is shown of what one has 0 of.
        noise_share: uint8[view rows * width * 3]: how much of the picture noise hides in the
            darkest night, in 256ths: nothing in the middle, most at the edges.
        noise: uint8[2, ...], for awake and asleep: a strip of noise, darkened as the night is.
    """

    width: int
    height: int
    unit_width: int
    unit_height: int
    left: int
    top: int
    item_rows: int
    looks: int
    day: Any
    night: Any
    items: Any
    noise_share: Any
    noise: Any


@lru_cache(maxsize=8)
def atlas(width: int, height: int, words: Vocabulary = CRAFTER) -> Atlas:
    """The atlas for images of this size in pixels.

    Args:
        width: Of an image.
        height: Of an image.
        words: The vocabulary, as :func:`~mars_logic.views.appearances.drawn_as` gives it.

    Raises:
        InputError: A side is shorter than a pixel a cell: 9 pixels, or more with many items.
    """
    rows = rows_of(words)
    unit_width, unit_height = units(width, height, words)
    left = (width - unit_width * VIEW_WIDTH) // 2
    top = (height - unit_height * rows) // 2
    tiles = cell_tiles(unit_width, unit_height, words)
    share = _noise_share(width, left, unit_width, unit_height)
    noise = _noise(share.size // 3 + NOISE_SPREAD)
    return Atlas(
        width,
        height,
        unit_width,
        unit_height,
        left,
        top,
        rows - VIEW_HEIGHT,
        len(looks_of(words)),
        day=_flat([tiles, [asleep(tile) for tile in tiles]]),
        night=_flat([[by_night(t) for t in tiles], [asleep(by_night(t)) for t in tiles]]),
        items=_bytes(np.pad(_items(unit_width, unit_height, words).reshape(-1), (0, 2 * CHUNK))),
        noise_share=_bytes(share.reshape(-1)),
        noise=_bytes(np.stack([noise, asleep(noise)]).reshape(2, -1)),
    )


def units(width: int, height: int, words: Vocabulary) -> tuple[int, int]:
    """Width and height of a cell in images of this size, in pixels.

    Raises:
        InputError: It would be less than a pixel.
    """
    rows = rows_of(words)
    unit_width, unit_height = width // VIEW_WIDTH, height // rows
    if min(unit_width, unit_height) < 1:
        least = f"{VIEW_WIDTH} × {rows}"
        raise InputError(f"size: {width} × {height} is too small; allowed: at least {least} pixels")
    return unit_width, unit_height


def rows_of(words: Vocabulary) -> int:
    """Rows of a whole image in cells: the view, and rows of inventory, at least two."""
    return max(ROWS, VIEW_HEIGHT - (-len(words.items) // VIEW_WIDTH))


def by_night(colours: NDArray[Any]) -> NDArray[np.float64]:
    """Colours [..., 3] at full night: pale and tinted (Crafter's ``_light``)."""
    pale = 0.4 * colours + 0.6 * _grey(colours)
    return 0.5 * pale + 0.5 * TINT


def asleep(colours: NDArray[Any]) -> NDArray[np.float64]:
    """Colours [..., 3] while the player sleeps: dark and grey (Crafter's ``_sleep``)."""
    return 0.5 * _grey(colours) + 0.5 * SLEEP_TINT


def _grey(colours: NDArray[Any]) -> NDArray[np.float64]:
    grey: NDArray[np.float64] = colours @ np.array([0.299, 0.587, 0.114])
    return grey[..., None]


def _bytes(array: NDArray[Any]) -> Pixels:
    rounded: Pixels = np.rint(array).astype(np.uint8)
    rounded.flags.writeable = False
    return rounded


def _spare(cell: int) -> int:
    """How many tiles of so many bytes hold what ``lay_tiles`` may read beyond the last."""
    return -(-2 * CHUNK // cell)


def _flat(sets: Iterable[Iterable[NDArray[Any]]]) -> Pixels:
    """Sets of tiles [height, width, 3] as bytes [sets, tiles, height * width * 3]."""
    flat: Pixels = np.array([[_bytes(tile).reshape(-1) for tile in tiles] for tiles in sets])
    flat = np.pad(flat, ((0, 0), (0, _spare(flat.shape[2])), (0, 0)))
    flat.flags.writeable = False
    return flat


def looks_of(words: Vocabulary) -> tuple[str, ...]:
    """All appearances by code, those of creatures and projectiles that a world adds among them."""
    return (*APPEARANCES, *creature_sprites(words))


@lru_cache(maxsize=8)
def cell_tiles(width: int, height: int, words: Vocabulary = CRAFTER) -> Pixels:
    """Each appearance on each material: uint8[materials * appearances, height, width, 3]."""
    tiles = []
    for material in material_sprites(words).values():
        for appearance in looks_of(words):
            sprite = sprite_in(words, appearance)
            whole = material if sprite is None else _on(sprite, material)
            tiles.append(scaled(whole, width, height)[..., :3])
    stacked: Pixels = np.stack(tiles)
    stacked.flags.writeable = False
    return stacked


def _on(sprite: Pixels, material: Pixels) -> Pixels:
    opaque = np.full((*material.shape[:2], 1), 255, np.uint8)
    return np.concatenate([over(sprite, material), opaque], axis=2)


def _items(width: int, height: int, words: Vocabulary) -> Pixels:
    """Each item with each amount: uint8[items * 10, height, width, 3]."""
    tiles: list[Pixels] = []
    for icon in item_icons(words).values():
        tiles += [item_tile(icon, amount, width, height) for amount in range(10)]
    return np.stack(tiles)


def item_tile(icon: Pixels, amount: int, width: int, height: int) -> Pixels:
    """An item with its amount, on black: uint8[height, width, 3]; nothing for none of it."""
    tile = np.zeros((height, width, 3), np.uint8)
    if not amount:
        return tile
    canvas = np.zeros((height, width, 4), np.uint8)
    small = scaled(icon, max(1, width * 4 // 5), max(1, height * 4 // 5))
    _paste(canvas, small, width // 10, height // 10)
    return over(_digit(amount, width, height), over(canvas, tile))


def _digit(amount: int, width: int, height: int) -> Pixels:
    """A digit in the lower right corner, outlined where there is room: uint8[height, width, 4]."""
    factor = max(1, min(width, height) // 9)
    digit = sheet("digits")[str(amount)].repeat(factor, 0).repeat(factor, 1)
    rows, columns = min(height, digit.shape[0]), min(width, digit.shape[1])
    digit = scaled(digit, columns, rows)
    at = width - columns - width // 16, height - rows - height // 16
    canvas = np.zeros((height, width, 4), np.uint8)
    _paste(canvas, digit, *at)
    outline = np.zeros((height, width), bool)
    reach = factor // 2
    strokes = np.pad(canvas[..., 3] > 0, reach)
    for across in range(2 * reach + 1):
        for down in range(2 * reach + 1):
            outline |= strokes[down : down + height, across : across + width]
    canvas[outline & (canvas[..., 3] == 0)] = (0, 0, 0, 255)
    return canvas


def _paste(canvas: Pixels, picture: Pixels, left: int, top: int) -> None:
    canvas[top : top + picture.shape[0], left : left + picture.shape[1]] = picture


def _noise_share(width: int, left: int, unit_width: int, unit_height: int) -> NDArray[np.float64]:
    """A vignette over the view, 0 in the border: float64[view rows, width, 3], up to 255."""
    columns, rows = unit_width * VIEW_WIDTH, unit_height * VIEW_HEIGHT
    x, y = np.linspace(-1, 1, columns), np.linspace(-1, 1, rows)
    share = np.zeros((rows, width, 3))
    distance = x[None, :] ** 2 + y[:, None] ** 2
    share[:, left : left + columns] = 255 * (1 - np.exp(-0.5 * distance / 0.5**2))[..., None]
    return share


def _noise(length: int) -> NDArray[np.float64]:
    """Grey noise as the night shows it: float64[length, 3]."""
    grey = np.random.default_rng(0).uniform(32, 127, (length, 1))
    return by_night(np.broadcast_to(grey, (length, 3)))
