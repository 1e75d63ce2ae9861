"""Travel: lower bound on the moves to act on given numbers of cells of each class.

Everything is relaxed but the ways: the player may walk on all cells that can be walked on at some
time, everything can be turned towards, and a cell can be acted on again once another one was faced.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.compiled.kernel import kernel
from mars_logic.world import names

Cell = tuple[int, int]

FAR: Final = 1 << 14
"""More moves than any way has; int16 holds twice as many."""


@dataclass(frozen=True)
class Travel:
    """The fewest moves for taking so many cells of each material, up to some numbers.

    Attributes:
        most: By material: the largest number.
        fewest: int16, one axis for each material: the fewest moves.
    """

    most: Mapping[str, int]
    fewest: NDArray[np.int16]

    @classmethod
    def on(
        cls,
        area: NDArray[np.uint8],
        passable: Collection[str],
        position: Cell,
        facing: Cell,
        most: Mapping[str, int],
        before: Callable[[str, str, int], int],
        materials: Sequence[str] = names.MATERIALS,
    ) -> Travel:
        """Search one map.

        Args:
            area: uint8[width, height]: material codes.
            passable: The materials of cells that may be stepped on at some time.
            position: The player's cell.
            facing: The direction that it faces.
            most: By material: the largest number of cells to take.
            before: Of a material, another and that one's largest number: how many cells of the
                other have to be taken before any of the first.
            materials: The names of materials by code.
        """
        classes = list(most)
        cells = [np.argwhere(area == materials.index(name)) for name in classes]
        places = np.concatenate([np.empty((0, 2), np.int64), *cells]).astype(np.int16)
        order = [
            [0 if one == other else before(one, other, most[other]) for other in classes]
            for one in classes
        ]
        fewest = fewest_moves(
            np.isin(area, [materials.index(name) for name in passable]),
            np.ascontiguousarray(places[:, 0]),
            np.ascontiguousarray(places[:, 1]),
            np.cumsum([0, *map(len, cells)], dtype=np.int64),
            np.array([most[name] for name in classes], np.int64),
            np.array(order, np.int64).reshape(len(classes), len(classes)),
            np.array([*position, *facing], np.int64),
        )
        return cls(most, fewest.reshape([most[name] + 1 for name in classes]))

    def moves(self, taken: Mapping[str, int]) -> int | None:
        """The fewest moves for taking so many cells of each material, or more; None for no way."""
        moves = int(self.fewest[self._index(taken)])
        return moves if moves < FAR else None

    def reason(self, taken: Mapping[str, int]) -> dict[str, int]:
        """Numbers that are no larger, and as small as can be, for which it takes as many moves."""
        index = list(self._index(taken))
        moves = self.fewest[tuple(index)]
        for axis in range(len(index)):
            while (
                index[axis]
                and self.fewest[*index[:axis], index[axis] - 1, *index[axis + 1 :]] == moves
            ):
                index[axis] -= 1
        return dict(zip(self.most, index, strict=True))

    def _index(self, taken: Mapping[str, int]) -> tuple[int, ...]:
        return tuple(min(taken.get(name, 0), most) for name, most in self.most.items())


@kernel
def fewest_moves(
    passable: Any, column: Any, row: Any, first: Any, most: Any, before: Any, start: Any
) -> Any:
    """The fewest moves for all numbers of cells up to some, in any order that is allowed.

    The cells to act on are those from ``first[c]`` to ``first[c + 1]`` for class c; each cell is of
    one class. Two different cells are not acted on without a move between them.

    Args:
        passable: bool[width, height]: cells that the player may step on.
        column: int16[cells]: x of each cell to act on.
        row: int16[cells]: y of each cell to act on.
        first: int64[classes + 1]: where the cells of each class begin.
        most: int64[classes]: the largest number of cells of each class.
        before: int64[classes, classes]: before the first cell of class c, at least
            ``before[c, d]`` cells of class d are acted on; no more than ``most[d]``.
        start: int64[4]: the player's x, y and the direction (dx, dy) that it faces.

    Returns:
        int16[product of (most + 1)]: the fewest moves for at least n[c] cells of each class c, at
        the index that counts n with the last class fastest; FAR if there is no way.
    """
    classes = len(most)
    stride = np.ones(classes + 1, np.int64)
    for c in range(classes - 1, -1, -1):
        stride[c] = stride[c + 1] * (most[c] + 1)
    vectors = stride[0]
    width, height = passable.shape
    ways = np.full((vectors, width, height), FAR, np.int16)
    fewest = np.full(vectors, FAR, np.int16)
    ways[0, start[0], start[1]] = 0
    _spread(ways[0], passable)
    fewest[0] = 0
    number = np.zeros(classes, np.int64)
    for v in range(1, vectors):
        for c in range(classes):
            number[c] = v // stride[c + 1] % (most[c] + 1)
        if not _in_order(number, before):
            continue
        here = ways[v]
        for c in range(classes):
            if number[c] == 0:
                continue
            earlier = ways[v - stride[c + 1]]
            for i in range(first[c], first[c + 1]):
                _act_on(here, earlier, column[i], row[i])
            if v == stride[c + 1]:
                _act_at_once(here, column, row, first[c], first[c + 1], start)
        fewest[v] = here.min()
        _spread(here, passable)
    for v in range(vectors - 1, -1, -1):
        for c in range(classes):
            if v // stride[c + 1] % (most[c] + 1) < most[c]:
                fewest[v] = min(fewest[v], fewest[v + stride[c + 1]])
    return fewest


@kernel
def _in_order(number: Any, before: Any) -> bool:
    """Whether some order in which the classes may begin leads to these numbers."""
    for c in range(len(number)):
        if number[c] > 0:
            for d in range(len(number)):
                if number[d] < before[c, d]:
                    return False
    return True


@kernel
def _act_on(here: Any, earlier: Any, x: int, y: int) -> None:
    """Act on a cell from each side, after one more move: a turn, or the last step towards it."""
    width, height = here.shape
    for code in range(4):
        dx = (code == 1) - (code == 0)
        dy = (code == 3) - (code == 2)
        px, py = x - dx, y - dy
        if px < 0 or py < 0 or px >= width or py >= height:
            continue
        cost = earlier[px, py]
        bx, by = px - dx, py - dy
        # A step needs ground to step on; if nobody can be at (px, py), its cost says so.
        if cost < FAR and 0 <= bx < width and 0 <= by < height:
            cost = min(cost, earlier[bx, by])
        here[px, py] = min(here[px, py], cost + 1) if cost < FAR else here[px, py]


@kernel
def _act_at_once(here: Any, column: Any, row: Any, low: int, high: int, start: Any) -> None:
    """Act on the cell that is faced at the beginning, if it is among these, without a move."""
    for i in range(low, high):
        if column[i] == start[0] + start[2] and row[i] == start[1] + start[3]:
            here[start[0], start[1]] = 0


@kernel
def _spread(ways: Any, passable: Any) -> None:
    """Lower each cost to what it takes to come from elsewhere, step by step."""
    width, height = passable.shape
    changed = True
    while changed:
        changed = False
        for x in range(width):
            for y in range(height):
                if passable[x, y]:
                    best = ways[x, y]
                    if x > 0:
                        best = min(best, ways[x - 1, y] + 1)
                    if y > 0:
                        best = min(best, ways[x, y - 1] + 1)
                    if best < ways[x, y]:
                        ways[x, y] = best
                        changed = True
        for x in range(width - 1, -1, -1):
            for y in range(height - 1, -1, -1):
                if passable[x, y]:
                    best = ways[x, y]
                    if x < width - 1:
                        best = min(best, ways[x + 1, y] + 1)
                    if y < height - 1:
                        best = min(best, ways[x, y + 1] + 1)
                    if best < ways[x, y]:
                        ways[x, y] = best
                        changed = True
