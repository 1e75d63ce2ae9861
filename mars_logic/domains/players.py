"""What players have by default, and players of any game: at random, and told the best action."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from mars_logic.domains.chance import Seeded
from mars_logic.domains.game import Game
from mars_logic.domains.protocol import Observation
from mars_logic.domains.registry import domain_of
from mars_logic.play.agent import Episode


class BasePlayer:
    """A player that is not told the state, has no theory, and does nothing between episodes."""

    knows_state: ClassVar[bool] = False
    has_theory: ClassVar[bool] = False

    def begin(self, episode: Episode) -> None:
        """Start an episode."""

    def end(self, episode: Episode) -> None:
        """Finish the episode."""

    def theory(self) -> list[str]:
        """None."""
        return []


class RandomPlayer(BasePlayer):
    """Takes each action with the same probability.

    Args:
        theory: The game or a theory of it, of which it uses what the manual tells.
        learn: Means nothing: there is nothing to learn.
    """

    def __init__(self, theory: Game, *, learn: bool = False) -> None:  # noqa: ARG002
        self._game, self._domain = theory, domain_of(theory)

    def begin(self, episode: Episode) -> None:
        """Start an episode."""
        self._chance = Seeded(episode.seed, "random player")

    def act(self, observation: Observation) -> Any:
        """An action at random."""
        return self._domain.random_action(self._game, observation, self._chance)


class BestPlayer(BasePlayer):
    """Takes the action that is best in the long run, which the state of the game tells as ``best``.

    For games in which one action is the best in every step.
    """

    knows_state: ClassVar[bool] = True

    def __init__(self, theory: Game, *, learn: bool = False) -> None:
        """Neither a theory nor what is learned matters."""

    def begin(self, episode: Episode) -> None:
        """Start an episode.

        Raises:
            ValueError: The state is not told.
        """
        if episode.state is None:
            raise ValueError("this player has to be told the state")
        self._state: Callable[[], Any] = episode.state

    def act(self, observation: Observation) -> int:  # noqa: ARG002
        """The best action."""
        return int(self._state().best)


def one_of(choices: list[int], chance: Seeded) -> int:
    """One of these actions, each with the same probability."""
    return choices[0] if len(choices) == 1 else choices[int(chance.uniform("tie") * len(choices))]
