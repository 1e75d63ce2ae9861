"""Random choices for new puzzles, of the same stream in every process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from mars_logic.domains.chance import Seeded

T = TypeVar("T")


class Drawing:
    """Random choices from a seed.

    Args:
        seed: A whole number.
        purpose: Streams of different purposes have nothing to do with each other.
    """

    def __init__(self, seed: int, purpose: str) -> None:
        self._source = Seeded(seed, purpose)

    def number(self, low: int, high: int) -> int:
        """A whole number of a closed range."""
        return low + int(self._source.uniform("number") * (high - low + 1))

    def one(self, items: Sequence[T]) -> T:
        """One of several, all with the same probability."""
        return items[self.number(0, len(items) - 1)]

    def some(self, items: Sequence[T], size: int) -> list[T]:
        """So many different ones, in a random order."""
        return [items[each] for each in self._source.order("some", len(items))[:size]]

    def parts(self, total: int, many: int, most: int) -> list[int]:
        """A total in so many parts, each from 1 to a largest one; all ways are equally likely."""
        while True:
            found = [self.number(1, most) for _ in range(many)]
            if sum(found) == total:
                return found
