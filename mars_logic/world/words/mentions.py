"""What the words of a line mention: names, numbers, cues. Nothing is read by it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from mars_logic.system.resources import values_at
from mars_logic.world import names
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words.nouns import CRAFTER

_TOKEN: Final = re.compile(
    r"(?P<ratio>[0-9]+ (?:in|out of) [0-9]+)"
    r"|(?P<number>(?:(?<![\w])[+\-\u2212])?[0-9]*\.?[0-9]+ ?%?(?: ?percent)?)"
    r"|(?P<times>x[0-9]+\b)|(?P<word>[a-z]+(?:['\u2019][a-z]+)?)|(?P<mark>->|\u2192|=>|[=+?])"
)
_WORDS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_IN_NUMBERS: Final = re.compile(rf"\b({'|'.join(_WORDS)})\b")
_FILLERS: Final = frozenset(
    (
        *("a", "an", "the", "of", "to", "is", "are", "be", "it", "its", "you", "your", "i", "my"),
        *("we", "that", "this", "and", "or", "in", "on", "at", "as", "so", "there", "here"),
        *("they", "them", "u", "s", "t"),
    )
)
"""Words that tell nothing by themselves."""
_NEGATED: Final = re.compile(r"n['\u2019]t$")

_SCOPE: Final = 3
"""How many words behind it a negation reaches."""

Phrase = tuple[str, ...]


class Span(NamedTuple):
    """Some words of a line, from a position on, up to another."""

    start: int
    end: int

    @property
    def places(self) -> frozenset[int]:
        """The positions of its words."""
        return frozenset(range(self.start, self.end))


class Amount(NamedTuple):
    """A number in a line: its place, its value, its sign if it has one, and if it is a chance."""

    place: int
    value: float
    signed: bool
    chance: bool


@dataclass(frozen=True)
class Mentions:
    """What a line mentions.

    Attributes:
        words: Its words, in lower case; numbers are words, too.
        named: Where names of the vocabulary stand; of overlapping ones the longest.
        amounts: Where numbers stand.
        negations: Positions of words such as "not" and "without".
        doubtful: Whether the line hedges, plans, asks or wonders.
    """

    words: tuple[str, ...]
    named: tuple[tuple[str, Span], ...]
    amounts: tuple[Amount, ...]
    negations: frozenset[int]
    doubtful: bool

    @property
    def content(self) -> frozenset[int]:
        """The positions of words that are no fillers."""
        return frozenset(at for at, word in enumerate(self.words) if word not in _FILLERS)

    def cued(self, *keys: str) -> frozenset[int]:
        """The positions of the words of all cues under some keys."""
        return frozenset().union(*(_found(self.words, key) for key in keys))

    def denying(self, cues: Iterable[int]) -> frozenset[int]:
        """The positions of negations that stand shortly before one of some words."""
        every = [*cues]
        return frozenset(
            at for at in self.negations if any(0 < each - at <= _SCOPE for each in every)
        )

    def amount_of(self, span: Span) -> Amount | None:
        """The number that belongs to a name: before it, else behind it, with no name between."""
        taken = {at for _, other in self.named if other != span for at in other.places}
        for places in (
            range(span.start - 1, max(-1, span.start - 4), -1),
            range(span.end, min(len(self.words), span.end + 3)),
        ):
            for place in places:
                if place in taken or self.words[place] in ("+", "and"):
                    break
                for each in self.amounts:
                    if each.place == place:
                        return each
        return None


def mentions(line: str, known: Vocabulary = CRAFTER) -> Mentions:
    """What a line mentions.

    Args:
        line: The line.
        known: The vocabulary of its world.
    """
    text = line.lower().replace("_", " ").replace("\u2019", "'")
    text = re.sub(r"(?<=[a-z])-(?=[a-z])", " ", text)
    text = _IN_NUMBERS.sub(lambda found: str(_WORDS.index(found[0]) + 1), text)
    words: list[str] = []
    amounts: list[Amount] = []
    for match in _TOKEN.finditer(text):
        if match.lastgroup in ("ratio", "number", "times"):
            amounts.append(_amount(len(words), match[0], str(match.lastgroup)))
        words.append(match[0].strip())
    plain = tuple("not" if _NEGATED.search(word) else word.replace("'", "") for word in words)
    named, negations = found_phrases(plain, _phrases(known)), _found(plain, "negation")
    return Mentions(plain, named, tuple(amounts), negations, bool(_found(plain, "doubt")))


def _amount(place: int, text: str, kind: str) -> Amount:
    if kind == "ratio":
        one, other = re.findall("[0-9]+", text)
        return Amount(place, int(one) / max(int(other), 1), False, True)
    if kind == "times":
        return Amount(place, int(text[1:]), False, False)
    plain = text.replace("\u2212", "-")
    value = float(re.sub(r"[^0-9.\-]", "", plain.rstrip(".")))
    if "%" in plain or "percent" in plain:
        return Amount(place, value / 100, False, True)
    return Amount(place, value, plain[0] in "+-", "." in plain)


@cache
def _cues() -> Mapping[str, Sequence[Phrase]]:
    """The phrases of each key, as words."""
    held = values_at(Path(__file__).with_name("cues.yaml"))
    return {
        key: [tuple(each.split()) for each in listed]
        for key, listed in held.items()
        if key != "names"
    }


@cache
def _phrases(known: Vocabulary) -> Mapping[Phrase, str]:
    """The phrases for each name of a vocabulary."""
    aliases = values_at(Path(__file__).with_name("cues.yaml"))["names"]
    found: dict[Phrase, str] = {}
    usual = (*names.NATURAL, *names.ITEMS, *names.BEINGS, *names.PLACEABLE, "table", "furnace")
    added = (*(each.name for each in known.added), *known.items[len(names.ITEMS) :])
    every = (*usual, *added) if known.wide else usual
    for name in dict.fromkeys(every):
        parts = [(part, *aliases.get(part, ())) for part in name.split("_")]
        for phrase in _products(parts):
            found[phrase] = name
            if len(parts) == 2:
                found[(phrase[-1], *phrase[:-1])] = name
                found[(phrase[-1], "of", *phrase[:-1])] = name
    for name, others in aliases.items():
        if name in every or name == "player":
            found |= {tuple(each.split()): name for each in others}
    return found


def _products(parts: Sequence[Sequence[str]]) -> list[Phrase]:
    found: list[Phrase] = [()]
    for part in parts:
        found = [(*before, *each.split()) for before in found for each in part]
    return found


def found_phrases(
    words: tuple[str, ...], phrases: Mapping[Phrase, str]
) -> tuple[tuple[str, Span], ...]:
    """What phrases in some words stand for; of those that overlap, the longest and then the first.

    Args:
        words: The words.
        phrases: Each phrase with what it stands for.
    """
    found = [
        (name, Span(start, start + len(phrase)))
        for phrase, name in phrases.items()
        for start in range(len(words))
        if _stands(words, start, phrase, plural=True)
    ]
    taken: set[int] = set()
    kept = []
    for name, span in sorted(found, key=lambda each: (each[1].start - each[1].end, each[1].start)):
        if taken.isdisjoint(span.places):
            taken |= span.places
            kept.append((name, span))
    return tuple(sorted(kept, key=lambda each: each[1].start))


@cache
def _found(words: tuple[str, ...], key: str) -> frozenset[int]:
    """The positions of the words of cues."""
    return frozenset(
        at
        for phrase in _cues().get(key, ())
        for start in range(len(words))
        if _stands(words, start, phrase)
        for at in range(start, start + len(phrase))
    )


def _stands(words: Sequence[str], start: int, phrase: Iterable[str], plural: bool = False) -> bool:
    """Whether a phrase stands at a position."""
    at = start
    for pattern in phrase:
        if at >= len(words):
            return False
        word = words[at]
        fits = word.startswith(pattern[:-1]) if pattern.endswith("*") else word == pattern
        if not fits and plural and word.endswith("s"):
            fits = word[:-1] == pattern.rstrip("*")
        if not fits:
            return False
        at += 1
    return True
