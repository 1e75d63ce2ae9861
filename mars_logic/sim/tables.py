"""Compiles a world to the record of rules that the kernels read."""

from __future__ import annotations

import math
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.sim.cell_tables import change_tables, push_table
from mars_logic.sim.codes import (
    COW,
    LAVA,
    NONE,
    PATH,
    PLANT,
    PLAYER,
    SKELETON,
    WATER,
)
from mars_logic.sim.creature_tables import creature_tables
from mars_logic.sim.need_tables import need_tables
from mars_logic.sim.projectile_tables import projectile_tables
from mars_logic.sim.rules_record import (
    AT,
    CONSUMES,
    HAVE,
    MAKES,
    NONE_LEFT,
    OTHER_ACTION,
    PLACES,
    REACH,
    REGION,
    SURVIVE,
    Rules,
    codes_of,
    mask_of,
    most_yields,
    room_for,
    rules_dtype,
)
from mars_logic.world.goals import condition_of
from mars_logic.world.load import load_world
from mars_logic.world.rules import Yield
from mars_logic.world.theory import World
from mars_logic.world.trace_rules import LeavingCreature, SharedRename, UsingCollect
from mars_logic.world.vocabulary import REMAINS, Vocabulary


def compile_rules(world: World, length: int | None = None) -> NDArray[np.void]:
    """The rules of a world as an array of one record of :func:`rules_dtype`, read-only.

    Args:
        world: The rules.
        length: Steps in an episode, if not the world's.

    Raises:
        ValueError: The world changes a rule that its dialect has fixed, or its dialect has more
            names than the record has room for.
    """
    words = world.vocabulary
    _require_room(world, words)
    if words.fixed:
        _require_fixed_rules(world)
    table = np.zeros(1, rules_dtype(words.wide))
    rules = table[0]
    _dialect(rules, world, words)
    rules["length"] = words.length if length is None else length
    _actions(rules, words)
    _needs(rules, world, words)
    _neighbour_and_rename(rules, world, words)
    _walk(rules, world, words)
    _creature(rules, world, words)
    _drink(rules, world, words)
    _collect(rules, world, words)
    _place(rules, world, words)
    _make(rules, world, words)
    _traces(rules, world, words)
    _eat(rules, world, words)
    _goals(rules, world, words)
    if words.wide:
        push_table(rules, world, words)
        change_tables(rules, world, words)
        creature_tables(rules, world, words)
        projectile_tables(rules, world, words)
        need_tables(rules, world, words)
    table.flags.writeable = False
    return table


def _require_room(world: World, words: Vocabulary) -> None:
    for field, most in room_for(words.wide).items():
        listed = getattr(words, field, None) or words.subjects.get(field, ())
        if len(listed) > most:
            raise ValueError(
                f"dialect {words.name}: {len(listed)} {field}; allowed: at most {most}"
            )
    most = most_yields(words.wide)
    for rule in world.collect.values():
        if len(rule.yields) > most:
            raise ValueError(f"{rule.id}: {len(rule.yields)} yields; allowed: at most {most}")


@cache
def _crafter() -> World:
    return load_world("crafter")


def _require_fixed_rules(world: World) -> None:
    """Refuse changes of fixed rules; worlds made with ``with_rules`` bypass the file checks."""
    for rule in _crafter().rules():
        if rule.family in world.vocabulary.fixed and world[rule.id] != rule:
            raise ValueError(f"{world.name}: dynamics {world.dynamics} fixes the rule {rule.id}")


def _amounts(row: NDArray[np.int8], amounts: Any, words: Vocabulary) -> None:
    for item, amount in amounts.items():
        row[words.items.index(item)] = amount


def _achievement(words: Vocabulary, name: str) -> int:
    """The code of an achievement, -1 if the dialect has none of this name."""
    return words.achievements.index(name) if name in words.achievements else -1


