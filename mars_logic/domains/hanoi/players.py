"""A player of the tower of Hanoi that follows proved shortest plans."""

from __future__ import annotations

from typing import ClassVar

from mars_logic.domains.hanoi.planner import HanoiPlanner
from mars_logic.domains.hanoi.rules import Hanoi, moved
from mars_logic.domains.protocol import Observation
from mars_logic.play.agent import Episode


class PlanningPlayer:
    """Follows a plan, and makes a new one where the disks are not as planned.

    Args:
        theory: The rules.
        learn: Means nothing: there is nothing to learn.

    Raises:
        InputError: The goal is open.
    """

    knows_state: ClassVar[bool] = False
    has_theory: ClassVar[bool] = False

    def __init__(self, theory: Hanoi, *, learn: bool = False) -> None:  # noqa: ARG002
        self._planner = HanoiPlanner(theory)
        self._plan: list[int] = []
        self._expected: tuple[int, ...] | None = None

    def begin(self, episode: Episode) -> None:  # noqa: ARG002
        """Start an episode."""
        self._expected = None

    def act(self, observation: Observation) -> int:
        """The next move of the plan."""
        shown = observation["pegs"]
        assert isinstance(shown, tuple)
        pegs = tuple(place - 1 for place in shown)
        if pegs != self._expected:
            self._plan = list(self._planner.plan(pegs))
        action = self._plan.pop(0)
        self._expected = moved(pegs, action)
        return action

    def end(self, episode: Episode) -> None:
        """Finish the episode."""

    def theory(self) -> list[str]:
        """None: the manual tells all rules."""
        return []
