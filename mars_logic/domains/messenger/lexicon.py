"""Lexicons: terms, and by how much each raises the log-odds of a name, a role or a motion."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import yaml
from numpy.typing import NDArray

from mars_logic.domains.messenger.rules import MOTIONS, NAMES, ROLES
from mars_logic.system.files import read_text
from mars_logic.world.fields import nearest, shown
from mars_logic.world.problems import Document, WorldError
from mars_logic.world.source import parse

PARTS: Final = {"names": NAMES, "roles": ROLES, "motions": MOTIONS}
"""The parts of a lexicon, and what the terms of each stand for."""
IGNORED: Final = "ignored"
USUAL_WEIGHT: Final = 3.0
_LARGEST_WEIGHT: Final = 100
_WHAT: Final = "a lexicon in YAML: a mapping of at most 2 MB"
_MOST_BYTES: Final = 2_000_000

Words = tuple[str, ...]


@dataclass(frozen=True)
class Match:
    """A term that stands in a sentence.

    Attributes:
        start: The place of its first word.
        words: The words.
        weights: By what the term stands for: the log-odds that it adds.
    """

    start: int
    words: Words
    weights: Mapping[str, float]

    @property
    def meaning(self) -> str:
        """What it speaks for most."""
        return max(self.weights, key=lambda each: self.weights[each])


class Lexicon:
    """Terms with weights, of one part for each of names, roles and motions.

    Args:
        terms: By part and term: what it stands for, with weights. A word of a term may end with a
            star.
        ignored: Words that tell nothing.
    """

    def __init__(
        self, terms: Mapping[str, Mapping[Words, Mapping[str, float]]], ignored: Iterable[str] = ()
    ) -> None:
        self.terms = {part: dict(terms.get(part, {})) for part in PARTS}
        self.ignored = frozenset(ignored)
        self._first = {part: _by_first(found) for part, found in self.terms.items()}
        self._longest = max(
            (len(each) for found in self._first.values() for each in found), default=0
        )

    def __add__(self, other: Lexicon) -> Lexicon:
        """Both together: weights of a term in both are added."""
        parts: dict[str, dict[Words, dict[str, float]]] = {}
        for part in PARTS:
            found = parts[part] = {term: dict(w) for term, w in self.terms[part].items()}
            for term, weights in other.terms[part].items():
                mine = found.setdefault(term, {})
                for each, weight in weights.items():
                    mine[each] = mine.get(each, 0.0) + weight
        return Lexicon(parts, self.ignored | other.ignored)

    def matches(self, part: str, words: Sequence[str]) -> list[Match]:
        """The terms of a part in a sentence; of overlapping ones the longest, then the first.

        Of terms that fit the same words, as ``chasing`` and ``chas*``, the weights are added.
        """
        found: dict[tuple[int, int], Match] = {}
        for match in self._all(part, words):
            key = match.start, len(match.words)
            found[key] = _together(found[key], match) if key in found else match
        taken: set[int] = set()
        kept = []
        for match in sorted(found.values(), key=lambda each: (-len(each.words), each.start)):
            places = range(match.start, match.start + len(match.words))
            if taken.isdisjoint(places):
                taken.update(places)
                kept.append(match)
        return sorted(kept, key=lambda each: each.start)

    def scores(self, part: str, words: Sequence[str]) -> NDArray[np.float64]:
        """float64[k]: for each of the part's k meanings, the log-odds that a sentence adds."""
        meanings = PARTS[part]
        found = np.zeros(len(meanings))
        for match in self.matches(part, words):
            for each, weight in match.weights.items():
                found[meanings.index(each)] += weight
        return found

    def to_yaml(self) -> str:
        """The lexicon as a file."""
        document: dict[str, Any] = {}
        for part, meanings in PARTS.items():
            by_meaning: dict[str, list[Any]] = {each: [] for each in meanings}
            for term, weights in sorted(self.terms[part].items()):
                for each, weight in weights.items():
                    by_meaning[each].append({" ".join(term): round(weight, 3)})
            document[part] = {each: terms for each, terms in by_meaning.items() if terms}
        if self.ignored:
            document[IGNORED] = sorted(self.ignored)
        return yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=100)

    def _all(self, part: str, words: Sequence[str]) -> Iterator[Match]:
        for start, word in enumerate(words):
            for key in (
                word,
                *(f"{word[:size]}*" for size in range(min(len(word), self._longest) + 1)),
            ):
                for term, weights in self._first[part].get(key, ()):
                    here = tuple(words[start : start + len(term)])
                    if len(here) == len(term) and all(map(_fits, term[1:], here[1:])):
                        yield Match(start, here, weights)


