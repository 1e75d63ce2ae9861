"""The random outcomes of a puzzle: from a seeded stream, or from a recording, in its order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mars_logic.domains.chance import Chance, MissingDrawError


class DrawnChance:
    """Random outcomes from a stream.

    Args:
        chance: The stream, such as :class:`mars_logic.domains.chance.Seeded`.
    """

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def sample(self, low: int, high: int, size: int, *, distinct: bool) -> tuple[int, ...]:
        """So many numbers of a range."""
        if distinct:
            return tuple(low + each for each in self._chance.order("sample", high - low + 1)[:size])
        return tuple(low + self.cut(high - low) for _ in range(size))

    def cut(self, high: int) -> int:
        """A number from 0 to ``high``."""
        return self._chance.weighted("cut", [1 / (high + 1)] * (high + 1))

    def shuffle(self, letters: str) -> str:
        """The letters in a random order."""
        return "".join(letters[each] for each in self._chance.order("shuffle", len(letters)))


class RecordedDraws:
    """The random outcomes of one action, as they were written down.

    Args:
        draws: Each with its kind, ``draw``, and its ``value``.
    """

    def __init__(self, draws: Sequence[Mapping[str, Any]]) -> None:
        self._draws = list(draws)

    @property
    def left(self) -> int:
        """Outcomes that nothing has asked for."""
        return len(self._draws)

    def sample(self, low: int, high: int, size: int, *, distinct: bool) -> tuple[int, ...]:
        """The numbers that were drawn.

        Raises:
            MissingDrawError: They are missing or impossible.
        """
        found, allowed = self._next("sample"), f"a sample of {size} from {low} to {high}"
        numbers = found if isinstance(found, list) else []
        whole = [each for each in numbers if type(each) is int and low <= each <= high]
        repeated = distinct and len(set(whole)) < len(whole)
        if len(whole) != size or len(numbers) != size or repeated:
            raise MissingDrawError("sample", allowed)
        return tuple(whole)

    def cut(self, high: int) -> int:
        """The number that was drawn.

        Raises:
            MissingDrawError: It is missing or impossible.
        """
        found = self._next("randint")
        if type(found) is not int or not 0 <= found <= high:
            raise MissingDrawError("randint", f"a whole number from 0 to {high}")
        return found

    def shuffle(self, letters: str) -> str:
        """The order that was drawn.

        Raises:
            MissingDrawError: It is missing or impossible.
        """
        found = self._next("shuffle")
        if not isinstance(found, str) or sorted(found) != sorted(letters):
            raise MissingDrawError("shuffle", f"the letters {letters} in some order")
        return found

    def _next(self, kind: str) -> Any:
        if not self._draws or self._draws[0].get("draw") != kind:
            return None
        return self._draws.pop(0).get("value")


PuzzleChance = DrawnChance | RecordedDraws
"""A source of the random outcomes of puzzles."""
