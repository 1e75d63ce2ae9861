"""What is left to do: the abstract plan and the itinerary, kept true to what happens.

Plans are made from the whole map by clingo, which takes a while; so a plan lasts as long as an
itinerary is found that does all of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

from mars_logic.plan.abstract import AbstractPlan, Target, brought_by, make_plan
from mars_logic.plan.forecast import expected, left
from mars_logic.plan.ground import Situation
from mars_logic.plan.itinerary import Itinerary, Stop, make_itinerary
from mars_logic.plan.lore import CODE, Lore
from mars_logic.plan.progress import (
    footholds,
    grounds,
    is_affordable,
    is_done,
    needless,
    together,
    usable,
    within_reach,
)
from mars_logic.plan.route import FAR, STEP, Way
from mars_logic.plan.seen import Cell
from mars_logic.plan.sources import keeps, unlocked_by
from mars_logic.plan.stations import stranded, with_more_stations, without_useless_stations
from mars_logic.plan.survive import LONG
from mars_logic.plan.tasks import Task, tasks_for
from mars_logic.world import names
from mars_logic.world.rules import Collect, Make, Place
from mars_logic.world.theory import Theory

PATIENCE, _MOST_PATIENCE = 12, 192
"""Steps between two plans if not all can be done; twice as many whenever nothing new came of it."""
REROUTE = 25
"""Steps after which an itinerary is made anew in any case."""
STALE = 300
"""Steps after which a plan is made anew in any case."""
_ON_THE_SPOT = 2 * STEP
"""What unlocks something and costs no more is done at once: who knows what comes."""
_CLOSE = 40 * STEP
"""Nobody tries to call a creature if one is no farther off."""
_ASTRAY = 10 * STEP
"""Where a way takes health, another cell is taken that is so much cheaper than the itinerary's."""


class Found(NamedTuple):
    """What can be done now.

    Attributes:
        target: The target; None for what is done besides.
        about: What it is about, in words.
        way: The way there.
        cell: Where it is, if that matters.
    """

    target: Target | None
    about: str
    way: Way
    cell: Cell | None = None


