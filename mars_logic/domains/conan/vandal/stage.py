"""Everything that kernels need to let a vandal play in one world."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.conan.codes import ACTIONS, CODE, ITEMS
from mars_logic.domains.conan.recipes import Recipes, recipes_of
from mars_logic.domains.conan.vandal.play import (
    JOB_DTYPE,
    RESULT_DTYPE,
    STAGE_DTYPE,
    TABLES_DTYPE,
    play_batch,
)
from mars_logic.domains.conan.vandal.programs import Programs, VandalPlans, compile_programs
from mars_logic.domains.conan.vandal.tasks import TASKS
from mars_logic.sim.layout import CAPACITY, env_dtype
from mars_logic.sim.seeds import episode_seed
from mars_logic.sim.simulator import Simulator
from mars_logic.sim.state import objects_of
from mars_logic.sim.tables import compile_rules
from mars_logic.world.dialect import AREA
from mars_logic.world.theory import World

MOST_ATTEMPTS: Final = 20
"""Worlds in which a task is tried until it succeeds in one."""
_NOTHING: Final = np.zeros((AREA, AREA), np.uint8)
_STEPPED_ON: Final = ("bare", "left", "right", "up", "down")
"""Marks on which things can be placed."""


@dataclass(frozen=True)
class PlayedAttempt:
    """An attempt that was played.

    Attributes:
        number: Its number, from 1.
        result: A record of ``play.RESULT_DTYPE``.
        objects: Records of ``sim.state.OBJECT_DTYPE``: everything at the end but the player.
    """

    number: int
    result: Any
    objects: NDArray[np.void]


class VandalStage(ABC):
    """A vandal in a world: what does not depend on the kind of vandal.

    Attributes:
        world: The world, with a player that can be hurt or cannot.
        recipes: What its rules state.
        rules: The same for kernels.
        programs: The plans.
        tables: What the vandal knows of the rules: one record.
    """

    programs: VandalPlans
    tables: NDArray[np.void]

    def __init__(
        self, world: World, *, harmed: bool, memory: np.dtype[np.void], length: int | None = None
    ) -> None:
        """Compile the world's rules.

        Args:
            world: The world.
            harmed: Whether the player can be hurt, and has needs.
            memory: Type of the memory that the vandal's kernels need.
            length: Steps of the longest episode, if not the world's.
        """
        safety = world.option["boss"].model_copy(update={"on": not harmed})
        self.world = world.with_rules(safety)
        self.recipes: Recipes = recipes_of(world)
        self.rules = compile_rules(self.world, length)
        self.stages = np.zeros(1, memory)
        self.envs = np.zeros(1, env_dtype(CAPACITY, self.world.vocabulary))
        self._simulator = Simulator(self.world, length=length)

    def until_success(self, task: str, map_seed: int, vandal_seed: int) -> PlayedAttempt | None:
        """Try a task in one world after the other until it succeeds, 20 times at most."""
        for number in range(1, MOST_ATTEMPTS + 1):
            played = self.attempt(task, map_seed, vandal_seed, number)
            if played.result["won"]:
                return played
        return None

    def attempt(self, task: str, map_seed: int, vandal_seed: int, number: int) -> PlayedAttempt:
        """One attempt at a task, in episode 2 * number of the map's seed, as the release does."""
        first = self.generated(map_seed, 2 * number)
        jobs = self.job(task, episode_seed(vandal_seed, number))
        result = self.play(first, jobs, _NOTHING, _NOTHING.view(np.bool_), (-1, -1))[0]
        return PlayedAttempt(number, result, objects_of(self.envs[0]))

    def generated(self, seed: int, episode: int) -> NDArray[np.void]:
        """An environment at the beginning of an episode: an array of one record."""
        simulator = self._simulator
        simulator.reset(seed, episode)
        envs = simulator.snapshot().envs
        if envs.dtype != self.envs.dtype:  # a map with more creatures than ever seen
            self.envs = np.zeros(1, envs.dtype)
        return envs

    @abstractmethod
    def job(self, task: str, seed: int) -> NDArray[np.void]:
        """The job to try a task: one record."""

    @abstractmethod
    def jobs(
        self, plans: Iterable[int], vandal_seeds: Iterable[int], world_seeds: Iterable[int]
    ) -> NDArray[np.void]:
        """The jobs to try plans: n records."""

    @abstractmethod
    def play(
        self,
        first: NDArray[np.void],
        jobs: NDArray[np.void],
        scene: NDArray[np.uint8],
        seen: NDArray[np.bool_],
        figure: tuple[int, int],
    ) -> NDArray[np.void]:
        """Play attempts from a state, and measure what they leave against a scene.

        Args:
            first: The state, an array of one environment.
            jobs: n records.
            scene: uint8[64, 64]: the scene's map.
            seen: bool[64, 64]: the cells of it that count.
            figure: Where the vandal's figure was seen, or (-1, -1).

        Returns:
            n records of ``play.RESULT_DTYPE``.
        """