_COPIED: Final = (
    *("horizon", "ripe_age", "balance", "surplus_lasts", "fixed_terrain", "dies_at_once"),
    *("plants_are_eaten", "drinks_first"),
)
"""Constants of a vocabulary that the record holds under the same name."""


def _dialect(rules: Rules, world: World, words: Vocabulary) -> None:
    for name in _COPIED:
        rules[name] = getattr(words, name)
    rules["boss"] = "boss" in world.option and world.option["boss"].on
    rules["other_agents"] = "other_agents" not in world.option or world.option["other_agents"].on
    for place, limit in words.terrain.items():
        rules[f"{place}_limit"] = limit
    rules["wake_up"] = _achievement(words, "wake_up")
    rules["eat_plant"] = _achievement(words, "eat_plant")
    for being in words.retreating:
        rules["retreats"][words.objects.index(being)] = True
    for material in words.stilling_thirst:
        rules["resets_thirst"][words.materials.index(material)] = True
    for being in words.stilling_hunger:
        rules["resets_hunger"][words.objects.index(being)] = True
    for kind in (COW, SKELETON, PLANT):
        rules["cooldown_at_first"][kind] = words.attack_pause_at_first
    for being, health in words.health_at_first.items():
        rules["health_at_first"][words.objects.index(being)] = health
    for being in words.acting_without_health:
        rules["acts_dead"][words.objects.index(being)] = True
    rules["weapon_damage"] = words.unarmed_damage  # without a weapon, the first item is health
    for number, (item, damage) in enumerate(words.damage.items()):
        rules["weapon_item"][number] = words.items.index(item)
        rules["weapon_damage"][number] = damage


def _actions(rules: Rules, words: Vocabulary) -> None:
    """The table of actions beyond those that all dialects share."""
    placed, shot = words.subjects["place"], words.subjects.get("shoot", ())
    kinds = {"place": (PLACES, placed), "make": (MAKES, words.subjects["make"])}
    kinds["shoot"] = PLACES, (*placed, *shot)
    for code, action in enumerate(words.actions):
        verb, _, subject = action.partition("_")
        kind, argument = OTHER_ACTION, 0
        if action in words.consumed:
            kind, argument = CONSUMES, words.items.index(words.consumed[action])
            rules["eaten"][argument] = _achievement(words, action)
        elif verb in kinds:
            kind, argument = kinds[verb][0], kinds[verb][1].index(subject)
        rules["action_kind"][code], rules["action_argument"][code] = kind, argument


_CONDITIONS: Final = {
    "have": HAVE,
    "reach": REACH,
    "at": AT,
    "survive": SURVIVE,
    "none_left": NONE_LEFT,
}


def _goals(rules: Rules, world: World, words: Vocabulary) -> None:
    """The goals; one of a cell is of a world with one drawing."""
    rules["num_goals"] = len(words.goals)
    for place, goal in enumerate(words.goals):
        rules["goal"][place] = _achievement(words, goal.name)
        rules["goal_reward"][place] = goal.reward
        if (wanted := condition_of(goal.name)) is None:
            continue
        rules["goal_kind"][place] = _CONDITIONS[wanted.kind]
        subject, number = 0, wanted.number
        if wanted.kind == "have":
            subject = words.items.index(wanted.subject)
        elif wanted.kind in ("reach", "none_left"):
            subject = words.materials.index(wanted.subject)
        elif wanted.kind == "at":
            subject, number = world.map.drawings[0].on_the_map(wanted.cell)
        rules["goal_subject"][place], rules["goal_number"][place] = subject, number


_NEEDS: Final = {
    "food": ("hunger", "hungry_above"),
    "drink": ("thirst", "thirsty_above"),
    "energy": ("fatigue", "tired_above"),
    "health": ("recovery", "healed_above"),
}
"""Fields of a vital's need: the growth of its counter, and its limit."""


