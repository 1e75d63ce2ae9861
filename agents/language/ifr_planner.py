"""Tested rules as a theory by which the planner plays: the model proposes, logic disposes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from mars_logic.language.answers import ActionAnswer
from mars_logic.plan.planner import Planner
from mars_logic.views.words import describe

from .ifr import IfrVerifiedAgent

if TYPE_CHECKING:
    from mars_logic.play.agent import Episode
    from mars_logic.sim import Observation

REFLECT_EVERY: Final = 50
"""Steps between reflections."""


class IfrPlannerAgent(IfrVerifiedAgent):
    """The planner plays by the supported rules; for fields that they leave open, by Crafter's.

    The model is asked for rules after every :data:`REFLECT_EVERY` steps and at the end of an
    episode, and for no action.
    """

    name = "ifr_planner"

    def begin(self, episode: Episode) -> None:
        """Start with what is supported so far, and an empty map."""
        super().begin(episode)
        self._planner = Planner(self.library.theory(episode.blank), length=episode.length)
        self._reflected = 0

    def choose(self, told: str, observation: Observation) -> ActionAnswer | None:  # noqa: ARG002
        """Reflect if it is time; then the planner's action."""
        if self._steps - self._reflected >= REFLECT_EVERY:
            self._reflect(told)
        found = self._planner.decide(self._observed.seen, self._observed.status)
        thought = f"{found.layer}: {found.about}"
        return ActionAnswer(thought=thought, action=self._words.actions[found.action])

    def note(
        self, action: int, reward: float, unlocked: Iterable[str], done: bool, after: Observation
    ) -> None:
        """See what came of an action, and keep the view for the last reflection."""
        super().note(action, reward, unlocked, done, after)
        self._after = after

    def end(self, episode: Episode) -> None:
        """Reflect on the last steps, and keep what was observed."""
        if self._steps > self._reflected:
            self._reflect(describe(self._after, "mars", action=self._last, vocabulary=self._words))
        super().end(episode)

    def _reflect(self, told: str) -> None:
        if self._learning:
            steps = self._history(self._reflected, REFLECT_EVERY)
            self._induce(steps, told, subgoal="", outcome="")
            self._planner.believe(self.library.theory(self._episode.blank))
        self._reflected = self._steps
