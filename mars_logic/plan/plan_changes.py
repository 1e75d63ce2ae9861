"""Changes of a plan: tasks done or not needed any more, stations placed once more or of no use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.itinerary import Itinerary
from mars_logic.plan.observed_map import UNSEEN, ObservedMap
from mars_logic.plan.routes import DIRECTIONS, FAR, STEP, shifted
from mars_logic.plan.skills import beside, tasks_for
from mars_logic.plan.task_plan import Task, TaskPlan, brought_by, given_by, used_up_by
from mars_logic.plan.world_model import WorldModel
from mars_logic.world.dialect import AREA, MAXIMUM
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


def is_done(
    model: WorldModel,
    target: Task,
    gained: Mapping[str, int],
    lost: set[str],
    unlocked: frozenset[str],
) -> bool:
    """Whether a change is the effect of a target."""
    family, _, subject = target.rule.partition(".")
    if family == "creature":
        return any(name.endswith(f"_{subject}") for name in unlocked)
    if family == "sleep":
        return "wake_up" in unlocked
    rule = model.world[target.rule]
    if isinstance(rule, Collect):
        if lost:
            return False
        if target.gain is not None:
            return target.gain in gained
        drunk = "collect_drink" in unlocked and "drink" in rule.yields
        return drunk or any(item in rule.yields for item in gained)
    if isinstance(rule, Eat):
        return subject in lost
    assert isinstance(rule, Place | Make)
    made = isinstance(rule, Place) or subject in gained
    return made and lost <= set(rule.uses) and (bool(lost) or not rule.uses)


def unlocking(model: WorldModel, achievement: str) -> set[str]:
    """The rules that a plan contains for an achievement alone."""
    verb, _, subject = achievement.partition("_")
    if verb == "wake":
        return {"sleep"}
    if verb == "place":
        return {f"place.{subject}"}
    if verb == "eat" and subject in model.world.eat:
        return {f"eat.{subject}"}
    if achievement == "collect_drink":
        rules = model.world.collect.values()
        return {rule.id for rule in rules if set(rule.yields) == {"drink"}}
    return {f"creature.{subject}"}


def stranded(
    here: BeliefState, targets: Iterable[Task], apart: Mapping[str, frozenset[str]]
) -> frozenset[str]:
    """Stations beside which a station that belongs there cannot be placed.

    Args:
        here: The situation.
        targets: What is left to do.
        apart: For each station to be placed, the others that have to stand close to it.
    """
    found: set[str] = set()
    for target in targets:
        close = apart.get(target.rule.removeprefix("place."))
        if close and all(task.price(here)[0] >= FAR for task in tasks_for(here, target, apart)):
            found |= close & set(here.model.world.place)
    return frozenset(found)


def usable(here: BeliefState, useless: frozenset[str]) -> ObservedMap:
    """The observed map without useless stations.

    Useless are also those that cannot be reached, and of two stations for one tool that stand
    apart the cheaper one.
    """
    world, lost = here.model.world, set(useless)
    within = here.routes.nearest_cell < FAR
    there = {t for t in world.place if t in here.code and here.made_of(t).any()}
    for thing in there:
        if sum(world.place[thing].uses.values()) > 1 and not (here.near(thing) & within).any():
            lost.add(thing)
    for make in world.make.values():
        stations = [t for t in make.nearby if t in there - lost]
        missing = any(t in world.place and t not in there | lost for t in make.nearby)
        if len(stations) < 2 or missing or here.held.get(make.subject):
            continue
        if not (beside(here, stations) & within).any():
            lost.add(min(stations, key=lambda t: sum(world.place[t].uses.values())))
    if not lost:
        return here.seen
    materials = np.where(here.made_of(*sorted(lost)), UNSEEN, here.seen.materials)
    return replace(here.seen, materials=materials.astype(np.uint8))


def reached(here: BeliefState, seen: ObservedMap) -> ObservedMap:
    """The observed map without cells that cannot be faced as things are."""
    faced = np.zeros((AREA, AREA), np.bool_)
    for (dx, dy), cost in zip(DIRECTIONS, here.routes.cost, strict=True):
        faced |= shifted(cost < FAR, -dx, -dy)
    return replace(seen, materials=np.where(faced, seen.materials, UNSEEN))


def plan_input(here: BeliefState) -> tuple[object, ...]:
    """What plans are made from."""
    kinds = frozenset(thing.kind for thing in here.seen.things)
    return here.seen.materials.tobytes(), kinds, here.held, here.status.unlocked


def together(
    model: WorldModel, targets: tuple[Task, ...], *, ordered: bool = True
) -> dict[str, frozenset[str]]:
    """For each station to be placed, the others that have to stand close to it.

    Args:
        model: What is believed.
        targets: What is left to do.
        ordered: Whether the stations are placed in this order; if not, none waits for another.
    """
    placed = [target.rule.partition(".")[2] for target in targets if target.rule[:5] == "place"]
    apart: dict[str, frozenset[str]] = {}
    for target in targets:
        rule = target.rule_in(model.world)
        if isinstance(rule, Make):
            for thing in rule.nearby:
                if thing in placed:
                    # What is placed later comes to what is placed before.
                    later = set(placed[placed.index(thing) if ordered else 0 :])
                    others = {m for m in rule.nearby if m != thing and m not in later}
                    apart[thing] = apart.get(thing, frozenset()) | others
    return apart


def is_affordable(
    model: WorldModel, held: Mapping[str, int], earlier: tuple[Task, ...], target: Task
) -> bool:
    """Whether a target leaves enough items for the tasks before it."""
    rule = target.rule_in(model.world)
    if not isinstance(rule, Place | Make | Eat):
        return True
    for item, amount in used_up_by(rule).items():
        left = held.get(item, 0) - amount
        for other in earlier:
            before = other.rule_in(model.world)
            if isinstance(before, Place | Make | Eat):
                left -= used_up_by(before).get(item, 0) * other.times
            elif isinstance(before, Collect) and before.requires.get(item, 0) > left:
                return False
        if left < 0:
            return False
    return True
