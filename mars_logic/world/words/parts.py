"""Parts of a sentence grammar; each can write and read itself.

The form of a sentence is a tree of these parts. One tree serves both directions, so
writer and reader always agree. Writing turns the fields of a rule into text, or
into None where a part does not apply to them. Reading turns words into fields: it yields every
way to understand the words at a position, given what is already known; fields that the words do
not mention are not among them.

A rule can be written whole, where an unmentioned field has its default value, or in part, where
unknown fields are missing and an unmentioned field is unknown.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mars_logic.world.words.listing import join
from mars_logic.world.words.scan import Scan

Fields = Mapping[str, Any]
Readings = Iterator[tuple[Fields, int]]

LINKING = ("and", "but", "which", "it")
"""Words that may stand between clauses."""
_JOINING = ("and", "or", "but", "plus")
"""Words that make a list ambiguous if an element contains them."""
_AGREEING = "something that agrees with the words before"
_TEMPLATE = re.compile(r"([^{\[]+)|\{(\w+)\}|\[([^\]]+)\]")


class Part(ABC):
    """A piece of a sentence."""

    @abstractmethod
    def write(self, fields: Fields, whole: bool) -> str | None:
        """The text for these fields; None if this part does not apply to them.

        Args:
            fields: The fields of a rule; those that are unknown are missing.
            whole: Whether an unmentioned field has its default value.
        """

    @abstractmethod
    def read(self, scan: Scan, at: int, known: Fields) -> Readings:
        """Each way to read from a position: the fields then known, and the position behind."""


class Kind(ABC):
    """A kind of value (or of several values told together) that can stand in a sentence."""

    @abstractmethod
    def write(self, *values: Any) -> str | None:
        """The values in words; None if this kind has no words for them."""

    @abstractmethod
    def read(self, scan: Scan, at: int) -> Iterator[tuple[tuple[Any, ...], int]]:
        """Each way to read the values from a position, and the position behind."""


@dataclass(frozen=True)
class Text(Part):
    """Words that are always the same."""

    text: str

    def write(self, fields: Fields, whole: bool) -> str:  # noqa: ARG002
        """The text as it is."""
        return self.text

    def read(self, scan: Scan, at: int, known: Fields) -> Readings:
        """Pass over the words."""
        end = scan.skip(at, scan.template(self.text))
        if end is not None:
            yield known, end


@dataclass(frozen=True)
class Optional(Part):
    """Words that the reader accepts and the writer omits."""

    text: str

    def write(self, fields: Fields, whole: bool) -> str:  # noqa: ARG002
        """Nothing."""
        return ""

    def read(self, scan: Scan, at: int, known: Fields) -> Readings:
        """Pass over the words if they are there."""
        words = scan.template(self.text)
        yield known, at + len(words) if scan.stands(at, words) else at


@dataclass(frozen=True)
class Link(Part):
    """The link between two parts of a sentence, read as any linking words or none."""

    text: str

    def write(self, fields: Fields, whole: bool) -> str:  # noqa: ARG002
        """The text as it is."""
        return self.text

    def read(self, scan: Scan, at: int, known: Fields) -> Readings:
        """Pass over linking words."""
        yield known, after_link(scan, at)


@dataclass(frozen=True)
class Silence(Part):
    """An empty text, which determines the unmentioned fields.

    In a whole rule they have these values; in a part of a rule they are unknown.
    """

    values: Fields

    def write(self, fields: Fields, whole: bool) -> str | None:
        """The empty text, if the fields have the implied values."""
        if whole:
            return "" if _has(fields, self.values) else None
        return None if any(name in fields for name in self.values) else ""

    def read(self, scan: Scan, at: int, known: Fields) -> Readings:  # noqa: ARG002
        """Nothing."""
        yield known, at


@dataclass(frozen=True)
class InPart(Part):
    """A part that the writer uses only for partial rules."""

    part: Part

    def write(self, fields: Fields, whole: bool) -> str | None:
        """The part, unless the rule is told as a whole."""
        return None if whole else self.part.write(fields, whole)

    def read(self, scan: Scan, at: int, known: Fields) -> Readings:
        """Read the part."""
        return self.part.read(scan, at, known)


@dataclass(frozen=True)
class Heard(Part):
    """A part that the reader accepts and the writer never uses."""

    part: Part

    def write(self, fields: Fields, whole: bool) -> None:
        """Nothing."""

    def read(self, scan: Scan, at: int, known: Fields) -> Readings:
        """Read the part."""
        return self.part.read(scan, at, known)


@dataclass(frozen=True)
class IfStated(Part):
    """A part that applies where the words before it have stated some fields, and not others."""

    part: Part
    unsaid: tuple[str, ...]
    values: Fields

    def write(self, fields: Fields, whole: bool) -> str | None:
        """The part, if the fields have these values."""
        return self.part.write(fields, whole) if _has(fields, self.values) else None

    def read(self, scan: Scan, at: int, known: Fields) -> Readings:
        """Read the part, if the words before it have stated these values."""
        if _has(known, self.values) and not any(known.get(name) for name in self.unsaid):
            yield from self.part.read(scan, at, known)


@dataclass(frozen=True)
class Slot(Part):
    """The value of a field, or of several fields stated together."""

    names: tuple[str, ...]
    kind: Kind

    def write(self, fields: Fields, whole: bool) -> str | None:  # noqa: ARG002
        """The value in words."""
        if any(name not in fields for name in self.names):
            return None
        return self.kind.write(*(fields[name] for name in self.names))

    def read(self, scan: Scan, at: int, known: Fields) -> Readings:
        """Add the value to the known fields."""
        for values, end in self.kind.read(scan, at):
            found = dict(zip(self.names, values, strict=True))
            if _agree(known, found):
                yield {**known, **found}, end
            else:
                told = {**found, **known}
                scan.object(at, end, self.write(told, whole=True) or _AGREEING)


def _agree(known: Fields, found: Fields) -> bool:
    return all(known.get(name, value) == value for name, value in found.items())


def _has(fields: Fields, values: Fields) -> bool:
    """Whether the fields are known to have these values."""
    wanted = _resolved(values, fields)
    return all(name in fields and fields[name] == value for name, value in wanted.items())


def _resolved(values: Fields, fields: Fields) -> dict[str, Any]:
    return {
        name: fields.get(value.field) if isinstance(value, Like) else value
        for name, value in values.items()
    }


@dataclass(frozen=True)
class Like:
    """Within a meaning: a reference to another field's value."""

    field: str