class ReferenceStage(VandalStage):
    """The released task vandal in a world: invulnerable, without needs. Jobs: JOB_DTYPE."""

    def __init__(self, world: World) -> None:
        """Compile the world's rules and the vandal's plans."""
        super().__init__(world, harmed=False, memory=STAGE_DTYPE)
        self.programs: Programs = compile_programs(self.recipes, ACTIONS, ITEMS)
        self.tables = tables_of(world)

    def job(self, task: str, seed: int) -> NDArray[np.void]:
        """The job to try a task, which draws its weapon: one record."""
        index = TASKS.index(task)
        job = self.jobs([int(self.programs.first[index])], [seed], [-1])
        job["draws"] = self.programs.draws[index]
        return job

    def jobs(
        self, plans: Iterable[int], vandal_seeds: Iterable[int], world_seeds: Iterable[int]
    ) -> NDArray[np.void]:
        """The jobs to try plans: n records."""
        numbers = np.array(list(plans), np.int32)
        jobs = np.zeros(len(numbers), JOB_DTYPE)
        jobs["plan"] = numbers
        tasks = [TASKS.index(self.programs.plans[plan][0]) for plan in numbers]
        jobs["goal"] = self.programs.goal[tasks]
        jobs["vandal_seed"], jobs["world_seed"] = list(vandal_seeds), list(world_seeds)
        return jobs

    def play(
        self,
        first: NDArray[np.void],
        jobs: NDArray[np.void],
        scene: NDArray[np.uint8],
        seen: NDArray[np.bool_],
        figure: tuple[int, int],
    ) -> NDArray[np.void]:
        """Play attempts from a state, and measure what they leave against a scene."""
        results = np.zeros(len(jobs), RESULT_DTYPE)
        programs = self.programs
        play_batch(
            first,
            self.envs,
            self.stages,
            self.rules,
            self.tables,
            *(programs.kind, programs.code, programs.action),
            jobs,
            scene,
            seen,
            *figure,
            results,
        )
        return results


def tables_of(world: World) -> NDArray[np.void]:
    """Codes of cells, and what the vandal knows of walking and placing: one record."""
    tables = np.zeros(1, TABLES_DTYPE)
    vocabulary = world.vocabulary
    for number, material in enumerate(vocabulary.materials):
        marks = vocabulary.remains if material == "remains" else vocabulary.marks
        for mark, named in enumerate(marks):
            name = {"remains": named}.get(material, f"{material}_{named}")
            name = material if name not in CODE else name
            code = CODE.get(name, 0)
            tables["code"][0, number, mark] = code
            tables["walkable"][0, code] = material in world.walk and world.walk[material].walkable
            for thing, rule in world.place.items():
                if thing in CODE and named in _STEPPED_ON and material != "remains":
                    tables["placeable"][0, CODE[thing], code] |= material in rule.where
    return tables
