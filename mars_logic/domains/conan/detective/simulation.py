"""Vandals of supposed plans, played on the map as it was."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.conan.detective.evidence import SceneEvidence
from mars_logic.domains.conan.detective.undo import undone
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
