"""Spawning during play: chunks of the map with enough of a creature's ground.

These are constants of the game, whatever the world's rules make of the ground.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mars_logic.plan.surroundings import KnownState, Mask
from mars_logic.world.dialect import AREA, BALANCE, CHUNK, DAY, ZOMBIES_AT_NIGHT, ZOMBIES_BY_DAY

SPAWN_GROUND = {being: BALANCE[being].ground for being in ("zombie", "skeleton")}
"""Where creatures come that have to be met."""


def comers(daylight: float) -> int:
    """How many zombies come to a chunk, one after the other, when it is so bright."""
    return int(ZOMBIES_AT_NIGHT - ZOMBIES_BY_DAY * daylight)


def breeding(here: KnownState, being: str) -> Mask:
    """bool[64, 64]: the cells on which a creature may come."""
    there = here.seen.materials == here.code[SPAWN_GROUND[being]]
    mask: Mask = there & (_in_chunk(there) >= BALANCE[being].enough)
    return mask


def last_resort(here: KnownState) -> Mask:
    """bool[64, 64]: ground without which creatures would come nowhere that are still to be met.

    Once the first night is over, nobody waits for them any more.
    """
    kept = np.zeros((AREA, AREA), np.bool_)
    if here.status.step >= DAY:
        return kept
    for being in SPAWN_GROUND:
        if not is_wanted(here, being):
            continue
        there = breeding(here, being)
        if there.sum() == BALANCE[being].enough:
            kept |= there  # it is all in one chunk
    return kept


def is_wanted(here: KnownState, being: str) -> bool:
    """Whether an achievement is still to be had of a creature."""
    goals = set(here.model.world.achievements) - here.status.unlocked
    return any(goal.endswith(f"_{being}") for goal in goals)


def _in_chunk(there: Mask) -> NDArray[np.int64]:
    """int64[64, 64]: how many cells of a mask are in the same chunk as each cell."""
    starts = np.arange(0, AREA, CHUNK)
    columns = np.add.reduceat(there, starts, axis=0, dtype=np.int64)
    sums = np.add.reduceat(columns, starts, axis=1)
    counts: NDArray[np.int64] = sums.repeat(CHUNK, axis=0).repeat(CHUNK, axis=1)[:AREA, :AREA]
    return counts
