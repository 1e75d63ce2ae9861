"""Plays the tower of Hanoi."""

from __future__ import annotations

from dataclasses import dataclass

from mars_logic.domains.base import StateSimulator
from mars_logic.domains.chance import Chance
from mars_logic.domains.hanoi import words
from mars_logic.domains.hanoi.rules import RODS, Hanoi, all_on, moved
from mars_logic.domains.protocol import (
    ActionError,
    GameOutcome,
    Observation,
    require_action,
)


@dataclass(frozen=True)
class HanoiState:
    """Everything about an episode.

    Attributes:
        pegs: The place in ``RODS`` of each disk, the smallest first.
        moves: Moves so far, with those that were not allowed.
        action: The last move that was tried; -1 before the first.
        legal: Whether it was allowed.
    """

    pegs: tuple[int, ...]
    moves: int = 0
    action: int = -1
    legal: bool = True


class HanoiSimulator(StateSimulator[Hanoi, HanoiState]):
    """A tower that is moved. There is no chance in it."""

    actions = words.ACTIONS

    def __init__(self, game: Hanoi) -> None:
        super().__init__(game)
        self._goal = RODS.index(game.goal)

    def _first(self) -> HanoiState:
        return HanoiState(all_on(self.game.start, self.game.disks))

    @property
    def manual(self) -> str:
        """What a player is told."""
        return words.manual(self.game)

    @property
    def score(self) -> int:
        """Disks on the goal: SmartPlay counts them after the last move, so a score may fall."""
        return self._state.pegs.count(self._goal)

    @property
    def solved(self) -> bool:
        """Whether all disks are on the goal."""
        return self.score == self.game.disks

    def reset(self, chance: Chance) -> None:  # noqa: ARG002
        """Put all disks on the first rod."""
        self._state = self._first()

    def step(self, action: int, chance: Chance) -> GameOutcome:  # noqa: ARG002
        """Move a disk.

        Raises:
            ActionError: There is no such move, or the tower is complete.
        """
        require_action(action, self.actions)
        if self.solved and self._state.moves:
            raise ActionError("action: the episode is over; allowed: a reset")
        pegs = moved(self._state.pegs, action)
        legal = pegs is not None
        self._state = HanoiState(pegs or self._state.pegs, self._state.moves + 1, action, legal)
        reward = self.game.illegal if not legal else self.game.solved if self.solved else 0
        return GameOutcome(reward, self.solved, self.score, self.solved)

    def observe(self) -> Observation:
        """Where the disks are (1, 2, 3 for A, B, C), the last move, and whether it was allowed."""
        state = self._state
        return {
            "pegs": tuple(peg + 1 for peg in state.pegs),
            "moves": state.moves,
            "action": state.action + 1,
            "legal": int(state.legal),
        }

    def text(self) -> str:
        """The last move and the rods in words."""
        return words.observation(self._state.action, self._state.legal, self._state.pegs)
