"""The grammar of a vocabulary's sentences: its forms with its names.

Everything is made once for a vocabulary. Vocabularies without added names share Crafter's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Final

from mars_logic.world import names
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words.forms import SentenceForm, forms_of, forms_of_all
from mars_logic.world.words.kinds import OF_VALUES, spaced
from mars_logic.world.words.nouns import CRAFTER, Nouns
from mars_logic.world.words.parts import LINKING, Kind, Optional, Part, Text
from mars_logic.world.words.plurals import plural
from mars_logic.world.words.synonyms import SYNONYMS
from mars_logic.world.words.vocabulary import CANONICAL

Words = tuple[str, ...]
_CRAFTERS_NAMES: Final = (*names.MATERIALS, *names.ITEMS, *names.BEINGS)


@cache
def nouns_of(words: Vocabulary, in_accents: bool = False) -> Nouns:
    """The names of a vocabulary in sentences.

    Args:
        words: The vocabulary.
        in_accents: Whether all added names are written in grave accents, and not only those that
            could be mistaken for words of the grammar.
    """
    if not words.wide:
        return _crafters()
    added = [
        name
        for name in (
            *(material.name for material in words.added),
            *words.moving,
            *words.items[len(names.ITEMS) :],
        )
        if name not in _CRAFTERS_NAMES
    ]
    spellings = {name: (spaced(name), plural(name)) if _is_clear(name) else () for name in added}
    told_in_accents = [name for name in added if in_accents or not spellings[name]]
    return Nouns(words, CANONICAL.with_names(spellings), told_in_accents)


def grammar_of(words: Vocabulary, in_accents: bool = False) -> tuple[SentenceForm, ...]:
    """The sentence form of each family, with the names of a vocabulary."""
    return forms_of(nouns_of(words, in_accents))


@cache
def _crafters() -> Nouns:
    return Nouns(CRAFTER, CANONICAL)


def _is_clear(name: str) -> bool:
    """Whether the words of a name stand beside each other in no sentence without this name."""
    told = (CANONICAL.raw(text) for text in (spaced(name), plural(name)))
    return all(words and not _arises(words) for words in told)


def _arises(words: Words) -> bool:
    """Whether words are one of the grammar, or the border between two pieces of sentences."""
    if len(words) == 1:
        return words in _pieces()
    return any(
        len(piece) >= begin and piece[-begin:] == words[:begin] and _begins(words[begin:])
        for begin in range(1, len(words))
        for piece in _pieces()
    )


def _begins(words: Words) -> bool:
    """Whether a sentence may go on with some words at the border of a piece."""
    return not words or any(
        piece[: len(words)] == words[: len(piece)] and _begins(words[len(piece) :])
        for piece in _pieces()
    )


@cache
def _pieces() -> frozenset[Words]:
    """Words of the grammar, and Crafter's names of several words."""
    phrases = (*SYNONYMS, *(each for row in SYNONYMS.values() for each in row))
    texts = (text for form in forms_of_all(_crafters()) for text in _texts(form.part))
    told = {word for text in (*phrases, *texts, *OF_VALUES, *LINKING) for word in text.split()}
    grammar = {(word.strip("(),;"),) for word in told}
    names_told = (f"{spaced(name)}{s}" for name in _CRAFTERS_NAMES for s in ("", "s"))
    return frozenset((*grammar, *map(CANONICAL.raw, names_told)))


def _texts(part: Any) -> Iterator[str]:
    """The texts in a form."""
    if isinstance(part, Text | Optional):
        yield part.text
    elif isinstance(part, tuple):
        for each in part:
            yield from _texts(each)
    elif isinstance(part, Part | Kind) and is_dataclass(part):
        for field in fields(part):
            yield from _texts(getattr(part, field.name))
