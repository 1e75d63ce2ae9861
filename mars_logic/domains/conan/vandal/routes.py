"""Search of the reference vandal: nearest targets and shortest paths, with the ties of the release.

Ties decide which of several shortest paths is taken, and so where prints lie.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from mars_logic.compiled.kernel import kernel
from mars_logic.domains.conan.codes import CODE
from mars_logic.world.dialect import AREA

Array = Any
"""In annotations of kernels: an array."""

_STONE: Final = CODE["stone"]
_TREE: Final = CODE["tree"]
_CELLS: Final = AREA * AREA

SEARCH_DTYPE: Final = np.dtype(
    [
        ("run", np.int32),  # number of the current search; stamps of older ones do not count
        ("opened", np.int32, (_CELLS,)),
        ("closed", np.int32, (_CELLS,)),
        ("steps", np.int16, (_CELLS,)),
        ("parent", np.int16, (_CELLS,)),
        # a binary heap, ordered by estimate, then by order of insertion
        ("size", np.int32),
        ("estimate", np.float64, (4 * _CELLS,)),
        ("order", np.int32, (4 * _CELLS,)),
        ("cell", np.int16, (4 * _CELLS,)),
    ],
    align=True,
)
"""Scratch memory of :func:`find_path`; one record serves all searches of a thread."""

Search = Any
"""In annotations: one record of :data:`SEARCH_DTYPE`."""


@kernel
def nearest(grid: Array, value: int, x: int, y: int) -> int:
    """The cell ``64 * x + y`` nearest to (x, y) that holds a value, or -1.

    Distance is |dx| + |dy|; among equals, the smallest x, then the smallest y.
    """
    for distance in range(2 * AREA):
        for cx in range(max(0, x - distance), min(AREA - 1, x + distance) + 1):
            dy = distance - abs(cx - x)
            if y - dy >= 0 and grid[cx, y - dy] == value:
                return cx * AREA + y - dy
            if dy > 0 and y + dy < AREA and grid[cx, y + dy] == value:
                return cx * AREA + y + dy
    return -1


@kernel
def find_path(
    search: Search,
    codes: Array,
    objects: Array,
    walkable: Array,
    start: int,
    goal: int,
    extra: int,
    through: bool,
    cut: bool,
    path: Array,
) -> int:
    """A shortest path by A*; return its length in cells, 0 if there is none.

    Args:
        search: Scratch memory.
        codes: uint8[64, 64]: the map.
        objects: uint8[64, 64]: objects on it.
        walkable: bool[42]: codes that can be walked on.
        start: The first cell, 64 * x + y; not part of the path.
        goal: The last cell.
        extra: A code that is allowed as well, or -1. An object whose own code equals it does not
            block: the release compares both in one list.
        through: Whether objects are ignored.
        cut: Whether stone and trees are allowed as well.
        path: int16[4096], filled with the cells from the second to the last.
    """
    search.run += 1
    run = search.run
    search.size = 0
    order = 0
    goal_x = goal // AREA
    goal_y = goal % AREA
    search.opened[start] = run
    search.steps[start] = 0
    search.parent[start] = -1
    _push(search, 0.0, order, start)
    while search.size > 0:
        here = _pop(search)
        if search.closed[here] == run:
            continue
        if here == goal:
            return _trace_back(search, here, path)
        search.closed[here] = run
        x = here // AREA
        y = here % AREA
        steps = search.steps[here] + 1
        for direction in range(4):  # up, down, left, right
            nx = x + (direction == 3) - (direction == 2)
            ny = y + (direction == 1) - (direction == 0)
            if nx < 0 or ny < 0 or nx >= AREA or ny >= AREA:
                continue
            cell = nx * AREA + ny
            if search.closed[cell] == run:
                continue
            if search.opened[cell] == run and search.steps[cell] <= steps:
                continue
            thing = objects[nx, ny]
            if thing != 0 and not through:
                if thing != extra:
                    continue
            else:
                code = codes[nx, ny]
                allowed = walkable[code] or code == extra
                if not (allowed or (cut and code in (_STONE, _TREE))):
                    continue
            search.opened[cell] = run
            search.steps[cell] = steps
            search.parent[cell] = here
            order += 1
            dx = nx - goal_x
            dy = ny - goal_y
            _push(search, steps + math.sqrt(float(dx * dx + dy * dy)), order, cell)
    return 0


@kernel
def _trace_back(search: Search, goal: int, path: Array) -> int:
    length = 0
    cell = goal
    while search.parent[cell] >= 0:
        length += 1
        cell = search.parent[cell]
    cell = goal
    for i in range(length - 1, -1, -1):
        path[i] = cell
        cell = search.parent[cell]
    return length


@kernel
def _before(search: Search, i: int, j: int) -> bool:
    if search.estimate[i] != search.estimate[j]:
        return bool(search.estimate[i] < search.estimate[j])
    return bool(search.order[i] < search.order[j])


@kernel
def _swap(search: Search, i: int, j: int) -> None:
    estimate, order, cell = search.estimate[i], search.order[i], search.cell[i]
    search.estimate[i], search.order[i] = search.estimate[j], search.order[j]
    search.cell[i] = search.cell[j]
    search.estimate[j], search.order[j], search.cell[j] = estimate, order, cell


@kernel
def _push(search: Search, estimate: float, order: int, cell: int) -> None:
    i = search.size
    search.size += 1
    search.estimate[i] = estimate
    search.order[i] = order
    search.cell[i] = cell
    while i > 0 and _before(search, i, (i - 1) // 2):
        _swap(search, i, (i - 1) // 2)
        i = (i - 1) // 2


@kernel
def _pop(search: Search) -> int:
    top = int(search.cell[0])
    search.size -= 1
    _swap(search, 0, search.size)
    i = 0
    while True:
        child = 2 * i + 1
        if child >= search.size:
            return top
        if child + 1 < search.size and _before(search, child + 1, child):
            child += 1
        if not _before(search, child, i):
            return top
        _swap(search, child, i)
        i = child
