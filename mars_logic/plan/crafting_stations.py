"""Additional stations: whether placing a station again saves walking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.itinerary import Itinerary
from mars_logic.plan.observed_map import ObservedMap
from mars_logic.plan.route import FAR
from mars_logic.plan.skills import tasks_for
from mars_logic.plan.task_plan import Task, TaskPlan, brought_by, given_by, used_up_by
from mars_logic.world.rules import Collect, Make, Place
from mars_logic.world.theory import World
from mars_logic.world.trace_rules import Eat

_GAIN = 4
"""Steps that a second station has to save."""

Find = Callable[[TaskPlan, Itinerary | None], Itinerary]
"""Finds an itinerary for a plan, given the one that was followed until now."""


def with_more_stations(
    world: World,
    plan: TaskPlan,
    found: Itinerary,
    held: Mapping[str, int],
    find: Find,
    *,
    at_hand: bool,
) -> tuple[TaskPlan, Itinerary]:
    """The plan and its itinerary, with stations placed again where that saves steps.

    Args:
        world: The rules.
        plan: What is left to do.
        found: Its itinerary, which goes back to some stations.
        held: The items that may be used.
        find: Finds another.
        at_hand: Try only stations for which all that they take is held, or collected anyway.
    """
    best = plan
    each = {frozenset((thing,)) for thing in found.remote} | {found.remote}
    for things in sorted(each, key=sorted):
        more = once_more(world, plan, things, held)
        if more is None or (at_hand and more.interactions != plan.interactions + len(things)):
            continue
        other = find(more, None)
        if other.missing <= found.missing and other.end + _GAIN < found.end:
            best, found = more, other
    return best, found


def without_useless_stations(
    here: BeliefState, plan: TaskPlan, found: Itinerary, standing: ObservedMap, find: Find
) -> tuple[TaskPlan, Itinerary]:
    """The plan and its itinerary, without stations placed again that save nothing by now.

    Args:
        here: The situation.
        plan: What is left to do.
        found: Its itinerary.
        standing: The map that the plan was made from, on which stations of no use are left out.
        find: Finds another.
    """
    for rule in sorted(placed_again(here, plan, standing)):
        fewer = plan.without(rule, None)
        other = find(fewer, found.without(rule, None))
        if other.missing <= found.missing and other.end <= found.end:
            plan, found = fewer, other
    return plan, found


def once_more(
    world: World, plan: TaskPlan, things: Collection[str], held: Mapping[str, int]
) -> TaskPlan | None:
    """The plan with some stations placed once more, and what that uses up collected.

    Args:
        world: The rules.
        plan: What is left to do.
        things: The stations.
        held: The items that may be used.

    Returns:
        None if what is missing for it cannot surely be collected.
    """
    rules = [world.place[thing] for thing in world.place if thing in things]
    amounts = _left_over(world, plan, held)
    for rule in rules:
        amounts.subtract(rule.uses)
    extra: list[Task] = []
    for item in sorted(item for item, amount in amounts.items() if amount < 0):
        planned = {target.rule for target in plan.targets if target.gain is None}
        ways = [
            rule.id
            for rule in world.collect.values()
            if _brings(rule, item) and (rule.id in planned or _can(rule, held))
        ]
        if not ways:
            return None
        extra.append(Task(min(ways, key=lambda way: way not in planned), -amounts[item]))
    extra += [Task(rule.id) for rule in rules]
    first = next((n for n, target in enumerate(plan.targets) if target.rule.startswith("make.")), 0)
    return replace(plan, targets=plan.targets[:first] + tuple(extra) + plan.targets[first:])


def placed_again(here: BeliefState, plan: TaskPlan, standing: ObservedMap) -> set[str]:
    """The rules by which a plan places stations that stand, or more than one of them.

    Args:
        here: The situation.
        plan: What is left to do.
        standing: The map that the plan was made from, on which stations of no use are left out.
    """
    world, unlocked = here.model.world, here.status.unlocked
    stations = {thing for rule in world.make.values() for thing in rule.nearby} & set(world.place)
    again: set[str] = set()
    for thing in stations:
        rule = f"place.{thing}"
        times = sum(target.times for target in plan.targets if target.rule == rule)
        stands = bool((standing.materials == here.code[thing]).any())
        if times > (0 if stands and f"place_{thing}" in unlocked else 1):
            again.add(rule)
    return again


def stranded(
    here: BeliefState, targets: Iterable[Task], apart: Mapping[str, frozenset[str]]
) -> frozenset[str]:
    """Stations beside which nothing that belongs there can be placed.

    Args:
        here: The situation.
        targets: What is left to do.
        apart: For each thing to be placed, what has to stand close to it.
    """
    found: set[str] = set()
    for target in targets:
        close = apart.get(target.rule.removeprefix("place."))
        if close and all(task.price(here)[0] >= FAR for task in tasks_for(here, target, apart)):
            found |= close & set(here.model.world.place)
    return frozenset(found)


def lacking(world: World, plan: TaskPlan, held: Mapping[str, int]) -> set[str]:
    """The items of which a plan uses up more than it brings and is held."""
    return {item for item, amount in _left_over(world, plan, held).items() if amount < 0}


def _left_over(world: World, plan: TaskPlan, held: Mapping[str, int]) -> Counter[str]:
    """The inventory at the end of a plan; negative where it uses more than it brings."""
    amounts: Counter[str] = Counter(dict(held))
    for target in plan.targets:
        rule = world[target.rule] if "." in target.rule else None
        brought: Mapping[str, int] = {}
        if isinstance(rule, Collect):
            brought = brought_by(rule, target.gain)
        elif isinstance(rule, Place | Make | Eat):
            amounts.subtract({i: n * target.times for i, n in used_up_by(rule).items()})
            brought = given_by(rule)
        amounts.update({item: n * target.times for item, n in brought.items()})
    return amounts


def _brings(rule: Collect, item: str) -> bool:
    """Whether collecting surely brings one of an item each time."""
    return rule.collectable and brought_by(rule, None).get(item) == 1


def _can(rule: Collect, held: Mapping[str, int]) -> bool:
    return all(held.get(tool, 0) >= amount for tool, amount in rule.requires.items())
