"""Observations of biome navigation in words, as SmartPlay's descriptor has them.

Source: SmartPlay (Wu et al., ICLR 2024), appendix on Minecraft, and its released code. The fields
and their order are as there: coordinates, facing, pitch, the block aimed at; around the player, of
each kind of block the component whose centre is nearest; in view, of each component the nearest
ray, above, at or below the level of the eyes, its compass label and its share of the rays.

On purpose it is not as in the code that compass labels are right (there they are turned by half a
circle; ``legacy_labels`` turns them so), and that the height of a ray follows from its angle.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.compiled.kernel import kernel
from mars_logic.domains.biomes.blocks import AIR, AROUND, BLOCKS, FACINGS, RAY_STEP, RAYS
from mars_logic.domains.biomes.engine import Sight
from mars_logic.domains.biomes.words import ACTIONS

_COMPASS: Final = (
    "north",
    "north-east",
    "east",
    "south-east",
    "south",
    "south-west",
    "west",
    "north-west",
)
_LEVEL: Final = RAY_STEP / 2
"""Degrees up or down within which a ray counts as level."""


def observation(
    sight: Sight,
    position: tuple[int, int, int],
    facing: int,
    action: int,
    *,
    legacy_labels: bool,
) -> str:
    """What a player sees.

    Args:
        sight: What is seen.
        position: Of the feet.
        facing: The place in ``FACINGS``.
        action: The last action; -1 before the first.
        legacy_labels: Whether compass labels of rays are turned by half a circle.
    """
    x, y, z = position
    middle = RAYS // 2
    front = int(sight.block[middle, middle])
    aimed = "nothing" if front == AIR else BLOCKS[front]
    parts = [
        *([f"You took action {ACTIONS[action]}."] if action >= 0 else []),
        f"You are at x {x}, height {y}, z {z}, facing {FACINGS[facing]}, looking straight ahead, "
        f"at {aimed}.",
        "\n".join(["Around you:", *_around(sight)]),
        "\n".join(["You see:", *_seen(sight, facing, legacy_labels=legacy_labels)]),
    ]
    return "\n\n".join(parts)


def _around(sight: Sight) -> Iterator[str]:
    """Of each kind of block around the player, the component with the nearest centre."""
    labels, many = components(sight.around, diagonal=False)
    places = np.indices(sight.around.shape).reshape(3, -1)
    flat = labels.ravel() - 1
    counts = np.bincount(flat, minlength=many)
    here = np.array([AROUND // 2, 1, AROUND // 2])
    centres = np.stack([np.bincount(flat, axis, many) / counts for axis in places], 1) - here
    kinds = np.zeros(many, np.int64)
    kinds[flat] = sight.around.ravel()
    far = np.linalg.norm(centres, axis=1)
    for kind in np.unique(kinds):
        if kind == AIR:
            continue
        mine = np.flatnonzero(kinds == kind)
        best = mine[np.argmin(far[mine])]
        dx, dy, dz = centres[best]
        side = _compass(np.degrees(np.arctan2(dx, -dz))) if abs(dx) + abs(dz) > 0.5 else "here"
        level = "above" if dy > 1 else "below" if dy < 0 else "at your level"
        yield f"- {BLOCKS[kind]}: {far[best]:.0f} blocks away, {side}, {level}"


def _seen(sight: Sight, facing: int, *, legacy_labels: bool) -> Iterator[str]:
    """Of each component in view, its nearest ray and its share; the nearest components first."""
    labels, many = components(sight.block, diagonal=True)
    lines = []
    for component in range(1, many + 1):
        rows, columns = np.nonzero(labels == component)
        kind = int(sight.block[rows[0], columns[0]])
        if kind == AIR:
            continue
        nearest = int(np.argmin(sight.distance[rows, columns]))
        row, column = rows[nearest], columns[nearest]
        far = int(sight.distance[row, column])
        pitch = (RAYS // 2 - row) * RAY_STEP
        yaw = facing * 90 + (column - RAYS // 2) * RAY_STEP + 180 * legacy_labels
        level = "above" if pitch > _LEVEL else "below" if pitch < -_LEVEL else "level with"
        share = 100 * len(rows) / RAYS**2
        told = f"- {BLOCKS[kind]}: {far} blocks away, {level} you, {_compass(yaw)}, {share:.0f} %"
        lines.append((far, -len(rows), told))
    yield from (told for *_, told in sorted(lines)) if lines else ["- nothing but the sky"]


def _compass(degrees: float) -> str:
    """The nearest of eight directions; 0 is the north, 90 the east."""
    return _COMPASS[round(degrees / 45) % 8]


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
