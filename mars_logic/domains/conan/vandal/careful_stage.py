"""Everything that kernels need to let a careful vandal play in one world."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.conan.codes import ACTION, CODE, CODES, ITEM, OBJECT
from mars_logic.domains.conan.vandal.careful_plans import (
    FLEE,
    NEEDS,
    SWORDS,
    Masks,
    Op,
    PlanWriter,
    aims_of,
    brackets_of,
)
from mars_logic.domains.conan.vandal.careful_play import (
    CAREFUL_JOB_DTYPE,
    CAREFUL_STAGE_DTYPE,
    CAREFUL_TABLES_DTYPE,
    careful_batch,
)
from mars_logic.domains.conan.vandal.play import MOST_STEPS, RESULT_DTYPE
from mars_logic.domains.conan.vandal.programs import VandalPlans
from mars_logic.domains.conan.vandal.proofs import FOOD, ProofGraph
from mars_logic.domains.conan.vandal.stage import VandalStage, tables_of
from mars_logic.domains.conan.vandal.tasks import ALL_TASKS, parts_of_task
from mars_logic.sim.seeds import episode_seed
from mars_logic.world.dialect import AREA
from mars_logic.world.theory import World

_NOTHING: Final = np.zeros((AREA, AREA), np.uint8)
_UNSEEN: Final = np.zeros((AREA, AREA), np.bool_)
_FULL: Final = (9, 9, 9)
_THIRSTY: Final = (9, 3, 9)
"""Food, drink and energy at the beginning of the task to have a drink."""


class CarefulStage(VandalStage):
    """The careful vandal in a world. Jobs: CAREFUL_JOB_DTYPE.

    Attributes:
        graph: The AND/OR graph of the recipes.
    """

    def __init__(self, world: World, length: int = MOST_STEPS) -> None:
        """Compile the world's rules, and find the proofs of all tasks."""
        super().__init__(world, harmed=True, memory=CAREFUL_STAGE_DTYPE, length=length)
        foods = tuple(item for item, rule in world.eat.items() if rule.food > 0)
        self.graph = ProofGraph(self.recipes, foods)
        self.programs = _programs(brackets_of(self.recipes))
        self._masks = Masks()
        self.tables = careful_tables(world, self.graph, self.programs.brackets)

    def job(self, task: str, seed: int) -> NDArray[np.void]:
        """The job to try a task, with a weapon that the seed draws: one record."""
        plan = int(self.programs.first[ALL_TASKS.index(task)])
        if fights(task):
            plan += np.random.RandomState(seed).randint(len(SWORDS))
        return self.jobs([plan], [seed], [-1])

    def written(self, plans: Iterable[int], seeds: Iterable[int]) -> NDArray[np.int16]:
        """Plans with the proofs and orders that seeds draw: int16[n, length, 6]."""
        written = [self._write(plan, seed) for plan, seed in zip(plans, seeds, strict=True)]
        table = np.zeros((len(written), max(map(len, written)), 6), np.int16)
        for row, operations in zip(table, written, strict=True):
            row[: len(operations)] = operations
        return table

    def _write(self, plan: int, seed: int) -> NDArray[np.int16]:
        task, weapon = self.programs.plans[plan]
        rng = np.random.RandomState(episode_seed(seed, 1))
        proof = frozenset[tuple[str, str]]()
        for aim in aims_of(task, weapon):
            found = self.graph.proofs(aim)
            if not found:
                return _HOPELESS
            proof |= found[rng.randint(len(found))]
        numbers = {name: i for i, name in enumerate(self.programs.brackets)}
        writer = PlanWriter(self.graph, proof, self._masks, numbers, rng, weapon)
        writer.task(task)
        return writer.finished()

    def jobs(
        self, plans: Iterable[int], vandal_seeds: Iterable[int], world_seeds: Iterable[int]
    ) -> NDArray[np.void]:
        """The jobs to try plans: n records."""
        named = np.array(list(plans), np.int32)
        jobs = np.zeros(len(named), CAREFUL_JOB_DTYPE)
        jobs["plan"], jobs["named"] = np.arange(len(named)), named
        jobs["cautious"] = True
        tasks = [self.programs.plans[plan][0] for plan in named]
        jobs["needs"] = [first_needs(task) for task in tasks]
        jobs["vandal_seed"], jobs["world_seed"] = list(vandal_seeds), list(world_seeds)
        return jobs

    def run(
        self,
        first: NDArray[np.void],
        jobs: NDArray[np.void],
        plans: NDArray[np.int16],
        scene: NDArray[np.uint8] = _NOTHING,
        seen: NDArray[np.bool_] = _UNSEEN,
        figure: tuple[int, int] = (-1, -1),
    ) -> NDArray[np.void]:
        """Play attempts from a state: n records of ``play.RESULT_DTYPE``.

        Args:
            first: The state, an array of one environment.
            jobs: n records of ``careful_play.CAREFUL_JOB_DTYPE``.
            plans: int16[m, length, 6]: the operations that jobs number.
            scene: uint8[64, 64]: a finished map to measure results against.
            seen: bool[64, 64]: the cells of it that count.
            figure: Where the vandal's figure was seen, or (-1, -1).
        """
        results = np.zeros(len(jobs), RESULT_DTYPE)
        careful_batch(
            first,
            self.envs,
            self.stages,
            self.rules,
            self.tables,
            plans,
            self._masks.table,
            jobs,
            scene,
            seen,
            *figure,
            results,
        )
        return results

    def play(
        self,
        first: NDArray[np.void],
        jobs: NDArray[np.void],
        scene: NDArray[np.uint8],
        seen: NDArray[np.bool_],
        figure: tuple[int, int],
    ) -> NDArray[np.void]:
        """Play the plans that jobs name and their seeds draw."""
        plans = self.written(jobs["named"].tolist(), jobs["vandal_seed"].tolist())
        return self.run(first, jobs, plans, scene, seen, figure)


