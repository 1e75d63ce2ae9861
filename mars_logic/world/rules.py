"""The rules of a world as data: one frozen class for each family of rules.

A rule's id is ``family.subject`` (for example ``collect.stone``). The same id is the
path in a world's YAML file, the first argument of its ASP facts, and the key of its sentence.
Amounts of food, drink and health that a creature's rule scales are constants of the game:
see ``EATEN_POINTS``, ``ATTACK_POINTS`` and ``ARROW_POINTS`` of :mod:`mars_logic.world.dialect`.

Source: Mars configuration files and Appendix A.5 of the Mars paper.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    PlainSerializer,
    SerializerFunctionWrapHandler,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    field_serializer,
    field_validator,
    model_validator,
)

from mars_logic.world import names, uncertain
from mars_logic.world.fields import (
    Amount,
    Amounts,
    CreatureName,
    Factor,
    Flag,
    Gain,
    Left,
    Materials,
    Natural,
    Points,
    Probability,
    invalid,
    known_names,
    mapping,
)
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.uncertain import is_uncertain


class Rule(BaseModel):
    """The base class of rules: a family (the class) and a subject, which together form the id."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    family: ClassVar[str]
    subjects: ClassVar[tuple[str, ...]]
    shorthand: ClassVar[str | None] = None
    """The only field of a family whose rules are written as a bare value in YAML."""

    subject: str

    @property
    def id(self) -> str:
        """The rule's stable name, for example ``collect.stone``."""
        return f"{self.family}.{self.subject}"

    @classmethod
    def field_names(cls) -> tuple[str, ...]:
        """The names of the fields that rules of this family state."""
        return tuple(name for name in cls.model_fields if name != "subject")

    def with_fields(self, fields: Mapping[str, Any], words: Any) -> Self:
        """A copy with some fields replaced and checked.

        Args:
            fields: The new values by field.
            words: The vocabulary whose names may occur.

        Raises:
            ValidationError: A value is not allowed.
        """
        return type(self).model_validate(self.model_dump() | dict(fields), context=words)

    @property
    def uncertain_fields(self) -> tuple[str, ...]:
        """The fields whose value is unknown or has alternatives; empty for a world's rules."""
        return tuple(name for name in self.field_names() if is_uncertain(getattr(self, name)))

    @field_validator("*", mode="wrap")
    @classmethod
    def _read(cls, value: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
        return handler(value) if info.field_name == "subject" else uncertain.read(value, handler)

    @field_serializer("*", mode="wrap")
    def _write(self, value: Any, handler: SerializerFunctionWrapHandler) -> Any:
        return uncertain.write(value, handler)


class Neighbour(Rule):
    """Materials around a feature of the map; None keeps the generated ones."""

    family = "neighbour"
    subjects = names.REGIONS
    shorthand = "material"

    material: Natural | None = None

    @model_validator(mode="after")
    def _ground_is_needed(self) -> Neighbour:
        if self.material is None and self.subject in ("player", "water", "tree"):
            raise invalid("a material is needed here", ", ".join(names.NATURAL))
        return self


class Rename(Rule):
    """The material that replaces the subject in map generation."""

    family = "rename"
    subjects = names.NATURAL
    shorthand = "material"

    material: Natural


class Walk(Rule):
    """Walkability of a material, and the effect of each move on it."""

    family = "walk"
    subjects = names.NATURAL

    walkable: Flag
    health: Points = 0
    deadly: Flag = False


class Creature(Rule):
    """Uses and behaviour of a creature; a plant's rule applies once it is ripe."""

    family = "creature"
    subjects = names.BEINGS

    eatable: Flag
    """True: defeating it means eating it, with the eaten factors as effects."""
    eaten_food_factor: Factor = 0
    eaten_drink_factor: Factor = 0
    eaten_health_factor: Factor = 0
    walks: Flag = False
    approaches: Flag = False
    attacks: Flag = False
    attack_health_factor: Factor = 0
    shoots: Flag = False
    arrow_health_factor: Factor = 0


class Drink(Rule):
    """Effects of collecting a liquid on the player, besides the yield."""

    family = "drink"
    subjects = names.LIQUIDS

    drink: Points = 0
    food: Points = 0
    health: Points = 0


class Yield(BaseModel):
    """An amount that collecting yields, with certainty or with a probability."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    amount: Amount = 1
    probability: Probability | None = None


def _expand_yield(value: Any) -> Any:
    """An amount alone is a certain yield; a mapping states amount and probability."""
    return value if isinstance(value, Mapping | Yield) else {"amount": value}


def _yields(values: Mapping[str, Yield], info: ValidationInfo) -> FrozenMap[str, Yield]:
    """Certain yields in the order of items, then chances in the file's order, which is relevant."""
    total = sum(given.probability or 0 for given in values.values())
    if total > 1 + 1e-12:
        raise invalid(f"the probabilities sum to {total:g}, above 1", "a sum of at most 1")
    certain = {
        item: values[item]
        for item in known_names(info, "items", names.ITEMS)
        if item in values and values[item].probability is None
    }
    chances = {item: given for item, given in values.items() if given.probability is not None}
    return FrozenMap(certain | chances)


def _yields_to_yaml(values: Mapping[str, Yield]) -> dict[str, Any]:
    return {
        item: given.amount if given.probability is None else given.model_dump()
        for item, given in values.items()
    }


Yields = Annotated[
    Mapping[Gain, Annotated[Yield, BeforeValidator(_expand_yield)]],
    mapping("items to amounts", "{wood: 1} or {wood: {amount: 1, probability: 0.5}}"),
    AfterValidator(_yields),
    PlainSerializer(_yields_to_yaml),
]


def _one_creature(values: Mapping[str, float]) -> FrozenMap[str, float]:
    if len(values) > 1:
        raise invalid(f"{len(values)} creatures are listed", "at most one creature")
    return FrozenMap(values)


Spawns = Annotated[
    Mapping[CreatureName, Probability],
    mapping("creatures to probabilities", "{zombie: 0.1}"),
    AfterValidator(_one_creature),
    PlainSerializer(dict),
]


class Collect(Rule):
    """``do`` on a material: requirements (kept), yields, remaining material, spawned creature."""

    family = "collect"
    subjects = names.COLLECTABLE

    collectable: Flag = True
    """False: ``do`` has no effect on this material, and the other fields are irrelevant."""
    requires: Amounts = FrozenMap({})
    yields: Yields = FrozenMap({})
    leaves: Left
    """The material that replaces it; by default the same one."""
    spawns: Spawns = FrozenMap({})

    @model_validator(mode="before")
    @classmethod
    def _leaves_itself(cls, data: Any) -> Any:
        if isinstance(data, dict):
            return {"leaves": data.get("subject")} | data
        return data


class Place(Rule):
    """Resources that placing an object uses, and the materials on which it may stand."""

    family = "place"
    subjects = names.PLACEABLE

    uses: Amounts
    where: Materials


class Make(Rule):
    """Resources that making a tool uses, required stations nearby, and the number made."""

    family = "make"
    subjects = names.TOOLS

    uses: Amounts
    nearby: Materials
    gives: Amount = 1


FAMILIES: tuple[type[Rule], ...] = (Neighbour, Rename, Walk, Creature, Drink, Collect, Place, Make)
"""All families, in the order in which rules are listed."""
