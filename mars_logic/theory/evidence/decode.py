"""From packed signatures back to named ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.theory.evidence import layout
from mars_logic.theory.evidence.layout import NO_LIMIT, ZERO, Bits
from mars_logic.theory.signatures import (
    ANY,
    Collecting,
    Health,
    Held,
    Hitting,
    Making,
    Motion,
    Moved,
    Passage,
    Placing,
    Shot,
    Signature,
    Span,
    Standing,
    Start,
    Tread,
    Unharmed,
)
from mars_logic.world import names

Words = tuple[int, int, int]
_TOLD: Final = {layout.NO: False, layout.YES: True, layout.UNTOLD: None}
_FULL: Final = (1 << layout.PER_ITEM) - 1


def decoded(rows: NDArray[np.void]) -> Iterator[Signature]:
    """The signatures of rows, in their order."""
    return unpacked(rows["words"])


def unpacked(words: NDArray[np.int64]) -> Iterator[Signature]:
    """The signatures that are packed into int64[n, 3]."""
    for three in words.tolist():
        yield _decoded(*three)


@lru_cache(maxsize=1 << 14)
def _decoded(first: int, second: int, third: int) -> Signature:
    words = first, second, third
    return _MAKERS[_at(words, layout.KIND)](words)


def _at(words: Words, bits: Bits) -> int:
    return words[bits.word] >> bits.shift & (1 << bits.width) - 1


def _material(words: Words, bits: Bits = layout.SUBJECT) -> str:
    return names.MATERIALS[_at(words, bits)]


def _being(words: Words) -> str:
    return names.BEINGS[_at(words, layout.SUBJECT)]


def _flag(words: Words) -> bool:
    return bool(_at(words, layout.FLAG))


def _among(words: Words, all_of: tuple[str, ...]) -> tuple[str, ...]:
    bits = _at(words, layout.AROUND)
    return tuple(name for i, name in enumerate(all_of) if bits >> i & 1)


def _held(words: Words, bits: Bits) -> Held:
    packed = _at(words, bits)
    return tuple(packed >> shift & _FULL for shift in range(0, bits.width, layout.PER_ITEM))


def _span(words: Words, bits: tuple[Bits, Bits]) -> Span:
    least, most = (_at(words, each) for each in bits)
    return (
        -ANY if least == NO_LIMIT else least - ZERO,
        ANY if most == NO_LIMIT else most - ZERO,
    )


def _health(words: Words) -> Health:
    return Health(
        before=_at(words, layout.BEFORE),
        after=_at(words, layout.AFTER),
        recovery=_at(words, layout.RECOVERY) - 1,
        asleep=bool(_at(words, layout.ASLEEP)),
        near=tuple(_at(words, bits) for bits in layout.NEAR),
        arrows=_at(words, layout.ARROWS),
    )


def _collecting(words: Words) -> Collecting:
    material, appeared = _material(words), _at(words, layout.OTHER)
    return Collecting(
        material=material,
        held=_held(words, layout.HELD),
        left=_material(words, layout.LEFT),
        held_after=_held(words, layout.HELD_AFTER),
        drink=_span(words, layout.DRINK),
        food=_span(words, layout.FOOD),
        got_drink=_TOLD[_at(words, layout.TOLD)],
        appeared=names.LOOKS[appeared] if appeared else "",
        clear=_flag(words),
        health=_health(words) if material in names.LIQUIDS else None,
    )


def _placing(words: Words) -> Placing:
    return Placing(
        thing=names.PLACEABLE[_at(words, layout.SUBJECT)],
        material=_material(words, layout.OTHER),
        held=_held(words, layout.HELD),
        left=_material(words, layout.LEFT),
        planted=_flag(words),
        held_after=_held(words, layout.HELD_AFTER),
    )


def _making(words: Words) -> Making:
    return Making(
        tool=names.TOOLS[_at(words, layout.SUBJECT)],
        nearby=_among(words, names.MATERIALS),
        held=_held(words, layout.HELD),
        held_after=_held(words, layout.HELD_AFTER),
    )


def _hitting(words: Words) -> Hitting:
    return Hitting(
        being=_being(words),
        killed=_TOLD[_at(words, layout.TOLD)],
        food=_span(words, layout.FOOD),
        drink=_span(words, layout.DRINK),
        health=_health(words),
    )


def _motion(words: Words) -> Motion:
    x, y = (_at(words, bits) - ZERO for bits in layout.WAY)
    ground = _material(words, layout.LEFT)
    return Motion(_being(words), ground, (x, y), _at(words, layout.WENT))


_MAKERS: Final[dict[int, Callable[[Any], Signature]]] = {
    layout.START: lambda words: Start(_material(words)),
    layout.PASSAGE: lambda words: Passage(_material(words), _flag(words)),
    layout.TREAD: lambda words: Tread(_material(words), _health(words)),
    layout.COLLECTING: _collecting,
    layout.PLACING: _placing,
    layout.MAKING: _making,
    layout.HITTING: _hitting,
    layout.STANDING: lambda words: Standing(_health(words)),
    layout.SHOT: lambda words: Shot(_among(words, names.BEINGS)),
    layout.MOVED_ON: lambda words: Moved(_being(words)),
    layout.MOTION: _motion,
    layout.UNHARMED: lambda words: Unharmed(_being(words), _flag(words)),
}
