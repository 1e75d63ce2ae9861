"""A picture of a whole map."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from mars_logic.sim.codes import ARROW, PLANT
from mars_logic.views.appearances import APPEARANCES, drawn_as, player_looks
from mars_logic.views.atlas import cell_tiles, looks_of
from mars_logic.world.names import OBJECTS

if TYPE_CHECKING:
    from mars_logic.sim import State
    from mars_logic.world.vocabulary import Vocabulary

_INK, _PAPER, _MARK = "#22262b", "#ffffff", "#e0218a"


def draw(
    state: State, unit: int = 8, ripe_age: int | None = None, words: Vocabulary | None = None
) -> NDArray[np.uint8]:
    """Draw the whole map of one environment by full daylight.

    Args:
        state: Of that environment (``Simulator.state``).
        unit: Width and height of a cell in pixels, at least 1.
        ripe_age: Plants that have grown for more steps than this are drawn ripe.
        words: The vocabulary of the world, by default Crafter's.

    Returns:
        uint8[64 * unit, 64 * unit, 3]: red, green, blue; fewer for a part of a map.

    Raises:
        ValueError: ``unit`` is less than 1.
    """
    if unit < 1:
        raise ValueError(f"unit must be at least 1, not {unit}")
    looks = np.zeros(state.materials.shape, np.int64)
    for thing in state.objects:
        looks[thing["x"], thing["y"]] = _look(thing, ripe_age)
    looks[state.x, state.y] = player_looks(np.array([state.facing]), np.array([state.sleeping]))[0]
    words = drawn_as(words)
    tiles = cell_tiles(unit, unit, words)[state.materials * np.int64(len(looks_of(words))) + looks]
    columns, rows = state.materials.shape
    picture: NDArray[np.uint8] = tiles.transpose(1, 2, 0, 3, 4).reshape(
        rows * unit, columns * unit, 3
    )
    return picture


def cropped(state: State) -> State:
    """The smallest square part of a map that has all its cells; a generated map as a whole.

    Its places are counted from the corner of that part.
    """
    found = np.argwhere(state.materials > 0)
    corner, end = found.min(axis=0), found.max(axis=0) + 1
    side = int((end - corner).max())
    left, top = np.minimum(corner, np.array(state.materials.shape) - side).tolist()
    return part(state, (left, top), (side, side))


def part(state: State, corner: tuple[int, int], size: tuple[int, int]) -> State:
    """A part of a map that has all that stands on it; its places are counted from its corner.

    Args:
        state: The whole.
        corner: Column and row of its first cell.
        size: Columns and rows.
    """
    (left, top), (columns, rows) = corner, size
    objects = state.objects.copy()
    objects["x"] -= left
    objects["y"] -= top
    return replace(
        state,
        materials=state.materials[left : left + columns, top : top + rows],
        objects=objects,
        x=state.x - left,
        y=state.y - top,
    )


def with_legend(
    picture: NDArray[np.uint8], state: State, words: Vocabulary | None = None
) -> NDArray[np.uint8]:
    """A whole map with a ring around the player, and beside it what its tiles are called.

    Args:
        picture: As :func:`draw` returns it for the state.
        state: The state that it shows.
        words: The vocabulary of the world, by default Crafter's.

    Returns:
        uint8[64 * unit, wider, 3]: red, green, blue.
    """
    side = len(picture)
    unit = side // len(state.materials)
    words = drawn_as(words)
    row = side // (len(words.materials) + len(words.objects))
    font = ImageFont.load_default(row * 0.55)
    drawn = Image.new("RGB", (side + row * 5, side), _PAPER)
    drawn.paste(Image.fromarray(picture))
    pen = ImageDraw.Draw(drawn)
    x, y, ring = (state.x + 0.5) * unit, (state.y + 0.5) * unit, max(1.5 * unit, 8)
    for width, colour in ((5, _PAPER), (3, _MARK)):
        pen.ellipse((x - ring, y - ring, x + ring, y + ring), outline=colour, width=width)
    icon = int(row * 0.8)
    tiles = cell_tiles(icon, icon, words)
    for line, (name, material, look) in enumerate(_entries(state, words)):
        top = row // 2 + line * row
        tile = tiles[material * len(looks_of(words)) + look]
        drawn.paste(Image.fromarray(tile), (side + row // 2, top))
        pen.text((side + row * 1.6, top + icon / 2), name, _INK, font, anchor="lm")
    return np.asarray(drawn)


def _entries(state: State, words: Vocabulary) -> Iterator[tuple[str, int, int]]:
    """The names on a legend, each with a material and an appearance, of what is on the map."""
    for code in np.unique(state.materials):
        yield words.materials[code], int(code), 0
    grass = words.materials.index("grass")
    yield "player", grass, OBJECTS.index("player")
    for code in np.unique(state.objects["kind"]):
        yield words.objects[code], grass, _drawn(int(code))


def _look(thing: np.void, ripe_age: int | None) -> int:
    """The appearance of a thing, a record of ``sim.OBJECT_DTYPE``."""
    kind = int(thing["kind"])
    if kind == ARROW:
        ways = {(-1, 0): "left", (1, 0): "right", (0, -1): "up", (0, 1): "down"}
        return APPEARANCES.index(f"arrow_{ways[int(thing['facing_x']), int(thing['facing_y'])]}")
    if kind == PLANT and ripe_age is not None and thing["grown"] > ripe_age:
        return APPEARANCES.index("ripe_plant")
    return _drawn(kind)


def _drawn(kind: int) -> int:
    """The appearance of a kind of things: those that worlds add follow all others."""
    return kind if kind <= PLANT else len(APPEARANCES) + kind - PLANT - 1
