"""Memory layout of an environment's state: one record, passed to kernels as a pointer.

A batch is an array of such records. Inside a kernel ``env.player.x`` and ``env.things[3].health``
read and write the record in place, and passing ``env``, ``env.player`` or ``env.things[3]`` to a
helper passes one pointer. (Arrays as arguments of helpers would cost several times the work of a
typical helper.)

Derived fields, which exist for speed, are marked as such; ``mars_logic.sim.scene`` recomputes them
after a state is edited by hand.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np

from mars_logic.sim.codes import NUM_ACHIEVEMENTS, NUM_ITEMS, NUM_KINDS
from mars_logic.sim.rules_record import WIDE_ACHIEVEMENTS, WIDE_ITEMS, WIDE_KINDS
from mars_logic.world.dialect import AREA, CHUNK, VIEW_WIDTH
from mars_logic.world.vocabulary import Vocabulary

Env = Any
"""In annotations: one record of :func:`env_dtype`."""
Player = Any
"""In annotations: one record of :func:`player_dtype`."""
Thing = Any
"""In annotations: one record of :data:`THING_DTYPE`."""
Chunk = Any
"""In annotations: one record of a chunk."""
Stream = Any
"""In annotations: one record of :data:`STREAM_DTYPE`."""

BORDER: Final = VIEW_WIDTH // 2
"""Width of the border of material 0 around the map, which saves bounds checks in kernels."""
CHUNKS_ACROSS: Final = -(-AREA // CHUNK)
NUM_CHUNKS: Final = CHUNKS_ACROSS**2

STREAM_DTYPE: Final = np.dtype([("words", np.uint32, (624,)), ("position", np.int32)], align=True)
"""A Mersenne Twister: its state and the index of the next word to hand out."""


@cache
def player_dtype(items: int, achievements: int) -> np.dtype[np.void]:
    """The record of a player in a dialect with so many items and achievements."""
    return np.dtype(
        [
            ("x", np.int8),
            ("y", np.int8),
            ("kind", np.int8),  # always PLAYER; movement needs it, and `chunk` and `entered`
            ("chunk", np.int8),
            ("facing_x", np.int8),
            ("facing_y", np.int8),
            ("sleeping", np.bool_),
            ("in_bed", np.bool_),  # lay in a bed and was not hurt since
            ("boss", np.bool_),  # nothing harms it, and it does not bleed
            ("gone", np.bool_),  # dead, with a body in its place
            ("entered", np.uint16),
            ("wake_health", np.int16),  # health after the player's last own update
            ("inventory", np.int16, (items,)),
            ("achievements", np.int16, (achievements,)),
            ("unlocked", np.bool_),  # an achievement was reached for the first time in this step
            ("hunger", np.float32),
            ("thirst", np.float32),
            ("fatigue", np.float32),
            ("recover", np.float32),
        ],
        align=True,
    )


PLAYER_DTYPE: Final = player_dtype(NUM_ITEMS, NUM_ACHIEVEMENTS)
"""The record of a player with Crafter's items and achievements."""

THING_DTYPE: Final = np.dtype(
    [
        ("kind", np.int8),
        # derived: the number of its chunk; REMOVED if it is no longer on the map: the slot is
        # reused after the step
        ("chunk", np.int8),
        ("health", np.int8),
        ("cooldown", np.int8),  # steps until it can hit again
        ("reload", np.int8),  # steps until it can shoot again
        ("facing_x", np.int8),  # of arrows
        ("facing_y", np.int8),
        ("arrow_factor", np.int8),  # of arrows: the shooter's arrow_health_factor
        ("grown", np.int16),  # of plants: their age in updates
        ("entered", np.uint16),  # order of entry of the things in a chunk
    ],
    align=True,
)
"""A thing: any object but the player, that is, a creature, an arrow or a plant.

Kernels refer to a thing by its number i: it is ``env.things[i]`` at ``env.thing_x[i]``,
``env.thing_y[i]``.
"""


REMOVED: Final = -1
MOST_ENTERED: Final = 1 << 15
"""Entries after which things are numbered anew; a step has fewer, and a field room for both."""


