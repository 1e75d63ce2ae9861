"""The task queue: the remaining abstract plan and itinerary, updated by events.

Plans are made from the whole map by clingo, which takes a while; so a plan lasts as long as an
itinerary is found that does all of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial

from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.crafting_stations import stranded, with_more_stations, without_useless_stations
from mars_logic.plan.eta import expected, left
from mars_logic.plan.itinerary import Itinerary, ScheduledTask, make_itinerary
from mars_logic.plan.route import FAR, STEP
from mars_logic.plan.skills import Skill, tasks_for
from mars_logic.plan.sources import keeps, unlocked_by
from mars_logic.plan.survive import LONG
from mars_logic.plan.task_checks import (
    Found,
    footholds,
    grounds,
    has_come,
    is_affordable,
    is_done,
    needless,
    together,
    unlocking,
    usable,
    within_reach,
)
from mars_logic.plan.task_plan import Task, TaskPlan, brought_by, make_plan
from mars_logic.plan.world_model import WorldModel
from mars_logic.world import names
from mars_logic.world.rules import Collect, Make, Place
from mars_logic.world.theory import Theory

PATIENCE, _MOST_PATIENCE = 12, 192
"""Steps between two plans if some targets are impossible; doubled after each unchanged plan."""
REROUTE = 25
"""Steps after which an itinerary is made anew in any case."""
STALE = 300
"""Steps after which a plan is made anew in any case."""
_ON_THE_SPOT = 2 * STEP
"""Largest cost at which a target that unlocks an achievement is done at once."""
_ASTRAY = 10 * STEP
"""Where a way takes health, another cell is taken that is so much cheaper than the itinerary's."""


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
        self._kept = keeps(model)
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
        self._urgent: tuple[str, ...] = ()
        self._at_hand = False
        self._useless: frozenset[str] = frozenset()

    def hurry(self, tools: frozenset[str]) -> None:
        """Plan for nothing but these tools, as long as any is still to be made; none: for all."""
        urgent = tuple(sorted(unlocked_by(self._model, tool) for tool in tools))
        if urgent != self._urgent:
            self._urgent, self.plan = urgent, None

    def follow(self, plan: TaskPlan) -> None:
        """Carry out this plan, instead of making plans."""
        self._follows = plan

    def believe(self, belief: Theory, model: WorldModel) -> None:
        """Change the belief; the plan is made anew unless it does without what changed."""
        changed = {rule.id for rule in model.world.rules() if rule != self._model.world[rule.id]}
        self._belief, self._model = belief, model
        self._kept = keeps(model)
        used = {target.rule for target in self.targets}
        moves = any(rule.startswith(("walk.", "place.", "make.")) for rule in changed)
        if self.plan is None or self.plan.given_up or moves or used & changed:
            self.plan = None

    def put_off(self, rule: str, until: int) -> None:
        """Don't go for the targets of a rule before some step."""
        self._put_off[rule] = until

    def update(self, here: BeliefState) -> None:
        """Cross off what was done since the last step; see to it that plan and itinerary work."""
        stands = bool(here.seen.of_kind("plant", "ripe_plant"))
        if self._planted is not None and not stands:
            self._patience = PATIENCE  # it was eaten, by whomever
            self._stale = True
            self._planned_for = None  # all may be as it was when the plan was made
        self._planted = (self._planted or here.status.step) if stands else None
        before, self._before = self._before, (here.held, here.status.unlocked)
        if self.plan is None or before is None:
            self._replan(here)
        elif before != self._before:
            self._note(here, *before)
        self._greet(here)
        age = here.status.step - self._planned_at
        assert self.plan is not None
        for target in needless(self._model, self.plan, here.held):
            self._cross_off(target.rule, target.gain, target.times)
        lasts = STALE if self.plan.targets and not self._at_hand else self._patience
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
        """How to make a stop now; None if it can't be made, or takes what an earlier one needs."""
        assert self._itinerary is not None
        stop = self._itinerary.stops[index]
        earlier = tuple(other.target for other in self._itinerary.stops[:index])
        spare = self.spare(here)
        if self.is_put_off(stop.target, here) or not is_affordable(
            self._model, spare, earlier, stop.target
        ):
            return None
        tasks = self._lasting(here, stop.target, tasks_for(here, stop.target, self.together))
        there = min(((task.at(stop.cell).way(here), task.name) for task in tasks), default=None)
        if there is None or there[0].cost >= FAR:
            return None
        if stop.cell is not None and there[0].harm:
            other = min((task.way(here), task.name) for task in tasks)
            if other[0].cost + _ASTRAY < there[0].cost:
                return Found(stop.target, other[1], other[0])
        return Found(stop.target, there[1], there[0], stop.cell)

    def _lasting(self, here: BeliefState, target: Task, tasks: list[Skill]) -> list[Skill]:
        """The tasks, but for the only cells from which something is still to be made."""
        rule = self._model.world[target.rule] if "." in target.rule else None
        if not isinstance(rule, Collect) or self._passes(rule.leaves):
            return tasks
        kept = footholds(here, self.targets)
        return [task.away_from(kept) for task in tasks] if kept.any() else tasks

    def _passes(self, material: str) -> bool:
        code = self._model.code[material]
        return bool(self._model.walkable[code]) and not self._model.deadly[code]

    @staticmethod
    def _unlocks_here(here: BeliefState, stop: ScheduledTask) -> bool:
        """Whether a stop may unlock something wherever it is made, and nothing else is for it."""
        family, _, subject = stop.target.rule.partition(".")
        if family == "collect":
            return stop.target.gain is not None and stop.cell is None  # by luck, anywhere
        anywhere = family in ("make", "eat") or stop.target.rule in ("place.stone", "place.plant")
        return anywhere and f"{family}_{subject}" not in here.status.unlocked

    @property
    def busy(self) -> bool:
        """Whether an itinerary leads anywhere."""
        return self._itinerary is not None and bool(self._itinerary.stops)

    def is_put_off(self, target: Task, here: BeliefState) -> bool:
        """Whether a target is not to be gone for now."""
        return self._put_off.get(target.rule, 0) > here.status.step

    def rethink(self, here: BeliefState) -> bool:
        """Make a new plan because nothing can be done, unless that was tried a moment ago.

        Where that is the same again, one is made of what is at hand.
        """
        useless = stranded(here, self.targets, self.together)
        waited = here.status.step - self._planned_at >= self._patience
        if useless <= self._useless and not (waited and self._changed(here)):
            return False
        if self._replan(here, useless):
            self._replan(here, useless, at_hand=True)
        self._route(here)
        return True

    @property
    def targets(self) -> tuple[Task, ...]:
        """The remaining targets, in the order of the plan."""
        return () if self.plan is None else self.plan.targets

    @property
    def together(self) -> dict[str, frozenset[str]]:
        """For each thing to be placed, what has to stand close to it."""
        ordered = self.plan is None or self.plan.ordered
        return together(self._model, self.targets, ordered=ordered)

    def spare(self, here: BeliefState) -> dict[str, int]:
        """The inventory minus the reserve for survival."""
        held = {item: n - self._kept.get(item, 0) for item, n in here.held.items()}
        return {item: n for item, n in held.items() if n > 0}

    @property
    def reserved(self) -> tuple[tuple[str, int], ...]:
        """By item, the amount placed or used in making before more of it is collected."""
        amounts: Counter[str] = Counter()
        more: set[str] = set()
        for stop in self._itinerary.stops if self._itinerary else ():
            target = stop.target
            rule = self._model.world[target.rule] if "." in target.rule else None
            if isinstance(rule, Collect):
                more |= set(brought_by(rule, target.gain))
            elif isinstance(rule, Place | Make):
                amounts.update({item: n for item, n in rule.uses.items() if item not in more})
        return tuple(sorted(amounts.items()))

    def ahead(self, here: BeliefState) -> int:
        """The steps that the plan will still take, as far as that can be told.

        No more are left than the episode has.
        """
        steps = self._expected(here)
        return min(LONG if steps is None else steps, left(here))

    def late(self, here: BeliefState, delay: int) -> bool:
        """Whether a delay leaves too few steps for the plan."""
        steps = self._expected(here)
        return steps is not None and left(here) - delay < steps

    def _expected(self, here: BeliefState) -> int | None:
        return expected(here, self._itinerary, self.targets, self._routed_at, self._due)

    def _note(self, here: BeliefState, old: dict[str, int], unlocked: frozenset[str]) -> None:
        """Cross off what must have been done, from what is held and unlocked now."""
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

    def _greet(self, here: BeliefState) -> None:
        """Cross off the luck that was to bring creatures that came, or are not needed any more."""
        wanted = {target.rule for target in self.targets}
        for target in self.targets:
            if target.gain in names.CREATURES and (
                f"creature.{target.gain}" not in wanted or has_come(here, target.gain)
            ):
                self._cross_off(target.rule, target.gain, target.times)

    def _credit(self, item: str) -> None:
        """Something was collected by the way."""
        for target in self.targets:
            rule = self._model.world[target.rule] if "." in target.rule else None
            if isinstance(rule, Collect) and (
                target.gain == item or (target.gain is None and item in rule.yields)
            ):
                self._cross_off(target.rule, target.gain)
                return

    def _cross_off(self, rule: str, gain: str | None, times: int = 1) -> None:
        """A rule of the plan was applied with this outcome, or need not be."""
        assert self.plan is not None
        for _ in range(times):
            self.plan = self.plan.without(rule, gain)
            if self._itinerary is not None:
                self._itinerary = self._itinerary.without(rule, gain)

    def _changed(self, here: BeliefState) -> bool:
        """Whether anything is different from when the plan was made that a plan is made from."""
        return self._planned_for != grounds(here)

    def _route(self, here: BeliefState) -> None:
        """Look for an itinerary; make a new plan if there is none that does all of it."""
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
            looked_at = self._remote == found.remote and followed is not None
            held = self.spare(here)
            self.plan, found = with_more_stations(
                here.model.world, self.plan, found, held, find, at_hand=looked_at
            )
        standing = usable(here, self._useless)
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
        self, here: BeliefState, useless: frozenset[str] = frozenset(), *, at_hand: bool = False
    ) -> bool:
        """Make a new plan, without stations that are useless, or only with what is at hand.

        Returns:
            Whether it is the same as before.
        """
        old, self.current, self._stale = self.plan, None, True
        self._useless = useless
        if self._follows is not None:
            self.plan = self.plan or self._follows
        else:
            seen = usable(here, useless)
            self.plan = make_plan(
                self._belief,
                within_reach(here, seen) if at_hand else seen,
                self.spare(here),
                here.status.unlocked,
                self._urgent or self._goals,
            )
        self.plans += 1
        self._at_hand = at_hand
        same = old is not None and old.amounts == self.plan.amounts
        patient = same or at_hand
        self._patience = min(_MOST_PATIENCE, 2 * self._patience) if patient else PATIENCE
        self._planned_at = here.status.step
        self._planned_for = grounds(here)
        return same
