"""The agent that is told nothing of the rules: it believes, plays, is surprised, and revises."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from mars_logic.learn.belief import Belief
from mars_logic.learn.experiments import Experiments
from mars_logic.learn.notes import Notes
from mars_logic.plan.ground import Situation
from mars_logic.plan.lore import SLEEP
from mars_logic.plan.planner import Decision, Planner
from mars_logic.plan.seen import UNSEEN, SeenMap, Status
from mars_logic.world.load import load_world
from mars_logic.world.theory import Theory

if TYPE_CHECKING:
    from mars_logic.agent import Episode
    from mars_logic.sim import Observation

Prior = Literal["crafter", "none"]
_IDLE = ("explore", "wait")


class InductiveAgent:
    """Plans with what it believes on the map that it has seen; the belief outlives episodes.

    Attributes:
        belief: What it believes, and what it saw; None before the first episode.
        decision: What it decided last.
    """

    def __init__(self, prior: Prior = "crafter") -> None:
        """Begin knowing nothing of a world.

        Args:
            prior: What is believed at first: Crafter's rules, or nothing.
        """
        self.belief: Belief | None = None
        self.decision: Decision | None = None
        self._prior = prior
        self._learning = True
        self._episodes = 0
        self._experiments = Experiments()

    def begin(self, episode: Episode) -> None:
        """Start an episode with what is believed."""
        if self.belief is None:
            crafter = replace(load_world("crafter"), dynamics=episode.dynamics)
            prior: Theory = (
                crafter if self._prior == "crafter" else Theory.unknown(episode.dynamics)
            )
            self.belief = Belief.begin(prior, episode.dynamics)
        self._episode = episode
        self._episodes += 1
        self._notes: Notes | None = None
        self._seen: SeenMap | None = None
        self._unlocked: frozenset[str] = frozenset()
        self._action = 0
        self._planner = Planner(self.belief.practical)

    def act(self, observation: Observation) -> int:
        """Look, think, and choose."""
        assert self.belief is not None
        if self._notes is None or self._seen is None:
            self._notes = Notes(self._episode, self._episodes, observation)
            self._seen = SeenMap.begin(observation)
            self._ground = self._seen.materials
        status = Status(
            tuple(observation.inventory[0].tolist()),
            bool(observation.sleeping[0]),
            float(observation.daylight[0]),
            len(self._notes),
            self._unlocked,
        )
        self.decision = self._decide(self._seen, status)
        tired = status.sleeping and status.amount("energy") < 9
        self._action = SLEEP if tired else self.decision.action
        return self.decision.action

    def note(
        self, action: int, reward: float, unlocked: Iterable[str], done: bool, after: Observation
    ) -> None:
        """See what came of an action."""
        assert self.belief and self._notes is not None and self._seen is not None
        self._unlocked |= set(unlocked)
        self._notes.add(action, reward, unlocked, done, after)
        self._seen = self._seen.after(after, self._action)
        if not self._learning:
            return
        new = (self._ground == UNSEEN) & (self._seen.materials != UNSEEN)
        if new.any():
            self._ground = np.where(new, self._seen.materials, self._ground)
        before, doubts = self.belief.theory, self.belief.doubts
        self._experiments.learn(self.belief.look(self._notes.trajectory(), self._episodes))
        if self.belief.theory is not before or self.belief.doubts != doubts:
            self._planner.believe(self.belief.practical)

    def end(self, episode: Episode) -> None:  # noqa: ARG002
        """Keep what was seen."""
        if self.belief and self._notes is not None and self._learning:
            self.belief.close(self._ground, self._episodes, len(self._notes))

    def freeze(self) -> None:
        """Learn no more."""
        self._learning = False

    def tell(self) -> Belief | None:
        """What is believed now."""
        return self.belief

    def _decide(self, seen: SeenMap, status: Status) -> Decision:
        meant = self._planner.decide(seen, status)
        if meant.layer in _IDLE and self._learning:
            here = Situation(self._planner.lore, seen, status)
            found = self._experiments.nearest(here)
            if found is not None:
                return Decision(found[1], "experiment", found[0].name)
        return meant
