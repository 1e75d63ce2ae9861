"""The rules in which two worlds differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mars_logic.world.rules import Rule
from mars_logic.world.theory import Theory


@dataclass(frozen=True)
class Difference:
    """A rule that two worlds state differently."""

    before: Rule
    after: Rule

    @property
    def id(self) -> str:
        """The id that both rules share."""
        return self.before.id

    @property
    def fields(self) -> dict[str, tuple[Any, Any]]:
        """The differing fields, each with its value before and after, as plain data."""
        before, after = (rule.model_dump(mode="json") for rule in (self.before, self.after))
        return {
            name: (before[name], after[name])
            for name in before
            if getattr(self.before, name) != getattr(self.after, name)
        }


def diff(before: Theory, after: Theory) -> tuple[Difference, ...]:
    """Every rule in which two theories differ, in the order of rules; dynamics are not compared."""
    return tuple(
        Difference(old, new)
        for old, new in zip(before.rules(), after.rules(), strict=True)
        if old != new
    )
