"""What it takes to have items and to stand beside materials, as far as is known.

The cost of something is the sum of the costs of all that it takes: the additive heuristic of Bonet
and Geffner (2001), over the rules that are certain and the map as far as it was seen.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import NamedTuple, TypeVar

from mars_logic.plan.belief_state import Mask
from mars_logic.plan.routes import FAR, STEP
from mars_logic.world.field_values import MOST_NEARBY
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.rules import Collect, Make, Place
from mars_logic.world.theory import Theory

from .ways import Ways

Near = tuple[str, ...]
_Kind = TypeVar("_Kind", Collect, Make, Place)


class _Source(NamedTuple):
    """A way to an item, or to a place beside a material.

    Attributes:
        result: The item or the material.
        steps: What it costs without what it takes.
        uses: The items that it uses up.
        tools: The items that it requires.
        near: The materials that have to be around.
    """

    result: str
    steps: float
    uses: Mapping[str, int] = FrozenMap({})
    tools: Iterable[str] = ()
    near: Iterable[str] = ()


@dataclass
class Supplies:
    """The costs, in steps, at one moment; infinite for what cannot be had as far as is known.

    Attributes:
        ways: The situation.
        theory: The rules, of which those that are uncertain count for nothing.
        had: The step of an episode at which each item was first had: its cost where no source of it
            was seen in this episode.
    """

    ways: Ways
    theory: Theory
    had: Mapping[str, int] = field(default_factory=dict)

    @property
    def held(self) -> Mapping[str, int]:
        """The items held."""
        return self.ways.here.held

    def item(self, item: str) -> float:
        """What one more of an item costs."""
        return self._costs[0].get(item, math.inf)

    def fetching(self, amounts: Mapping[str, int]) -> float:
        """What it costs to have these amounts, with what is held."""
        lacking = {item: n - self.held.get(item, 0) for item, n in amounts.items()}
        return math.fsum(n * self.item(item) for item, n in lacking.items() if n > 0)

    def beside(self, near: Near) -> float:
        """What it costs to stand where all of some materials are around."""
        steps = self._standing(near)
        return steps if steps < math.inf else math.fsum(self._costs[1][each] for each in near)

    def facing(self, material: str) -> float:
        """What it costs to face a material."""
        here = self.ways.here
        cells = here.of_material(material) & ~here.fences
        cost = int(self.ways.to_face[cells].min()) if cells.any() else FAR
        return cost / STEP if cost < FAR else math.inf

    def sites(self, materials: Iterable[str]) -> Iterator[tuple[Near, float]]:
        """Sets of few materials that can be around, each with its cost.

        Of two that do not stand together, one has to be placed.
        """
        listed = [each for each in materials if self._costs[1][each] < math.inf]
        placed = {rule.subject for rule in self._known(Place)}
        for size in range(MOST_NEARBY + 1):
            for near in combinations(listed, size):
                if self._standing(near) < math.inf or placed.intersection(near):
                    yield near, self.beside(near)

    @cached_property
    def _costs(self) -> tuple[dict[str, float], dict[str, float]]:
        """Of items, and of places beside materials."""
        words = self.ways.here.model.words
        items = dict.fromkeys(words.holdable, math.inf)
        places = {material: self._standing((material,)) for material in words.placed_on}
        sources = [(items, each) for each in (*self._collected(), *self._made())]
        sources += [(places, each) for each in self._built()]
        changed = True
        while changed:
            changed = False
            for kind, source in sources:
                cost = source.steps + math.fsum(n * items[i] for i, n in source.uses.items())
                cost += math.fsum(items[i] for i in source.tools if not self.held.get(i))
                cost += math.fsum(places[each] for each in source.near)
                if cost < kind[source.result]:
                    kind[source.result], changed = cost, True
        for item, step in self.had.items():
            if items[item] == math.inf:
                items[item] = float(step)
        return items, places

    def _standing(self, near: Near) -> float:
        """The steps to where all of some materials are around; infinite if that is nowhere."""
        mask: Mask = self.ways.here.routes.nearest_cell < FAR
        for material in near:
            mask = mask & self.ways.near(material)
        steps = self.ways.here.routes.nearest_cell[mask]
        return float(steps.min()) / STEP if steps.size else math.inf

    def _known(self, kind: type[_Kind]) -> Iterator[_Kind]:
        """The rules of a family that are certain but for what leaves the cost as it is."""
        for rule in self.theory.rules():
            if isinstance(rule, kind) and not _DECIDING.intersection(rule.uncertain_fields):
                yield rule

    def _collected(self) -> Iterator[_Source]:
        for rule in self._known(Collect):
            way = self.facing(rule.subject) if rule.collectable else math.inf
            for item, given in rule.yields.items() if way < math.inf else ():
                if item in self.ways.here.model.words.holdable:
                    yield _Source(item, way + 1 / (given.probability or 1), tools=rule.requires)

    def _made(self) -> Iterator[_Source]:
        for rule in self._known(Make):
            yield _Source(rule.subject, 1, rule.uses, near=rule.nearby)

    def _built(self) -> Iterator[_Source]:
        for rule in self._known(Place):
            if rule.subject in self.ways.here.model.words.placed_on:
                yield _Source(rule.subject, 1, rule.uses)


_DECIDING = frozenset({"collectable", "requires", "yields", "uses", "nearby"})
"""The fields that decide what an item costs."""
