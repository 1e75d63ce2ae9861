"""Pieces of a sentence; each knows how to write itself and how to read itself.

The form of a sentence is a tree of these parts. One tree serves both directions, so that what is
told and what is understood cannot drift apart. Writing turns the fields of a rule into text, or
into None where a part does not apply to them. Reading turns words into fields: it yields every
way to understand the words at a position, given what is already known.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mars_logic.world.words.scan import Scan, words_of

Fields = Mapping[str, Any]
Readings = Iterator[tuple[Fields, int]]

_LINKING = ("and", "or", "but", "plus")
_AGREEING = "something that agrees with the words before"


class Part(ABC):
    """A piece of a sentence."""

    @abstractmethod
    def write(self, fields: Fields) -> str | None:
        """The text for these fields; None if this part does not apply to them."""

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

    def write(self, fields: Fields) -> str:  # noqa: ARG002
        """The text as it is."""
        return self.text

    def read(self, scan: Scan, at: int, known: Fields) -> Readings:
        """Pass over the words."""
        end = scan.skip(at, tuple(word.text for word in words_of(self.text)))
        if end is not None:
            yield known, end


@dataclass(frozen=True)
class Slot(Part):
    """The value of a field, or of several fields told together."""

    names: tuple[str, ...]
    kind: Kind

    def write(self, fields: Fields) -> str | None:
        """The value in words."""
        return self.kind.write(*(fields[name] for name in self.names))

    def read(self, scan: Scan, at: int, known: Fields) -> Readings:
        """Add the value to what is known."""
        for values, end in self.kind.read(scan, at):
            found = dict(zip(self.names, values, strict=True))
            if _agree(known, found):
                yield {**known, **found}, end
            else:
                told = {**found, **known}
                scan.object(at, end, self.write(told) or _AGREEING)


def _agree(known: Fields, found: Fields) -> bool:
    return all(known.get(name, value) == value for name, value in found.items())


@dataclass(frozen=True)
class Like:
    """In a meaning: the value that another field has."""

    field: str


@dataclass(frozen=True)
class Meaning(Part):
    """A part that is said when certain fields have certain values, and so means them."""

    part: Part
    values: Fields

    def write(self, fields: Fields) -> str | None:
        """The part, if the fields have these values."""
        values = self._resolve(fields).items()
        agrees = all(fields[name] == value for name, value in values)
        return self.part.write(fields) if agrees else None

    def read(self, scan: Scan, at: int, known: Fields) -> Readings:
        """Read the part, and add these values to what is known."""
        for fields, end in self.part.read(scan, at, known):
            values = self._resolve(fields)
            if _agree(fields, values):
                yield {**fields, **values}, end
            else:
                scan.object(at, end, _AGREEING)

    def _resolve(self, fields: Fields) -> dict[str, Any]:
        return {
            name: fields[value.field] if isinstance(value, Like) else value
            for name, value in self.values.items()
        }


@dataclass(frozen=True)
class InOrder(Part):
    """Parts one after the other; all have to apply."""

    parts: tuple[Part, ...]

    def write(self, fields: Fields) -> str | None:
        """All parts, as they are."""
        written = [part.write(fields) for part in self.parts]
        return None if None in written else "".join(text for text in written if text)

    def read(self, scan: Scan, at: int, known: Fields) -> Readings:
        """All parts in order."""
        if not self.parts:
            yield known, at
            return
        for fields, end in self.parts[0].read(scan, at, known):
            yield from InOrder(self.parts[1:]).read(scan, end, fields)


@dataclass(frozen=True)
class Either(Part):
    """The first of some parts that applies."""

    parts: tuple[Part, ...]

    def write(self, fields: Fields) -> str | None:
        """The first part that applies."""
        return next((text for part in self.parts if (text := part.write(fields)) is not None), None)

    def read(self, scan: Scan, at: int, known: Fields) -> Readings:
        """Any of the parts."""
        for part in self.parts:
            yield from part.read(scan, at, known)


@dataclass(frozen=True)
class Clauses(Part):
    """Those of some parts that apply, joined by commas and an ``and``."""

    parts: tuple[Part, ...]
    least: int = 1

    def write(self, fields: Fields) -> str | None:
        """The parts that apply, joined."""
        written = [text for part in self.parts if (text := part.write(fields))]
        nested = any(
            "," in text or f" {link} " in text for text in written[:-1] for link in _LINKING
        )
        return join(written, lambda _left, _right: ", and" if nested else "and") or None

    def read(self, scan: Scan, at: int, known: Fields) -> Readings:
        """Some of the parts, in any order."""
        for place, part in enumerate(self.parts):
            rest = Clauses(self.parts[:place] + self.parts[place + 1 :], self.least - 1)
            for fields, end in part.read(scan, at, known):
                yield from rest.read(scan, after_link(scan, end), fields)
                if self.least <= 1 or scan.partial:
                    yield fields, end


def join(pieces: list[str], link: Callable[[int, int], str]) -> str:
    """The pieces as a list in English: ``a, b and c``.

    Args:
        pieces: What to join.
        link: The word between the pieces at two indices. Where the next link is the same, a
            comma takes its place.
    """
    links = [link(index, index + 1) for index in range(len(pieces) - 1)]
    text = pieces[0] if pieces else ""
    for index, (word, piece) in enumerate(zip(links, pieces[1:], strict=True)):
        again = links[index + 1 : index + 2] == [word]
        space = "" if word.startswith(",") else " "
        text += f", {piece}" if again else f"{space}{word} {piece}"
    return text


def after_link(scan: Scan, at: int) -> int:
    """Where the next of several pieces starts: behind a linking word, if there is one."""
    return at + (scan.word(at) in _LINKING)


def either(*parts: Part) -> Part:
    """The first of some parts that applies."""
    return Either(parts)


def maybe(part: Part) -> Part:
    """A part, or nothing where it does not apply."""
    return Either((part, InOrder(())))


def clauses(*parts: Part, least: int = 1) -> Part:
    """Those of some parts that apply, joined by commas and an ``and``; at least so many."""
    return Clauses(parts, least)


def say(template: str, **meaning: Any) -> Part:
    """A template and what it means.

    Args:
        template: Text with slots in braces, for example ``"can be eaten, which {effects}"``.
        meaning: For each slot its part, or the kind of value in the field of that name; and for
            any other field the value that it has when this is said.
    """
    pieces: list[Part] = []
    for index, piece in enumerate(re.split(r"\{(\w+)\}", template)):
        if index % 2 == 0:
            pieces.append(Text(piece))
        else:
            fill = meaning.pop(piece)
            pieces.append(Slot((piece,), fill) if isinstance(fill, Kind) else fill)
    whole = InOrder(tuple(pieces))
    return Meaning(whole, meaning) if meaning else whole
