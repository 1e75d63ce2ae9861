"""Pictures of dialects in which deeds leave traces: views of players, and whole maps.

Crafter's sprites serve for what both games have; marks and remains are drawn over the ground from
few strokes. Daylight and sleep do not change these pictures.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.sim.codes import PLAYER
from mars_logic.views.appearances import player_looks, sprite_of
from mars_logic.views.atlas import item_tile
from mars_logic.views.sprites import SIDE, over, scaled, sheet
from mars_logic.world.vocabulary import REMAINS, Vocabulary

if TYPE_CHECKING:
    from mars_logic.sim import Observation, State

Pixels = NDArray[np.uint8]

_RED: Final = (190, 30, 40)
_BLUE: Final = (50, 110, 220)
_DARK: Final = (50, 40, 30)
_BROWN: Final = (110, 70, 35)
_WHITE: Final = (235, 235, 230)
_PLAYERS: Final = ("left", "right", "up", "down", "asleep")


def draw_view(seen: Observation, words: Vocabulary, size: tuple[int, int]) -> Pixels:
    """What one player sees (n = 1), with what it holds below: uint8[height, width, 3].

    Args:
        seen: The observation, with marks.
        words: The vocabulary.
        size: Width and height in pixels; the cells are as large as fit, with a black border.

    Raises:
        ValueError: The picture is smaller than a pixel a cell, or the observation has no marks.
    """
    columns, rows = words.view
    below = -(-len(words.items) // columns)
    unit = min(size[0] // columns, size[1] // (rows + below))
    held = _inventory(words, seen.inventory[0], columns, below, unit)
    drawn = np.concatenate([draw_cells(seen, words, unit), held])
    picture = np.zeros((size[1], size[0], 3), np.uint8)
    top, left = (size[1] - drawn.shape[0]) // 2, (size[0] - drawn.shape[1]) // 2
    picture[top : top + drawn.shape[0], left : left + drawn.shape[1]] = drawn
    return picture


def smallest_view(words: Vocabulary) -> int:
    """The least width and height of a picture of a view, in pixels."""
    columns, rows = words.view
    return max(columns, rows + -(-len(words.items) // columns))


def draw_cells(seen: Observation, words: Vocabulary, unit: int) -> Pixels:
    """The cells that one player sees (n = 1): uint8[rows * unit, columns * unit, 3].

    Raises:
        ValueError: ``unit`` is less than 1, or the observation has no marks.
    """
    if seen.marks is None:
        raise ValueError("the observation has no marks")
    looks = seen.objects[0].astype(np.int64)
    looks[looks == PLAYER] = _first_player(words) + _way(seen.facing, seen.sleeping)
    return _lay(words, seen.materials[0], seen.marks[0], looks, unit)


def _inventory(
    words: Vocabulary, amounts: NDArray[np.generic], columns: int, rows: int, unit: int
) -> Pixels:
    """Items with their amounts, row by row: uint8[rows * unit, columns * unit, 3]."""
    picture = np.zeros((rows * unit, columns * unit, 3), np.uint8)
    for place, (item, amount) in enumerate(zip(words.items, amounts.tolist(), strict=True)):
        y, x = divmod(place, columns)
        if amount:
            tile = item_tile(_icon(item), int(amount), unit, unit)
            picture[y * unit : (y + 1) * unit, x * unit : (x + 1) * unit] = tile
    return picture


@cache
def _icon(item: str) -> Pixels:
    """The icon of an item: uint8[16, 16, 4]; Crafter's, or one of few strokes."""
    known = sheet("items").get(item)
    if known is not None:
        return known
    icon = np.zeros((SIDE, SIDE, 3), np.uint8)
    for box, colour in _ICONS.get(item, _STRANGE):
        _fill(icon, *box, colour)
    opaque = np.where(icon.any(2, keepdims=True), 255, 0).astype(np.uint8)
    return np.concatenate([icon, opaque], axis=2)


_GREY: Final = (150, 155, 165)
_PAIL: Final = (
    ((3, 5, 1, 5), _GREY),
    ((12, 5, 1, 5), _GREY),
    ((4, 6, 8, 8), _GREY),
    ((4, 3, 8, 1), _DARK),
)
Stroke = tuple[tuple[int, int, int, int], tuple[int, int, int]]
_ICONS: Final[dict[str, tuple[Stroke, ...]]] = {
    "beef": (((3, 5, 10, 7), (200, 60, 60)), ((5, 7, 3, 2), (240, 200, 190))),
    "steak": (((3, 5, 10, 7), (120, 65, 35)), ((5, 7, 6, 1), (80, 40, 20))),
    "bed": (((2, 4, 12, 9), _BROWN), ((3, 5, 3, 7), _WHITE), ((6, 5, 7, 7), _RED)),
    "bucket": _PAIL,
    "water_bucket": (*_PAIL, ((5, 6, 6, 3), _BLUE)),
    "lava_bucket": (*_PAIL, ((5, 6, 6, 3), (235, 110, 30))),
    "apple": (((5, 5, 7, 8), _RED), ((8, 2, 1, 3), _BROWN), ((9, 3, 3, 1), (60, 150, 60))),
}
"""Boxes of one colour each, as column, row, width and height."""
_STRANGE: Final[tuple[Stroke, ...]] = (((4, 4, 8, 8), (200, 120, 200)),)


