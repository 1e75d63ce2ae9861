"""Where the random outcomes of a game come from: a seeded stream, or a recording.

A simulator draws nothing by itself; it asks the source that it is given, and names each draw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol


class Chance(Protocol):
    """A source of random outcomes."""

    def uniform(self, name: str) -> float:
        """A number in [0, 1)."""
        ...

    def weighted(self, name: str, weights: Sequence[float]) -> int:
        """The index of one of these weights, which sum to 1, with that probability."""
        ...

    def order(self, name: str, size: int) -> tuple[int, ...]:
        """A permutation of 0 .. size - 1, all with the same probability."""
        ...


class Seeded:
    """Random outcomes from a seed: the same in every process and on every machine.

    numpy promises that the raw words of a bit generator stay as they are, but not what it makes of
    them, so numbers are made of the words here.

    Args:
        seed: A whole number.
        purpose: Streams of different purposes have nothing to do with each other.
    """

    def __init__(self, seed: int, purpose: str = "game") -> None:
        import numpy as np  # here, since commands that draw nothing need to start fast

        words = [abs(seed), int(seed < 0), *purpose.encode()]
        self._bits = np.random.PCG64(np.random.SeedSequence(words))

    def uniform(self, name: str) -> float:  # noqa: ARG002
        """A number in [0, 1), a multiple of 2**-53."""
        return float(self._bits.random_raw() >> 11) * 2.0**-53

    def weighted(self, name: str, weights: Sequence[float]) -> int:
        """The index of one of these weights."""
        at = self.uniform(name) * sum(weights)
        for index, weight in enumerate(weights):
            at -= weight
            if at < 0:
                return index
        return max(index for index, weight in enumerate(weights) if weight > 0)

    def order(self, name: str, size: int) -> tuple[int, ...]:
        """A permutation, by the method of Fisher and Yates."""
        found = list(range(size))
        for last in range(size - 1, 0, -1):
            other = int(self.uniform(name) * (last + 1))
            found[last], found[other] = found[other], found[last]
        return tuple(found)

    def snapshot(self) -> Any:
        """Where the stream is, for :meth:`restore`."""
        return self._bits.state

    def restore(self, snapshot: Any) -> None:
        """Go back to where the stream was."""
        self._bits.state = snapshot


class MissingDrawError(Exception):
    """A recording holds no such outcome as a simulator asks for.

    Attributes:
        allowed: What it would have to hold.
    """

    def __init__(self, name: str, allowed: str) -> None:
        super().__init__(name)
        self.allowed = allowed


class Recorded:
    """Random outcomes that were written down, by name.

    Args:
        draws: What came of each draw.
    """

    def __init__(self, draws: Mapping[str, Any]) -> None:
        self._draws = draws

    def uniform(self, name: str) -> float:
        """The number that was drawn.

        Raises:
            MissingDrawError: There is none.
        """
        found = self._draws.get(name)
        number = isinstance(found, int | float) and not isinstance(found, bool)
        if found is None or not number or not 0 <= found < 1:
            raise MissingDrawError(name, "a number from 0 to below 1")
        return float(found)

    def weighted(self, name: str, weights: Sequence[float]) -> int:
        """The index that was drawn.

        Raises:
            MissingDrawError: There is none, or that of something with no weight.
        """
        found = self._draws.get(name)
        possible = [index for index, weight in enumerate(weights) if weight > 0]
        if isinstance(found, bool) or not isinstance(found, int) or found not in possible:
            raise MissingDrawError(name, ", ".join(map(str, possible)))
        return found

    def order(self, name: str, size: int) -> tuple[int, ...]:
        """The permutation that was drawn.

        Raises:
            MissingDrawError: There is none.
        """
        found = tuple(self._draws.get(name, ()))
        if sorted(found) != list(range(size)):
            raise MissingDrawError(name, f"a permutation of 0 to {size - 1}")
        return found
