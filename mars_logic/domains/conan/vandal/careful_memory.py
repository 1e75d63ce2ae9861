"""Memory of the careful vandal: its state, and what it knows of the rules, as records."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from mars_logic.domains.conan.codes import CODE, ITEM, OBJECT
from mars_logic.domains.conan.vandal.flood import FLOOD_DTYPE
from mars_logic.domains.conan.vandal.log import LOG_DTYPE
from mars_logic.domains.conan.vandal.reference import GROUND
from mars_logic.sim.layout import STREAM_DTYPE

Array = Any
"""In annotations of kernels: an array."""
Stage = Any
"""In annotations: one record of ``careful_play.CAREFUL_STAGE_DTYPE``."""
Tables = Any
"""In annotations: one record of :data:`CAREFUL_TABLES_DTYPE`."""

CAREFUL_DTYPE: Final = np.dtype(
    [
        ("at", np.int32),  # the operation of the plan
        ("target", np.int32),  # the cell that is gone to, or -1
        ("expected", np.int32),  # the cell where a thing was being placed, or -1
        ("why", np.int8),  # the reason of the turn's action (Why)
        ("need", np.int8),  # index in the inventory of the need that is served, or 0
        ("waits", np.int32, (4,)),  # until which step a need is left, which could not be served
        ("fleeing", np.bool_),
        ("food", np.int8),  # the first of the foods it looks for
        ("kills", np.int32, (len(OBJECT),)),
        ("costs", np.int64, (len(CODE),)),
        ("burdens", np.int64, (len(OBJECT),)),
        ("stream", STREAM_DTYPE),
        ("flood", FLOOD_DTYPE),
        ("log", LOG_DTYPE),
    ],
    align=True,
)
"""State of a careful vandal and its scratch memory."""

MOST_FOODS: Final = 8
CAREFUL_TABLES_DTYPE: Final = np.dtype(
    [
        *GROUND,
        ("cuttable", np.uint8, (len(CODE),)),  # collecting leaves what can be walked on
        ("tools", np.int16, (len(CODE), len(ITEM))),  # what collecting requires
        ("water", np.uint8, (len(CODE),)),  # what can be drunk
        # Foods of minimal proofs: creature (or 0), and the codes it is collected from.
        ("foods", np.int8),
        ("food_creature", np.int16, (MOST_FOODS,)),
        ("food_mask", np.uint8, (MOST_FOODS, len(CODE))),
        ("eat", np.int16, (len(ITEM),)),  # the action that eats an item, or 0
        ("brackets", np.int16, (5,)),  # of needs by their index in the inventory; 4: of fleeing
    ],
    align=True,
)
"""What a careful vandal knows of the rules."""
