"""Requests for sampled worlds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from mars_logic.logic.certainty import Certainty
from mars_logic.logic.sampling.modifications import CHANGES, combinations
from mars_logic.world.rules import Rule
from mars_logic.world.words import parse, tell


@dataclass(frozen=True)
class Request:
    """The requirements on sampled worlds.

    Attributes:
        changes: The allowed modifications: their names, or names of groups.
        difficulty: The least and the greatest number of rules changed; None for any number.
        certainty: The required certainty of every achievement.
        must: Rules that hold in every world.
        forbid: Rules that hold, as a whole, in none.
        livable: Whether every world has to be proved sustainable.
    """

    changes: tuple[str, ...] = CHANGES
    difficulty: tuple[int, int] | None = None
    certainty: Certainty = "finite_chance"
    must: tuple[Rule, ...] = ()
    forbid: tuple[Rule, ...] = ()
    livable: bool = True

    @classmethod
    def of(
        cls,
        changes: Iterable[str] = CHANGES,
        difficulty: int | tuple[int, int] | None = None,
        certainty: Certainty = "finite_chance",
        must: Iterable[str | Rule] = (),
        forbid: Iterable[str | Rule] = (),
        *,
        livable: bool = True,
    ) -> Request:
        """The request, with rules as sentences or as objects.

        Raises:
            KeyError: There is no such modification.
            ParseError: A sentence tells no rule.
            ValueError: The least difficulty is above the greatest, or below 0.
        """
        if isinstance(difficulty, int):
            difficulty = (difficulty, difficulty)
        if difficulty and not 0 <= difficulty[0] <= difficulty[1]:
            raise ValueError(f"no number of rules lies from {difficulty[0]} to {difficulty[1]}")
        changes = tuple(dict.fromkeys(changes))
        combinations(changes)
        return cls(changes, difficulty, certainty, _rules(must), _rules(forbid), livable)

    @property
    def combinations(self) -> list[tuple[str, ...]]:
        """The sets of modifications that a world may have."""
        return combinations(self.changes)

    def to_json(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "changes": list(self.changes),
            "difficulty": list(self.difficulty) if self.difficulty else None,
            "certainty": self.certainty,
            "must": [tell(rule) for rule in self.must],
            "forbid": [tell(rule) for rule in self.forbid],
            "livable": self.livable,
        }


def _rules(told: Iterable[str | Rule]) -> tuple[Rule, ...]:
    return tuple(parse(rule) if isinstance(rule, str) else rule for rule in told)
