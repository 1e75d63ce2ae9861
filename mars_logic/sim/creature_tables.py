"""Compiles creatures that a world describes in tables: their cases, hunting, coming and ground."""

from __future__ import annotations

from mars_logic.sim.rules_record import Rules, codes_of, mask_of
from mars_logic.world.cell_rules import TIMES
from mars_logic.world.creature_rules import DEEDS, Behaviour
from mars_logic.world.theory import World
from mars_logic.world.vocabulary import Vocabulary

_ANY_DISTANCE = 127
_ANY_HEALTH = 127


def creature_tables(rules: Rules, world: World, words: Vocabulary) -> None:
    """Fill in what a wide record says of creatures."""
    for being, behaviour in world.behaviour.items():
        kind = words.objects.index(being)
        rules["shoots"][kind] = behaviour.does("shoot")  # so that there is room for arrows
        _cases(rules, kind, behaviour, words)
    rules["hunted"] = bool(world.hunt)
    for being, hunt in world.hunt.items():
        kind = words.objects.index(being)
        for item, amount in hunt.yields.items():
            rules["kill_yields"][kind, words.items.index(item)] = amount
        for item, damage in hunt.damage.items():
            rules["hunt_damage"][kind, words.items.index(item)] = damage
        for item, amount in hunt.requires.items():
            rules["hunt_requires"][kind, words.items.index(item)] = amount
        rules["touch"][kind] = hunt.touch
    _coming(rules, words)


def _cases(rules: Rules, kind: int, behaviour: Behaviour, words: Vocabulary) -> None:
    rules["num_cases"][kind] = len(behaviour.cases)
    for place, case in enumerate(behaviour.cases):
        at = kind, place
        rules["case_act"][at] = DEEDS.index(case.act)
        rules["case_when"][at] = TIMES.index(case.when)
        rules["case_within"][at] = _ANY_DISTANCE if case.within is None else case.within
        rules["case_beyond"][at] = -1 if case.beyond is None else case.beyond
        rules["case_health"][at] = _ANY_HEALTH if case.health is None else case.health
        rules["case_held"][at] = -1 if case.held is None else words.items.index(case.held)
        rules["case_shot"][at] = words.objects.index(case.projectile)
        rules["case_chance"][at] = case.chance
        rules["case_straight"][at] = case.straight
    rules["grazed"][kind] = mask_of(codes_of(words, behaviour.grazes))
    for material, becomes in behaviour.grazes.items():
        at = kind, words.materials.index(material)
        rules["grazed_becomes"][at] = words.materials.index(becomes)


def _coming(rules: Rules, words: Vocabulary) -> None:
    for creature in words.added_creatures:
        kind = words.objects.index(creature.name)
        rules["walkable"][kind] = mask_of(codes_of(words, creature.ground))
        comes = creature.comes
        if comes is None:
            continue
        rules["first_coming"] = words.objects.index(words.added_creatures[0].name)
        rules["coming"][kind] = True
        rules["coming_ground"][kind] = words.materials.index(comes.ground)
        for name in ("enough", "day", "night", "chance", "distance"):
            rules[f"coming_{name}"][kind] = getattr(comes, name)
        rules["coming_fewest"][kind] = -1 if comes.fewest is None else comes.fewest
        rules["going_chance"][kind] = comes.going_chance
        rules["going_distance"][kind] = comes.going_distance
