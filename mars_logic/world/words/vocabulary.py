"""Words of sentences in normal form, and where they stand: by the tables of ``synonyms``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property

from mars_logic.world.words.synonyms import SYNONYMS

_WORD = re.compile(
    r"[0-9][0-9.eE+\-]*%?"
    r"|(?:[^\s_,;:()\[\]*\"`\u201c\u201d\-]|(?<![A-Za-z])-|-(?![A-Za-z]))+"
)
"""A number, or letters up to a mark, a blank, or a hyphen between two letters."""
_ARTICLES = ("", "a", "an", "the", "any", "each", "every", "its")
_ADVERBS = ("also", "always", "both", "exactly", "then", "will")
_DASHES = ("-", "\u2013", "\u2014", "\u2022")
FILLERS = frozenset((*_ARTICLES, *_ADVERBS, *_DASHES))
"""Words that carry no meaning."""


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
        fillers: Words that carry no meaning.
        names: Names that a world adds, each with the words that it is read by: itself, and itself
            in grave accents; names that could be mistaken for other words have the latter alone.
    """

    synonyms: Mapping[tuple[str, ...], str]
    fillers: frozenset[str]
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        table: Mapping[str, Iterable[str]],
        fillers: Collection[str] = FILLERS,
    ) -> SynonymTable:
        """The phrases of each normal form, and the words that are left out."""
        phrases = {
            phrase: normal
            for normal, others in table.items()
            for phrase in (*others, normal)
            if phrase
        }
        return cls(
            {
                tuple(word for word in phrase.split() if word not in fillers): normal
                for phrase, normal in phrases.items()
            },
            frozenset(fillers),
        )

    def with_names(self, spellings: Mapping[str, tuple[str, ...]]) -> SynonymTable:
        """This table with more names, each of which is read as one word.

        Args:
            spellings: Each name with its singular and its plural in sentences; no spelling for a
                name that is read in grave accents alone.
        """
        singular = {self.raw(told[0]): name for name, told in spellings.items() if told}
        plural = {self.raw(told[1]): f"{name}s" for name, told in spellings.items() if told}
        names = {
            name: (*((name,) if told else ()), quoted(name)) for name, told in spellings.items()
        }
        return replace(self, synonyms={**self.synonyms, **plural, **singular}, names=names)

    def words_of(self, sentence: str) -> tuple[Word, ...]:
        """The words that carry meaning, in lower case; articles and punctuation carry none.

        Synonyms are replaced by one of them, and so are the forms of a verb.

        >>> [word.text for word in CANONICAL.words_of("Placing a Table  consumes 2 wood_pickaxes.")]
        ['placing', 'table', 'uses', '2', 'wood', 'pickaxes']
        """
        return tuple(self._normal(list(self._raw(sentence))))

    def template_words(self, text: str) -> tuple[str, ...]:
        """The words of a piece of a form, in normal form."""
        return _template_words(self, text)

    def raw(self, text: str) -> tuple[str, ...]:
        """The words that carry meaning, as they are."""
        return tuple(word.text for word in self._raw(text))

    def without_quoted(self, sentence: str) -> str:
        """A sentence without the names in grave accents."""
        return self._quoted.sub("thing", sentence) if self.names else sentence

    @cached_property
    def _quoted(self) -> re.Pattern[str]:
        """Names in grave accents."""
        spellings = (re.escape(name).replace("_", "[_ ]") for name in self.names)
        return re.compile(f"`(?:{'|'.join(spellings)})`", re.IGNORECASE)

    @cached_property
    def _word(self) -> re.Pattern[str]:
        if not self.names:
            return _WORD
        return re.compile(f"{self._quoted.pattern}|{_WORD.pattern}", re.IGNORECASE)

    def _raw(self, sentence: str) -> Iterator[Word]:
        for match in self._word.finditer(sentence):
            if match[0].startswith("`"):
                yield Word(match[0].lower().replace(" ", "_"), match.start(), match.end())
                continue
            raw = match[0].rstrip(".!")
            text = raw.lower().replace("\u2019", "'")
            end = match.start() + len(raw)
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


def quoted(name: str) -> str:
    """A name in grave accents, as one word."""
    return f"`{name}`"


CANONICAL = SynonymTable.of(SYNONYMS)
"""The words of sentences about worlds."""


@cache
def _template_words(table: SynonymTable, text: str) -> tuple[str, ...]:
    return tuple(word.text for word in table.words_of(text))
