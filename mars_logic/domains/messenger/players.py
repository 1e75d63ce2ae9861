"""Players of Messenger: one that is told all, one that reads, and one that knows names alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.messenger.belief import MessengerBelief, names_shown
from mars_logic.domains.messenger.lexicon import load_lexicon, usual_lexicon
from mars_logic.domains.messenger.reader import ManualReader
from mars_logic.domains.messenger.readings import Readings
from mars_logic.domains.messenger.rollouts import action_values
from mars_logic.domains.messenger.rules import (
    MOTIONS,
    NAMES,
    ROLES,
    Messenger,
    assignments,
)
from mars_logic.domains.messenger.words import sentences_of
from mars_logic.domains.players import BasePlayer
from mars_logic.domains.protocol import Observation, seen_now
from mars_logic.errors import InputError
from mars_logic.play.agent import Episode

ROLLOUTS: Final = 100
"""Rollouts of each action in a step."""
_HORIZON: Final = 50
"""Steps of a rollout, at most."""
_MOST_ROLLOUTS: Final = 10_000
_SMOOTHING: Final = 0.02
"""What counts of a role in which a name was never met, in episodes."""


_LESSONS: Final = ("train", "val", "test", "none")


class _Planner:
    """Chooses by rollouts the action with the largest mean reward.

    Args:
        theory: The rules.
        rollouts: Of each action.

    Raises:
        InputError: The number of rollouts is out of range.
    """

    def __init__(self, theory: Messenger, rollouts: int) -> None:
        if type(rollouts) is not int or not 1 <= rollouts <= _MOST_ROLLOUTS:
            allowed = f"a whole number from 1 to {_MOST_ROLLOUTS}"
            raise InputError(f"rollouts: {rollouts!r} is out of range; allowed: {allowed}")
        self.level, self._length, self.rollouts = theory.level, theory.length, rollouts

    def begin(self, seed: int) -> None:
        self._random = np.random.Generator(np.random.PCG64([abs(seed), int(seed < 0)]))
        self._taken = 0

    def values(self, states: NDArray[np.int8]) -> NDArray[np.float64]:
        """float64[5]: what each action is worth in these states."""
        steps = min(self._length - self._taken, _HORIZON)
        repeats = max(1, self.rollouts // len(states))
        seed = int(self._random.integers(1, 2**31))
        found: NDArray[np.float64] = action_values(states, self.level, steps, repeats, seed)
        return found

    def choose(self, states: NDArray[np.int8]) -> int:
        """The best action in these states."""
        action = int(np.argmax(self.values(states)))
        self._taken += 1
        return action

    def sampled(self, belief: MessengerBelief) -> NDArray[np.int8]:
        """States drawn from a belief."""
        return belief.sample(self.rollouts, self._random)


class OraclePlayer(BasePlayer):
    """Is told the state, and looks ahead by rollouts.

    Args:
        theory: The rules.
        learn: Means nothing: there is nothing to learn.
        rollouts: Of each action in a step.
    """

    knows_state: ClassVar[bool] = True

    def __init__(
        self,
        theory: Messenger,
        *,
        learn: bool = False,  # noqa: ARG002
        rollouts: int = ROLLOUTS,
    ) -> None:
        self._planner = _Planner(theory, rollouts)

    def begin(self, episode: Episode) -> None:
        """Start an episode.

        Raises:
            ValueError: The state is not told.
        """
        if episode.state is None:
            raise ValueError("this player has to be told the state")
        self._state: Callable[[], Any] = episode.state
        self._planner.begin(episode.seed)

    def act(self, observation: Observation) -> int:  # noqa: ARG002
        """The action with the best rollouts."""
        return self._planner.choose(np.array([self._state().numbers], np.int8))


class BelievingPlayer(BasePlayer):
    """Keeps a belief, and looks ahead by rollouts from states that it draws from that.

    Args:
        theory: The rules.
        rollouts: Of each action in a step.
    """

    def __init__(self, theory: Messenger, rollouts: int = ROLLOUTS) -> None:
        self._rules = theory
        self._planner = _Planner(theory, rollouts)
        self.belief: MessengerBelief | None = None

    def prior(self, episode: Episode, names: tuple[str, ...]) -> Readings:
        """What is believed of roles and motions before anything is seen but the names."""
        raise NotImplementedError

    def begin(self, episode: Episode) -> None:
        """Start an episode: take in the manual and what is seen first."""
        observation = seen_now(episode)
        self.belief = MessengerBelief(self._rules.level, observation)
        self.belief.believe(self.prior(episode, names_shown(observation)))
        self._planner.begin(episode.seed)
        self._action: int | None = None

    def act(self, observation: Observation) -> int:
        """The action with the best rollouts, by what is believed after this observation."""
        assert self.belief is not None
        if self._action is not None:
            self.belief.see(self._action, observation)
        self._action = self._planner.choose(self._planner.sampled(self.belief))
        return self._action

    def estimates(self) -> Mapping[str, float]:
        """The probability of each role for each name; in level 3, of each thing to be true."""
        if self.belief is None:
            return {}
        readings = self.belief.readings
        table = readings.role_table()
        found = {
            f"{name} is the {role}": float(table[i, j])
            for i, name in enumerate(readings.names)
            for j, role in enumerate(ROLES)
        }
        twins = self.belief.twins()
        return found | {
            f"{name} at {x}, {y} is the true one": p for (name, (x, y)), p in twins.items()
        }

    def theory(self) -> list[str]:
        """What is believed now, in sentences."""
        if self.belief is None:
            return []
        return told(self.belief)


def told(belief: MessengerBelief) -> list[str]:
    """A belief in sentences."""
    readings = belief.readings
    roles = readings.role_weights()
    sentences = []
    for names, weight in [*roles.items()][:2]:
        if weight >= 0.0005:
            said = ", ".join(f"{n} is the {r}" for n, r in zip(names, ROLES, strict=True))
            sentences.append(f"{weight:6.1%}: {said}.")
    if belief.level > 1:
        table = readings.motion_table()
        labels = ("enemy", "message", "goal", "decoy of the message", "decoy of the goal")
        for label, row in zip(labels, table, strict=False):
            best = int(np.argmax(row))
            sentences.append(f"The {label} is {MOTIONS[best]} ({row[best]:.0%}).")
    for (name, (x, y)), weight in sorted(belief.twins().items()):
        bar = "█" * round(weight * 10)
        sentences.append(f"{name} at {x}, {y} is the true one: {weight:4.0%} {bar}".rstrip())
    return sentences


class ReaderPlayer(BelievingPlayer):
    """Reads the manual, watches, and plans.

    Args:
        theory: The rules.
        learn: Means nothing: each manual is about a new game.
        rollouts: Of each action in a step.
        lexicon: A file of terms that is added to the bundled ones.

    Raises:
        InputError: The lexicon is wrong, or an option is out of range.
    """

    def __init__(
        self,
        theory: Messenger,
        *,
        learn: bool = False,  # noqa: ARG002
        rollouts: int = ROLLOUTS,
        lexicon: str = "",
    ) -> None:
        super().__init__(theory, rollouts)
        terms = usual_lexicon() + load_lexicon(lexicon) if lexicon else usual_lexicon()
        self._reader = ManualReader(terms)

    def prior(self, episode: Episode, names: tuple[str, ...]) -> Readings:
        """What the manual says."""
        sentences = sentences_of(episode.manual or "")
        return self._reader.read(sentences, self._rules.level, names)


class NamesPlayer(BelievingPlayer):
    """Reads nothing: takes names for what they were in earlier episodes.

    Args:
        theory: The rules.
        learn: Whether to add, after each episode, what is then believed of its names.
        rollouts: Of each action in a step.
        lessons: The split whose games were earlier episodes; ``none`` if there were none.

    Raises:
        InputError: There is no such split, or an option is out of range.
    """

    has_theory: ClassVar[bool] = True

    def __init__(
        self,
        theory: Messenger,
        *,
        learn: bool = False,
        rollouts: int = ROLLOUTS,
        lessons: str = "val",
    ) -> None:
        super().__init__(theory, rollouts)
        self._learns = learn
        self.counts = np.full((len(NAMES), len(ROLES)), _SMOOTHING)
        if lessons not in _LESSONS:
            message, allowed = f"there is no split {lessons!r}", ", ".join(_LESSONS)
            raise InputError(f"lessons: {message}; allowed: {allowed}")
        if lessons != "none":
            for game in assignments(lessons):
                for role, name in enumerate(game):
                    self.counts[NAMES.index(name), role] += 1

    def prior(self, episode: Episode, names: tuple[str, ...]) -> Readings:  # noqa: ARG002
        """What the names were in earlier episodes."""
        readings = Readings.all(self._rules.level, names)
        shares = self.counts / self.counts.sum(1, keepdims=True)
        at = np.array([NAMES.index(name) for name in names])
        weights = np.ones(len(readings.roles))
        for role in range(len(ROLES)):
            weights *= shares[at[readings.roles[:, role]], role]
        return readings.weighted(weights)

    def end(self, episode: Episode) -> None:  # noqa: ARG002
        """Learn what the names were, by what is believed and how the episode ended."""
        if not self._learns or self.belief is None:
            return
        last = self.belief.readings
        if last.role_table().max() > 0:
            for place, name in enumerate(last.names):
                self.counts[NAMES.index(name)] += last.role_table()[place]
