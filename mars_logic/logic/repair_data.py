"""A repair: changes of rules that make an achievement possible, as data and in words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from mars_logic.logic.certainty import Certainty
from mars_logic.world.rules import Rule


@dataclass(frozen=True)
class Repair:
    """An irredundant set of rule changes that makes an achievement possible.

    Attributes:
        changes: The changes, in words.
        words: All changes in one sentence.
        certainty: Certainty of the achievement after it; None if the verdict is then ``unknown``.
        rules: The changed rules, as they are then.
    """

    changes: tuple[str, ...]
    words: str
    certainty: Certainty | None
    rules: tuple[Rule, ...] = field(default=(), repr=False)

    def to_json(self) -> dict[str, Any]:
        """Plain data, ready for JSON: the changes in words."""
        return {"changes": self.changes, "words": self.words, "certainty": self.certainty}
