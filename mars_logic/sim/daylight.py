"""Daylight by step of the episode."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from mars_logic.world.dialect import DAY, DAY_OFFSET, LONGEST_EPISODE


def daylight(step: int) -> float:
    """Daylight at a step of an episode, from 0 (dark) to 1."""
    return 1 - abs(math.cos(math.pi * ((step / DAY) % 1 + DAY_OFFSET))) ** 3


@cache
def daylight_table() -> NDArray[np.float64]:
    """Daylight at steps 0 .. 10000, from 0 (dark) to 1, read-only.

    Computed here and not in a kernel, so that it does not depend on the compiler's mathematics.
    """
    steps = range(LONGEST_EPISODE + 1)
    table = np.array([daylight(step) for step in steps])
    table.flags.writeable = False
    return table