def draw_map(state: State, words: Vocabulary, unit: int = 8) -> Pixels:
    """The whole map of one environment: uint8[64 * unit, 64 * unit, 3].

    Raises:
        ValueError: ``unit`` is less than 1, or the state has no marks.
    """
    if state.marks is None:
        raise ValueError("the state has no marks")
    looks = np.zeros(state.materials.shape, np.int64)
    for thing in state.objects:
        kind = words.objects[thing["kind"]]
        if kind == "arrow":
            ways = {(-1, 0): "left", (1, 0): "right", (0, -1): "up", (0, 1): "down"}
            kind = f"arrow_{ways[int(thing['facing_x']), int(thing['facing_y'])]}"
        looks[thing["x"], thing["y"]] = words.looks.index(kind)
    if not state.gone:
        way = _way(np.array([state.facing]), np.array([state.sleeping]))
        looks[state.x, state.y] = _first_player(words) + way
    return _lay(words, state.materials, state.marks, looks, unit)


def _first_player(words: Vocabulary) -> int:
    """The first code of a player's look: left, right, up, down, asleep follow the other looks."""
    return len(words.looks)


def _way(facing: NDArray[np.generic], sleeping: NDArray[np.bool_]) -> int:
    return int(player_looks(facing, sleeping)[0] - player_looks(_LEFTWARDS, _AWAKE)[0])


_LEFTWARDS: Final = np.array([[-1, 0]])
_AWAKE: Final = np.array([False])


def _lay(
    words: Vocabulary,
    materials: Pixels,
    marks: Pixels,
    looks: NDArray[np.int64],
    unit: int,
) -> Pixels:
    """The cells side by side, indexed [x, y]: uint8[rows * unit, columns * unit, 3]."""
    if unit < 1:
        raise ValueError(f"a cell has {unit} pixels; allowed: at least 1")
    columns, rows = materials.shape
    picture = np.empty((rows * unit, columns * unit, 3), np.uint8)
    for (x, y), material in np.ndenumerate(materials):
        tile = _tile(words, int(material), int(marks[x, y]), int(looks[x, y]), unit)
        picture[y * unit : (y + 1) * unit, x * unit : (x + 1) * unit] = tile
    return picture


@cache
def _tile(words: Vocabulary, material: int, mark: int, look: int, unit: int) -> Pixels:
    whole = _ground(words.materials[material], words.cell(material, mark), words)
    appearance = (*words.looks, *(f"player_{way}" for way in _PLAYERS))[look]
    sprite = sprite_of("player_asleep" if appearance == "body" else appearance)
    if sprite is not None:
        whole = over(sprite, whole)
    opaque = np.full((SIDE, SIDE, 1), 255, np.uint8)
    return scaled(np.concatenate([whole, opaque], axis=2), unit, unit)[..., :3]


def _ground(material: str, cell: str, words: Vocabulary) -> Pixels:
    """A cell without an object: uint8[16, 16, 3]."""
    sprites = sheet("materials")
    if material == REMAINS:
        return _remains(cell)
    if material == "bed":
        tile = _plain("path")
        _fill(tile, 2, 3, 12, 11, _BROWN)
        _fill(tile, 3, 4, 3, 9, _WHITE)
        _fill(tile, 6, 4, 7, 9, _RED)
        return tile
    tile = (sprites[material] if material in sprites else sprites["tree"])[..., :3].copy()
    if material not in sprites:  # a tree with fruit
        for x, y in ((4, 4), (10, 3), (7, 7), (12, 8), (4, 9)):
            _fill(tile, x, y, 2, 2, _RED)
    if cell != material:
        _mark(tile, words.marks.index(cell.removeprefix(f"{material}_")))
    return tile


def _remains(cell: str) -> Pixels:
    """What is left: a stump, rubble of a mined material or a station, or a dead creature."""
    name, _, kind = cell.rpartition("_")
    tile = _plain("grass" if kind in ("cut", "dead") else "path")
    if kind == "cut":
        _fill(tile, 4, 6, 8, 6, _BROWN)
        _fill(tile, 6, 7, 4, 3, (190, 150, 90))
    elif kind == "dead":
        sprite = np.rot90(sheet("objects")[name]).copy()
        sprite[..., :3] = sprite[..., :3] // 2 + np.uint8(60)
        tile = over(sprite, tile)
    else:
        source = sheet("materials").get(name)
        colour = tuple(source[..., :3].reshape(-1, 3).mean(0)) if source is not None else _BROWN
        for x, y in ((2, 3), (9, 2), (5, 7), (11, 9), (3, 12), (8, 13)):
            _fill(tile, x, y, 3, 2, colour)
        if kind == "destroyed":
            for step in range(SIDE):
                tile[step, step] = tile[step, SIDE - 1 - step] = _DARK
    return tile


def _mark(tile: Pixels, mark: int) -> None:
    """Draw a mark of land: prints that point in their direction, or spots of water or blood."""
    if mark <= 4:
        chevron = [(5 + abs(k - 3), 5 + k) for k in range(7)]  # it points to the left
        turned = {1: 0, 2: 2, 3: 3, 4: 1}[mark]
        canvas = np.zeros((SIDE, SIDE), bool)
        for x, y in chevron:
            canvas[y : y + 1, x : x + 2] = True
        tile[np.rot90(canvas, turned)] = _DARK
    elif mark == 5:
        for x, y in ((4, 4), (10, 4), (4, 10), (10, 10), (7, 7)):
            _fill(tile, x, y, 2, 2, _DARK)
    else:
        for x, y in ((3, 5), (8, 3), (10, 9), (5, 11)):
            _fill(tile, x, y, 3, 3, _BLUE if mark == 6 else _RED)


def _plain(material: str) -> Pixels:
    return sheet("materials")[material][..., :3].copy()


def _fill(tile: Pixels, x: int, y: int, width: int, height: int, colour: tuple[float, ...]) -> None:
    tile[y : y + height, x : x + width] = np.array(colour, np.uint8)
