"""ReAct and Reflexion (Mars paper, Section 3.2), and ReAct with the true rules (Table 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from mars_logic.language.answers import ActionAnswer, TextAnswer, action_answer
from mars_logic.world.words import tell

from .agent import LanguageAgent

if TYPE_CHECKING:
    from mars_logic.play.agent import Episode, Knows
    from mars_logic.sim import Observation

_LESSONS: Final = 3
"""Lessons that are kept."""


class ReactAgent(LanguageAgent):
    """At each step a thought and an action, given the last steps."""

    name = "react"
    plays_changing_cells: ClassVar[bool] = True

    def choose(self, told: str, observation: Observation) -> ActionAnswer | None:  # noqa: ARG002
        """Ask once."""
        values = self._common(observation=told, steps=self._history())
        return self._asking.ask("react", action_answer(self._words.actions), **values)


class GivenRulesAgent(ReactAgent):
    """ReAct with all true rules of the world in the prompt, in words."""

    name = "given_rules"
    knows: ClassVar[Knows] = "rules"

    def rules(self) -> list[str]:
        """A sentence for each rule.

        Raises:
            ValueError: The agent is not told the world.
        """
        if self._episode.world is None:
            raise ValueError("this agent needs an episode with a world")
        world = self._episode.world
        return [tell(rule, world.vocabulary) for rule in world.rules()]


class ReflexionAgent(ReactAgent):
    """ReAct that reflects when its history is full, and after an episode that it did not complete.

    As in the paper, the history until the last reflection has at most ``history_tokens`` tokens,
    and not a number of steps; reflections outlive episodes.
    """

    name = "reflexion"

    def begin(self, episode: Episode) -> None:
        """Start with the lessons so far."""
        if self._episodes == 0:
            self._lessons: list[str] = []
        super().begin(episode)
        self._since = 0

    def lessons(self) -> list[str]:
        """The last reflections."""
        return self._lessons

    def choose(self, told: str, observation: Observation) -> ActionAnswer | None:
        """Reflect if the history is full; then ask."""
        if len(self._full_history()) < self._steps - self._since:
            self._reflect("")
        return super().choose(told, observation)

    def end(self, episode: Episode) -> None:
        """Reflect on an episode in which something was not unlocked."""
        wanted = [goal.name for goal in episode.own_goals] or self._words.achievements
        if self._notes is None or set(wanted) <= set(self._unlocked):
            return
        self._place()
        died = self._played.views.inventory[-1][0] <= 0
        self._reflect("death" if died else f"its length of {episode.length} steps")

    def _history(self, first: int = 0, most: int | None = None) -> list[str]:  # noqa: ARG002
        return self._full_history()

    def _full_history(self) -> list[str]:
        return super()._history(self._since, self._steps)

    def _reflect(self, ended: str) -> None:
        values = self._common(steps=self._full_history(), reward=self._reward, ended=ended)
        answer = self._asking.ask("reflect", TextAnswer, **values)
        if answer is not None:
            self._lessons = [*self._lessons, " ".join(answer.text.split())][-_LESSONS:]
        self._since = self._steps
