"""The base class of agents that a language model plays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from mars_logic.language.answers import ActionAnswer
from mars_logic.language.session import AnswerCounts, LanguageSession, open_session
from mars_logic.language.settings import LanguageSettings, stated_settings
from mars_logic.language.tokens import newest, safe
from mars_logic.plan.observed_map import MapTracker
from mars_logic.plan.planner import Decision
from mars_logic.theory.rulesets.context import NO_CHANGE, changes, moment
from mars_logic.views.words import describe
from mars_logic.world.adds import vocabulary_with
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words.goal_words import tell_goals

from ..inductive.episode_buffer import EpisodeBuffer

if TYPE_CHECKING:
    from mars_logic.data.trajectory import Trajectory
    from mars_logic.play.agent import Episode, Knows
    from mars_logic.sim import Observation

_THOUGHT: Final = 200
"""Characters of a thought that the history repeats."""


class LanguageAgent(ABC):
    """An agent that asks a language model; it keeps its history and its counts.

    While the player sleeps, no action has an effect, and the model is not asked. An answer that
    cannot be read counts as ``noop``.

    Attributes:
        name: As it is registered.
        knows: The privileged information that it is given.
        decision: What it decided last: who, and the thought.
        session: The conversation; opened when the first episode begins.
    """

    name: ClassVar[str]
    knows: ClassVar[Knows] = "nothing"
    plays_added_names: ClassVar[bool] = True

    def __init__(self, language: LanguageSettings | None = None) -> None:
        """Prepare; nothing is asked yet.

        Args:
            language: The model's settings.
        """
        self.decision: Decision | None = None
        self.session: LanguageSession | None = None
        self._language = stated_settings(language)
        self._episodes = 0

    @property
    def counts(self) -> AnswerCounts | None:
        """The counts of questions, requests and tokens; None before the first episode."""
        return self.session.counts if self.session else None

    def begin(self, episode: Episode) -> None:
        """Start an episode with an empty history.

        Raises:
            InputError: No model is named, or its settings are wrong.
        """
        self.session = self.session or open_session(self.name, self._language)
        self._episode = episode
        self._episodes += 1
        self._notes: EpisodeBuffer | None = None
        self._thoughts: list[str] = []
        self._lines: list[str] = []
        self._unlocked: list[str] = []
        self._reward = 0.0
        self._last: str | None = None

    def act(self, observation: Observation) -> int:
        """Ask for the next action."""
        if self._notes is None:
            self._notes = EpisodeBuffer(self._episode, self._episodes, observation)
            self._observed = MapTracker(observation, self._episode.start, self._words.items)
        self._place()
        if observation.sleeping[0]:
            return self._decided("asleep", "noop")
        told = describe(observation, "mars", action=self._last, vocabulary=self._words)
        answer = self.choose(told, observation)
        if answer is None:
            return self._decided("no readable answer", "noop")
        return self._decided(answer.thought, answer.action)

    @abstractmethod
    def choose(self, told: str, observation: Observation) -> ActionAnswer | None:
        """The next action, one of the world's; None if no answer can be read.

        Args:
            told: What the player observes, in words.
            observation: The same as arrays (n = 1).
        """

    def note(
        self, action: int, reward: float, unlocked: Iterable[str], done: bool, after: Observation
    ) -> None:
        """See what came of an action."""
        assert self._notes is not None
        new = list(unlocked)
        before = self._observed.seen.position
        self._notes.add(action, reward, new, done, after)
        self._observed.note(action, new, after)
        self._unlocked += new
        self._reward += reward
        self._last = self._words.actions[action]
        told = [f"reward {reward:+.1f}"] if reward else []
        if self._last.startswith("move_"):
            told = ["moved" if self._observed.seen.position != before else "did not move", *told]
        self._lines.append(self._told_step([*told, *(f"unlocked {name}" for name in new)]))

    def end(self, episode: Episode) -> None:  # noqa: B027 - others may keep something
        """Finish the episode; the agent keeps nothing."""

    # --- For the agents ---------------------------------------------------------------------

    @property
    def _asking(self) -> LanguageSession:
        assert self.session is not None
        return self.session

    @property
    def _words(self) -> Vocabulary:
        return self._episode.words

    @property
    def _steps(self) -> int:
        return len(self._thoughts) if self._notes is None else len(self._notes)

    @property
    def _played(self) -> Trajectory:
        assert self._notes is not None
        return self._notes.trajectory()

    def _common(self, **values: Any) -> dict[str, Any]:
        """The values that every prompt has."""
        adds = self._episode.adds
        goals = [goal.name for goal in self._episode.own_goals]
        return {
            "achievements": [name for name in self._words.achievements if name not in goals],
            "goals": self._told_goals(),
            "actions": self._words.actions,
            "added": tuple(dict.fromkeys((*adds.material_names, *adds.items))),
            "rules": self.rules(),
            "lessons": self.lessons(),
            "unlocked": self._unlocked,
            "step": self._steps,
            "advice": self._asking.settings.prompts == "mars",
            "length": self._episode.length,
            **values,
        }

    def _told_goals(self) -> str:
        """The goals that the world states, in a sentence; empty where every achievement counts."""
        episode = self._episode
        if not episode.own_goals:
            return ""
        stated = episode.dialect, episode.adds, episode.own_length, episode.own_goals
        return tell_goals(vocabulary_with(*stated))

    def rules(self) -> list[str]:
        """The rules for the prompt; none by default."""
        return []

    def lessons(self) -> list[str]:
        """Lessons of earlier play for the prompt; none by default."""
        return []

    def _history(self, first: int = 0, most: int | None = None) -> list[str]:
        """The newest steps within the limits of the settings.

        Args:
            first: The step with which it begins at the earliest.
            most: The most steps; by default that of the settings.
        """
        limits = self._asking.settings
        most = limits.history_steps if most is None else most
        begin = max(first, self._steps - most)
        return newest(self._lines[begin:], limits.history_tokens)

    def _told_step(self, results: list[str]) -> str:
        """The last step in a line: thought, action, situation, changes.

        Args:
            results: What came of it besides what is seen.
        """
        played, number = self._played, self._steps - 1
        action = self._words.actions[int(played.action[number])]
        before, after = moment(played, number, action), moment(played, number + 1)
        changed = changes(before, after)
        came = ", ".join([*results, *([] if results and changed == NO_CHANGE else [changed])])
        thought = " ".join(safe(self._thoughts[number], _THOUGHT).split())
        about = f" (thought: {thought})" if thought else ""
        return f"{number + 1}. {action}{about}: {before} -> {came}"

    def _decided(self, thought: str, action: str) -> int:
        self._thoughts.append(thought)
        code = self._words.actions.index(action)
        self.decision = Decision(code, self.name, " ".join(safe(thought, _THOUGHT).split()))
        return code

    def _place(self) -> None:
        """Tell the session where in play the next question is asked."""
        asking = self._asking
        asking.place = replace(
            asking.place, seed=self._episode.seed, episode=self._episodes, step=self._steps
        )
