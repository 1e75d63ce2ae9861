"""The planner: from a belief and a seen map to the next action, layer by layer.

It is never given the game's simulator. For an oracle belief and map are complete; nothing here
knows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from mars_logic.plan.belief_state import BeliefState, is_wanted, spawn_cells
from mars_logic.plan.expectation import ExpectationFilter
from mars_logic.plan.foresight import Comparison, Foresight
from mars_logic.plan.observed_map import ObservedMap, Status
from mars_logic.plan.risk import is_starving, may_nap, sleep_duration, steps_until_light
from mars_logic.plan.routes import FAR, RIPE, STEP, Route
from mars_logic.plan.skills import (
    Skill,
    aside,
    expected_gain,
    fencing,
    near,
    searching,
    standing,
    tasks_for,
)
from mars_logic.plan.survive import Survival
from mars_logic.plan.task_plan import Task, TaskPlan, believed
from mars_logic.plan.task_queue import Found, TaskQueue, is_affordable, is_full, required
from mars_logic.plan.world_model import DO, NOOP, SLEEP, SPAWN_GROUND, WorldModel, zombies_wanted
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.goals import subject_of
from mars_logic.world.theory import Theory

_ROUNDS, _PAUSE = 6, 25
"""Visits of one place without a change that postpone a target, and for how many steps."""
_HARVEST = 25 * STEP
"""Largest cost of the way at which a ripe plant is eaten first."""
_ARMS = ("make.wood_sword", "make.stone_sword", "make.iron_sword")
_ARMING = 12 * STEP
"""Additional cost accepted for making a sword first, since it shortens all fights."""
_REFUGE = 15
"""Expected steps to a shelter after a task in the dark."""
_COURAGE = 10
"""Steps for which a trip in the dark is continued, unless attacked."""
_BOLD = 7
"""The health with which zombies are hunted in the dark."""
_IDLE = 12 * STEP
"""Additional cost accepted for fencing a plant while idle, or once begun."""
_AT_HAND = 2 * STEP
"""Largest cost at which a target at hand is done before any other."""
_STEADY = 3 * STEP
"""Cost advantage from which another task is done first."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The planner's next action, and its reason.

    Attributes:
        action: The code of the action.
        layer: ``foresight``, ``reflex``, ``needs``, ``rest``, ``plan``, ``explore`` or ``wait``.
        about: What it is about: a rule's id, or words.
        compared: The options that rollouts compared; None if there were no rollouts.
    """

    action: int
    layer: str
    about: str
    compared: Comparison | None = field(default=None, compare=False)


class Planner:
    """Plays by a belief; remembers the agenda between steps.

    Attributes:
        belief: The rules as far as they are known.
        model: The same, compiled.
        seen: The map of the last step, without creatures that have probably gone; None at first.
    """

    def __init__(
        self,
        belief: Theory,
        goals: Iterable[str] | None = None,
        follows: TaskPlan | None = None,
        queue: TaskQueue | None = None,
        length: int | None = None,
    ):
        """Begin an episode.

        Args:
            belief: The rules as far as they are known.
            goals: The achievements wanted; by default all.
            follows: A plan to carry out, instead of making plans.
            queue: The task queue; by default one that makes plans for the goals.
            length: The steps of the episode; by default as many as the belief states.
        """
        self._expected = ExpectationFilter()
        self._survival = Survival()
        self._visits: Counter[tuple[object, ...]] = Counter()
        self._fencing = self._deterred = False
        self._trip: tuple[Task | None, int, int] | None = None
        self.seen: ObservedMap | None = None
        self.belief = belief
        self.model = WorldModel(believed(belief), length)
        self._foresight = Foresight(self.model)
        self._queue = queue or TaskQueue(belief, self.model, goals)
        if follows is not None:
            self._queue.follow(follows)

    def believe(self, belief: Theory) -> None:
        """Change the belief; the plan is made anew."""
        self.belief = belief
        self.model = WorldModel(believed(belief), self.model.length)
        self._foresight = Foresight(self.model)
        self._queue.believe(belief, self.model)

    @property
    def plan(self) -> TaskPlan | None:
        """The remaining plan; None before the first step."""
        return self._queue.plan

    @property
    def plans(self) -> int:
        """How many plans were made."""
        return self._queue.plans

    def ahead(self, here: BeliefState) -> int:
        """The steps that the plan will still take, as far as that can be told."""
        return self._queue.ahead(here)

    def decide(self, seen: ObservedMap, status: Status) -> Decision:
        """The next action.

        Args:
            seen: The map as far as it is known.
            status: What the player knows of itself.
        """
        expected = self._expected.update(self.model, seen, status)
        if expected is not None:
            seen = self._expected.likely(seen)
        self.seen = seen
        here = BeliefState(self.model, seen, status, self._queue.reserved, expected)
        if status.sleeping and status.amount("energy") < MAXIMUM:
            return Decision(SLEEP, "rest", "sleep")
        self._queue.update(here)
        meant = self._intended(here)
        if here.kills(meant.action):
            meant = Decision(NOOP, "wait", "to be able to go on")
        hunts = meant.layer == "reflex" or "creature." in meant.about
        safer = self._foresight.better(here, meant.action, hunts=hunts)
        options = self._foresight.options
        if options:
            told = Comparison(options, self._foresight.horizon, self._queue.ahead(here))
            meant = replace(meant, compared=told)
        return meant if safer is None else replace(meant, action=safer, layer="foresight")

    def _intended(self, here: BeliefState) -> Decision:
        """The action that the layers intend, before foresight."""
        wakes = "wake_up" in self.model.world.achievements
        wakes = wakes and "wake_up" not in here.status.unlocked
        last = wakes and all(target.rule == "sleep" for target in self._queue.targets)
        ahead = self._queue.ahead(here)
        found = self._next(here)
        stays = found is None if self._queue.busy else None
        stays = False if self._hunts(here) else stays
        needs, rest = self._survival.needs, self._survival.rest
        least = required(self.model, self._queue.targets) if found is None else {}
        layers: tuple[tuple[str, Callable[[], tuple[str, int] | None]], ...] = (
            ("reflex", lambda: self._survival.reflex(here)),
            ("plan", lambda: self._harvest(here)),
            ("rest", lambda: self._survival.sleep_last(here) if last else None),
            ("plan", lambda: self._at_hand(found)),
            ("needs", lambda: needs(here, ahead, to_sleep=last, least=least)),
            ("rest", lambda: self._nap(here) if wakes else None),
            ("rest", lambda: rest(here, wakes, ahead, stays=stays, to_sleep=last)),
        )
        for layer, choose in layers:
            chosen = choose()
            if chosen:
                return Decision(chosen[1], layer, chosen[0])
        return self._pursue(here, found)

    def _at_hand(self, found: Found | None) -> tuple[str, int] | None:
        """Make or place whatever is possible here before the player leaves."""
        if found is None or found.way.cost > _AT_HAND or found.way.harm:
            return None
        if not found.about.startswith(("make.", "place.")):
            return None
        self._queue.current = found.target
        return found.about, found.way.first

    def _nap(self, here: BeliefState) -> tuple[str, int] | None:
        """Sleep early, while it is short, where the risk is low."""
        if sleep_duration(here) == 0:
            return None  # who is asleep wakes up and acts
        asleep = here.status.sleeping
        naps = asleep or (may_nap(here) and self._foresight.sleeps_well(here))
        return ("sleep", SLEEP) if naps else None

    def _harvest(self, here: BeliefState) -> tuple[str, int] | None:
        """A ripe plant that is wanted does not wait for ever."""
        if not any(target.rule == "creature.plant" for target in self._queue.targets):
            return None
        cost, action = Skill("creature.plant", DO, here.kinds == RIPE).price(here)
        if cost > _HARVEST or here.status.amount("health") <= 2:
            return None
        if here.has_ample_time and not self._survival.accepts_risk(here, cost // STEP + _REFUGE):
            return None
        if is_starving(here) and cost > _AT_HAND:
            return None  # what is lacking comes first, or it would be sought and left in turn
        return "creature.plant", action

    def _next(self, here: BeliefState) -> Found | None:
        """The first thing on the itinerary that can be done now, and in the dark also dared."""
        late = self._queue.late(here, steps_until_light(here))
        self._deterred = False
        for found in self._queue.next(here):
            steps = found.way.cost // STEP + _REFUGE
            accepts_risk = self._survival.accepts_risk(here, steps, found.cell, late=late)
            if self._continues_trip(here, found) or accepts_risk:
                return self._start_trip(here, found)
            self._deterred = True
        return None

    def _start_trip(self, here: BeliefState, found: Found) -> Found:
        """Note when something was set out for."""
        if not self._continues_trip(here, found):
            health = here.status.amount("health")
            self._trip = (found.target, here.status.step + _COURAGE, health)
        return found

    def _continues_trip(self, here: BeliefState, found: Found) -> bool:
        """Whether it set out for this a moment ago, and nothing has happened to it since."""
        if self._trip is None:
            return False
        target, until, health = self._trip
        fine = here.status.step < until and here.status.amount("health") >= health
        return target == found.target and fine

    def _hunts(self, here: BeliefState) -> bool:
        """Whether the player is strong, and nothing is left to do but what comes in the dark."""
        left = self._queue.targets
        last = all(t.rule == "creature.zombie" or t.gain == "zombie" for t in left)
        return is_wanted(here, "zombie") and last and here.status.amount("health") >= _BOLD

    def _pursue(self, here: BeliefState, found: Found | None) -> Decision:
        """The next thing on the itinerary, or else the cheapest; who has time rather hides."""
        found = self._fence_plant(here, idle=found is None) or found
        if found is None and self._deterred and here.has_ample_time:
            hidden = self._survival.wait_in_shelter(here)
            if hidden is not None:
                return Decision(hidden[1], "wait", hidden[0])
        found = found or self._cheapest(here)
        found = self._reach_goal(here, found)
        self._queue.current = found.target if found else None
        if found is None:
            return self._explore(here) or self._wait(here)
        self._oscillates(here, found.way.first)
        return Decision(found.way.first, "plan", found.about)

    def _fence_plant(self, here: BeliefState, *, idle: bool) -> Found | None:
        """Protect a plant that is wanted, as far as that saves time, or time is to be passed.

        What was begun may take longer.
        """
        if not any(target.rule == "creature.plant" for target in self._queue.targets):
            return None
        spare = _IDLE if idle or self._fencing else 0
        ways = [(task.way(here), task.name) for task in fencing(here, spare)]
        way, about = min(ways, default=(None, ""))
        dared = way and self._survival.accepts_risk(here, way.cost // STEP + _REFUGE)
        self._fencing = bool(dared)
        return Found(None, about, way) if way and dared else None

    def _oscillates(self, here: BeliefState, action: int) -> None:
        """Postpone targets that make the player oscillate."""
        current = self._queue.current
        if current is None or not 1 <= action <= 4:
            return
        place = (here.seen.position, here.seen.facing, tuple(here.held.items()))
        self._visits[place] += 1
        if self._visits[place] >= _ROUNDS:
            self._visits.clear()
            self._queue.put_off(current.rule, here.status.step + _PAUSE)

    def _cheapest(self, here: BeliefState) -> Found | None:
        targets, current = self._queue.targets, self._queue.current
        apart, spare = self._queue.together, here.held
        best: tuple[int, Task | None, str, Route] | None = None
        for index, target in enumerate(targets):
            if self._queue.is_put_off(target, here):
                continue
            if is_full(self.model, here.held, target) or not is_affordable(
                self.model, spare, targets[:index], target
            ):
                continue
            for task in tasks_for(here, target, apart):
                way = task.way(here)
                if way.cost >= FAR:
                    continue
                cost = way.cost + index - (_STEADY if target == current else 0)
                cost -= _ARMING if target.rule in _ARMS else 0
                if best is None or cost < best[0]:
                    best = (cost, target, task.name, way)
        return None if best is None else Found(*best[1:])

    def _reach_goal(self, here: BeliefState, found: Found | None) -> Found | None:
        """Where a goal is to stand on something, go there first if that is nearer.

        It comes first, too, where the other task is to collect from that.
        """
        if not self.model.world.goals:
            return found
        for skill in standing(here):
            way = skill.way(here)
            far = FAR
            if found is not None and found.about != f"collect.{subject_of(skill.name)}":
                far = found.way.cost
            if way.cost < far and not way.harm:
                found = Found(None, skill.name, way)
        return found

    def _explore(self, here: BeliefState) -> Decision | None:
        """Look for what the open goals lack, where finding it is expected to cost least."""
        plan = self._queue.plan
        if here.expected is None or plan is None:
            return None
        goals = {*plan.goals, *plan.given_up} - here.status.unlocked - {"wake_up"}
        if here.seen.of_kind("plant"):
            goals -= {"eat_plant"}
        if not goals:
            return None
        search = searching(here, "unknown cells", expected_gain(here, goals))
        cost, action = (FAR, NOOP) if search is None else search.price(here)
        return Decision(action, "explore", "unknown cells") if cost < FAR else None

    def _attract(self, here: BeliefState) -> Decision | None:
        """Go to where creatures come that are wanted and cannot be got to, if that is dared."""
        if here.status.amount("health") < _BOLD:
            return None
        for being in SPAWN_GROUND:
            if not is_wanted(here, being) or (
                being == "zombie" and not zombies_wanted(here.status.daylight)
            ):
                continue
            there = spawn_cells(here, being)
            cost, action = Skill(being, NOOP, None, there).price(here)
            if cost < FAR:
                return Decision(action, "wait", f"creature.{being}")
        return None

    def _wait(self, here: BeliefState) -> Decision:
        """Nothing can be done now: go where creatures come, or hide; by day near plants."""
        waiting = {target.rule for target in self._queue.targets}
        grows = "creature.plant" in waiting and not here.night_danger
        plants = here.seen.of_kind("plant") if grows else []
        if not plants and (lured := self._attract(here)) is not None:
            return lured
        hidden = self._survival.wait_in_shelter(here, aside(plants) if plants else None)
        if hidden is not None:
            return Decision(hidden[1], "wait", min(waiting, default="nothing"))
        where = (aside(plants), near(plants)) if plants else ()
        prices = (Skill("plant", NOOP, None, cells).price(here) for cells in where)
        action = next((action for cost, action in prices if cost < FAR), NOOP)
        if action != NOOP:
            return Decision(action, "wait", "creature.plant")
        about = next((rule for rule in sorted(waiting) if rule.startswith("creature")), "nothing")
        return Decision(NOOP, "wait", about)