def _together(one: Match, other: Match) -> Match:
    meanings = {*one.weights, *other.weights}
    weights = {m: one.weights.get(m, 0.0) + other.weights.get(m, 0.0) for m in meanings}
    return Match(one.start, one.words, weights)


def _by_first(
    terms: Mapping[Words, Mapping[str, float]],
) -> dict[str, list[tuple[Words, Mapping[str, float]]]]:
    found: dict[str, list[tuple[Words, Mapping[str, float]]]] = {}
    for term, weights in terms.items():
        found.setdefault(term[0], []).append((term, weights))
    return found


def _fits(pattern: str, word: str) -> bool:
    return word.startswith(pattern[:-1]) if pattern.endswith("*") else word == pattern


def words_of(sentence: str) -> Words:
    """The words of a sentence: lower case, without apostrophes and what marks a genitive."""
    plain = sentence.lower().replace("’", "'")
    plain = re.sub(r"'s\b", "", plain).replace("'", "")
    return tuple(re.findall(r"[a-z]+", plain))


def load_lexicon(path: str | Path) -> Lexicon:
    """Read a lexicon.

    Raises:
        WorldError: There is no such file, or something in it is wrong.
    """
    return _checked(parse(read_text(Path(path), _WHAT, _MOST_BYTES), str(path), _WHAT))


@cache
def usual_lexicon() -> Lexicon:
    """The bundled lexicon."""
    return load_lexicon(Path(__file__).with_name("lexicon.yaml"))


def _checked(document: Document) -> Lexicon:
    terms: dict[str, dict[Words, dict[str, float]]] = {}
    allowed = (*PARTS, IGNORED)
    for part, held in document.data.items():
        if part == IGNORED:
            continue
        if part not in PARTS:
            message = f"there is no part {shown(part)}{nearest(str(part), allowed)}"
            raise WorldError(document.problem((part,), message, ", ".join(allowed)))
        if not isinstance(held, Mapping):
            message, remedy = f"{shown(held)} is no mapping", "lists of terms by meaning"
            raise WorldError(document.problem((part,), message, remedy))
        found = terms.setdefault(part, {})
        for meaning, listed in held.items():
            place = (part, meaning)
            if meaning not in PARTS[part]:
                message = f"unknown meaning {shown(meaning)}{nearest(str(meaning), PARTS[part])}"
                raise WorldError(document.problem(place, message, ", ".join(PARTS[part])))
            for term, weight in _terms(document, place, listed):
                found.setdefault(term, {})[meaning] = weight
    ignored = document.data.get(IGNORED, [])
    if not isinstance(ignored, list) or not all(isinstance(each, str) for each in ignored):
        raise WorldError(document.problem((IGNORED,), "this is no list of words", "words"))
    return Lexicon(terms, ignored)


def _terms(
    document: Document, place: tuple[str, str], listed: Any
) -> Iterator[tuple[Words, float]]:
    if not isinstance(listed, list):
        message, allowed = f"{shown(listed)} is no list", "a list of terms"
        raise WorldError(document.problem(place, message, allowed))
    for index, each in enumerate(listed):
        item = _item(each)
        if item is None:
            allowed = f"words, or 'words: weight' with a weight to {_LARGEST_WEIGHT}"
            message = f"{shown(each)} is no term"
            raise WorldError(document.problem((*place, index), message, allowed))
        yield item


def _item(each: Any) -> tuple[Words, float] | None:
    """A term and its weight; None if it is none."""
    text, weight = each, USUAL_WEIGHT
    if isinstance(each, Mapping) and len(each) == 1:
        text, weight = next(iter(each.items()))
    elif isinstance(each, str) and ":" in each:
        text, _, number = each.partition(":")
        try:
            weight = float(number)
        except ValueError:
            return None
    term = tuple(text.lower().split()) if isinstance(text, str) else ()
    real = isinstance(weight, int | float) and not isinstance(weight, bool)
    if not term or not real or not abs(weight) <= _LARGEST_WEIGHT:
        return None
    return (term, float(weight)) if all(re.fullmatch(r"[a-z]+\*?", w) for w in term) else None