@dataclass(frozen=True)
class Meaning(Part):
    """A part that states that certain fields have certain values."""

    part: Part
    values: Fields

    def write(self, fields: Fields, whole: bool) -> str | None:
        """The part, if the fields have these values."""
        return self.part.write(fields, whole) if _has(fields, self.values) else None

    def read(self, scan: Scan, at: int, known: Fields) -> Readings:
        """Read the part, and add these values to the known fields."""
        for fields, end in self.part.read(scan, at, known):
            values = _resolved(self.values, fields)
            if _agree(fields, values):
                yield {**fields, **values}, end
            else:
                scan.object(at, end, _AGREEING)


@dataclass(frozen=True)
class InOrder(Part):
    """Parts one after the other; all have to apply."""

    parts: tuple[Part, ...]

    def write(self, fields: Fields, whole: bool) -> str | None:
        """All parts, as they are."""
        written = []
        for part in self.parts:
            text = part.write(fields, whole)
            if text is None:
                return None
            written.append(text)
        return "".join(written)

    def read(self, scan: Scan, at: int, known: Fields) -> Readings:
        """All parts in order."""
        return self._read(0, scan, at, known)

    def _read(self, place: int, scan: Scan, at: int, known: Fields) -> Readings:
        if place == len(self.parts):
            yield known, at
            return
        for fields, end in self.parts[place].read(scan, at, known):
            yield from self._read(place + 1, scan, end, fields)


