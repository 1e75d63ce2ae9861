"""The kinds of values in sentences: names, counted things, points, chances, and lists of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.uncertain import UNKNOWN
from mars_logic.world.words.facts import Exactly, Excluding, Signed
from mars_logic.world.words.listing import join
from mars_logic.world.words.parts import Fields, Kind, Part
from mars_logic.world.words.scan import Scan
from mars_logic.world.words.vocabulary import CANONICAL, SynonymTable

_DIGITS = re.compile(r"[0-9]{1,3}")
_PERCENTAGE = re.compile(r"[0-9]+(\.[0-9]*)?%")
_DECIMAL = re.compile(r"[0-9]+(\.[0-9]*)?(e[+-]?[0-9]+)?")
_LINKS = ("and", "or", "plus")
"""Linking words between the elements of a list."""
OF_VALUES = (*_LINKS, "with", "chance", "probability", "of", "no", "by", "nothing")
"""Words that values are written with, besides their names."""
_AN = re.compile(
    r"(?!eu|ewe|one\b|once\b|uni[^nm]|ur[ao]|us[aeu]|ut[ei])[aeiou]|hour|heir|honou?r|8|11\b|18\b"
)


def spaced(name: str) -> str:
    """A name as it is written in a sentence."""
    return name.replace("_", " ")


def with_article(text: str) -> str:
    """``a table``, ``an iron pickaxe``, ``an 8% chance``."""
    return f"{'an' if _AN.match(text) else 'a'} {text}"


def _number(scan: Scan, at: int) -> int | None:
    """The whole number at a position."""
    text = scan.word(at) or ""
    if _DIGITS.fullmatch(text):
        return int(text)
    scan.fail(at, "a number")
    return None


@dataclass(frozen=True)
class Name(Kind):
    """One of some values, each with its name in a sentence."""

    phrases: Mapping[Any, str]
    table: SynonymTable = CANONICAL

    def write(self, *values: Any) -> str | None:
        """The value's name."""
        return self.phrases.get(values[0])

    def read(self, scan: Scan, at: int) -> Iterator[tuple[tuple[Any, ...], int]]:
        """Each value whose name stands here, in the singular or the plural."""
        candidates = self._by_first.get(scan.word(at) or "")
        if candidates is None:
            scan.fail(at, *self._firsts)
            return
        for value, name in candidates:
            if (end := scan.skip(at, name, plural=True)) is not None:
                yield (value,), end

    @cached_property
    def _names(self) -> tuple[tuple[Any, tuple[str, ...]], ...]:
        """Values, each with the words of its phrase and with those of the value itself."""
        return tuple(
            (value, name)
            for value, phrase in self.phrases.items()
            for name in dict.fromkeys(self._read_as(value, phrase))
        )

    def _read_as(self, value: Any, phrase: str) -> Iterator[tuple[str, ...]]:
        added = self.table.names.get(value)
        if added is not None:
            return ((word,) for word in added)
        return map(self.table.template_words, (phrase, value or phrase))

    def is_single(self, value: Any, word: str) -> bool:
        """Whether a word is the last one of the name in the singular."""
        return any(value == known and name[-1] == word for known, name in self._names)

    @cached_property
    def _firsts(self) -> frozenset[str]:
        return frozenset(name[0] for _, name in self._names)

    @cached_property
    def _by_first(self) -> dict[str, list[tuple[Any, tuple[str, ...]]]]:
        """The names that may stand where a word does, perhaps in the plural; the longest first."""
        found: dict[str, list[tuple[Any, tuple[str, ...]]]] = {}
        for value, name in sorted(self._names, key=lambda each: -len(each[1])):
            for first in (name[0], f"{name[0]}s"):
                found.setdefault(first, []).append((value, name))
        return found


def named(choices: Iterable[str], phrases: Mapping[str, str] | None = None) -> Name:
    """A name among the choices, written with blanks or as its own phrase."""
    return Name({choice: (phrases or {}).get(choice, spaced(choice)) for choice in choices})


