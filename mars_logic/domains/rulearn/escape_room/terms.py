"""The languages of digits: terms with their lengths in bits, and their values."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.rulearn.escape_room.rules import ATTRIBUTES, FOCUS, DigitTerm, Painting

NOT: Final = "not"
"""The condition that an attribute is not what the hint names."""
_OPERATOR: Final = 2.0
BITS: Final = {"focus": 1.0, NOT: 1.0 + _OPERATOR, "absent": 3.0, "given": 3.0}
"""Length of a condition on the attribute of the hint; a given value needs the value besides."""

Conditions = Mapping[Any, float]
"""Conditions on an attribute, as :func:`count_term` takes them, with their lengths in bits."""


@dataclass(frozen=True, eq=False)
class TermLanguage:
    """Terms, and how they are made of the first of them, which are counts.

    Attributes:
        terms: All terms; counts first.
        bits: float64[terms]: their lengths.
        counts: How many terms are evaluated by themselves: those before sums and differences.
        pairs: int64[pairs, 2]: the places of the two counts of each sum, and of each difference.
    """

    terms: tuple[DigitTerm, ...]
    bits: NDArray[np.float64]
    counts: int
    pairs: NDArray[np.int64]

    def values(self, seen: Sequence[Painting], focus: str) -> NDArray[np.int64]:
        """The digit of each term while the hint names this value, int64[terms]."""
        found = np.array([term.value(seen, focus) for term in self.terms[: self.counts]])
        one, other = found[self.pairs[:, 0]], found[self.pairs[:, 1]]
        every = np.concatenate([found, one + other, np.abs(one - other)])
        return np.asarray(every % 10, dtype=np.int64)


def count_term(medium: Any, color: Any) -> DigitTerm:
    """A count of the paintings with this medium and colour; None: any."""
    stated = {"medium": medium, "color": color}
    return DigitTerm.model_validate({"count": {k: v for k, v in stated.items() if v is not None}})


def stated(condition: Any) -> Any:
    """A condition as a file states it."""
    if condition == NOT:
        return {NOT: FOCUS}
    return {NOT: condition[1]} if isinstance(condition, tuple) else condition


def plain_conditions(attribute: str, focus: str) -> Conditions:
    """None, given, and of the attribute that the hint is about, hinted or not hinted."""
    given = ATTRIBUTES[attribute]
    if attribute != focus:
        bits = math.log2(len(given) + 1)
        return {None: bits, **dict.fromkeys(given, bits)}
    return {
        FOCUS: BITS["focus"],
        NOT: BITS[NOT],
        None: BITS["absent"],
        **dict.fromkeys(given, BITS["given"] + math.log2(len(given))),
    }


def _all_conditions(attribute: str, focus: str) -> Conditions:
    """The plain conditions, and that a value is not a given one: a pair of ``not`` and it."""
    plain = plain_conditions(attribute, focus)
    negated = {(NOT, each): plain[each] + _OPERATOR for each in ATTRIBUTES[attribute]}
    return {**plain, **negated}


def _counts(medium: Conditions, color: Conditions) -> list[tuple[DigitTerm, float]]:
    return [
        (count_term(stated(one), stated(other)), bits + more)
        for one, bits in medium.items()
        for other, more in color.items()
    ]


def single_terms(terms: Sequence[tuple[DigitTerm, float]]) -> TermLanguage:
    """A language of these terms with their lengths."""
    bits = np.array([bits for _, bits in terms])
    return TermLanguage(
        tuple(term for term, _ in terms), bits, len(terms), np.zeros((0, 2), dtype=np.int64)
    )


@cache
def plain_terms(focus: str) -> TermLanguage:
    """Counts of paintings by medium and colour, either left out, given, hinted or not hinted."""
    return single_terms(
        _counts(plain_conditions("medium", focus), plain_conditions("color", focus))
    )


def _pair(kind: str, one: DigitTerm, other: DigitTerm) -> DigitTerm:
    made: dict[str, Any] = {kind: (one, other)}
    return DigitTerm.model_construct(**made)


@cache
def wide_terms(focus: str) -> TermLanguage:
    """All that a file can state of two counts.

    Counts by all conditions, negated ones included; numbers of different values; sums and
    differences of two counts.
    """
    counts = _counts(_all_conditions("medium", focus), _all_conditions("color", focus))
    distinct = [
        (DigitTerm.model_validate({"distinct": attribute, "where": term.count}), _OPERATOR + bits)
        for attribute in ATTRIBUTES
        for term, bits in counts
    ]
    pairs = list(itertools.combinations(range(len(counts)), 2))
    made = [
        (
            _pair(kind, counts[one][0], counts[other][0]),
            _OPERATOR + counts[one][1] + counts[other][1],
        )
        for kind in ("sum", "difference")
        for one, other in pairs
    ]
    every = [*counts, *distinct, *made]
    return TermLanguage(
        tuple(term for term, _ in every),
        np.array([bits for _, bits in every]),
        len(counts) + len(distinct),
        np.array(pairs, dtype=np.int64),
    )
