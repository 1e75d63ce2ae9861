"""How transitions and signatures lie in memory while compiled code reads them.

What is seen and what is noted of it are records, which kernels get as pointers. A signature is
packed into 64-bit words: three for the names of a dialect (:data:`NARROW`), more for worlds that
add names (:data:`WIDE`). :class:`Bits` says where each of its attributes lies. Attributes that no
kind of signature has together share a place.

Kernels are the same for both: the types of the records that they get tell them which it is, by the
length of a row's words, or of an inventory's, so that nothing is decided while they run.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mars_logic.data.trajectory import VIEW
from mars_logic.world import names
from mars_logic.world.added_creatures import MOST_CREATURES
from mars_logic.world.adds import MOST_NEEDS, ROOM
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.vocabulary import Vocabulary, vocabulary

WIDTH, HEIGHT = VIEW
CELLS: Final = WIDTH * HEIGHT
LARGEST_LOOK: Final = len(names.LOOKS) - 1
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


@cache
def items_dtype(items: int) -> np.dtype[np.void]:
    """Amounts of so many items, a multiple of eight; the same bytes also as words of eight."""
    return np.dtype(
        {
            "names": ("amounts", "words"),
            "formats": ((np.int8, (items,)), (np.uint64, (items // 8,))),
            "offsets": (0, 0),
            "itemsize": items,
        }
    )


MOST_BEINGS: Final = len(names.BEINGS) + MOST_CREATURES
"""Most beings: Crafter's, then added creatures."""
OWN_DTYPE: Final = np.dtype([("points", np.int8, (MOST_NEEDS,)), ("night", np.bool_)], align=True)
"""Of a moment, in worlds with rules of kinds that Crafter lacks: points of each added need."""

NO_DEED, PLACES, MAKES, EATS, SHOOTS = range(5)
"""What an action does to a name, if anything."""
NAMES_DTYPE: Final = np.dtype(
    [
        ("material_room", np.uint64),  # eight times 127 minus the largest code of a material
        ("largest_action", np.int64),
        ("deed", np.int8, (ROOM["actions"],)),  # of each action
        ("number", np.int8, (ROOM["actions"],)),  # of what it places or makes; eating: the item
        ("look_room", np.uint64),  # eight times 127 minus the largest code of a look
        ("own", np.bool_),  # whether there are rules of kinds that Crafter lacks: see OWN_DTYPE
        ("living", np.bool_),  # whether creatures are added, or act by cases
        ("shots", np.bool_),  # whether there are rules about projectiles
        ("last_being", np.int8),  # the look of the last added creature; projectiles follow
        ("behaving", np.int64),  # a bit for each being that acts by cases
        ("ground", np.uint64, (MOST_BEINGS,)),  # a bit for each material it walks on; 0: unknown
        ("hunted", np.int64),  # a bit for each being of which it is said what hunting it brings
        ("killing", np.int64, (MOST_BEINGS,)),  # the achievement of killing each being
        ("needs", np.int64),  # how many needs are added
        ("changing", np.uint64),  # a bit for each material that may change by itself
        ("timed", np.uint64),  # a bit for each of which that depends on time
        ("pushed", np.uint64),  # a bit for each material that can be pushed
    ],
    align=True,
)
"""What kernels have to know of a vocabulary."""

# --- What is found ------------------------------------------------------------------------------


