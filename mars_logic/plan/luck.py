"""Luck: what of a plan hangs on outcomes that may never come."""

from __future__ import annotations

from mars_logic.plan.abstract import AbstractPlan, Target
from mars_logic.world.rules import Collect, Make, Place
from mars_logic.world.world import World

_RARE = 4
"""Luck that takes more tries than that on average is rare."""


def tries(rule: Collect, gain: str | None) -> float:
    """How often a rule has to be applied for what luck is to bring, on average."""
    chances = [given.probability or 1 for item, given in rule.yields.items() if item == gain]
    chances += [chance for being, chance in rule.spawns.items() if being == gain]
    return 1 / max(0.05, chances[0]) if chances else 1


def uses_up(world: World, target: Target) -> bool:
    """Whether luck is tried that uses up a site each time: nobody knows how many, nor where."""
    rule = _collected(world, target)
    return rule is not None and target.gain is not None and rule.leaves != rule.subject


def left_to_luck(world: World, plan: AbstractPlan) -> tuple[Target, ...]:
    """What hangs on rare luck that uses up a site each time: it may take all there are.

    Args:
        world: The rules.
        plan: What is left to do, in an order that works.
    """
    hoped: set[str | None] = set()
    lucky: list[Target] = []
    for target in plan.targets:
        rule = _collected(world, target)
        rare = rule is not None and tries(rule, target.gain) > _RARE
        if (rare and uses_up(world, target)) or _takes(world, target) & hoped:
            lucky.append(target)
            hoped |= {target.gain, _brought(target)} - {None}
    return tuple(lucky)


def _takes(world: World, target: Target) -> set[str | None]:
    """The items, stations and creatures without which a target cannot be done."""
    family, _, subject = target.rule.partition(".")
    if family == "creature":
        return {subject}
    rule = world[target.rule] if family != "sleep" else None
    match rule:
        case Collect():
            return {*rule.requires}
        case Place():
            return {*rule.uses}
        case Make():
            return {*rule.uses, *rule.nearby}
    return set()


def _brought(target: Target) -> str | None:
    """What is there once something was placed or made."""
    family, _, subject = target.rule.partition(".")
    return subject if family in ("place", "make") else None


def _collected(world: World, target: Target) -> Collect | None:
    rule = world[target.rule] if target.rule.startswith("collect.") else None
    return rule if isinstance(rule, Collect) else None
