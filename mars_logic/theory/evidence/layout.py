"""How transitions and signatures lie in memory while compiled code reads them.

What is seen and what is noted of it are records, which kernels get as pointers. A signature is
packed into three 64-bit words; :class:`Bits` says where each of its attributes lies. Attributes
that no kind of signature has together share a place.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mars_logic.data.trajectory import VIEW
from mars_logic.world import names
from mars_logic.world.vocabulary import vocabulary

WIDTH, HEIGHT = VIEW
CELLS: Final = WIDTH * HEIGHT
LARGEST_MATERIAL: Final = len(names.MATERIALS) - 1
LARGEST_LOOK: Final = len(names.LOOKS) - 1
LARGEST_ACTION: Final = len(names.ACTIONS) - 1
STAYED, MOVED, UNCLEAR = 0, 1, 2
"""Whether a move took the player to the next cell; unclear where everything looks alike."""

# --- What is read -------------------------------------------------------------------------------

WORDS: Final = CELLS // 8
_WORDS: Final = (np.uint64, (WORDS,))
VIEW_DTYPE: Final = np.dtype(
    {
        "names": ("cells", "words", "from_second", "from_column", "before_last", "last"),
        "formats": ((np.int8, (CELLS,)), _WORDS, _WORDS, _WORDS, np.uint64, np.uint64),
        "offsets": (0, 0, 1, HEIGHT, CELLS - 9, CELLS - 8),
        "itemsize": CELLS,
    }
)
"""Codes of materials, or of looks; that of the cell (x, y) is number HEIGHT * x + y.

The same bytes are to be had as words of eight cells, so that many are compared at once: from the
first cell on, from the second, from the second column, and the last eight but one and the last.
"""
ITEMS_DTYPE: Final = np.dtype(
    {
        "names": ("amounts", "words"),
        "formats": ((np.int8, (len(names.ITEMS),)), (np.uint64, (len(names.ITEMS) // 8,))),
        "offsets": (0, 0),
        "itemsize": len(names.ITEMS),
    }
)
"""Amounts of items; the same bytes also as words of eight."""

# --- What is found ------------------------------------------------------------------------------

ROW_DTYPE: Final = np.dtype(
    [
        ("words", np.int64, (3,)),  # the packed signature
        ("count", np.int64),  # how often it was seen
        ("trajectory", np.int64),  # the number of the trajectory in which it was seen first
        ("step", np.int64),  # and the step, counted from 1 (0: the beginning)
        ("order", np.int64),  # how many others its table held then
        ("unused", np.int64),  # fills a line of the cache
    ],
    align=True,
)
"""One distinct signature; none if its count is 0."""

# --- What is noted ------------------------------------------------------------------------------

STEP_DTYPE: Final = np.dtype(
    [
        ("number", np.int64),  # of the transition, from 0 on
        ("action", np.int8),  # what the player did; asleep, it sleeps whatever was chosen
        ("dx", np.int8),  # where it looked when it acted
        ("dy", np.int8),
        ("target", np.int8),  # the material of the cell that it faced
        ("object", np.int8),  # the object on that cell
        ("target_after", np.int8),  # the material of the same cell in the end
        ("object_after", np.int8),  # the object on it in the end
        ("ground", np.int8),  # the material under the player in the end
        ("shift", np.int8),  # STAYED, MOVED or UNCLEAR
        ("asleep", np.bool_),  # whether it was asleep when things could attack
        ("near", np.int8, (len(names.BEINGS),)),  # how many of each being could attack
        ("arrows", np.int8),  # how many arrows could hit
        ("food", np.int8, (2,)),  # the least and the greatest change by hunger
        ("drink", np.int8, (2,)),  # likewise by thirst
        ("recovery", np.int8),  # the change of health by recovery
    ],
    align=True,
)
"""The kinds of events in a transition."""

NEEDS_DTYPE: Final = np.dtype(
    [("hunger", np.int64), ("thirst", np.int64), ("recovery", np.int64)], align=True
)
"""The hidden counters, in halves; ``hunger`` has a bit for each value that it may have."""

SIDES: Final = ((-1, 0), (1, 0), (0, -1), (0, 1))
WATCH_DTYPE: Final = np.dtype(
    [
        ("full", np.int64),  # the last transition in which health could not be seen to grow
        ("kind", np.int8, (len(SIDES),)),  # what spares the player, on each side; 0: nothing
        ("since", np.int64, (len(SIDES),)),  # since which transition
        ("last", np.int64, (len(SIDES),)),  # until which
    ],
    align=True,
)
"""The creatures beside the player that did nothing to it."""

THINGS_DTYPE: Final = np.dtype(
    [
        ("count", np.int64),
        ("look", np.int8, (CELLS,)),
        ("x", np.int8, (CELLS,)),
        ("y", np.int8, (CELLS,)),
    ],
    align=True,
)
"""The contents of a view besides the player, column by column."""

MOST_AT_ONCE: Final = 2 * CELLS + 16
"""More signatures than a transition can have: two of each cell, and some of the player."""
MOST_NEWS: Final = 64 + MOST_AT_ONCE
"""So many are kept until they are counted: see ``table.count``."""
NEWS_DTYPE: Final = np.dtype(
    [
        ("count", np.int64),
        ("trajectory", np.int64),  # in which they were seen
        ("step", np.int64),
        ("rows", ROW_DTYPE, (MOST_NEWS,)),
    ],
    align=True,
)
"""Signatures that were found and not yet counted; of the current transition, the last."""

FIRST_TIMES: Final = tuple(
    vocabulary("mars").achievements.index(name)
    for name in ("kill_cow", "kill_zombie", "kill_skeleton", "collect_drink")
)
"""Achievements whose first time tells something: killing each creature, and drinking.