@cache
def row_dtype(words: int) -> np.dtype[np.void]:
    """One distinct signature of so many words; none if its count is 0."""
    return np.dtype(
        [
            ("words", np.int64, (words,)),  # the packed signature
            ("count", np.int64),  # how often it was seen
            ("trajectory", np.int64),  # the number of the trajectory in which it was seen first
            ("step", np.int64),  # and the step, counted from 1 (0: the beginning)
            ("order", np.int64),  # how many others its table held then
            ("unused", np.int64, (-(words + 4) % 8,)),  # fills a line of the cache
        ],
        align=True,
    )


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
        ("went", np.int8),  # likewise, even if it pushed; only with rules that Crafter lacks
        ("sure", np.int64),  # how many of each projectile surely hit it; see own_layout.SURE
        ("asleep", np.bool_),  # whether it was asleep when things could attack
        ("near", np.int8, (len(names.BEINGS),)),  # how many of each being could attack
        ("others", np.int8, (MOST_CREATURES,)),  # likewise of each added creature, or projectile
        ("arrows", np.int8),  # how many arrows could hit
        ("clouded", np.bool_),  # whether rules of kinds that Crafter lacks may change health
        ("empty", np.int64),  # a bit for each added need of which no points were left
        ("touched", np.int8),  # the number, from 1 on, of the being that a move is directed at
        ("food", np.int8, (2,)),  # the least and the greatest change by hunger
        ("drink", np.int8, (2,)),  # likewise by thirst
        ("recovery", np.int8),  # the change of health by recovery
        ("deed", np.int8),  # what it did to a name: NO_DEED, PLACES, MAKES, EATS or SHOOTS
        ("thing", np.int8),  # the number of what it placed, made or ate
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

AGES_DTYPE: Final = np.dtype(
    [("least", np.int16, (CELLS,)), ("most", np.int16, (CELLS,))], align=True
)
"""For how many steps each cell in view has had its material, at least and at most."""

COURSES_DTYPE: Final = np.dtype(
    [
        ("way", np.int8, (CELLS,)),  # where the projectile there flies: 1 + its place in SIDES
        ("least", np.int8, (CELLS,)),  # cells that it has flown at least
        ("most", np.int8, (CELLS,)),  # and at most
        ("mine", np.int8, (CELLS,)),  # whether the player shot it
        ("hits", np.int8, (CELLS,)),  # the shots of the player that the creature there survived
        ("by", np.int8, (CELLS,)),  # 1 + the number of their projectile
        ("whole", np.int8, (CELLS,)),  # whether nothing else can have taken health from it
    ],
    align=True,
)
"""What is known of the projectile, or of the creature, on each cell in view."""

MOST_AT_ONCE: Final = 3 * CELLS + 16 + MOST_NEEDS
"""More signatures than a transition can have: three of each cell, and some of player and needs."""
MOST_NEWS: Final = 64 + MOST_AT_ONCE
"""So many are kept until they are counted: see ``table.count``."""


@cache
def _news_dtype(words: int) -> np.dtype[np.void]:
    """Signatures that were found and not yet counted; of the current transition, the last."""
    return np.dtype(
        [
            ("count", np.int64),
            ("trajectory", np.int64),  # in which they were seen
            ("step", np.int64),
            ("rows", row_dtype(words), (MOST_NEWS,)),
        ],
        align=True,
    )


FIRST_TIMES: Final = tuple(
    vocabulary("mars").achievements.index(name)
    for name in ("kill_cow", "kill_zombie", "kill_skeleton", "collect_drink")
)
"""Achievements whose first time tells something: killing each creature, and drinking.

(The achievements of both dialects have the same order.)
"""


@cache
def reader_dtype(words: int) -> np.dtype[np.void]:
    """All that is kept between transitions, of which signatures have so many words."""
    return np.dtype(
        [
            ("episode", np.int64),  # the episode to go on with, in its batch
            ("first", np.int64),  # its first transition, likewise
            ("next", np.int64),  # the transition of it to go on with
            ("told", np.int8, (len(FIRST_TIMES),)),  # whether the player did these: see TOLD
            ("killed", np.int8, (MOST_BEINGS,)),  # likewise whether it killed each being
            ("shot", np.bool_),  # whether the player has shot in this episode
            ("step", STEP_DTYPE),
            ("needs", NEEDS_DTYPE),
            ("watch", WATCH_DTYPE),
            ("things", THINGS_DTYPE, (2,)),  # in the view at moment t, at t % 2
            ("ages", AGES_DTYPE, (2,)),  # likewise
            ("courses", COURSES_DTYPE, (2,)),  # likewise
            ("news", _news_dtype(words)),
        ],
        align=True,
    )


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
        """uint64[n]: what is there in some of uint64[N, words]."""
        part: Words = words[which, self.word]
        return (part & self.mask) >> np.uint64(self.shift)

    def put(self, words: Words, which: Any, values: Any) -> None:
        """Replace what is there in some of uint64[N, words]."""
        shifted = np.asarray(values).astype(np.uint64) << np.uint64(self.shift)
        words[which, self.word] = words[which, self.word] & ~self.mask | shifted


