"""Worlds that are bundled worlds with some rules changed, for tests that want many of them."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

from mars_logic import World, load_world
from mars_logic.world import names
from mars_logic.world.load import RELEASED_WORLDS
from mars_logic.world.rules import Rule
from tests.world.strategies import rules

NINE = RELEASED_WORLDS
PAPER = ("default_paper", "terrain_paper", "survival_paper", "terr_surv_paper")
EIGHT = NINE[1:]

_MATERIALS = names.MATERIALS[1:]


def changed(world: World, rule_id: str, **fields: Any) -> World:
    """The world with some fields of one rule changed."""
    rule = world[rule_id]
    return world.with_rules(type(rule)(**(rule.model_dump() | fields)))


def mutant(seed: int) -> World:
    """One of the eight worlds of Mars with one to five rules changed, moderately."""
    dice = random.Random(seed)
    world = load_world(dice.choice(EIGHT))
    drawn = dice.sample(world.rules(), dice.randint(1, 5))
    return world.with_rules(*(_altered(rule, dice) for rule in drawn))


def _altered(rule: Rule, dice: random.Random) -> Rule:
    fields = rule.model_dump()
    return type(rule)(**(fields | dice.choice(_changes(rule, dice))))


def _changes(rule: Rule, dice: random.Random) -> list[dict[str, Any]]:
    """Some changes that the family of a rule allows."""
    material = dice.choice(names.NATURAL)
    amounts = {dice.choice(names.HOLDABLE): dice.randint(1, 9) for _ in range(dice.randint(1, 3))}
    given = {"amount": dice.randint(1, 2), "probability": dice.choice([None, 0.1, 0.5])}
    some = dice.sample(_MATERIALS, dice.randint(1, 5))
    changes: dict[str, list[dict[str, Any]]] = {
        "neighbour": [{"material": material}],
        "rename": [{"material": material}],
        "walk": [
            {"walkable": dice.random() < 0.5},
            {"deadly": dice.random() < 0.5},
            {"health": dice.randint(-9, 3)},
        ],
        "creature": [{"attacks": True, "attack_health_factor": dice.randint(-4, 1)}],
        "drink": [{"health": dice.choice([-9, -1, 1])}],
        "collect": [
            {"requires": {dice.choice(names.HOLDABLE): dice.randint(1, 9)}},
            {"requires": {}},
            {"yields": {dice.choice(names.GAINS): given}},
            {"leaves": material},
            {"spawns": {dice.choice(names.CREATURES): 0.1}},
            {"collectable": dice.random() < 0.5},
        ],
        "place": [{"uses": amounts}, {"where": some}],
        "make": [{"uses": amounts}, {"nearby": some[: dice.randint(0, 3)]}],
    }
    return changes[rule.family]


@st.composite
def wild(draw: st.DrawFn) -> World:
    """One of the eight worlds of Mars with one to four rules replaced by any valid ones."""
    world = load_world(draw(st.sampled_from(EIGHT)))
    drawn = draw(st.lists(rules(), min_size=1, max_size=4, unique_by=lambda rule: rule.id))
    return world.with_rules(*drawn)


def mutants() -> st.SearchStrategy[World]:
    """Mutants by seed, and wilder ones."""
    return st.integers(0, 100_000).map(mutant) | wild()
