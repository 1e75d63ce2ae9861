"""The surroundings of a player whose state is known, and cheapest ways through them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.world.dialect import AREA
from mars_logic.world.rules import Collect
from mars_logic.world.trace_rules import UsingCollect

if TYPE_CHECKING:
    from mars_logic.sim import State
    from mars_logic.world.theory import World

MOVES: Final = ("move_left", "move_right", "move_up", "move_down")
"""The moves, in the order of their codes."""
STEPS: Final = ((-1, 0), (1, 0), (0, -1), (0, 1))
"""Their directions."""
_DIG: Final = "do"
_LAST_DIRECTED: Final = 4
"""Code of the last mark on which things can be placed: bare ground, or prints in one direction."""
_BLOCKED, _GROUND, _DIGGABLE = 0, 1, 2
_ROW: Final = AREA + 2
_JUMPS: Final = tuple(dx * _ROW + dy for dx, dy in STEPS)

Truths = NDArray[np.bool_]
Position = tuple[int, int]
"""A cell (its place in a map with a margin of one cell) and the direction faced."""
Way = list[tuple[Position, str]]
"""Positions, each with the action that is taken there; the last one is the goal's."""


@dataclass(frozen=True)
class Target:
    """Where something can be done.

    Attributes:
        cells: bool[66, 66]: cells of the map, with a margin of one cell.
        faced: Whether the player has to face one of them, or else to stand on one.
    """

    cells: Truths
    faced: bool = True

    def __or__(self, other: Target) -> Target:
        """Facing a cell of either."""
        return Target(self.cells | other.cells)

    def holds(self, position: Position) -> bool:
        """Whether it can be done at a position."""
        cell, facing = position
        return bool(self.cells.flat[cell + _JUMPS[facing] if self.faced else cell])


class Scenery:
    """The map around a player, as the rules of a world let it move.

    Attributes:
        position: The player's.
        beside: Kinds of the objects beside the player, in the order of ``MOVES``.
    """

    def __init__(self, world: World, state: State):
        """Read a state.

        Args:
            world: The rules.
            state: The state.
        """
        self._world, self._state = world, state
        words = world.vocabulary
        self._codes = np.pad(state.materials, 1)
        marks = state.marks if state.marks is not None else np.zeros_like(state.materials)
        self._marks = np.pad(marks, 1)
        self._kinds = np.zeros_like(self._codes)
        self._kinds[state.objects["x"] + 1, state.objects["y"] + 1] = state.objects["kind"]
        cell = (state.x + 1) * _ROW + state.y + 1
        self.position: Position = (cell, STEPS.index(state.facing))
        kinds = [int(self._kinds.flat[cell + jump]) for jump in _JUMPS]
        self.beside = [words.objects[kind] for kind in kinds]

    def affords(self, rule: Collect) -> bool:
        """Whether the player may collect from a material with what it holds."""
        uses = rule.uses if isinstance(rule, UsingCollect) else {}
        needs = (*rule.requires.items(), *uses.items())
        items = self._world.vocabulary.items
        held = self._state.inventory
        return rule.collectable and all(held[items.index(item)] >= n for item, n in needs)

    def facing(self, materials: Collection[str], *, bare: bool = False) -> Target:
        """Facing a material without an object and, if wanted, without a mark on it."""
        found = self._is(materials) & (self._kinds == 0)
        return Target(found & (self._marks == 0) if bare else found)

    def facing_creature(self, kinds: Collection[str]) -> Target:
        """Facing a creature of one of some kinds."""
        names = self._world.vocabulary.objects
        return Target(np.isin(self._kinds, [names.index(kind) for kind in kinds]))

    def placing(self, where: Collection[str]) -> Target:
        """Facing a material on which something can be placed."""
        free = (self._kinds == 0) & (self._marks <= _LAST_DIRECTED)
        return Target(self._is(where) & free)

    def near(self, stations: Collection[str]) -> Target:
        """Standing where all stations lie in the 3 x 3 cells around."""
        found = np.ones_like(self._codes, bool)
        for station in stations:
            of = self._is((station,))
            around = np.zeros_like(of)
            around[1:-1, 1:-1] = np.lib.stride_tricks.sliding_window_view(of, (3, 3)).any((2, 3))
            found &= around
        found[:2] = found[:, :2] = False  # beside these borders nothing counts as nearby
        return Target(found, faced=False)

    def way(self, target: Target) -> Way | None:
        """A cheapest way to a target; None if there is none.

        A step onto ground costs 1; ground that has to be dug first costs a ``do`` more, and a turn
        if it is not faced.
        """
        costs = self._costs.ravel().tolist()
        wanted = target.cells.ravel().tolist()
        came: dict[Position, tuple[Position, str] | None] = {self.position: None}
        waiting: list[list[Position]] = [[self.position], [], []]
        spent: dict[Position, int] = {self.position: 0}
        now = 0
        while any(waiting):
            for position in waiting.pop(0):
                if spent[position] < now:
                    continue
                cell, facing = position
                if wanted[cell + _JUMPS[facing]] if target.faced else wanted[cell]:
                    return self._back(came, position)
                for direction, jump in enumerate(_JUMPS):
                    ahead = costs[cell + jump]
                    if ahead == _GROUND:
                        reached, action, price = (cell + jump, direction), MOVES[direction], 1
                    elif direction != facing:
                        reached, action, price = (cell, direction), MOVES[direction], 1
                    elif ahead == _DIGGABLE:
                        reached, action, price = (cell + jump, direction), _DIG, 2
                    else:
                        continue
                    if spent.get(reached, now + price + 1) > now + price:
                        spent[reached] = now + price
                        came[reached] = position, action
                        waiting[price - 1].append(reached)
            waiting.append([])
            now += 1
        return None

    def is_open(self, way: Sequence[tuple[Position, str]], target: Target) -> bool:
        """Whether a way from here can still be gone, and still leads to its target."""
        if not way or way[0][0] != self.position or not target.holds(way[-1][0]):
            return False
        costs = self._costs.ravel()
        return all(
            here[0][0] == there[0][0] or costs[there[0][0]] == (2 if here[1] == _DIG else 1)
            for here, there in pairwise(way)
        )

    @staticmethod
    def _back(came: dict[Position, tuple[Position, str] | None], position: Position) -> Way:
        way: Way = [(position, "")]
        while (before := came[way[-1][0]]) is not None:
            way.append(before)
        return way[::-1]

    def _is(self, materials: Collection[str]) -> Truths:
        names = self._world.vocabulary.materials
        return np.isin(self._codes, [names.index(material) for material in materials])

    @cached_property
    def _costs(self) -> NDArray[np.int8]:
        """int8[66, 66]: how each cell can be entered."""
        world = self._world
        ground = {
            name
            for name, rule in world.walk.items()
            if rule.walkable and not rule.deadly and rule.health >= 0
        }
        diggable = {
            name
            for name, rule in world.collect.items()
            if self.affords(rule) and not getattr(rule, "uses", None) and self._left(rule) in ground
        }
        costs = np.where(self._is(diggable), np.int8(_DIGGABLE), np.int8(_BLOCKED))
        costs[self._is(ground)] = _GROUND
        costs[self._kinds > 0] = _BLOCKED
        return costs

    def _left(self, rule: Collect) -> str:
        words = self._world.vocabulary
        return words.materials[words.parts(rule.leaves)[0]]
