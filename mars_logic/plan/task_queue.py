"""The task queue: the rest of the task plan and its itinerary, updated by what happens.

clingo makes plans from the whole map, which takes a while. So a plan lasts as long as an itinerary
is found that does all of it; the itinerary is improved every few steps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.itinerary import Itinerary, ScheduledTask, make_itinerary
from mars_logic.plan.observed_map import UNSEEN, Cell, ObservedMap
from mars_logic.plan.plan_changes import needless, with_more_stations, without_useless_stations
from mars_logic.plan.routes import DIRECTIONS, FAR, STEP, Route, shifted
from mars_logic.plan.skills import beside, tasks_for
from mars_logic.plan.sources import keeps, unlocked_by
from mars_logic.plan.survive import LONG
from mars_logic.plan.task_plan import Task, TaskPlan, brought_by, make_plan, used_up_by
from mars_logic.plan.world_model import WorldModel
from mars_logic.world.dialect import AREA, DAY
from mars_logic.world.rules import Collect, Make, Place
from mars_logic.world.theory import Theory
from mars_logic.world.trace_rules import Eat

PATIENCE, _MOST_PATIENCE = 12, 192
"""Steps between two plans if some targets are impossible; doubled after each unchanged plan."""
REROUTE = 25
"""Steps after which an itinerary is made anew in any case."""
STALE = 300
"""Steps after which a plan is made anew in any case."""
_ON_THE_SPOT = 2 * STEP
"""Largest cost at which a target that unlocks an achievement is done at once."""
_ASTRAY = 10 * STEP
"""Cost advantage from which another cell replaces the itinerary's, if the way costs health."""
_MARGIN = 20
"""Steps added to one and a half times the steps of an itinerary."""
_UNKNOWN = 3
"""Factor on a plan's duration on a partly known map."""
_WAITING = 100
"""Expected steps until a creature spawns that is not there yet."""


class Found(NamedTuple):
    """A task possible now.

    Attributes:
        target: The target; None for something outside the plan.
        about: What it is about, in words.
        way: The way there.
        cell: Where it is, if that matters.
    """

    target: Task | None
    about: str
    way: Route
    cell: Cell | None = None


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
        loot = model.loot(subject) & gained.keys()
        return bool(loot) or any(name.endswith(f"_{subject}") for name in unlocked)
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
            elif model.requires.get(other.rule, {}).get(item, 0) > left:
                return False
        if left < 0:
            return False
    return True


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


def required(model: WorldModel, targets: Iterable[Task]) -> dict[str, int]:
    """The food and drink needed to kill the creatures that are still to be killed."""
    beings = [t.rule.removeprefix("creature.") for t in targets if t.rule.startswith("creature.")]
    effects = [model.eat_effect(model.kinds.index(being)) for being in beings]
    prices = {v: max((-e.of(v) for e in effects), default=0) for v in ("food", "drink")}
    return {vital: int(price) + 1 for vital, price in prices.items() if price > 0}


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


