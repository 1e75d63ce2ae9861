"""The cells of a map with their patches (connected cells of one material)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mars_logic.world import names

Numbers = NDArray[np.int64]
Truths = NDArray[np.bool_]

NOWHERE = -1
"""The patch number of unknown cells and of the area outside the map."""
_UNKNOWN = 0
_MARGIN = 2
"""Distance in cells up to which neighbours are stored."""


class ZoneView:
    """The known cells of a map, in the order of a breadth-first walk through patch after patch.

    Attributes:
        materials: The names of materials by code.
        patch: int64[n]: the number of each cell's patch; numbers rise along the walk.
        near: int64[n, 4]: the patches of the cells to the left, to the right, above and below.
        far: int64[n, 4]: the patches of the cells beyond those.
    """

    def __init__(self, codes: NDArray[np.uint8], materials: Sequence[str] = names.MATERIALS):
        """Walk through a map.

        Args:
            codes: uint8[width, height], indexed [x, y]: material codes; 0 for what is not known.
            materials: The names of materials by code.
        """
        self.materials = materials
        padded = np.pad(codes, _MARGIN, constant_values=_UNKNOWN)
        self._row = padded.shape[1]
        self._sides: Numbers = np.array([-self._row, self._row, -1, 1])
        walk, patches = _walk(padded.ravel().tolist(), self._sides.tolist())
        self._walk: Numbers = np.array(walk, np.int64)
        self._patches: Numbers = np.array(patches, np.int64)
        self._places: Numbers = np.full(len(patches), len(walk), np.int64)
        self._places[self._walk] = np.arange(len(walk))
        self.codes: NDArray[np.uint8] = padded.ravel()[self._walk]
        self.patch: Numbers = self._patches[self._walk]
        self.near: Numbers = self._patches[self._beside]
        self.far: Numbers = self._patches[self._beyond]

    def patch_at(self, x: int, y: int) -> int:
        """The patch of a cell on the map or right beside it; ``NOWHERE`` if it is not known."""
        return int(self._patches[(x + _MARGIN) * self._row + y + _MARGIN])

    def material_at(self, x: int, y: int) -> str | None:
        """The material of a cell on the map or right beside it, if it is known."""
        number = self.patch_at(x, y)
        return None if number == NOWHERE else self.materials[self.patch_codes[number]]

    @cached_property
    def patch_codes(self) -> NDArray[np.uint8]:
        """uint8[patches]: the material code of each patch."""
        codes = np.zeros(self.patch.max(initial=NOWHERE) + 1, np.uint8)
        codes[self.patch] = self.codes
        return codes

    @cached_property
    def _beside(self) -> Numbers:
        return self._walk[:, None] + self._sides

    @cached_property
    def _beyond(self) -> Numbers:
        return self._walk[:, None] + 2 * self._sides

    @cached_property
    def cells(self) -> Numbers:
        """int64[n, 2]: positions of the cells."""
        return np.stack(np.divmod(self._walk, self._row), axis=1) - _MARGIN

    @cached_property
    def own(self) -> Truths:
        """bool[n, 4]: whether the cells beside each belong to the same patch."""
        return np.equal(self.near, self.patch[:, None])

    @cached_property
    def near_places(self) -> Numbers:
        """int64[n, 4]: when the walk comes to the cells beside each; n if it never does."""
        return self._places[self._beside]

    @cached_property
    def far_places(self) -> Numbers:
        """int64[n, 4]: when the walk comes to the cells beyond those; n if it never does."""
        return self._places[self._beyond]

    @cached_property
    def earlier(self) -> Truths:
        """bool[n, 4]: whether the walk has come to the cells beside each before."""
        return np.asarray(self.near_places < np.arange(len(self.patch))[:, None])

    def came_from(self) -> Numbers:
        """int64[n]: by place, the cell of the same patch from which the walk came; -1 for none."""
        behind = self.own & self.earlier
        side = behind.shape[1] - 1 - np.argmax(behind[:, ::-1], axis=1)
        places = np.take_along_axis(self.near_places, side[:, None], axis=1)[:, 0]
        return np.where(behind.any(axis=1), places, -1)

    def is_enclosed(self, some: Numbers, patches: Numbers) -> Truths:
        """bool[k]: whether all beside a cell is in a patch, or beside another cell of that patch.

        Args:
            some: int64[k]: the places of cells.
            patches: int64[k]: a patch for each of them.
        """
        near, patch = self.near[some], patches[:, None]
        enclosed = (near == NOWHERE) | (near == patch)
        for side, step in enumerate(self._sides.tolist()):
            onward = self._sides[self._sides != -step]
            there = self._patches[self._walk[some][:, None] + step + onward]
            enclosed[:, side] |= (there == patch).any(axis=1)
        return np.asarray(enclosed.all(axis=1))


def _walk(codes: list[int], sides: list[int]) -> tuple[list[int], list[int]]:
    """The known cells, patch by patch, and for all cells the number of their patch."""
    patches = [NOWHERE] * len(codes)
    walk: list[int] = []
    number = 0
    for start, code in enumerate(codes):
        if code == _UNKNOWN or patches[start] != NOWHERE:
            continue
        patches[start] = number
        found = [start]
        for cell in found:  # grows while it is walked through
            for side in sides:
                other = cell + side
                if codes[other] == code and patches[other] == NOWHERE:
                    patches[other] = number
                    found.append(other)
        walk += found
        number += 1
    return walk, patches


def tallied(*columns: Numbers) -> tuple[list[tuple[int, ...]], Numbers, list[int]]:
    """Rows of numbers from 0 on, each once, in order; the place of its first, and how many."""
    sizes = [int(column.max(initial=0)) + 1 for column in columns]
    keys, first, counts = np.unique(
        np.ravel_multi_index(columns, sizes), return_index=True, return_counts=True
    )
    rows = np.stack(np.unravel_index(keys, sizes), axis=1).tolist()
    return [tuple(row) for row in rows], first, counts.tolist()
