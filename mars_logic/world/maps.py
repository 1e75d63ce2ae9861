"""Where the cells of a world's maps come from: the generator, with added cells or not, or drawings.

A world file states it under ``map``; :mod:`mars_logic.world.map_section` reads that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from mars_logic.world.dialect import AREA, CENTRE

SMALLEST: Final = 3
"""Fewest columns, and fewest rows, of a drawing."""
MOST_DRAWINGS: Final = 64
"""Most drawings of a world."""
LARGEST: Final = AREA
"""Most columns, and most rows, of a drawing."""

GENERATOR_FAMILIES: Final = ("neighbour", "rename")
"""Families of rules that the generator alone reads."""
SPARE: Final = "abeghjklmnoqrsuvwxyzABDEFGHIJKLMNOQRUVWXY0123456789+*=%&$?^;/<>()[]{}|-'\"`\\"
"""Characters for what the usual legend has not, the most legible first."""


@dataclass(frozen=True)
class Scattered:
    """A material that replaces a share of the cells of another one.

    Attributes:
        material: What replaces them.
        within: The material of the cells that may be replaced.
        share: The probability, for each of these cells, from 0 (not included) to 1.
    """

    material: str
    within: str
    share: float


@dataclass(frozen=True)
class Drawn:
    """What a character of a drawing stands for: a material, and what is on it.

    Attributes:
        material: The material of the cell.
        creature: The creature on it, or a plant; None without one.
        player: Whether the player starts here.
    """

    material: str
    creature: str | None = None
    player: bool = False

    def as_data(self) -> Any:
        """What a legend says of the character."""
        if self.player:
            return {"material": self.material, "player": True}
        if self.creature:
            return {"material": self.material, "creature": self.creature}
        return self.material


DEFAULT_LEGEND: Final[Mapping[str, Drawn]] = {
    ".": Drawn("grass"),
    ":": Drawn("sand"),
    "~": Drawn("water"),
    "T": Drawn("tree"),
    "#": Drawn("stone"),
    "_": Drawn("path"),
    "c": Drawn("coal"),
    "i": Drawn("iron"),
    "d": Drawn("diamond"),
    "!": Drawn("lava"),
    "t": Drawn("table"),
    "f": Drawn("furnace"),
    "C": Drawn("grass", "cow"),
    "Z": Drawn("grass", "zombie"),
    "S": Drawn("path", "skeleton"),
    "p": Drawn("grass", "plant"),
    "@": Drawn("grass", player=True),
}
"""Characters of drawings that a file need not explain."""


@dataclass(frozen=True)
class DrawnMap:
    """A drawn map.

    It lies on the map of 64 x 64 cells so that the player starts as near to its centre as there is
    room for; around it lies ``none``, which nobody can enter.

    Attributes:
        rows: The cells, row by row, all rows of one length.
    """

    rows: tuple[tuple[Drawn, ...], ...]

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.rows[0])

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.rows)

    @cached_property
    def _start(self) -> tuple[int, int]:
        return next((x, y) for x, y, cell in self._numbered() if cell.player)

    @property
    def corner(self) -> tuple[int, int]:
        """Where the drawing's first cell lies on the map."""
        left, top = (
            min(max(CENTRE - at, 0), AREA - size)
            for at, size in zip(self._start, (self.width, self.height), strict=True)
        )
        return left, top

    @property
    def start(self) -> tuple[int, int]:
        """Where the player starts on the map."""
        return self.on_the_map(self._start)

    def on_the_map(self, cell: tuple[int, int]) -> tuple[int, int]:
        """Where a cell of the drawing, column and row from 0, lies on the map."""
        return cell[0] + self.corner[0], cell[1] + self.corner[1]

    def cells(self) -> Iterator[tuple[int, int, Drawn]]:
        """Column, row and content of each cell of the drawing, column by column, on the map."""
        left, top = self.corner
        for x, y, cell in sorted(self._numbered(), key=lambda each: each[:2]):
            yield x + left, y + top, cell

    def _numbered(self) -> Iterator[tuple[int, int, Drawn]]:
        for y, row in enumerate(self.rows):
            for x, cell in enumerate(row):
                yield x, y, cell

    @property
    def start_material(self) -> str:
        """The material under the player at the beginning."""
        x, y = self._start
        return self.rows[y][x].material


