"""How bright it is, by step of the episode."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from mars_logic.sim.codes import LENGTHS

PERIOD = 300
"""Steps in a day."""


@cache
def daylight_table() -> NDArray[np.float64]:
    """Daylight at steps 0 .. 10000, from 0 (dark) to 1, read-only.

    Computed here and not in a kernel, so that it does not depend on the compiler's mathematics.
    """
    steps = range(max(LENGTHS.values()) + 1)
    progress = [(step / PERIOD) % 1 + 0.3 for step in steps]
    table = np.array([1 - abs(math.cos(math.pi * p)) ** 3 for p in progress])
    table.flags.writeable = False
    return table
