"""The planner: from a belief and a seen map to the next action, layer by layer.

It is never given the game's simulator. For an oracle belief and map are complete; nothing here
knows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from mars_logic.plan.abstract import AbstractPlan, Target, believed, make_plan
from mars_logic.plan.foresight import Foresight
from mars_logic.plan.ground import RIPE, Situation
from mars_logic.plan.itinerary import Itinerary, make_itinerary
from mars_logic.plan.lore import DO, NOOP, SLEEP, Lore
from mars_logic.plan.progress import (
    grounds,
    is_affordable,
    is_done,
    is_full,
    together,
    usable,
)
from mars_logic.plan.route import FAR, STEP
from mars_logic.plan.seen import SeenMap, Status
from mars_logic.plan.survive import LONG, Survival, keeps
from mars_logic.plan.tasks import Task, fencing, tasks_for
from mars_logic.world.rules import Collect
from mars_logic.world.theory import Theory

PATIENCE = 12
"""Steps between two plans if nothing in the plan can be done."""
_ROUNDS, _PAUSE = 6, 25
"""So many visits of one place with nothing changed put a target off, for so many steps."""
_HARVEST = 25 * STEP
"""A ripe plant at most so far away is eaten before anything else."""
_ARMS = ("make.wood_sword", "make.stone_sword", "make.iron_sword")
_ARMING = 12 * STEP
"""By how much more making a sword may cost to be done first: all fights get shorter."""
REROUTE = 25
"""Steps after which an itinerary is made anew in any case."""
_MARGIN = 80
"""Steps that a plan may take more than is thought."""
STALE = 120
"""Steps after which a plan is made anew in any case."""
_STEADY = 3 * STEP
"""By how much something else must be cheaper to be done first."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What the planner does next, and why.

    Attributes:
        action: The code of the action.
        layer: ``foresight``, ``reflex``, ``needs``, ``rest``, ``plan``, ``explore`` or ``wait``.
        about: What it is about: a rule's id, or words.
    """

    action: int
    layer: str
    about: str


class Planner:
    """Plays by a belief; remembers the abstract plan between steps."""

    def __init__(
        self,
        belief: Theory,
        goals: Iterable[str] | None = None,
        follows: AbstractPlan | None = None,
    ):
        """Begin an episode.

        Args:
            belief: The rules as far as they are known.
            goals: The achievements wanted; by default all.
            follows: A plan to carry out, instead of making plans.
        """
        self._follows = follows
        self.goals = None if goals is None else tuple(goals)
        self.plan: AbstractPlan | None = None
        self.plans = 0
        self._survival = Survival()
        self._before: tuple[dict[str, int], frozenset[str]] | None = None
        self._current: Target | None = None
        self._planned_at = -PATIENCE
        self._planned_for: tuple[object, ...] | None = None
        self._itinerary: Itinerary | None = None
        self._routed: AbstractPlan | None = None
        self._routed_at = 0
        self._planted: int | None = None
        self._useless: frozenset[str] = frozenset()
        self._visits: Counter[tuple[object, ...]] = Counter()
        self._put_off: dict[str, int] = {}
        self.believe(belief)

    def believe(self, belief: Theory) -> None:
        """Change the belief; the plan is made anew."""
        self.belief = belief
        self.lore = Lore(believed(belief))
        self._kept = keeps(self.lore)
        self._foresight = Foresight(self.lore)
        self.plan = None

    def decide(self, seen: SeenMap, status: Status) -> Decision:
        """The next action.

        Args:
            seen: The map as far as it is known.
            status: What the player knows of itself.
        """
        here = Situation(self.lore, seen, status)
        if status.sleeping and status.amount("energy") < 9:
            return Decision(SLEEP, "rest", "sleep")
        self._follow(here)
        stands = bool(here.seen.of_kind("plant", "ripe_plant"))
        self._planted = (self._planted or here.status.step) if stands else None
        meant = self._meant(here)
        safer = self._foresight.better(here, meant.action)
        return meant if safer is None else Decision(safer, "foresight", meant.about)

    def _meant(self, here: Situation) -> Decision:
        """What the layers want to do, whatever may come of it."""
        wakes = "wake_up" not in here.status.unlocked
        layers: tuple[tuple[str, Callable[[], tuple[str, int] | None]], ...] = (
            ("reflex", lambda: self._survival.reflex(here)),
            ("plan", lambda: self._harvest(here)),
            ("needs", lambda: self._survival.needs(here, self._ahead(here))),
            ("rest", lambda: self._survival.rest(here, wakes, self._ahead(here), self._site())),
        )
        for layer, choose in layers:
            chosen = choose()
            if chosen:
                return Decision(chosen[1], layer, chosen[0])
        return self._pursue(here)

    def _harvest(self, here: Situation) -> tuple[str, int] | None:
        """A ripe plant that is wanted does not wait for ever."""
        assert self.plan is not None
        if not any(target.rule == "creature.plant" for target in self.plan.targets):
            return None
        cost, action = Task("creature.plant", DO, here.kinds == RIPE).price(here)
        if cost > _HARVEST or here.status.amount("health") <= 2:
            return None
        return "creature.plant", action

    def _follow(self, here: Situation) -> None:
        """Cross off what was done since the last step; plan anew if the plan no longer fits."""
        held, unlocked = here.held, here.status.unlocked
        before, self._before = self._before, (held, unlocked)
        if self.plan is None or before is None or self._stale(here):
            self._replan(here)
            return
        current, old = self._current, before[0]
        if held == old and unlocked == before[1]:
            return
        gained = {i: held[i] - old.get(i, 0) for i in held if held[i] > old.get(i, 0)}
        lost = {item for item in old if held.get(item, 0) < old[item]}
        new = unlocked - before[1]
        if current and is_done(self.lore, current, gained, lost, new):
            self._cross_off(current.rule, current.gain)
            return
        for item in () if lost else gained:
            self._credit(item)
        for achievement in sorted(new):
            verb, _, being = achievement.partition("_")
            rule = "sleep" if verb == "wake" else f"creature.{being}"
            self._cross_off(rule, None)
        if not (self.plan.ordered and self.plan.works(self.lore.world, self._spare(here))):
            self._replan(here)

    def _stale(self, here: Situation) -> bool:
        """Whether the plan has been followed for long, or is done though goals are open."""
        age = here.status.step - self._planned_at
        done = self.plan is not None and not self.plan.targets
        return age >= (PATIENCE if done else STALE) and self._changed(here)

    def _changed(self, here: Situation) -> bool:
        """Whether anything is different from when the plan was made that a plan is made from."""
        return self._planned_for != grounds(here)

    def _credit(self, item: str) -> None:
        """Something was collected by the way."""
        assert self.plan is not None
        for target in self.plan.targets:
            rule = self.lore.world[target.rule] if "." in target.rule else None
            if isinstance(rule, Collect) and (
                target.gain == item or (target.gain is None and item in rule.yields)
            ):
                self._cross_off(target.rule, target.gain)
                return

    def _cross_off(self, rule: str, gain: str | None) -> None:
        """A rule of the plan was applied with this outcome."""
        assert self.plan is not None
        on_the_way = self._routed is self.plan
        self.plan = self.plan.without(rule, gain)
        if on_the_way and self._itinerary is not None:
            self._itinerary, self._routed = self._itinerary.without(rule, gain), self.plan

    def _spare(self, here: Situation) -> dict[str, int]:
        """What is held beyond what survival takes."""
        held = {item: n - self._kept.get(item, 0) for item, n in here.held.items()}
        return {item: n for item, n in held.items() if n > 0}

    def _replan(self, here: Situation) -> None:
        if self._follows is not None:
            self.plan = self.plan or self._follows
        else:
            self.plan = make_plan(
                self.belief,
                usable(here, self._useless),
                self._spare(here),
                here.status.unlocked,
                self.goals,
            )
        self.plans += 1
        self._planned_at = here.status.step
        self._planned_for = grounds(here)
        self._current = None

    def _pursue(self, here: Situation) -> Decision:
        """The cheapest thing in the plan that can be done now."""
        found = self._along(here) or self._cheapest(here)
        waited = here.status.step - self._planned_at >= PATIENCE
        if found is None and waited and self._changed(here):
            self._useless = self._stranded(here)
            self._replan(here)
            found = self._cheapest(here)
        if found is not None:
            target, about, action = found
            self._current = target
            self._going_round(here, action)
            return Decision(action, "plan", about)
        self._current = None
        return self._explore(here) or self._wait(here)

    def _stranded(self, here: Situation) -> frozenset[str]:
        """Stations beside which nothing that belongs there can be placed."""
        assert self.plan is not None
        apart = together(self.lore, self.plan.targets)
        stranded: set[str] = set()
        for target in self.plan.targets:
            close = apart.get(target.rule.removeprefix("place."))
            if close and all(t.price(here)[0] >= FAR for t in tasks_for(here, target, apart)):
                stranded |= close & set(self.lore.world.place)
        return frozenset(stranded)

    def _going_round(self, here: Situation, action: int) -> None:
        """Put off what makes the player go to and fro."""
        if self._current is None or not 1 <= action <= 4:
            return
        place = (here.seen.position, here.seen.facing, tuple(here.held.items()))
        self._visits[place] += 1
        if self._visits[place] >= _ROUNDS:
            self._visits.clear()
            self._put_off[self._current.rule] = here.status.step + _PAUSE

    def _site(self) -> tuple[int, int] | None:
        """Where there is something to do next, if that is known."""
        stops = self._itinerary.stops if self._itinerary else ()
        return next((stop.cell for stop in stops if stop.cell), None)

    def _ahead(self, here: Situation) -> int:
        """The steps that the plan will still take, as far as that can be told."""
        if self._itinerary is None or not self._itinerary.whole:
            return LONG
        left = self._itinerary.steps - (here.status.step - self._routed_at)
        return max(0, left) + _MARGIN

    def _along(self, here: Situation) -> tuple[Target, str, int] | None:
        """The first stop of the itinerary that can be made now."""
        assert self.plan is not None
        old = here.status.step - self._routed_at >= REROUTE
        if self._itinerary is None or self._routed is not self.plan or old:
            apart = together(self.lore, self.plan.targets)
            self._itinerary = make_itinerary(
                here, self.plan, self._spare(here), apart, self._planted
            )
            self._routed, self._routed_at = self.plan, here.status.step
        apart, spare = together(self.lore, self.plan.targets), self._spare(here)
        earlier: list[Target] = []
        for stop in self._itinerary.stops:
            target = stop.target
            put_off = self._put_off.get(target.rule, 0) > here.status.step
            if not put_off and is_affordable(self.lore, spare, tuple(earlier), target):
                tasks = [task.at(stop.cell) for task in tasks_for(here, target, apart)]
                priced = [(*task.price(here), task.name) for task in tasks]
                if priced and (best := min(priced))[0] < FAR:
                    return target, best[2], best[1]
            earlier.append(target)
        return None

    def _cheapest(self, here: Situation) -> tuple[Target | None, str, int] | None:
        assert self.plan is not None
        apart = together(self.lore, self.plan.targets)
        spare = self._spare(here)
        best: tuple[int, Target | None, str, int] | None = None
        for task in fencing(here):
            cost, action = task.price(here)
            if cost < 12 * STEP:
                best = (cost - 20 * STEP, None, task.name, action)
        for index, target in enumerate(self.plan.targets):
            if self._put_off.get(target.rule, 0) > here.status.step:
                continue
            if is_full(self.lore, here.held, target) or not is_affordable(
                self.lore, spare, self.plan.targets[:index], target
            ):
                continue
            for task in tasks_for(here, target, apart):
                cost, action = task.price(here)
                if cost >= FAR:
                    continue
                cost += index - (_STEADY if target == self._current else 0)
                cost -= _ARMING if target.rule in _ARMS else 0
                if best is None or cost < best[0]:
                    best = (cost, target, task.name, action)
        return None if best is None else best[1:]

    def _explore(self, here: Situation) -> Decision | None:
        frontier = here.frontier
        if frontier is None:
            return None
        cost, first = here.routes.reach(None, frontier)
        if cost >= FAR:
            return None
        return Decision(first if first >= 0 else self._outward(here), "explore", "unknown cells")

    def _outward(self, here: Situation) -> int:
        return 1 + here.status.step // 3 % 4

    def _wait(self, here: Situation) -> Decision:
        """Nothing can be done now: stay near plants, or go where creatures come."""
        assert self.plan is not None
        waiting = {target.rule for target in self.plan.targets}
        if "creature.plant" in waiting and (plants := here.seen.of_kind("plant")):
            near = np.zeros(here.free.shape, np.bool_)
            for plant in plants:
                near[max(0, plant.x - 6) : plant.x + 7, max(0, plant.y - 6) : plant.y + 7] = True
            cost, action = Task("plant", NOOP, None, near).price(here)
            if action != NOOP:
                return Decision(action if cost < FAR else NOOP, "wait", "creature.plant")
        hidden = self._survival.hide(here)
        if hidden is not None:
            return Decision(hidden[1], "wait", min(waiting, default="nothing"))
        about = next((rule for rule in sorted(waiting) if rule.startswith("creature")), "nothing")
        return Decision(NOOP, "wait", about)
