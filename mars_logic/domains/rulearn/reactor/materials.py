"""Materials that a plan may use: a pool, found backwards from the target."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from mars_logic.domains.rulearn.reactor.programs import Program, products

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
