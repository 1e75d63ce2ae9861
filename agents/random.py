"""The random agent: uniformly distributed actions. The lower end of comparisons."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, ClassVar

from mars_logic.play.agent import Episode
from mars_logic.world.names import ACTIONS

if TYPE_CHECKING:
    from mars_logic.sim import Observation


class RandomAgent:
    """Plays any of the actions with equal chance, whatever it sees."""

    plays_every_dialect: ClassVar[bool] = True

    def __init__(self) -> None:
        self._random = Random()
        self._actions = len(ACTIONS)

    def begin(self, episode: Episode) -> None:
        """Start over with the episode's seed."""
        self._random = Random(episode.seed)
        self._actions = len(episode.actions) or len(ACTIONS)

    def act(self, observation: Observation) -> int:  # noqa: ARG002
        """Any action."""
        return self._random.randrange(self._actions)

    def end(self, episode: Episode) -> None:
        """Finish the episode; the agent keeps nothing."""
