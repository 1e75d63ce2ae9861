"""A hash table of packed signatures: each with how often and where first it was seen."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.compiled.kernel import kernel
from mars_logic.theory.evidence.layout import EATING, KIND, NARROW, SHOT

_FEWEST_ROWS: Final = 1024
_FACTORS: Final = (
    np.uint64(0x9E3779B97F4A7C15),
    np.uint64(0xC2B2AE3D27D4EB4F),
    np.uint64(0x165667B19E3779F9),
)
_FIRST_WORDS: Final = len(_FACTORS)
_HALF: Final = np.uint64(32)
NO_ROWS: Final = np.empty(0, NARROW.row_dtype)


class Table:
    """Distinct signatures.

    Attributes:
        rows: ``row_dtype``[a power of 2]: each at the place that its hash says, or the next free
            one.
        size: int64[1]: how many rows are taken.
    """

    def __init__(self, rows: NDArray[np.void] = NO_ROWS) -> None:
        """Make a table of some rows; those with equal signatures become one."""
        capacity = max(_FEWEST_ROWS, 1 << (4 * len(rows)).bit_length())
        self.rows = np.zeros(capacity, rows.dtype)
        self.size = np.zeros(1, np.int64)
        absorb(rows, self.rows, self.size, False)

    @property
    def taken(self) -> NDArray[np.void]:
        """The rows that are taken, in no certain order."""
        return self.rows[self.rows["count"] > 0]

    def in_order(self) -> NDArray[np.void]:
        """The rows by first places: by trajectory, what creatures do last, by step."""
        rows = self.taken
        kinds = rows["words"][:, KIND.word] & ((1 << KIND.width) - 1)
        of_creatures = (kinds >= SHOT) & (kinds != EATING)
        return rows[np.lexsort((rows["order"], of_creatures, rows["trajectory"]))]

    def widened(self) -> Table:
        """The same with more room."""
        return Table(self.taken)

    def with_room(self, more: int) -> Table:
        """The same, widened if there is no room for so many more."""
        return self if 2 * (self.size[0] + more) <= len(self.rows) else self.widened()


# Arrays as arguments of helpers would be counted references, in every step; so helpers get rows.


@kernel
def hash_of(row: Any) -> np.int64:
    """A hash of a row's signature, of 32 bits."""
    mixed = np.uint64(row.words[0]) * _FACTORS[0]
    mixed = (mixed ^ mixed >> _HALF ^ np.uint64(row.words[1])) * _FACTORS[1]
    mixed = (mixed ^ mixed >> _HALF ^ np.uint64(row.words[2])) * _FACTORS[2]
    for word in range(_FIRST_WORDS, len(row.words)):
        mixed = (mixed ^ mixed >> _HALF ^ np.uint64(row.words[word])) * _FACTORS[word % 3]
    return np.int64(mixed >> _HALF)


@kernel
def is_other(row: Any, news: Any) -> bool:
    """Whether a row is taken by another signature."""
    same = row.words[0] == news.words[0] and row.words[1] == news.words[1]
    same = same and row.words[2] == news.words[2]
    for word in range(_FIRST_WORDS, len(row.words)):
        same = same and row.words[word] == news.words[word]
    return bool(row.count > 0 and not same)


@kernel
def add(row: Any, news: Any) -> bool:
    """Add the count of one row to another, which may be free; the earlier first place is kept.

    Returns:
        Whether it was free.
    """
    free = bool(row.count == 0)
    if free:
        for word in range(len(row.words)):
            row.words[word] = news.words[word]
    if free or news.trajectory < row.trajectory:
        row.trajectory = news.trajectory
        row.step = news.step
        row.order = news.order
    row.count += news.count
    return free


@kernel
def count(news: Any, rows: Any, size: Any) -> bool:
    """Count signatures, unless there may be no room; there are none left afterwards.

    Many together: then a processor can wait for several rows from memory at once.
    """
    if 2 * (size[0] + news.count) > len(rows):
        return False
    last = len(rows) - 1
    for i in range(news.count):
        told = news.rows[i]
        at = hash_of(told) & last
        while is_other(rows[at], told):
            at = (at + 1) & last
        told.order = size[0]
        size[0] += add(rows[at], told)
    news.count = 0
    return True


@kernel
def absorb(more: Any, rows: Any, size: Any, later: bool) -> None:
    """Add the counts of other rows, for which there must be room.

    Those of a later moment come in the order in which they were seen, and after all others.
    """
    last = len(rows) - 1
    for i in range(len(more)):
        news = more[i]
        at = hash_of(news) & last
        while is_other(rows[at], news):
            at = (at + 1) & last
        if later:
            news.order = size[0]
        size[0] += add(rows[at], news)
