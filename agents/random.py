"""The random agent: uniformly distributed actions. The lower end of comparisons."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from mars_logic.play.agent import Episode
from mars_logic.world.names import ACTIONS

if TYPE_CHECKING:
    from mars_logic.sim import Observation


class RandomAgent:
    """Plays any of the 17 actions with equal chance, whatever it sees."""

    def __init__(self) -> None:
        self._random = Random()

    def begin(self, episode: Episode) -> None:
        """Start over with the episode's seed."""
        self._random = Random(episode.seed)

    def act(self, observation: Observation) -> int:  # noqa: ARG002
        """Any action."""
        return self._random.randrange(len(ACTIONS))

    def end(self, episode: Episode) -> None:
        """Finish the episode; the agent keeps nothing."""
