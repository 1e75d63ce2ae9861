"""The words of a sentence, and how far they could be read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

_WORD = re.compile(r"[0-9][0-9.eE+\-]*%?|[^\s_,;:()\[\]*\"`\u201c\u201d]+")
_ARTICLES = ("", "a", "an", "the", "any", "each", "every", "its")
_ADVERBS = ("also", "always", "both", "exactly", "then", "will")
_DASHES = ("-", "\u2013", "\u2014", "\u2022")
_FILLERS = frozenset((*_ARTICLES, *_ADVERBS, *_DASHES))
_SYNONYMS = {
    "appears": ("appear",),
    "approaches": (
        *("approach", "chases", "chase", "follows", "follow"),
        *("moves towards", "move towards", "moves toward", "move toward"),
    ),
    "arrow": ("arrows",),
    "attacks": ("attack",),
    "chance": ("of time",),
    "cannot": ("can't", "can not"),
    "collecting": ("gathering", "to collect", "to gather"),
    "costs": ("cost",),
    "deals": ("deal",),
    "does": ("do",),
    "does not": ("doesn't", "don't", "does not", "do not", "never"),
    "gives": ("give", "restores", "restore", "increases", "increase"),
    "has": ("have",),
    "hit": ("hits",),
    "is": ("are",),
    "it": ("they", "that"),
    "kills": ("kill",),
    "leaves": ("leave",),
    "lets": ("let",),
    "making": ("crafting", "to make", "to craft"),
    "mining": ("to mine",),
    "move": ("moves",),
    "needs": ("need", "requires", "require"),
    "placing": ("to place",),
    "player": ("you",),
    "shoots": ("shoot",),
    "sleeps": ("sleep",),
    "starts": ("start",),
    "stays": ("stay",),
    "uses": ("use", "consumes", "consume"),
    "wanders about": (
        *("wander about", "wanders about", "wander around", "wanders around"),
        *("walk around", "walks around", "move around", "moves around"),
    ),
    "wood": ("wooden",),
    "works": ("work",),
    "yields": ("yield", "produces", "produce"),
    **{
        str(number): (word,)
        for number, word in enumerate(
            ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine"), 1
        )
    },
}
"""Words, each with those that are read as it: other forms of it, and other words for the same."""
_READ_AS = {tuple(other.split()): word for word, others in _SYNONYMS.items() for other in others}
_LONGEST = max(map(len, _READ_AS))


@dataclass(frozen=True)
class Word:
    """One word of a sentence: how it is compared, and where it stands."""

    text: str
    start: int
    end: int


def words_of(sentence: str) -> tuple[Word, ...]:
    """The words that carry meaning, in lower case; articles and punctuation carry none.

    Words that mean the same are read as one of them, and so are the forms of a verb.

    >>> [word.text for word in words_of("Placing a Table  consumes 2 wood_pickaxes.")]
    ['placing', 'table', 'uses', '2', 'wood', 'pickaxes']
    """
    found = []
    for match in _WORD.finditer(sentence):
        raw = match[0].rstrip(".!")
        text = raw.lower().replace("\u2019", "'")
        if text not in _FILLERS:
            found.append(Word(text, match.start(), match.start() + len(raw)))
    return tuple(_read_alike(found))


def _read_alike(words: list[Word]) -> Iterator[Word]:
    """The words, with those that have the same meaning replaced by one of them."""
    at = 0
    while at < len(words):
        for length in range(_LONGEST, 0, -1):
            some = words[at : at + length]
            known = _READ_AS.get(tuple(word.text for word in some))
            if known or length == 1:
                yield Word(known or some[0].text, some[0].start, some[-1].end)
                at += len(some)
                break


@cache
def template_words(text: str) -> tuple[str, ...]:
    """The words of a piece of a form, as they are compared."""
    return tuple(word.text for word in words_of(text))


@dataclass
class Scan:
    """A sentence under reading; knows how far any attempt came, and what would have fitted there.

    Attributes:
        words: The words of the sentence.
        furthest: The position that no attempt came past.
        wanted: Words that would have fitted there.
        objections: What is wrong with words just before it that could be read, but say what
            cannot be; with the position at which these words begin.
    """

    words: tuple[Word, ...]
    furthest: int = 0
    wanted: set[str] = field(default_factory=set)
    objections: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._texts = tuple(word.text for word in self.words)

    def word(self, at: int) -> str | None:
        """The word at a position, or None behind the last one."""
        return self._texts[at] if at < len(self._texts) else None

    def fail(self, at: int, *wanted: str) -> None:
        """Note that the word at this position does not fit, and what would have."""
        if self._reached(at):
            self.wanted.update(wanted)

    def object(self, start: int, end: int, wanted: str) -> None:
        """Note that the words between two positions say what cannot be, and what could."""
        if self._reached(end):
            self.objections[wanted] = start

    def _reached(self, at: int) -> bool:
        if at > self.furthest:
            self.furthest = at
            self.wanted = set()
            self.objections = {}
        return at == self.furthest

    def stands(self, at: int, words: tuple[str, ...]) -> bool:
        """Whether these words stand at a position."""
        return self._texts[at : at + len(words)] == words

    def skip(self, at: int, words: tuple[str, ...], plural: bool = False) -> int | None:
        """The position behind these words if they stand here, perhaps in the plural."""
        end = at + len(words)
        if self.stands(at, words):
            return end
        if plural and self.stands(at, (*words[:-1], f"{words[-1]}s")):
            return end
        if end > self.furthest:
            offset = next(n for n, word in enumerate(words) if self.word(at + n) != word)
            self.fail(at + offset, words[offset])
        return None
