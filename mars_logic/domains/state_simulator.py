"""Simulators whose state is one immutable value, which each step replaces."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from mars_logic.domains.base import G
from mars_logic.domains.protocol import require_certain

S = TypeVar("S")


class StateSimulator(ABC, Generic[G, S]):
    """A game that is played; call ``reset`` before anything else.

    Args:
        game: The rules.

    Raises:
        InputError: A field of the rules is open.
    """

    def __init__(self, game: G) -> None:
        require_certain(game)
        self.game = game
        self._state = self._first()

    @abstractmethod
    def _first(self) -> S:
        """The state at the beginning, or one before it where a beginning is drawn."""

    def snapshot(self) -> S:
        """The whole state: an immutable value that can be compared."""
        return self._state

    def restore(self, snapshot: S) -> None:
        """Go back to a state."""
        self._state = snapshot
