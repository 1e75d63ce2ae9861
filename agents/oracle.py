"""The agent that is told the rules and sees the whole map: the upper end of comparisons.

It is the planner with a belief that is the truth and a seen map that is complete; the planner does
not know that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from mars_logic.agent import Episode, Knows
from mars_logic.plan.planner import Decision, Planner
from mars_logic.plan.seen import SeenMap, Status

if TYPE_CHECKING:
    from mars_logic.sim import Observation


class OracleAgent:
    """Plans with the true rules on the true map."""

    knows: ClassVar[Knows] = "rules and state"

    def __init__(self) -> None:
        self.planner: Planner | None = None
        self.decision: Decision | None = None
        self._episode: Episode | None = None

    def begin(self, episode: Episode) -> None:
        """Take the world that is told as the belief.

        Raises:
            ValueError: No world and state are told.
        """
        if episode.world is None or episode.state is None:
            raise ValueError("an oracle has to be told the world and the state")
        self._episode = episode
        self.planner = Planner(episode.world)

    def act(self, observation: Observation) -> int:  # noqa: ARG002 - the state tells more
        """The planner's next action."""
        episode, planner = self._episode, self.planner
        if episode is None or planner is None or episode.state is None:
            raise ValueError("begin an episode first")
        state = episode.state()
        seen = SeenMap.from_state(state, episode.dynamics)
        status = Status.from_state(state, planner.belief.achievements)
        self.decision = planner.decide(seen, status)
        return self.decision.action

    def end(self, episode: Episode) -> None:
        """Nothing is kept."""
