"""SmartPlay's seat for language models: the protocol of its paper, in worlds and in games.

Source: SmartPlay (Wu et al., ICLR 2024), section on the evaluation, and its released code. At each
step the model reads the manual, the last steps and what is observed, and answers two questions:
what to do and why; and which action. Where the paper takes the action whose name comes first in the
second answer, here only a final answer counts, as :mod:`mars_logic.language.answers` defines it.
Without one, the first action of all is taken.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from mars_logic.errors import InputError
from mars_logic.language.answers import UnreadableAnswerError, action_answer, read_answer
from mars_logic.language.chat import ChatMessage
from mars_logic.language.prompts import rendered, rendered_line
from mars_logic.language.session import AnswerCounts, LanguageSession, open_session, summed
from mars_logic.language.settings import LanguageSettings, stated_settings
from mars_logic.views.words import describe
from mars_logic.views.words.smartplay import MOVES

if TYPE_CHECKING:
    from mars_logic.play.agent import Episode, Knows


class SmartPlayAgent:
    """A player of worlds and games that asks a language model as SmartPlay does.

    Attributes:
        session: The conversation; in games one for each episode.
    """

    name: ClassVar[str] = "smartplay"
    knows: ClassVar[Knows] = "rules"
    knows_state: ClassVar[bool] = False
    has_theory: ClassVar[bool] = False
    plays_games: ClassVar[bool] = True
    plays_added_names: ClassVar[bool] = True

    def __init__(
        self, language: LanguageSettings | None = None, history: int | None = None
    ) -> None:
        """Prepare; nothing is asked yet.

        Args:
            language: The model's settings.
            history: Steps that are told; by default as many as in the paper (Table 1), by game.

        Raises:
            InputError: ``history`` is no whole number from 0.
        """
        if history is not None and (type(history) is not int or history < 0):
            raise InputError(
                f"history: {history!r} is not possible; allowed: a number of steps from 0"
            )
        self.session: LanguageSession | None = None
        self.history = history
        self._language = stated_settings(language)
        self._past: list[AnswerCounts] = []
        self._episodes = 0

    @property
    def counts(self) -> AnswerCounts | None:
        """The counts of all conversations; None before the first episode."""
        if self.session is None:
            return None
        return summed([*self._past, self.session.counts])

    def begin(self, episode: Episode) -> None:
        """Start an episode with an empty history.

        Raises:
            InputError: No model is named, or its settings are wrong.
        """
        self._episode = episode
        self._episodes += 1
        if self.session is None or episode.dynamics is None:
            if self.session is not None:
                self._past.append(self.session.counts)
            settings = self._language
            if settings is not None and episode.dynamics is None:
                session = f"{settings.session}__s{episode.seed}"
                settings = settings.model_copy(update={"session": session})
            self.session = open_session(self.name, settings)
        is_world = episode.dynamics is not None
        self._actions = (
            [MOVES.get(each, each) for each in episode.words.actions]
            if is_world
            else [*episode.actions]
        )
        most = episode.history if self.history is None else self.history
        self._steps: deque[str] = deque(maxlen=most)
        self._taken: int | None = None
        self._count = 0

    def act(self, observation: Any) -> int:
        """Ask both questions."""
        assert self.session is not None
        asking = self.session
        told = self._told(observation)
        asking.place = replace(
            asking.place, seed=self._episode.seed, episode=self._episodes, step=self._count
        )
        values = {"manual": self._episode.manual, "steps": [*self._steps], "observation": told}
        messages = rendered("smartplay", **values)
        reason = asking.say("smartplay", messages)
        question = rendered_line("smartplay_choice", actions=self._actions)
        messages += [ChatMessage("assistant", reason.text), ChatMessage("user", question)]
        answer = asking.say("smartplay_choice", messages)
        code = None if answer.cut else final_action(answer.text, self._actions)
        if code is None:
            asking.counts.unreadable += 1
            code = 0
        self._count += 1
        self._taken = code
        self._steps.append(f"Step {self._count}: {told}\nYou chose: {self._actions[code]}")
        return code

    def end(self, episode: Episode) -> None:
        """Finish the episode; the agent keeps nothing."""

    def theory(self) -> list[str]:
        """None."""
        return []

    def _told(self, observation: Any) -> str:
        """Description of the observation, in words."""
        if self._episode.dynamics is None:
            if self._episode.text is None:
                raise ValueError("this agent needs an episode with observations in words")
            return self._episode.text()
        action = None if self._taken is None else self._episode.words.actions[self._taken]
        words = self._episode.words
        return describe(observation, "smartplay", action=action, vocabulary=words)


def final_action(text: str, actions: Sequence[str]) -> int | None:
    """The code of the action that a text gives as its final answer; None if it gives none.

    Example:
        >>> final_action("I rest. Action: sleep.", ["noop", "sleep", "do"])
        1
        >>> final_action("Never do sleep.", ["noop", "sleep", "do"])
    """
    try:
        return [*actions].index(read_answer(action_answer(actions), text).action)
    except UnreadableAnswerError:
        return None
