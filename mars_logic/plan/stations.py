"""Second stations: what a plan takes more where stations are placed once more, to save a way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace

from mars_logic.plan.abstract import AbstractPlan, Target, brought_by
from mars_logic.world.rules import Collect, Make, Place
from mars_logic.world.world import World


def with_more_stations(
    world: World, plan: AbstractPlan, things: Collection[str], held: Mapping[str, int]
) -> AbstractPlan | None:
    """The plan with some stations placed once more, and what that uses up collected.

    Args:
        world: The rules.
        plan: What is left to do.
        things: The stations.
        held: The items that may be used.

    Returns:
        None if what is missing for it cannot be got like what the plan itself collects.
    """
    rules = [world.place[thing] for thing in world.place if thing in things]
    amounts = _left_over(world, plan, held)
    for rule in rules:
        amounts.subtract(rule.uses)
    extra: list[Target] = []
    for item in sorted(item for item, amount in amounts.items() if amount < 0):
        collecting = next((t.rule for t in plan.targets if _brings(world, t, item)), None)
        if collecting is None:
            return None
        extra.append(Target(collecting, -amounts[item]))
    extra += [Target(rule.id) for rule in rules]
    first = next((n for n, target in enumerate(plan.targets) if target.rule.startswith("make.")), 0)
    return replace(plan, targets=plan.targets[:first] + tuple(extra) + plan.targets[first:])


def _left_over(world: World, plan: AbstractPlan, held: Mapping[str, int]) -> Counter[str]:
    """What is held at the end of a plan, less than nothing if it uses more than it brings."""
    amounts: Counter[str] = Counter(dict(held))
    for target in plan.targets:
        rule = world[target.rule] if "." in target.rule else None
        brought: Mapping[str, int] = {}
        if isinstance(rule, Collect):
            brought = brought_by(rule, target.gain)
        elif isinstance(rule, Place | Make):
            amounts.subtract({item: n * target.times for item, n in rule.uses.items()})
            brought = {rule.subject: rule.gives} if isinstance(rule, Make) else {}
        amounts.update({item: n * target.times for item, n in brought.items()})
    return amounts


def _brings(world: World, target: Target, item: str) -> bool:
    """Whether a target of a plan surely brings one of an item each time."""
    rule = world[target.rule] if "." in target.rule else None
    return isinstance(rule, Collect) and not target.gain and brought_by(rule, None).get(item) == 1