@dataclass(frozen=True)
class Counted(Kind):
    """A name and an amount: ``2 diamonds``, ``1 wood``, ``a wood pickaxe``.

    Attributes:
        things: The names.
        plurals: The plurals of those that have one.
        single: Names of which one is written with an article, where that is the usual amount.
        usual: The amount if none is stated; None if it has to be stated.
    """

    things: Name
    plurals: Mapping[str, str]
    single: Collection[str]
    usual: int | None = 1

    def write(self, *values: Any) -> str:
        """The amount and the name, in the plural where there is one."""
        item, amount = values
        name = self.things.write(item) or ""
        if amount == self.usual and item in self.single:
            return with_article(name)
        return f"{amount} {self.plurals.get(item, name) if amount > 1 else name}"

    def read(self, scan: Scan, at: int) -> Iterator[tuple[tuple[Any, ...], int]]:
        """An amount, if one is stated, and a name."""
        stated = (scan.word(at) or "")[:1].isdigit()
        if not stated and self.usual is None:
            scan.fail(at, "a number")
            return
        for (item,), end in self.things.read(scan, at + stated):
            one = not scan.in_part or (
                item in self.single and self.things.is_single(item, scan.words[end - 1].text)
            )
            amount = _number(scan, at) if stated else self.usual if one else UNKNOWN
            if amount is UNKNOWN or amount in range(1, MAXIMUM + 1):
                yield (item, amount), end
            else:
                scan.object(at, end, f"an amount from 1 to {MAXIMUM}")


@dataclass(frozen=True)
class Whole(Kind):
    """A whole number from least to most."""

    least: int
    most: int

    def write(self, *values: Any) -> str:
        """The number."""
        return str(values[0])

    def read(self, scan: Scan, at: int) -> Iterator[tuple[tuple[Any, ...], int]]:
        """The number, if it is in the range."""
        number = _number(scan, at)
        if number is None:
            return
        if self.least <= number <= self.most:
            yield (number,), at + 1
        else:
            scan.object(at, at + 1, f"a number from {self.least} to {self.most}")


