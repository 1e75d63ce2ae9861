"""A puzzle that is played: what all families do with actions, and the counting of steps."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final, Generic, Literal, TypeVar

from mars_logic.domains.base import StateSimulator
from mars_logic.domains.chance import Chance
from mars_logic.domains.protocol import ActionError, Observation
from mars_logic.domains.rulearn.episode import (
    DrawnChance,
    PuzzleAction,
    PuzzleChance,
    PuzzleOutcome,
    RecordedDraws,
)
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.domains.rulearn.telling import outcome_text, puzzle_manual, scene_text

MOST_HYPOTHESES: Final = 16
"""Hypotheses that may be written; one more ends the episode."""
Hypotheses = Literal["none", "allowed", "required"]
"""Whether the player may write hypotheses; ``required``: the first before anything else."""


@dataclass(frozen=True)
class PuzzleState:
    """Everything about an episode that all families share.

    Attributes:
        steps: Steps that count.
        done: Whether it is over.
        success: Whether the puzzle is solved.
        hypotheses: How many were written.
        action: The last action; None before the first.
        outcome: What it brought.
    """

    steps: int = 0
    done: bool = False
    success: bool = False
    hypotheses: int = 0
    action: PuzzleAction | None = None
    outcome: PuzzleOutcome | None = None


P = TypeVar("P", bound=Puzzle)
S = TypeVar("S", bound=PuzzleState)


@dataclass(frozen=True)
class Effect(Generic[S]):
    """What an action does, before its step is counted.

    Attributes:
        state: The state afterwards.
        shown: What the player sees.
        hidden: What no player sees.
        ends: Whether the puzzle is solved (true) or lost (false) by it; such a step is not counted.
    """

    state: S
    shown: Mapping[str, Any] = field(default_factory=dict)
    hidden: Mapping[str, Any] = field(default_factory=dict)
    ends: bool | None = None


class PuzzleSimulator(StateSimulator[P, S]):
    """A puzzle that is played as a game, with a reward for its solution.

    Args:
        game: The rules.
        hypotheses: Whether the player may or has to write hypotheses.

    Raises:
        InputError: A field of the rules is open.
    """

    twice: ClassVar[bool] = False
    """Whether two hypotheses may be written without an action between them."""

    def __init__(self, game: P, *, hypotheses: Hypotheses = "none") -> None:
        super().__init__(game)
        self._hypotheses = hypotheses

    @property
    def manual(self) -> str:
        """What a player is told, with the forms of actions."""
        listed = (f"{place}. {name}" for place, name in enumerate(self.actions, 1))
        return "\n".join([puzzle_manual(self.game), "", "Actions:", *listed])

    @property
    def score(self) -> int:
        """1 for a solution, else 0."""
        return int(self._state.success)

    def reset(self, chance: Chance | None = None) -> None:  # noqa: ARG002
        """Begin an episode. Nothing is random in it."""
        self._state = self._first()

    @property
    def start(self) -> dict[str, Any]:
        """What is visible before the first action, as recordings have it."""
        return {**self.visible(), "available": self.available()}

    def step(self, action: PuzzleAction, chance: Chance | PuzzleChance) -> PuzzleOutcome:
        """Take an action.

        Raises:
            ActionError: It is not on offer, or the puzzle is over. The state is as before.
        """
        self._require(action)
        if action.do == "hypothesise" and self._state.hypotheses == MOST_HYPOTHESES:
            effect = Effect(replace(self._state, hypotheses=MOST_HYPOTHESES + 1), ends=False)
        elif action.do == "hypothesise":
            written = replace(self._state, hypotheses=self._state.hypotheses + 1)
            effect = Effect(written, self.seen(written))
        elif action.do == "malformed":
            effect = Effect(self._state, self.seen(self._state))
        else:
            if not isinstance(chance, DrawnChance | RecordedDraws):
                chance = DrawnChance(chance)
            effect = self._act(action, chance)
        return self._counted(action, effect)

    def _counted(self, action: PuzzleAction, effect: Effect[S]) -> PuzzleOutcome:
        counts = effect.ends is None and action.do != "hypothesise"
        steps = effect.state.steps + counts
        done = effect.ends is not None or steps >= self.game.length
        success = bool(effect.ends)
        self._state = replace(effect.state, steps=steps, done=done, success=success, action=action)
        shown = dict(effect.shown) | ({} if done else {"available": self.available()})
        found = PuzzleOutcome.of(steps, success if done else None, shown, effect.hidden)
        self._state = replace(self._state, outcome=found)
        return found

    def observe(self) -> Observation:
        """What is visible before the first action, then what the last one brought, with steps."""
        found = self._state.outcome
        return self.start if found is None else {**found.shown, "steps": found.steps}

    def text(self) -> str:
        """The same in words."""
        action, outcome = self._state.action, self._state.outcome
        if action is None or outcome is None:
            return "\n".join(scene_text(self.start)) or "Nothing has been tried yet."
        return outcome_text(action, outcome)

    def offers(self, action: PuzzleAction) -> bool:
        """Whether an action can be taken now."""
        if self._state.done or action.do == "malformed":
            return not self._state.done
        if action.do == "hypothesise":
            last = self._state.action
            again = last is not None and last.do == "hypothesise" and not self.twice
            return self._hypotheses != "none" and not again
        plain = {part: v for part, v in action.data.items() if part in ("do", "function", "to")}
        return not self._owes_hypothesis and plain in self.available()

    @property
    def _owes_hypothesis(self) -> bool:
        return self._hypotheses == "required" and not self._state.hypotheses

    def _require(self, action: PuzzleAction) -> None:
        if self._state.done:
            raise ActionError("action: the episode is over; allowed: a reset")
        if not self.offers(action):
            possible = ", ".join(_told(each) for each in self.available())
            offers = "hypothesise" if self._owes_hypothesis else possible
            raise ActionError(f"action: {_told(action.data)} is not on offer; allowed: {offers}")

    @abstractmethod
    def _act(self, action: PuzzleAction, chance: PuzzleChance) -> Effect[S]:
        """What an action of the family does."""

    @property
    @abstractmethod
    def actions(self) -> tuple[str, ...]:
        """The actions of an episode, in the forms in which they are typed."""

    @abstractmethod
    def available(self) -> list[dict[str, Any]]:
        """The actions on offer, hypotheses aside: kind, and function or gallery."""

    @abstractmethod
    def visible(self) -> dict[str, Any]:
        """What is told at the beginning."""

    def seen(self, state: S) -> dict[str, Any]:  # noqa: ARG002
        """What a player sees after any action."""
        return {}


def _told(action: Mapping[str, Any]) -> str:
    """An action in a message: its kind, and what it is about."""
    return " ".join(str(value) for value in action.values())
