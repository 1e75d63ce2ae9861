"""Random worlds of both dialects, with added names or not, of all kinds of rules."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from functools import partial
from typing import Any

import yaml

from mars_logic import World, load_world
from mars_logic.world import names
from mars_logic.world.load import parse_theory
from mars_logic.world.rules import FAMILIES, Collect, Rule, Walk
from mars_logic.world.validate import FIXED_IN_CRAFTER
from tests.logic.mutants import EIGHT, NINE, PAPER, mutant

_PROBABILITIES = (0.0, 1e-7, 0.1, 0.25, 1 / 3, 0.5, 0.9, 0.9999999, 1.0)
_CHANCES = (0.0, 0.1, 0.5, 0.9, 1.0, 1.0)
_LEAST = 1e-9
"""Less likely things would fall between the numbers that are drawn."""
_MATERIALS = names.MATERIALS[1:]
_ADDED = ("copper", "kiln", "slate", "moss", "tin", "amber", "jade", "reed", "ash", "bone")


def any_world(dice: random.Random) -> World:
    """A world of either dialect: bundled, mutated, or of rules that may be anything valid."""
    kind = dice.random()
    if kind < 0.1:
        return load_world(dice.choice(NINE + PAPER))
    if kind < 0.2:
        return mutant(dice.randrange(100_000))
    world = load_world("crafter" if kind < 0.4 else dice.choice(EIGHT))
    share = dice.choice((0.2, 0.6, 1.0))
    drawn = [
        kind(subject=subject, **_fields(kind, subject, world.dynamics, dice))
        for kind in FAMILIES
        if not (world.dynamics == "crafter" and kind.family in FIXED_IN_CRAFTER)
        for subject in kind.subjects
        if dice.random() < share
    ]
    return world.with_rules(*drawn)


def _fields(kind: type[Rule], subject: str, dynamics: str, dice: random.Random) -> dict[str, Any]:
    """Any values for the fields of a rule; small amounts are more likely, so that rules apply."""
    natural = dice.choice(names.NATURAL)
    match kind.family:
        case "neighbour":
            free = subject not in ("player", "water", "tree")
            return {"material": None if free and dice.random() < 0.2 else natural}
        case "rename":
            return {"material": dice.choice((subject, natural))}
        case "walk":
            return {
                "walkable": dice.random() < 0.6,
                "health": _small(dice),
                "deadly": dice.random() < 0.2,
            }
        case "creature":
            return {
                name: _small(dice) if name.endswith("_factor") else dice.random() < 0.5
                for name in kind.field_names()
            }
        case "drink":
            return {name: _small(dice) for name in kind.field_names()}
        case "collect":
            spawns = {dice.choice(names.CREATURES): dice.choice(_PROBABILITIES)}
            return {
                "collectable": dice.random() < 0.8,
                "requires": _amounts(dice, dice.choice((0, 0, 1, 1, 3))),
                "yields": _yields(dynamics, dice),
                "leaves": natural,
                "spawns": spawns if dice.random() < 0.5 else {},
            }
        case "place":
            where = dice.sample(_MATERIALS, dice.randint(0, 8))
            return {"uses": _amounts(dice, dice.choice((0, 1, 1, 2))), "where": where}
    nearby = dice.sample(_MATERIALS, dice.choice((0, 1, 1, 2, 3)))
    uses = _amounts(dice, dice.choice((0, 1, 1, 2)))
    return {"uses": uses, "nearby": nearby, "gives": dice.choice((1, 1, 2, 9))}


def own_world(dice: random.Random) -> World:
    """A world that adds names, with rules about them that may be anything valid."""
    materials = dice.sample(_ADDED, dice.randint(1, 6))
    items = dice.sample(_ADDED, dice.randint(1, 6))
    kinds = {
        "walk": materials,
        "collect": [*materials, "tree", "stone"],
        "place": dice.sample(materials, dice.randint(0, len(materials))),
        "make": dice.sample(items, dice.randint(0, len(items))),
        "eat": dice.sample(items, dice.randint(0, len(items))),
    }
    stated: dict[str, Any] = {
        "base": dice.choice(("default", "crafter")),
        "adds": {"materials": materials, "items": items},
    }
    for family, subjects in kinds.items():
        of = partial(_own_fields, family, materials, items, stated["base"], dice)
        stated[family] = {subject: of() for subject in subjects}
    if dice.random() < 0.7:
        stated |= _cell_rules((*_MATERIALS, *materials), dice)
    world = parse_theory(yaml.safe_dump(stated), "own.yaml")
    assert isinstance(world, World)
    return world


def _cell_rules(materials: Sequence[str], dice: random.Random) -> dict[str, Any]:
    """Rules about cells that are pushed or change by themselves, some of each family or none."""

    def some(most: int) -> list[str]:
        return dice.sample(materials, dice.randint(0, most))

    stated: dict[str, Any] = {"push": {}, "beside": {}, "timer": {}}
    for subject in some(4):
        onto = dice.sample(materials, dice.randint(1, 8))
        becomes = {ground: dice.choice(materials) for ground in onto if dice.random() < 0.4}
        leaves = dice.choice(materials)
        stated["push"][subject] = {"onto": onto, "leaves": leaves, "becomes": becomes}
    for subject in some(4):
        becomes = {other: dice.choice(materials) for other in (*some(3), dice.choice(materials))}
        chance = dice.choice(_CHANCES)
        stated["beside"][subject] = {"becomes": becomes, "chance": chance}
    for subject in some(4):
        stated["timer"][subject] = {
            "becomes": dice.choice(materials),
            "after": dice.choice((1, 1, 2, 10, 250)),
            "chance": dice.choice(_CHANCES),
            "when": dice.choice(("always", "always", "day", "night")),
            "near": some(2),
        }
    return {family: rules for family, rules in stated.items() if rules}


def _own_fields(
    family: str, materials: list[str], items: list[str], base: str, dice: random.Random
) -> dict[str, Any]:
    everything, held = (*_MATERIALS, *materials), (*names.HOLDABLE, *items)
    uses = {item: _amount(dice) for item in dice.sample(held, dice.choice((0, 1, 1, 2)))}
    nearby = dice.sample(everything, dice.choice((0, 1, 1, 2)))
    match family:
        case "walk":
            return _fields(Walk, "stone", base, dice)
        case "collect":
            usual = _fields(Collect, "stone", base, dice)
            own = {item: {"amount": 1} for item in dice.sample(items, dice.choice((0, 1, 1)))}
            leaves = dice.choice((*names.NATURAL, *materials, *materials))
            return usual | {"requires": uses, "yields": usual["yields"] or own, "leaves": leaves}
        case "place":
            return {"uses": uses, "where": dice.sample(everything, dice.randint(0, 8))}
        case "make":
            return {"uses": uses, "nearby": nearby, "gives": dice.choice((1, 1, 2, 9))}
    left = {"leaves": dice.choice(held)} if dice.random() < 0.3 else {}
    return {vital: _small(dice) for vital in ("food", "health", "drink")} | left


def _small(dice: random.Random) -> int:
    return dice.choice((-1, 0, 0, 1, dice.randint(-9, 9)))


def _amounts(dice: random.Random, number: int) -> dict[str, int]:
    return {item: _amount(dice) for item in dice.sample(names.HOLDABLE, number)}


def _amount(dice: random.Random) -> int:
    return dice.choice((1, 1, 2, dice.randint(1, 9)))


def _yields(dynamics: str, dice: random.Random) -> dict[str, Any]:
    """Up to four yields: in crafter with one probability, in mars with any, often summing to 1."""
    items = dice.sample(names.GAINS, dice.choice((0, 1, 2, 2, 3, 4)))
    if dynamics == "crafter":
        chance = dice.choice((None, 1.0, *_PROBABILITIES))
        items = items[: math.floor(1 / (chance or 0.1))]
        return {item: {"amount": _amount(dice), "probability": chance} for item in items}
    left = 1.0
    given = {}
    for item in items:
        chance = dice.choice((None, left, *(left * p for p in dice.sample(_PROBABILITIES, 2))))
        if chance is not None and chance < _LEAST:
            chance = 0.0
        left = max(0.0, left - (chance or 0))
        given[item] = {"amount": _amount(dice), "probability": chance}
    return given
