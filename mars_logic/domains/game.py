"""The rules of a game as data; a field may be unknown or one of several, as in worlds."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal

import yaml
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    SerializerFunctionWrapHandler,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    field_serializer,
    field_validator,
)

from mars_logic.world import uncertain
from mars_logic.world.fields import invalid, number, shown, unknown
from mars_logic.world.uncertain import is_uncertain

Order = Literal["shuffled", "fixed"]
"""Whether things lie in a new random order in each episode, or as the file lists them."""


def word(kind: str, choices: tuple[str, ...]) -> BeforeValidator:
    """A validator for one of these words."""

    def check(value: Any) -> str:
        if not isinstance(value, str) or value not in choices:
            raise unknown(kind, value, choices)
        return value

    return BeforeValidator(check)


def list_of(size: int, what: str) -> BeforeValidator:
    """A validator for a list of so many things."""

    def check(value: Any) -> Any:
        if not isinstance(value, list | tuple):
            raise invalid(f"{shown(value)} is not a list", f"a list of {what}")
        if len(value) != size:
            raise invalid(f"a list of {len(value)}", f"a list of {what}")
        return value

    return BeforeValidator(check)


def _line(value: Any) -> str:
    if not isinstance(value, str):
        raise invalid(f"{shown(value)} is not text", "text")
    if not value.isprintable():
        raise invalid("this is more than a line", "a line of text")
    return value


Text = Annotated[str, BeforeValidator(_line)]
Ordering = Annotated[Order, word("order", ("shuffled", "fixed"))]
Length = Annotated[int, *number(1, 10_000, whole=True)]
Reward = Annotated[int, *number(-1000, 1000, whole=True)]


class Open(BaseModel):
    """A part of a game's rules, whose fields may be unknown or uncertain.

    Attributes:
        stated: The fields that have to hold a value, even in a theory.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    stated: ClassVar[frozenset[str]] = frozenset()

    @field_validator("*", mode="wrap")
    @classmethod
    def _read(cls, value: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
        certain = info.field_name in cls.stated
        return handler(value) if certain else uncertain.read(value, handler)

    @field_serializer("*", mode="wrap")
    def _write(self, value: Any, handler: SerializerFunctionWrapHandler) -> Any:
        return uncertain.write(value, handler)


class Game(Open):
    """A game's rules, or a theory of them. Each domain has a class of its own.

    Attributes:
        name: What the game is called; by default its file.
        title: A line about it.
        length: Steps after which an episode is broken off.
    """

    domain: ClassVar[str]
    stated = frozenset({"name", "title", "length"})

    name: Text = "unnamed"
    title: Text = ""
    length: Length

    @property
    def uncertain(self) -> tuple[str, ...]:
        """The fields that are open, as paths such as ``arms[0].probability``."""
        return tuple(_open(self, ""))

    @property
    def digest(self) -> str:
        """SHA-256, hexadecimal, of the domain and of all fields but name and title."""
        text = json.dumps([self.domain, self.model_dump(mode="json", exclude={"name", "title"})])
        return hashlib.sha256(text.encode()).hexdigest()

    def to_yaml(self) -> str:
        """The game as a file, in which every field is stated."""
        document = {"domain": self.domain, **self.model_dump(mode="json")}
        return yaml.safe_dump(document, sort_keys=False, allow_unicode=True)

    def differences(self, other: Game) -> list[tuple[str, Any, Any]]:
        """The fields in which two games of a domain differ: path, this one's value, the other's."""
        mine, others = dict(_plain(self)), dict(_plain(other))
        places = [place for place in mine if place not in ("name", "title")]
        return [(p, mine[p], others.get(p)) for p in places if mine[p] != others.get(p)]


def _open(part: Open, path: str) -> Iterator[str]:
    return (place for place, value in _fields(part, path) if is_uncertain(value))


def _plain(part: Open) -> Iterator[tuple[str, Any]]:
    for place, value in _fields(part, ""):
        yield place, uncertain.write(value, lambda plain: plain)


def _fields(part: Open, path: str) -> Iterator[tuple[str, Any]]:
    """All fields with their paths, those of parts and of parts in lists included."""
    for name, field in type(part).model_fields.items():
        yield from _inside(getattr(part, name), f"{path}{field.alias or name}")


def _inside(value: Any, place: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Open):
        yield from _fields(value, f"{place}.")
    elif isinstance(value, tuple) and any(_is_part(each) for each in value):
        for index, each in enumerate(value):
            yield from _inside(each, f"{place}[{index}]")
    else:
        yield place, value


def _is_part(value: Any) -> bool:
    return isinstance(value, Open | tuple) or is_uncertain(value)


def options(value: Any) -> Mapping[Any, float] | None:
    """What a field may hold, with the probability of each; None if nothing is known of it."""
    if isinstance(value, uncertain.Alternatives):
        return dict(value.options)
    return None if is_uncertain(value) else {value: 1.0}
