"""Compiles a world to the record of rules that the kernels read.

A field's name consists of the world's rule family and field; indices are codes of
``mars_logic.sim.codes``. Sets of materials are bit masks: bit m stands for material m.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.sim.codes import (
    COW,
    LAVA,
    NONE,
    NUM_ITEMS,
    NUM_KINDS,
    NUM_MATERIALS,
    OBJECTS,
    PATH,
    PLANT,
    PLAYER,
    SKELETON,
    WATER,
)
from mars_logic.world import names
from mars_logic.world.dialect import ATTACK_POINTS, DIALECTS, EATEN_POINTS, HEALTH_AT_FIRST
from mars_logic.world.load import load_world
from mars_logic.world.rules import Yield
from mars_logic.world.theory import World
from mars_logic.world.validate import FIXED_IN_CRAFTER

Rules = Any
"""In annotations: one record of :data:`RULES_DTYPE`."""

_FLAG: Final = np.int8
"""0 or 1: numba has no arrays of booleans inside a record."""
_BY_MATERIAL = (NUM_MATERIALS,)
_BY_KIND = (NUM_KINDS,)
_YIELDS = len(names.GAINS)

REGION: Final = {region: code for code, region in enumerate(names.REGIONS)}

RULES_DTYPE: Final = np.dtype(
    [
        # The dialect.
        ("mars", np.bool_),
        ("length", np.int32),  # steps in an episode
        ("ripe_age", np.int16),  # age beyond which a plant is ripe
        ("retreats", _FLAG, _BY_KIND),  # retreats from a close player
        ("cooldown_at_first", np.int8, _BY_KIND),
        ("resets_thirst", _FLAG, _BY_MATERIAL),  # when `do` is done on it
        ("resets_hunger", _FLAG, _BY_KIND),  # when it is killed
        # neighbour, already renamed: material around a region, NONE without one
        ("around", np.uint8, (len(names.REGIONS),)),
        ("rename", np.uint8, _BY_MATERIAL),
        # walk
        ("walkable", np.uint16, _BY_KIND),  # materials, for each kind of thing
        ("spawn_ground", np.uint16),  # materials on which the generator may put zombies
        ("walk_health", np.int8, _BY_MATERIAL),
        ("deadly", _FLAG, _BY_MATERIAL),
        # creature; points = factor * the game's constant
        ("eaten_food", np.int8, _BY_KIND),
        ("eaten_drink", np.int8, _BY_KIND),
        ("eaten_health", np.int8, _BY_KIND),
        ("walks", _FLAG, _BY_KIND),
        ("approaches", _FLAG, _BY_KIND),
        ("attacks", _FLAG, _BY_KIND),
        ("attack_awake", np.int8, _BY_KIND),
        ("attack_asleep", np.int8, _BY_KIND),
        ("shoots", _FLAG, _BY_KIND),
        ("arrow_factor", np.int8, _BY_KIND),
        ("health_at_first", np.int8, _BY_KIND),
        ("killed", np.int8, _BY_KIND),  # the achievement for killing it
        # drink
        ("drink_drink", np.int8, _BY_MATERIAL),
        ("drink_food", np.int8, _BY_MATERIAL),
        ("drink_health", np.int8, _BY_MATERIAL),
        # collect
        ("collectable", _FLAG, _BY_MATERIAL),
        ("collect_requires", np.int8, (NUM_MATERIALS, NUM_ITEMS)),
        ("leaves", np.uint8, _BY_MATERIAL),
        ("spawns", np.int8, _BY_MATERIAL),  # kind of creature, NONE for none
        ("spawn_probability", np.float64, _BY_MATERIAL),
        # a yield is given if yield_above < U <= yield_up_to
        ("num_yields", np.int8, _BY_MATERIAL),
        ("yield_item", np.int8, (NUM_MATERIALS, _YIELDS)),
        ("yield_amount", np.int8, (NUM_MATERIALS, _YIELDS)),
        ("yield_above", np.float64, (NUM_MATERIALS, _YIELDS)),
        ("yield_up_to", np.float64, (NUM_MATERIALS, _YIELDS)),
        ("collected", np.int8, (NUM_ITEMS,)),  # the achievement for collecting an item
        # place, in the order of names.PLACEABLE
        ("place_uses", np.int8, (len(names.PLACEABLE), NUM_ITEMS)),
        ("place_where", np.uint16, (len(names.PLACEABLE),)),
        ("place_material", np.uint8, (len(names.PLACEABLE),)),  # NONE: a plant
        ("placed", np.int8, (len(names.PLACEABLE),)),
        # make, in the order of names.TOOLS
        ("make_uses", np.int8, (len(names.TOOLS), NUM_ITEMS)),
        ("make_nearby", np.uint16, (len(names.TOOLS),)),
        ("make_gives", np.int8, (len(names.TOOLS),)),
        ("made", np.int8, (len(names.TOOLS),)),
    ],
    align=True,
)


def compile_rules(world: World, length: int | None = None) -> NDArray[np.void]:
    """The rules of a world as an array of one record of :data:`RULES_DTYPE`, read-only.

    Args:
        world: The rules.
        length: Steps in an episode, if not the dialect's.

    Raises:
        ValueError: The world changes a rule that its dialect has fixed.
    """
    if world.dynamics == "crafter":
        _require_fixed_rules(world)
    table = np.zeros(1, RULES_DTYPE)
    rules = table[0]
    _dialect(rules, world)
    rules["length"] = DIALECTS[world.dynamics].length if length is None else length
    _neighbour_and_rename(rules, world)
    _walk(rules, world)
    _creature(rules, world)
    _drink(rules, world)
    _collect(rules, world)
    _place(rules, world)
    _make(rules, world)
    table.flags.writeable = False
    return table


@cache
def _crafter() -> World:
    return load_world("crafter")


def _require_fixed_rules(world: World) -> None:
    """Refuse changes of fixed rules; worlds made with ``with_rules`` bypass the file checks."""
    fixed = [rule for rule in _crafter().rules() if rule.family in FIXED_IN_CRAFTER]
    for rule in fixed:
        if world[rule.id] != rule:
            raise ValueError(f"{world.name}: dynamics crafter fixes the rule {rule.id}")


def _material(name: str) -> int:
    return names.MATERIALS.index(name)


def _mask(materials: Iterable[int]) -> int:
    return sum(1 << material for material in set(materials))


def _amounts(row: NDArray[np.int8], amounts: Any) -> None:
    for item, amount in amounts.items():
        row[names.ITEMS.index(item)] = amount


def _dialect(rules: Rules, world: World) -> None:
    dialect = DIALECTS[world.dynamics]
    rules["mars"] = world.dynamics == "mars"
    rules["ripe_age"] = dialect.ripe_age
    for being in dialect.retreating:
        rules["retreats"][OBJECTS.index(being)] = True
    for material in dialect.stilling_thirst:
        rules["resets_thirst"][_material(material)] = True
    for being in dialect.stilling_hunger:
        rules["resets_hunger"][OBJECTS.index(being)] = True
    for kind in (COW, SKELETON, PLANT):
        rules["cooldown_at_first"][kind] = dialect.attack_pause_at_first
    for being, health in HEALTH_AT_FIRST.items():
        rules["health_at_first"][OBJECTS.index(being)] = health


def _neighbour_and_rename(rules: Rules, world: World) -> None:
    for natural, rename in world.rename.items():
        rules["rename"][_material(natural)] = _material(rename.material)
    for region, neighbour in world.neighbour.items():
        if neighbour.material is not None:
            rules["around"][REGION[region]] = rules["rename"][_material(neighbour.material)]


def _walk(rules: Rules, world: World) -> None:
    for natural, rule in world.walk.items():
        rules["walk_health"][_material(natural)] = rule.health
        rules["deadly"][_material(natural)] = rule.deadly
    walkable = {_material(natural) for natural, rule in world.walk.items() if rule.walkable}
    if world.dynamics == "crafter":
        # Creatures avoid deadly materials; only the player enters them.
        safe = {material for material in walkable if not rules["deadly"][material]}
        own = dict.fromkeys(range(NUM_KINDS), safe) | {PLAYER: walkable}
    else:
        safe = walkable
        own = dict.fromkeys(range(NUM_KINDS), walkable)
        own[COW] = walkable | {int(rules["around"][REGION["tree"]])}
        own[SKELETON] = walkable | {int(rules["rename"][PATH])}
    own[OBJECTS.index("arrow")] = safe | {WATER, LAVA}
    for kind, materials in own.items():
        rules["walkable"][kind] = _mask(materials)
    rules["spawn_ground"] = _mask(safe)


def _creature(rules: Rules, world: World) -> None:
    for being, rule in world.creature.items():
        kind = OBJECTS.index(being)
        group = "plant" if being == "plant" else "creature"
        if rule.eatable or being == "plant":  # a ripe plant can always be eaten
            eaten = EATEN_POINTS[group]
            rules["eaten_food"][kind] = eaten["food"] * rule.eaten_food_factor
            rules["eaten_drink"][kind] = eaten["drink"] * rule.eaten_drink_factor
            rules["eaten_health"][kind] = eaten["health"] * rule.eaten_health_factor
        attack = ATTACK_POINTS[group]
        rules["walks"][kind] = rule.walks
        rules["approaches"][kind] = rule.approaches
        rules["attacks"][kind] = rule.attacks
        rules["attack_awake"][kind] = attack["awake"] * rule.attack_health_factor
        rules["attack_asleep"][kind] = attack["asleep"] * rule.attack_health_factor
        rules["shoots"][kind] = rule.shoots
        rules["arrow_factor"][kind] = rule.arrow_health_factor
    achievements = names.achievements("mars")
    for creature in names.CREATURES:
        rules["killed"][OBJECTS.index(creature)] = achievements.index(f"kill_{creature}")


def _drink(rules: Rules, world: World) -> None:
    for liquid, rule in world.drink.items():
        rules["drink_drink"][_material(liquid)] = rule.drink
        rules["drink_food"][_material(liquid)] = rule.food
        rules["drink_health"][_material(liquid)] = rule.health


def _collect(rules: Rules, world: World) -> None:
    for subject, rule in world.collect.items():
        material = _material(subject)
        rules["collectable"][material] = rule.collectable
        _amounts(rules["collect_requires"][material], rule.requires)
        rules["leaves"][material] = _material(rule.leaves)
        for creature, probability in rule.spawns.items():
            rules["spawns"][material] = OBJECTS.index(creature)
            rules["spawn_probability"][material] = probability
        rules["num_yields"][material] = len(rule.yields)
        used_up = 0.0
        for place, (item, given) in enumerate(rule.yields.items()):
            rules["yield_item"][material, place] = names.ITEMS.index(item)
            rules["yield_amount"][material, place] = given.amount
            above, up_to = _interval(given, used_up, world.dynamics)
            rules["yield_above"][material, place] = above
            rules["yield_up_to"][material, place] = up_to
            if given.probability is not None:
                used_up = up_to
    for gain in names.GAINS:
        achievement = names.achievements("mars").index(f"collect_{gain}")
        rules["collected"][names.ITEMS.index(gain)] = achievement


def _interval(given: Yield, used_up: float, dynamics: str) -> tuple[float, float]:
    """The draws (above, up to and including) that give a yield.

    In mars the chances have successive intervals. In crafter one draw decides on all yields of a
    material.
    """
    if given.probability is None:
        return -math.inf, math.inf
    if dynamics == "crafter":
        return -math.inf, given.probability
    return used_up, used_up + given.probability


def _place(rules: Rules, world: World) -> None:
    for code, (subject, rule) in enumerate(world.place.items()):
        _amounts(rules["place_uses"][code], rule.uses)
        rules["place_where"][code] = _mask(map(_material, rule.where))
        rules["place_material"][code] = NONE if subject == "plant" else _material(subject)
        rules["placed"][code] = names.achievements("mars").index(f"place_{subject}")


def _make(rules: Rules, world: World) -> None:
    for code, (tool, rule) in enumerate(world.make.items()):
        _amounts(rules["make_uses"][code], rule.uses)
        rules["make_nearby"][code] = _mask(map(_material, rule.nearby))
        rules["make_gives"][code] = rule.gives
        rules["made"][code] = names.achievements("mars").index(f"make_{tool}")
