"""Vandals of supposed plans, played on the map as it was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.conan.codes import AREA
from mars_logic.domains.conan.detective.evidence import Evidence
from mars_logic.domains.conan.detective.features import FEATURES, measure
from mars_logic.domains.conan.detective.undo import undone
from mars_logic.domains.conan.vandal.log import LOG_DTYPE
from mars_logic.domains.conan.vandal.play import MOST_STEPS, play_plan
from mars_logic.domains.conan.vandal.reference import begin_plan
from mars_logic.domains.conan.vandal.stage import ReferenceStage
from mars_logic.domains.conan.vandal.tasks import TASKS
from mars_logic.kernel import kernel
from mars_logic.sim.board import add_thing
from mars_logic.sim.cells import parts_of
from mars_logic.sim.layout import BORDER
from mars_logic.sim.seeds import episode_seed
from mars_logic.sim.step import reset_env
from mars_logic.sim.stream import seed_stream

Array = Any
"""In annotations of kernels: an array."""

RESULT_DTYPE: Final = np.dtype(
    [
        ("plan", np.int32),
        ("won", np.bool_),
        ("features", np.float64, (len(FEATURES),)),
        ("steps", np.int32),
        ("trail", np.uint8, (MOST_STEPS + 1, 2)),
        ("codes", np.uint8, (AREA, AREA)),
        ("log", LOG_DTYPE),
    ],
    align=True,
)
"""What came of one simulation."""


@kernel
def _set_up(env: Any, rules: Any, materials: Array, things: Array, x: int, y: int) -> None:
    """Replace a map that was just generated, and everything on it but the player."""
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
            add_thing(env, rules, int(things[i, 0]), tx, ty)


@kernel
def _simulate(
    first: Array,
    envs: Array,
    stages: Array,
    rules: Array,
    tables: Array,
    kinds: Array,
    targets: Array,
    actions: Array,
    goals: Array,
    plans: Array,
    seed: int,
    scene: Array,
    seen: Array,
    figure_x: int,
    figure_y: int,
    results: Array,
) -> None:
    """Play each plan with streams of its own; fill in a result for each."""
    env = envs[0]
    stage = stages[0]
    for i in range(len(plans)):
        envs[0] = first[0]
        seed_stream(env.stream, episode_seed(seed, 2 * i))
        seed_stream(stage.vandal.stream, episode_seed(seed, 2 * i + 1))
        begin_plan(stage.vandal, plans[i], env.player.x, env.player.y)
        result = results[i]
        result.plan = plans[i]
        result.won = play_plan(env, stage, rules[0], tables[0], kinds, targets, actions, goals[i])
        result.steps = env.step
        result.codes[:] = stage.codes
        result.trail[:] = stage.trail
        result.log.size = stage.vandal.log.size
        for j in range(stage.vandal.log.size):
            result.log.events[j] = stage.vandal.log.events[j]
        measure(
            stage.codes,
            env.player.x,
            env.player.y,
            result.won,
            scene,
            seen,
            figure_x,
            figure_y,
            result.features,
        )


@kernel
def _generate(envs: Array, rules: Array, lattice: Array) -> bool:
    return reset_env(envs[0], rules[0], lattice[0])


@dataclass
class Simulation:
    """Simulations in one world; memory is kept between scenes.

    Attributes:
        stage: The world and its vandals.
    """

    stage: ReferenceStage

    def __post_init__(self) -> None:
        """Make an environment whose map will be replaced."""
        stage = self.stage
        self._first = np.zeros_like(stage.envs)
        self._first["episode"] = 1
        _generate(self._first, stage.rules, stage.lattice)

    def play(self, evidence: Evidence, plans: NDArray[np.int32], seed: int) -> NDArray[np.void]:
        """Play plans on the map as it was, and measure what they leave.

        Args:
            evidence: What is seen of the scene.
            plans: int32[n]: indices of plans, each as often as it is to be played.
            seed: Seed of all streams.

        Returns:
            n records of :data:`RESULT_DTYPE`.
        """
        stage, programs = self.stage, self.stage.programs
        codes, things = undone(evidence)
        materials = parts_of(stage.world.vocabulary, codes)[0]
        player = self._first["player"][0]
        _set_up_batch(
            self._first, stage.rules, materials, things, int(player["x"]), int(player["y"])
        )
        tasks = [TASKS.index(programs.plans[plan][0]) for plan in plans]
        results = np.zeros(len(plans), RESULT_DTYPE)
        x, y = evidence.figure or (-1, -1)
        _simulate(
            self._first,
            stage.envs,
            stage.stages,
            stage.rules,
            stage.tables,
            *(programs.kind, programs.code, programs.action, programs.goal[tasks]),
            plans,
            seed,
            *(evidence.codes, evidence.seen, x, y),
            results,
        )
        return results


@kernel
def _set_up_batch(
    envs: Array, rules: Array, materials: Array, things: Array, x: int, y: int
) -> None:
    _set_up(envs[0], rules[0], materials, things, x, y)