(The achievements of both dialects have the same order.)
"""

READER_DTYPE: Final = np.dtype(
    [
        ("episode", np.int64),  # the episode to go on with, in its batch
        ("first", np.int64),  # its first transition, likewise
        ("next", np.int64),  # the transition of it to go on with
        ("told", np.int8, (len(FIRST_TIMES),)),  # whether the player did these: see TOLD
        ("step", STEP_DTYPE),
        ("needs", NEEDS_DTYPE),
        ("watch", WATCH_DTYPE),
        ("things", THINGS_DTYPE, (2,)),  # in the view at moment t, at t % 2
        ("news", NEWS_DTYPE),
    ],
    align=True,
)
"""All that is kept between transitions."""

# --- Where it lies --------------------------------------------------------------------------------


EVERY: Final = slice(None)


class Bits(NamedTuple):
    """A place in the words of a packed signature."""

    word: int
    shift: int
    width: int

    @property
    def mask(self) -> np.uint64:
        """All its bits in its word."""
        return np.uint64(((1 << self.width) - 1) << self.shift)

    def get(self, words: Words, which: Any = EVERY) -> Words:
        """uint64[n]: what is there in some of uint64[N, 3]."""
        part: Words = words[which, self.word]
        return (part & self.mask) >> np.uint64(self.shift)

    def put(self, words: Words, which: Any, values: Any) -> None:
        """Replace what is there in some of uint64[N, 3]."""
        shifted = np.asarray(values).astype(np.uint64) << np.uint64(self.shift)
        words[which, self.word] = words[which, self.word] & ~self.mask | shifted


Words = NDArray[np.uint64]
"""uint64[n, 3]: packed signatures; or uint64[n]: a part of each."""


START, PASSAGE, TREAD, COLLECTING, PLACING, MAKING, HITTING, STANDING = range(8)
SHOT, MOVED_ON, MOTION, UNHARMED = range(8, 12)
"""The kinds of signatures; those of creatures come last."""

KIND: Final = Bits(0, 0, 4)
SUBJECT: Final = Bits(0, 4, 4)
"""The subject: a material, or the number of an item, a tool or a creature."""
LEFT: Final = Bits(0, 8, 4)
"""A material: what is left, or the ground that a creature goes on."""
TOLD: Final = Bits(0, 12, 2)
"""``got_drink`` and ``killed``: NO, YES or UNTOLD."""
FLAG: Final = Bits(0, 14, 1)
"""``moved``, ``clear``, ``planted`` and ``healing``."""
HELD: Final = Bits(0, 16, 48)
"""4 bits for each item, as in :data:`HELD_AFTER`."""
OTHER: Final = Bits(1, 0, 4)
"""The look of what appeared, or the material on which something is placed."""
AROUND: Final = Bits(1, 0, 13)
"""A bit for each material nearby, or for each being that may have shot."""
HELD_AFTER: Final = Bits(1, 16, 48)
DRINK: Final = (Bits(2, 0, 5), Bits(2, 5, 5))
"""The least and the greatest change, plus ZERO; NO_LIMIT for none."""
FOOD: Final = (Bits(2, 10, 5), Bits(2, 15, 5))
BEFORE: Final = Bits(2, 20, 4)
"""Health; this and all that follows tell what became of it."""
AFTER: Final = Bits(2, 24, 4)
RECOVERY: Final = Bits(2, 28, 2)
"""Plus 1."""
ASLEEP: Final = Bits(2, 30, 1)
NEAR: Final = (Bits(2, 31, 5), Bits(2, 36, 5), Bits(2, 41, 5), Bits(2, 46, 5))
ARROWS: Final = Bits(2, 51, 4)
WAY: Final = (Bits(2, 0, 5), Bits(2, 5, 5))
"""Each plus ZERO."""
WENT: Final = Bits(2, 10, 3)

NO, YES, UNTOLD = 0, 1, 2
"""UNTOLD: it cannot be seen."""
ZERO: Final = 10
"""Is added to what may be negative."""
NO_LIMIT: Final = 31
PER_ITEM: Final = 4
"""Bits of an amount."""
