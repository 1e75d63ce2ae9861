"""The patches of a map, told cell by cell: what ``mars_logic.logic.layout`` does with arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from mars_logic.logic.region import Region
from mars_logic.world.dialect import CHUNK

SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))
GROUNDS = ("grass", "sand", "path")
Cell = tuple[int, int]


def patches_of(grid: Mapping[Cell, str]) -> dict[int, Region]:
    """The patches by number, apart from what depends on the player and creatures."""
    labels = _labels(grid)
    patches: dict[int, Region] = {}
    others: dict[Cell, list[int]] = {}
    in_chunk: Counter[tuple[int, int, int]] = Counter()
    for (x, y), number in labels.items():
        patch = patches.setdefault(number, Region(grid[x, y]))
        patch.cells += 1
        around = [labels.get((x + dx, y + dy), number) for dx, dy in SIDES]
        others[x, y] = [other for other in around if other != number]
        patch.beside.update(others[x, y])
        in_chunk[number, x // CHUNK, y // CHUNK] += 1
    for (number, _, _), count in in_chunk.items():
        patches[number].room = max(patches[number].room, count)
    for patch in patches.values():
        patch.whole = patch.cells
    for cell, beside in others.items():
        if beside:
            largest = max(beside, key=lambda other: (patches[other].cells, -other))
            patches[labels[cell]].brim[largest] += 1
    _add_lanes(patches, labels)
    for cell in labels:
        _add_sites(patches, labels, cell)
    return patches


def _add_sites(patches: dict[int, Region], labels: dict[Cell, int], cell: Cell) -> None:
    """Note what is beside the row of three cells in whose middle a cell is, and around the cell."""
    number = labels[cell]
    patch = patches[number]

    def at(step: Cell, other: Cell = (0, 0)) -> int | None:
        return labels.get((cell[0] + step[0] + other[0], cell[1] + step[1] + other[1]))

    def foreign(found: Iterable[int | None]) -> set[str]:
        return {patches[some].material for some in found if some not in (None, number)}

    for along, across in (((1, 0), (0, 1)), ((0, 1), (1, 0))):
        row = [(-along[0], -along[1]), (0, 0), along]
        if not all(at(step) == number for step in row):
            continue
        for side in (across, (-across[0], -across[1])):
            beside = [at(step, side) for step in row]
            patch.flanked |= foreign(beside)
            if at((-side[0], -side[1])) == number:
                patch.crossed |= foreign([at(side)])
            patch.square |= all(found == number for found in beside)
        patch.square |= all(at(side) == number for side in SIDES)
    faced = set(SIDES)
    for x, y in SIDES:
        if at((x, y)) == number:
            faced |= {(x + dx, y + dy) for dx, dy in SIDES if dx * x + dy * y == 0}
    counts = Counter(at(step) for step in faced)
    patch.double |= foreign(found for found, times in counts.items() if times > 1)


def _labels(grid: Mapping[Cell, str]) -> dict[Cell, int]:
    """The number of the patch that each known cell belongs to."""
    labels: dict[Cell, int] = {}
    number = 0
    for cell, material in grid.items():
        if cell in labels:
            continue
        labels[cell], found = number, [cell]
        for x, y in found:  # grows while it is walked through
            for dx, dy in SIDES:
                other = (x + dx, y + dy)
                if grid.get(other) == material and other not in labels:
                    labels[other] = number
                    found.append(other)
        number += 1
    return labels


def _add_lanes(patches: dict[int, Region], labels: dict[Cell, int]) -> None:
    """Note for each three cells in a row, the first two of one patch, what they lead up to.

    A cell is counted as the end of a lane of its own patch only if a breadth-first walk through the
    patch comes to the lane first. So these cells can all be taken, the last one first, without
    being in each other's way. Cells are loose if, moreover, no way to something else goes over
    them: to one cell beside each other patch, and to one lane that leads up to it. So are those
    beside which there is nothing that is not beside the lane's patch as well.

    Args:
        patches: The patches by number.
        labels: The number of each cell's patch, in the order of a breadth-first walk.
    """
    came_from: dict[Cell, Cell | None] = {}
    ends: list[tuple[Cell, set[int]]] = []
    needed: dict[tuple[int, int, int], tuple[Cell, Cell]] = {}
    for cell, number in labels.items():
        x, y = cell
        leading: set[int] = set()
        before = None
        for dx, dy in SIDES:
            near, far = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
            lane = labels.get(near)
            if lane is None:
                continue
            if near in came_from:
                if lane == number:
                    before = near
                else:
                    needed.setdefault((1, lane, number), (near, cell))
            if labels.get(far) != lane:
                continue
            patches[lane].lanes.add(number)
            patches[number].faced.add(lane)
            if lane != number:
                needed.setdefault((2, lane, number), (near, far))
                leading.add(lane)
            elif near in came_from and far in came_from:
                leading.add(lane)
        came_from[cell] = before
        if leading:
            ends.append((cell, leading))
    kept = _ways_to((cell for pair in needed.values() for cell in pair), came_from)
    for cell, leading in ends:
        end = labels[cell]
        best = max(leading, key=lambda lane: _aptness(patches, lane, end))
        patches[best].fronts[end] += 1
        patches[best].loose[end] += cell not in kept or _is_beside_all(labels, cell, best)


def _is_beside_all(labels: Mapping[Cell, int], cell: Cell, lane: int) -> bool:
    """Whether all that lies beside a cell is in a patch, or beside another cell of that patch."""
    x, y = cell
    return labels[cell] != lane and all(
        labels.get((x + dx, y + dy)) in (None, lane)
        or any(
            labels.get((x + dx + ex, y + dy + ey)) == lane
            for ex, ey in SIDES
            if (dx + ex, dy + ey) != (0, 0)
        )
        for dx, dy in SIDES
    )


def _ways_to(cells: Iterable[Cell], came_from: Mapping[Cell, Cell | None]) -> set[Cell]:
    """All cells on the ways along which a walk through each patch comes to some of its cells."""
    ways: set[Cell] = set()
    for cell in cells:
        step: Cell | None = cell
        while step is not None and step not in ways:
            ways.add(step)
            step = came_from[step]
    return ways


def _aptness(patches: dict[int, Region], lane: int, end: int) -> tuple[bool, bool, int, int]:
    """What is likely to be walked on comes first; then the patch itself; then what is large."""
    patch = patches[lane]
    return patch.material in GROUNDS, lane == end, patch.cells, -lane
