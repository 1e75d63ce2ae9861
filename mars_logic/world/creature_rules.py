"""Rules about creatures as tables: what they do, case by case, and what hunting them brings.

A world states them, under ``behaviour`` and ``hunt``, for creatures that it adds and for Crafter's.
A creature without a behaviour acts by the flags of its ``creature`` rule. docs/semantics.md,
"Creatures by cases", tells how they are carried out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    PlainSerializer,
    model_validator,
)

from mars_logic.world.cell_rules import TIMES, Turns
from mars_logic.world.fields import (
    BY_ITEM,
    Amounts,
    Holdable,
    Points,
    Probability,
    choice_of,
    invalid,
    mapping,
    name_of,
    number,
    shown,
)
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.rules import Rule
from mars_logic.world.uncertain import is_uncertain
from mars_logic.world.vocabulary import ARROW

Deed = Literal["approach", "flee", "wander", "stay", "shoot", "graze"]
DEEDS: Final = get_args(Deed)
"""What a creature may do in a step."""
MOST_CASES: Final = 8
"""Most cases of a behaviour."""
FARTHEST: Final = 17
"""The greatest distance that a case may state: at greater ones, creatures do nothing."""
MOST_HEALTH: Final = 30
"""The most health of a creature that a case may ask for, as creatures have at first."""
MOST_DAMAGE: Final = 100


class BehaviourCase(BaseModel):
    """A deed, and the conditions under which the creature does it."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    act: Annotated[str, *choice_of("deed", DEEDS)]
    when: Annotated[str, *choice_of("time", TIMES)] = "always"
    """The time of day."""
    within: Annotated[int, *number(1, FARTHEST, whole=True)] | None = None
    """The player is at most so many steps away."""
    beyond: Annotated[int, *number(1, FARTHEST, whole=True)] | None = None
    """It is more steps away than this."""
    health: Annotated[int, *number(1, MOST_HEALTH, whole=True)] | None = None
    """The creature has at most so much health."""
    held: Holdable | None = None
    """The player holds this item."""
    projectile: Annotated[str, *name_of("projectile", "projectiles", (ARROW,))] = ARROW
    """What it shoots."""
    chance: Probability = 1.0
    """Of the deed, where the conditions hold."""
    straight: Probability = 0.8
    """That a creature which approaches or flees moves along the axis of the larger difference."""

    @model_validator(mode="after")
    def _shoots_it(self) -> BehaviourCase:
        if self.act != "shoot" and self.projectile != ARROW:
            raise invalid(f"'{self.projectile}' is shot by a case to shoot only", "act: shoot")
        return self


def _listed(value: Any) -> Any:
    if not isinstance(value, list | tuple):
        raise invalid(f"{shown(value)} is not a list of cases", "for example [{act: wander}]")
    if not 1 <= len(value) <= MOST_CASES:
        raise invalid(f"{len(value)} cases are not possible", f"1 to {MOST_CASES} cases")
    return value


Cases = Annotated[
    tuple[BehaviourCase, ...],
    BeforeValidator(_listed),
    PlainSerializer(lambda cases: [case.model_dump(exclude_defaults=True) for case in cases]),
]


class Behaviour(Rule):
    """What a creature does in a step: the deed of the first case that applies."""

    family = "behaviour"
    subjects = ()

    cases: Cases
    grazes: Turns = FrozenMap({})
    """What it turns a cell beside it into when it grazes; the first material there counts."""

    @model_validator(mode="after")
    def _grazes_something(self) -> Behaviour:
        if not (is_uncertain(self.cases) or is_uncertain(self.grazes)):
            acts = {case.act for case in self.cases}
            if "graze" in acts and not self.grazes:
                raise invalid("nothing is said of what it grazes", "such as grazes: {tree: grass}")
            if self.grazes and "graze" not in acts:
                raise invalid("no case is to graze", "a case {act: graze}, or no grazes")
        return self

    @property
    def shots(self) -> tuple[BehaviourCase, ...]:
        """The cases in which it may shoot."""
        return tuple(case for case in self.cases if case.act == "shoot" and case.chance > 0)

    def does(self, act: str) -> bool:
        """Whether it may do this."""
        return any(case.act == act and case.chance > 0 for case in self.cases)


Damages = Annotated[
    Mapping[Holdable, Annotated[int, *number(1, MOST_DAMAGE, whole=True)]],
    mapping("items to damage", "{spear: 4}"),
    BY_ITEM,
    PlainSerializer(dict),
]


class Hunt(Rule):
    """What it takes to kill a creature, and what that brings."""

    family = "hunt"
    subjects = ()

    requires: Amounts = FrozenMap({})
    """What has to be held for a blow to harm it; it is kept."""
    yields: Amounts = FrozenMap({})
    """What killing it gives."""
    damage: Damages = FrozenMap({})
    """What a blow takes with each of some items, if that is more than it takes otherwise."""
    touch: Points = 0
    """The change of the player's health by each move against the creature."""


CREATURE_RULES: Final[tuple[type[Rule], ...]] = (Behaviour, Hunt)
"""The families, in the order in which rules are listed."""
