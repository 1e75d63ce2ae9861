"""The time of day, as rules of worlds ask for it."""

from __future__ import annotations

from mars_logic.kernel import inline_kernel

_DARK = 0.5
"""Daylight below which it is night."""
_DAY = 1
_NIGHT = 2


@inline_kernel
def is_time(when: int, daylight: float) -> bool:
    """Whether it is a time of day, one of ``cell_rules.TIMES`` by its place there."""
    if when == _DAY:
        return daylight >= _DARK
    return when != _NIGHT or daylight < _DARK
