"""Passwords decided by clingo: terms that agree with what a door said, and the digits they make.

The values of terms are evaluated here; ``encodings/rulearn/digits.lp`` says which of them fit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mars_logic.domains.rulearn.clingo_models import Facts, certain_and_possible, projections
from mars_logic.domains.rulearn.escape_room.digits import DigitTerm
from mars_logic.domains.rulearn.escape_room.paintings import paintings

_ENCODING: Final = "rulearn/digits.lp"


@dataclass(frozen=True)
class DoorEvidence:
    """What the door said about a code.

    Attributes:
        focus: What the hint named then.
        entered: The digits that were entered.
        right: For each, whether it is right.
    """

    focus: str
    entered: str
    right: tuple[bool, ...]


@dataclass(frozen=True)
class DigitProblem:
    """What the digits of a password may be.

    Attributes:
        terms: The terms that may make a digit.
        digits: The number of digits.
        shown: The numbers of the paintings.
        focus: What the hint names now.
        evidence: What the door said.
    """

    terms: Sequence[DigitTerm]
    digits: int
    shown: Sequence[int]
    focus: str
    evidence: Sequence[DoorEvidence] = ()

    def facts(self) -> str:
        """As facts."""
        found = Facts()
        seen = [paintings()[each] for each in self.shown]
        found.add("now", self.focus)
        for position in range(self.digits):
            found.add("position", position)
        for number, term in enumerate(self.terms):
            found.add("term", number)
            for focus in dict.fromkeys([self.focus, *(each.focus for each in self.evidence)]):
                found.add("value", number, focus, term.value(seen, focus) % 10)
        for each in self.evidence:
            for position, (digit, right) in enumerate(zip(each.entered, each.right, strict=True)):
                found.add("right" if right else "wrong", position, each.focus, int(digit))
        return str(found)


def possible_codes(problem: DigitProblem) -> list[str]:
    """The passwords that some terms make, in order."""
    found = projections(_ENCODING, problem.facts(), "digit", 2)
    return sorted("".join(str(digit) for _, digit in sorted(each)) for each in found)


def known_digits(
    problem: DigitProblem,
) -> tuple[Mapping[int, int], Mapping[int, tuple[int, ...]]]:
    """The consequences: the digits that are certain, and those that are still open.

    Returns:
        By position, from 0: the digit, or the possible digits. Both are empty if no terms fit.
    """
    certain, possible = certain_and_possible(_ENCODING, problem.facts(), "digit", 2)
    still: dict[int, list[int]] = {}
    for position, digit in sorted(possible - certain):
        still.setdefault(position, []).append(digit)
    return dict(sorted(certain)), {key: tuple(each) for key, each in still.items()}
