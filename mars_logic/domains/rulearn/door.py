"""The door of a puzzle: what was typed, and which of its digits are right."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mars_logic.domains.rulearn.episode import PuzzleAction


@dataclass(frozen=True)
class DoorAnswer:
    """What a door says about a code.

    Attributes:
        entered: The digits of what was typed; everything else does not count.
        digits: For each digit, whether it is right; None if there are too few or too many.
        correct: Whether the door opens.
    """

    entered: str
    digits: tuple[bool, ...] | None
    correct: bool

    @property
    def shown(self) -> dict[str, object]:
        """The answer as recordings have it."""
        digits = None if self.digits is None else list(self.digits)
        return {"correct": self.correct, "entered": self.entered, "digits": digits}


def judged(typed: str, code: str) -> DoorAnswer:
    """A typed text against the code of a door."""
    entered = "".join(each for each in typed if each in "0123456789")
    if len(entered) != len(code):
        return DoorAnswer(entered, None, False)
    digits = tuple(a == b for a, b in zip(entered, code, strict=True))
    return DoorAnswer(entered, digits, all(digits))


def right_digits(tried: PuzzleAction, truth: PuzzleAction) -> tuple[bool, ...]:
    """What a door says of each digit of a code that is as long as the right one."""
    return tuple(map(operator.eq, tried.code, truth.code))


def digits_seen(shown: Mapping[str, Any]) -> tuple[bool, ...] | None:
    """For each digit of a code whether it was right; None if it had another number of digits."""
    return None if shown["digits"] is None else tuple(shown["digits"])
