"""Packing signatures: kernels that put values in their places."""

from __future__ import annotations

from typing import Any

from mars_logic.kernel import kernel
from mars_logic.theory.evidence.layout import (
    AFTER,
    ARROWS,
    ASLEEP,
    BEFORE,
    MOST,
    NEAR,
    NO_LIMIT,
    PER_ITEM,
    RECOVERY,
    ZERO,
)
from mars_logic.world import names

_HEALTH = names.ITEMS.index("health")
_VITALS, _ITEMS = len(names.VITALS), len(names.ITEMS)


@kernel
def tell(news: Any, first: int, second: int, third: int) -> None:
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
    found = 0
    for item in range(_ITEMS - 1, _VITALS - 1, -1):
        found = found << PER_ITEM | items.amounts[item]
    return found << 16


@kernel
def health(step: Any, before: Any, after: Any) -> int:
    """What became of health."""
    found = before.amounts[_HEALTH] << BEFORE.shift | after.amounts[_HEALTH] << AFTER.shift
    found |= (step.recovery + 1) << RECOVERY.shift | (1 if step.asleep else 0) << ASLEEP.shift
    for who in range(len(NEAR)):
        found |= step.near[who] << (NEAR[0].shift + who * NEAR[0].width)
    return int(found | step.arrows << ARROWS.shift)


@kernel
def span(before: int, after: int, least: int, most: int) -> int:
    """By how much an action may have changed a vital, of which needs took some: 10 bits."""
    low = after - before - most + ZERO if after > 0 else NO_LIMIT
    high = after - before - least + ZERO if after < MOST else NO_LIMIT
    return int(low | high << 5)