def _needs(rules: Rules, world: World, words: Vocabulary) -> None:
    for vital, (rate, limit) in _NEEDS.items():
        need = {**words.need[vital]}
        if vital in world.need:
            need = world.need[vital].model_dump()
        rules[rate] = (1.0, need["asleep"], need["in_bed"])
        rules[limit] = need["every"] - 1
        rules[f"{vital}_loss"] = need["loss"]


def _neighbour_and_rename(rules: Rules, world: World, words: Vocabulary) -> None:
    for natural, rename in world.rename.items():
        whole = rename.whole if isinstance(rename, SharedRename) else rename.material
        rules["rename"][words.materials.index(natural)] = words.materials.index(whole)
        if isinstance(rename, SharedRename) and rename.share:
            if natural != "tree":
                raise ValueError(f"{world.name}: {rename.id} is a share; allowed: a share of trees")
            rules["other_tree"] = words.materials.index(rename.share[0])
            rules["share_of_other_tree"] = rename.share[1]
    for region, neighbour in world.neighbour.items():
        if neighbour.material is not None:
            around = words.materials.index(neighbour.material)
            rules["around"][REGION[region]] = rules["rename"][around]


def _walk(rules: Rules, world: World, words: Vocabulary) -> None:
    for natural, rule in world.walk.items():
        rules["walk_health"][words.materials.index(natural)] = rule.health
        rules["deadly"][words.materials.index(natural)] = rule.deadly
    walkable = codes_of(words, (natural for natural, rule in world.walk.items() if rule.walkable))
    kinds = range(len(words.objects))
    if words.own_ground:
        safe = walkable
        own = dict.fromkeys(kinds, walkable)
        own[COW] = walkable | {int(rules["around"][REGION["tree"]])}
        own[SKELETON] = walkable | {int(rules["rename"][PATH])}
    else:
        # Creatures avoid deadly materials; only the player enters them.
        safe = {material for material in walkable if not rules["deadly"][material]}
        own = dict.fromkeys(kinds, safe) | {PLAYER: walkable}
    own[words.objects.index("arrow")] = safe | {WATER, LAVA}
    for kind, materials in own.items():
        rules["walkable"][kind] = mask_of(materials)
    rules["spawn_ground"] = mask_of(safe)


def _creature(rules: Rules, world: World, words: Vocabulary) -> None:
    rules["killed"] = rules["kill_leaves"] = -1
    for being, rule in world.creature.items():
        kind = words.objects.index(being)
        group = "plant" if being == "plant" else "creature"
        if rule.eatable or being == "plant":  # a ripe plant can always be eaten
            eaten = words.eaten_points[group]
            rules["eaten_food"][kind] = eaten["food"] * rule.eaten_food_factor
            rules["eaten_drink"][kind] = eaten["drink"] * rule.eaten_drink_factor
            rules["eaten_health"][kind] = eaten["health"] * rule.eaten_health_factor
        attack = words.attack_points[group]
        rules["walks"][kind] = rule.walks
        rules["approaches"][kind] = rule.approaches
        rules["attacks"][kind] = rule.attacks
        rules["attack_awake"][kind] = attack["awake"] * rule.attack_health_factor
        rules["attack_asleep"][kind] = attack["asleep"] * rule.attack_health_factor
        rules["shoots"][kind] = rule.shoots
        rules["arrow_factor"][kind] = rule.arrow_health_factor
        if isinstance(rule, LeavingCreature):
            _amounts(rules["kill_yields"][kind], rule.yields, words)
            if rule.leaves:
                rules["kill_leaves"][kind] = words.remains.index(rule.leaves)
    for creature, achievement in words.killing.items():
        rules["killed"][words.objects.index(creature)] = _achievement(words, achievement)


def _drink(rules: Rules, world: World, words: Vocabulary) -> None:
    for liquid, rule in world.drink.items():
        material = words.materials.index(liquid)
        rules["drink_drink"][material] = rule.drink
        rules["drink_food"][material] = rule.food
        rules["drink_health"][material] = rule.health


