"""What the version spaces of puzzles share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, Final, Self

from mars_logic.domains.rulearn.episode import PuzzleAction, action_text
from mars_logic.errors import InputError
from mars_logic.induction.protocol import H, VersionSpace

_ERRORS: Final = {
    "invalid_input": "The input is not valid.",
    "division_by_zero": "It divides by zero.",
}


class PuzzleSpace(VersionSpace[PuzzleAction, H]):
    """All hypotheses about a puzzle that fit what was seen.

    Attributes:
        exact: Whether the count is exact.
        widened: Whether a larger language is in use.
    """

    exact: bool = True
    widened: bool = False

    @classmethod
    @abstractmethod
    def of(cls, theory: Any, start: Mapping[str, Any]) -> Self:
        """All hypotheses about a puzzle.

        Args:
            theory: What the manual tells; what is open in it is to be found out.
            start: What is visible before the first action.

        Raises:
            InputError: There are too many parameters or digits.
        """

    @staticmethod
    @abstractmethod
    def rule(theory: Any) -> Any:
        """The rule of a theory as a hypothesis, without values of parameters; None if open."""

    @abstractmethod
    def learned(self, theory: Any) -> Any:
        """A theory with what is known of the rule.

        Raises:
            InputError: No hypothesis is left.
        """

    def trust_hints(self) -> None:
        """Take for certain what the player is told; by default that is nothing."""

    def action_text(self, action: PuzzleAction) -> str:
        """An action in words."""
        return action_text(action)

    def outcome_text(self, action: PuzzleAction, outcome: Any) -> str:
        """A value or an error, a room, products, or what the door says."""
        if action.do == "evaluate":
            return _ERRORS.get(outcome) or f"The value is {outcome:.6g}."
        if action.do == "pass":
            return f"The {action.to} is seen."
        if action.do == "submit":
            return "The target is accepted."
        if action.do == "react":
            return f"{' + '.join(action.materials)} gives {' and '.join(outcome) or 'nothing'}."
        return _digits(outcome)

    def _require_any(self) -> None:
        if not self.count:
            raise InputError("version space: no hypothesis is left; allowed: a larger language")


def one_of(weights: Mapping[Any, float] | Iterable[tuple[Any, float]]) -> Any:
    """Values with their weights as a field in a file: alternatives, or the value if it is one."""
    pairs = weights.items() if isinstance(weights, Mapping) else weights
    options = [{"value": value, "weight": float(weight)} for value, weight in pairs if weight > 0]
    return options[0]["value"] if len(options) == 1 else {"one_of": options}


def _digits(outcome: Any) -> str:
    if outcome is None:
        return "The code has another number of digits."
    if all(outcome):
        return "The door opens."
    right = [str(place) for place, each in enumerate(outcome, 1) if each]
    if not right:
        return "All digits are wrong."
    many = len(right) > 1
    return f"Digit{'s' * many} {' and '.join(right)} {'are' if many else 'is'} right, no other."
