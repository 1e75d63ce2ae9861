"""The interface between a family of games and the loop that finds out its rules."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

A = TypeVar("A", bound=Hashable)
H = TypeVar("H")


@dataclass(frozen=True)
class Plan(Generic[A]):
    """How to go on.

    Attributes:
        actions: The actions that an optimal plan may take next; equally good ones included.
        steps: The expected number of steps that count until the game is solved.
        optimal: Whether ``steps`` is proved minimal under the present beliefs.
    """

    actions: tuple[A, ...]
    steps: float
    optimal: bool = False


class VersionSpace(Protocol[A, H]):
    """All hypotheses of a language that fit what was seen, with their probabilities.

    Actions are hashable. An implementation reads what a player is shown, and nothing else.
    """

    @property
    def exact(self) -> bool:
        """Whether ``count`` is exact rather than an upper bound."""
        ...

    @property
    def widened(self) -> bool:
        """Whether a larger language is in use, since nothing in the first one fits."""
        ...

    @property
    def count(self) -> int:
        """The number of hypotheses left."""
        ...

    def hypotheses(self, most: int) -> list[tuple[H, float]]:
        """Hypotheses with their probabilities, the likeliest first, at most so many."""
        ...

    def predict(self, action: A) -> Mapping[Any, float]:
        """The outcomes of an action and their probabilities."""
        ...

    def outcome(self, action: A, shown: Mapping[str, Any]) -> Any:
        """What was seen, as ``predict`` names outcomes."""
        ...

    def expected(self, hypothesis: H, action: A) -> Any:
        """The outcome of an action by a hypothesis."""
        ...

    def information(self, action: A) -> float:
        """The expected information of an action's outcome, in bits."""
        return entropy(self.predict(action).values())

    def observe(self, action: A, shown: Mapping[str, Any]) -> None:
        """Take in an outcome: the situation, and the hypotheses that it excludes."""

    def settle(self, rule: H) -> None:
        """Believe one rule from now on, whatever is seen."""

    def consequences(self, actions: Iterable[A]) -> tuple[dict[A, Any], list[A]]:
        """The actions whose outcome is certain, with it, and those whose outcome is open."""
        predicted = {action: self.predict(action) for action in actions}
        certain = {each: next(iter(told)) for each, told in predicted.items() if len(told) == 1}
        return certain, [action for action in predicted if action not in certain]

    def experiments(self) -> Sequence[A]:
        """Actions that are possible now and may tell something."""
        ...

    def attempt(self) -> A:
        """The action by which the likeliest hypothesis would solve the game, or come closer."""
        ...

    def plan(self, steps_left: int) -> Plan[A]:
        """The best way to go on: experiments are weighed against going ahead by expected steps.

        Args:
            steps_left: Steps after which the game is lost.

        Raises:
            InputError: No hypothesis is left.
        """
        ...

    def action_text(self, action: A) -> str:
        """An action in words."""
        ...

    def outcome_text(self, action: A, outcome: Any) -> str:
        """A predicted outcome in words."""
        ...

    def sentences(self, hypothesis: H) -> list[str]:
        """A hypothesis in words."""
        ...

    def certain(self) -> list[str]:
        """What all hypotheses that are left agree on, in sentences."""
        ...


def entropy(probabilities: Iterable[float]) -> float:
    """The entropy of a distribution, in bits."""
    found = math.fsum(each * math.log2(each) for each in probabilities if each > 0)
    return max(0.0, -found)