@dataclass(frozen=True)
class Either(Part):
    """The first of some parts that applies."""

    parts: tuple[Part, ...]

    def write(self, fields: Fields, whole: bool) -> str | None:
        """The first part that applies."""
        written = (part.write(fields, whole) for part in self.parts)
        return next((text for text in written if text is not None), None)

    def read(self, scan: Scan, at: int, known: Fields) -> Readings:
        """Any of the parts."""
        for part in self.parts:
            yield from part.read(scan, at, known)


@dataclass(frozen=True)
class Clauses(Part):
    """The applicable ones of some parts (at least one), joined by commas and an ``and``."""

    parts: tuple[Part, ...]

    def write(self, fields: Fields, whole: bool) -> str | None:
        """The parts that apply, joined."""
        written = [text for part in self.parts if (text := part.write(fields, whole))]
        nested = any(
            "," in text or f" {link} " in text for text in written[:-1] for link in _JOINING
        )
        return join(written, lambda _left, _right: ", and" if nested else "and") or None

    def read(self, scan: Scan, at: int, known: Fields) -> Readings:
        """Some of the parts, in any order."""
        for place, part in enumerate(self.parts):
            rest = Clauses(self.parts[:place] + self.parts[place + 1 :])
            for fields, end in part.read(scan, at, known):
                yield from rest.read(scan, after_link(scan, end), fields)
                yield fields, end


def after_link(scan: Scan, at: int) -> int:
    """Where the next of several clauses starts: behind the linking words, if there are any."""
    while scan.word(at) in LINKING:
        at += 1
    return at


def either(*parts: Part) -> Part:
    """The first of some parts that applies."""
    return Either(parts)


def maybe(part: Part) -> Part:
    """A part, or nothing where it does not apply."""
    return Either((part, InOrder(())))


def silence(**values: Any) -> Part:
    """The empty text: these values in a whole rule, else unknown fields."""
    return Silence(values)


def given(part: Part, unsaid: tuple[str, ...] = (), **values: Any) -> Part:
    """A part that applies where the words before it have stated these values.

    Args:
        part: The part.
        unsaid: Flags that they must not have stated to be true.
        values: The values.
    """
    return IfStated(part, unsaid, values)


def clauses(*parts: Part) -> Part:
    """The applicable ones of some parts (at least one), joined by commas and an ``and``."""
    return Clauses(parts)


def yes_or_no(field: str, yes: str, no: str) -> Part:
    """A boolean: stated when true, implied when false in a whole rule."""
    return either(say(yes, **{field: True}), InPart(say(no, **{field: False})))


def say(template: str, **meaning: Any) -> Part:
    """A template and its meaning.

    Args:
        template: Text with slots in braces, for example ``"can be eaten, which {effects}"``, and
            with words in brackets that the reader accepts and the writer omits.
        meaning: For each slot its part, or the kind of value in the field of that name; and for
            any other field the value that this text implies.
    """
    pieces: list[Part] = []
    for text, slot, words in _TEMPLATE.findall(template):
        if slot:
            fill = meaning.pop(slot)
            pieces.append(Slot((slot,), fill) if isinstance(fill, Kind) else fill)
        else:
            pieces.append(Optional(words) if words else Text(text))
    whole = InOrder(tuple(pieces))
    return Meaning(whole, meaning) if meaning else whole


def patterns(slots: Mapping[str, Any], *templates: str, **meaning: Any) -> Part:
    """Sentences with the same meaning, each a template as in :func:`say`.

    Args:
        slots: What the slots of the templates stand for; a template need not have all of them.
        templates: The templates.
        meaning: Values of fields that each of these sentences implies.
    """
    return either(
        *(
            say(
                template,
                **{name: slots[name] for _, name, _ in _TEMPLATE.findall(template) if name},
                **meaning,
            )
            for template in templates
        )
    )