Words = NDArray[np.uint64]
"""uint64[n, words]: packed signatures; or uint64[n]: a part of each."""


START, PASSAGE, TREAD, COLLECTING, PLACING, MAKING, HITTING, STANDING = range(8)
SHOT, MOVED_ON, MOTION, UNHARMED = range(8, 12)
"""The kinds of signatures; those of creatures come last."""

EATING: Final = 12
"""And that of the player's eating."""

HARM, NEED, FURTHER = 13, 14, 15
"""And, in worlds that have such rules: health that added creatures or needs may have changed, the
points of a need, and further kinds, which ``own_layout`` tells apart."""

KIND: Final = Bits(0, 0, 4)


class Layout(NamedTuple):
    """Where attributes of signatures lie that depend on how many names there may be.

    Attributes:
        words: How many words a signature has.
        items: For how many items there is room, vitals included.
        subject: A material, or the number of an item, a tool or a creature.
        left: A material: what is left, or the ground that a creature goes on.
        told: ``got_drink`` and ``killed``: NO, YES or UNTOLD.
        flag: ``moved``, ``clear``, ``planted`` and ``healing``.
        changed: A place that signatures leave free.
        held: 4 bits for each item.
        other: The look of what appeared, or the material on which something is placed.
        around: A bit for each material nearby, or for each being that may have shot.
        held_after: As ``held``.
        free: A place that signatures which tell of health leave free.
    """

    words: int
    items: int
    subject: Bits
    left: Bits
    told: Bits
    flag: Bits
    changed: Bits
    held: tuple[Bits, ...]
    other: Bits
    around: Bits
    held_after: tuple[Bits, ...]
    free: Bits

    @property
    def row_dtype(self) -> np.dtype[np.void]:
        """One distinct signature."""
        return row_dtype(self.words)


NARROW: Final = Layout(
    words=3,
    items=len(names.ITEMS),
    subject=Bits(0, 4, 4),
    left=Bits(0, 8, 4),
    told=Bits(0, 12, 2),
    flag=Bits(0, 14, 1),
    changed=Bits(0, 15, 1),
    held=(Bits(0, 16, 48),),
    other=Bits(1, 0, 4),
    around=Bits(1, 0, 13),
    held_after=(Bits(1, 16, 48),),
    free=Bits(1, 4, MAXIMUM + 1),
)
"""For the names of the dialects."""
WIDE: Final = Layout(
    words=11,
    items=ROOM["items"],
    subject=Bits(0, 4, 8),
    left=Bits(0, 12, 8),
    told=Bits(0, 20, 2),
    flag=Bits(0, 22, 1),
    changed=Bits(0, 23, 1),
    held=(Bits(3, 16, 48), *(Bits(word, 0, 64) for word in range(4, 7))),
    other=Bits(1, 0, 8),
    around=Bits(1, 0, 64),
    held_after=(Bits(7, 16, 48), *(Bits(word, 0, 64) for word in range(8, 11))),
    free=Bits(1, 8, MAXIMUM + 1),
)
"""For worlds that add names: as many as ``adds.ROOM`` says."""


def layout_of(words: Vocabulary) -> Layout:
    """The layout of signatures in worlds with a vocabulary."""
    return WIDE if words.wide else NARROW


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
