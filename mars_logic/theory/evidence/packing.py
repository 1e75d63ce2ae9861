"""Packing signatures: kernels that put values in their places."""

from __future__ import annotations

from typing import Any

import numpy as np

from mars_logic.compiled.kernel import inline_kernel, kernel
from mars_logic.theory.evidence.layout import (
    AFTER,
    ARROWS,
    ASLEEP,
    BEFORE,
    NARROW,
    NEAR,
    NO_LIMIT,
    RECOVERY,
    WIDE,
    ZERO,
)
from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM

_HEALTH = names.ITEMS.index("health")
_HALF = np.uint64(32)
_HELD = NARROW.held[0].mask
"""Where the packed amounts of the first sixteen items are those of what is held."""
_NARROW_WORDS = NARROW.words
_SUBJECT = NARROW.subject.shift
_LEFT, _TOLD, _FLAG = NARROW.left.shift, NARROW.told.shift, NARROW.flag.shift
_LEFT_WIDE, _TOLD_WIDE, _FLAG_WIDE = WIDE.left.shift, WIDE.told.shift, WIDE.flag.shift
_HELD_WORDS = len(WIDE.held)
_FIRST_HELD, _FIRST_HELD_AFTER = WIDE.held[0].word, WIDE.held_after[0].word


@inline_kernel
def head(news: Any, kind: int, subject: int, left: int, told: int, flag: int) -> int:
    """The beginning of a signature; the attributes are those of :class:`layout.Layout`."""
    row = news.rows[0]
    if len(row.words) > _NARROW_WORDS:
        return (
            kind
            | subject << _SUBJECT
            | left << _LEFT_WIDE
            | told << _TOLD_WIDE
            | flag << _FLAG_WIDE
        )
    return kind | subject << _SUBJECT | left << _LEFT | told << _TOLD | flag << _FLAG


@kernel
def emit(news: Any, first: int, second: int, third: int) -> None:
    """Add a signature to the news of a transition."""
    row = news.rows[news.count]
    row.words[0] = first
    row.words[1] = second
    row.words[2] = third
    for word in range(_NARROW_WORDS, len(row.words)):
        row.words[word] = 0
    row.count = 1
    row.trajectory = news.trajectory
    row.step = news.step
    news.count += 1


@inline_kernel
def emit_held(news: Any, first: int, second: int, third: int, before: Any, after: Any) -> None:
    """Likewise a signature that tells what was held before and afterwards."""
    row = news.rows[news.count]
    if len(row.words) > _NARROW_WORDS:
        emit(news, first, second, third)
        for word in range(_HELD_WORDS):
            row.words[_FIRST_HELD + word] = _sixteen(before, word)
            row.words[_FIRST_HELD_AFTER + word] = _sixteen(after, word)
    else:
        emit(news, first | _sixteen(before, 0), second | _sixteen(after, 0), third)


@kernel
def _sixteen(items: Any, word: int) -> int:
    """The amounts of sixteen items, without the vitals, in the place of what is held."""
    every = _packed(items.words[2 * word]) | _packed(items.words[2 * word + 1]) << _HALF
    return np.int64(every & _HELD if word == 0 else every)  # type: ignore[return-value]


@kernel
def _packed(word: np.uint64) -> np.uint64:
    """The lower halves of eight bytes, without the upper ones between them."""
    word = (word | word >> np.uint64(4)) & np.uint64(0x00FF00FF00FF00FF)
    word = (word | word >> np.uint64(8)) & np.uint64(0x0000FFFF0000FFFF)
    return (word | word >> np.uint64(16)) & np.uint64(0xFFFFFFFF)


@kernel
def health(step: Any, before: Any, after: Any) -> int:
    """The change of health."""
    found = before.amounts[_HEALTH] << BEFORE.shift | after.amounts[_HEALTH] << AFTER.shift
    found |= (step.recovery + 1) << RECOVERY.shift | (1 if step.asleep else 0) << ASLEEP.shift
    for who in range(len(NEAR)):
        found |= step.near[who] << (NEAR[0].shift + who * NEAR[0].width)
    return int(found | step.arrows << ARROWS.shift)


@inline_kernel
def emit_more(news: Any, word: int, value: int) -> None:
    """Fill a word of the signature that was added last, in worlds that add names."""
    row = news.rows[news.count - 1]
    if len(row.words) > _NARROW_WORDS:
        row.words[word] = value


@kernel
def span(before: int, after: int, least: int, most: int) -> int:
    """By how much an action may have changed a vital, of which needs took some: 10 bits."""
    low = after - before - most + ZERO if after > 0 else NO_LIMIT
    high = after - before - least + ZERO if after < MAXIMUM else NO_LIMIT
    return int(low | high << 5)