def _collect(rules: Rules, world: World, words: Vocabulary) -> None:
    for subject, rule in world.collect.items():
        material = words.materials.index(subject)
        rules["collectable"][material] = rule.collectable
        _amounts(rules["collect_requires"][material], rule.requires, words)
        if isinstance(rule, UsingCollect):
            _amounts(rules["collect_uses"][material], rule.uses, words)
            needed = rules["collect_requires"][material]
            np.maximum(needed, rules["collect_uses"][material], out=needed)
        left, mark = words.parts(rule.leaves)
        rules["leaves"][material], rules["leaves_mark"][material] = left, mark
        for creature, probability in rule.spawns.items():
            rules["spawns"][material] = words.objects.index(creature)
            rules["spawn_probability"][material] = probability
        rules["num_yields"][material] = len(rule.yields)
        certain = all(given.probability is None for given in rule.yields.values())
        rules["draws"][material] = words.draws_always or not certain
        used_up = 0.0
        for place, (item, given) in enumerate(rule.yields.items()):
            rules["yield_item"][material, place] = words.items.index(item)
            rules["yield_amount"][material, place] = given.amount
            above, up_to = _interval(given, used_up, together="rename" in words.fixed)
            rules["yield_above"][material, place] = above
            rules["yield_up_to"][material, place] = up_to
            if given.probability is not None:
                used_up = up_to
    for code, item in enumerate(words.items):
        rules["collected"][code] = _achievement(words, f"collect_{item}")


def _interval(given: Yield, used_up: float, *, together: bool) -> tuple[float, float]:
    """The draws (above, up to and including) that give a yield.

    The chances have successive intervals, or one draw decides on all yields of a material.
    """
    if given.probability is None:
        return -math.inf, math.inf
    if together:
        return -math.inf, given.probability
    return used_up, used_up + given.probability


def _place(rules: Rules, world: World, words: Vocabulary) -> None:
    for code, (subject, rule) in enumerate(world.place.items()):
        _amounts(rules["place_uses"][code], rule.uses, words)
        rules["place_where"][code] = mask_of(codes_of(words, rule.where))
        plant = subject == "plant"
        rules["place_kind"][code] = PLANT
        rules["place_material"][code] = NONE if plant else words.materials.index(subject)
        rules["placed"][code] = _achievement(words, f"place_{subject}")


def _make(rules: Rules, world: World, words: Vocabulary) -> None:
    for code, (tool, rule) in enumerate(world.make.items()):
        _amounts(rules["make_uses"][code], rule.uses, words)
        rules["make_nearby"][code] = mask_of(codes_of(words, rule.nearby))
        rules["make_item"][code] = words.items.index(tool)
        rules["make_gives"][code] = rule.gives
        rules["made"][code] = _achievement(words, f"make_{tool}")


def _traces(rules: Rules, world: World, words: Vocabulary) -> None:
    rules["shot_leaves"] = rules["bed"] = -1
    for mark, rule in world.trace.items():
        rules[mark] = mask_of(codes_of(words, rule.materials))
    if "bed" in words.materials:
        rules["bed"] = words.materials.index("bed")
    if REMAINS in words.materials:
        rules["remains"] = words.materials.index(REMAINS)
    for struck, left in words.arrow_leaves.items():
        if struck == "player":
            rules["body"] = words.objects.index(left)
        elif struck in words.objects:
            rules["shot_leaves"][words.objects.index(struck)] = words.remains.index(left)
        else:
            material = words.materials.index(struck)
            rules["breaks_to"][material], rules["breaks_mark"][material] = words.parts(left)


def _eat(rules: Rules, world: World, words: Vocabulary) -> None:
    rules["eat_leaves"] = -1
    for item, rule in world.eat.items():
        code = words.items.index(item)
        rules["eat_food"][code] = rule.food
        rules["eat_drink"][code] = rule.drink
        rules["eat_health"][code] = rule.health
        if rule.leaves:
            rules["eat_leaves"][code] = words.items.index(rule.leaves)
