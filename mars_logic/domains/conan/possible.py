"""Tasks and deeds that a map allows: what the rules can reach from the materials on it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.conan.codes import CODES, OBJECT, OBJECTS, REMAINS
from mars_logic.domains.conan.recipes import ItemRecipe, Recipes
from mars_logic.domains.conan.vandal.tasks import TASKS, parts_of_task, split

CREATURES = frozenset({"cow", "zombie", "skeleton"})


def sources_on(codes: NDArray[np.uint8], kinds: Iterable[int]) -> frozenset[str]:
    """Materials and creatures that are or were on a map.

    Args:
        codes: uint8[64, 64].
        kinds: Codes of the objects on it.
    """
    names = {CODES[code] for code in np.flatnonzero(np.bincount(codes.ravel(), minlength=42))}
    creatures = {OBJECTS[kind] for kind in kinds if kind != OBJECT["arrow"]}
    return frozenset(names | creatures | {REMAINS[name] for name in names & REMAINS.keys()})


class ConanReach:
    """What can be had, placed and killed with given sources.

    Attributes:
        had: Items that can be obtained.
        placed: Things that can be placed.
        sources: The sources.
    """

    def __init__(self, recipes: Recipes, sources: Collection[str]) -> None:
        """Find the least fixpoint of the rules."""
        self.sources = frozenset(sources)
        self.had: set[str] = set()
        self.placed: set[str] = set()
        before = -1
        while before != len(self.had) + len(self.placed):
            before = len(self.had) + len(self.placed)
            for item, ways in (*recipes.collect.items(), *recipes.kill.items()):
                if any(self._allows(way) and way.source in self.sources for way in ways):
                    self.had.add(item)
            for thing, way in recipes.place.items():
                if self._allows(way):
                    self.placed.add(thing)
            for item, way in recipes.make.items():
                if self._allows(way) and way.source in self.placed:
                    self.had.add(item)

    def _allows(self, way: ItemRecipe) -> bool:
        return self.had.issuperset((*way.requires, *way.uses))

    def allows(self, key: str) -> bool:
        """Whether a task, bracket or deed such as ``make_bed`` is possible."""
        verb, _, name = key.partition("_")
        if verb in ("defeat", "kill", "collect", "fill", "drink"):
            return name in self.sources
        if verb == "place":
            return name in self.placed
        if verb == "get":
            return name in self.had or name in self.sources or name == "drink"
        if verb in ("make", "eat"):
            return name in self.had
        return key not in ("wood_sword", "stone_sword", "iron_sword") or key in self.had

    def tasks(self, among: Iterable[str] = TASKS) -> tuple[str, ...]:
        """The possible ones of some tasks."""
        return tuple(task for task in among if all(map(self._task, parts_of_task(task))))

    def _task(self, task: str) -> bool:
        kind, goal = split(task)
        if kind == "get" and goal == "drink":
            return "water" in self.sources
        return goal in self.had if kind == "get" else self.allows(task)


@lru_cache(maxsize=4096)
def _reach(key: tuple[int, frozenset[str]]) -> ConanReach:
    return ConanReach(_RECIPES[key[0]], key[1])


_RECIPES: dict[int, Recipes] = {}


def reach(recipes: Recipes, sources: frozenset[str]) -> ConanReach:
    """The reach of sources, kept for maps with the same ones."""
    _RECIPES[id(recipes)] = recipes
    return _reach((id(recipes), sources))
