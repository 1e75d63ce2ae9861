"""A detective's walk through a finished scene: what it sees when."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.compiled.kernel import kernel
from mars_logic.domains.conan.codes import TRACES
from mars_logic.sim.layout import STREAM_DTYPE
from mars_logic.sim.stream import below, seed_stream
from mars_logic.world.dialect import AREA

Array = Any
"""In annotations of kernels: an array."""

REACH: Final = 4
"""Cells that are seen to each side: the view is 9 x 9."""
NEVER: Final = 32767
"""When a cell was seen that was not."""
FAR: Final = 15
"""Least distance from every trace of a start that is far."""


class Explorer(IntEnum):
    """Ways to explore."""

    nearest = 0
    """To the nearest trace whose surroundings are unknown, else to the nearest unknown cell."""
    random = 1
    """A random walk."""
    curious = 2
    """To the view with the largest expected gain for its distance."""


WALK_DTYPE: Final = np.dtype(
    [
        ("x", np.int32),
        ("y", np.int32),
        ("step", np.int32),
        ("seen_at", np.int16, (AREA, AREA)),
        ("trail", np.uint8, (5001, 2)),
        ("stream", STREAM_DTYPE),
        ("queue", np.int16, (AREA * AREA,)),
        ("parent", np.int16, (AREA * AREA,)),
        ("distance", np.int16, (AREA * AREA,)),
        ("sums", np.float64, (AREA + 1, AREA + 1)),
    ],
    align=True,
)
"""A walk and its scratch memory; ``seen_at`` is the step at which a cell was first seen."""


@kernel
def _see(walk: Any) -> None:
    for x in range(max(0, walk.x - REACH), min(AREA, walk.x + REACH + 1)):
        for y in range(max(0, walk.y - REACH), min(AREA, walk.y + REACH + 1)):
            walk.seen_at[x, y] = min(walk.seen_at[x, y], walk.step)
    walk.trail[walk.step, 0] = walk.x
    walk.trail[walk.step, 1] = walk.y


@kernel
def _begin(walk: Any, x: int, y: int, seed: int) -> None:
    seed_stream(walk.stream, seed)
    walk.x = x
    walk.y = y
    walk.step = 0
    walk.seen_at[:] = NEVER
    _see(walk)


@kernel
def _unknown_beside(walk: Any, x: int, y: int, corners: bool) -> bool:
    for dx in range(-1, 2):
        for dy in range(-1, 2):
            if not corners and dx != 0 and dy != 0:
                continue
            nx = x + dx
            ny = y + dy
            if 0 <= nx < AREA and 0 <= ny < AREA and walk.seen_at[nx, ny] == NEVER:
                return True
    return False


@kernel
def _opens(walk: Any, codes: Array, x: int, y: int, traces: bool) -> bool:
    """Whether a cell beside an open trace, or beside the unknown, is reached."""
    if not traces:
        return _unknown_beside(walk, x, y, False)
    for nx in range(max(0, x - 1), min(AREA, x + 2)):
        for ny in range(max(0, y - 1), min(AREA, y + 2)):
            seen = walk.seen_at[nx, ny] != NEVER
            if seen and TRACES[codes[nx, ny]] and _unknown_beside(walk, nx, ny, True):
                return True
    return False


@kernel
def _search(walk: Any, codes: Array, walkable: Array, traces: bool, gains: bool) -> int:
    """Flood the known cells; return the target of a walk, or -1."""
    walk.parent[:] = -1
    start = walk.x * AREA + walk.y
    walk.parent[start] = start
    walk.distance[start] = 0
    walk.queue[0] = start
    head = 0
    tail = 1
    best = -1
    most = 0.0
    while head < tail:
        cell = int(walk.queue[head])
        head += 1
        x = cell // AREA
        y = cell % AREA
        if gains:
            gain = _gain(walk, x, y) / (walk.distance[cell] + 1.0)
            if cell != start and gain > most:
                most = gain
                best = cell
        elif cell != start and _opens(walk, codes, x, y, traces):
            return cell
        for direction in range(4):
            nx = x + (direction == 1) - (direction == 0)
            ny = y + (direction == 3) - (direction == 2)
            if nx < 0 or ny < 0 or nx >= AREA or ny >= AREA:
                continue
            near = nx * AREA + ny
            if walk.parent[near] >= 0 or walk.seen_at[nx, ny] == NEVER:
                continue
            if walkable[codes[nx, ny]]:
                walk.parent[near] = cell
                walk.distance[near] = walk.distance[cell] + 1
                walk.queue[tail] = near
                tail += 1
    return best


@kernel
def _gain(walk: Any, x: int, y: int) -> float:
    """The sum of the gains of unknown cells in the view from a cell."""
    left = max(0, x - REACH)
    right = min(AREA, x + REACH + 1)
    top = max(0, y - REACH)
    bottom = min(AREA, y + REACH + 1)
    sums = walk.sums
    return float(sums[right, bottom] - sums[left, bottom] - sums[right, top] + sums[left, top])


@kernel
def _add_up(walk: Any, gains: Array) -> None:
    """Prepare :func:`_gain`: sums of the gains of unknown cells from the corner on."""
    for x in range(AREA):
        row = 0.0
        for y in range(AREA):
            if walk.seen_at[x, y] == NEVER:
                row += gains[x, y]
            walk.sums[x + 1, y + 1] = walk.sums[x, y + 1] + row


@kernel
def _step_random(walk: Any, codes: Array, walkable: Array) -> None:
    direction = below(walk.stream, 4)
    nx = walk.x + (direction == 1) - (direction == 0)
    ny = walk.y + (direction == 3) - (direction == 2)
    if 0 <= nx < AREA and 0 <= ny < AREA and walkable[codes[nx, ny]]:
        walk.x = nx
        walk.y = ny


@kernel
def _walk_on(
    walk: Any, codes: Array, walkable: Array, explorer: int, gains: Array, until: int
) -> bool:
    """Walk until a step; return whether anything was left to see."""
    while walk.step < until:
        if explorer == 1:
            _step_random(walk, codes, walkable)
        else:
            target = -1
            if explorer == 2:
                _add_up(walk, gains)
                target = _search(walk, codes, walkable, False, True)
            if target < 0:
                target = _search(walk, codes, walkable, True, False)
            if target < 0:
                target = _search(walk, codes, walkable, False, False)
            if target < 0:
                return False
            while walk.distance[target] > 1:
                target = walk.parent[target]
            walk.x = target // AREA
            walk.y = target % AREA
        walk.step += 1
        _see(walk)
    return True


class SceneWalk:
    """A walk through a scene.

    Args:
        codes: uint8[64, 64]: the finished map.
        walkable: bool[42].
        start: The first cell.
        seed: Seed of a random walk.
    """

    def __init__(
        self,
        codes: NDArray[np.uint8],
        walkable: NDArray[np.bool_],
        start: tuple[int, int],
        seed: int,
    ) -> None:
        self._codes, self._walkable = codes, walkable
        self._walks = np.zeros(1, WALK_DTYPE)
        self._none = np.zeros((AREA, AREA))
        _begin(self._walks[0], *start, seed)

    @property
    def seen_at(self) -> NDArray[np.int16]:
        """Step at which each cell was first seen; ``NEVER`` if it was not."""
        seen: NDArray[np.int16] = self._walks["seen_at"][0]
        return seen

    @property
    def steps(self) -> int:
        """Steps taken."""
        return int(self._walks["step"][0])

    @property
    def trail(self) -> NDArray[np.uint8]:
        """uint8[steps + 1, 2]: positions."""
        trail: NDArray[np.uint8] = self._walks["trail"][0][: self.steps + 1]
        return trail

    def on(self, explorer: Explorer, until: int, gains: NDArray[np.float64] | None = None) -> bool:
        """Walk on until a step; return whether anything was left to see.

        Args:
            explorer: How to choose where to go.
            until: The step.
            gains: float64[64, 64]: expected gain of seeing each cell, for ``curious``.
        """
        given = self._none if gains is None else gains
        return _walk_on(self._walks[0], self._codes, self._walkable, int(explorer), given, until)


def far_start(
    codes: NDArray[np.uint8], walkable: NDArray[np.bool_], rng: np.random.RandomState
) -> tuple[int, int]:
    """A random cell at least 15 steps from every trace from which all of them can be reached.

    The farthest reachable cell if none is so far.
    """
    traced = np.argwhere(TRACES[codes])
    reached = _component(walkable[codes])
    cells = np.argwhere(reached)
    if not len(traced) or not len(cells):
        return AREA // 2, AREA // 2
    apart = np.abs(cells[:, None, :] - traced[None, :, :]).sum(-1).min(1)
    far = cells[apart >= FAR]
    chosen = far[rng.randint(len(far))] if len(far) else cells[apart.argmax()]
    return int(chosen[0]), int(chosen[1])


def _component(walkable: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The walkable cells that are connected with the centre."""
    reached = np.zeros_like(walkable)
    reached[AREA // 2, AREA // 2] = True
    while True:
        grown = reached.copy()
        grown[1:] |= reached[:-1]
        grown[:-1] |= reached[1:]
        grown[:, 1:] |= reached[:, :-1]
        grown[:, :-1] |= reached[:, 1:]
        grown &= walkable
        if (grown == reached).all():
            return reached
        reached = grown
