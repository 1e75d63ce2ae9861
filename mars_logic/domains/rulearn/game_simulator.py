"""A puzzle through the interface of all games: a reward for its solution, and what is seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mars_logic.domains.chance import Chance
from mars_logic.domains.protocol import GameOutcome, Observation
from mars_logic.domains.rulearn.draws import DrawnChance
from mars_logic.domains.rulearn.episode import (
    PuzzleAction,
    PuzzleOutcome,
    PuzzleSimulator,
    PuzzleState,
)
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.domains.rulearn.telling import outcome_text, puzzle_manual, scene_text


@dataclass(frozen=True)
class PuzzlePosition:
    """Everything about an episode, with what the player saw last.

    Attributes:
        state: The state of the puzzle.
        action: The last action; None before the first.
        outcome: What it brought.
    """

    state: PuzzleState
    action: PuzzleAction | None = None
    outcome: PuzzleOutcome | None = None


class PuzzleGame:
    """A puzzle that is played as a game.

    Attributes:
        puzzle: The simulator of the puzzle.

    Args:
        puzzle: The simulator of the puzzle.
    """

    def __init__(self, puzzle: PuzzleSimulator[Any, Any]) -> None:
        self.puzzle = puzzle
        self._last: tuple[PuzzleAction, PuzzleOutcome] | None = None

    @property
    def game(self) -> Puzzle:
        """The rules."""
        found: Puzzle = self.puzzle.puzzle
        return found

    @property
    def actions(self) -> tuple[str, ...]:
        """The forms in which actions are typed."""
        return self.puzzle.forms

    @property
    def manual(self) -> str:
        """What a player is told, with the forms of actions."""
        listed = (f"{place}. {name}" for place, name in enumerate(self.actions, 1))
        return "\n".join([puzzle_manual(self.game), "", "Actions:", *listed])

    @property
    def score(self) -> int:
        """1 for a solution, else 0."""
        return int(self.puzzle.snapshot().success)

    def reset(self, chance: Chance) -> None:  # noqa: ARG002
        """Begin an episode; nothing is random in that."""
        self.puzzle.reset()
        self._last = None

    def step(self, action: PuzzleAction, chance: Chance) -> GameOutcome:
        """Take an action.

        Raises:
            ActionError: It is not on offer, or the puzzle is over. The state is as before.
        """
        outcome = self.puzzle.step(action, DrawnChance(chance))
        self._last = action, outcome
        solved = bool(outcome.success)
        return GameOutcome(int(solved), outcome.done, int(solved), solved, outcome.steps)

    def observe(self) -> Observation:
        """What is visible before the first action, then what the last one brought, with steps."""
        if self._last is None:
            return self.puzzle.start
        outcome = self._last[1]
        return {**outcome.shown, "steps": outcome.steps}

    def text(self) -> str:
        """The same in words."""
        if self._last is not None:
            return outcome_text(*self._last)
        return "\n".join(scene_text(self.puzzle.start)) or "Nothing has been tried yet."

    def snapshot(self) -> PuzzlePosition:
        """The state, and what was seen last."""
        return PuzzlePosition(self.puzzle.snapshot(), *(self._last or ()))

    def restore(self, snapshot: PuzzlePosition) -> None:
        """Go back to a state."""
        self.puzzle.restore(snapshot.state)
        action, outcome = snapshot.action, snapshot.outcome
        self._last = None if action is None or outcome is None else (action, outcome)
