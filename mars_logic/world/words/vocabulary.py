"""Words of sentences in normal form, and where they stand: by the tables of ``synonyms``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from mars_logic.world.words.synonyms import CANONICAL_SYNONYMS, FREE_SYNONYMS

_WORD = re.compile(r"[0-9][0-9.eE+\-]*%?|[^\s_,;:()\[\]*\"`\u201c\u201d]+")
_ARTICLES = ("", "a", "an", "the", "any", "each", "every", "its")
_ADVERBS = ("also", "always", "both", "exactly", "then", "will")
_DASHES = ("-", "\u2013", "\u2014", "\u2022")
_FILLERS = frozenset((*_ARTICLES, *_ADVERBS, *_DASHES))


@dataclass(frozen=True)
class Word:
    """One word of a sentence: its normal form and its position."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, eq=False)
class SynonymTable:
    """Synonyms and the way to find words in a text.

    Attributes:
        synonyms: Each phrase, as words without fillers, with its normal form.
        free: Whether possessives and signed numbers are taken apart, as in free text.
        fillers: Words that carry no meaning.
    """

    synonyms: Mapping[tuple[str, ...], str]
    free: bool
    fillers: frozenset[str]

    @classmethod
    def of(
        cls,
        *tables: Mapping[str, Iterable[str]],
        free: bool = False,
        fillers: Collection[str] = _FILLERS,
    ) -> SynonymTable:
        """The union of some tables, of which later ones go before earlier ones."""
        phrases = {
            phrase: normal
            for table in tables
            for normal, others in table.items()
            for phrase in (*others, normal)
            if phrase
        }
        return cls(
            {
                tuple(word for word in phrase.split() if word not in fillers): normal
                for phrase, normal in phrases.items()
            },
            free,
            frozenset(fillers),
        )

    def words_of(self, sentence: str) -> tuple[Word, ...]:
        """The words that carry meaning, in normal form."""
        return tuple(self._normal(list(self._raw(sentence))))

    def template_words(self, text: str) -> tuple[str, ...]:
        """The words of a piece of a form, in normal form."""
        return _template_words(self, text)

    def _raw(self, sentence: str) -> Iterator[Word]:
        for match in _WORD.finditer(sentence):
            raw = match[0].rstrip(".!")
            text = raw.lower().replace("\u2019", "'")
            end = match.start() + len(raw)
            if self.free:
                text = _POSSESSIVE.sub(r"\1", text)
                if signed := _SIGNED.fullmatch(text):
                    verb = "gives" if signed[1] == "+" else "costs"
                    yield Word(verb, match.start(), end)
                    text = signed[2]
            if text not in self.fillers:
                yield Word(text, match.start(), end)

    def _normal(self, words: list[Word]) -> Iterator[Word]:
        """The words, with synonyms replaced by one of them."""
        at, longest = 0, max(map(len, self.synonyms))
        while at < len(words):
            for length in range(longest, 0, -1):
                some = words[at : at + length]
                known = self.synonyms.get(tuple(word.text for word in some))
                if known is not None or length == 1:
                    text = some[0].text if known is None else known
                    if text:
                        yield Word(text, some[0].start, some[-1].end)
                    at += len(some)
                    break


_POSSESSIVE = re.compile(r"^(?!(?:it|that|there)'s$)(\w+)'s?$")
_SIGNED = re.compile(r"([+\-\u2212])([0-9]+)")

CANONICAL = SynonymTable.of(CANONICAL_SYNONYMS)
"""The vocabulary of canonical sentences, and of what is near to them."""
FREE = SynonymTable.of(CANONICAL_SYNONYMS, FREE_SYNONYMS, free=True)
"""The vocabulary of free text."""


@cache
def _template_words(table: SynonymTable, text: str) -> tuple[str, ...]:
    return tuple(word.text for word in table.words_of(text))


def words_of(sentence: str) -> tuple[Word, ...]:
    """The words that carry meaning, in lower case; articles and punctuation carry none.

    Synonyms are replaced by one of them, and so are the forms of a verb.

    >>> [word.text for word in words_of("Placing a Table  consumes 2 wood_pickaxes.")]
    ['placing', 'table', 'uses', '2', 'wood', 'pickaxes']
    """
    return CANONICAL.words_of(sentence)
