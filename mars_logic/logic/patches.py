"""From a map to facts: its patches, connected cells of one material, and what lies beside what.

Whether the player gets into a patch depends only on its material and on what lies beside it, so a
map is told without loss as a graph of patches. It gets much smaller still: patches with the same
neighbours are told as one, and a patch whose neighbours are all neighbours of another patch of its
material adds nothing to where the player gets.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mars_logic.world import names

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIDE = 64
START = (32, 32)
CHUNK = 12
_AHEAD = (32, 33)
_SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))
_SPAWN_GROUNDS = ("grass", "path")
_GROUNDS = ("grass", "sand", "path")
"""What most worlds let the player walk on."""
_ROOM = (6, 30, 50)
"""Cells that a chunk must have for skeletons, cows and zombies to appear."""

Cell = tuple[int, int]
Resident = tuple[str, int, int]
"""A creature at the beginning: its kind and place."""


@dataclass
class Patch:
    """One or more sets of connected cells of one material.

    Attributes:
        material: What it is made of.
        cells: How many cells it has.
        brim: For each patch next to it, how many of the cells are counted as lying beside that one;
            each cell is counted at most once.
        room: The most cells that it has in one chunk.
        broad: Whether some cell of it has two neighbours in it.
        at_hand: How many of its cells lie beside the start.
        ahead: Whether it lies right in front of the start.
        residents: The creatures on it at the beginning.
        beside: The numbers of the patches next to it.
        lanes: The patches, itself among them or not, that two of its cells in a row lead up to.
        faced: The patches of which this one is a lane's end.
        fronts: For each patch that two of its cells in a row lead up to, how many cells there are
            counted as lying at the end; each cell is counted at most once.
        loose: How many of these can be taken without cutting anything off.
    """

    material: str
    cells: int = 0
    brim: Counter[int] = field(default_factory=Counter)
    room: int = 0
    broad: bool = False
    at_hand: int = 0
    ahead: bool = False
    residents: frozenset[str] = frozenset()
    beside: set[int] = field(default_factory=set)
    lanes: set[int] = field(default_factory=set)
    faced: set[int] = field(default_factory=set)
    fronts: Counter[int] = field(default_factory=Counter)
    loose: Counter[int] = field(default_factory=Counter)


def map_facts(area: NDArray[Any], creatures: Iterable[Resident] | None = None) -> str:
    """The facts of a map, for ``encodings/patches.lp``.

    Args:
        area: uint8[64, 64], indexed [x, y]: material codes in the order of ``names.MATERIALS``.
        creatures: The creatures on it at the beginning; None if they are not known.

    Raises:
        ValueError: The array has another shape, or holds other codes.
    """
    grid = _grid(area)
    residents = None if creatures is None else list(creatures)
    patches = _simplified(_patches(grid, residents or ()))
    atoms = [*_patch_atoms(patches), *_map_atoms(grid)]
    if residents is not None:
        atoms.append("creatures_known")
        atoms += [f"starts_with_any({kind})" for kind in sorted({r[0] for r in residents})]
    return "\n".join(f"{atom}." for atom in atoms) + "\n"


def _grid(area: NDArray[Any]) -> list[list[str]]:
    columns = area.tolist()
    if len(columns) != SIDE or any(len(column) != SIDE for column in columns):
        raise ValueError(f"a map has {SIDE} by {SIDE} cells, not {area.shape}")
    if not all(0 < code < len(names.MATERIALS) for column in columns for code in column):
        raise ValueError("a map holds only material codes, and none is not one of them")
    return [[names.MATERIALS[code] for code in column] for column in columns]


def _beside(x: int, y: int) -> tuple[Cell, ...]:
    return tuple((x + dx, y + dy) for dx, dy in _SIDES if 0 <= x + dx < SIDE and 0 <= y + dy < SIDE)


_AROUND = {(x, y): _beside(x, y) for x in range(SIDE) for y in range(SIDE)}
"""The cells beside each cell."""


def _labels(grid: list[list[str]]) -> dict[Cell, int]:
    """The number of the patch that each cell belongs to."""
    labels: dict[Cell, int] = {}
    number = 0
    for start in _AROUND:
        if start in labels:
            continue
        material, found = grid[start[0]][start[1]], [start]
        labels[start] = number
        for cell in found:  # grows while it is walked through
            for other in _AROUND[cell]:
                if other not in labels and grid[other[0]][other[1]] == material:
                    labels[other] = number
                    found.append(other)
        number += 1
    return labels


def _patches(grid: list[list[str]], residents: Iterable[Resident]) -> dict[int, Patch]:
    labels = _labels(grid)
    patches: dict[int, Patch] = {}
    in_chunk: Counter[tuple[int, int, int]] = Counter()
    edges: list[tuple[int, set[int]]] = []
    for (x, y), number in labels.items():
        if number not in patches:
            patches[number] = Patch(grid[x][y])
        patches[number].cells += 1
        in_chunk[number, x // CHUNK, y // CHUNK] += 1
        others = {labels[other] for other in _AROUND[x, y]}
        others.discard(number)
        if others:
            patches[number].beside |= others
            edges.append((number, others))
    for (number, _, _), count in in_chunk.items():
        patches[number].room = max(patches[number].room, count)
    for patch in patches.values():
        patch.broad = patch.cells >= 3
    for number, others in edges:
        patches[number].brim[_largest(patches, others)] += 1
    add_lanes(patches, labels)
    for cell in _AROUND[START]:
        patches[labels[cell]].at_hand += 1
    patches[labels[_AHEAD]].ahead = True
    for kind, x, y in residents:
        patches[labels[x, y]].residents |= {kind}
    return patches


def _largest(patches: dict[int, Patch], some: set[int]) -> int:
    """The largest of some patches; of several, the first."""
    if len(some) == 1:
        return next(iter(some))
    return max(some, key=lambda number: (patches[number].cells, -number))


def add_lanes(patches: dict[int, Patch], labels: dict[Cell, int]) -> None:
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
        for dx, dy in _SIDES:
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
            for ex, ey in _SIDES
            if (dx + ex, dy + ey) != (0, 0)
        )
        for dx, dy in _SIDES
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


def _aptness(patches: dict[int, Patch], lane: int, end: int) -> tuple[bool, bool, int, int]:
    """What is likely to be walked on comes first; then the patch itself; then what is large."""
    patch = patches[lane]
    return patch.material in _GROUNDS, lane == end, patch.cells, -lane


def _simplified(patches: dict[int, Patch]) -> dict[int, Patch]:
    """Fewer patches from which the player gets to the same materials and creatures."""
    before = -1
    while len(patches) != before:
        before = len(patches)
        patches = _without_covered(_merged(patches))
    return patches


def _merged(patches: dict[int, Patch]) -> dict[int, Patch]:
    """Patches of one material with the same neighbours become one."""
    alike: dict[tuple[Any, ...], int] = {}
    becomes: dict[int, int] = {}
    for number, patch in patches.items():
        # One way out may be all that there is, so that two of them are not one.
        key = (patch.material, frozenset(patch.beside), number if patch.at_hand else None)
        becomes[number] = alike.setdefault(key, number)
    merged: dict[int, Patch] = {}
    for number, patch in patches.items():
        if becomes[number] == number:
            merged[number] = patch
            continue
        one = merged[becomes[number]]
        one.cells += patch.cells
        one.brim.update(patch.brim)
        one.room = max(one.room, patch.room)
        one.broad |= patch.broad
        one.residents |= patch.residents
        one.lanes |= patch.lanes
        one.faced |= patch.faced
        one.fronts.update(patch.fronts)
        one.loose.update(patch.loose)
    for patch in merged.values():
        patch.beside = {becomes[other] for other in patch.beside}
        patch.lanes = {becomes[other] for other in patch.lanes}
        patch.faced = {becomes[other] for other in patch.faced}
        patch.brim = _renumbered(patch.brim, becomes)
        patch.fronts = _renumbered(patch.fronts, becomes)
        patch.loose = _renumbered(patch.loose, becomes)
    return merged


def _renumbered(counts: Counter[int], becomes: dict[int, int]) -> Counter[int]:
    if all(number == becomes[number] for number in counts):
        return counts
    renumbered: Counter[int] = Counter()
    for number, count in counts.items():
        renumbered[becomes[number]] += count
    return renumbered


def _without_covered(patches: dict[int, Patch]) -> dict[int, Patch]:
    """Patches go that have nothing which another patch of the same material has not."""
    by_material: defaultdict[str, list[int]] = defaultdict(list)
    for number in sorted(patches, key=lambda n: (-len(patches[n].beside), n)):
        by_material[patches[number].material].append(number)
    gone: set[int] = set()
    for numbers in by_material.values():
        kept: list[int] = []
        for number in numbers:
            if any(_covers(patches[other], patches[number], other, number) for other in kept):
                gone.add(number)
            else:
                kept.append(number)
    for patch in patches.values():
        patch.beside -= gone
        patch.lanes -= gone
        patch.faced -= gone
        for counts in (patch.brim, patch.fronts, patch.loose):
            for other in gone & counts.keys():
                del counts[other]
    return {number: patch for number, patch in patches.items() if number not in gone}


def _covers(one: Patch, other: Patch, number: int, instead: int) -> bool:
    """Whether patch `number` has all that patch `instead` has."""
    return (
        other.beside <= one.beside  # what fails most often is looked at first
        and other.cells <= one.cells
        and _moved(other.lanes, instead, number) <= one.lanes
        and _moved(other.faced, instead, number) <= one.faced
        and other.at_hand <= one.at_hand
        and other.ahead <= one.ahead
        and other.broad <= one.broad
        and (other.room <= one.room or other.material not in _SPAWN_GROUNDS)
        and other.residents <= one.residents
    )


def _moved(numbers: set[int], one: int, other: int) -> set[int]:
    """The numbers with one of them replaced."""
    return {*(numbers - {one}), other} if one in numbers else numbers


def _patch_atoms(patches: dict[int, Patch]) -> Iterator[str]:
    for number, patch in sorted(patches.items()):
        yield f"patch({number}, {patch.material})"
        yield f"cells({number}, {patch.cells})"
        if patch.material in _SPAWN_GROUNDS:
            yield f"room({number}, {patch.room})"
        if patch.at_hand:
            yield f"first({number})"
            yield f"at_hand({number}, {patch.at_hand})"
        for name in ("broad", "ahead"):
            if getattr(patch, name):
                yield f"{name}({number})"
        for kind in sorted(patch.residents):
            yield f"resident({kind}, {number})"
        for other, count in sorted(patch.brim.items()):
            yield f"brim({other}, {number}, {count})"
        for other in sorted(patch.lanes):
            yield f"lane({number}, {other})"
        for other, count in sorted(patch.fronts.items()):
            yield f"front({number}, {other}, {count})"
        for other, count in sorted(patch.loose.items()):
            if count:
                yield f"loose({number}, {other}, {count})"
        for other in sorted(patch.beside):
            if other > number:
                yield f"beside({number}, {other})"


def _map_atoms(grid: list[list[str]]) -> Iterator[str]:
    x, y = START
    yield f"stands_on({grid[x][y]})"
    for material in sorted({grid[x + dx][y + dy] for dx in (-1, 0, 1) for dy in (-1, 0, 1)}):
        yield f"at_start({material})"
    in_chunk: Counter[tuple[str, int, int]] = Counter(
        (grid[x][y], x // CHUNK, y // CHUNK) for x in range(SIDE) for y in range(SIDE)
    )
    for material in names.MATERIALS:
        in_chunks = [count for (of, _, _), count in in_chunk.items() if of == material]
        if in_chunks:
            yield f"total({material}, {sum(in_chunks)})"
            yield f"fullest_chunk({material}, {max(in_chunks)})"
            for least in _ROOM if material in _SPAWN_GROUNDS else ():
                if chunks := sum(count >= least for count in in_chunks):
                    yield f"roomy({material}, {least}, {chunks})"
