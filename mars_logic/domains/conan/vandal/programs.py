"""Plans of the reference vandal: a task becomes a list of subtasks, as a table for kernels.

The release parses a task recursively, with a buffer of tools that are made already, and places a
station once for each kind of ingredient.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.conan.codes import CODE, OBJECT
from mars_logic.domains.conan.recipes import Recipes
from mars_logic.domains.conan.vandal.tasks import TASKS, WEAPONS, split

TARGETS: Final = {"drink": "water"}
"""Materials of the release that are named otherwise than what they yield."""


class SubtaskKind(IntEnum):
    """Kinds of subtasks."""

    OPEN = 0
    CLOSE = 1
    GOTO = 2
    DO = 3
    PLACE = 4
    MAKE = 5
    CHASE = 6


class Subtask(NamedTuple):
    """A subtask: its kind, and the name of a bracket, a material, a thing or a creature."""

    kind: SubtaskKind
    name: str


@dataclass
class _Parser:
    recipes: Recipes
    weapon: str
    made: set[str] = field(default_factory=set)

    def get(self, item: str) -> Iterator[Subtask]:
        if item in self.recipes.kill:
            yield from self.defeat(str(self.recipes.kill[item][0].source))
            return
        if item in self.recipes.collect:
            recipe = self.recipes.collect[item][-1 if item == "apple" else 0]
            target = str(recipe.source)
            needed = (*recipe.requires, *recipe.uses)
        else:
            target, needed = TARGETS[item], ()
        yield Subtask(SubtaskKind.OPEN, f"get_{target}")
        for tool in needed:
            if tool not in self.made:
                yield from self.make(tool)
        yield Subtask(SubtaskKind.GOTO, target)
        yield Subtask(SubtaskKind.DO, target)
        yield Subtask(SubtaskKind.CLOSE, "")

    def make(self, item: str) -> Iterator[Subtask]:
        recipe = self.recipes.make[item]
        yield Subtask(SubtaskKind.OPEN, f"make_{item}")
        for ingredient, number in recipe.uses.items():
            for _ in range(number):
                yield from self.get(ingredient)
        for _ in recipe.uses:
            yield from self.place(str(recipe.source))
        yield Subtask(SubtaskKind.MAKE, item)
        yield Subtask(SubtaskKind.CLOSE, "")
        self.made.add(item)

    def place(self, thing: str) -> Iterator[Subtask]:
        yield Subtask(SubtaskKind.OPEN, f"place_{thing}")
        for ingredient, number in self.recipes.place[thing].uses.items():
            for _ in range(number):
                obtain = self.make if ingredient in self.recipes.make else self.get
                yield from obtain(ingredient)
        yield Subtask(SubtaskKind.PLACE, thing)
        yield Subtask(SubtaskKind.CLOSE, "")

    def defeat(self, creature: str) -> Iterator[Subtask]:
        yield Subtask(SubtaskKind.OPEN, f"defeat_{creature}")
        if self.weapon != "none":
            yield from self.make(self.weapon)
        yield Subtask(SubtaskKind.CHASE, creature)
        yield Subtask(SubtaskKind.CLOSE, "")


def subtasks(recipes: Recipes, task: str, weapon: str = "none") -> tuple[Subtask, ...]:
    """The subtasks of a task, in order.

    Args:
        recipes: The rules.
        task: One of ``TASKS``.
        weapon: One of ``WEAPONS``: what is made before a creature is attacked.
    """
    kind, goal = split(task)
    parser = _Parser(recipes, weapon)
    return tuple(getattr(parser, kind)(goal))


@dataclass(frozen=True, kw_only=True)
class VandalPlans:
    """The plans of a vandal.

    Attributes:
        plans: (task, weapon) of each plan; tasks without a fight have the weapon ``none``.
        first: int32[tasks]: the plan of each task without a weapon; that with weapon w is w later.
        brackets: The names of brackets.
    """

    plans: tuple[tuple[str, str], ...]
    first: NDArray[np.int32]
    brackets: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Programs(VandalPlans):
    """The subtasks of all plans, as arrays for kernels.

    Attributes:
        draws: bool[tasks]: whether the task draws a weapon.
        kind: int8[plans, length]: kinds of subtasks; -1 after the last.
        code: int8[plans, length]: code of the material, creature, or index of the bracket.
        action: int8[plans, length]: the action of a place or make.
        goal: int8[tasks, 2]: what success is: 0 and the index of an item that is held, 1 and the
            code of a material that is near.
    """

    draws: NDArray[np.bool_]
    kind: NDArray[np.int8]
    code: NDArray[np.int16]
    action: NDArray[np.int8]
    goal: NDArray[np.int8]


_HELD: Final = {"water": "water_bucket", "lava": "lava_bucket"}
"""Items whose possession fulfils a task of another name."""


def compile_programs(
    recipes: Recipes, actions: tuple[str, ...], items: tuple[str, ...]
) -> Programs:
    """The plans of all tasks.

    Args:
        recipes: The rules.
        actions: Names of actions by code.
        items: Names of items in the inventory's order.
    """
    plans: list[tuple[str, str]] = []
    first, draws, goal = [], [], []
    for task in TASKS:
        fights = any(each.kind == SubtaskKind.CHASE for each in subtasks(recipes, task))
        first.append(len(plans))
        draws.append(fights)
        plans += [(task, weapon) for weapon in (WEAPONS if fights else WEAPONS[:1])]
        kind, name = split(task)
        near = {"defeat": f"{name}_dead", "place": name}.get(kind)
        goal.append((1, CODE[near]) if near else (0, items.index(_HELD.get(name, name))))
    lists = [subtasks(recipes, *plan) for plan in plans]
    brackets = tuple(sorted({s.name for each in lists for s in each if s.kind == SubtaskKind.OPEN}))
    shape = (len(plans), max(map(len, lists)) + 1)
    kinds, codes = np.full(shape, -1, np.int8), np.zeros(shape, np.int16)
    acts = np.zeros(shape, np.int8)
    for i, each in enumerate(lists):
        for j, (kind_, name) in enumerate(each):
            kinds[i, j] = kind_
            if kind_ == SubtaskKind.OPEN:
                codes[i, j] = brackets.index(name)
            elif kind_ in (SubtaskKind.GOTO, SubtaskKind.DO, SubtaskKind.PLACE):
                codes[i, j] = CODE[name]
            elif kind_ == SubtaskKind.CHASE:
                codes[i, j] = OBJECT[name]
            if kind_ in (SubtaskKind.PLACE, SubtaskKind.MAKE):
                verb = "place" if kind_ == SubtaskKind.PLACE else "make"
                acts[i, j] = actions.index(f"{verb}_{name}")
    return Programs(
        plans=tuple(plans),
        first=np.array(first, np.int32),
        brackets=brackets,
        draws=np.array(draws),
        kind=kinds,
        code=codes,
        action=acts,
        goal=np.array(goal, np.int8),
    )
