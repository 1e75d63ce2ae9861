"""The words of a sentence, and how far they could be read."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_WORD = re.compile(r"[0-9][0-9.eE+\-]*%?|[^\s_,;:()]+")
_FILLERS = frozenset({"", "a", "an", "the", "-", "*"})
_SYNONYMS = {
    "one": "1",
    "crafting": "making",
    "consumes": "uses",
    "requires": "needs",
    "restores": "gives",
    "increases": "gives",
}


@dataclass(frozen=True)
class Word:
    """One word of a sentence: how it is compared, and where it stands."""

    text: str
    start: int
    end: int


def words_of(sentence: str) -> tuple[Word, ...]:
    """The words that carry meaning, in lower case; articles and punctuation carry none.

    >>> [word.text for word in words_of("Placing a Table  consumes 2 wood_pickaxes.")]
    ['placing', 'table', 'uses', '2', 'wood', 'pickaxes']
    """
    found = []
    for match in _WORD.finditer(sentence):
        raw = match[0].rstrip(".")
        text = _SYNONYMS.get(raw.lower(), raw.lower())
        if text not in _FILLERS:
            found.append(Word(text, match.start(), match.start() + len(raw)))
    return tuple(found)


@dataclass
class Scan:
    """A sentence under reading; knows how far any attempt came, and what would have fitted there.

    Attributes:
        words: The words of the sentence.
        partial: Whether clauses that most sentences have may be missing.
        furthest: The position that no attempt came past.
        wanted: Words that would have fitted there.
        objections: What is wrong with words just before it that could be read, but say what
            cannot be; with the position at which these words begin.
    """

    words: tuple[Word, ...]
    partial: bool = False
    furthest: int = 0
    wanted: set[str] = field(default_factory=set)
    objections: dict[str, int] = field(default_factory=dict)

    def word(self, at: int) -> str | None:
        """The word at a position, or None behind the last one."""
        return self.words[at].text if at < len(self.words) else None

    def fail(self, at: int, wanted: str) -> None:
        """Note that the word at this position does not fit, and what would have."""
        if self._reached(at):
            self.wanted.add(wanted)

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

    def skip(self, at: int, words: tuple[str, ...], plural: bool = False) -> int | None:
        """The position behind these words if they stand here, perhaps in the plural."""
        last = len(words) - 1
        for offset, wanted in enumerate(words):
            seen = self.word(at + offset)
            if seen != wanted and not (plural and offset == last and seen == wanted + "s"):
                self.fail(at + offset, wanted)
                return None
        return at + len(words)
