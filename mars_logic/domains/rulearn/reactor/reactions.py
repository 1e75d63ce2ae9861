"""The reactions that a plan may take: those of a pool of materials, reduced to what is of use."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.rulearn.reactor.rules import Program, products

Yield = tuple[str, ...]
"""What a reaction makes that is of use."""
Inputs = tuple[str, str]
Rows = NDArray[np.int32]
_REARRANGING: Final = frozenset({"reverse", "rotate_left", "rotate_right"})


def rearranges(program: Program) -> bool:
    """Whether only lengths, and whether all letters are equal, decide where letters go."""
    return all(set(template.then) <= _REARRANGING for case in program for template in case.products)


@dataclass(frozen=True)
class Reactions:
    """The reactions of some materials whose products are among them.

    Attributes:
        names: The materials.
        rows: For each pair of inputs and each product, ``int32 (n, 3)``: the places in ``names`` of
            the first input, the second one and the product. What is an input, too, is left out.
    """

    names: tuple[str, ...]
    rows: Rows

    @cached_property
    def place(self) -> Mapping[str, int]:
        """The place of each material."""
        return {name: at for at, name in enumerate(self.names)}


def reactions(program: Program, names: Iterable[str]) -> Reactions:
    """All reactions of these materials, as far as their products are among them."""
    known = tuple(dict.fromkeys(names))
    place = {name: at for at, name in enumerate(known)}
    if rearranges(program):
        parts = list(_rearranged(program, known, place))
    else:
        pairs = [(u, v) for u in known for v in known]
        parts = [_one_by_one(program, pairs, place)]
    rows = np.concatenate([np.zeros((0, 3), dtype=np.int32), *parts])
    rows = rows[(rows[:, 2] != rows[:, 0]) & (rows[:, 2] != rows[:, 1])]
    return Reactions(known, np.unique(rows, axis=0))


def _one_by_one(program: Program, pairs: Iterable[Inputs], place: Mapping[str, int]) -> Rows:
    found = [
        (place[u], place[v], place[made])
        for u, v in pairs
        for made in products(program, u, v)
        if made in place
    ]
    return np.array(found, dtype=np.int32).reshape(-1, 3)


class _Texts:
    """Materials of one length.

    Attributes:
        places: Their places, ``int32 (n,)``.
        letters: Their letters, ``uint8 (n, length)``.
        power: The letter of those of which all letters are equal, else 0, ``uint8 (n,)``.
    """

    def __init__(self, texts: Sequence[str], place: Mapping[str, int]) -> None:
        self.places = np.array([place[each] for each in texts], dtype=np.int32)
        joined = "".join(texts).encode("ascii")
        self.letters = np.frombuffer(joined, np.uint8).reshape(len(texts), -1)
        equal = (self.letters == self.letters[:, :1]).all(axis=1)
        self.power = np.where(equal, self.letters[:, 0], 0)

    @cached_property
    def ordered(self) -> tuple[NDArray[np.bytes_], Rows]:
        """The materials as byte strings in order, and their places."""
        found = _as_bytes(self.letters)
        order = np.argsort(found)
        return found[order], self.places[order]


def _as_bytes(letters: NDArray[np.uint8]) -> NDArray[np.bytes_]:
    return np.ascontiguousarray(letters).view(f"S{letters.shape[1]}")[:, 0]


def _rearranged(program: Program, names: Sequence[str], place: Mapping[str, int]) -> Iterator[Rows]:
    """Reactions by the lengths of their inputs; where all letters are equal, one by one."""
    groups: dict[int, list[str]] = {}
    for each in names:
        groups.setdefault(len(each), []).append(each)
    texts = {size: _Texts(group, place) for size, group in groups.items()}
    apart = any("one_letter" in case.when for case in program)
    for (m, us), (n, vs) in itertools.product(texts.items(), repeat=2):
        equal = us.power[:, None] == np.where(vs.power, vs.power, 1)
        first, second = np.nonzero(~equal if apart else np.ones_like(equal))
        letters = np.concatenate([us.letters[first], vs.letters[second]], axis=1)
        for places in arrangement(program, m, n):
            if len(places) in texts:
                known, numbers = texts[len(places)].ordered
                found = _as_bytes(letters[:, places])
                at = np.minimum(np.searchsorted(known, found), len(known) - 1)
                hit = known[at] == found
                rows = us.places[first[hit]], vs.places[second[hit]], numbers[at[hit]]
                yield np.stack(rows, axis=1)
    if apart:
        powers = [each for each in names if len(set(each)) == 1]
        pairs = [(u, v) for u, v in itertools.product(powers, repeat=2) if u[0] == v[0]]
        yield _one_by_one(program, pairs, place)


def useful(table: Reactions, stored: Iterable[str], target: str) -> dict[Yield, tuple[Inputs, ...]]:
    """The yields that can be part of a shortest plan, with inputs that give them.

    A product is left out of a reaction whose inputs cannot be made without it, and so is one that
    does not serve the target. Of two pairs of inputs with the same yield, one is left out if all
    that the other one needs is needed for it anyway.

    Args:
        table: The reactions. The target is among its materials.
        stored: What is at hand.
        target: What is to be made.
    """
    start = np.zeros(len(table.names), dtype=np.bool_)
    start[[table.place[each] for each in stored]] = True
    rows = table.rows[~start[table.rows[:, 2]]]
    while True:
        needed = _needed(rows, start)
        first, second, made = rows.T
        word, bit = made >> 6, (made & 63).astype(np.uint64)
        inputs = needed[first, word] | needed[second, word]
        kept = (inputs >> bit) & np.uint64(1) == 0
        kept &= _serving(rows, table.place[target], len(start))[made]
        if kept.all():
            return _yields(table.names, rows, needed, start)
        rows = rows[kept]


def _needed(rows: Rows, start: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """For each material those that every way to it makes, itself among them, as bits.

    Nothing is needed of what is at hand; all bits are set for what cannot be made.
    """
    size = len(start)
    at = np.arange(size)
    own = np.zeros((size, (size + 63) // 64), dtype=np.uint64)
    own[at, at >> 6] = np.uint64(1) << (at & 63).astype(np.uint64)
    found = np.full_like(own, ~np.uint64(0))
    found[start] = 0
    rows = rows[np.argsort(rows[:, 2], kind="stable")]
    made, begin = np.unique(rows[:, 2], return_index=True)
    while len(rows):
        ways = found[rows[:, 0]] | found[rows[:, 1]]
        new = np.bitwise_and.reduceat(ways, begin, axis=0) | own[made]
        if (new == found[made]).all():
            break
        found[made] = new
    return found


def _serving(rows: Rows, goal: int, size: int) -> NDArray[np.bool_]:
    """Whether each material is the goal or goes into one that serves it."""
    found = np.zeros(size, dtype=np.bool_)
    found[goal] = True
    many = 0
    while many < (many := int(found.sum())):
        used = rows[found[rows[:, 2]]]
        found[used[:, :2]] = True
    return found


def _yields(
    names: Sequence[str], rows: Rows, needed: NDArray[np.uint64], start: NDArray[np.bool_]
) -> dict[Yield, tuple[Inputs, ...]]:
    if not len(rows):
        return {}
    begins = np.flatnonzero(np.append(True, (rows[1:, :2] != rows[:-1, :2]).any(axis=1)))
    made = rows[:, 2].tolist()
    groups: dict[tuple[int, ...], list[int]] = {}
    for begin, end in itertools.pairwise([*begins.tolist(), len(made)]):
        groups.setdefault(tuple(made[begin:end]), []).append(begin)
    ways = needed[rows[:, 0]] | needed[rows[:, 1]]
    sizes = np.bitwise_count(ways).sum(axis=1)
    own = [0 if here else 1 << at for at, here in enumerate(start.tolist())]
    pairs = rows[:, :2].tolist()
    found: dict[Yield, tuple[Inputs, ...]] = {}
    for key, group in groups.items():
        kept: list[int] = []
        marks: list[int] = []
        for at in sorted(group, key=sizes.__getitem__):
            missing = ~int.from_bytes(ways[at].tobytes(), sys.byteorder)
            if all(mark & missing for mark in marks):
                kept.append(at)
                marks.append(own[pairs[at][0]] | own[pairs[at][1]])
        inputs = ((names[pairs[at][0]], names[pairs[at][1]]) for at in kept)
        found[tuple(names[each] for each in key)] = tuple(inputs)
    return found


MOST_MATERIALS: Final = 400
"""Materials in a pool; further ones that backward search finds are left out."""
_ANY: Final = "?"
"""A letter of an input that does not show in the product."""
_SIGNS: Final = 0x100
"""Letters that stand for places of the inputs, beginning here."""
_FEWEST_FOR_POWER: Final = 2


def pool(program: Program, target: str, storage: Iterable[str]) -> frozenset[str]:
    """The materials that a plan may use.

    They are what is in storage, and inputs of reactions that make the target, inputs of those that
    make these, and so on. Where a letter of an input does not show in the product, it may be any
    raw material, once on the way; where several do not, powers of a raw material, and what a
    material of the pool gives with itself, take the place.

    Args:
        program: How two materials react.
        target: What is to be made.
        storage: What is at hand.
    """
    stored = tuple(dict.fromkeys(storage))
    letters = tuple(each for each in stored if len(each) == 1)
    found: dict[str, None] = dict.fromkeys((target, *stored))
    patterns: dict[str, None] = {}
    _close(program, [target], found, patterns)
    single = [each for each in patterns if each.count(_ANY) == 1]
    filled = [each.replace(_ANY, letter) for each in single for letter in letters]
    _add(found, filled)
    _close(program, filled, found, patterns)
    several = [each for each in patterns if each.count(_ANY) > 1]
    _add(found, _fillings(program, several, letters, tuple(found)))
    return frozenset(found)


def _add(found: dict[str, None], more: Iterable[str]) -> None:
    for each in more:
        if len(found) < MOST_MATERIALS:
            found.setdefault(each)


def _close(
    program: Program, start: Iterable[str], found: dict[str, None], patterns: dict[str, None]
) -> None:
    """Add the inputs of reactions that make these, and so on; and the patterns of such inputs."""
    waiting = list(dict.fromkeys(start))
    for made in waiting:
        for inputs in preimages(program, made):
            for each in inputs:
                if _ANY in each:
                    patterns.setdefault(each)
                elif each not in found and len(found) < MOST_MATERIALS:
                    found[each] = None
                    waiting.append(each)


def _fillings(
    program: Program, patterns: Iterable[str], letters: Iterable[str], known: tuple[str, ...]
) -> Iterator[str]:
    """Materials that match a pattern, and what they are made of where that are powers."""
    twice = [each for x in known for each in products(program, x, x)]
    for pattern in patterns:
        stated = set(pattern) - {_ANY}
        if len(stated) <= 1:
            for letter in stated or letters:
                for size in range(_FEWEST_FOR_POWER, len(pattern) + 1):
                    yield letter * size
        yield from (each for each in twice if _matches(each, pattern))


def _matches(material: str, pattern: str) -> bool:
    return len(material) == len(pattern) and all(
        wanted in (_ANY, letter) for letter, wanted in zip(material, pattern, strict=True)
    )


def preimages(program: Program, made: str) -> Iterator[tuple[str, str]]:
    """Inputs of which one product is this, with ``?`` for letters that do not show in it.

    Found are those of reactions that rearrange letters; inputs are at most twice as long.
    """
    size = len(made)
    for (m, n), arrangements in _arrangements(program, 2 * size).items():
        for places in arrangements:
            if len(places) == size and (inputs := _placed(places, made, m + n)) is not None:
                u, v = inputs[:m], inputs[m:]
                if _ANY in inputs or made in products(program, u, v):
                    yield u, v


def _placed(places: tuple[int, ...], made: str, size: int) -> str | None:
    """The letters of the inputs, by where each letter of a product was; None if they contradict."""
    inputs = [_ANY] * size
    for place, letter in zip(places, made, strict=True):
        if inputs[place] not in (_ANY, letter):
            return None
        inputs[place] = letter
    return "".join(inputs)


@lru_cache(maxsize=256)
def _arrangements(
    program: Program, most: int
) -> dict[tuple[int, int], tuple[tuple[int, ...], ...]]:
    """For inputs of these lengths, where in the inputs the letters of each product were."""
    return {
        (m, n): arrangement(program, m, n) for m in range(1, most + 1) for n in range(1, most + 1)
    }


@lru_cache(maxsize=1 << 15)
def arrangement(program: Program, m: int, n: int) -> tuple[tuple[int, ...], ...]:
    """Where in inputs of these lengths, one after the other, the letters of each product are.

    The letters of the inputs are distinct here.
    """
    signs = "".join(chr(_SIGNS + each) for each in range(m + n))
    return tuple(
        tuple(ord(each) - _SIGNS for each in found)
        for found in products(program, signs[:m], signs[m:])
    )