_HOPELESS: Final = np.array([[Op.GATHER, 0, 0, 99, 0, 0], [Op.END, 0, 0, 0, 0, 0]], np.int16)
"""A plan that fails at once: the task has no proof."""


def first_needs(task: str) -> tuple[int, int, int]:
    """Food, drink and energy at the beginning of a task."""
    return _THIRSTY if "get_drink" in parts_of_task(task) else _FULL


def fights(task: str) -> bool:
    """Whether a task attacks creatures, and so draws a weapon."""
    parts = parts_of_task(task)
    return any(p.startswith("defeat") or p in ("get_beef", "make_steak") for p in parts)


def _programs(brackets: tuple[str, ...]) -> VandalPlans:
    plans: list[tuple[str, str]] = []
    first = []
    for task in ALL_TASKS:
        first.append(len(plans))
        plans += [(task, weapon) for weapon in (SWORDS if fights(task) else SWORDS[:1])]
    return VandalPlans(plans=tuple(plans), first=np.array(first, np.int32), brackets=brackets)


def careful_tables(world: World, graph: ProofGraph, brackets: tuple[str, ...]) -> NDArray[np.void]:
    """What a careful vandal knows of a world's rules: one record."""
    tables = np.zeros(1, CAREFUL_TABLES_DTYPE)
    known = tables_of(world)
    for name in ("code", "walkable", "placeable"):
        tables[name] = known[name]
    for material, rule in world.collect.items():
        code = CODE[material]
        free = rule.collectable and not getattr(rule, "uses", {})
        left = CODE.get(str(rule.leaves), 0)
        tables["cuttable"][0, code] = free and bool(known["walkable"][0, left])
        for item, number in rule.requires.items():
            tables["tools"][0, code, ITEM[item]] = number
    for thing, way in graph.recipes.place.items():
        for item, number in way.uses.items():
            tables["place_uses"][0, CODE[thing], ITEM[item]] = number
    for material, drink in world.drink.items():
        if material in CODE and drink.drink > 0:
            tables["water"][0, CODE[material]] = True
    for item in graph.foods:
        tables["eat"][0, ITEM[item]] = ACTION[f"eat_{item}"]
    _fill_foods(tables, graph)
    tables["brackets"][0] = [0, *(brackets.index(name) for name in (*NEEDS, FLEE))]
    return tables


def _fill_foods(tables: NDArray[np.void], graph: ProofGraph) -> None:
    number = 0
    for proof in graph.proofs(FOOD):
        items = [name for kind, name in proof if (kind, name) != FOOD and kind == "item"]
        if len(items) != 1 or items[0] in graph.recipes.make:
            continue  # what needs more than being collected is for tasks
        ways = graph.ways(items[0], proof)
        creatures = [way.source for way in ways if way.source in OBJECT]
        tables["food_creature"][0, number] = OBJECT[str(creatures[0])] if creatures else 0
        for way in ways:
            if way.source in CODES:
                tables["food_mask"][0, number, CODE[str(way.source)]] = True
        number += 1
    tables["foods"][0] = number
