"""The decisions of an episode that rollouts changed, with what they found of each option."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mars_logic.world.names import ACTIONS

if TYPE_CHECKING:
    from mars_logic.plan.foresight import Comparison
    from mars_logic.plan.planner import Decision
    from mars_logic.play.agent import Agent
    from mars_logic.sim import Observation

_MOST = 8
"""Decisions that are told."""


@dataclass(frozen=True, slots=True)
class ComparedDecision:
    """A decision that rollouts changed.

    Attributes:
        step: The step of the episode, from 1.
        about: What was meant.
        taken: The code of the action that was taken instead of the intended one.
        compared: All options.
    """

    step: int
    about: str
    taken: int
    compared: Comparison

    @property
    def gain(self) -> tuple[float, float]:
        """The increase of the share of futures survived, and of the mean health."""
        meant = self.compared.options[0]
        taken = next(one for one in self.compared.options if one.action == self.taken)
        return taken.alive - meant.alive, taken.health - meant.health

    @property
    def words(self) -> str:
        """The decision as a sentence."""
        meant, *others = self.compared.options
        taken = next(one for one in others if one.action == self.taken)
        options = (
            f"{ACTIONS[one.action].replace('_', ' ')}: {one.alive:.1%} alive and health "
            f"{one.health:.1f} after {self.compared.horizon} steps, "
            f"{self.compared.ahead + one.delay} steps to go"
            for one in (taken, meant)
        )
        return f"Step {self.step}, {self.about}: {'; intended, '.join(options)}."


class ComparisonLog:
    """An observer that takes down the decisions that rollouts compared.

    Attributes:
        compared: How many decisions had rollouts.
        changed: Those of which another action than the intended one was taken.
    """

    def __init__(self, agent: Agent) -> None:
        """Prepare.

        Args:
            agent: Who decides.
        """
        self._agent = agent
        self._step = self.compared = 0
        self.changed: list[ComparedDecision] = []

    def begin(self, observation: Observation) -> None:  # noqa: ARG002
        """Forget the episode before."""
        self._step = self.compared = 0
        self.changed = []

    def note(
        self,
        action: int,
        reward: float,  # noqa: ARG002
        unlocked: Iterable[str],  # noqa: ARG002
        done: bool,  # noqa: ARG002
        after: Observation,  # noqa: ARG002
    ) -> None:
        """Ask for the decision behind the step that was taken."""
        self._step += 1
        decision: Decision | None = getattr(self._agent, "decision", None)
        if decision is None or decision.compared is None:
            return
        self.compared += 1
        if decision.layer == "foresight":
            self.changed.append(
                ComparedDecision(self._step, decision.about, action, decision.compared)
            )

    def told(self) -> Iterator[str]:
        """A summary, then a sentence for each of the decisions that gained most, in order."""
        if not self.compared:
            return
        changed = len(self.changed)
        yield f"Rollouts compared the options of {self.compared} decisions and changed {changed}."
        most = sorted(self.changed, key=lambda one: one.gain, reverse=True)[:_MOST]
        yield from (one.words for one in sorted(most, key=lambda one: one.step))
