"""The digest of a world: equal for worlds with equal effects, however their files are written.

Only fields that can take effect count: the strength of an attack is irrelevant for a creature
that never attacks. Names, titles, comments, the order of keys and how a world is split
into a base and changes never count. (In a theory with anything uncertain, every field counts.) The
position in the random stream counts: a collect rule that yields nothing still draws a random
number, so it differs from a missing rule.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container
from typing import Any

from mars_logic.world.rule_set import RuleSet
from mars_logic.world.rules import Collect, Creature, Drink, Rename, Rule, Walk


def digest(world: RuleSet) -> str:
    """SHA-256, hexadecimal, of the dynamics and of all fields with an effect."""
    text = json.dumps(effective(world), separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def effective(world: RuleSet) -> dict[str, Any]:
    """The dynamics and, by rule id, the fields that have an effect in this world.

    The value is plain data in a fixed order, ready for JSON.
    """
    rules = {rule.id: _effective_fields(rule, world) for rule in world.rules()}
    data: dict[str, Any] = {"dynamics": world.dynamics, "rules": rules}
    if world.adds:  # in the order of their codes; how they look has no effect
        data["adds"] = [list(world.adds.material_names), list(world.adds.items)]
        if world.adds.creatures:
            data["adds"].append([creature.effective for creature in world.adds.creatures])
        if world.adds.needs:
            data["adds"].append({"needs": list(world.adds.needs)})
        if world.adds.projectiles:
            data["adds"].append({"projectiles": list(world.adds.projectile_names)})
    if world.length is not None:
        data["length"] = world.length
    if world.map:
        data["map"] = world.map.effective()
    if world.constants:
        data["constants"] = [[".".join(key), value] for key, value in world.constants]
    if world.goals:
        data["goals"] = [list(goal) for goal in world.goals]
    return data


def _effective_fields(rule: Rule, world: RuleSet) -> dict[str, Any]:
    fields = rule.model_dump(mode="json", exclude={"subject"})
    for name in _without_effect(rule, world) if not world.uncertain else ():
        fields.pop(name, None)
    if "yields" in fields and "yields" not in rule.uncertain_fields:
        # Comparison ignores a mapping's order, but the order of chances has an effect.
        fields["yields"] = list(fields["yields"].items())
    return fields


def _without_effect(rule: Rule, world: RuleSet) -> tuple[str, ...]:
    """Names of the fields without effect, given all other rules."""
    match rule:
        case Rename():
            return _idle_rename(rule, world)
        case Walk():
            return _idle_walk(rule, world)
        case Creature():
            return _idle_creature(rule)
        case Collect() if not rule.collectable:
            return ("requires", "yields", "leaves", "spawns")
        case Drink() if not world.collect[rule.subject].collectable:
            return ("drink", "food", "health")
    return ()


def _idle_rename(rule: Rename, world: RuleSet) -> tuple[str, ...]:
    """Grass and sand are generated only where a neighbour rule asks for them."""
    asked_for = {neighbour.material for neighbour in world.neighbour.values()}
    idle = rule.subject in ("grass", "sand") and rule.subject not in asked_for
    return ("material",) if idle else ()


def _idle_walk(rule: Walk, world: RuleSet) -> tuple[str, ...]:
    stood_on = rule.walkable or rule.subject in _start_materials(world)
    if not stood_on:
        return ("health", "deadly")
    return ("health",) if rule.deadly else ()


def _start_materials(world: RuleSet) -> Container[str | None]:
    """The materials under the player at the beginning."""
    if world.map.is_drawn:
        return world.map.start_materials
    return (world.rename[world.neighbour["player"].material or ""].material,)


def _idle_creature(rule: Creature) -> tuple[str, ...]:
    idle: list[str] = []
    if rule.subject == "plant":
        idle += ["eatable"]  # every ripe plant can be eaten
    elif not rule.eatable:
        idle += ["eaten_food_factor", "eaten_drink_factor", "eaten_health_factor"]
    if rule.shoots:
        idle += ["approaches", "walks"]
    else:
        idle += ["arrow_health_factor"]
        if rule.approaches:
            idle += ["walks"]
    if not rule.attacks:
        idle += ["attack_health_factor"]
    return tuple(idle)
