"""Changes of a plan without a new one: tasks not needed any more, stations placed once more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace

from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.itinerary import Itinerary
from mars_logic.plan.observed_map import ObservedMap
from mars_logic.plan.routes import STEP
from mars_logic.plan.skills import tasks_for
from mars_logic.plan.task_plan import Task, TaskPlan, brought_by, given_by, used_up_by
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.rules import Collect, Make, Place
from mars_logic.world.theory import World
from mars_logic.world.trace_rules import Eat

_NEAR = 40 * STEP
"""Cost of the way to a creature within which no further one is called."""
_SAVED = 4
"""Steps that a second station has to save."""

Find = Callable[[TaskPlan, Itinerary | None], Itinerary]
"""Finds an itinerary for a plan, given the one that was followed until now."""


def needless(here: BeliefState, plan: TaskPlan) -> Iterator[Task]:
    """Targets of a plan that are not needed any more.

    These bring more than can be held and is used later, or a creature that is there already or
    that nothing is to be done with.
    """
    wanted = {target.rule for target in plan.targets}
    for target in plan.targets:
        being = f"creature.{target.gain}"
        if target.gain in here.model.creatures:
            if being not in wanted or _is_near(here, being):
                yield target
        elif is_full(here.model.world, here.held, target):
            rest = replace(plan, targets=tuple(t for t in plan.targets if t != target))
            amounts = _left_over(here.model.world, rest, here.held)
            if all(amount >= 0 for amount in amounts.values()):
                yield target


def is_full(world: World, held: Mapping[str, int], target: Task) -> bool:
    """Whether no more can be held of what a target would bring."""
    rule = target.rule_in(world)
    if not isinstance(rule, Collect):
        return False
    brought = [target.gain] if target.gain is not None else list(rule.yields)
    return bool(brought) and all(held.get(item, 0) >= MAXIMUM for item in brought)


def _is_near(here: BeliefState, rule: str) -> bool:
    """Whether a creature that a rule is about is there, and can be reached soon."""
    if not here.things_of(rule.removeprefix("creature.")):
        return False
    return any(task.price(here)[0] <= _NEAR for task in tasks_for(here, Task(rule), {}))


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
        more = _once_more(world, plan, things, held)
        if more is None or (at_hand and _interactions(more) != _interactions(plan) + len(things)):
            continue
        other = find(more, None)
        if other.missing <= found.missing and other.end + _SAVED < found.end:
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
        standing: The map that the plan was made from, without useless stations.
        find: Finds another.
    """
    for rule in sorted(_placed_again(here, plan, standing)):
        fewer = plan.without(rule, None)
        other = find(fewer, found.without(rule, None))
        if other.missing <= found.missing and other.end <= found.end:
            plan, found = fewer, other
    return plan, found


def _once_more(
    world: World, plan: TaskPlan, things: Collection[str], held: Mapping[str, int]
) -> TaskPlan | None:
    """The plan with some stations placed once more, and what that uses up collected.

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


def _placed_again(here: BeliefState, plan: TaskPlan, standing: ObservedMap) -> set[str]:
    """The rules by which a plan places stations that stand, or more than one of them."""
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


def _left_over(world: World, plan: TaskPlan, held: Mapping[str, int]) -> Counter[str]:
    """The inventory at the end of a plan; negative where it uses more than it brings."""
    amounts: Counter[str] = Counter(dict(held))
    for target in plan.targets:
        rule = target.rule_in(world)
        brought: Mapping[str, int] = {}
        if isinstance(rule, Collect):
            brought = brought_by(rule, target.gain)
        elif isinstance(rule, Place | Make | Eat):
            amounts.subtract({i: n * target.times for i, n in used_up_by(rule).items()})
            brought = given_by(rule)
        amounts.update({item: n * target.times for item, n in brought.items()})
    return amounts


def _interactions(plan: TaskPlan) -> int:
    return sum(target.times for target in plan.targets)


def _brings(rule: Collect, item: str) -> bool:
    """Whether collecting surely brings one of an item each time."""
    return rule.collectable and brought_by(rule, None).get(item) == 1


def _can(rule: Collect, held: Mapping[str, int]) -> bool:
    return all(held.get(tool, 0) >= amount for tool, amount in rule.requires.items())
