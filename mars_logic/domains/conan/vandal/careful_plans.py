"""Plans of the careful vandal: a proof and an order of ingredients, as a table for kernels.

A plan says how much of each item is to be held when, not how often something is done: what was
collected to clear the way counts, and a station that stands near is used again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.conan.codes import ACTION, CODE, CODES, ITEM, OBJECT
from mars_logic.domains.conan.recipes import Recipes
from mars_logic.domains.conan.vandal.proofs import Name, Proof, ProofGraph
from mars_logic.domains.conan.vandal.tasks import parts_of_task, split

SWORDS: Final = ("none", "wood_sword", "stone_sword", "iron_sword")
"""Weapons that a careful vandal draws from before it attacks a creature."""
NEEDS: Final = ("need_food", "need_drink", "need_energy")
"""Brackets of what a vandal does to stay alive, in the order of the inventory."""
FLEE: Final = "flee"
"""The bracket of steps away from a monster."""
HELD: Final = {"water": "water_bucket", "lava": "lava_bucket"}
"""Items that are held of what is collected under another name."""


class Op(IntEnum):
    """Operations of a plan; columns 1 to 4 are their arguments."""

    END = 0
    OPEN = 1  # bracket, item that makes it needless (-1: none), how many of it, the operation after
    CLOSE = 2
    GATHER = 3  # mask of sources, item, how many are to be held
    HUNT = 4  # creature, item (-1: a kill), how many
    STATION = 5  # bracket, code, mask of what it costs, its BESIDE; units in column 5
    PLACE = 6  # code, action, the operation that begins to collect what it costs
    BESIDE = 7  # code, its STATION
    MAKE = 8  # item, action, how many are to be held, the BESIDE of its station (-1: none)
    DRINK = 9  # the points to reach
    SURVIVE = 10


class Masks:
    """Sets of codes that operations name by number."""

    def __init__(self) -> None:
        self._numbers: dict[frozenset[str], int] = {}

    def number(self, materials: frozenset[str]) -> int:
        """The number of a set of materials."""
        return self._numbers.setdefault(materials, len(self._numbers))

    @property
    def table(self) -> NDArray[np.uint8]:
        """uint8[n, 42], n at least 1."""
        table = np.zeros((max(len(self._numbers), 1), len(CODES)), np.uint8)
        for materials, number in self._numbers.items():
            table[number, [CODE[each] for each in materials]] = True
        return table


def brackets_of(recipes: Recipes) -> tuple[str, ...]:
    """Names of all brackets that logs of a world can hold."""
    ways = [way for each in recipes.collect.values() for way in each]
    names = {f"get_{way.source}" for way in ways} | {"get_water"}
    names |= {f"make_{item}" for item in recipes.make} | {f"place_{t}" for t in recipes.place}
    names |= {f"defeat_{name}" for name in ("cow", "zombie", "skeleton")}
    return tuple(sorted(names | {*NEEDS, FLEE}))


@dataclass
class PlanWriter:
    """Writes one plan.

    Attributes:
        graph: The world's recipes.
        proof: What may be used.
        masks: Sets of sources.
        brackets: Names of brackets.
        rng: Draws the order of ingredients.
        weapon: What is made before a creature is attacked.
    """

    graph: ProofGraph
    proof: Proof
    masks: Masks
    brackets: Mapping[str, int]
    rng: np.random.RandomState
    weapon: str = "none"
    rows: list[list[int]] = field(default_factory=list)
    _stock: Counter[str] = field(default_factory=Counter)
    _kills: Counter[str] = field(default_factory=Counter)

    def task(self, task: str) -> None:
        """Write all parts of a task, in random order."""
        parts = parts_of_task(task)
        for number in self.rng.permutation(len(parts)):
            kind, goal = split(parts[number])
            if kind == "defeat":
                self._defeat(goal, None)
            elif kind == "place":
                self._place(goal, station=False)
            elif goal == "drink":
                self._open("get_water", None)
                self._add(Op.DRINK, 9)
                self._close()
            else:
                self._have(goal)

    def finished(self) -> NDArray[np.int16]:
        """The plan: int16[n, 6], the last operation END."""
        return np.array([*self.rows, [Op.END, 0, 0, 0, 0, 0]], np.int16)

    def _add(self, op: Op, *arguments: int) -> int:
        self.rows.append([op, *arguments, *[0] * (5 - len(arguments))])
        return len(self.rows) - 1

    def _open(self, bracket: str, item: str | None) -> int:
        level = self._stock[item] + 1 if item else 0
        return self._add(Op.OPEN, self.brackets[bracket], ITEM[item] if item else -1, level)

    def _close(self, opened: int = -1) -> None:
        self._add(Op.CLOSE)
        if opened >= 0:
            self.rows[opened][4] = len(self.rows)

    def _have(self, item: str) -> None:
        if item in self.graph.recipes.make:
            self._make(item)
        else:
            self._get(item)

    def _get(self, item: str) -> None:
        held = HELD.get(item, item)
        ways = self.graph.ways(item, self.proof)
        if item in self.graph.recipes.kill:
            self._defeat(str(ways[0].source), held)
            return
        sources = frozenset(str(way.source) for way in ways)
        first = min(sources, key=lambda name: name != "tree")
        opened = self._open(f"get_{first}", held)
        for tool in dict.fromkeys(tool for way in ways for tool in way.requires):
            if not self._stock[tool]:
                self._have(tool)
        for other, number in ways[0].uses.items():
            for _ in range(number):
                self._have(other)
        self._add(Op.GATHER, self.masks.number(sources), ITEM[held], self._stock[held] + 1)
        self._close(opened)
        self._stock.subtract(ways[0].uses)
        self._stock[held] += 1

    def _ingredients(self, uses: Mapping[str, int]) -> None:
        units = [item for item, number in uses.items() for _ in range(number)]
        for number in self.rng.permutation(len(units)):
            self._have(units[number])

    def _make(self, item: str) -> None:
        way = self.graph.recipes.make[item]
        opened = self._open(f"make_{item}", item)
        for tool in way.requires:
            if not self._stock[tool]:
                self._have(tool)
        self._ingredients(way.uses)
        beside = self._place(way.source, station=True) if way.source else -1
        self._add(Op.MAKE, ITEM[item], ACTION[f"make_{item}"], self._stock[item] + 1, beside)
        self._close(opened)
        self._stock.subtract(way.uses)
        self._stock[item] += 1

    def _place(self, thing: str, *, station: bool) -> int:
        """Write the placing of a thing; return the operation that walks to a station."""
        uses = self.graph.recipes.place[thing].uses
        bracket = f"place_{thing}"
        if station:
            first = next(iter(uses))
            ways = self.graph.ways(first, self.proof)
            cost = self.masks.number(frozenset(str(way.source) for way in ways if way.source))
            opened = self._add(Op.STATION, self.brackets[bracket], CODE[thing], cost, 0)
            self.rows[opened][5] = sum(uses.values())
        else:
            opened = self._open(bracket, None)
        self._ingredients(uses)
        self._add(Op.PLACE, CODE[thing], ACTION[f"place_{thing}"], opened)
        self._close()
        self._stock.subtract(uses)
        if not station:
            return -1
        self.rows[opened][4] = self._add(Op.BESIDE, CODE[thing], opened)
        return self.rows[opened][4]

    def _defeat(self, creature: str, item: str | None) -> None:
        opened = self._open(f"defeat_{creature}", item)
        if self.weapon != "none" and not self._stock[self.weapon]:
            self._make(self.weapon)
        if item:
            self._stock[item] += 1
            self._add(Op.HUNT, OBJECT[creature], ITEM[item], self._stock[item])
        else:
            self._kills[creature] += 1
            self._add(Op.HUNT, OBJECT[creature], -1, self._kills[creature])
        self._close(opened if item else -1)


def aims_of(task: str, weapon: str) -> tuple[Name, ...]:
    """What a task needs proofs of."""
    aims: list[Name] = [("item", weapon)] if weapon != "none" else []
    for part in parts_of_task(task):
        kind, goal = split(part)
        if kind == "place":
            aims.append(("thing", goal))
        elif kind != "defeat" and goal != "drink":
            aims.append(("item", goal))
    return tuple(aims)
