"""The base class of agents that know the rules and the state and follow the planner."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from mars_logic.plan.observed_map import ObservedMap, Status
from mars_logic.plan.planner import Decision, Planner
from mars_logic.play.agent import Episode, Knows
from mars_logic.world.theory import World

if TYPE_CHECKING:
    from mars_logic.sim import Observation


class OracleBase(ABC):
    """An agent whose belief is the truth and whose seen map is complete.

    Attributes:
        planner: The planner; made when an episode begins.
        decision: What it decided last.
    """

    knows: ClassVar[Knows] = "rules and state"
    plays_added_names: ClassVar[bool] = True

    def __init__(self) -> None:
        self.planner: Planner | None = None
        self.decision: Decision | None = None
        self._episode: Episode | None = None

    @abstractmethod
    def make_planner(self, world: World, length: int) -> Planner:
        """The planner for an episode of so many steps in this world."""

    def begin(self, episode: Episode) -> None:
        """Take the given world as the belief.

        Raises:
            ValueError: No world and state are told.
        """
        if episode.world is None or episode.state is None:
            raise ValueError("this agent needs an episode with a world and a state")
        self._episode = episode
        self.planner = self.make_planner(episode.world, episode.length)

    def act(self, observation: Observation) -> int:  # noqa: ARG002 - the state tells more
        """The planner's next action."""
        episode, planner = self._episode, self.planner
        if episode is None or planner is None or episode.state is None:
            raise ValueError("begin an episode first")
        state = episode.state()
        seen = ObservedMap.from_state(state, episode.dialect)
        words = planner.belief.vocabulary
        status = Status.from_state(state, words.achievements, words.items)
        self.decision = planner.decide(seen, status)
        return self.decision.action

    def end(self, episode: Episode) -> None:  # noqa: B027 - others may keep something
        """Finish the episode; the agent keeps nothing."""
