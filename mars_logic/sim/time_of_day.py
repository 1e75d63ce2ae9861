"""The time of day, as rules of worlds ask for it."""

from __future__ import annotations

from mars_logic.compiled.kernel import inline_kernel
from mars_logic.world.cell_rules import DARK

_DAY = 1
_NIGHT = 2


@inline_kernel
def is_time(when: int, daylight: float) -> bool:
    """Whether it is a time of day, one of ``cell_rules.TIMES`` by its place there."""
    if when == _DAY:
        return daylight >= DARK
    return when != _NIGHT or daylight < DARK
