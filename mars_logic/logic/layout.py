"""From the cells of a map to its patches: what lies beside what, and what is faced from where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mars_logic.logic.around import NOWHERE, Around, Numbers, Truths, tallied
from mars_logic.logic.patch import CHUNK, Patch
from mars_logic.logic.sites import add_sites
from mars_logic.world import names

Cell = tuple[int, int]
SIDES: tuple[Cell, ...] = ((-1, 0), (1, 0), (0, -1), (0, 1))

_ZOMBIES_BEYOND = 10
"""The generator puts zombies only on cells further from the start than this, as the crow flies."""

_MOST_MOVES = 9
"""Ways from the start that take more moves over its patch are not told."""

_GROUNDS = np.isin(names.MATERIALS, ("grass", "sand", "path"))
"""By code, what most worlds let the player walk on."""


class Layout:
    """A map as patches: what lies beside what, and what can be faced from where."""

    def __init__(self, codes: NDArray[np.uint8]):
        """Divide a map into patches.

        Args:
            codes: uint8[width, height], indexed [x, y]: material codes; 0 for what is not known.
        """
        self._around = Around(codes)

    def seen_from(
        self, place: Cell, facing: Cell, residents: Iterable[tuple[str, int, int]]
    ) -> dict[int, Patch]:
        """The patches by number, as seen by a player at some place.

        Args:
            place: Where the player stands.
            facing: Where it looks, as a step in x and y.
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
                patches[there].residents |= {kind}
        return patches

    def mark_distant(self, patches: dict[int, Patch], start: Cell) -> None:
        """Note which patches have cells so far from the start that zombies may begin there."""
        far = np.hypot(*(self._around.cells - start).T) > _ZOMBIES_BEYOND
        for number in np.unique(self._around.patch[far]).tolist():
            patches[number].distant = True

    def place_atoms(self, place: Cell) -> Iterator[str]:
        """What lies under a player at some place, and in the 3 × 3 cells around it."""
        x, y = place
        steps = (-1, 0, 1)
        near = {(dx, dy): self._around.material_at(x + dx, y + dy) for dx in steps for dy in steps}
        if here := near[0, 0]:
            yield f"stands_on({here})"
        for material in sorted({found for found in near.values() if found}):
            yield f"at_start({material})"

    def mark_ways_out(self, patches: dict[int, Patch], place: Cell, facing: Cell) -> None:
        """Note which patches are come to over harmful ground, if a player stands on that.

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
        """For patches beside the one under a player: how many moves over it lead up to them."""
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
        """For each material that there is, how many cells of it each chunk has that has any."""
        chunks = (self._around.cells // CHUNK).T
        found: dict[str, list[int]] = {}
        rows, _, counts = tallied(self._around.codes.astype(np.int64), *chunks)
        for (code, *_), count in zip(rows, counts, strict=True):
            found.setdefault(names.MATERIALS[code], []).append(count)
        return found


def patches_of(around: Around) -> dict[int, Patch]:
    """The patches of a map, without what depends on where the player and creatures are."""
    sizes = np.bincount(around.patch).tolist()
    patches = {
        number: Patch(names.MATERIALS[code], size, size)
        for number, (code, size) in enumerate(zip(around.patch_codes.tolist(), sizes, strict=True))
    }
    in_chunks, _, counts = tallied(around.patch, *(around.cells // CHUNK).T)
    for (number, *_), count in zip(in_chunks, counts, strict=True):
        patches[number].room = max(patches[number].room, count)
    _add_borders(patches, around)
    _add_lanes(patches, around)
    add_sites(patches, around)
    return patches


def _add_borders(patches: dict[int, Patch], around: Around) -> None:
    """Note which patches touch, and for each cell at a border, the largest patch beside it."""
    foreign = ~around.own & (around.near != NOWHERE)
    numbers = np.broadcast_to(around.patch[:, None], foreign.shape)
    for number, other in tallied(numbers[foreign], around.near[foreign])[0]:
        patches[number].beside.add(other)
    edge = np.flatnonzero(foreign.any(axis=1))
    largest = _apt(around, foreign[edge], around.near[edge], np.zeros_like(foreign[edge], int))
    rows, _, counts = tallied(around.patch[edge], largest)
    for (number, other), count in zip(rows, counts, strict=True):
        patches[number].brim[other] += count


def _add_lanes(patches: dict[int, Patch], around: Around) -> None:
    """Note for each three cells in a row, the first two of one patch, what they lead up to.

    A cell is counted as the end of a lane of its own patch only if a breadth-first walk through the
    patch comes to the lane first. So these cells can all be taken, the last one first, without
    being in each other's way. Cells are loose if, moreover, no way to something else goes over
    them: to one cell beside each other patch, and to one lane that leads up to it. So are those
    beside which there is nothing that is not beside the lane's patch as well.
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
    ground = _GROUNDS[around.patch_codes[around.near[ends]]]
    best = _apt(around, counted[ends], around.near[ends], 2 * ground + own)
    enclosed = (around.patch[ends] != best) & around.is_enclosed(ends, best)
    loose = enclosed | ~_kept(around, lanes)[ends]
    for some, kind in ((np.ones_like(loose), "fronts"), (loose, "loose")):
        rows, _, counts = tallied(best[some], around.patch[ends][some])
        for (lane, number), count in zip(rows, counts, strict=True):
            getattr(patches[lane], kind)[number] += count


def _apt(around: Around, counted: Truths, others: Numbers, rank: NDArray[np.int_]) -> Numbers:
    """int64[k]: for each row, the best of the patches that are counted.

    The one with the highest rank is; of several, the largest; of several, the first.
    """
    sizes = np.bincount(around.patch)
    many = len(around.patch) + 1
    worth = ((rank * many) + sizes[others]) * many - others
    side = np.argmax(np.where(counted, worth, -many), axis=1)
    return np.take_along_axis(others, side[:, None], axis=1)[:, 0]


def _kept(around: Around, lanes: Truths) -> Truths:
    """bool[n]: whether a way goes over the cell, along which the walk comes to something else."""
    kept = np.zeros(len(around.patch), bool)
    came_from = around.came_from().tolist()
    for step in _needed(around, lanes):
        while step != -1 and not kept[step]:
            kept[step] = True
            step = came_from[step]
    return kept


def _needed(around: Around, lanes: Truths) -> Iterator[int]:
    """The first cells beside each other patch, and of the first lane that leads up to it."""
    foreign = ~around.own & (around.near != NOWHERE)
    numbers = np.broadcast_to(around.patch[:, None], foreign.shape)
    places = np.broadcast_to(np.arange(len(around.patch))[:, None], foreign.shape)
    for some, beyond in ((foreign & around.earlier, places), (foreign & lanes, around.far_places)):
        _, first, _ = tallied(around.near[some], numbers[some])
        yield from around.near_places[some][first].tolist()
        yield from beyond[some][first].tolist()
