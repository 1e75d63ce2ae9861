"""What to try next, of placing and making of which nothing is known.

A try that fails uses up nothing, and at one place all that may be made there is tried with the same
items, a step each. So one set of items, and one place, is chosen for all open rules together: that
with which the most rules are expected to work for what it costs. Of tries that each work with some
probability at some cost, the one with the greatest ratio comes first (Kadane and Simon, 1977).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.frozen import FrozenMap

from .information_gain import achievement
from .posterior import Posterior
from .recipes import Recipe
from .supplies import Supplies

_BEGIN: Final = 3
"""How many of the best values a set of items is begun with, one after the other."""
Amounts = NDArray[np.int64]
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Try:
    """What to try next.

    Attributes:
        rule: The rule that is the most likely to work then; "" if nothing can be tried.
        fields: For each open rule, its fields as it is to be tried.
        works: How many of the rules are expected to work then.
        cost: The steps to where it is tried, with all that it takes.
    """

    rule: str
    fields: Mapping[str, Mapping[str, Any]]
    works: float = 0.0
    cost: float = 0.0

    @property
    def near(self) -> tuple[str, ...]:
        """The materials that are around, or of which one is faced."""
        fields = self.fields[self.rule]
        found: tuple[str, ...] = fields["where" if "where" in fields else "nearby"]
        return found

    @property
    def opens(self) -> str:
        """The achievement of the rule."""
        return achievement(self.rule)

    @property
    def closed(self) -> frozenset[str]:
        """The achievements of the other open rules, if one is tried."""
        return frozenset(achievement(r) for r in self.fields if r != self.rule and self.rule)


def next_try(
    posterior: Posterior,
    rules: Sequence[str],
    supplies: Supplies,
    left: float,
    avoided: Set[tuple[str, ...]] = frozenset(),
) -> Try | None:
    """The try for some open rules that makes the most of its cost; None without such rules.

    Args:
        posterior: The probabilities.
        rules: The open rules of placing and making.
        supplies: What items and places cost.
        left: The steps that are left.
        avoided: Places that turned out not to be reached, by the materials around or faced.
    """
    recipes = {rule: posterior.recipe(rule) for rule in rules}
    recipes = {rule: recipe for rule, recipe in recipes.items() if recipe.uses}
    if not recipes:
        return None
    table = _Table(recipes, supplies)
    best, chosen = 0.0, None
    alone: dict[str, tuple[float, dict[str, Any]]] = dict.fromkeys(recipes, (-1.0, {}))
    for family, site, near, cost in _places(posterior, table, supplies):
        open_ = {r: table.open(r, site) for r in recipes if r.startswith(family)}
        for rule, works in open_.items():
            value = int(np.argmax(ratios := works / (1 + cost + table.fetching)))
            if ratios[value] > alone[rule][0]:
                alone[rule] = ratios[value], _fields(rule, table.values[value], near)
        if near in avoided:
            continue
        kit = table.kit(np.sum([*open_.values()], axis=0), cost)
        if kit.ratio > best and kit.cost <= left:
            rule = max(open_, key=lambda each: open_[each][table.covered(kit.amounts)].sum())
            best, chosen = kit.ratio, (rule, kit, near)
    fields = {rule: found for rule, (_, found) in alone.items() if found}
    if chosen is None:
        return Try("", fields)
    rule, kit, near = chosen
    fields[rule] = _fields(rule, table.uses(rule, near, kit), near)
    return Try(rule, fields, kit.works, kit.cost)


def _fields(rule: str, uses: Mapping[str, int], near: tuple[str, ...]) -> dict[str, Any]:
    return {"uses": uses, "where" if rule.startswith("place") else "nearby": near}


def _places(
    posterior: Posterior, table: _Table, supplies: Supplies
) -> Iterator[tuple[str, Any, tuple[str, ...], float]]:
    """Where something may be tried: the family of rules, the site, its materials, its cost."""
    makes = [rule for rule in table.recipes if rule.startswith("make")]
    materials = dict.fromkeys(m for rule in makes for m in posterior.beside(rule))
    for near, cost in supplies.sites(materials) if makes else ():
        yield "make", frozenset(near), near, cost
    if len(makes) < len(table.recipes):
        for ground in posterior.words.left:
            if (cost := supplies.facing(ground)) < np.inf:
                yield "place", ground, (ground,), cost


@dataclass(frozen=True)
class _Kit:
    """Items to have.

    Attributes:
        amounts: int64[items]: how many of each.
        works: How many rules are expected to work.
        cost: What it costs to have them at the place.
    """

    amounts: Amounts
    works: float
    cost: float

    @property
    def ratio(self) -> float:
        """What a step is worth."""
        return self.works / (1 + self.cost)


class _Table:
    """The values of ``uses`` of some recipes as arrays.

    Attributes:
        recipes: The posterior of each rule.
        values: All values.
        fetching: float64[values]: what it costs to have all that each value takes.
    """

    def __init__(self, recipes: Mapping[str, Recipe], supplies: Supplies) -> None:
        self.recipes = recipes
        self.values = list(dict.fromkeys(v for recipe in recipes.values() for v in recipe.uses))
        self._items = list(dict.fromkeys(item for value in self.values for item in value))
        place = {item: n for n, item in enumerate(self._items)}
        self._needs = np.zeros((len(self.values), len(self._items)), np.int64)
        for row, value in enumerate(self.values):
            for item, amount in value.items():
                self._needs[row, place[item]] = amount
        self._held = np.array([supplies.held.get(item, 0) for item in self._items], np.int64)
        self._price = np.array([supplies.item(item) for item in self._items])
        self.fetching = np.array([supplies.fetching(value) for value in self.values])
        rows = {value: row for row, value in enumerate(self.values)}
        self._groups: dict[str, dict[Any, NDArray[np.int64]]] = {}
        self._weights: dict[str, Numbers] = {}
        for rule, recipe in recipes.items():
            weights = np.zeros(len(self.values))
            groups: dict[Any, list[int]] = {}
            for value, weight in recipe.uses.items():
                weights[rows[value]] = weight
                groups.setdefault(recipe.failed(value), []).append(rows[value])
            self._weights[rule] = weights
            self._groups[rule] = {k: np.array(each, np.int64) for k, each in groups.items()}

    def open(self, rule: str, site: Any) -> Numbers:
        """float64[values]: the probability that a value is so, and the site is open."""
        found = np.zeros(len(self.values))
        for rows in self._groups[rule].values():
            open_ = self.recipes[rule].open(site, self.values[rows[0]])
            found[rows] = self._weights[rule][rows] * open_
        return found

    def covered(self, amounts: Amounts) -> NDArray[np.bool_]:
        """bool[values]: what can be tried with these amounts and what is held."""
        found: NDArray[np.bool_] = np.all(self._needs <= np.maximum(amounts, self._held), axis=1)
        return found

    def kit(self, works: Numbers, steps: float) -> _Kit:
        """The items with the greatest ratio, found by adding one after the other.

        Args:
            works: float64[values]: how many rules have a value and work at the place.
            steps: What the place costs.
        """
        single = works / (1 + steps + self.fetching)
        begins = [np.zeros(len(self._items), np.int64)]
        begins += [self._needs[row] for row in np.argsort(-single)[:_BEGIN] if single[row] > 0]
        kits = (self._extended(amounts, works, steps) for amounts in begins)
        return max(kits, key=lambda kit: kit.ratio)

    def _extended(self, amounts: Amounts, works: Numbers, steps: float) -> _Kit:
        """Items, with as many more as raise the ratio."""
        have = np.maximum(amounts, self._held)
        while True:
            lacking = np.maximum(self._needs - have, 0)
            number = lacking.sum(axis=1)
            more = works[number == 1] @ (lacking[number == 1] > 0)
            bought = have - self._held
            paid = bought > 0
            cost = steps + float((bought[paid] * self._price[paid]).sum())
            kit = _Kit(np.where(paid, have, 0), float(works[number == 0].sum()), cost)
            ratios = np.where(have < MAXIMUM, (kit.works + more) / (1 + cost + self._price), 0.0)
            if not ratios.size or ratios.max() <= kit.ratio:
                return kit
            have = have.copy()
            have[int(np.argmax(ratios))] += 1

    def uses(self, rule: str, near: tuple[str, ...], kit: _Kit) -> FrozenMap[str, int]:
        """What to have to try a rule: the items, and the likeliest value that they allow."""
        site = near[0] if rule.startswith("place") else frozenset(near)
        works = np.where(self.covered(kit.amounts), self.open(rule, site), -1.0)
        value = self._needs[int(np.argmax(works))]
        amounts = np.maximum(kit.amounts, value)
        return FrozenMap({self._items[n]: int(amounts[n]) for n in np.flatnonzero(amounts)})
