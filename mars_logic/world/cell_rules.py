"""Rules about cells that are pushed, or that change by themselves: push, beside and timer.

A world states them for any materials, under the families' names; worlds that state none lack the
families. docs/semantics.md, "Pushing" and "Changes of cells", tells how they are carried out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import (
    PlainSerializer,
    field_validator,
    model_validator,
)

from mars_logic.world.fields import (
    BY_MATERIAL,
    Material,
    Materials,
    Probability,
    choice_of,
    invalid,
    mapping,
    number,
)
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.rules import Rule
from mars_logic.world.uncertain import is_uncertain

MOST_STEPS: Final = 250
"""The longest time after which a timer changes a cell, in steps."""
When = Literal["always", "day", "night"]
TIMES: Final = get_args(When)
DARK: Final = 0.5
"""Daylight below which it is night for rules."""


Turns = Annotated[
    Mapping[Material, Material],
    mapping("materials to materials", "{fire: ash}"),
    BY_MATERIAL,  # of which the first that applies counts
    PlainSerializer(dict),
]


class Push(Rule):
    """A move towards this material pushes it onto the next cell, if that is free."""

    family = "push"
    subjects = ()

    onto: Materials
    """Materials of the cell behind it onto which it can be pushed."""
    leaves: Material
    """The material of the cell from which it was pushed."""
    becomes: Turns = FrozenMap({})
    """What it becomes on some of the materials onto which it is pushed; on others it is kept."""

    @model_validator(mode="after")
    def _becomes_onto(self) -> Push:
        if not (is_uncertain(self.onto) or is_uncertain(self.becomes)):
            for name in self.becomes:
                if name not in self.onto:
                    message = f"'{name}' is no material onto which it is pushed"
                    raise invalid(message, ", ".join(self.onto))
        return self


class Beside(Rule):
    """Cells of this material change beside cells of others."""

    family = "beside"
    subjects = ()

    becomes: Turns
    """What it becomes beside each of some materials; the first that is there counts."""
    chance: Probability = 1.0
    """Of the change, in each step."""

    @field_validator("becomes")
    @classmethod
    def _not_empty(cls, value: Any) -> Any:
        if not is_uncertain(value) and not value:
            raise invalid("this is empty", "at least one material, such as {fire: ash}")
        return value


class Timer(Rule):
    """Cells of this material change by themselves."""

    family = "timer"
    subjects = ()

    becomes: Material
    after: Annotated[int, *number(1, MOST_STEPS, whole=True)] = 1
    """Steps for which the cell keeps the material at least."""
    chance: Probability = 1.0
    """Of the change, in each step from then on."""
    when: Annotated[str, *choice_of("time", TIMES)] = "always"
    """The time of day at which it changes."""
    near: Materials = ()
    """It changes only beside one of these materials; anywhere if there are none."""


CELL_RULES: Final[tuple[type[Rule], ...]] = (Push, Beside, Timer)
"""The families, in the order in which rules are listed."""
