"""A hash table of packed signatures: each with how often and where first it was seen."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.kernel import inline_kernel, kernel
from mars_logic.theory.evidence.layout import KIND, MOST_NEWS, ROW_DTYPE, SHOT

_EMPTY: Final = -1
_FEWEST_ROWS: Final = 1024
_FACTORS: Final = (
    np.uint64(0x9E3779B97F4A7C15),
    np.uint64(0xC2B2AE3D27D4EB4F),
    np.uint64(0x165667B19E3779F9),
)
_HALF: Final = np.uint64(32)


class Table:
    """Distinct signatures.

    Attributes:
        rows: ROW_DTYPE[capacity].
        size: int64[1]: how many rows are taken.
        places: int32[a power of 2]: by hash, the number of a row; -1 if there is none.
    """

    def __init__(self, rows: NDArray[np.void] | None = None) -> None:
        """Make a table of some rows; those with equal signatures become one."""
        self._fill(np.empty(0, ROW_DTYPE) if rows is None else rows)

    @property
    def taken(self) -> NDArray[np.void]:
        """The rows that are taken: no copy."""
        return self.rows[: self.size[0]]

    def in_order(self) -> NDArray[np.void]:
        """The rows by first places: by trajectory, what creatures do last, by step."""
        rows = self.taken
        of_creatures = (rows["words"][:, KIND.word] & ((1 << KIND.width) - 1)) >= SHOT
        return rows[np.lexsort((rows["order"], of_creatures, rows["trajectory"]))]

    def widen(self) -> None:
        """Make room for at least twice as many rows."""
        self._fill(self.taken)

    def _fill(self, rows: NDArray[np.void]) -> None:
        capacity = max(_FEWEST_ROWS, 4 * len(rows))
        self.rows = np.zeros(capacity, ROW_DTYPE)
        self.size = np.zeros(1, np.int64)
        self.places = np.full(1 << (2 * capacity).bit_length(), _EMPTY, np.int32)
        absorb(rows, self.rows, self.size, self.places)


@inline_kernel
def row_of(words: Any, rows: Any, size: Any, places: Any) -> int:
    """The number of a signature's row; a new one, with count 0, is taken if there is none."""
    last = len(places) - 1
    at = _hash(words[0], words[1], words[2]) & last
    while True:
        number = places[at]
        if number == _EMPTY:
            break
        known = rows[number].words
        if known[0] == words[0] and known[1] == words[1] and known[2] == words[2]:
            return number
        at = (at + 1) & last
    number = size[0]
    places[at] = number
    size[0] += 1
    for i in range(3):
        rows[number].words[i] = words[i]
    return number


@inline_kernel
def _hash(first: int, second: int, third: int) -> int:
    mixed = np.uint64(first) * _FACTORS[0]
    mixed = (mixed ^ mixed >> _HALF ^ np.uint64(second)) * _FACTORS[1]
    mixed = (mixed ^ mixed >> _HALF ^ np.uint64(third)) * _FACTORS[2]
    return np.int64(mixed >> _HALF)


@inline_kernel
def count(news: Any, trajectory: int, step: int, rows: Any, size: Any, places: Any) -> None:
    """Count the signatures of a transition, for which there must be room."""
    for i in range(news.count):
        number = row_of(news.words[i], rows, size, places)
        row = rows[number]
        if row.count == 0:
            row.trajectory = trajectory
            row.step = step
            row.order = number
        row.count += 1
    news.count = 0


@inline_kernel
def has_room(rows: Any, size: Any) -> bool:
    """Whether there is room for all signatures that a transition may have."""
    return size[0] + MOST_NEWS <= len(rows)


@kernel
def absorb(more: Any, rows: Any, size: Any, places: Any) -> None:
    """Add the counts of other rows, and keep the earlier of two first places."""
    for i in range(len(more)):
        other = more[i]
        row = rows[row_of(other.words, rows, size, places)]
        if row.count == 0 or other.trajectory < row.trajectory:
            row.trajectory = other.trajectory
            row.step = other.step
            row.order = other.order
        row.count += other.count
