"""An episode in stages: the interactions that carried out the plan, with their later uses."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from mars_logic.plan.task_plan import TaskPlan
from mars_logic.play.interactions import Interaction
from mars_logic.world.rules import Collect, Make, Place

if TYPE_CHECKING:
    from mars_logic.world.theory import World

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class EpisodeStage:
    """Consecutive interactions of one kind that carry out a plan.

    Attributes:
        rule: The id of the rule that was applied.
        deeds: When and where, in order.
        start: The player's cell at the end of the stage before.
        unlocked: The achievements that were reached for the first time.
        used_by: The ids of the rules that used up what it brought.
        held_for: The ids of the rules that were then applied because it was held.
        beside: The ids of the rules that were then applied beside it.
        same_place: The id of the rule that was applied next to the very cell that it changed.
        meant_for: The ids of the rules that it would have served, had they not been left undone.
    """

    rule: str
    deeds: tuple[Interaction, ...]
    start: Cell
    unlocked: tuple[str, ...] = ()
    used_by: tuple[str, ...] = ()
    held_for: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    same_place: str | None = None
    meant_for: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EpisodeStages:
    """An episode compared with its plan.

    Attributes:
        stages: What carried out the plan, or unlocked something, in order.
        others: How often each rule was applied besides.
        left: How often each rule was still to be applied, if the plan's goals were not reached.
    """

    stages: tuple[EpisodeStage, ...]
    others: Counter[str]
    left: Counter[str]


def course(world: World, plan: TaskPlan, done: Sequence[Interaction], start: Cell) -> EpisodeStages:
    """Compare the initial plan with the interactions done.

    Args:
        world: The rules.
        plan: What was planned.
        done: What was done.
        start: The player's first cell.
    """
    carried_out, left = _matched(plan, done)
    reached = {name for deed in done for name in deed.counted}
    if set(plan.goals) <= reached:
        left.clear()
    uses = _used_by(world, done)
    stages = tuple(
        _stage(world, group, begin, done, uses, left)
        for group, begin in _groups(carried_out, start)
    )
    numbers = {deed.step for deed in carried_out}
    others = Counter(deed.rule for deed in done if deed.step not in numbers)
    return EpisodeStages(stages, others, left)


def _matched(plan: TaskPlan, done: Sequence[Interaction]) -> tuple[list[Interaction], Counter[str]]:
    """The deeds that carry out the plan or unlock something, and what is left of the plan.

    Tries that luck did not favour go with what was planned, as long as more of it is.
    """
    left = Counter[str]()
    for target in plan.targets:
        left[target.rule] += target.times
    carried_out: list[Interaction] = []
    reached: set[str] = set()
    for deed in done:
        if left[deed.rule] > 0 or not set(deed.counted) <= reached:
            carried_out.append(deed)
            in_vain = deed.rule.startswith("collect.") and not deed.counted
            left[deed.rule] -= left[deed.rule] > 0 and not in_vain
        reached.update(deed.counted)
    return carried_out, +left


def _groups(
    carried_out: Sequence[Interaction], start: Cell
) -> Iterator[tuple[tuple[Interaction, ...], Cell]]:
    """Deeds of one rule in a row, with the player's cell before."""
    for _, some in groupby(carried_out, key=lambda deed: deed.rule):
        group = tuple(some)
        yield group, start
        start = group[-1].stood


def _stage(
    world: World,
    group: tuple[Interaction, ...],
    start: Cell,
    done: Sequence[Interaction],
    uses: dict[int, list[str]],
    left: Iterable[str],
) -> EpisodeStage:
    first, last = group[0], group[-1]
    earlier = [deed for deed in done if deed.step < first.step]
    later = [deed for deed in done if deed.step > last.step]
    brought = _brought(world, group)
    new = brought - _brought(world, earlier)
    coming = [deed.rule for deed in later]
    before = {name for deed in earlier for name in deed.counted}
    return EpisodeStage(
        first.rule,
        group,
        start,
        tuple(dict.fromkeys(n for deed in group for n in deed.counted if n not in before)),
        tuple(dict.fromkeys(rule for deed in group for rule in uses[deed.step])),
        tuple(_needing(world, coming, new, Collect, "requires")),
        tuple(_needing(world, coming, new, Make, "nearby")),
        _same_place(world, group, later),
        tuple(
            rule
            for family, field in ((Place, "uses"), (Make, "uses"), (Collect, "requires"))
            for rule in _needing(world, left, brought, family, field)
        ),
    )


def _used_by(world: World, done: Sequence[Interaction]) -> dict[int, list[str]]:
    """For the step of each deed, the rules that used up what it brought; the oldest goes first."""
    used: dict[int, list[str]] = {deed.step: [] for deed in done}
    stock: dict[str, deque[int]] = {}
    for deed in done:
        rule = world[deed.rule] if "." in deed.rule else None
        for item, amount in rule.uses.items() if isinstance(rule, Place | Make) else ():
            for _ in range(min(amount, len(stock.get(item, ())))):
                used[stock[item].popleft()].append(deed.rule)
        for gain, amount in _gains(world, deed).items():
            stock.setdefault(gain, deque()).extend([deed.step] * amount)
    return used


def _gains(world: World, deed: Interaction) -> dict[str, int]:
    """The items that a deed brought."""
    rule = world[deed.rule] if "." in deed.rule else None
    if isinstance(rule, Collect):
        hits = ((i, given) for i, given in rule.yields.items() if f"collect_{i}" in deed.counted)
        return {item: given.amount for item, given in hits}
    return {rule.subject: rule.gives} if isinstance(rule, Make) else {}


def _brought(world: World, some: Sequence[Interaction]) -> set[str]:
    """The items, stations and plants that deeds brought."""
    things = {deed.rule.partition(".")[2] for deed in some if deed.rule.startswith("place.")}
    return things.union(*(_gains(world, deed) for deed in some))


def _needing(
    world: World,
    rules: Iterable[str],
    brought: set[str],
    family: type[Collect | Place | Make],
    field: str,
) -> Iterator[str]:
    """Those of some rules, of one family, that name something of what was brought."""
    for rule_id in dict.fromkeys(rules):
        rule = world[rule_id] if "." in rule_id else None
        if isinstance(rule, family) and brought & set(getattr(rule, field)):
            yield rule_id


def _same_place(
    world: World, group: Sequence[Interaction], later: Sequence[Interaction]
) -> str | None:
    """The interactions next to a cell that these changed; for a plant, which may walk, eating."""
    if group[0].rule == "place.plant":
        return next((deed.rule for deed in later if deed.rule == "creature.plant"), None)
    if not isinstance(world[group[0].rule] if "." in group[0].rule else None, Collect | Place):
        return None
    cells = {deed.cell: deed.material for deed in group}
    again = (deed for deed in later if deed.cell in cells)
    return next((deed.rule for deed in again if deed.material != cells[deed.cell]), None)
