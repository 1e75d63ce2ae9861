"""Progress of a plan: targets done, targets possible now, and the plan's inputs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.crafting_stations import lacking
from mars_logic.plan.observed_map import UNSEEN, Cell, ObservedMap
from mars_logic.plan.route import DIRECTIONS, FAR, STEP, Route, shifted
from mars_logic.plan.skills import beside, tasks_for
from mars_logic.plan.surroundings import Mask
from mars_logic.plan.task_plan import Task, TaskPlan, used_up_by
from mars_logic.plan.world_model import WorldModel
from mars_logic.world.dialect import AREA, MAXIMUM
from mars_logic.world.rules import Collect, Make, Place
from mars_logic.world.trace_rules import Eat

_CLOSE = 40 * STEP
"""Distance of a creature within which no further one is awaited."""


class Found(NamedTuple):
    """A task possible now.

    Attributes:
        target: The target; None for what is done besides.
        about: What it is about, in words.
        way: The way there.
        cell: Where it is, if that matters.
    """

    target: Task | None
    about: str
    way: Route
    cell: Cell | None = None


def grounds(here: BeliefState) -> tuple[object, ...]:
    """The inputs of plans whose change justifies a new plan."""
    kinds = frozenset(thing.kind for thing in here.seen.things)
    return here.seen.materials.tobytes(), kinds, here.held, here.status.unlocked


def within_reach(here: BeliefState, seen: ObservedMap) -> ObservedMap:
    """The seen map without what nobody can get to face as things are."""
    faced = np.zeros((AREA, AREA), np.bool_)
    for (dx, dy), cost in zip(DIRECTIONS, here.routes.cost, strict=True):
        faced |= shifted(cost < FAR, -dx, -dy)
    return replace(seen, materials=np.where(faced, seen.materials, UNSEEN))


def usable(here: BeliefState, useless: frozenset[str]) -> ObservedMap:
    """The seen map without stations that are of no use where they stand.

    Such cells are unreachable, or a tool needs two stations that stand apart.
    """
    lost = set(useless)
    within = here.routes.nearest_cell < FAR
    for thing, rule in here.model.world.place.items():
        there = thing in here.code and (here.seen.materials == here.code[thing]).any()
        if there and sum(rule.uses.values()) > 1 and not (here.near(thing) & within).any():
            lost.add(thing)
    for make in here.model.world.make.values():
        stations = [t for t in make.nearby if t in here.model.world.place and t not in lost]
        standing = all((here.seen.materials == here.code[t]).any() for t in stations)
        if len(stations) < 2 or not standing or here.held.get(make.subject):
            continue
        if not (beside(here, stations) & within).any():
            lost.add(min(stations, key=lambda t: sum(here.model.world.place[t].uses.values())))
    if not lost:
        return here.seen
    materials = here.seen.materials.copy()
    materials[np.isin(materials, [here.code[thing] for thing in sorted(lost)])] = UNSEEN
    return replace(here.seen, materials=materials)


def footholds(here: BeliefState, targets: Iterable[Task]) -> Mask:
    """bool[64, 64]: the cells without which nothing can be made beside stations that stand.

    These are the only ones from which it can be; and the one ahead, if all ways lead over it.
    """
    needed = {tuple(here.model.world.make[tool].nearby) for tool in _tools(targets)}
    mask = np.zeros((AREA, AREA), np.bool_)
    for stations in needed:
        there = beside(here, stations)
        if stations and there.any():
            there &= here.routes.nearest_cell < FAR
            mask |= there if there.sum() == 1 else False
            if there.any() and not (there & here.reached_without_ahead).any():
                mask[here.seen.ahead] = True
    return mask


def _tools(targets: Iterable[Task]) -> Iterable[str]:
    return (t.rule.removeprefix("make.") for t in targets if t.rule.startswith("make."))


def is_done(
    model: WorldModel,
    target: Task,
    gained: Mapping[str, int],
    lost: set[str],
    unlocked: frozenset[str],
) -> bool:
    """Whether what changed is what the target was to bring about."""
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


def is_full(model: WorldModel, held: Mapping[str, int], target: Task) -> bool:
    """Whether no more can be held of what a target would bring."""
    rule = model.world[target.rule] if "." in target.rule else None
    if not isinstance(rule, Collect):
        return False
    brought = [target.gain] if target.gain is not None else list(rule.yields)
    return bool(brought) and all(held.get(item, 0) >= MAXIMUM for item in brought)


def needless(model: WorldModel, plan: TaskPlan, held: Mapping[str, int]) -> list[Task]:
    """Targets whose yield exceeds the cap and is not needed later."""
    return [
        target
        for target in plan.targets
        if is_full(model, held, target)
        and not lacking(
            model.world, replace(plan, targets=tuple(t for t in plan.targets if t != target)), held
        )
    ]


def is_affordable(
    model: WorldModel, held: Mapping[str, int], earlier: tuple[Task, ...], target: Task
) -> bool:
    """Whether using something up for a target leaves enough for what comes before it."""
    rule = model.world[target.rule] if "." in target.rule else None
    if not isinstance(rule, Place | Make | Eat):
        return True
    for item, amount in used_up_by(rule).items():
        left = held.get(item, 0) - amount
        for other in earlier:
            before = model.world[other.rule] if "." in other.rule else None
            if isinstance(before, Place | Make | Eat):
                left -= used_up_by(before).get(item, 0) * other.times
            elif isinstance(before, Collect) and before.requires.get(item, 0) > left:
                return False
        if left < 0:
            return False
    return True


def together(
    model: WorldModel, targets: tuple[Task, ...], *, ordered: bool = True
) -> dict[str, frozenset[str]]:
    """For each thing to be placed, what has to stand close to it for something to be made.

    Args:
        model: What is believed.
        targets: What is left to do.
        ordered: Whether things are placed in this order; if not, none waits for another.
    """
    placed = [target.rule.partition(".")[2] for target in targets if target.rule[:5] == "place"]
    apart: dict[str, frozenset[str]] = {}
    for target in targets:
        rule = model.world[target.rule] if "." in target.rule else None
        if isinstance(rule, Make):
            for thing in rule.nearby:
                if thing in placed:
                    # What is placed later comes to what is placed before.
                    later = set(placed[placed.index(thing) if ordered else 0 :])
                    others = {m for m in rule.nearby if m != thing and m not in later}
                    apart[thing] = apart.get(thing, frozenset()) | others
    return apart


def required(model: WorldModel, targets: Iterable[Task]) -> dict[str, int]:
    """The food and drink that it takes to kill, and live on, what is still to be killed."""
    beings = [t.rule.removeprefix("creature.") for t in targets if t.rule.startswith("creature.")]
    effects = [model.eat_effect(model.kinds.index(being)) for being in beings]
    prices = {v: max((-e.of(v) for e in effects), default=0) for v in ("food", "drink")}
    return {vital: int(price) + 1 for vital, price in prices.items() if price > 0}


def has_come(here: BeliefState, being: str) -> bool:
    """Whether a creature is there that can be got to, so near that nobody has to call one."""
    if not here.things_of(being):
        return False
    tasks = tasks_for(here, Task(f"creature.{being}"), {})
    return any(task.price(here)[0] <= _CLOSE for task in tasks)


def unlocking(model: WorldModel, achievement: str) -> set[str]:
    """The rules that a plan has for the sake of an achievement, and of nothing held."""
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
