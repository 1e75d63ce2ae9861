"""Distances from a cell over a map whose cells cost different numbers of steps to enter."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from mars_logic.compiled.kernel import kernel
from mars_logic.world.dialect import AREA

Array = Any
"""In annotations of kernels: an array."""

_CELLS: Final = AREA * AREA
_RING: Final = 8
"""More than the largest cost of entering a cell."""
FLOOD_DTYPE: Final = np.dtype(
    [
        ("run", np.int32),  # number of the current search; stamps of older ones do not count
        ("reached", np.int32, (_CELLS,)),
        ("closed", np.int32, (_CELLS,)),
        ("cost", np.int32, (_CELLS,)),
        ("parent", np.int16, (_CELLS,)),
        ("sizes", np.int32, (_RING,)),
        ("waiting", np.int16, (_RING, 4 * _CELLS)),  # cells by their cost modulo the ring
        ("found", np.int32, (2,)),
    ],
    align=True,
)
"""Scratch memory of :func:`flood`, and what it found."""


@kernel
def flood(
    search: Any,
    codes: Array,
    objects: Array,
    costs: Array,
    burdens: Array,
    start: int,
    mask: Array,
    creature: int,
    goal: int,
    most: int,
) -> int:
    """Find the targets with the cheapest paths; return how many, ``search.found`` has the cells.

    Args:
        search: Scratch memory; afterwards ``cost`` and ``parent`` hold for reached cells.
        codes: uint8[64, 64]: the map.
        objects: uint8[64, 64]: objects on it.
        costs: int64[42]: steps to enter a cell of each code, from 1 to 3; 0: it cannot be entered.
        burdens: int64[8]: further steps for an object on it, up to 4; -1: it blocks.
        start: The first cell, 64 * x + y.
        mask: uint8[42]: codes that are targets.
        creature: The object that is the target, or 0.
        goal: The one cell that is the target, or -1.
        most: Targets to find, at most 2; 0 floods everything.
    """
    search.run += 1
    run = search.run
    search.sizes[:] = 0
    search.reached[start] = run
    search.cost[start] = 0
    search.parent[start] = -1
    search.waiting[0, 0] = start
    search.sizes[0] = 1
    waiting = 1
    level = 0
    found = 0
    while waiting > 0:
        bucket = level % _RING
        index = 0
        while index < search.sizes[bucket]:
            here = int(search.waiting[bucket, index])
            index += 1
            waiting -= 1
            if search.closed[here] == run or search.cost[here] != level:
                continue
            search.closed[here] = run
            x = here // AREA
            y = here % AREA
            if here != start and _is_target(codes, objects, x, y, here, mask, creature, goal):
                if found < most:
                    search.found[found] = here
                    found += 1
                    if found == most:
                        return found
                if costs[codes[x, y]] == 0 or burdens[objects[x, y]] < 0:
                    continue
            for direction in range(4):
                nx = x + (direction == 1) - (direction == 0)
                ny = y + (direction == 3) - (direction == 2)
                if nx < 0 or ny < 0 or nx >= AREA or ny >= AREA:
                    continue
                cell = nx * AREA + ny
                if search.closed[cell] == run:
                    continue
                step = int(costs[codes[nx, ny]])
                burden = int(burdens[objects[nx, ny]])
                if _is_target(codes, objects, nx, ny, cell, mask, creature, goal):
                    step, burden = 1, 0
                if step == 0 or burden < 0:
                    continue
                cost = level + step + burden
                if search.reached[cell] == run and search.cost[cell] <= cost:
                    continue
                search.reached[cell] = run
                search.cost[cell] = cost
                search.parent[cell] = here
                next_bucket = cost % _RING
                search.waiting[next_bucket, search.sizes[next_bucket]] = cell
                search.sizes[next_bucket] += 1
                waiting += 1
        search.sizes[bucket] = 0
        level += 1
    return found


@kernel
def _is_target(
    codes: Array, objects: Array, x: int, y: int, cell: int, mask: Array, creature: int, goal: int
) -> bool:
    if goal >= 0:
        return cell == goal
    if creature > 0:
        return bool(objects[x, y] == creature)
    return bool(objects[x, y] == 0 and mask[codes[x, y]] != 0)


@kernel
def first_step(search: Any, target: int, start: int) -> int:
    """The first cell on the path from the start to a reached cell."""
    cell = target
    while search.parent[cell] != start:
        cell = int(search.parent[cell])
    return cell
