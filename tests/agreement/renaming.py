"""Worlds of any rules under other names: each of Crafter's materials and items gets a label."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import yaml

from mars_logic import World
from mars_logic.world import names
from mars_logic.world.load import parse_theory
from mars_logic.world.rules import Rule
from tests.agreement.worlds import _own_fields

_SYLLABLES = ("ba", "do", "fi", "ku", "la", "mo", "ni", "pe", "ri", "su", "ta", "vo")
_FAMILIES = ("walk", "collect", "place", "make")
_SHAPES = ("ore", "station", "ground", "plant")


def labels(dice: random.Random, number: int) -> list[str]:
    """So many different words without a meaning."""
    found: dict[str, None] = {}
    while len(found) < number:
        found["".join(dice.choice(_SYLLABLES) for _ in range(dice.randint(2, 4)))] = None
    return list(found)


def renamed(world: World, dice: random.Random, words: list[str] | None = None) -> World:
    """A world in which labels stand for Crafter's names, with some names added beside them.

    On its maps, labels take the place of all that the generator lays out; what is made, placed and
    held are labels.

    Args:
        world: Whose rules they follow.
        dice: For the labels, and the rules of what is added.
        words: The labels, if not drawn: 30.
    """
    known = dict.fromkeys((*names.MATERIALS[1:], *names.HOLDABLE))
    words = words or labels(dice, 30)
    label = dict(zip(known, words, strict=False))
    more = words[len(known) : len(known) + 3]
    materials = [*(label[name] for name in names.MATERIALS[1:]), *more]
    items = [*(label[name] for name in names.HOLDABLE), *more]
    stated: dict[str, Any] = {
        "base": "crafter" if world.dynamics == "crafter" else "default",
        "adds": {
            "materials": {name: {"looks": dice.choice(_SHAPES)} for name in materials},
            "items": items,
        },
        "map": {"scatter": {label[m]: {"in": m, "share": 1} for m in names.NATURAL}},
    }
    for family in _FAMILIES:
        rules = getattr(world, family)
        stated[family] = {
            label.get(subject, subject): _fields(rule, label) for subject, rule in rules.items()
        }
        for name in more:
            of = partial(_own_fields, family, materials, items, stated["base"])
            stated[family][name] = of(dice)
    if world.dynamics != "crafter":
        stated["creature"] = {being: _fields(rule, {}) for being, rule in world.creature.items()}
    found = parse_theory(yaml.safe_dump(stated, sort_keys=False), "renamed.yaml")
    assert isinstance(found, World)
    return found


def _fields(rule: Rule, label: dict[str, str]) -> dict[str, Any]:
    """The fields of a rule in plain data, with labels for names; drink stays drink."""
    return {
        name: _labelled(value, label)
        for name, value in rule.model_dump(mode="json", exclude={"subject"}).items()
    }


def _labelled(value: Any, label: dict[str, str]) -> Any:
    if isinstance(value, str):
        return label.get(value, value)
    if isinstance(value, list):
        return [_labelled(each, label) for each in value]
    if isinstance(value, dict):
        return {label.get(key, key): each for key, each in value.items()}
    return value
