"""Vandals of supposed plans, played on the map as it was."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.conan.codes import CODE, LAND, OBJECT, REMAINS
from mars_logic.domains.conan.detective.evidence import SceneEvidence
from mars_logic.domains.conan.possible import CREATURES
from mars_logic.domains.conan.vandal.stage import VandalStage
from mars_logic.kernel import kernel
from mars_logic.sim.board import add_thing
from mars_logic.sim.cells import parts_of
from mars_logic.sim.layout import BORDER
from mars_logic.sim.seeds import episode_seed
from mars_logic.world.dialect import AREA

Array = Any
"""In annotations of kernels: an array."""


@kernel
def _set_up(envs: Array, rules: Array, materials: Array, things: Array, x: int, y: int) -> None:
    """Replace a map that was just generated, and everything on it but the player."""
    env = envs[0]
    env.num_things = 0
    env.num_removed = 0
    for cx in range(AREA):
        for cy in range(AREA):
            env.cells[cx + BORDER, cy + BORDER] = materials[cx, cy]
            env.marks[cx + BORDER, cy + BORDER] = 0
    env.cells[x + BORDER, y + BORDER] |= 1 << 4
    for i in range(len(things)):
        tx = int(things[i, 1])
        ty = int(things[i, 2])
        if env.cells[tx + BORDER, ty + BORDER] < 16:
            add_thing(env, rules[0], int(things[i, 0]), tx, ty)


class Simulation:
    """Simulations in one world; memory is kept between scenes.

    Args:
        stage: The world and its vandals.
    """

    def __init__(self, stage: VandalStage) -> None:
        self._stage = stage
        self._first = stage.generated(0, 1).copy()  # its map is replaced

    def play(
        self, evidence: SceneEvidence, plans: NDArray[np.int32], seed: int
    ) -> NDArray[np.void]:
        """Play plans on the map as it was, and measure what they leave.

        Args:
            evidence: What is seen of the scene.
            plans: int32[n]: indices of plans, each as often as it is to be played.
            seed: Seed of all streams.

        Returns:
            n records of ``play.RESULT_DTYPE``.
        """
        stage = self._stage
        codes, things = undone(evidence)
        materials = parts_of(stage.world.vocabulary, codes)[0]
        player = self._first["player"][0]
        x, y = int(player["x"]), int(player["y"])
        _set_up(self._first, stage.rules, materials, things, x, y)
        worlds = [episode_seed(seed, 2 * i) for i in range(len(plans))]
        vandals = [episode_seed(seed, 2 * i + 1) for i in range(len(plans))]
        jobs = stage.jobs(plans, vandals, worlds)
        figure = evidence.figure or (-1, -1)
        return stage.play(self._first, jobs, evidence.codes, evidence.seen, figure)


"""In annotations of kernels: an array."""

_BECOMES: Final = LAND.copy()
"""uint8[42]: what a code was at first; 0 for what hides its ground."""
for _code, _land in enumerate(LAND.tolist()):
    _BECOMES[_code] = _land or _code
for _left, _was in REMAINS.items():
    _BECOMES[CODE[_left]] = 0 if _was in CREATURES else CODE[_was]
for _thing in ("table", "furnace", "bed"):
    _BECOMES[[CODE[_thing], CODE[f"{_thing}_destroyed"]]] = 0
_UNKNOWN_GROUND: Final = CODE["grass"]


def undone(evidence: SceneEvidence) -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
    """The map before anything happened, and the creatures on it.

    Ground under things and bodies is that of most neighbours; what was not seen is taken for what
    the nearest seen cell is; a killed creature stands where its body lies.

    Args:
        evidence: What is seen.

    Returns:
        uint8[64, 64] of bare codes, and int16[k, 3]: kind, x and y of creatures.
    """
    codes = np.where(evidence.seen, _BECOMES[evidence.codes], 0).astype(np.uint8)
    known = codes > 0
    for x, y in np.argwhere(evidence.seen & ~known):
        codes[x, y] = _ground(codes, int(x), int(y))
    if evidence.seen.any():
        _fill(codes, evidence.seen)
    else:
        codes[:] = _UNKNOWN_GROUND
    return codes, _creatures(evidence)


def _ground(codes: NDArray[np.uint8], x: int, y: int) -> int:
    """The land that most of the eight neighbours have."""
    around = codes[max(x - 1, 0) : x + 2, max(y - 1, 0) : y + 2].ravel()
    lands = around[(around > 0) & (LAND[around] > 0)]
    return int(np.bincount(lands).argmax()) if len(lands) else _UNKNOWN_GROUND


@kernel
def _fill(codes: Array, known: Array) -> None:
    """Let cells that were not seen take over what the nearest seen cell is, by a flood.

    Where several are as near, the neighbour to the left comes first, then right, above, below.
    """
    distance = np.full((AREA, AREA), -1, np.int16)
    queue = np.empty(AREA * AREA, np.int16)
    head = 0
    tail = 0
    for x in range(AREA):
        for y in range(AREA):
            if known[x, y]:
                distance[x, y] = 0
                queue[tail] = x * AREA + y
                tail += 1
    while head < tail:
        x = int(queue[head]) // AREA
        y = int(queue[head]) % AREA
        head += 1
        taken = distance[x, y] == 0
        for direction in range(4):
            nx = x + (direction == 1) - (direction == 0)
            ny = y + (direction == 3) - (direction == 2)
            if nx < 0 or ny < 0 or nx >= AREA or ny >= AREA:
                continue
            if distance[nx, ny] < 0:
                distance[nx, ny] = distance[x, y] + 1
                queue[tail] = nx * AREA + ny
                tail += 1
            elif not taken and distance[nx, ny] < distance[x, y]:
                codes[x, y] = codes[nx, ny]
                taken = True


def _creatures(evidence: SceneEvidence) -> NDArray[np.int16]:
    found = [
        (int(evidence.objects[x, y]), int(x), int(y))
        for x, y in np.argwhere(evidence.seen & (evidence.objects > 0))
        if OBJECT["cow"] <= evidence.objects[x, y] <= OBJECT["skeleton"]
    ]
    taken = {(x, y) for _, x, y in found}
    for creature in ("cow", "zombie", "skeleton"):
        dead = np.argwhere(evidence.seen & (evidence.codes == CODE[f"{creature}_dead"]))
        found += [(OBJECT[creature], x, y) for x, y in dead.tolist() if (x, y) not in taken]
    return np.array(found, np.int16).reshape(-1, 3)
