"""Items that rules use up, and items that other rules than collecting and making bring."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mars_logic.world.goals import condition_of
from mars_logic.world.theory import World
from mars_logic.world.trace_rules import LeavingCreature, UsingCollect


def spending(world: World) -> dict[str, Mapping[str, int]]:
    """By the id of each rule that may use something up: the amount of each item."""
    return dict(_spending(world))


def bringing(world: World) -> dict[str, Mapping[str, int]]:
    """By the id of each rule for killing, eating or drinking: the amount of each item it brings."""
    return dict(_bringing(world))


def requiring(world: World) -> dict[str, Mapping[str, int]]:
    """By the id of each rule that requires items and keeps them: the amount of each."""
    needed = {rule.id: rule.requires for rule in world.collect.values() if rule.collectable}
    needed |= {rule.id: rule.requires for rule in world.shoot.values() if rule.requires}
    return needed | {f"creature.{rule.subject}": rule.requires for rule in world.hunt.values()}


def amounts_held(world: World) -> dict[str, int]:
    """By item: the greatest amount that a rule requires, or a goal wants to be held."""
    found = amounts_wanted(world)
    for needed in requiring(world).values():
        for item, amount in needed.items():
            found[item] = max(found.get(item, 0), amount)
    return found


def amounts_wanted(world: World) -> dict[str, int]:
    """By item: the greatest amount that a goal of the world wants to be held."""
    found: dict[str, int] = {}
    for goal in world.goals:
        wanted = condition_of(goal.name)
        if wanted is not None and wanted.kind == "have":
            found[wanted.subject] = max(found.get(wanted.subject, 0), wanted.number)
    return found


def _spending(world: World) -> Iterator[tuple[str, Mapping[str, int]]]:
    for place in world.place.values():
        yield place.id, place.uses
    for make in world.make.values():
        yield make.id, make.uses
    for collect in world.collect.values():
        if isinstance(collect, UsingCollect) and collect.collectable and collect.uses:
            yield collect.id, collect.uses
    for eat in world.eat.values():
        yield eat.id, {eat.subject: 1}
    for shoot in world.shoot.values():
        if shoot.uses:
            yield shoot.id, shoot.uses


def _bringing(world: World) -> Iterator[tuple[str, Mapping[str, int]]]:
    for creature in world.creature.values():
        if isinstance(creature, LeavingCreature) and creature.yields:
            yield creature.id, creature.yields
    for hunt in world.hunt.values():
        if hunt.yields:
            yield f"creature.{hunt.subject}", hunt.yields
    for eat in world.eat.values():
        if eat.leaves is not None:
            yield eat.id, {eat.leaves: 1}
