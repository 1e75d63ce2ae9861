"""Connected components of equal blocks, in the view and around the player."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mars_logic.kernel import kernel


@kernel
def _label(
    grid: NDArray[np.uint8], diagonal: bool, labels: NDArray[np.int64], queue: NDArray[np.int64]
) -> int:
    """Number the components of a grid from 1, in reading order; returns how many there are."""
    many = 0
    size = grid.shape
    for a in range(size[0]):
        for b in range(size[1]):
            for c in range(size[2]):
                if labels[a, b, c]:
                    continue
                many += 1
                labels[a, b, c] = many
                queue[0, 0], queue[0, 1], queue[0, 2] = a, b, c
                first, last = 0, 1
                while first < last:
                    i, j, k = queue[first]
                    first += 1
                    for da in range(-1, 2):
                        for db in range(-1, 2):
                            for dc in range(-1, 2):
                                if not diagonal and abs(da) + abs(db) + abs(dc) != 1:
                                    continue
                                u, v, w = i + da, j + db, k + dc
                                if not (0 <= u < size[0] and 0 <= v < size[1] and 0 <= w < size[2]):
                                    continue
                                if labels[u, v, w] or grid[u, v, w] != grid[a, b, c]:
                                    continue
                                labels[u, v, w] = many
                                queue[last, 0], queue[last, 1], queue[last, 2] = u, v, w
                                last += 1
    return many


def components(grid: NDArray[np.uint8], *, diagonal: bool) -> tuple[NDArray[np.int64], int]:
    """The components of equal values in a grid.

    Args:
        grid: uint8 of two or three dimensions.
        diagonal: Whether neighbours over corners (and edges) are connected.

    Returns:
        int64, of the grid's shape: the number of each place's component, from 1; and how many
        components there are.
    """
    solid = grid.reshape((1,) * (3 - grid.ndim) + grid.shape)
    labels = np.zeros(solid.shape, np.int64)
    queue = np.zeros((solid.size, 3), np.int64)
    many = _label(solid, diagonal, labels, queue)
    return labels.reshape(grid.shape), many
