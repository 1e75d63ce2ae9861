"""Patches of a map: adjacency, and the patches from which each can be faced."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mars_logic.logic.region import Region
from mars_logic.logic.sites import add_sights, add_sites
from mars_logic.logic.zone_view import NOWHERE, Numbers, Truths, ZoneView, tallied
from mars_logic.world import names
from mars_logic.world.dialect import CHUNK

Cell = tuple[int, int]
SIDES: tuple[Cell, ...] = ((-1, 0), (1, 0), (0, -1), (0, 1))

_ZOMBIES_BEYOND = 10
"""Euclidean distance from the start beyond which the generator places zombies, in cells."""

_MOST_MOVES = 9
"""Maximum number of moves over the start's patch that facts distinguish."""

_GROUNDS = ("grass", "sand", "path")
"""The materials that are walkable in most worlds."""


class MapLayout:
    """A map as patches with their adjacency and facing relations."""

    def __init__(self, codes: NDArray[np.uint8], materials: Sequence[str] = names.MATERIALS):
        """Divide a map into patches.

        Args:
            codes: uint8[width, height], indexed [x, y]: material codes; 0 for unknown cells.
            materials: The names of materials by code.
        """
        self._around = ZoneView(codes, materials)

    def seen_from(
        self, place: Cell, facing: Cell, residents: Iterable[tuple[str, int, int]]
    ) -> dict[int, Region]:
        """The patches by number, with the facts that depend on the player's position.

        Args:
            place: The player's cell.
            facing: The direction that it faces, as a step in x and y.
            residents: The creatures on the map, by kind and place.
        """
        patches = patches_of(self._around)
        x, y = place
        for dx, dy in SIDES:
            if (beside := self._around.patch_at(x + dx, y + dy)) != NOWHERE:
                patches[beside].at_hand += 1
                patches[beside].ahead |= (dx, dy) == facing
        for kind, x, y in residents:
            if (there := self._around.patch_at(x, y)) != NOWHERE:
                patches[there].residents[kind] += 1
        return patches

    def mark_distant(self, patches: dict[int, Region], start: Cell) -> None:
        """Mark the patches with cells far enough from the start for initial zombies."""
        far = np.hypot(*(self._around.cells - start).T) > _ZOMBIES_BEYOND
        for number in np.unique(self._around.patch[far]).tolist():
            patches[number].distant = True

    def add_sights(
        self, patches: dict[int, Region], materials: Collection[str] | None = None
    ) -> None:
        """Note which materials (of some) lie together with others around cells of each patch."""
        add_sights(patches, self._around, materials)

    def place_atoms(self, place: Cell) -> Iterator[str]:
        """The materials under a player and in the 3 × 3 cells around it."""
        x, y = place
        steps = (-1, 0, 1)
        near = {(dx, dy): self._around.material_at(x + dx, y + dy) for dx in steps for dy in steps}
        if here := near[0, 0]:
            yield f"stands_on({here})"
        for material in sorted({found for found in near.values() if found}):
            yield f"at_start({material})"

    def mark_ways_out(self, patches: dict[int, Region], place: Cell, facing: Cell) -> None:
        """Mark the patches that a player reaches over the harmful ground under it.

        They lie beside or behind the row of cells of the patch in front of it, or a few moves over
        the patch under it lead up to them.
        """
        (x, y), (dx, dy) = place, facing
        ahead = self._around.patch_at(x + dx, y + dy)
        while (here := self._around.patch_at(x := x + dx, y := y + dy)) == ahead != NOWHERE:
            for side in (
                self._around.patch_at(x + dy, y + dx),
                self._around.patch_at(x - dy, y - dx),
            ):
                if side not in (ahead, NOWHERE):
                    patches[side].past = True
        if here != NOWHERE:
            patches[here].past = True
        for number, moves in self._moves_from(place).items():
            patches[number].waits = moves

    def _moves_from(self, place: Cell) -> dict[int, int]:
        """For patches beside the one under a player: number of moves over it to them."""
        here = self._around.patch_at(*place)
        found: dict[int, int] = {}
        moves = {place: 0}
        walk = [place]
        for x, y in walk:  # grows while it is walked through
            for dx, dy in SIDES:
                cell = x + dx, y + dy
                other = self._around.patch_at(*cell)
                if other == here and cell not in moves and moves[x, y] < _MOST_MOVES:
                    moves[cell] = moves[x, y] + 1
                    walk.append(cell)
                elif other not in (here, NOWHERE):
                    found.setdefault(other, moves[x, y])
        return found

    @cached_property
    def in_chunks(self) -> dict[str, list[int]]:
        """For each material on the map: its number of cells in each chunk that contains it."""
        chunks = (self._around.cells // CHUNK).T
        found: dict[str, list[int]] = {}
        rows, _, counts = tallied(self._around.codes.astype(np.int64), *chunks)
        for (code, *_), count in zip(rows, counts, strict=True):
            found.setdefault(self._around.materials[code], []).append(count)
        return found


def patches_of(around: ZoneView) -> dict[int, Region]:
    """The patches of a map, without facts on the player and creatures."""
    sizes = np.bincount(around.patch).tolist()
    patches = {
        number: Region(around.materials[code], size, size)
        for number, (code, size) in enumerate(zip(around.patch_codes.tolist(), sizes, strict=True))
    }
    in_chunks, _, counts = tallied(around.patch, *(around.cells // CHUNK).T)
    for (number, *_), count in zip(in_chunks, counts, strict=True):
        patches[number].room = max(patches[number].room, count)
    _add_borders(patches, around)
    _add_lanes(patches, around)
    add_sites(patches, around)
    return patches


def _add_borders(patches: dict[int, Region], around: ZoneView) -> None:
    """Record adjacent patches, and for each cell at a border the largest patch beside it."""
    foreign = ~around.own & (around.near != NOWHERE)
    numbers = np.broadcast_to(around.patch[:, None], foreign.shape)
    for number, other in tallied(numbers[foreign], around.near[foreign])[0]:
        patches[number].beside.add(other)
    edge = np.flatnonzero(foreign.any(axis=1))
    largest = _apt(around, foreign[edge], around.near[edge], np.zeros_like(foreign[edge], int))
    rows, _, counts = tallied(around.patch[edge], largest)
    for (number, other), count in zip(rows, counts, strict=True):
        patches[number].brim[other] += count


def _add_lanes(patches: dict[int, Region], around: ZoneView) -> None:
    """Record the target of each lane: three cells in a row, the first two of one patch.

    A cell is counted as the end of a lane of its own patch only if a breadth-first walk through the
    patch comes to the lane first. So these cells can all be taken in reverse order without
    blocking each other. Cells are loose if no path to another target uses them: to one cell beside
    each other patch, and to one lane that leads up to it. So are those beside which there is
    nothing that is not beside the lane's patch as well.
    """
    lanes = (around.near != NOWHERE) & (around.near == around.far)
    numbers = np.broadcast_to(around.patch[:, None], lanes.shape)
    for number, lane in tallied(numbers[lanes], around.near[lanes])[0]:
        patches[lane].lanes.add(number)
        patches[number].faced.add(lane)
    places = np.arange(len(around.patch))[:, None]
    counted = lanes & (~around.own | (around.earlier & (around.far_places < places)))
    ends = np.flatnonzero(counted.any(axis=1))
    own = around.own[ends]
    ground = np.isin(around.materials, _GROUNDS)[around.patch_codes[around.near[ends]]]
    best = _apt(around, counted[ends], around.near[ends], 2 * ground + own)
    enclosed = (around.patch[ends] != best) & around.is_enclosed(ends, best)
    loose = enclosed | ~_kept(around, lanes)[ends]
    for some, kind in ((np.ones_like(loose), "fronts"), (loose, "loose")):
        rows, _, counts = tallied(best[some], around.patch[ends][some])
        for (lane, number), count in zip(rows, counts, strict=True):
            getattr(patches[lane], kind)[number] += count


def _apt(around: ZoneView, counted: Truths, others: Numbers, rank: NDArray[np.int_]) -> Numbers:
    """int64[k]: for each row, the best of the patches that are counted.

    The one with the highest rank is; of several, the largest; of several, the first.
    """
    sizes = np.bincount(around.patch)
    many = len(around.patch) + 1
    worth = ((rank * many) + sizes[others]) * many - others
    side = np.argmax(np.where(counted, worth, -many), axis=1)
    return np.take_along_axis(others, side[:, None], axis=1)[:, 0]


def _kept(around: ZoneView, lanes: Truths) -> Truths:
    """bool[n]: whether a way goes over the cell, along which the walk comes to something else."""
    kept = np.zeros(len(around.patch), bool)
    came_from = around.came_from().tolist()
    for step in _needed(around, lanes):
        while step != -1 and not kept[step]:
            kept[step] = True
            step = came_from[step]
    return kept


def _needed(around: ZoneView, lanes: Truths) -> Iterator[int]:
    """The first cells beside each other patch, and of the first lane that leads up to it."""
    foreign = ~around.own & (around.near != NOWHERE)
    numbers = np.broadcast_to(around.patch[:, None], foreign.shape)
    places = np.broadcast_to(np.arange(len(around.patch))[:, None], foreign.shape)
    for some, beyond in ((foreign & around.earlier, places), (foreign & lanes, around.far_places)):
        _, first, _ = tallied(around.near[some], numbers[some])
        yield from around.near_places[some][first].tolist()
        yield from beyond[some][first].tolist()
