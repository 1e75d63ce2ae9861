"""Abstract plans: sequences of rule applications.

From a belief and what is seen, clingo counts the fewest interactions that unlock everything still
to be unlocked, given what is held and what stands already; see ``mars_logic.logic.replanning``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby

from mars_logic.logic.growth import as_grown, grown_from, placed_rule, with_growth
from mars_logic.logic.reachability_model import Plan
from mars_logic.logic.replanning import START, Counts, ReplanningScene, rule_of
from mars_logic.logic.solve import LimitReachedError
from mars_logic.plan.observed_map import ObservedMap
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.rules import Collect, Make, Place, Rule
from mars_logic.world.theory import Theory, World
from mars_logic.world.trace_rules import Eat


@dataclass(frozen=True, slots=True)
class Task:
    """Applying one rule some times.

    Attributes:
        rule: The rule's id; ``sleep`` for sleeping.
        times: How often.
        gain: The item or creature that luck has to bring each time, if the plan counts on luck.
    """

    rule: str
    times: int = 1
    gain: str | None = None

    def rule_in(self, world: World) -> Rule | None:
        """Its rule; None for sleeping."""
        return world[self.rule] if "." in self.rule else None


@dataclass(frozen=True, slots=True)
class TaskPlan:
    """Targets in an order that works.

    Attributes:
        targets: What to do; equal rules may occur more than once.
        goals: The achievements that it unlocks.
        given_up: Achievements that cannot be planned for: believed unreachable from here, or too
            hard to count.
        ordered: Whether the order is known to work; if not, only the numbers are.
    """

    targets: tuple[Task, ...]
    goals: tuple[str, ...] = ()
    given_up: tuple[str, ...] = ()
    ordered: bool = True

    @property
    def amounts(self) -> Counter[tuple[str, str | None]]:
        """How often each rule is to be applied with each outcome."""
        amounts: Counter[tuple[str, str | None]] = Counter()
        for target in self.targets:
            amounts[target.rule, target.gain] += target.times
        return amounts

    def without(self, rule: str, gain: str | None) -> TaskPlan:
        """The rest of the plan once a rule was applied with this outcome."""
        targets = list(self.targets)
        for index, target in enumerate(targets):
            if (target.rule, target.gain) == (rule, gain):
                left = replace(target, times=target.times - 1)
                targets[index : index + 1] = [left] if left.times else []
                return replace(self, targets=tuple(targets))
        return self


def brought_by(rule: Collect, gain: str | None) -> dict[str, int]:
    """The certain yields of collecting, and the random yield that a target counts on."""
    return {
        item: given.amount
        for item, given in rule.yields.items()
        if given.probability in (None, 1) or item == gain
    }


def used_up_by(rule: Place | Make | Eat) -> Mapping[str, int]:
    """The items that applying a rule takes away."""
    return {rule.subject: 1} if isinstance(rule, Eat) else rule.uses


def given_by(rule: Place | Make | Eat) -> dict[str, int]:
    """The items that applying a rule gives."""
    match rule:
        case Make():
            return {rule.subject: rule.gives}
        case Eat() if rule.leaves:
            return {rule.leaves: 1}
    return {}


def believed(belief: Theory) -> World:
    """The world that a planner plans for."""
    return belief if isinstance(belief, World) else belief.most_likely()


def make_plan(
    belief: Theory,
    seen: ObservedMap,
    held: Mapping[str, int],
    unlocked: Iterable[str] = (),
    goals: Iterable[str] | None = None,
) -> TaskPlan:
    """The fewest interactions for everything that can still be unlocked.

    Args:
        belief: The rules as far as they are known.
        seen: The map as far as it is known.
        held: The items held.
        unlocked: The achievements reached already.
        goals: The achievements wanted; by default all.

    Example:
        >>> import mars_logic
        >>> from mars_logic.sim import Simulator
        >>> world = mars_logic.load_world("default")
        >>> simulator = Simulator(world)
        >>> simulator.reset(seed=1)
        >>> seen = ObservedMap.from_state(simulator.state(), world.dynamics)
        >>> sum(make_plan(world, seen, {}).amounts.values())
        37
    """
    world = believed(belief)
    done = set(unlocked)
    open_goals = [name for name in world.achievements if name not in done]
    if goals is not None:
        open_goals = [name for name in open_goals if name in set(goals)]
    counts = Counts(with_growth(world), _scene(world, seen, held))
    wanted = [name for name in open_goals if name in counts.reachable]
    plan, kept = _most(counts, wanted)
    given_up = tuple(name for name in open_goals if name not in kept)
    if plan is None:
        return TaskPlan(_prey(world, seen, given_up), (), given_up)
    order = counts.ordered(plan)
    if order is None and (other := _try(counts, kept, cautious=True)) is not None:
        plan, order = other, counts.ordered(other)
    actions = order or [action for action, times in sorted(plan.items()) for _ in range(times)]
    sources = grown_from(world)
    return TaskPlan(_targets(actions, sources), tuple(kept), given_up, order is not None)


def _prey(world: World, seen: ObservedMap, given_up: Iterable[str]) -> tuple[Task, ...]:
    """Creatures in sight that no plan can count on, but that may still be reached."""
    looks = world.vocabulary.looks
    kinds = sorted({looks[thing.kind] for thing in seen.things})
    return tuple(Task(f"creature.{kind}") for kind in kinds if f"kill_{kind}" in given_up)


def _most(counts: Counts, wanted: list[str]) -> tuple[Plan | None, list[str]]:
    """A plan for all goals; if none is found, for as many as possible, one after the other."""
    plan = _try(counts, wanted)
    if plan is not None or len(wanted) <= 1:
        return plan, wanted if plan is not None else []
    kept: list[str] = []
    for name in wanted:
        larger = _try(counts, [*kept, name])
        if larger is not None:
            plan, kept = larger, [*kept, name]
    return plan, kept


def _try(counts: Counts, wanted: list[str], *, cautious: bool = False) -> Plan | None:
    try:
        return counts.fewest(wanted, cautious=cautious) if wanted else None
    except LimitReachedError:
        return None


def _scene(world: World, seen: ObservedMap, held: Mapping[str, int]) -> ReplanningScene:
    words = world.vocabulary
    creatures = tuple(
        (words.looks[thing.kind], thing.x, thing.y)
        for thing in seen.things
        if words.looks[thing.kind] in words.creatures
    )
    planted = bool(seen.of_kind("plant", "ripe_plant"))
    amounts = {item: min(MAXIMUM, amount) for item, amount in held.items() if amount > 0}
    area = as_grown(world, seen.materials)
    return ReplanningScene(area, seen.position, seen.facing, creatures, amounts, planted)


def _targets(actions: Iterable[tuple[str, str]], sources: Mapping[str, str]) -> tuple[Task, ...]:
    real = (action for action in actions if action != START)
    return tuple(
        Task(
            placed_rule(rule_of(action), sources),
            len(list(group)),
            None if action[1] == "plain" else action[1],
        )
        for action, group in groupby(real)
    )
