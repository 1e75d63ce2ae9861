"""Symbolic observations as codes: rows of one table of embeddings, in a fixed order.

Every fact about what is seen (a material on a cell, an object on a cell, an amount of an item, the
direction, sleep, the level of daylight) is one row of the table. What is absent (nothing beyond the
map's edge, no object, none of an item) is code 0, which stands for no row at all.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from mars_logic.compiled.kernel import kernel
from mars_logic.sim import LOOKS, Observation
from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM, VIEW_HEIGHT, VIEW_WIDTH

_CELLS: Final = VIEW_WIDTH * VIEW_HEIGHT
_MATERIALS: Final = len(names.MATERIALS) - 1
_LOOKS: Final = len(LOOKS) - 1
_ITEMS: Final = len(names.ITEMS)
_LEVELS: Final = 8
_OBJECTS_FROM: Final = 1 + _CELLS * _MATERIALS
_ITEMS_FROM: Final = _OBJECTS_FROM + _CELLS * _LOOKS
_FACING_FROM: Final = _ITEMS_FROM + _ITEMS * MAXIMUM
_SLEEPING: Final = _FACING_FROM + 9
_DAYLIGHT_FROM: Final = _SLEEPING + 1
ROWS: Final = _DAYLIGHT_FROM + _LEVELS
"""The number of codes, 0 included."""
LENGTH: Final = 2 * _CELLS + _ITEMS + 3
"""The number of codes of an observation."""
SPACE: Final = spaces.Box(0, ROWS - 1, (LENGTH,), np.int16)
"""The space of one environment's codes."""


def encode(seen: Observation) -> NDArray[np.int16]:
    """The codes of n observations: int16[n, 145]."""
    out = np.empty((len(seen.daylight), LENGTH), np.int16)
    _encode(seen.arrays, out)
    return out


@kernel
def _encode(seen: Any, out: Any) -> None:
    materials, objects, inventory, facing, sleeping, daylight = seen
    for i in range(len(out)):
        cell = 0
        for x in range(VIEW_WIDTH):
            for y in range(VIEW_HEIGHT):
                material, look = np.int64(materials[i, x, y]), np.int64(objects[i, x, y])
                out[i, cell] = 0 if material == 0 else cell * _MATERIALS + material
                at = _OBJECTS_FROM + cell * _LOOKS + look - 1
                out[i, _CELLS + cell] = 0 if look == 0 else at
                cell += 1
        for item in range(_ITEMS):
            amount = np.int64(inventory[i, item])
            at = _ITEMS_FROM + item * MAXIMUM + amount - 1
            out[i, 2 * _CELLS + item] = 0 if amount <= 0 else at
        last = 2 * _CELLS + _ITEMS
        out[i, last] = _FACING_FROM + 3 * (facing[i, 0] + 1) + facing[i, 1] + 1
        out[i, last + 1] = _SLEEPING if sleeping[i] else 0
        level = np.int64(daylight[i] * _LEVELS)
        out[i, last + 2] = _DAYLIGHT_FROM + (level if level < _LEVELS else _LEVELS - 1)
