"""Where creatures come during play: in chunks of the map that have enough of their ground.

These are constants of the game, whatever the world's rules make of the ground.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mars_logic.plan.lore import CODE
from mars_logic.plan.seen import AREA
from mars_logic.sim.layout import CHUNK

if TYPE_CHECKING:
    from mars_logic.plan.ground import Mask, Situation

SPAWN_GROUND = {"zombie": "grass", "skeleton": "path"}
"""Where creatures come."""
_ENOUGH = {"zombie": 50, "skeleton": 6}
"""Cells of that ground that a chunk needs."""
_FIRST_NIGHT = 300
"""The step at which the first night is over."""


def comers(daylight: float) -> int:
    """How many zombies come to a chunk, one after the other, when it is so bright."""
    return int(3.5 - 3 * daylight)


def breeding(here: Situation, being: str) -> Mask:
    """bool[64, 64]: the cells on which a creature may come."""
    there = here.seen.materials == CODE[SPAWN_GROUND[being]]
    mask: Mask = there & (_in_chunk(there) >= _ENOUGH[being])
    return mask


def last_resort(here: Situation) -> Mask:
    """bool[64, 64]: ground without which creatures would come nowhere that are still to be met.

    Once the first night is over, nobody waits for them any more.
    """
    kept = np.zeros((AREA, AREA), np.bool_)
    if here.status.step >= _FIRST_NIGHT:
        return kept
    for being in SPAWN_GROUND:
        if not is_wanted(here, being):
            continue
        there = breeding(here, being)
        if there.sum() == _ENOUGH[being]:
            kept |= there  # it is all in one chunk
    return kept


def is_wanted(here: Situation, being: str) -> bool:
    """Whether an achievement is still to be had of a creature."""
    goals = set(here.lore.world.achievements) - here.status.unlocked
    return any(goal.endswith(f"_{being}") for goal in goals)


def _in_chunk(there: Mask) -> NDArray[np.int64]:
    """int64[64, 64]: how many cells of a mask are in the same chunk as each cell."""
    starts = np.arange(0, AREA, CHUNK)
    columns = np.add.reduceat(there, starts, axis=0, dtype=np.int64)
    sums = np.add.reduceat(columns, starts, axis=1)
    counts: NDArray[np.int64] = sums.repeat(CHUNK, axis=0).repeat(CHUNK, axis=1)[:AREA, :AREA]
    return counts
