"""Rules about needs that a world adds: what takes and gives their points, and what comes at 0.

docs/creatures_and_needs.md, "Added needs, exactly", tells how they are carried out. The four needs
of Crafter are no rows of this table: their counters depend on sleep and on each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, PlainSerializer, ValidationInfo

from mars_logic.world import names
from mars_logic.world.cell_rules import TIMES
from mars_logic.world.fields import (
    BY_MATERIAL,
    Amount,
    Amounts,
    Holdable,
    Material,
    Points,
    choice_of,
    invalid,
    known_names,
    mapping,
    number,
    shown,
)
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.rules import Rule

LONGEST_INTERVAL: Final = 999
"""The longest time from one loss to the next, in steps."""
Rising = Literal["never", "day", "night"]


def _items(value: object) -> object:
    if not isinstance(value, list | tuple):
        raise invalid(f"{shown(value)} is not a list of items", "for example [coat]")
    return value


def _sorted_items(values: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
    repeated = sorted({value for value in values if values.count(value) > 1})
    if repeated:
        raise invalid(f"'{repeated[0]}' is listed twice", "each item at most once")
    return tuple(sorted(values, key=known_names(info, "items", names.ITEMS).index))


Gains = Annotated[
    Mapping[Material, Amount],
    mapping("materials to points", "{campfire: 1}"),
    BY_MATERIAL,
    PlainSerializer(dict),
]
Items = Annotated[
    tuple[Holdable, ...],
    BeforeValidator(_items),
    AfterValidator(_sorted_items),
    PlainSerializer(list),
]


class AddedNeed(Rule):
    """How a need falls and rises; it is full at first, with 9 points."""

    family = "need"
    subjects = ()

    every: Annotated[int, *number(1, LONGEST_INTERVAL, whole=True)]
    """Steps from one loss to the next."""
    loss: Annotated[int, *number(0, 9, whole=True)] = 1
    """Points lost then."""
    when: Annotated[str, *choice_of("time", TIMES)] = "always"
    """The time of day at which points are lost."""
    kept_by: Items = ()
    """Items of which one in hand is enough that nothing is lost."""
    rises: Annotated[str, *choice_of("time", get_args(Rising))] = "never"
    """The time of day at which a point comes back instead, as often as one may be lost."""
    gains_near: Gains = FrozenMap({})
    """Points gained in each step near some materials; the greatest number counts."""
    gains_on: Gains = FrozenMap({})
    """Points gained in each step on some ground."""
    gains_eating: Amounts = FrozenMap({})
    """Points gained by eating or drinking an item."""
    empty: Points = -1
    """The change of health whenever points would be lost and none is left."""
