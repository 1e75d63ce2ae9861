"""The rules of the escape room as data.

Source: RULEARN, section on the escape room, and its code.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import (
    BeforeValidator,
    Field,
    SerializerFunctionWrapHandler,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WrapSerializer,
    WrapValidator,
    field_validator,
)

from mars_logic.domains.game import Text, word
from mars_logic.domains.rulearn.escape_room.digits import FOCUS, DigitTerm
from mars_logic.domains.rulearn.escape_room.paintings import ATTRIBUTES, paintings
from mars_logic.domains.rulearn.puzzle import Puzzle, PuzzlePart
from mars_logic.world import uncertain
from mars_logic.world.fields import invalid, shown, unknown

ATTEMPTS: Final = 3
"""Wrong codes for each value of the focus."""


def _numbers(value: Any) -> Any:
    if not isinstance(value, list | tuple) or not value:
        raise invalid(f"{shown(value)} is not a list of paintings", "numbers, such as [44, 52]")
    for each in value:
        if isinstance(each, bool) or each not in paintings():
            known = sorted(paintings())
            raise invalid(f"there is no painting {shown(each)}", f"{known[0]} to {known[-1]}")
    return tuple(value)


def _some(what: str) -> BeforeValidator:
    def check(value: Any) -> Any:
        if not isinstance(value, list | tuple) or not value:
            raise invalid(f"{shown(value)} is not a list of {what}", f"one or more {what}")
        return value

    return BeforeValidator(check)


def _read(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    return uncertain.read(value, handler)


def _write(value: Any, handler: SerializerFunctionWrapHandler) -> Any:
    return uncertain.write(value, handler)


PaintingNumbers = Annotated[tuple[int, ...], BeforeValidator(_numbers)]
OpenDigit = Annotated[DigitTerm, WrapValidator(_read), WrapSerializer(_write)]


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

    def password(self, focus: str) -> str:
        """The password while the hint names this value."""
        seen = [paintings()[each] for room in self.rooms for each in self.hung(room)]
        return "".join(str(term.value(seen, focus) % 10) for term in self.rule.digits)
