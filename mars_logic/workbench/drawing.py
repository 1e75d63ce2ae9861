"""A drawn map as a form: its picture, what can be painted, and the text after painting."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from mars_logic.errors import InputError
from mars_logic.workbench.edits import with_drawing
from mars_logic.workbench.reading import world_of
from mars_logic.workbench.worker import Begin
from mars_logic.world.maps import (
    DEFAULT_LEGEND,
    LARGEST,
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
        picture: The drawing, as a PNG in a ``data:`` URL.
        columns: Its columns.
        rows: Its rows.
        unit: Width and height of a cell in the picture, in pixels.
        brushes: What can be painted.
    """

    picture: str
    columns: int
    rows: int
    unit: int
    brushes: tuple[Brush, ...]


def form(_: Begin, text: str, path: Path) -> DrawingForm | None:
    """The drawing of a world's map of seed 0; None where maps are generated.

    Raises:
        InputError: The text is no world.
    """
    from mars_logic.sim import Simulator
    from mars_logic.views.report.templates import as_url
    from mars_logic.views.whole_map import draw, part

    world = world_of(text, path)
    drawing = world.map.drawing(0)
    if drawing is None:
        return None
    simulator = Simulator(world)
    simulator.reset(0)
    size = drawing.width, drawing.height
    state = part(simulator.state(), drawing.corner, size)
    unit = max(4, min(_LARGEST_CELL, _PIXELS // max(size)))
    words = world.vocabulary
    picture = as_url(draw(state, unit, words.ripe_age, words))
    return DrawingForm(picture, *size, unit, _brushes(world))


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


def painted(_: Begin, text: str, path: Path, cells: Collection[tuple[int, int]], brush: str) -> str:
    """The text with cells of its drawing painted.

    Args:
        _: Not told; it takes no time.
        text: The text of a world.
        path: Its file.
        cells: Columns and rows; those outside are left out.
        brush: The name of what is painted. A creature or the player stands on what is there.

    Raises:
        InputError: The text is no world with one drawing, or there is no such brush.
    """
    world, rows = _rows(text, path)
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
    return _written(text, path, rows)


def _move_start(rows: Rows, x: int, y: int) -> None:
    for row in rows:
        for column, cell in enumerate(row):
            if cell.player:
                row[column] = replace(cell, player=False)
    rows[y][x] = Drawn(rows[y][x].material, player=True)


def begun(_: Begin, text: str, path: Path, columns: int, rows: int) -> str:
    """The text with a new drawing of grass, on which the player starts in the middle.

    Raises:
        InputError: The text is no world, or the size is out of range.
    """
    world_of(text, path)
    _require_size(columns, rows)
    cells = [[Drawn(_GROUND)] * columns for _ in range(rows)]
    cells[rows // 2][columns // 2] = Drawn(_GROUND, player=True)
    return _written(text, path, cells)


def resized(_: Begin, text: str, path: Path, columns: int, rows: int) -> str:
    """The text with a larger or smaller drawing: grass is added, or cells at the end are cut.

    Raises:
        InputError: As for :func:`painted`; or the size is out of range, or the start is cut off.
    """
    cells = _rows(text, path)[1]
    _require_size(columns, rows)
    wider = [(row + [Drawn(_GROUND)] * columns)[:columns] for row in cells]
    wider = (wider + [[Drawn(_GROUND)] * columns] * rows)[:rows]
    if not any(cell.player for row in wider for cell in row):
        raise InputError("the player's start would be cut off; allowed: to move it first")
    return _written(text, path, wider)


def _require_size(columns: int, rows: int) -> None:
    if not (SMALLEST <= columns <= LARGEST and SMALLEST <= rows <= LARGEST):
        raise InputError(
            f"{columns} x {rows} cells are not possible; allowed: {SMALLEST} to {LARGEST} each"
        )


def _rows(text: str, path: Path) -> tuple[World, Rows]:
    """The world, and the cells of its only drawing."""
    world = world_of(text, path)
    if len(world.map.drawings) != 1:
        found = len(world.map.drawings)
        raise InputError(f"there are {found} drawings; allowed: one, or to edit them in the text")
    return world, [[*row] for row in world.map.drawings[0].rows]


def _written(text: str, path: Path, rows: Rows) -> str:
    """The text with a drawing, in the characters that it has already as far as possible."""
    signs = _signs(text, path)
    for cell in dict.fromkeys(cell for row in rows for cell in row):
        if cell not in signs:
            signs[cell] = _free_sign(cell, signs)
    lines = ["".join(signs[cell] for cell in row) for row in rows]
    used = {cell for row in rows for cell in row}
    legend = {
        sign: cell.as_data()
        for cell, sign in signs.items()
        if cell in used and DEFAULT_LEGEND.get(sign) != cell
    }
    return with_drawing(text, lines, legend)


def _signs(text: str, path: Path) -> dict[Drawn, str]:
    """The characters that a text gives a meaning, or that the usual legend does."""
    stated = parse(text, str(path)).data.get("map")
    legend = stated.get("legend") if isinstance(stated, Mapping) else None
    own = {sign: _meant(about) for sign, about in (legend or {}).items()}
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
