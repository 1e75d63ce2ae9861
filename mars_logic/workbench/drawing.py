"""Drawn maps as a form: a picture, what can be painted, and the text after a change."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, Final

from mars_logic.errors import InputError
from mars_logic.workbench.edits import with_drawings
from mars_logic.workbench.reading import world_of
from mars_logic.workbench.worker import Begin
from mars_logic.world.maps import (
    DEFAULT_LEGEND,
    LARGEST,
    MOST_DRAWINGS,
    SMALLEST,
    SPARE,
    Drawn,
)
from mars_logic.world.source import parse
from mars_logic.world.theory import World

PLAYER: Final = "the player's start"
_GROUND: Final = "grass"
_PIXELS: Final = 560
"""The longer side of the picture, at most."""
_LARGEST_CELL: Final = 40

Rows = list[list[Drawn]]
Drawing = Rows | str
"""Cells, or what the text states: rows of characters, or a file of them."""


@dataclass(frozen=True)
class Brush:
    """What can be painted.

    Attributes:
        name: A material, a creature, or ``PLAYER``.
        icon: Its picture, as a PNG in a ``data:`` URL.
    """

    name: str
    icon: str


@dataclass(frozen=True)
class DrawingForm:
    """A drawing to paint on.

    Attributes:
        number: Which of the drawings it is, from 0: that of the seeds with this number modulo
            ``count``.
        count: How many drawings there are.
        picture: The drawing, as a PNG in a ``data:`` URL.
        columns: Its columns.
        rows: Its rows.
        unit: Width and height of a cell in the picture, in pixels.
        brushes: What can be painted.
    """

    number: int
    count: int
    picture: str
    columns: int
    rows: int
    unit: int
    brushes: tuple[Brush, ...]


def form(_: Begin, text: str, path: Path, number: int) -> DrawingForm | None:
    """A drawing of a world; None where maps are generated.

    Args:
        _: Not told; it takes no time.
        text: The text of a world.
        path: Its file.
        number: Which drawing, from 0; the last one if there are not so many.

    Raises:
        InputError: The text is no world.
    """
    from mars_logic.sim import Simulator
    from mars_logic.views.report.templates import as_url
    from mars_logic.views.whole_map import draw, part

    world = world_of(text, path)
    if not world.map.is_drawn:
        return None
    count = len(world.map.drawings)
    number = min(number, count - 1)
    drawing = world.map.drawings[number]
    simulator = Simulator(world)
    simulator.reset(number)
    size = drawing.width, drawing.height
    state = part(simulator.state(), drawing.corner, size)
    unit = max(4, min(_LARGEST_CELL, _PIXELS // max(size)))
    words = world.vocabulary
    picture = as_url(draw(state, unit, words.ripe_age, words))
    return DrawingForm(number, count, picture, *size, unit, _brushes(world))


def _brushes(world: World) -> tuple[Brush, ...]:
    from mars_logic.views.appearances import drawn_as, material_sprites, sprite_of
    from mars_logic.views.report.templates import as_url

    words = world.vocabulary
    sprites = material_sprites(drawn_as(words))
    found = [Brush(name, as_url(sprites[name])) for name in words.materials[1:]]
    beings = {name: name for name in words.subjects["creature"]} | {PLAYER: "player_down"}
    for name, look in beings.items():
        sprite = sprite_of(look)
        found.append(Brush(name, "" if sprite is None else as_url(sprite)))
    return tuple(found)


def painted(
    _: Begin, text: str, path: Path, number: int, cells: Collection[tuple[int, int]], brush: str
) -> str:
    """The text with cells of a drawing painted.

    Args:
        _: Not told; it takes no time.
        text: The text of a world.
        path: Its file.
        number: Which drawing, from 0.
        cells: Columns and rows; those outside are left out.
        brush: The name of what is painted. A creature or the player stands on what is there.

    Raises:
        InputError: The text is no world with such a drawing, or there is no such brush.
    """
    world, rows = _rows(text, path, number)
    for x, y in cells:
        if not (0 <= y < len(rows) and 0 <= x < len(rows[0])):
            continue
        there = rows[y][x]
        if brush == PLAYER:
            _move_start(rows, x, y)
        elif brush in world.vocabulary.subjects["creature"]:
            if not there.player:
                rows[y][x] = Drawn(there.material, brush)
        elif brush in world.vocabulary.materials[1:]:
            rows[y][x] = Drawn(brush, player=there.player)
        else:
            raise InputError(f"there is no '{brush}' to paint; allowed: a material or creature")
    return _changed(text, path, number, rows)


def _move_start(rows: Rows, x: int, y: int) -> None:
    for row in rows:
        for column, cell in enumerate(row):
            if cell.player:
                row[column] = replace(cell, player=False)
    rows[y][x] = Drawn(rows[y][x].material, player=True)


def begun(_: Begin, text: str, path: Path, columns: int, rows: int) -> str:
    """The text with one more drawing, the last: grass, on which the player starts in the middle.

    Raises:
        InputError: The text is no world, the size is out of range, or there are too many drawings.
    """
    drawings = _drawings(text, path)
    _require_size(columns, rows)
    if len(drawings) == MOST_DRAWINGS:
        raise InputError(f"there are {MOST_DRAWINGS} drawings; allowed: at most so many")
    cells = [[Drawn(_GROUND)] * columns for _ in range(rows)]
    cells[rows // 2][columns // 2] = Drawn(_GROUND, player=True)
    return _written(text, path, [*drawings, cells])


def resized(_: Begin, text: str, path: Path, number: int, columns: int, rows: int) -> str:
    """The text with a larger or smaller drawing: grass is added, or cells at the end are cut.

    Raises:
        InputError: As for :func:`painted`; or the size is out of range, or the start is cut off.
    """
    cells = _rows(text, path, number)[1]
    _require_size(columns, rows)
    wider = [(row + [Drawn(_GROUND)] * columns)[:columns] for row in cells]
    wider = (wider + [[Drawn(_GROUND)] * columns] * rows)[:rows]
    if not any(cell.player for row in wider for cell in row):
        raise InputError("the player's start would be cut off; allowed: to move it first")
    return _changed(text, path, number, wider)


def removed(_: Begin, text: str, path: Path, number: int) -> str:
    """The text without a drawing.

    Raises:
        InputError: As for :func:`painted`; or it is the only one.
    """
    _rows(text, path, number)
    drawings = _drawings(text, path)
    if len(drawings) == 1:
        raise InputError("this is the only drawing; allowed: to remove `map` in the text")
    return _written(text, path, drawings[:number] + drawings[number + 1 :])


def _require_size(columns: int, rows: int) -> None:
    if not (SMALLEST <= columns <= LARGEST and SMALLEST <= rows <= LARGEST):
        raise InputError(
            f"{columns} x {rows} cells are not possible; allowed: {SMALLEST} to {LARGEST} each"
        )


def _rows(text: str, path: Path, number: int) -> tuple[World, Rows]:
    """The world, and the cells of one of its drawings."""
    world = world_of(text, path)
    count = len(world.map.drawings)
    if not 0 <= number < count:
        raise InputError(f"there is no drawing {number + 1}; allowed: one of the {count}")
    return world, [[*row] for row in world.map.drawings[number].rows]


def _drawings(text: str, path: Path) -> list[Drawing]:
    """All drawings: as the text states them, or those of its base."""
    world = world_of(text, path)
    stated = _stated(text, path).get("drawn")
    if stated is None:
        return [[[*row] for row in each.rows] for each in world.map.drawings]
    return [stated] if isinstance(stated, str) else [*stated]


def _stated(text: str, path: Path) -> Mapping[str, Any]:
    """What the text states under ``map``."""
    found = parse(text, str(path)).data.get("map")
    return found if isinstance(found, Mapping) else {}


def _changed(text: str, path: Path, number: int, rows: Rows) -> str:
    """The text with other cells in one of its drawings."""
    drawings = _drawings(text, path)
    drawings[number] = rows
    return _written(text, path, drawings)


def _written(text: str, path: Path, drawings: Sequence[Drawing]) -> str:
    """The text with drawings, in the characters that it has already as far as possible."""
    signs = _signs(text, path)
    rows = (row for each in drawings if not isinstance(each, str) for row in each)
    used = dict.fromkeys(chain.from_iterable(rows))
    for cell in used:
        if cell not in signs:
            signs[cell] = _free_sign(cell, signs)
    legend = {
        sign: cell.as_data()
        for cell, sign in signs.items()
        if cell in used and DEFAULT_LEGEND.get(sign) != cell
    }
    texts = [each if isinstance(each, str) else _as_text(each, signs) for each in drawings]
    return with_drawings(text, texts, legend)


def _as_text(rows: Rows, signs: Mapping[Drawn, str]) -> str:
    return "".join("".join(signs[cell] for cell in row) + "\n" for row in rows)


def _signs(text: str, path: Path) -> dict[Drawn, str]:
    """The characters that a text gives a meaning, or that the usual legend does."""
    legend = _stated(text, path).get("legend") or {}
    own = {sign: _meant(about) for sign, about in legend.items()}
    usual = {sign: cell for sign, cell in DEFAULT_LEGEND.items() if sign not in own}
    return {cell: sign for sign, cell in (usual | own).items()}


def _meant(about: Any) -> Drawn:
    if about == "player":
        return Drawn(_GROUND, player=True)
    return Drawn(**about) if isinstance(about, Mapping) else Drawn(about)


def _free_sign(cell: Drawn, signs: Mapping[Drawn, str]) -> str:
    """A character without a meaning: a letter of the name, if there is one."""
    letters = [each for each in (cell.creature or cell.material) if each.isalpha()]
    wanted = [*letters, *(each.upper() for each in letters), *SPARE]
    taken = {*signs.values(), *DEFAULT_LEGEND}
    choices: tuple[str, ...] = (*wanted, *map(chr, range(0xA1, 0x2000)))
    return next(sign for sign in choices if sign not in taken)