@dataclass(frozen=True)
class WorldMap:
    """Where a world's cells come from.

    Attributes:
        scattered: Materials that are put into generated maps, in this order.
        drawings: Drawn maps; episodes of a seed have the one of this number, counted from 0, modulo
            their number. Empty where maps are generated.
    """

    scattered: tuple[Scattered, ...] = ()
    drawings: tuple[DrawnMap, ...] = ()

    def __bool__(self) -> bool:
        """Whether it says more than that maps are generated."""
        return bool(self.scattered or self.drawings)

    @property
    def is_drawn(self) -> bool:
        """Whether maps are drawn and not generated."""
        return bool(self.drawings)

    def drawing(self, seed: int) -> DrawnMap | None:
        """The drawing for a seed; None where maps are generated."""
        return self.drawings[seed % len(self.drawings)] if self.drawings else None

    def start(self, seed: int) -> tuple[int, int]:
        """Where the player starts in episodes of a seed."""
        drawing = self.drawing(seed)
        return drawing.start if drawing else (CENTRE, CENTRE)

    @property
    def start_materials(self) -> frozenset[str]:
        """The materials under the player at the beginning, in drawings."""
        return frozenset(drawing.start_material for drawing in self.drawings)

    def as_data(self) -> dict[str, Any]:
        """What a world file states under ``map``: plain data that is read as an equal map."""
        if self.drawings:
            legend = _legend({cell for drawing in self.drawings for cell in _contents(drawing)})
            signs = {cell: sign for sign, cell in legend.items()}
            texts = ["".join(_rows_of(drawing, signs)) for drawing in self.drawings]
            own = {
                sign: cell.as_data()
                for sign, cell in legend.items()
                if DEFAULT_LEGEND.get(sign) != cell
            }
            return {"drawn": texts} | ({"legend": own} if own else {})
        if self.scattered:
            rows = {each.material: _scattered_data(each) for each in self.scattered}
            return {"scatter": rows}
        return {}

    def effective(self) -> Any:
        """What of it has an effect, as plain data in a fixed order, for the digest."""
        if self.drawings:
            return [
                [[[cell.material, cell.creature, cell.player] for cell in row] for row in each.rows]
                for each in self.drawings
            ]
        return [[each.material, each.within, each.share] for each in self.scattered]


GENERATED: Final = WorldMap()
"""Maps are generated, as in the games."""


def _scattered_data(each: Scattered) -> dict[str, Any]:
    return {"in": each.within, "share": each.share}


def _contents(drawing: DrawnMap) -> Iterator[Drawn]:
    for row in drawing.rows:
        yield from row


def _legend(contents: set[Drawn]) -> dict[str, Drawn]:
    """A character for each content: the usual one, or one that is not in use."""
    usual = {cell: sign for sign, cell in DEFAULT_LEGEND.items()}
    spare: Iterable[str] = iter((*SPARE, *map(chr, range(0xA1, 0x2000))))
    legend: dict[str, Drawn] = {}
    for cell in sorted(
        contents, key=lambda each: (each.material, each.creature or "", each.player)
    ):
        sign = usual.get(cell) or next(
            sign for sign in spare if sign not in DEFAULT_LEGEND and sign.isprintable()
        )
        legend[sign] = cell
    return legend


def _rows_of(drawing: DrawnMap, signs: Mapping[Drawn, str]) -> Iterator[str]:
    for row in drawing.rows:
        yield "".join(signs[cell] for cell in row) + "\n"
