"""How the state of an environment lies in memory: one record, which kernels get as a pointer.

A batch is an array of such records. Inside a kernel ``env.player.x`` and ``env.things[3].health``
read and write the record in place, and passing ``env``, ``env.player`` or ``env.things[3]`` to a
helper passes one pointer. (Arrays as arguments of helpers would cost several times the work of a
typical helper.)

Fields that are derived from others, and exist because they are asked for often, are marked so;
``mars_logic.sim.scene`` computes them anew after states are edited by hand.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np

from mars_logic.sim.codes import AREA, NUM_ACHIEVEMENTS, NUM_ITEMS, NUM_KINDS, VIEW_WIDTH

Env = Any
"""In annotations: one record of :func:`env_dtype`."""
Player = Any
"""In annotations: one record of :data:`PLAYER_DTYPE`."""
Thing = Any
"""In annotations: one record of :data:`THING_DTYPE`."""
Chunk = Any
"""In annotations: one record of :data:`CHUNK_DTYPE`."""
Work = Any
"""In annotations: one record of :data:`WORK_DTYPE`."""
Stream = Any
"""In annotations: one record of :data:`STREAM_DTYPE`."""

BORDER: Final = VIEW_WIDTH // 2
"""Cells of material 0 around the map, so that views and neighbours need no tests at its edge."""
CHUNK: Final = 12
"""Width and height of a chunk of the map, the unit in which creatures are balanced."""
CHUNKS_ACROSS: Final = -(-AREA // CHUNK)
NUM_CHUNKS: Final = CHUNKS_ACROSS**2

STREAM_DTYPE: Final = np.dtype([("words", np.uint32, (624,)), ("position", np.int32)], align=True)
"""A Mersenne Twister: its state and the index of the next word to hand out."""

PLAYER_DTYPE: Final = np.dtype(
    [
        ("x", np.int8),
        ("y", np.int8),
        ("kind", np.int8),  # always PLAYER; this, `chunk` and `entered` let it move as things do
        ("chunk", np.int8),
        ("facing_x", np.int8),
        ("facing_y", np.int8),
        ("sleeping", np.bool_),
        ("entered", np.int32),
        ("wake_health", np.int16),  # health after the player's last own update
        ("inventory", np.int16, (NUM_ITEMS,)),
        ("achievements", np.int16, (NUM_ACHIEVEMENTS,)),
        ("unlocked", np.bool_),  # an achievement was reached for the first time in this step
        ("hunger", np.float32),
        ("thirst", np.float32),
        ("fatigue", np.float32),
        ("recover", np.float32),
    ],
    align=True,
)

THING_DTYPE: Final = np.dtype(
    [
        ("kind", np.int8),
        ("chunk", np.int8),  # derived: the number of the chunk that it is in
        ("removed", np.bool_),  # no longer on the map; the slot is reused after the step
        ("health", np.int8),
        ("cooldown", np.int8),  # steps until it can hit again
        ("reload", np.int8),  # steps until it can shoot again
        ("facing_x", np.int8),  # of arrows
        ("facing_y", np.int8),
        ("arrow_factor", np.int8),  # of arrows: the shooter's arrow_health_factor
        ("grown", np.int16),  # of plants: their age in updates
        ("entered", np.int32),  # orders the things of a chunk by when they entered it
    ],
    align=True,
)
"""A thing: any object but the player, that is, a creature, an arrow or a plant.

Kernels refer to a thing by its number i: it is ``env.things[i]`` at ``env.thing_x[i]``,
``env.thing_y[i]``.
"""

CHUNK_DTYPE: Final = np.dtype(
    [
        ("known", np.bool_),  # whether something has ever been in it; only then it is balanced
        # derived: cells of grass and of path, and the cows, zombies and skeletons in it
        ("grass", np.uint8),
        ("path", np.uint8),
        ("things", np.uint8, (NUM_KINDS,)),
    ],
    align=True,
)


@cache
def env_dtype(capacity: int) -> np.dtype[np.void]:
    """The record of one environment with room for so many things besides the player."""
    return np.dtype(
        [
            # material + 16 * kind of the thing on it
            ("cells", np.uint8, (AREA + 2 * BORDER, AREA + 2 * BORDER)),
            ("stream", STREAM_DTYPE),
            ("seed", np.int64),
            ("episode", np.int64),
            ("step", np.int32),
            ("done", np.bool_),
            ("paid_health", np.int16),  # health when the last reward was computed
            ("player", PLAYER_DTYPE),
            ("num_things", np.int32),
            ("num_removed", np.int32),
            ("next_entered", np.int32),
            ("chunks", CHUNK_DTYPE, (NUM_CHUNKS,)),
            ("num_known", np.int32),  # known chunks ...
            ("known", np.int8, (NUM_CHUNKS,)),  # ... by number, in the order of becoming known
            # The things in the order of their creation. Where they are lies apart, so that those
            # near the player are found fast.
            ("thing_x", np.int8, (capacity,)),
            ("thing_y", np.int8, (capacity,)),
            ("things", THING_DTYPE, (capacity,)),
        ],
        align=True,
    )


CAPACITY: Final = 256
"""Things an environment normally has room for.

Of half a million steps at random in worlds in which the player could not die, none saw more than
114; before a step that balances chunks, there must be room for 109 more.
"""
FULL_CAPACITY: Final = AREA * AREA + 1024
"""Enough for ever: a cell holds at most one thing, and a step creates fewer than 1024.

(One by the player, an arrow by each thing that acts, of which there are fewer than 650 within 17
cells of the player, and three in each of 36 chunks. What a step removes keeps its slot until the
step ends.)
"""

WORK_DTYPE: Final = np.dtype(
    [("is_near", np.int8, (FULL_CAPACITY,)), ("near", np.int16, (FULL_CAPACITY,))], align=True
)
"""Notes of :func:`mars_logic.sim.board.find_near`; one record serves all environments of a loop."""
