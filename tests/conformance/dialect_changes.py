"""Single changes of Conan's dialect and of its world, each of which recordings should notice."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import yaml

from mars_logic import World, load_world
from mars_logic.system import resources
from mars_logic.world.rules import Rule
from mars_logic.world.vocabulary import Vocabulary, make_vocabulary, vocabulary

VOCABULARY: dict[str, Any] = {
    "horizon": 17,
    "balance": True,
    "retreating": [],
    "stilling_thirst": [],
    "dies_at_once": False,
    "acting_without_health": [],
    "draws_always": True,
    "drinks_first": False,
    "surplus_lasts": False,
    "health_at_first.cow": 4,
    "health_at_first.zombie": 4,
    "health_at_first.skeleton": 4,
    "health_at_first.plant": 3,
    "damage.iron_sword": 4,
    "attack_points.creature.awake": 3,
    "attack_points.creature.asleep": 7,
    "arrow_leaves.table": "path",
    "arrow_leaves.furnace": "path",
    "terrain.iron": 0.7,
    "terrain.diamond": 0.884,
    "terrain.zombie": 0.998,
    "plants_are_eaten": True,
}
"""Changes of the dialect's file, by the path of the value."""

RULES: dict[str, Any] = {
    "rename.tree": {"material": {"apple_tree": 0.3}},
    "walk.bed": {"walkable": False},
    "walk.lava": {"walkable": True},
    "creature.cow": {"yields": {"beef": 1}},
    "creature.zombie": {"leaves": "skeleton_dead"},
    "collect.water": {"uses": {}, "requires": {"bucket": 1}},
    "collect.coal": {"leaves": "stone_left"},
    "collect.apple_tree": {"yields": {"wood": 1}},
    "place.table": {"uses": {"wood": 1}},
    "make.bucket": {"uses": {"iron": 1}},
    "make.iron_sword": {"nearby": ["table", "furnace"]},
    "eat.steak": {"health": 5},
    "eat.water_bucket": {"leaves": None},
    "need.food": {"every": 27},
    "need.energy": {"asleep": -1.0},
    "need.health": {"loss": 1},
    "trace.prints_on": {"materials": ["grass"]},
    "trace.blood_on": {"materials": ["grass", "sand"]},
}
"""Changes of the world's rules."""


def changes() -> Iterator[tuple[str, Vocabulary, World]]:
    """The name of each change, with the vocabulary and the world that it leads to."""
    words, world = vocabulary("conan"), load_world("conan")
    path = resources.folder("worlds") / "dialects" / "conan.yaml"
    stated = yaml.safe_load(path.read_text("utf-8"))
    for place, value in VOCABULARY.items():
        changed = copy.deepcopy(stated)
        *sections, last = place.split(".")
        section = changed
        for key in sections:
            section = section.setdefault(key, _plain(getattr(words, key, {})))
        section[last] = value
        yield place, make_vocabulary(changed, place), world
    for rule_id, fields in RULES.items():
        rule: Rule = world[rule_id]
        other = type(rule).model_validate(rule.model_dump() | fields, context=words)
        yield rule_id, words, world.with_rules(other)


def _plain(value: Any) -> Any:
    return {k: _plain(v) for k, v in value.items()} if hasattr(value, "items") else value
