"""Languages of programs: lists of them with their lengths, evaluated all at once.

A program does the same with letters whatever they are called, as long as their order is kept. What
all programs make is therefore computed once for all pairs of inputs that differ in letters alone.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.rulearn.reactor.reactions import arrangement, rearranges
from mars_logic.domains.rulearn.reactor.rules import (
    CONDITIONS,
    OPERATIONS,
    Program,
    ReactionCase,
    products,
)

Products = tuple[str, ...]
Places = NDArray[np.int64]
ORDERS: Final = (
    ("first", "second"),
    ("second", "first"),
    ("longer", "shorter"),
    ("shorter", "longer"),
)
CUTS: Final = (1, -1, "middle", "middle_down")
EXCEPTIONS: Final[tuple[tuple[str, ...], ...]] = (
    (),
    ("equal_lengths",),
    ("one_letter",),
    ("equal_lengths", "one_letter"),
    ("even_total",),
)
EXTRA_BITS: Final = 2.0
"""Length of each thing that a program does beside joining its inputs, its choice aside."""
JOINED: Final = {"products": [{"join": [{"of": "first"}, {"of": "second"}]}]}
_FEW: Final = 600
"""Programs fewer than these are evaluated without the others."""
_FIRST_LETTER: Final = ord("A")


@dataclass(frozen=True)
class Outcomes:
    """What the programs of a language make of two materials.

    Attributes:
        codes: For each program the place of its products, ``int32 (programs,)``.
        made: The different products.
    """

    codes: NDArray[np.int32]
    made: tuple[Products, ...]

    def renamed(self, letters: Sequence[str]) -> Outcomes:
        """With these letters for the first ones of the alphabet."""
        names = {_FIRST_LETTER + at: letter for at, letter in enumerate(letters)}
        made = tuple(tuple(each.translate(names) for each in found) for found in self.made)
        return Outcomes(self.codes, made)


def numbered(found: Sequence[Products]) -> Outcomes:
    """Outcomes of these products, one a program."""
    places: dict[Products, int] = {}
    codes = [places.setdefault(each, len(places)) for each in found]
    return Outcomes(np.array(codes, dtype=np.int32), tuple(places))


def canonical(u: str, v: str) -> tuple[str, str, list[str]]:
    """Two materials with the first letters of the alphabet, in order, for theirs; and theirs."""
    letters = sorted(set(u + v))
    names = {ord(letter): _FIRST_LETTER + at for at, letter in enumerate(letters)}
    return u.translate(names), v.translate(names), letters


class ProgramList:
    """A language of programs that are listed.

    Args:
        programs: The programs, with their lengths in bits.
    """

    def __init__(self, programs: Sequence[tuple[Program, float]]) -> None:
        self._programs = [program for program, _ in programs]
        self._plain = [rearranges(program) for program, _ in programs]
        self._where: dict[tuple[int, int, int], tuple[tuple[int, ...], ...]] = {}
        self.prior = 2.0 ** -np.array([bits for _, bits in programs], dtype=np.float64)

    def outcomes(self, u: str, v: str, places: Places) -> Outcomes:
        """What each of these programs makes of two materials."""
        return numbered([self._made(each, u, v) for each in places.tolist()])

    def _made(self, place: int, u: str, v: str) -> Products:
        both = u + v
        if not self._plain[place] or len(set(both)) == 1:
            return products(self._programs[place], u, v)
        key = place, len(u), len(v)
        if key not in self._where:
            self._where[key] = arrangement(self._programs[place], len(u), len(v))
        return tuple("".join([both[at] for at in where]) for where in self._where[key])

    def program(self, place: int) -> Program:
        """A program."""
        return self._programs[place]


@dataclass(frozen=True)
class _Body:
    """What a program makes when it makes no exception.

    Attributes:
        case: The products.
        base: The place of the same without its operation.
        operation: What is done with each product; empty: nothing.
        bits: Its length.
    """

    case: ReactionCase
    base: int
    operation: str
    bits: float


@cache
def _bodies() -> tuple[tuple[_Body, ...], tuple[ReactionCase, ...]]:
    """All bodies, each once, and what they are without operations."""
    bodies: dict[ReactionCase, _Body] = {}
    bases: dict[ReactionCase, int] = {}
    for order, backwards in itertools.product(ORDERS, (False, True)):
        extra = EXTRA_BITS * (order[0] in ("longer", "shorter")) + EXTRA_BITS * backwards
        for templates, bits in _shapes(*order, backwards=backwards):
            base = ReactionCase.model_validate({"products": templates})
            place = bases.setdefault(base, len(bases))
            for operation in ("", *OPERATIONS):
                then = {"then": [operation]} if operation else {}
                case = ReactionCase.model_validate({"products": [t | then for t in templates]})
                more = EXTRA_BITS + math.log2(len(OPERATIONS)) if operation else 0.0
                body = _Body(case, place, operation, 1 + extra + bits + more)
                if case not in bodies or bodies[case].bits > body.bits:
                    bodies[case] = body
    return tuple(bodies.values()), tuple(bases)


def _shapes(
    host: str, guest: str, *, backwards: bool
) -> Iterator[tuple[list[dict[str, Any]], float]]:
    """Ways to put a guest to a host, as templates of products, with their lengths in bits."""
    added: dict[str, Any] = {"of": guest} | ({"reversed": True} if backwards else {})
    yield [{"join": [{"of": host}, added]}], 0.0
    yield [{"interleave": [{"of": host}, added]}], EXTRA_BITS
    bits = EXTRA_BITS + math.log2(len(CUTS))
    for cut in CUTS:
        head, tail = {"of": host, "to": cut}, {"of": host, "from": cut}
        yield [{"join": [head, added, tail]}], bits
        yield [{"join": [head, added]}, {"join": [tail]}], bits + 1
        yield [{"join": [added, tail]}, {"join": [head]}], bits + 1


class PlainLanguage:
    """Programs that put one input beside, into or in turn with the other one.

    It may be read backwards; something may be done with the result; and there may be an exception
    in which the inputs are joined as they are.
    """

    def __init__(self) -> None:
        bodies, _ = _bodies()
        body_bits = np.array([body.bits for body in bodies])
        extra = EXTRA_BITS + math.log2(len(EXCEPTIONS) - 1)
        case_bits = np.array([[extra if each else 0.0] for each in EXCEPTIONS])
        self.prior = (2.0 ** -(body_bits + case_bits)).ravel()

    def outcomes(self, u: str, v: str, places: Places) -> Outcomes:
        """What each of these programs makes of two materials."""
        one, other, letters = canonical(u, v)
        if len(places) < _FEW:
            return _some_outcomes(one, other, places).renamed(letters)
        found = _plain_outcomes(one, other).renamed(letters)
        return Outcomes(found.codes[places], found.made)

    def program(self, place: int) -> Program:
        """A program."""
        bodies, _ = _bodies()
        exception, body = divmod(place, len(bodies))
        if not EXCEPTIONS[exception]:
            return (bodies[body].case,)
        first = ReactionCase.model_validate({"if": EXCEPTIONS[exception], **JOINED})
        return (first, bodies[body].case)


@lru_cache(maxsize=1 << 16)
def _arranged(base: int, m: int, n: int) -> tuple[tuple[int, ...], ...]:
    """Where in inputs of these lengths the letters of each product are."""
    return arrangement((_bodies()[1][base],), m, n)


def _texts(base: int, u: str, v: str) -> Products:
    """The products of a body without operation."""
    both = u + v
    return tuple("".join([both[at] for at in places]) for places in _arranged(base, len(u), len(v)))


def _excepted(u: str, v: str) -> list[bool]:
    return [any(CONDITIONS[each](u, v) for each in exception) for exception in EXCEPTIONS]


def _some_outcomes(u: str, v: str, places: Places) -> Outcomes:
    bodies, _ = _bodies()
    excepted, joined = _excepted(u, v), (u + v,)
    known: dict[int, Products] = {}
    found: list[Products] = []
    exceptions, numbers = np.divmod(places, len(bodies))
    for exception, number in zip(exceptions.tolist(), numbers.tolist(), strict=True):
        if excepted[exception]:
            found.append(joined)
            continue
        if number not in known:
            body = bodies[number]
            change = OPERATIONS[body.operation] if body.operation else str
            known[number] = tuple(map(change, _texts(body.base, u, v)))
        found.append(known[number])
    return numbered(found)


@lru_cache(maxsize=1 << 14)
def _plain_outcomes(u: str, v: str) -> Outcomes:
    bodies, bases = _bodies()
    texts = [_texts(base, u, v) for base in range(len(bases))]
    after: Mapping[str, Mapping[Products, Products]] = {
        "": {each: each for each in texts},
        **{
            name: {each: tuple(map(change, each)) for each in set(texts)}
            for name, change in OPERATIONS.items()
        },
    }
    found = numbered([*(after[body.operation][texts[body.base]] for body in bodies), (u + v,)])
    plain, joined = found.codes[:-1], np.full(len(bodies), found.codes[-1])
    codes = np.concatenate([joined if each else plain for each in _excepted(u, v)])
    return Outcomes(codes, found.made)


Language = PlainLanguage | ProgramList
"""Programs in a fixed order; ``prior`` is 2 to the power of minus the length in bits of each."""
