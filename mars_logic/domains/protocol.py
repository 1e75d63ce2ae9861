"""What the domains of games share: simulators with explicit chance, and players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from mars_logic.domains.chance import Chance
from mars_logic.domains.game import Game
from mars_logic.errors import InputError
from mars_logic.play.agent import Agent, Episode

Observation = Mapping[str, Any]
"""What a player sees, by name; in games of numbers, these are bounded by a domain's ``space``."""


class ActionError(InputError):
    """An action that cannot be taken; nothing has changed."""


@dataclass(frozen=True)
class Range:
    """The whole numbers that a part of an observation may hold.

    Attributes:
        low: The smallest.
        high: The largest.
        size: How many there are; None for a bare number.
    """

    low: int
    high: int
    size: int | None = None


@dataclass(frozen=True)
class GameOutcome:
    """What a step brought.

    Attributes:
        reward: The step's reward.
        done: Whether the game is over. (Games that never end are broken off at their length.)
        score: SmartPlay's score after the step.
        completed: Whether the goal is reached; None in a game that has none.
        steps: Steps that count so far, in a game in which not every action is one; else None.
    """

    reward: float
    done: bool
    score: float
    completed: bool | None = None
    steps: int | None = None

    def counted(self, actions: int) -> int:
        """How many of so many actions count as steps."""
        return actions if self.steps is None else self.steps


class GameSimulator(Protocol):
    """A game that is played. It holds the state, and no random stream."""

    @property
    def game(self) -> Game:
        """The rules."""
        ...

    @property
    def actions(self) -> tuple[str, ...]:
        """The names of the actions; of actions that are numbers, in the order of these."""
        ...

    @property
    def manual(self) -> str:
        """What a player is told about the game before an episode; of the state, what is open."""
        ...

    @property
    def score(self) -> float:
        """SmartPlay's score so far."""
        ...

    def reset(self, chance: Chance) -> None:
        """Begin an episode."""

    def step(self, action: Any, chance: Chance) -> GameOutcome:
        """Take an action.

        Raises:
            ActionError: There is no such action, or the game is over. The state is as before.
        """
        ...

    def observe(self) -> Observation:
        """What the player sees."""
        ...

    def text(self) -> str:
        """What the player sees, in words."""
        ...

    def snapshot(self) -> Any:
        """The whole state: an immutable value that can be compared."""
        ...

    def restore(self, snapshot: Any) -> None:
        """Go back to a state."""


class GamePlayer(Agent, Protocol):
    """An agent that plays games of a domain; may keep what it learned between episodes.

    The class of a player is called with what it believes of the game before its first episode, a
    theory; with ``learn``: whether the theory outlives an episode; and with its own options.
    """

    @property
    def knows_state(self) -> bool:
        """Whether it has to be told the state."""
        ...

    @property
    def has_theory(self) -> bool:
        """Whether what it believes of the game decides how it plays."""
        ...

    def theory(self) -> list[str]:
        """What the player takes the game to be now, in sentences; none if it has no theory."""
        ...


def seen_now(episode: Episode) -> Observation:
    """What is seen now in an episode.

    Raises:
        ValueError: The episode does not tell.
    """
    if episode.observation is None:
        raise ValueError("this player has to be told what is seen when an episode begins or ends")
    seen: Observation = episode.observation()
    return seen


def require_certain(game: Game) -> None:
    """Refuse a theory where a game is needed.

    Raises:
        InputError: A field is open.
    """
    if game.uncertain:
        place = f"{game.name}: {game.uncertain[0]}"
        raise InputError(f"{place}: a game that is played must be fully known; allowed: a value")


def require_theory_of(theory: Game, episode: Episode, *, fits: bool) -> None:
    """Refuse to play a game that a theory is not about.

    Args:
        theory: What is believed.
        episode: The episode that is to be played.
        fits: Whether the theory agrees with what is shown.

    Raises:
        InputError: It does not, or its episodes have another length.
    """
    if theory.length != episode.length:
        message = f"this theory is about episodes of {theory.length} steps"
        raise InputError(f"{theory.name}: length: {message}; allowed: {episode.length}")
    if not fits:
        message = "this theory is about another game than the one that is played"
        raise InputError(f"{theory.name}: {message}; allowed: a theory of that game")


def require_action(action: Any, actions: tuple[str, ...]) -> None:
    """Refuse a code that no action has.

    Raises:
        ActionError: It is none.
    """
    if type(action) is not int or not 0 <= action < len(actions):
        allowed = f"0 to {len(actions) - 1}"
        raise ActionError(f"action: {action!r} is not an action; allowed: {allowed}")
