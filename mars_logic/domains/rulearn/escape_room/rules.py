"""The rules of the escape room as data.

Source: RULEARN, section on the escape room, and its code.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainSerializer,
    ValidationInfo,
    WrapSerializer,
    WrapValidator,
    field_validator,
    model_validator,
)

from mars_logic.domains.completions import completed
from mars_logic.domains.game import Text, word
from mars_logic.domains.rulearn.puzzle import CodeShape, Puzzle, PuzzlePart, many
from mars_logic.system import resources
from mars_logic.world import uncertain
from mars_logic.world.fields import invalid, shown, unknown
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.source import read

ATTRIBUTES: Final[Mapping[str, tuple[str, ...]]] = {
    "medium": ("oil", "acrylic", "watercolor"),
    "color": ("blue", "yellow", "black", "green"),
}
"""What a painting is told by: the values of each attribute, in the order in which they count."""


@dataclass(frozen=True)
class Painting:
    """A painting.

    Attributes:
        number: Its number in the catalogue.
        medium: Oil, acrylic or watercolor.
        color: Its main colour.
        subject: What it shows.
    """

    number: int
    medium: str
    color: str
    subject: str

    def value(self, attribute: str) -> str:
        """The value of ``medium`` or ``color``."""
        return self.medium if attribute == "medium" else self.color


@cache
def paintings() -> Mapping[int, Painting]:
    """The catalogue, by number."""
    path = resources.folder("worlds") / "rulearn" / "paintings.yaml"
    data = read(path).data
    return {int(key): Painting(int(key), **each) for key, each in data.items()}


FOCUS: Final = "$focus"
"""Stands for the value on which the hint is now."""
_PAIR: Final = many("{} is not a list of two terms", "[term, term]", 2, 2)
_EXAMPLE: Final = "for example {medium: oil, color: $focus} or {color: {not: blue}}"


def _conditions(value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise invalid(f"{shown(value)} is not a mapping of attributes to values", _EXAMPLE)
    for attribute in value:
        if attribute not in ATTRIBUTES:
            raise unknown("attribute", attribute, ATTRIBUTES)
    return {name: _condition(name, value[name]) for name in ATTRIBUTES if name in value}


def _condition(attribute: str, value: Any) -> Any:
    if isinstance(value, Mapping):
        if set(value) != {"not"}:
            raise invalid(f"{shown(value)} is no condition", _EXAMPLE)
        return FrozenMap({"not": _plain(attribute, value["not"])})
    return _plain(attribute, value)


def _plain(attribute: str, value: Any) -> str:
    choices = (FOCUS, *ATTRIBUTES[attribute])
    if value not in choices:
        raise unknown(attribute, value, choices)
    return str(value)


def _written(found: Mapping[str, Any]) -> dict[str, Any]:
    """Conditions as a file has them."""
    return {name: dict(each) if isinstance(each, Mapping) else each for name, each in found.items()}


Conditions = Annotated[
    Mapping[str, Any],
    BeforeValidator(_conditions),
    AfterValidator(FrozenMap),
    PlainSerializer(_written),
]
"""By attribute: a value, ``$focus`` for what the hint names, or ``{not: either}``."""


class DigitTerm(PuzzlePart):
    """A number of paintings; a digit is the last digit of it. Exactly one field is stated.

    Attributes:
        count: How many paintings meet all these conditions.
        sum: The sum of two terms.
        difference: The absolute difference of two terms.
        distinct: How many values of this attribute there are among the paintings.
        where: With ``distinct``: among the paintings that meet these conditions.
    """

    stated = frozenset({"count", "sum", "difference", "distinct", "where"})

    count: Conditions | None = None
    sum: Annotated[tuple[DigitTerm, DigitTerm], _PAIR] | None = None
    difference: Annotated[tuple[DigitTerm, DigitTerm], _PAIR] | None = None
    distinct: Annotated[str, word("attribute", tuple(ATTRIBUTES))] | None = None
    where: Conditions | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> DigitTerm:
        kinds = [self.count, self.sum, self.difference, self.distinct]
        if sum(each is not None for each in kinds) != 1:
            allowed = "exactly one of count, sum, difference, distinct"
            raise invalid("a term is one number", allowed)
        if self.where is not None and self.distinct is None:
            raise invalid("'where' says nothing here", "where, with distinct")
        return self

    def value(self, shown: Iterable[Painting], focus: str) -> int:
        """The number for these paintings while the hint is on this value."""
        seen = list(shown)
        if self.count is not None:
            return sum(meets(each, self.count, focus) for each in seen)
        if self.distinct is not None:
            where = self.where or FrozenMap({})
            return len({p.value(self.distinct) for p in seen if meets(p, where, focus)})
        if self.sum is not None:
            return self.sum[0].value(seen, focus) + self.sum[1].value(seen, focus)
        assert self.difference is not None
        one, other = self.difference
        return abs(one.value(seen, focus) - other.value(seen, focus))


def meets(painting: Painting, conditions: Mapping[str, Any], focus: str) -> bool:
    """Whether a painting meets all conditions."""
    for attribute, wanted in conditions.items():
        negated = isinstance(wanted, Mapping)
        value = wanted["not"] if negated else wanted
        value = focus if value == FOCUS else value
        if (painting.value(attribute) == value) == negated:
            return False
    return True


ATTEMPTS: Final = 3
"""Wrong codes for each value of the focus."""


def _numbers(value: Any) -> Any:
    for each in value:
        if isinstance(each, bool) or each not in paintings():
            known = sorted(paintings())
            raise invalid(f"there is no painting {shown(each)}", f"{known[0]} to {known[-1]}")
    return tuple(value)


def _some(what: str) -> BeforeValidator:
    return many(f"{{}} is not a list of {what}", f"one or more {what}")


PaintingNumbers = Annotated[
    tuple[int, ...],
    BeforeValidator(_numbers),
    many("{} is not a list of paintings", "numbers, such as [44, 52]"),
]
OpenDigit = Annotated[DigitTerm, WrapValidator(uncertain.read), WrapSerializer(uncertain.write)]


class PaintingRoom(PuzzlePart):
    """A room.

    Attributes:
        name: What it is called.
        paintings: The numbers of its paintings.
        mended: Its paintings in the mended dialect; None if they are the same.
    """

    stated = frozenset({"name", "mended"})

    name: Text
    paintings: PaintingNumbers
    mended: PaintingNumbers | None = None


class PasswordRule(PuzzlePart):
    """How the password follows from the paintings.

    Attributes:
        focus: The attribute that the hint is about.
        focus_order: The values that the hint names one after the other.
        digits: The terms whose last digits make the password.
    """

    stated = frozenset({"focus", "focus_order", "digits"})

    focus: Annotated[Literal["color", "medium"], word("attribute", ("color", "medium"))]
    focus_order: Annotated[tuple[str, ...], _some("values")]
    digits: Annotated[tuple[OpenDigit, ...], _some("terms")] = Field(max_length=9)

    @field_validator("focus_order")
    @classmethod
    def _values_of_focus(cls, order: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        choices = ATTRIBUTES.get(info.data.get("focus", ""), order)
        for each in order:
            if each not in choices:
                raise unknown(info.data["focus"], each, choices)
        if len(set(order)) < len(order):
            raise invalid("a value is listed twice", "each value once")
        return order


RELEASED_PASSWORD: Final = PasswordRule.model_validate(
    {
        "focus": "color",
        "focus_order": ATTRIBUTES["color"],
        "digits": [
            {"count": {"medium": medium, "color": FOCUS}} for medium in ATTRIBUTES["medium"]
        ],
    }
)
"""The rule of the released puzzles: oil, acrylic, watercolor of the colour that the hint names."""


class EscapeRoom(Puzzle):
    """Rooms with paintings, and a door with a password.

    Attributes:
        rooms: The player begins in the first; doors lead from it to all others.
        door: The room with the door that has the password.
        rule: How the password follows from the paintings.
    """

    domain: ClassVar[str] = "escape_room"
    stated = Puzzle.stated | {"rooms", "door"}

    rooms: Annotated[tuple[PaintingRoom, ...], _some("rooms")]
    door: Text
    rule: PasswordRule = RELEASED_PASSWORD

    @field_validator("rooms")
    @classmethod
    def _names_differ(cls, rooms: tuple[PaintingRoom, ...]) -> tuple[PaintingRoom, ...]:
        names = [room.name for room in rooms]
        if len(set(names)) < len(names):
            raise invalid("two rooms have the same name", "a name for each room")
        return rooms

    @field_validator("door")
    @classmethod
    def _first_room(cls, door: str, info: ValidationInfo) -> str:
        rooms = info.data.get("rooms", ())
        if rooms and door != rooms[0].name:
            problem = f"the room {shown(door)} is not the one where the player begins"
            raise invalid(problem, rooms[0].name)
        return door

    def hung(self, room: PaintingRoom) -> tuple[int, ...]:
        """The numbers of the paintings in a room, in this dialect."""
        mended = self.dialect == "mended" and room.mended is not None
        return room.mended or () if mended else room.paintings

    @property
    def code_shape(self) -> CodeShape:
        """As many digits as the rule has terms."""
        return CodeShape(len(self.rule.digits))

    @property
    def code_parts(self) -> tuple[str, ...]:
        """The digits."""
        return tuple(f"digit {place}" for place in range(1, len(self.rule.digits) + 1))

    def code_digit(self, part: DigitTerm, seen: Sequence[Painting], focus: str) -> int:
        """What the term of the digit gives."""
        return part.value(seen, focus) % 10

    def parts(self) -> dict[str, tuple[Any, ...] | None]:
        """Digits as terms."""
        digits = self.model_dump(mode="json")["rule"]["digits"]
        terms = (completed(each, DigitTerm.model_validate) for each in digits)
        return dict(zip(self.code_parts, terms, strict=True))

    @property
    def all_hung(self) -> tuple[int, ...]:
        """The numbers of the paintings in all rooms."""
        return tuple(each for room in self.rooms for each in self.hung(room))

    def fits(self, start: Mapping[str, Any]) -> bool:
        """Whether the hint is about the same attribute."""
        return f"hint_{self.rule.focus}" in start

    def password(self, focus: str) -> str:
        """The password while the hint names this value."""
        seen = [paintings()[each] for each in self.all_hung]
        return "".join(str(term.value(seen, focus) % 10) for term in self.rule.digits)
