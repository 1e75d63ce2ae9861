"""Unusual worlds: bundled worlds with many fields changed, by seed."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from mars_logic import World, load_world
from mars_logic.world import names
from mars_logic.world.rules import Rule
from mars_logic.world.validate import FIXED_IN_CRAFTER
from tests.logic.mutants import NINE, changed

CHANGES = (5, 15)
"""Least and greatest number of changes."""

_MATERIALS = names.MATERIALS[1:]
_FACTORS = (-4, 4)

Draw = Callable[[random.Random], Any]


def _amounts(dice: random.Random) -> dict[str, int]:
    items = dice.sample(names.HOLDABLE, dice.choice((0, 1, 1, 1, 2, 3)))
    return {item: dice.choice((1, 1, 2, 3, dice.randint(1, 9))) for item in items}


def _yields(dice: random.Random) -> dict[str, Any]:
    items = dice.sample(names.GAINS, dice.choice((0, 1, 1, 2)))
    return {
        item: {"amount": dice.randint(1, 3), "probability": dice.choice((None, 0.1, 0.5))}
        for item in items
    }


def _some_materials(least: int) -> Draw:
    return lambda dice: dice.sample(_MATERIALS, dice.randint(least, 4))


def _natural(dice: random.Random) -> str:
    return dice.choice(names.NATURAL)


def _flag(dice: random.Random) -> bool:
    return dice.random() < 0.5


KINDS: dict[str, tuple[tuple[str, ...], Draw]] = {
    "requires": (("collect",), _amounts),
    "yields": (("collect",), _yields),
    "leaves": (("collect",), _natural),
    "collectable": (("collect",), _flag),
    "uses": (("place", "make"), _amounts),
    "where": (("place",), _some_materials(1)),
    "nearby": (("make",), lambda dice: dice.sample(_MATERIALS, dice.choice((0, 1, 2, 2, 3)))),
    "walkable": (("walk",), _flag),
    "deadly": (("walk",), _flag),
    "health": (("walk", "drink"), lambda dice: dice.randint(-9, 3)),
    "material": (("neighbour", "rename"), _natural),
    "creature": (("creature",), _flag),
}
"""By field: the families of rules that have it, and how a value is drawn."""


def unusual(seed: int) -> World:
    """One of the nine worlds with five to fifteen changes; each kind of field is as likely."""
    dice = random.Random(seed)
    world = load_world(dice.choice(NINE))
    for _ in range(dice.randint(*CHANGES)):
        field = dice.choice(sorted(KINDS))
        families, draw = KINDS[field]
        free = [
            rule for rule in world.rules() if rule.family in families and not _fixed(rule, world)
        ]
        if free:
            rule = dice.choice(free)
            name = dice.choice(rule.field_names()) if field == "creature" else field
            value = dice.randint(*_FACTORS) if name.endswith("_factor") else draw(dice)
            world = changed(world, rule.id, **{name: value})
    return world


def _fixed(rule: Rule, world: World) -> bool:
    return world.dynamics == "crafter" and rule.family in FIXED_IN_CRAFTER
