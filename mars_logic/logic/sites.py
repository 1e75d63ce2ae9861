"""Sites: places on a map for several objects within the same 3 × 3 cells.

The player faces ground that it can walk on only straight ahead of two cells in a row, and anything
else from any cell beside it. So each kind of site is a shape of cells: see ``spot/2`` of
``encodings/reach/interact.lp``.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations

import numpy as np

from mars_logic.logic.region import Region, greatest
from mars_logic.logic.zone_view import NOWHERE, Numbers, Truths, ZoneView, tallied

_LEFT, _RIGHT, _UP, _DOWN = range(4)
_AXES = (((_LEFT, _RIGHT), (_UP, _DOWN)), ((_UP, _DOWN), (_LEFT, _RIGHT)))
"""The two sides of a cell along a row, and those across it."""
_ROWS = ((_RIGHT, _LEFT), (_LEFT, _RIGHT), (_DOWN, _UP), (_UP, _DOWN))
"""The sides behind and in front of a player that walks along a row."""
_FRONTS = (1, 6, 3, 4)
"""By row: the place of the cell in front among the eight around, column after column."""
_STEPS = (-1, 0, 1)


def add_sites(patches: dict[int, Region], around: ZoneView) -> None:
    """Note the sites of each patch."""
    pairs: dict[str, list[tuple[Numbers, Numbers]]] = {"flanked": [], "crossed": [], "double": []}
    squares: set[int] = set()
    for (back, ahead), across in _AXES:
        centres = np.flatnonzero(around.own[:, back] & around.own[:, ahead])
        row = (around.near_places[centres, back], centres, around.near_places[centres, ahead])
        here = around.patch[centres]
        for side, opposite in (across, across[::-1]):
            beside = [around.near[cells, side] for cells in row]
            pairs["flanked"] += [(here, other) for other in beside]
            footing = around.own[centres, opposite]
            pairs["crossed"].append((here[footing], around.near[centres[footing], side]))
            block = np.logical_and.reduce([other == here for other in beside])
            plus = around.own[centres].all(axis=1)
            squares.update(here[block | plus].tolist())
    for number in squares:
        patches[number].square = True
    found = _seen_from_beside(around)
    for one, other in combinations(found.T, 2):
        same = (one == other) & (one != NOWHERE)
        pairs["double"].append((around.patch[same], one[same]))
    for name, some in pairs.items():
        _note(patches, name, around, *map(np.concatenate, zip(*some, strict=True)))


_ALL = (1 << 64) - 1
"""All materials as bits; of the last one numpy makes a sign."""
_WAY_IN = 2
"""Cells around a cell on the shortest way to it, at most."""


def add_sights(
    patches: dict[int, Region], around: ZoneView, materials: Collection[str] | None = None
) -> None:
    """Note which materials lie together with others around cells of each patch.

    At x = 0 and y = 0, nothing counts as nearby.

    Args:
        patches: The patches.
        around: Their map.
        materials: Those that are noted; None for all.
    """
    noted = _ALL
    if materials is not None:
        codes = np.unique(around.codes).tolist()
        noted = sum(1 << code for code in codes if around.materials[code] in materials)
    if not noted:
        return
    columns, rows = around.cells.T
    square = np.zeros((columns.max() + 3, rows.max() + 3), np.int64)
    square[columns + 1, rows + 1] = np.left_shift(1, around.codes.astype(np.int64))
    ring = np.stack(
        [square[columns + 1 + dx, rows + 1 + dy] for dx in _STEPS for dy in _STEPS if dx or dy]
    )
    inside = (columns > 0) & (rows > 0)
    own = square[columns + 1, rows + 1]
    others = np.bitwise_or.reduce(ring)
    _note_sights(patches, "sights", around.patch[inside], (others | own)[inside], noted)
    others = np.bitwise_or.reduce(np.where(ring == own, 0, ring))
    spare = np.count_nonzero(ring == own, axis=0) > _WAY_IN
    dug = others | np.where(spare, own, 0)
    _note_sights(patches, "sights_dug", around.patch[inside], dug[inside], noted)
    for (back, ahead), front in zip(_ROWS, _FRONTS, strict=True):
        row = inside & around.own[:, back] & around.own[:, ahead]
        rest = np.bitwise_or.reduce(np.delete(ring, front, axis=0))
        _note_sights(patches, "sights_ahead", around.patch[row], (rest | own)[row], noted)


def _note_sights(
    patches: dict[int, Region], name: str, here: Numbers, sights: Numbers, noted: int
) -> None:
    """Note the sets of at least two materials, without those that are not to be noted."""
    found: dict[int, set[int]] = {}
    sets, ranks = np.unique(sights, return_inverse=True)
    each = [sight & noted if sight & (sight - 1) else 0 for sight in sets.tolist()]
    some = np.array([sight != 0 for sight in each])[ranks]
    for number, rank in tallied(here[some], ranks[some])[0]:
        found.setdefault(number, set()).add(each[rank])
    for number, more in found.items():
        setattr(patches[number], name, greatest(getattr(patches[number], name) | more))


def _note(
    patches: dict[int, Region], name: str, around: ZoneView, here: Numbers, other: Numbers
) -> None:
    """Note the materials of other patches with each of the patches."""
    foreign: Truths = (other != NOWHERE) & (other != here)
    codes = around.patch_codes.astype(np.int64)[other[foreign]]
    for number, code in tallied(here[foreign], codes)[0]:
        getattr(patches[number], name).add(around.materials[code])


def _seen_from_beside(around: ZoneView) -> Numbers:
    """int64[n, 8]: the patches around each cell that can be faced from it, or from beside it.

    Those are the four beside it, and those at its corners that lie beside a cell of its own patch
    which is beside it. ``NOWHERE`` for others, and for its own patch.
    """
    near = np.vstack([around.near, np.full((1, 4), NOWHERE)])
    found = [around.near]
    for side in (_LEFT, _RIGHT):
        for across in (_UP, _DOWN):
            corner = np.full(len(around.patch), NOWHERE)
            for first, second in ((side, across), (across, side)):
                own = around.own[:, first]
                corner[own] = near[around.near_places[own, first], second]
            found.append(corner[:, None])
    cells = np.hstack(found)
    return np.where(cells == around.patch[:, None], NOWHERE, cells)
