"""The informed agent: it knows the rules, but only observes (between oracle and learner).

It is the planner with a belief that is given, and with the part of the map that was in view. What
it lacks of the oracle's reward is the price of limited sight; what a learner lacks of its reward is
the price of not knowing the rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from mars_logic.plan.observed_map import START, MapTracker
from mars_logic.plan.planner import Decision, Planner
from mars_logic.play.agent import require_dialect

if TYPE_CHECKING:
    from mars_logic.play.agent import Episode, Knows
    from mars_logic.sim import Observation
    from mars_logic.world.theory import Theory


class InformedAgent:
    """Plans with given rules on its seen map of the episode.

    Attributes:
        knows: ``rules``; ``nothing`` of the true ones if it is given a belief.
        decision: What it decided last.
        planner: The planner; made when an episode begins.
    """

    knows: Knows = "rules"
    plays_added_names: ClassVar[bool] = True

    def __init__(self, belief: Theory | None = None) -> None:
        """Prepare.

        Args:
            belief: The rules to play by, instead of the true ones. Where it leaves a field open,
                the likeliest value is taken, of a field that is unknown Crafter's.
        """
        if belief is not None:
            self.knows = "nothing"
        self.decision: Decision | None = None
        self._belief = belief
        self.planner: Planner | None = None
        self._observed: MapTracker | None = None
        self._start = START

    def begin(self, episode: Episode) -> None:
        """Start an episode with an empty map.

        Raises:
            InputError: The belief is of another dialect.
            ValueError: There is no belief, and no world is told.
        """
        rules = self._belief or episode.world
        if rules is None:
            raise ValueError("this agent needs an episode with a world")
        require_dialect(rules, episode.dialect)
        self.planner = Planner(rules, length=episode.length)
        self._observed, self._start = None, episode.start

    def act(self, observation: Observation) -> int:
        """The planner's next action."""
        if self.planner is None:
            raise ValueError("begin an episode first")
        if self._observed is None:
            items = self.planner.model.words.items
            self._observed = MapTracker(observation, self._start, items)
        self.decision = self.planner.decide(self._observed.seen, self._observed.status)
        return self.decision.action

    def note(
        self,
        action: int,
        reward: float,  # noqa: ARG002
        unlocked: Iterable[str],
        done: bool,  # noqa: ARG002
        after: Observation,
    ) -> None:
        """See what came of an action."""
        assert self._observed is not None
        self._observed.note(action, unlocked, after)

    def end(self, episode: Episode) -> None:
        """Finish the episode; the agent keeps nothing."""
