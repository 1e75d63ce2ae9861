"""Rules of dialects in which deeds leave traces: more fields of some families, and more families.

Worlds of dialects that lack these fields and families mean their absence: collecting uses up
nothing, creatures leave and yield nothing, needs are the dialect's, and nothing is marked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, PlainSerializer, ValidationInfo

from mars_logic.world.fields import (
    Amounts,
    Flag,
    Holdable,
    Materials,
    Points,
    known_names,
    mapping,
    name_of,
    number,
    shown,
    unknown,
)
from mars_logic.world.fields import invalid as _invalid
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.rules import Collect, Creature, Rename, Rule

_MOST_STEPS = 10_000
Remains = Annotated[str, *name_of("kind of remains", "remains", ())]
Steps = Annotated[int, *number(1, _MOST_STEPS, whole=True)]
Rate = Annotated[float, *number(-9, 9, whole=False)]


def _share(value: Any, info: ValidationInfo) -> Any:
    """A material, or a mapping from one material to its share of the subject's cells."""
    if not isinstance(value, Mapping):
        choices = known_names(info, "natural", ())
        if value not in choices:
            raise unknown("material", value, choices)
        return value
    choices = known_names(info, "placed_on", ())
    for material, share in value.items():
        if material not in choices:
            raise unknown("material", material, choices)
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share < 1:
            raise _invalid(f"{shown(share)} is no share", "a number from 0, below 1")
    if len(value) != 1:
        raise _invalid(f"{len(value)} materials are listed", "one material with its share")
    return FrozenMap(value)


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else value


class SharedRename(Rename):
    """The material that replaces the subject in map generation, in all cells or in a share."""

    material: Annotated[Any, BeforeValidator(_share), PlainSerializer(_plain)]

    @property
    def whole(self) -> str:
        """The material of the cells outside the share."""
        return self.subject if isinstance(self.material, Mapping) else self.material

    @property
    def share(self) -> tuple[str, float] | None:
        """The other material and its share of the cells; None without one."""
        return next(iter(self.material.items())) if isinstance(self.material, Mapping) else None


class UsingCollect(Collect):
    """``do`` on a material, which may use items up."""

    uses: Amounts = FrozenMap({})


class LeavingCreature(Creature):
    """Uses and behaviour of a creature, and what remains of it."""

    leaves: Remains | None = None
    """What the cell becomes where the player kills it."""
    yields: Annotated[
        Mapping[Holdable, Annotated[int, *number(1, 9, whole=True)]],
        mapping("items to amounts", "{beef: 2}"),
        AfterValidator(FrozenMap),
        PlainSerializer(dict),
    ] = FrozenMap({})
    """Items that killing it gives."""


class Eat(Rule):
    """Eating or drinking an item of the inventory."""

    family = "eat"
    subjects = ()

    food: Points = 0
    health: Points = 0
    drink: Points = 0
    leaves: Holdable | None = None
    """The item that is left, as an empty bucket."""


class NeedRule(Rule):
    """The growth of a need; of health, its recovery.

    ``every`` is the number of steps awake from one change to the next, ``asleep`` and ``in_bed``
    the growth of the counter in a step (awake it is 1), ``loss`` the points lost at once.
    """

    family = "need"
    subjects = ()

    every: Steps
    asleep: Rate
    in_bed: Rate
    loss: Annotated[int, *number(0, 99, whole=True)]


class Marking(Rule):
    """Materials that take a kind of mark."""

    family = "trace"
    subjects = ()
    shorthand = "materials"

    materials: Materials = ()


class Option(Rule):
    """A variant of the game that is on or off.

    ``boss``: at the end of each step, the player's health and needs are full, and it does not
    bleed. ``other_agents``: zombies and skeletons live on the map.
    """

    family = "option"
    subjects = ()
    shorthand = "on"

    on: Flag = False


OPTIONAL_FAMILIES: tuple[type[Rule], ...] = (SharedRename, Marking, Option)
"""Families whose rules are optional: nothing is marked, and no variant is on."""

__all__ = [
    "OPTIONAL_FAMILIES",
    "Eat",
    "LeavingCreature",
    "Marking",
    "NeedRule",
    "Option",
    "SharedRename",
    "UsingCollect",
]