@dataclass(frozen=True)
class Points(Kind):
    """Points of a vital that a factor stands for, without their sign: ``6 food``."""

    unit: int
    sign: int
    vital: str = ""

    def write(self, *values: Any) -> str | None:
        """The number of points, if the factor has the sign; the vital alone for a sign."""
        if isinstance(values[0], Signed):
            return self.vital if values[0].sign == self.sign else None
        factor = values[0] * self.sign
        return f"{factor * self.unit} {self.vital}".strip() if factor > 0 else None

    def read(self, scan: Scan, at: int) -> Iterator[tuple[tuple[Any, ...], int]]:
        """The factor for the number that stands here; in part also its sign alone."""
        vital = tuple(self.vital.split())
        points: int | None
        if vital and (end := scan.skip(at, vital)):
            if scan.in_part and not scan.stands(end, ("by",)):
                yield (Signed(self.sign),), end
                return
            points, end = _number(scan, end + 1), end + 2
        else:
            points, end = _number(scan, at), scan.skip(at + 1, vital)
        if points is None or end is None:
            return
        if points in range(0, MAXIMUM * self.unit + 1, self.unit):
            yield (points // self.unit * self.sign,), end
        else:
            steps = f" in steps of {self.unit}" if self.unit > 1 else ""
            scan.object(
                at, end, f"{self.vital} from {self.unit} to {MAXIMUM * self.unit}{steps}".strip()
            )


@dataclass(frozen=True)
class NoPoints(Kind):
    """The statement that a factor stands for no points of a vital: ``no food``."""

    vital: str

    def write(self, *values: Any) -> str | None:
        """The phrase for no points; None for a factor other than 0."""
        return None if values[0] else f"no {self.vital}"

    def read(self, scan: Scan, at: int) -> Iterator[tuple[tuple[Any, ...], int]]:
        """The factor 0."""
        if end := scan.skip(at, ("no", self.vital)):
            yield (0,), end


class ChanceValue(Kind):
    """A probability, exactly: ``with a 10% chance`` or ``with probability 1e-300``."""

    def write(self, *values: Any) -> str | None:
        """As a percentage if that is short, else as the number itself."""
        if values[0] is None:
            return None
        percent = f"{abs(values[0]) * 100:.4g}%"
        if _probability(percent) == values[0]:
            return f"with {with_article(percent)} chance"
        return f"with probability {values[0]!r}"

    def read(self, scan: Scan, at: int) -> Iterator[tuple[tuple[Any, ...], int]]:
        """A percentage or a number from 0 to 1."""
        begin = at + scan.stands(at, ("with",))
        stated = scan.skip(begin, ("probability",)) or scan.skip(begin, ("chance",))
        stated = stated + scan.stands(stated, ("of",)) if stated else stated
        number = begin if stated is None else stated
        value = _probability(scan.word(number) or "")
        if value is None:
            scan.fail(number, "a percentage" if stated is None else "a number from 0 to 1")
        elif stated is not None:
            yield (value,), stated + 1
        else:
            for word in ("chance", "probability"):
                if end := scan.skip(number + 1, (word,)):
                    yield (value,), end


def _probability(text: str) -> float | None:
    if _PERCENTAGE.fullmatch(text):
        value = float(f"{text[:-1]}e-2")
    elif _DECIMAL.fullmatch(text):
        value = float(text)
    else:
        return None
    return value if value <= 1 else None


@dataclass(frozen=True)
class Several(Kind):
    """A list of elements of one kind: ``1 wood, 1 coal and 1 iron``."""

    element: Part
    unpack: Callable[[Any], list[Fields]]
    pack: Callable[[list[Fields]], Any]
    link: Callable[[Fields, Fields], str] = lambda _left, _right: "and"
    empty: str | None = "nothing"

    def write(self, *values: Any) -> str | None:
        """The elements, joined."""
        elements = self.unpack(values[0])
        written = [self.element.write(element, whole=True) or "" for element in elements]
        return join(written, lambda a, b: self.link(elements[a], elements[b])) or self.empty

    def read(self, scan: Scan, at: int) -> Iterator[tuple[tuple[Any, ...], int]]:
        """The longest list first, down to a single element; or the word for an empty one."""
        for elements, end in self._read(scan, at, []):
            yield (self.pack(elements),), end
        if self.empty and (behind := scan.skip(at, (self.empty,))):
            yield (self.pack([]),), behind

    def _read(
        self, scan: Scan, at: int, before: list[Fields]
    ) -> Iterator[tuple[list[Fields], int]]:
        taken = {element["name"] for element in before}
        word = scan.word(at) if before else None
        begin = at + (word in _LINKS)
        for found, end in self.element.read(scan, begin, {}):
            if found["name"] in taken:
                scan.object(begin, end, f"{spaced(found['name'])} only once")
                continue
            if word == "or" and self.link(before[-1], found) != "or":
                scan.object(at, end, '"and", as no choice can be told here')
                continue
            elements = [*before, found]
            yield from self._read(scan, end, elements)
            yield elements, end


@dataclass(frozen=True)
class Saying(Kind):
    """A value of which something else is said than that the field is so; it is only read."""

    kind: Kind
    say: Callable[[Any], Any]

    def write(self, *values: Any) -> None:
        """Nothing."""

    def read(self, scan: Scan, at: int) -> Iterator[tuple[tuple[Any, ...], int]]:
        """The value that stands here, and what is said of it."""
        for (value,), end in self.kind.read(scan, at):
            if value:
                yield (self.say(value),), end


def lacking(kind: Kind) -> Kind:
    """A list of what a field does not have."""
    return Saying(kind, lambda value: Excluding(tuple(value)))


def whole(kind: Kind) -> Kind:
    """A list of all that a field has."""
    return Saying(kind, Exactly)
