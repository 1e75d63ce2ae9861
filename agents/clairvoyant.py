"""The clairvoyant agent, which searches in copies of the simulator: it knows the future.

It knows what the oracle knows and gets copies of the simulator, random stream included; so it knows
the future. It plays the whole episode ahead at the beginning, and then carries out the best play
that it found. What it reaches says what could have been done, not what could have been known to
be right, and is never mixed with what the oracle reaches.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from mars_logic.plan.world_model import NOOP
from mars_logic.play.agent import Episode, Knows

from .foresight import SimulatorForesight

if TYPE_CHECKING:
    from mars_logic.sim import Observation

BUDGET = 5_000
"""Steps simulated at most, beside those of the oracle's own play."""


class ClairvoyantAgent:
    """Executes the best play found in copies of the simulator."""

    knows: ClassVar[Knows] = "simulator"
    plays_added_names: ClassVar[bool] = True

    def __init__(self, budget: int = BUDGET, *, shorten: bool = True) -> None:
        """Prepare.

        Args:
            budget: Steps to simulate at most, beside those of the oracle's own play.
            shorten: Whether to go on looking for shorter plays when one reaches everything.
        """
        self._budget = budget
        self._shorten = shorten
        self._rest: Iterator[int] = iter(())

    def begin(self, episode: Episode) -> None:
        """Look for the best play.

        Raises:
            ValueError: No world and simulator are told.
        """
        if episode.world is None or episode.simulator is None:
            raise ValueError("this agent needs an episode with a world and a simulator")
        best = SimulatorForesight(episode).search(self._budget, shorten=self._shorten)
        self._rest = iter(best.actions)

    def act(self, observation: Observation) -> int:  # noqa: ARG002 - it is known already
        """The next action of the best play."""
        return next(self._rest, NOOP)

    def end(self, episode: Episode) -> None:
        """Finish the episode; the agent keeps nothing."""
