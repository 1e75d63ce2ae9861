"""What an explorer remembers of an episode: kinds of ground by cells, and where it was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

import numpy as np

from mars_logic.domains.biomes.blocks import BLOCKS, COVERS, TREES
from mars_logic.domains.biomes.engine import EYE, HEADINGS, RAY_STEP, RAYS
from mars_logic.domains.protocol import Observation

CELL: Final = 16
"""Blocks along each side of a cell."""
Cell = tuple[int, int]
_BELOW: Final = 0
"""The place along y of the block under the feet in what is told of the surroundings."""

_ANGLES: Final = (np.arange(RAYS) - RAYS // 2) * RAY_STEP


class WalkMemory:
    """Kinds of ground by cell, and visited cells.

    Attributes:
        heights: The lowest y of the ground that was seen in each cell.
        visited: How often each cell was stood in after an action.
        place: Where the player is.
        start: Where it was first.
        under: The kind of the block under its feet.
    """

    def __init__(self) -> None:
        self._seen: dict[Cell, Counter[str]] = {}
        self.heights: dict[Cell, float] = {}
        self.visited: Counter[Cell] = Counter()
        self.place: tuple[int, int] = (0, 0)
        self.start: tuple[int, int] | None = None
        self.under = "air"

    def look(self, observation: Observation) -> None:
        """Take in what is seen now."""
        x, z, facing = (observation[name] for name in ("x", "z", "facing"))
        assert isinstance(x, int) and isinstance(z, int) and isinstance(facing, int)
        self.place = x, z
        self.start = self.start or self.place
        self.visited[cell_of(x, z)] += 1
        distance = np.array(observation["distance"], np.float64).reshape(RAYS, RAYS)
        block = np.array(observation["block"]).reshape(RAYS, RAYS)
        yaw = np.radians(facing * 90 + _ANGLES)[None, :]
        flat = distance * np.cos(np.radians(_ANGLES))[:, None]
        xs = np.floor((x + flat * np.sin(yaw)) / CELL).astype(int)
        zs = np.floor((z - flat * np.cos(yaw)) / CELL).astype(int)
        y = observation["y"]
        assert isinstance(y, int)
        ys = y + EYE + distance * np.sin(np.radians(-_ANGLES))[:, None]
        met = block > 0
        for a, b, high, code in zip(xs[met], zs[met], ys[met], block[met], strict=True):
            self._note((int(a), int(b)), BLOCKS[code], float(high))
        around = np.array(observation["around"])
        side = round(len(around) ** (1 / 3))
        self.under = BLOCKS[around.reshape((side,) * 3)[side // 2, _BELOW, side // 2]]
        self._note(cell_of(x, z), self.under, y, 20)

    def _note(self, cell: Cell, block: str, height: float, weight: int = 1) -> None:
        if block in COVERS or block in TREES:
            self._seen.setdefault(cell, Counter())[block] += weight
        if block in COVERS:
            self.heights[cell] = min(height, self.heights.get(cell, height))

    def kind(self, cell: Cell) -> str | None:
        """The kind of ground of a cell: its cover, and for some whether there are trees."""
        found = self._seen.get(cell)
        covers = {block: count for block, count in (found or {}).items() if block in COVERS}
        if not covers:
            return None
        cover = max(covers, key=lambda each: (covers[each], each))
        if not COVERS[cover]:
            return cover
        trees = sum(
            count
            for near in around(cell)
            for block, count in self._seen.get(near, {}).items()
            if block in TREES
        )
        return f"{'wooded' if trees > 2 else 'open'} {cover}"

    def kinds(self) -> dict[Cell, str]:
        """Every cell whose kind is known."""
        found = ((cell, self.kind(cell)) for cell in self._seen)
        return {cell: kind for cell, kind in found if kind is not None}


def beside(cell: Cell) -> Iterator[Cell]:
    """The four cells beside a cell."""
    for dx, dz in HEADINGS:
        yield cell[0] + dx, cell[1] + dz


def cell_of(x: int, z: int) -> Cell:
    """The cell of a place."""
    return x // CELL, z // CELL


def around(cell: Cell) -> Iterator[Cell]:
    """A cell and the eight around it."""
    for a in (-1, 0, 1):
        for b in (-1, 0, 1):
            yield cell[0] + a, cell[1] + b