class Agenda:
    """The plan of an episode, and how far it has got.

    Attributes:
        plan: What is left to do; None before the first step.
        plans: How many plans were made.
        current: The target that the player was last sent to.
    """

    def __init__(self, belief: Theory, lore: Lore, goals: Iterable[str] | None):
        """Begin with nothing planned.

        Args:
            belief: The rules as far as they are known.
            lore: The same, compiled.
            goals: The achievements wanted; None for all.
        """
        self.plan: AbstractPlan | None = None
        self.plans = 0
        self.current: Target | None = None
        self._belief, self._lore = belief, lore
        self._goals = None if goals is None else tuple(goals)
        self._kept = keeps(lore)
        self._follows: AbstractPlan | None = None
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
        urgent = tuple(sorted(unlocked_by(self._lore, tool) for tool in tools))
        if urgent != self._urgent:
            self._urgent, self.plan = urgent, None

    def follow(self, plan: AbstractPlan) -> None:
        """Carry out this plan, instead of making plans."""
        self._follows = plan

    def believe(self, belief: Theory, lore: Lore) -> None:
        """Change the belief; the plan is made anew unless it does without what changed."""
        changed = {rule.id for rule in lore.world.rules() if rule != self._lore.world[rule.id]}
        self._belief, self._lore = belief, lore
        self._kept = keeps(lore)
        used = {target.rule for target in self.targets}
        moves = any(rule.startswith(("walk.", "place.", "make.")) for rule in changed)
        if self.plan is None or self.plan.given_up or moves or used & changed:
            self.plan = None

    def put_off(self, rule: str, until: int) -> None:
        """Don't go for the targets of a rule before some step."""
        self._put_off[rule] = until

    def update(self, here: Situation) -> None:
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
        for target in needless(self._lore, self.plan, here.held):
            self._cross_off(target.rule, target.gain, target.times)
        lasts = STALE if self.plan.targets and not self._at_hand else self._patience
        if age >= lasts and self._changed(here):
            self._replan(here)
        since = here.status.step - self._routed_at
        late = self._itinerary is not None and self._itinerary.missing
        if self._itinerary is None or self._stale or since >= (PATIENCE if late else REROUTE):
            self._route(here)

    def next(self, here: Situation) -> Iterator[Found]:
        """What can be done now: what is unlocked on the spot, then in the itinerary's order."""
        assert self._itinerary is not None
        stops = self._itinerary.stops
        for index, stop in enumerate(stops):
            found = self._ready(here, index) if self._unlocks_here(here, stop) else None
            if found is not None and found.way.cost <= _ON_THE_SPOT:
                yield found
        yield from filter(None, (self._ready(here, index) for index in range(len(stops))))

    def _ready(self, here: Situation, index: int) -> Found | None:
        """How to make a stop now; None if it can't be made, or takes what an earlier one needs."""
        assert self._itinerary is not None
        stop = self._itinerary.stops[index]
        earlier = tuple(other.target for other in self._itinerary.stops[:index])
        spare = self.spare(here)
        if self.is_put_off(stop.target, here) or not is_affordable(
            self._lore, spare, earlier, stop.target
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

    def _lasting(self, here: Situation, target: Target, tasks: list[Task]) -> list[Task]:
        """The tasks, but for the only cells from which something is still to be made."""
        rule = self._lore.world[target.rule] if "." in target.rule else None
        if not isinstance(rule, Collect) or self._passes(rule.leaves):
            return tasks
        kept = footholds(here, self.targets)
        return [task.away_from(kept) for task in tasks] if kept.any() else tasks

    def _passes(self, material: str) -> bool:
        code = CODE[material]
        return bool(self._lore.walkable[code]) and not self._lore.deadly[code]

    @staticmethod
    def _unlocks_here(here: Situation, stop: Stop) -> bool:
        """Whether a stop may unlock something wherever it is made, and nothing else is for it."""
        family, _, subject = stop.target.rule.partition(".")
        if family == "collect":
            return stop.target.gain is not None and stop.cell is None  # by luck, anywhere
        anywhere = family == "make" or stop.target.rule in ("place.stone", "place.plant")
        return anywhere and f"{family}_{subject}" not in here.status.unlocked

    @property
    def busy(self) -> bool:
        """Whether an itinerary leads anywhere."""
        return self._itinerary is not None and bool(self._itinerary.stops)

    def is_put_off(self, target: Target, here: Situation) -> bool:
        """Whether a target is not to be gone for now."""
        return self._put_off.get(target.rule, 0) > here.status.step

    def rethink(self, here: Situation) -> bool:
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
    def targets(self) -> tuple[Target, ...]:
        """What is left to do, in the order of the plan."""
        return () if self.plan is None else self.plan.targets

    @property
    def together(self) -> dict[str, frozenset[str]]:
        """For each thing to be placed, what has to stand close to it."""
        ordered = self.plan is None or self.plan.ordered
        return together(self._lore, self.targets, ordered=ordered)

    def spare(self, here: Situation) -> dict[str, int]:
        """What is held beyond what survival takes."""
        held = {item: n - self._kept.get(item, 0) for item, n in here.held.items()}
        return {item: n for item, n in held.items() if n > 0}

    @property
    def earmarked(self) -> tuple[tuple[str, int], ...]:
        """What is placed or used to make something before more of it is collected, by item."""
        amounts: Counter[str] = Counter()
        more: set[str] = set()
        for stop in self._itinerary.stops if self._itinerary else ():
            target = stop.target
            rule = self._lore.world[target.rule] if "." in target.rule else None
            if isinstance(rule, Collect):
                more |= set(brought_by(rule, target.gain))
            elif isinstance(rule, Place | Make):
                amounts.update({item: n for item, n in rule.uses.items() if item not in more})
        return tuple(sorted(amounts.items()))

    def ahead(self, here: Situation) -> int:
        """The steps that the plan will still take, as far as that can be told.

        No more are left than the episode has.
        """
        steps = self._expected(here)
        return min(LONG if steps is None else steps, left(here))

    def late(self, here: Situation, delay: int) -> bool:
        """Whether a delay leaves too few steps for the plan."""
        steps = self._expected(here)
        return steps is not None and left(here) - delay < steps

    def _expected(self, here: Situation) -> int | None:
        return expected(here, self._itinerary, self.targets, self._routed_at, self._due)

    def _note(self, here: Situation, old: dict[str, int], unlocked: frozenset[str]) -> None:
        """Cross off what must have been done, from what is held and unlocked now."""
        held, new = here.held, here.status.unlocked - unlocked
        gained = {i: held[i] - old.get(i, 0) for i in held if held[i] > old.get(i, 0)}
        lost = {item for item in old if held.get(item, 0) < old[item]}
        done: set[str] = set()
        if self.current and is_done(self._lore, self.current, gained, lost, new):
            self._cross_off(self.current.rule, self.current.gain)
            done.add(self.current.rule)
        elif lost:
            self._stale = True
        else:
            for item in gained:
                self._credit(item)
        for achievement in sorted(new):
            for rule in self._unlocks(achievement) - done:
                self._cross_off(rule, None)

    def _greet(self, here: Situation) -> None:
        """Cross off the luck that was to bring creatures that came, or are not needed any more."""
        wanted = {target.rule for target in self.targets}
        for target in self.targets:
            if target.gain in names.CREATURES and (
                f"creature.{target.gain}" not in wanted or self._came(here, target.gain)
            ):
                self._cross_off(target.rule, target.gain, target.times)

    @staticmethod
    def _came(here: Situation, being: str) -> bool:
        """Whether a creature is there that can be got to, so near that nobody has to call one."""
        if not here.seen.of_kind(being):
            return False
        tasks = tasks_for(here, Target(f"creature.{being}"), {})
        return any(task.price(here)[0] <= _CLOSE for task in tasks)

    def _unlocks(self, achievement: str) -> set[str]:
        """The rules that a plan has for the sake of an achievement, and of nothing held."""
        verb, _, subject = achievement.partition("_")
        if verb == "wake":
            return {"sleep"}
        if verb == "place":
            return {f"place.{subject}"}
        if achievement == "collect_drink":
            rules = self._lore.world.collect.values()
            return {rule.id for rule in rules if set(rule.yields) == {"drink"}}
        return {f"creature.{subject}"}

    def _credit(self, item: str) -> None:
        """Something was collected by the way."""
        for target in self.targets:
            rule = self._lore.world[target.rule] if "." in target.rule else None
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

    def _changed(self, here: Situation) -> bool:
        """Whether anything is different from when the plan was made that a plan is made from."""
        return self._planned_for != grounds(here)

    def _route(self, here: Situation) -> None:
        """Look for an itinerary; make a new plan if there is none that does all of it."""
        self._itinerary = self._itinerary_for(here)
        waited = here.status.step - self._planned_at >= self._patience
        if self._itinerary.missing and waited and self._changed(here):
            self._replan(here)
            self._itinerary = self._itinerary_for(here)

    def _itinerary_for(self, here: Situation) -> Itinerary:
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
                here.lore.world, self.plan, found, held, find, at_hand=looked_at
            )
        standing = usable(here, self._useless)
        self.plan, found = without_useless_stations(here, self.plan, found, standing, find)
        self._remote = found.remote
        if found.whole:
            due = here.status.step + found.steps
            self._due = due if self._due is None else min(due, self._due)
        return found

    def _found(self, here: Situation, plan: AbstractPlan, before: Itinerary | None) -> Itinerary:
        near = together(self._lore, plan.targets, ordered=plan.ordered)
        return make_itinerary(here, plan, self.spare(here), near, self._planted, before)

    def _replan(
        self, here: Situation, useless: frozenset[str] = frozenset(), *, at_hand: bool = False
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
