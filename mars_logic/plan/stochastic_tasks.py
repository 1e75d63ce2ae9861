"""Stochastic tasks: targets of a plan that depend on random outcomes."""

from __future__ import annotations

from mars_logic.plan.task_plan import Task, TaskPlan
from mars_logic.world.rules import Collect, Make, Place
from mars_logic.world.theory import World
from mars_logic.world.trace_rules import Eat

_RARE = 4
"""Luck that takes more tries than that on average is rare."""


def tries(rule: Collect, gain: str | None) -> float:
    """How often a rule has to be applied for what luck is to bring, on average."""
    chances = [given.probability or 1 for item, given in rule.yields.items() if item == gain]
    chances += [chance for being, chance in rule.spawns.items() if being == gain]
    return 1 / max(0.05, chances[0]) if chances else 1


def uses_up(world: World, target: Task) -> bool:
    """Whether luck is tried that uses up a site each time: nobody knows how many, nor where."""
    rule = _collected(world, target)
    return rule is not None and target.gain is not None and rule.leaves != rule.subject


def left_to_luck(world: World, plan: TaskPlan) -> tuple[Task, ...]:
    """The targets that depend on rare outcomes which use up a site per try, perhaps all sites.

    Args:
        world: The rules.
        plan: What is left to do, in an order that works.
    """
    hoped: set[str | None] = set()
    lucky: list[Task] = []
    for target in plan.targets:
        rule = _collected(world, target)
        rare = rule is not None and tries(rule, target.gain) > _RARE
        if (rare and uses_up(world, target)) or _takes(world, target) & hoped:
            lucky.append(target)
            hoped |= {target.gain, _brought(target)} - {None}
    return tuple(lucky)


def _takes(world: World, target: Task) -> set[str | None]:
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
        case Eat():
            return {rule.subject}
    return set()


def _brought(target: Task) -> str | None:
    """The result of placing or making."""
    family, _, subject = target.rule.partition(".")
    return subject if family in ("place", "make") else None


def _collected(world: World, target: Task) -> Collect | None:
    rule = world[target.rule] if target.rule.startswith("collect.") else None
    return rule if isinstance(rule, Collect) else None
