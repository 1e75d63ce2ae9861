"""Packing signatures: kernels that put values in their places."""

from __future__ import annotations

from typing import Any

import numpy as np

from mars_logic.kernel import kernel
from mars_logic.theory.evidence.layout import (
    AFTER,
    ARROWS,
    ASLEEP,
    BEFORE,
    HELD,
    NEAR,
    NO_LIMIT,
    RECOVERY,
    ZERO,
)
from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM

_HEALTH = names.ITEMS.index("health")
_HALF = np.uint64(32)
_HELD = np.uint64(((1 << HELD.width) - 1) << HELD.shift)
"""Where the packed amounts of all items are those of what is held."""


@kernel
def emit(news: Any, first: int, second: int, third: int) -> None:
    """Add a signature to the news of a transition."""
    row = news.rows[news.count]
    row.words[0] = first
    row.words[1] = second
    row.words[2] = third
    row.count = 1
    row.trajectory = news.trajectory
    row.step = news.step
    news.count += 1


@kernel
def held(items: Any) -> int:
    """The amounts of what is held, in the place of ``HELD`` and ``HELD_AFTER``."""
    every = _packed(items.words[0]) | _packed(items.words[1]) << _HALF
    return np.int64(every & _HELD)  # type: ignore[return-value]


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


@kernel
def span(before: int, after: int, least: int, most: int) -> int:
    """By how much an action may have changed a vital, of which needs took some: 10 bits."""
    low = after - before - most + ZERO if after > 0 else NO_LIMIT
    high = after - before - least + ZERO if after < MAXIMUM else NO_LIMIT
    return int(low | high << 5)
