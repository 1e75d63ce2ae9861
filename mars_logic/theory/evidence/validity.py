"""Whether arrays hold nothing but codes and amounts that there are."""

from __future__ import annotations

from typing import Any

import numpy as np

from mars_logic.compiled.kernel import kernel
from mars_logic.world.dialect import MAXIMUM

_EACH = np.uint64(0x0101010101010101)
_HIGH_BITS = np.uint64(0x80) * _EACH
# Added to each of eight bytes, these reach 128 exactly if a byte is too large, or it is so at once.
_AMOUNTS = np.uint64(127 - MAXIMUM) * _EACH


@kernel
def well_formed(
    materials: Any, objects: Any, inventory: Any, facing: Any, action: Any, known: Any
) -> bool:
    """Whether all values are in range: what indexes an array, and what is packed into few bits.

    Args:
        materials: VIEW_DTYPE[n].
        objects: VIEW_DTYPE[n].
        inventory: ``items_dtype``[n].
        facing: int8[n, 2].
        action: uint8[n - 1].
        known: NAMES_DTYPE: which materials and actions there are.
    """
    wrong, room, largest_action = np.uint64(0), known.material_room, known.largest_action
    looks = known.look_room
    for t in range(len(materials)):
        ground, things, items = materials[t], objects[t], inventory[t]
        for i in range(len(ground.words)):
            wrong |= ground.words[i] | (ground.words[i] + room)
            wrong |= things.words[i] | (things.words[i] + looks)
        wrong |= ground.last | (ground.last + room)
        wrong |= things.last | (things.last + looks)
        for i in range(len(items.words)):
            wrong |= items.words[i] | (items.words[i] + _AMOUNTS)
        if abs(facing[t, 0]) + abs(facing[t, 1]) != 1:
            return False
    for t in range(len(action)):
        if action[t] > largest_action:
            return False
    return bool(wrong & _HIGH_BITS == 0)
