"""The inductive agent: it starts from a prior, plays, and revises its belief on contradictions."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

import numpy as np

from mars_logic.errors import InputError
from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.observed_map import UNSEEN, MapTracker, ObservedMap, Status
from mars_logic.plan.planner import Decision, Planner
from mars_logic.plan.routes import FAR
from mars_logic.plan.skills import Skill, affords, beside, is_enclosed
from mars_logic.plan.task_queue import REROUTE
from mars_logic.play.agent import require_dialect
from mars_logic.play.learner import BeliefReport
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.goals import is_at_a_cell
from mars_logic.world.load import load_world
from mars_logic.world.theory import Theory

from .appetite import Meal, next_meal
from .belief import Belief, Ties
from .episode_buffer import EpisodeBuffer
from .experiment_choice import Attempt, Choice, Experiments
from .next_try import Try, next_try
from .prices import AchievementPrices, Experience
from .supplies import Supplies
from .trials import outcome, planned
from .ways import Ways

if TYPE_CHECKING:
    from mars_logic.play.agent import Episode
    from mars_logic.sim import Observation
    from mars_logic.theory import Consequences

Prior = Literal["crafter", "none"]
_IDLE = ("explore", "wait")
_FREE = ("plan", *_IDLE)
"""Layers of the planner that may wait for an experiment."""
_HELD_UP = ("reflex", "foresight", "rest")
"""Layers that may not wait for a meal."""


class InductiveAgent:
    """Plans with its belief on its seen map; the belief persists over episodes.

    Attributes:
        belief: Its belief and evidence; None before the first episode.
        decision: What it decided last.
    """

    plays_added_names: ClassVar[bool] = True

    def __init__(
        self,
        prior: Prior = "crafter",
        experiments: Choice = "informative",
        *,
        belief: Theory | None = None,
        revise: bool = True,
        passive: bool = False,
        ties: Ties = "usual",
    ) -> None:
        """Begin with a prior alone.

        Args:
            prior: The initial belief: Crafter's rules, or unknown rules.
            experiments: Selection of experiments: by information gain, at random, or none.
            belief: The initial belief, instead of Crafter's rules.
            revise: Whether the first theory is ever revised.
            passive: Whether it acts at random while it learns.
            ties: Which of equally short revisions it believes: the first in a fixed order, or one
                under which most achievements are reachable.

        Raises:
            InputError: There is no such prior or choice, or both a prior and a belief.
        """
        for name, value, allowed in (
            ("prior", prior, Prior),
            ("experiments", experiments, Choice),
            ("ties", ties, Ties),
        ):
            if value not in get_args(allowed):
                told = ", ".join(get_args(allowed))
                raise InputError(f"inductive: {name}: there is no '{value}'; allowed: {told}")
        if belief is not None and prior == "none":
            raise InputError(
                "inductive: belief, prior: they exclude each other; allowed: one of them"
            )
        self.belief: Belief | None = None
        self.decision: Decision | None = None
        self._prior, self._revise, self._passive, self._ties = prior, revise, passive, ties
        self._given = belief
        self._learning = True
        self._episodes = 0
        self._experiments = Experiments(experiments)

    def begin(self, episode: Episode) -> None:
        """Start an episode with what is believed.

        Raises:
            InputError: The belief that it was given is of another dialect.
        """
        if self.belief is None:
            self.belief = Belief.begin(
                self._first(episode), episode.adds, revises=self._revise, ties=self._ties
            )
            self._experience = Experience(episode.length, self.belief.posterior.unknown)
        self._episode = episode
        self._words = episode.words
        # Where a cell of the world's drawing lies is not told.
        counted = (g.name for g in episode.own_goals if not is_at_a_cell(g.name))
        self._goals = tuple(counted) or self._words.achievements
        self._episodes += 1
        self._notes: EpisodeBuffer | None = None
        self._observed: MapTracker | None = None
        self._attempt: Attempt | None = None
        self._reached_at = 0
        self._random = Random(f"inductive {episode.seed} {self._episodes}")
        self._aim: Try | None = None
        self._aimed: tuple[object, ...] | None = None
        self._meal: Meal | None = None
        self._last_waits = False
        self._avoided: set[tuple[str, ...]] = set()
        self._planner = Planner(self._practical(self.belief), length=episode.length)

    def act(self, observation: Observation) -> int:
        """Look, think, and choose."""
        if self._notes is None or self._observed is None:
            self._notes = EpisodeBuffer(self._episode, self._episodes, observation)
            self._observed = MapTracker(observation, self._episode.start, self._words.items)
            self._ground = self._observed.seen.materials
        self.decision = self._decide(self._observed.seen, self._observed.status)
        return self.decision.action

    def note(
        self, action: int, reward: float, unlocked: Iterable[str], done: bool, after: Observation
    ) -> None:
        """See what came of an action."""
        assert self.belief and self._notes is not None and self._observed is not None
        before = self._observed.status.unlocked
        self._notes.add(action, reward, unlocked, done, after)
        self._observed.note(action, unlocked, after)
        if self._observed.status.unlocked != before:
            self._reached_at = self._observed.status.step
        if self._learning:
            materials = self._observed.seen.materials
            new = (self._ground == UNSEEN) & (materials != UNSEEN)
            if new.any():
                self._ground = np.where(new, materials, self._ground)
            self._learn(self.belief, self._notes)

    def end(self, episode: Episode) -> None:  # noqa: ARG002
        """Keep what was seen."""
        if (
            self.belief
            and self._notes is not None
            and self._observed is not None
            and self._learning
        ):
            status = self._observed.status
            died = status.amount("health") <= 0
            self._experience.add(status.step, status.unlocked, self._goals, died=died)
            self.belief.close(self._ground, self._episodes, self._notes.trajectory())

    def freeze(self) -> None:
        """Learn no more."""
        self._learning = False

    def tell(self) -> BeliefReport | None:
        """The current belief."""
        return self.belief.told() if self.belief else None

    def consequences(self) -> Consequences | None:
        """The certain and open fields given the evidence; None if the search reached its limit."""
        return self.belief.consequences() if self.belief else None

    def _first(self, episode: Episode) -> Theory:
        """The belief before any evidence."""
        if self._given is not None:
            require_dialect(self._given, episode.dialect)
            found = self._given
        elif self._prior == "none":
            found = Theory.unknown(episode.dialect)
        else:
            found = replace(load_world("crafter"), dynamics=episode.dialect)
        words, maps = episode.words, found.map
        return found.within(Theory.unknown(words.name, episode.adds, episode.own_length, maps))

    def _learn(self, belief: Belief, notes: EpisodeBuffer) -> None:
        trial = None
        if self._attempt is not None and self._attempt.at_once:
            setting = self._attempt.information_gain.setting
            trial = planned(belief.posterior, setting, self._episodes, len(notes))
        before, doubts = belief.theory, belief.doubts
        new = belief.look(notes.trajectory(), self._episodes)
        if trial is not None and self._attempt is not None:
            seen = outcome(self._attempt.information_gain.setting, new)
            self._experiments.note(
                self._attempt.information_gain.setting, in_vain=seen in (None, "nothing happened")
            )
            belief.trials.append(replace(trial, outcome=seen))
        if belief.theory is not before or belief.doubts != doubts:
            self._planner.believe(self._practical(belief))

    def _practical(self, belief: Belief) -> Theory:
        """The theory for the planner, with the goals that do not depend on what is to be tried."""
        theory, aim = belief.practical(self._aim), self._aim
        if not self._words.wide:
            return theory
        closed = set() if aim is None else set(aim.closed)
        if self._meal is not None:
            closed.add(f"eat_{self._meal.item}")
        goals = dict.fromkeys(g for g in self._goals if g not in closed and not self._last_waits)
        if aim is not None and aim.rule:
            goals[aim.opens] = None
        return theory.pursuing(goals)

    def _take_aim(self, belief: Belief, seen: ObservedMap, status: Status) -> None:
        """Choose what to try next, when what is known, seen or held has changed."""
        meal = self._next_meal(belief, status)
        rules, kept = belief.to_try, meal if meal is not None and not meal.now else None
        known = tuple(belief.posterior.versions[rule] for rule in belief.open)
        kinds = np.unique(seen.materials).tobytes(), frozenset(status.held)
        now = (rules, known, *kinds, kept, status.unlocked, status.step // REROUTE)
        if self._is_given_up() and self._aim is not None and self._on_foot(seen, status) is None:
            self._avoided.add(self._aim.near)
        elif now == self._aimed:
            return
        if self._aimed is not None and kinds[0] != self._aimed[2]:
            self._avoided.clear()
        self._aimed, self._meal = now, kept
        here = BeliefState(self._planner.model, self._planner.seen or seen, status)
        supplies = Supplies(Ways(here, belief.posterior), belief.theory, belief.posterior.had)
        left = self._episode.length - status.step
        self._aim = next_try(belief.posterior, rules, supplies, left, self._avoided)
        self._last_waits = self._keeps_last(here)
        practical = self._practical(belief)
        if practical != self._planner.belief:
            self._planner.believe(practical)

    def _keeps_last(self, here: BeliefState) -> bool:
        """Whether the last goal waits, since nothing can be tried once the episode is over.

        A rule that is found counts as much as a goal, and a step as what it takes of its chance.
        """
        aim = self._aim
        if len(set(self._goals) - here.status.unlocked) > 1 or aim is None or not aim.rule:
            return False
        return aim.works > aim.cost * self._prices(here).step(0.0)

    def _next_meal(self, belief: Belief, status: Status) -> Meal | None:
        lasts, left = self._planner.model.lasts, self._episode.length - status.step
        return next_meal(belief.posterior, status, lasts, left)

    def _is_given_up(self) -> bool:
        """Whether the planner finds no way to what is to be tried."""
        aim, plan = self._aim, self._planner.plan
        if aim is None or not aim.rule or plan is None:
            return False
        waits = self.decision is not None and self.decision.layer == "wait"
        return waits or aim.opens in plan.given_up

    def _on_foot(self, seen: ObservedMap, status: Status) -> Decision | None:
        """The way to what is to be tried, if all is held; the planner may have given it up."""
        aim = self._aim
        if aim is None or not aim.rule:
            return None
        here = BeliefState(self._planner.model, self._planner.seen or seen, status)
        if not affords(here, aim.fields[aim.rule]["uses"]):
            return None
        action = here.actions[aim.opens]
        if aim.rule.startswith("place"):
            task = Skill(aim.rule, action, here.of_material(*aim.near) & ~here.fences)
        else:
            task = Skill(aim.rule, action, None, beside(here, aim.near))
        way = task.way(here)
        return None if way.cost >= FAR else Decision(way.first, "experiment", aim.rule)

    def _decide(self, seen: ObservedMap, status: Status) -> Decision:
        self._attempt = None
        if self._learning and self._passive:
            return Decision(self._random.randrange(len(self._words.actions)), "random", "anything")
        if self.belief is not None and self._learning and self._words.wide:
            self._take_aim(self.belief, seen, status)
        meant = self._planner.decide(seen, self._as_planned(status))
        if self._learning and self.belief and self._words.wide and meant.layer not in _HELD_UP:
            meal = self._next_meal(self.belief, status)
            if meal is not None and meal.now:
                action = self._words.actions.index(f"eat_{meal.item}")
                return Decision(action, "experiment", f"eat.{meal.item}")
        if self._learning and meant.layer in _FREE and self.belief:
            here = BeliefState(self._planner.model, self._planner.seen or seen, status)
            self._attempt = self._experiments.next(
                here,
                self.belief.posterior,
                prices=self._prices(here),
                idle=meant.layer in _IDLE,
                random=self._random,
                later=self._later(status),
            )
            if self._attempt is not None:
                about = self._attempt.information_gain.setting.rule
                return Decision(self._attempt.action, "experiment", about)
            if self._is_given_up() and (on_foot := self._on_foot(seen, status)):
                return on_foot
        return meant

    def _later(self, status: Status) -> set[str]:
        """The achievements that wait: to eat what is kept, and the last goal."""
        kept = set() if self._meal is None else {f"eat_{self._meal.item}"}
        return kept | (set(self._goals) - status.unlocked if self._last_waits else set())

    def _as_planned(self, status: Status) -> Status:
        """The status without the hunger or thirst for which a meal is kept."""
        if self._meal is None:
            return status
        amounts = [*status.inventory]
        amounts[status.items.index(self._meal.vital)] = MAXIMUM
        return replace(status, inventory=tuple(amounts))

    def _prices(self, here: BeliefState) -> AchievementPrices:
        """The prices of a life, a bit and a step.

        Without new knowledge the plan's goals may be reached, and all others unless the player is
        shut in.
        """
        played, status, plan = self._experience, here.status, self._planner.plan
        planned = frozenset(plan.goals if plan is not None else ())
        locked = sorted(set(self._goals) - status.unlocked)
        reached = math.fsum(map(played.chance, self._goals))
        enclosed, model = is_enclosed(here), here.model
        hoped = planned if enclosed else frozenset(locked)
        return AchievementPrices(
            played,
            left=self._episode.length - status.step,
            waited=status.step - self._reached_at,
            expected={goal: played.chance(goal) * (goal in hoped) for goal in locked},
            planned=planned,
            reached=reached,
            missed=len(self._goals) - reached,
            trodden={
                m
                for m in model.words.subjects["walk"]
                if model.walkable[model.code[m]] and not model.deadly[model.code[m]]
            },
            later=self._episode.later,
            enclosed=enclosed,
        )