class TaskQueue:
    """The plan of an episode, with its progress.

    Attributes:
        plan: What is left to do; None before the first step.
        plans: How many plans were made.
        current: The target that the player was last sent to.
    """

    def __init__(self, belief: Theory, model: WorldModel, goals: Iterable[str] | None):
        """Begin with nothing planned.

        Args:
            belief: The rules as far as they are known.
            model: The same, compiled.
            goals: The achievements wanted; None for all.
        """
        self.plan: TaskPlan | None = None
        self.plans = 0
        self.current: Task | None = None
        self._belief, self._model = belief, model
        self._goals = None if goals is None else tuple(goals)
        self._follows: TaskPlan | None = None
        self._before: tuple[dict[str, int], frozenset[str]] | None = None
        self._planned_at = 0
        self._planned_for: tuple[object, ...] | None = None
        self._patience = PATIENCE
        self._itinerary: Itinerary | None = None
        self._stale = False
        self._remote: frozenset[str] = frozenset()
        self._routed_at = 0
        self._due: int | None = None
        self._planted: int | None = None
        self._put_off: dict[str, int] = {}
        self._within_reach = False
        self._useless: frozenset[str] = frozenset()
        self._reserve = keeps(model)
        self._urgent: tuple[str, ...] = ()

    def follow(self, plan: TaskPlan) -> None:
        """Carry out this plan instead of making plans."""
        self._follows = plan

    def believe(self, belief: Theory, model: WorldModel) -> None:
        """Change the belief; the plan is made anew if it uses a changed rule or has other goals."""
        changed = {rule.id for rule in model.world.rules() if rule != self._model.world[rule.id]}
        aims = model.world.achievements != self._model.world.achievements
        self._belief, self._model = belief, model
        self._reserve = keeps(model)
        used = {target.rule for target in self.targets}
        moves = any(rule.startswith(("walk.", "place.", "make.")) for rule in changed)
        if self.plan is None or self.plan.given_up or moves or aims or used & changed:
            self.plan = None

    def hurry(self, tools: frozenset[str]) -> None:
        """Plan only for these tools while any is still to be made; if there are none, for all."""
        urgent = tuple(sorted(unlocked_by(self._model, tool) for tool in tools))
        if urgent != self._urgent:
            self._urgent, self.plan = urgent, None

    def put_off(self, rule: str, until: int) -> None:
        """Ignore the targets of a rule until some step."""
        self._put_off[rule] = until

    def is_put_off(self, target: Task, here: BeliefState) -> bool:
        """Whether a target is ignored now."""
        return self._put_off.get(target.rule, 0) > here.status.step

    def update(self, here: BeliefState) -> None:
        """Cross off what was done in the last step; renew plan and itinerary where needed."""
        stands = bool(here.seen.of_kind("plant", "ripe_plant"))
        if self._planted is not None and not stands:
            self._patience = PATIENCE  # it was eaten
            self._stale = True
            self._planned_for = None  # a new plan may have the same input
        self._planted = (self._planted or here.status.step) if stands else None
        before, self._before = self._before, (here.held, here.status.unlocked)
        if self.plan is None or before is None:
            self._replan(here)
        elif before != self._before:
            self._note(here, *before)
        for target in needless(here, self.plan) if self.plan else ():
            self._cross_off(target.rule, target.gain, target.times)
        age = here.status.step - self._planned_at
        assert self.plan is not None
        lasts = STALE if self.plan.targets and not self._within_reach else self._patience
        if age >= lasts and self._changed(here):
            self._replan(here)
        since = here.status.step - self._routed_at
        late = self._itinerary is not None and self._itinerary.missing
        if self._itinerary is None or self._stale or since >= (PATIENCE if late else REROUTE):
            self._route(here)

    def next(self, here: BeliefState) -> Iterator[Found]:
        """Tasks possible now: those that unlock an achievement on the spot, then by itinerary."""
        assert self._itinerary is not None
        stops = self._itinerary.stops
        for index, stop in enumerate(stops):
            found = self._ready(here, index) if self._unlocks_here(here, stop) else None
            if found is not None and found.way.cost <= _ON_THE_SPOT:
                yield found
        yield from filter(None, (self._ready(here, index) for index in range(len(stops))))

    def _ready(self, here: BeliefState, index: int) -> Found | None:
        """How to make a stop now; None if it is impossible or takes items of an earlier stop."""
        assert self._itinerary is not None
        stop = self._itinerary.stops[index]
        earlier = tuple(other.target for other in self._itinerary.stops[:index])
        if self.is_put_off(stop.target, here) or not is_affordable(
            self._model, self.spare(here), earlier, stop.target
        ):
            return None
        tasks = tasks_for(here, stop.target, self.together)
        there = min(((task.at(stop.cell).way(here), task.name) for task in tasks), default=None)
        if there is None or there[0].cost >= FAR:
            return None
        if stop.cell is not None and there[0].harm:
            other = min((task.way(here), task.name) for task in tasks)
            if other[0].cost + _ASTRAY < there[0].cost:
                return Found(stop.target, other[1], other[0])
        return Found(stop.target, there[1], there[0], stop.cell)

    @staticmethod
    def _unlocks_here(here: BeliefState, stop: ScheduledTask) -> bool:
        """Whether a stop unlocks something wherever it is made."""
        family, _, subject = stop.target.rule.partition(".")
        if family == "collect":
            return stop.target.gain is not None and stop.cell is None  # a random outcome
        anywhere = family in ("make", "eat") or stop.target.rule in ("place.stone", "place.plant")
        return anywhere and f"{family}_{subject}" not in here.status.unlocked

    @property
    def busy(self) -> bool:
        """Whether the itinerary has stops."""
        return self._itinerary is not None and bool(self._itinerary.stops)

    def rethink(self, here: BeliefState) -> bool:
        """Make a new plan because no task is possible, unless that was tried shortly before.

        If it is the same plan again, one is made from what can be reached.
        """
        useless = _stranded(here, self.targets, self.together)
        waited = here.status.step - self._planned_at >= self._patience
        if useless <= self._useless and not (waited and self._changed(here)):
            return False
        if self._replan(here, useless):
            self._replan(here, useless, within_reach=True)
        self._route(here)
        return True

    @property
    def targets(self) -> tuple[Task, ...]:
        """The remaining targets, in the order of the plan."""
        return () if self.plan is None else self.plan.targets

    @property
    def together(self) -> dict[str, frozenset[str]]:
        """For each station to be placed, the others that have to stand close to it."""
        ordered = self.plan is None or self.plan.ordered
        return together(self._model, self.targets, ordered=ordered)

    def spare(self, here: BeliefState) -> dict[str, int]:
        """The items held minus those reserved for eating and drinking."""
        held = {item: n - self._reserve.get(item, 0) for item, n in here.held.items()}
        return {item: n for item, n in held.items() if n > 0}

    @property
    def reserved(self) -> tuple[tuple[str, int], ...]:
        """By item, the amount used or needed as a tool before more of it is collected."""
        stops = self._itinerary.stops if self._itinerary else ()
        return self.reserved_for(stop.target for stop in stops)

    def reserved_for(self, targets: Iterable[Task]) -> tuple[tuple[str, int], ...]:
        """By item, the amount that targets in this order use before one brings more of it.

        So much more as the largest amount of it that one of them requires and keeps.
        """
        amounts: Counter[str] = Counter()
        tools: Counter[str] = Counter()
        more: set[str] = set()
        for target in targets:
            kept = self._model.requires.get(target.rule, {})
            tools |= Counter({item: n for item, n in kept.items() if item not in more})
            rule = target.rule_in(self._model.world)
            if isinstance(rule, Collect):
                more |= set(brought_by(rule, target.gain))
            elif isinstance(rule, Place | Make):
                amounts.update({item: n for item, n in rule.uses.items() if item not in more})
        return tuple(sorted((amounts + tools).items()))

    def ahead(self, here: BeliefState) -> int:
        """Expected steps of the plan, at most those that the episode has left."""
        steps = self._expected(here)
        return min(LONG if steps is None else steps, self._steps_left(here))

    def late(self, here: BeliefState, delay: int) -> bool:
        """Whether a delay leaves too few steps for the plan."""
        steps = self._expected(here)
        return steps is not None and self._steps_left(here) - delay < steps

    def _expected(self, here: BeliefState) -> int | None:
        """Expected steps of the plan; None if unknown."""
        itinerary, step = self._itinerary, here.status.step
        if itinerary is None or itinerary.missing or not self.targets:
            return None
        steps = max(0, itinerary.steps - (step - self._routed_at))
        if (here.seen.materials == UNSEEN).any():
            steps *= _UNKNOWN
        waiting = 0 if itinerary.whole else _WAITING
        if any(target.rule == "creature.plant" for target in self.targets):
            # Plants are lost, and planted again.
            waiting += here.model.world.vocabulary.ripening // 2
        late = min(max(0, step - (self._due or step)), DAY)
        return steps * 3 // 2 + _MARGIN + waiting + late // 2

    @staticmethod
    def _steps_left(here: BeliefState) -> int:
        return here.model.length - here.status.step

    def _note(self, here: BeliefState, old: dict[str, int], unlocked: frozenset[str]) -> None:
        """Cross off what was done, as the changes of items and achievements show."""
        held, new = here.held, here.status.unlocked - unlocked
        gained = {i: held[i] - old.get(i, 0) for i in held if held[i] > old.get(i, 0)}
        lost = {item for item in old if held.get(item, 0) < old[item]}
        done: set[str] = set()
        if self.current and is_done(self._model, self.current, gained, lost, new):
            self._cross_off(self.current.rule, self.current.gain)
            done.add(self.current.rule)
        elif lost:
            self._stale = True
        else:
            for item in gained:
                self._credit(item)
        for achievement in sorted(new):
            for rule in unlocking(self._model, achievement) - done:
                self._cross_off(rule, None)

    def _credit(self, item: str) -> None:
        """Cross off the task that brings an item which was gained on the way."""
        for target in self.targets:
            rule = target.rule_in(self._model.world)
            if isinstance(rule, Collect):
                brings = target.gain == item or (target.gain is None and item in rule.yields)
            else:
                family, _, subject = target.rule.partition(".")
                brings = family == "creature" and item in self._model.loot(subject)
            if brings:
                self._cross_off(target.rule, target.gain)
                return

    def _cross_off(self, rule: str, gain: str | None, times: int = 1) -> None:
        """A rule of the plan was applied with this outcome, or is not to be any more."""
        assert self.plan is not None
        for _ in range(times):
            self.plan = self.plan.without(rule, gain)
            if self._itinerary is not None:
                self._itinerary = self._itinerary.without(rule, gain)

    def _changed(self, here: BeliefState) -> bool:
        """Whether the input of plans has changed since the plan was made."""
        return self._planned_for != _input(here)

    def _route(self, here: BeliefState) -> None:
        """Find an itinerary; make a new plan if none does all of the plan."""
        self._itinerary = self._itinerary_for(here)
        waited = here.status.step - self._planned_at >= self._patience
        if self._itinerary.missing and waited and self._changed(here):
            self._replan(here)
            self._itinerary = self._itinerary_for(here)

    def _itinerary_for(self, here: BeliefState) -> Itinerary:
        assert self.plan is not None
        self._routed_at = here.status.step
        followed = self._itinerary if self._itinerary and not self._itinerary.missing else None
        self._stale = False
        found = self._found(here, self.plan, followed)
        find = partial(self._found, here)
        if found.remote and not found.missing:
            tried = self._remote == found.remote and followed is not None
            self.plan, found = with_more_stations(
                here.model.world, self.plan, found, self.spare(here), find, at_hand=tried
            )
        standing = _usable(here, self._useless)
        self.plan, found = without_useless_stations(here, self.plan, found, standing, find)
        self._remote = found.remote
        if found.whole:
            due = here.status.step + found.steps
            self._due = due if self._due is None else min(due, self._due)
        return found

    def _found(self, here: BeliefState, plan: TaskPlan, before: Itinerary | None) -> Itinerary:
        near = together(self._model, plan.targets, ordered=plan.ordered)
        return make_itinerary(here, plan, self.spare(here), near, self._planted, before)

    def _replan(
        self,
        here: BeliefState,
        useless: frozenset[str] = frozenset(),
        *,
        within_reach: bool = False,
    ) -> bool:
        """Make a new plan; whether it is the same again.

        Args:
            here: The situation.
            useless: Stations that are to be placed anew.
            within_reach: Whether to plan only with cells that can be reached.
        """
        old, self.current, self._stale = self.plan, None, True
        if self._follows is not None:
            self.plan = self.plan or self._follows
        else:
            seen = _usable(here, useless)
            self.plan = make_plan(
                self._belief,
                _reached(here, seen) if within_reach else seen,
                self.spare(here),
                here.status.unlocked,
                self._urgent or self._goals,
            )
        self.plans += 1
        same = old is not None and old.amounts == self.plan.amounts
        self._within_reach, self._useless = within_reach, useless
        patient = same or within_reach
        self._patience = min(_MOST_PATIENCE, 2 * self._patience) if patient else PATIENCE
        self._planned_at = here.status.step
        self._planned_for = _input(here)
        return same


def _stranded(
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


def _usable(here: BeliefState, useless: frozenset[str]) -> ObservedMap:
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


def _reached(here: BeliefState, seen: ObservedMap) -> ObservedMap:
    """The observed map without cells that cannot be faced as things are."""
    faced = np.zeros((AREA, AREA), np.bool_)
    for (dx, dy), cost in zip(DIRECTIONS, here.routes.cost, strict=True):
        faced |= shifted(cost < FAR, -dx, -dy)
    return replace(seen, materials=np.where(faced, seen.materials, UNSEEN))


def _input(here: BeliefState) -> tuple[object, ...]:
    """What plans are made from."""
    kinds = frozenset(thing.kind for thing in here.seen.things)
    return here.seen.materials.tobytes(), kinds, here.held, here.status.unlocked
