"""Programs of a larger language that explain what was seen, searched by what they must make.

The language has up to two cases, the first with up to two conditions; in each case up to three
products, each a join of up to three pieces or an interleaving of two, with up to one operation.
Where that cannot be undone, it joins up to two short pieces. Pieces begin and end at one of a few
places. Programs are not enumerated: the letters of products lead from piece to piece.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from mars_logic.domains.rulearn.reactor.language import EXTRA_BITS, JOINED, Products
from mars_logic.domains.rulearn.reactor.reactions import Inputs
from mars_logic.domains.rulearn.reactor.rules import (
    CONDITIONS,
    OPERATIONS,
    SOURCES,
    ProductTemplate,
    Program,
    ReactionCase,
    TextPiece,
    interleaved,
)

Evidence = Mapping[Inputs, Products]
PLACES: Final = ("middle", "middle_down", 1, -1, 2, -2)
"""Where a piece may begin or end beside the ends of its input."""
MOST_PIECES: Final = 3
MOST_PRODUCTS: Final = 3
_LISTED: Final = 40
"""Ways to make what was seen in one case that are kept, the shortest ones."""
_CHOICES: Final = 4
"""Pieces of the same texts that are told apart, the shortest ones."""
_UNDO: Final = {
    "": "",
    "reverse": "reverse",
    "rotate_left": "rotate_right",
    "rotate_right": "rotate_left",
}
"""Operations with those that undo them."""
_SHORT: Final = 1 + 2 * EXTRA_BITS
"""Length in bits of pieces that any operation may follow."""
_LOSSY: Final = tuple(each for each in OPERATIONS if each not in _UNDO)
Texts = tuple[str, ...]
"""A text for each reaction that was seen."""


@dataclass(frozen=True)
class _Way:
    """A part of a program with its length in bits."""

    bits: float
    part: Any


@cache
def _pieces() -> tuple[tuple[TextPiece, float], ...]:
    found = []
    for of, begin, end, backwards in itertools.product(
        SOURCES, ("start", *PLACES), ("end", *PLACES), (False, True)
    ):
        bits = 1 + EXTRA_BITS * (of in ("longer", "shorter")) + EXTRA_BITS * backwards
        bits += (EXTRA_BITS + math.log2(len(PLACES))) * ((begin != "start") + (end != "end"))
        piece = {"of": of, "from": begin, "to": end, "reversed": backwards}
        found.append((TextPiece.model_validate(piece), bits))
    return tuple(sorted(found, key=lambda each: each[1]))


def explanations(seen: Evidence, most: int) -> list[tuple[Program, float]]:
    """Programs that make what was seen, with their lengths in bits, the shortest first.

    Where nothing was seen of a case, its inputs are joined as they are.

    Args:
        seen: The products of pairs of materials.
        most: The largest number of programs.
    """
    search = _Search(seen)
    found: list[_Way] = [_Way(way.bits, (way.part,)) for way in search.cases(tuple(seen))]
    bits = EXTRA_BITS + math.log2(len(CONDITIONS))
    for size in (1, 2):
        for when in itertools.combinations(CONDITIONS, size):
            inside = tuple(p for p in seen if any(CONDITIONS[each](*p) for each in when))
            outside = tuple(p for p in seen if p not in inside)
            for first, last in itertools.product(search.cases(inside), search.cases(outside)):
                case = first.part.model_copy(update={"when": when})
                found.append(_Way(first.bits + last.bits + size * bits, (case, last.part)))
    chosen = heapq.nsmallest(most, found, key=lambda each: each.bits)
    return [(way.part, way.bits) for way in chosen]


class _Search:
    """A search among the reactions that were seen.

    Args:
        seen: The products of pairs of materials.
    """

    def __init__(self, seen: Evidence) -> None:
        self._seen = seen
        self._texts = [
            (piece, bits, {pair: piece.text(*pair) for pair in seen}) for piece, bits in _pieces()
        ]
        self._known: dict[tuple[Inputs, ...], list[_Way]] = {}

    def cases(self, pairs: tuple[Inputs, ...]) -> list[_Way]:
        """Cases that make what was seen of these pairs, the shortest ones."""
        if pairs not in self._known:
            self._known[pairs] = self._cases(pairs)
        return self._known[pairs]

    def _cases(self, pairs: tuple[Inputs, ...]) -> list[_Way]:
        if not pairs:
            return [_Way(0.0, ReactionCase.model_validate(JOINED))]
        classes: dict[Texts, list[_Way]] = {}
        for piece, bits, texts in self._texts:
            vector = tuple(texts[pair] for pair in pairs)
            if any(vector):
                classes.setdefault(vector, []).append(_Way(bits, piece))
        templates: dict[Texts, list[_Way]] = {}
        found: list[_Way] = []
        for wanted in _aligned([self._seen[pair] for pair in pairs]):
            for each in wanted:
                if each not in templates:
                    ways = _shortest(_templates(each, classes))
                    templates[each] = [_template(way) for way in ways]
            for chosen in itertools.product(*(templates[each] for each in wanted)):
                case = ReactionCase.model_construct(
                    when=(), products=tuple(way.part for way in chosen)
                )
                found.append(_Way(math.fsum(way.bits for way in chosen), case))
                if len(found) > _LISTED**2:
                    break
        return _shortest(found)


def _shortest(ways: Iterable[_Way]) -> list[_Way]:
    return heapq.nsmallest(_LISTED, ways, key=lambda each: each.bits)


def _aligned(made: Sequence[Products]) -> Iterator[tuple[Texts, ...]]:
    """What each product of a case may have been, where empty ones do not show."""
    many = max(map(len, made))
    if not 0 < many <= MOST_PRODUCTS:
        return
    shorter = sorted({len(each) for each in made} - {many})
    if not shorter:
        yield tuple(zip(*made, strict=True))
    for empty in itertools.combinations(range(many), many - shorter[0]) if shorter else ():
        rows = []
        for each in made:
            left = list(each)
            rows.append(
                [
                    "" if len(each) < many and at in empty[: many - len(each)] else left.pop(0)
                    for at in range(many)
                ]
            )
        yield tuple(zip(*rows, strict=True))


def _templates(wanted: Texts, classes: Mapping[Texts, list[_Way]]) -> Iterator[_Way]:
    """Templates that make these texts."""
    for operation, undo in _UNDO.items():
        before = tuple(OPERATIONS[undo](each) if undo else each for each in wanted)
        for pieces in _joins(before, classes, MOST_PIECES):
            yield from _built("join", pieces, operation)
        for one, other in _interleavings(before, classes):
            yield from _built("interleave", (classes[one], classes[other]), operation)
    plain = {text: ways for text, ways in classes.items() if ways[0].bits <= _SHORT}
    for operation in _LOSSY:
        change = OPERATIONS[operation]
        for pair in itertools.product(plain, repeat=2):
            if all(change(a + b) == text for a, b, text in zip(*pair, wanted, strict=True)):
                yield from _built("join", [plain[each] for each in pair], operation)


def _interleavings(
    wanted: Texts, classes: Mapping[Texts, list[_Way]]
) -> Iterator[tuple[Texts, Texts]]:
    """Two pieces of which the letters in turn make these texts."""
    second: dict[str, list[Texts]] = {}
    for each in classes:
        second.setdefault(each[0], []).append(each)
    text = wanted[0]
    for one in classes:
        size = len(one[0])
        other = len(text) - size
        turns = 2 * min(size, other)
        rest = text[1:turns:2] + (text[turns:] if other > size else "")
        if other < 0 or interleaved(one[0], rest) != text:
            continue
        for each in second.get(rest, ()):
            if all(map(_alternate, one, each, wanted)):
                yield one, each


def _alternate(one: str, other: str, text: str) -> bool:
    return interleaved(one, other) == text


def _joins(
    wanted: Texts, classes: Mapping[Texts, list[_Way]], most: int
) -> Iterator[tuple[list[_Way], ...]]:
    """Pieces that make these texts one after the other."""
    if wanted in classes:
        yield (classes[wanted],)
    if most == 1:
        return
    for first, ways in classes.items():
        if all(text.startswith(part) for text, part in zip(wanted, first, strict=True)):
            rest = tuple(t[len(p) :] for t, p in zip(wanted, first, strict=True))
            if any(rest):
                for others in _joins(rest, classes, most - 1):
                    yield (ways, *others)


def _built(kind: str, pieces: Sequence[list[_Way]], operation: str) -> Iterator[_Way]:
    """Templates of pieces: their kind, the pieces and the operation."""
    extra = EXTRA_BITS * (kind == "interleave")
    extra += (EXTRA_BITS + math.log2(len(OPERATIONS))) if operation else 0.0
    for ways in itertools.product(*(each[:_CHOICES] for each in pieces)):
        yield _Way(extra + math.fsum(way.bits for way in ways), (kind, ways, operation))


def _template(way: _Way) -> _Way:
    kind, ways, operation = way.part
    stated: dict[str, Any] = {kind: tuple(each.part for each in ways)}
    then = (operation,) if operation else ()
    return _Way(way.bits, ProductTemplate.model_construct(**stated, then=then))
