"""The planner: from a belief and an observed map to the next action.

In each step of the game (:meth:`Planner.decide`):

1. **Estimate.** The believed world says what to expect out of view (``expectation``). Rules, map,
   status and expectation are the belief state (``belief_state``); one search prices all ways
   (``routes``).
2. **Plan.** clingo counts the tasks for all achievements (``task_plan``); beam and local search
   find a short order with cells (``itinerary``, ``tour_search``). The task queue crosses off what
   was done, and renews plan and itinerary where needed (``task_queue``).
3. **Intend.** The first of these questions with an answer gives the intended action:

   * Is a harmful creature beside the player? Attack it (``risk``).
   * Is a wanted plant ripe, sleep the last task, or a thing to be made or placed right here?
   * Is food, drink or health low? Refill it, or search for a source (``survive``, ``sources``).
   * Is a first nap short and safe by rollouts, or is sleep or shelter needed? (``survive``,
     ``shelter``)
   * Which task is possible, by the itinerary or else by cost? Do it (``skills``).
   * Can something be found that open goals lack? Explore.
   * Is nothing to be done, or not before night? Collect the blocks of a shelter (``shelter``).
   * Otherwise wait: where wanted creatures spawn, in shelter, or near a plant.
4. **Check.** Rollouts of the believed world replace the intended action if another one saves more
   health than it costs steps (``foresight``).

The planner never gets the game's simulator. The same code serves the oracle, whose belief and map
are complete.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from mars_logic.plan.belief_state import BeliefState, is_wanted, spawn_cells
from mars_logic.plan.expectation import ExpectationFilter
from mars_logic.plan.foresight import Comparison, Foresight
from mars_logic.plan.observed_map import ObservedMap, Status
from mars_logic.plan.plan_changes import is_full
from mars_logic.plan.risk import (
    Choice,
    is_starving,
    may_nap,
    sleep_duration,
    steps_until_dark,
    steps_until_light,
)
from mars_logic.plan.routes import FAR, RIPE, STEP, Route
from mars_logic.plan.shelter import enclosed, supplies
from mars_logic.plan.skills import (
    Skill,
    aside,
    expected_gain,
    fencing,
    near,
    ripening,
    searching,
    standing,
    tasks_for,
)
from mars_logic.plan.survive import Survival, tools_lacking
from mars_logic.plan.task_plan import Task, TaskPlan, believed
from mars_logic.plan.task_queue import Found, TaskQueue, is_affordable, required
from mars_logic.plan.world_model import DO, NOOP, SLEEP, SPAWN_GROUND, WorldModel, zombies_wanted
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.goals import subject_of
from mars_logic.world.theory import Theory
from mars_logic.world.vocabulary import WorldGoal

_ROUNDS, _PAUSE = 6, 25
"""Visits of one place without a change that postpone a target, and for how many steps."""
_HARVEST = 25 * STEP
"""Largest cost of the way to a ripe plant that is eaten first."""
_ARMS = ("make.wood_sword", "make.stone_sword", "make.iron_sword")
_ARMING = 12 * STEP
"""Additional cost accepted for making a sword first, since it shortens all fights."""
_COURAGE = 10
"""Steps for which a trip in the dark is continued, unless the player is hit."""
_HURRY = 200
"""Maximum steps of an episode in which urgent tools take priority over all other targets."""
_IDLE = 12 * STEP
"""Additional cost accepted for fencing a plant while idle, or once begun."""
_AT_HAND = 2 * STEP
"""Largest cost at which something is made or placed before anything else."""
_REFUGE = 15
"""Expected steps to a shelter after a task in the dark."""
_BOLD = 7
"""Least health at which zombies are hunted in the dark."""
_STEADY = 3 * STEP
"""Cost advantage from which another task replaces the current one."""


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
    """Plays an episode by a belief.

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
        self.seen: ObservedMap | None = None
        self.belief = belief
        self.model = WorldModel(believed(belief), length)
        self._visits: Counter[tuple[object, ...]] = Counter()
        self._fencing = False
        self._urgent: frozenset[str] = frozenset()
        self._hurried = 0
        self._trip: tuple[Task | None, int, int] | None = None
        self._ahead: int | None = None
        self._expected = ExpectationFilter()
        self._queue = queue or TaskQueue(belief, self.model, goals)
        self._follows = follows is not None or queue is not None
        self._supplies: list[TaskQueue] | None = None
        self._survival = Survival()
        self._foresight = Foresight(self.model)
        if follows is not None:
            self._queue.follow(follows)

    def believe(self, belief: Theory) -> None:
        """Change the belief; the plan is made anew if it uses a changed rule."""
        self.belief = belief
        self.model = WorldModel(believed(belief), self.model.length)
        self._foresight = Foresight(self.model)
        self._queue.believe(belief, self.model)
        self._supplies = None

    @property
    def plan(self) -> TaskPlan | None:
        """The remaining plan; None before the first step."""
        return self._queue.plan

    @property
    def plans(self) -> int:
        """How many plans were made."""
        return self._queue.plans

    def ahead(self, here: BeliefState) -> int:
        """Expected steps of the remaining plan."""
        return self._queue.ahead(here)

    def decide(self, seen: ObservedMap, status: Status) -> Decision:
        """The next action.

        Args:
            seen: The map as far as it is known.
            status: What the player knows of itself.
        """
        here = self._estimate(seen, status)
        if status.sleeping and status.amount("energy") < MAXIMUM:
            return Decision(SLEEP, "rest", "sleep")  # the game ignores other actions
        self._hurry(here)
        self._queue.update(here)
        return self._checked(here, self._intended(here))

    def _estimate(self, seen: ObservedMap, status: Status) -> BeliefState:
        """The belief state."""
        expected = self._expected.update(self.model, seen, status)
        self.seen = seen if expected is None else self._expected.likely(seen)
        reserved = self._queue.reserved
        return BeliefState(self.model, self.seen, status, reserved, expected, self._ahead)

    def _hurry(self, here: BeliefState) -> None:
        """Give priority to tools required for drink or food, if no other source is in time."""
        plan = self._queue.plan
        if self._urgent and plan is not None and not plan.goals:
            self._hurried = _HURRY  # they cannot be made
        if plan is not None and not self._urgent and self._hurried < _HURRY:
            self._urgent = tools_lacking(here, self._queue.ahead(here))
        lacking = {tool for tool in self._urgent if not here.held.get(tool)}
        self._urgent = frozenset(lacking if self._hurried < _HURRY else ())
        self._hurried += bool(self._urgent)
        self._queue.hurry(self._urgent)

    def _intended(self, here: BeliefState) -> Decision:
        """The action of the first layer that has one."""
        survival, queue = self._survival, self._queue
        wakes = "wake_up" in {*self.model.world.achievements} - here.status.unlocked
        to_sleep = wakes and all(target.rule == "sleep" for target in queue.targets)
        self._ahead = ahead = queue.ahead(here)
        found, deterred = self._next(here)
        impossible = not (found or deterred) and bool(queue.targets) and not self._cheapest(here)
        if impossible and queue.rethink(here):
            found, deterred = self._next(here)
        stays = found is None if queue.busy else None
        stays = False if self._hunts_zombies(here) else stays
        least = required(self.model, queue.targets) if found is None else {}
        if choice := survival.reflex(here):
            return Decision(choice[1], "reflex", choice[0])
        if choice := self._harvest(here):
            return Decision(choice[1], "plan", choice[0])
        if to_sleep and (choice := survival.sleep_last(here)):
            return Decision(choice[1], "rest", choice[0])
        if choice := self._at_hand(found):
            return Decision(choice[1], "plan", choice[0])
        if choice := survival.needs(here, ahead, to_sleep=to_sleep, least=least):
            return Decision(choice[1], "needs", choice[0])
        if wakes and self._naps(here):
            return Decision(SLEEP, "rest", "sleep")
        if choice := survival.rest(here, wakes, ahead, stays=stays, to_sleep=to_sleep):
            return Decision(choice[1], "rest", choice[0])
        found = self._fence_plant(here, idle=found is None) or found
        waits = found is None and deterred and here.has_ample_time
        if waits and (choice := survival.wait_in_shelter(here)):
            return Decision(choice[1], "wait", choice[0])
        found = found or self._cheapest(here)
        if found is None and queue.rethink(here):
            found = self._cheapest(here)
        found = self._goal_place(here, found)
        queue.current = found.target if found else None
        if found is not None:
            self._put_off_if_oscillating(here, found.way.first)
            return Decision(found.way.first, "plan", found.about)
        return self._explore(here) or self._stock_up(here) or self._wait(here)

    def _checked(self, here: BeliefState, intended: Decision) -> Decision:
        """The intended action, or one that rollouts found better."""
        if here.kills(intended.action):
            intended = Decision(NOOP, "wait", "a move would be deadly")
        hunts = intended.layer == "reflex" or "creature." in intended.about
        better = self._foresight.better(here, intended.action, hunts=hunts)
        if options := self._foresight.options:
            compared = Comparison(options, self._foresight.horizon, self._queue.ahead(here))
            intended = replace(intended, compared=compared)
        return intended if better is None else replace(intended, action=better, layer="foresight")

    def _next(self, here: BeliefState) -> tuple[Found | None, bool]:
        """The first possible stop of acceptable risk; and whether one was refused for its risk."""
        late = self._queue.late(here, steps_until_light(here))
        deterred = False
        for found in self._queue.next(here):
            way = found.way.cost // STEP
            back = way if here.has_ample_time else 0  # to shelters that are near now
            steps = way + back + _REFUGE
            accepts_risk = self._survival.accepts_risk(here, steps, found.cell, late=late)
            if self._continues_trip(here, found) or accepts_risk:
                if not self._continues_trip(here, found):
                    step, health = here.status.step, here.status.amount("health")
                    self._trip = (found.target, step + _COURAGE, health)
                return found, deterred
            deterred = True
        return None, deterred

    def _continues_trip(self, here: BeliefState, found: Found) -> bool:
        """Whether the player set out for this shortly before, and was not hit since."""
        if self._trip is None:
            return False
        target, until, health = self._trip
        unhurt = here.status.amount("health") >= health
        return target == found.target and here.status.step < until and unhurt

    def _harvest(self, here: BeliefState) -> Choice | None:
        """Eat a ripe plant that is wanted, if it is near and health, risk and hunger allow it."""
        if not any(target.rule == "creature.plant" for target in self._queue.targets):
            return None
        cost, action = Skill("creature.plant", DO, here.kinds == RIPE).price(here)
        if cost > _HARVEST or here.status.amount("health") <= 2:
            return None
        if here.has_ample_time and not self._survival.accepts_risk(here, cost // STEP + _REFUGE):
            return None
        if is_starving(here) and cost > _AT_HAND:
            return None  # otherwise the player would go for both in turn
        return "creature.plant", action

    def _at_hand(self, found: Found | None) -> Choice | None:
        """Make or place what is possible here, before the player leaves."""
        if found is None or found.way.cost > _AT_HAND or found.way.harm:
            return None
        if not found.about.startswith(("make.", "place.")):
            return None
        self._queue.current = found.target
        return found.about, found.way.first

    def _naps(self, here: BeliefState) -> bool:
        """Whether to sleep early, while sleep is short, where rollouts find the risk low."""
        if sleep_duration(here) == 0:
            return False
        return here.status.sleeping or (may_nap(here) and self._foresight.sleeps_well(here))

    def _hunts_zombies(self, here: BeliefState) -> bool:
        """Whether zombies are all that is left, and the player is strong enough for them."""
        left = self._queue.targets
        last = all(t.rule == "creature.zombie" or t.gain == "zombie" for t in left)
        return is_wanted(here, "zombie") and last and here.status.amount("health") >= _BOLD

    def _fence_plant(self, here: BeliefState, *, idle: bool) -> Found | None:
        """Protect a plant that is wanted, as far as that saves time or the player is idle."""
        if not any(target.rule == "creature.plant" for target in self._queue.targets):
            return None
        spare = _IDLE if idle or self._fencing else 0
        ways = [(task.way(here), task.name) for task in fencing(here, spare)]
        way, about = min(ways, default=(None, ""))
        self._fencing = way is not None and self._survival.accepts_risk(
            here, way.cost // STEP + _REFUGE
        )
        return Found(None, about, way) if way is not None and self._fencing else None

    def _put_off_if_oscillating(self, here: BeliefState, action: int) -> None:
        """Postpone a target on the way to which one place is visited again and again."""
        current = self._queue.current
        if current is None or not 1 <= action <= 4:
            return
        place = (here.seen.position, here.seen.facing, tuple(here.held.items()))
        self._visits[place] += 1
        if self._visits[place] >= _ROUNDS:
            self._visits.clear()
            self._queue.put_off(current.rule, here.status.step + _PAUSE)

    def _cheapest(self, here: BeliefState) -> Found | None:
        """The task of the plan that is cheapest now, whatever the itinerary says."""
        queue = self._queue
        best: tuple[int, Task | None, str, Route] | None = None
        spare = queue.spare(here)
        for index, target in enumerate(queue.targets):
            earlier = queue.targets[:index]
            if (
                queue.is_put_off(target, here)
                or is_full(self.model.world, here.held, target)
                or not is_affordable(self.model, spare, earlier, target)
            ):
                continue
            for task in tasks_for(here, target, queue.together):
                way = task.way(here)
                cost = way.cost + index - (_STEADY if target == queue.current else 0)
                cost -= _ARMING if target.rule in _ARMS else 0
                if way.cost < FAR and (best is None or cost < best[0]):
                    best = (cost, target, task.name, way)
        return None if best is None else Found(*best[1:])

    def _goal_place(self, here: BeliefState, found: Found | None) -> Found | None:
        """The way to a place where a goal wants the player to stand, if that is nearer.

        It comes first, too, if the other task would collect the ground of that place.
        """
        for skill in standing(here):
            way = skill.way(here)
            collects = found is None or found.about == f"collect.{subject_of(skill.name)}"
            if way.cost < (FAR if collects or found is None else found.way.cost) and not way.harm:
                found = Found(None, skill.name, way)
        return found

    def _explore(self, here: BeliefState) -> Decision | None:
        """Go where what open goals lack is found at the least expected cost."""
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

    def _stock_up(self, here: BeliefState) -> Decision | None:
        """Collect the blocks of a shelter, if nothing else is to be done, or not before night."""
        if self._follows or not here.model.endangered or enclosed(here):
            return None
        if self._queue.targets and steps_until_dark(here) is None:
            return None
        if self._supplies is None:
            self._supplies = [self._supply_queue(goal) for goal in supplies(self.model)]
        for queue in self._supplies:
            queue.update(here)
        planned = [queue for queue in self._supplies if queue.targets]
        if not planned:
            return None
        fewest = min(planned, key=lambda queue: sum(task.times for task in queue.targets))
        found = next(fewest.next(here), None)
        if found is None:
            return None
        fewest.current = found.target
        return Decision(found.way.first, "plan", found.about)

    def _supply_queue(self, goal: str) -> TaskQueue:
        """A task queue for a goal alone; it makes a plan only when something has changed."""
        world = replace(self.model.world, goals=(WorldGoal(goal),))
        return TaskQueue(world, WorldModel(world, self.model.length), None)

    def _attract(self, here: BeliefState) -> Decision | None:
        """Go where wanted creatures spawn, if health allows it."""
        if here.status.amount("health") < _BOLD:
            return None
        for being in SPAWN_GROUND:
            comes = being != "zombie" or zombies_wanted(here.status.daylight)
            if not (is_wanted(here, being) and comes):
                continue
            cost, action = Skill(being, NOOP, None, spawn_cells(here, being)).price(here)
            if cost < FAR:
                return Decision(action, "wait", f"creature.{being}")
        return None

    def _wait(self, here: BeliefState) -> Decision:
        """Wait where creatures spawn or in shelter; by day near plants, but not beside them.

        What grows by a timer grows by night as well, and nothing damages it.
        """
        waiting = {target.rule for target in self._queue.targets}
        grows = "creature.plant" in waiting and not here.night_danger
        plants = here.seen.of_kind("plant") if grows else []
        crops = None if plants else ripening(here, waiting)
        if not plants and crops is None and (attracted := self._attract(here)) is not None:
            return attracted
        choice = self._survival.wait_in_shelter(here, aside(plants) if plants else crops)
        if choice is not None:
            return Decision(choice[1], "wait", min(waiting, default="nothing"))
        where = (aside(plants), near(plants)) if plants else (crops,)
        prices = (
            Skill("plant", NOOP, None, each).price(here) for each in where if each is not None
        )
        action = next((action for cost, action in prices if cost < FAR), NOOP)
        if action != NOOP:
            return Decision(action, "wait", "creature.plant" if plants else "what grows")
        about = next((rule for rule in sorted(waiting) if rule.startswith("creature")), "nothing")
        return Decision(NOOP, "wait", about)
