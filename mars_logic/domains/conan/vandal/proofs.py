"""Minimal proofs of aims from a world's recipes, by ``games/recipe_proofs.lp``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import clingo

from mars_logic.domains.conan.recipes import ItemRecipe, Recipes
from mars_logic.system import resources
from mars_logic.system.interruptions import held_back

Name = tuple[str, str]
"""``item`` or ``thing``, and its name: a bed in the hand is not one that stands."""
Proof = frozenset[Name]
"""All items and things that an aim needs, itself included."""

FOOD: Final = ("item", "food")
"""The aim to have something that can be eaten."""
_EACH: Final = ("0", "--warn=none")


@dataclass(frozen=True)
class ProofGraph:
    """The AND/OR graph of a world's recipes.

    Attributes:
        recipes: The recipes.
        foods: Items that can be eaten.
    """

    recipes: Recipes
    foods: tuple[str, ...]

    def proofs(self, aim: Name) -> tuple[Proof, ...]:
        """The minimal proofs of an aim, sorted; none if it cannot be had."""
        if aim not in self._proofs:
            found = set(self._solved(aim))
            minimal = (each for each in found if not any(other < each for other in found))
            self._proofs[aim] = tuple(sorted(minimal, key=sorted))
        return self._proofs[aim]

    @cached_property
    def _proofs(self) -> dict[Name, tuple[Proof, ...]]:
        return {}

    def ways(self, item: str, proof: Proof) -> tuple[ItemRecipe, ...]:
        """The ways to collect or win an item that need nothing outside a proof."""
        found = (*self.recipes.collect.get(item, ()), *self.recipes.kill.get(item, ()))
        return tuple(
            way
            for way in found
            if all(("item", each) in proof for each in (*way.requires, *way.uses))
        )

    @cached_property
    def facts(self) -> str:
        """The facts that the program reads, without the aim."""
        lines = []
        for number, (name, needs) in enumerate(self._ways()):
            lines.append(f"way({_term(name)}, {number}).")
            lines += [f"needs({number}, {_term(each)})." for each in needs]
        return "\n".join(lines)

    def _ways(self) -> Iterator[tuple[Name, list[Name]]]:
        recipes = self.recipes
        for found in (recipes.collect, recipes.kill):
            for item, ways in found.items():
                for way in ways:
                    yield ("item", item), _items({**way.requires, **way.uses})
        for item, way in recipes.make.items():
            stations = [("thing", way.source)] if way.source else []
            yield ("item", item), [*_items({**way.requires, **way.uses}), *stations]
        for thing, way in recipes.place.items():
            yield ("thing", thing), _items({**way.requires, **way.uses})
        for food in self.foods:
            yield FOOD, [("item", food)]

    def _solved(self, aim: Name) -> Iterator[Proof]:
        control = clingo.Control(list(_EACH))
        control.load(resources.encoding("games/recipe_proofs.lp"))
        control.add("base", [], f"{self.facts}\naim({_term(aim)}).")
        control.ground([("base", [])])
        with held_back(), control.solve(yield_=True) as handle:
            for model in handle:
                atoms = [atom for atom in model.symbols(atoms=True) if atom.name == "needed"]
                names = (atom.arguments[0].arguments for atom in atoms)
                yield frozenset((kind.name, name.name) for kind, name in names)


def _term(name: Name) -> str:
    return f"name({name[0]}, {name[1]})"


def _items(amounts: Mapping[str, int]) -> list[Name]:
    return [("item", item) for item in amounts]
