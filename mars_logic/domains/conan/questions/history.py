"""What happened in a scene, read from its log: deeds, the brackets around them, uses of units."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.conan.codes import CODES, ITEMS, OBJECTS
from mars_logic.domains.conan.recipes import Recipes
from mars_logic.domains.conan.vandal.log import Event, Why

Cell = tuple[int, int]
Box = tuple[int, int, int, int]
"""Bounds of an area: least x, least y, greatest x, greatest y; all included."""


class Subject(NamedTuple):
    """What a question is about.

    Attributes:
        cell: The marked cell, or None.
        name: The name in the question's text, or None.
        box: The marked area, or None.
    """

    cell: Cell | None = None
    name: str | None = None
    box: Box | None = None


YIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "tree": ("wood",),
    "apple_tree": ("wood", "apple"),
    "stone": ("stone",),
    "coal": ("coal",),
    "iron": ("iron",),
    "diamond": ("diamond",),
}
"""Items that a material yields when it is collected."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """A part of a plan that was carried out: from step ``first`` to step ``last``."""

    name: str
    parent: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Deed:
    """Something done: collect, place, make, kill, drink, eat, fill or sleep.

    Attributes:
        kind: The verb.
        name: The material, thing, creature or item.
        step: Steps when it was over.
        cell: The cell it is about; the agent's own if it is about none.
        bracket: Index of the innermost open bracket, or -1.
        why: Whether it was planned, cleared the way, or an arrow did it.
        weapon: The sword of a kill, or None.
    """

    kind: str
    name: str
    step: int
    cell: Cell
    bracket: int
    why: Why
    weapon: str | None

    @property
    def key(self) -> str:
        """Verb and name, such as ``collect_tree``."""
        return f"{self.kind}_{self.name}"


@dataclass(frozen=True)
class History:
    """The brackets and deeds of a scene in order.

    Attributes:
        task: The task.
        brackets: Brackets in the order in which they were opened.
        deeds: Deeds in order.
        trail: int[steps + 1, 2]: the position at the beginning and after each step.
        recipes: The rules, for the uses of units.
        outcome: How survival ended; empty if the vandal had a task.
        saved_by: What would have kept it alive.
        ends: Steps at which brackets were closed, by index; those that were not are missing.
    """

    task: str
    brackets: Sequence[Bracket]
    deeds: Sequence[Deed]
    trail: NDArray[np.int64]
    recipes: Recipes = field(repr=False)
    outcome: str = ""
    saved_by: tuple[str, ...] = ()
    ends: Mapping[int, int] = field(default_factory=dict, repr=False)

    @property
    def brackets_with_ends(self) -> Iterator[tuple[Bracket, int | None]]:
        """Brackets, each with the step at which it was closed, or None."""
        for index, bracket in enumerate(self.brackets):
            yield bracket, self.ends.get(index)

    @cached_property
    def uses(self) -> Mapping[int, Mapping[str, int | None]]:
        """The deed on which each collected unit was spent, by deed and item; None if on none.

        Units are spent first in, first out.
        """
        return dict(_spent(self.deeds, self.recipes))

    @cached_property
    def changed(self) -> Mapping[Cell, int]:
        """The last deed that changed each cell, by its index."""
        return {
            deed.cell: index
            for index, deed in enumerate(self.deeds)
            if deed.kind in ("collect", "place", "kill")
        }

    @cached_property
    def arrivals(self) -> Mapping[Cell, int]:
        """The first step at which the agent stood on each cell."""
        found: dict[Cell, int] = {}
        for step, (x, y) in enumerate(self.trail.tolist()):
            found.setdefault((x, y), step)
        return found

    def around(self, index: int) -> Iterator[str]:
        """The names of the brackets around a bracket or deed, the innermost first."""
        while index >= 0:
            yield self.brackets[index].name
            index = self.brackets[index].parent

    @cached_property
    def boxes(self) -> Sequence[Box]:
        """The bounding box of the positions and deeds of each bracket."""
        return [self._box(bracket) for bracket in self.brackets]

    @cached_property
    def whole(self) -> Box:
        """The bounding box of all positions and deeds."""
        return self._box(Bracket("", -1, 0, len(self.trail)))

    def _box(self, bracket: Bracket) -> Box:
        cells = self._cells[bracket.first : bracket.last + 1]
        cells = cells + [d.cell for d in self.deeds if bracket.first < d.step <= bracket.last]
        xs, ys = zip(*cells, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    @cached_property
    def _cells(self) -> list[Cell]:
        return [(x, y) for x, y in self.trail.tolist()]


def history_of(
    events: NDArray[np.void],
    trail: NDArray[np.int64],
    task: str,
    names: Sequence[str],
    recipes: Recipes,
    outcome: str = "",
    saved_by: tuple[str, ...] = (),
) -> History:
    """Read a log.

    Args:
        events: Records of ``log.EVENT_DTYPE``.
        trail: int[steps + 1, 2]: positions.
        task: The task.
        names: Names of brackets.
        recipes: The rules.
        outcome: How survival ended; empty if the vandal had a task.
        saved_by: What would have kept it alive.
    """
    opened: list[tuple[str, int, int]] = []
    ended: dict[int, int] = {}
    deeds: list[Deed] = []
    stack: list[int] = []
    for step, kind, code, x, y, why, weapon in events.tolist():
        inside = stack[-1] if stack else -1
        if kind == Event.OPEN:
            stack.append(len(opened))
            opened.append((names[code], inside, step))
        elif kind == Event.CLOSE:
            if stack:
                ended[stack.pop()] = step
        else:
            held = ITEMS[weapon] if weapon >= 0 else None
            verb = Event(kind).name.lower()
            deeds.append(Deed(verb, _name(kind, code), step, (x, y), inside, Why(why), held))
    last = len(trail) - 1
    brackets = [
        Bracket(name, parent, first, ended.get(index, last))
        for index, (name, parent, first) in enumerate(opened)
    ]
    return History(task, brackets, deeds, trail, recipes, outcome, saved_by, ended)


def _name(kind: int, code: int) -> str:
    if kind in (Event.MAKE, Event.EAT):
        return ITEMS[code]
    if kind == Event.KILL:
        return OBJECTS[code]
    if kind == Event.DRINK:
        return "water"
    return CODES[code]


def _spent(
    deeds: Sequence[Deed], recipes: Recipes
) -> Iterator[tuple[int, Mapping[str, int | None]]]:
    stock: dict[str, deque[int]] = defaultdict(deque)
    spent: dict[int, dict[str, int | None]] = {}
    for index, deed in enumerate(deeds):
        for item, number in _consumed(deed, recipes).items():
            for _ in range(number):
                if stock[item]:
                    spent[stock[item].popleft()][item] = index
        if deed.why != Why.ARROW:
            for item, number in _obtained(deed, recipes).items():
                spent.setdefault(index, {})[item] = None
                stock[item].extend([index] * number)
    yield from spent.items()


def _obtained(deed: Deed, recipes: Recipes) -> Mapping[str, int]:
    if deed.kind == "collect":
        return dict.fromkeys(YIELDS.get(deed.name, ()), 1)
    if deed.kind == "make":
        return {deed.name: 1}
    if deed.kind == "fill":
        return {f"{deed.name}_bucket": 1}
    if deed.kind == "kill":
        found = [item for item, ways in recipes.kill.items() if ways[0].source == deed.name]
        return dict.fromkeys(found, 2)
    return {}


def _consumed(deed: Deed, recipes: Recipes) -> Mapping[str, int]:
    if deed.kind == "place":
        way = recipes.place.get(deed.name)
        return way.uses if way else {deed.name: 1}  # a stone to cross water or lava
    if deed.kind == "make":
        return recipes.make[deed.name].uses
    if deed.kind == "fill":
        return {"bucket": 1}
    if deed.kind == "eat":
        return {deed.name: 1}
    return {}