@cache
def _chunk_dtype(kinds: int) -> np.dtype[np.void]:
    return np.dtype(
        [
            ("known", np.bool_),  # whether it ever contained a thing; only then it is balanced
            # derived: cells of grass and of path, and the things in it by kind
            ("grass", np.uint8),
            ("path", np.uint8),
            ("things", np.uint8, (kinds,)),
        ],
        align=True,
    )


CHUNK_DTYPE: Final = _chunk_dtype(NUM_KINDS)
"""The record of a chunk with Crafter's kinds of things."""
_NO_MARKS: Final = (1, 1)
"""Shape of the marks where there is no second layer: kernels leave out what it needs."""


@cache
def env_dtype(capacity: int, words: Vocabulary | None = None) -> np.dtype[np.void]:
    """The record of one environment with room for so many things besides the player.

    Args:
        capacity: That number.
        words: The vocabulary, Crafter's by default.
    """
    side = AREA + 2 * BORDER
    player, chunk, marks = PLAYER_DTYPE, CHUNK_DTYPE, _NO_MARKS
    if words and words.wide:
        # After the counters: whether the reward of each was given.
        player = player_dtype(WIDE_ITEMS, 2 * WIDE_ACHIEVEMENTS)
        chunk = _chunk_dtype(WIDE_KINDS)
        marks = (2 * side if words.subjects.get("timer") else side + 1, side)
    elif words:
        player = player_dtype(len(words.items), len(words.achievements))
        chunk = _chunk_dtype(len(words.objects))
        marks = (side, side) if words.traced else _NO_MARKS
    return np.dtype(
        [
            # material + 16 * kind of the thing on it; in wide records materials from 15 on are 15
            ("cells", np.uint8, (side, side)),
            # a second layer: marks of dialects with traces, or all materials in wide records, then
            # the ages of cells, with timers; a column more, by which code knows wide records, or
            # the first of the ages, which is border, holds where the materials of goals were found
            ("marks", np.uint8, marks),
            ("stream", STREAM_DTYPE),
            ("seed", np.int64),
            ("episode", np.int64),
            ("step", np.int32),
            ("done", np.bool_),
            ("paid_health", np.int16),  # health when the last reward was computed
            ("player", player),
            ("num_things", np.int32),
            ("num_removed", np.int32),
            ("next_entered", np.int32),
            ("chunks", chunk, (NUM_CHUNKS,)),
            ("num_known", np.int32),  # known chunks ...
            ("known", np.int8, (NUM_CHUNKS,)),  # ... by number, in the order of becoming known
            # The things in the order of their creation. Separate arrays of coordinates make
            # the search for those near the player fast.
            ("thing_x", np.int8, (capacity,)),
            ("thing_y", np.int8, (capacity,)),
            ("things", THING_DTYPE, (capacity,)),
        ],
        align=True,
    )


def is_wide_record(dtype: np.dtype[np.void]) -> bool:
    """Whether records of environments are those of worlds that add names."""
    columns: int = dtype["marks"].shape[0]
    return columns > AREA + 2 * BORDER


def widened(dtype: np.dtype[np.void], capacity: int) -> np.dtype[np.void]:
    """The same record with room for another number of things."""
    room = {"thing_x": np.int8, "thing_y": np.int8, "things": THING_DTYPE}
    fields: list[Any] = [
        (name, room[name], (capacity,)) if name in room else (name, dtype[name])
        for name in dtype.names or ()
    ]
    return np.dtype(fields, align=True)


CAPACITY: Final = 192
"""Things an environment normally has room for.

Half a million random steps in worlds with an immortal player reached at most 149 things, and 173
with those that the next step might have created.
"""
FULL_CAPACITY: Final = AREA * AREA + 1152
"""An upper bound: a cell holds at most one thing, and a step creates fewer than 1152.

(One by the player, one arrow by each acting thing, that is, fewer than 650 within 17 cells of the
player, and in each of 36 chunks one of three kinds of Crafter and of nine that a world may add. A
removed thing keeps its slot until the end of the step.)
"""
