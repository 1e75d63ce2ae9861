"""An episode of a puzzle: actions, outcomes, and the counting that all families share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar, Final, Generic, Literal, TypeVar

from mars_logic.domains.protocol import ActionError, require_certain
from mars_logic.domains.rulearn.draws import PuzzleChance
from mars_logic.domains.rulearn.puzzle import Puzzle

MOST_HYPOTHESES: Final = 16
"""Hypotheses that may be written; one more ends the episode."""
_PARTS: Final = {
    "evaluate": ("function", "input"),
    "enter_code": ("code",),
    "pass": ("to",),
    "react": ("materials",),
}
"""What belongs to an action, by its kind; nothing to others."""
_MORE: Final = {"hypothesise": ("text",)}
"""What may belong to it besides."""
_DEFAULTS: Final = {"function": 0, "input": "", "code": "", "to": "", "materials": (), "text": ""}
Hypotheses = Literal["none", "allowed", "required"]
"""Whether the player may write hypotheses; ``required``: the first before anything else."""


@dataclass(frozen=True)
class PuzzleAction:
    """An action.

    Attributes:
        do: ``evaluate``, ``enter_code``, ``pass``, ``brute_force``, ``react``, ``submit``,
            ``hypothesise``, or ``malformed``: an answer that could not be read.
        function: The number of the function to evaluate, from 1.
        input: What it is evaluated at, as typed.
        code: The code, as typed.
        to: The gallery to go to.
        materials: What is put into the reactor, in order.
        text: What is written as a hypothesis, if that is kept.
    """

    do: str
    function: int = 0
    input: str = ""
    code: str = ""
    to: str = ""
    materials: tuple[str, ...] = ()
    text: str = ""

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> PuzzleAction:
        """An action from a mapping as recordings have it.

        Raises:
            ActionError: A part is missing, of another kind of value, or not part of the action.
        """
        do = data.get("do")
        parts = _PARTS.get(str(do), ())
        allowed = ", ".join(("do", *parts))
        more = tuple(part for part in _MORE.get(str(do), ()) if part in data)
        if not isinstance(do, str) or set(data) != {"do", *parts, *more}:
            raise ActionError(f"action: {sorted(map(str, data))} are not its parts; {allowed}")
        found: dict[str, Any] = {part: data[part] for part in (*parts, *more)}
        found |= {part: tuple(each) for part, each in found.items() if isinstance(each, list)}
        for part, value in found.items():
            texts = isinstance(value, tuple) and all(isinstance(each, str) for each in value)
            if type(value) is not type(_DEFAULTS[part]) or (isinstance(value, tuple) and not texts):
                kind = {int: "a whole number", str: "text", tuple: "a list of texts"}
                allowed = kind[type(_DEFAULTS[part])]
                raise ActionError(f"action: {part}: {value!r} is of no use; allowed: {allowed}")
        return cls(do, **found)

    @property
    def data(self) -> dict[str, Any]:
        """The action as recordings have it."""
        found = asdict(self)
        more = (part for part in _MORE.get(self.do, ()) if found[part])
        parts = {part: found[part] for part in (*_PARTS.get(self.do, ()), *more)}
        return {"do": self.do} | {
            part: list(value) if isinstance(value, tuple) else value
            for part, value in parts.items()
        }


@dataclass(frozen=True)
class PuzzleOutcome:
    """What an action brought.

    Attributes:
        steps: Steps that count, so far.
        done: Whether the episode is over.
        success: Whether the puzzle is solved; None until it is over.
        shown: What the player sees of it, as recordings name it.
        hidden: What recordings hold besides: no player sees it.
    """

    steps: int
    done: bool
    success: bool | None
    shown: Mapping[str, Any]
    hidden: Mapping[str, Any] = field(default_factory=dict)

    @property
    def record(self) -> dict[str, Any]:
        """The outcome as recordings have it."""
        counted = {"steps": self.steps, "done": self.done, "success": self.success}
        return {**counted, **self.shown, **self.hidden}


@dataclass(frozen=True)
class PuzzleState:
    """Everything about an episode that all families share.

    Attributes:
        steps: Steps that count.
        done: Whether it is over.
        success: Whether the puzzle is solved.
        hypotheses: How many were written.
        last: The kind of the last action.
    """

    steps: int = 0
    done: bool = False
    success: bool = False
    hypotheses: int = 0
    last: str = ""


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


class PuzzleSimulator(ABC, Generic[P, S]):
    """A puzzle that is played; it begins anew by :meth:`reset`. It holds no random stream.

    Args:
        puzzle: The rules.
        hypotheses: Whether the player may or has to write hypotheses.

    Raises:
        InputError: A field of the rules is open.
    """

    twice: ClassVar[bool] = False
    """Whether two hypotheses may be written without an action between them."""

    def __init__(self, puzzle: P, *, hypotheses: Hypotheses = "none") -> None:
        require_certain(puzzle)
        self.puzzle = puzzle
        self._hypotheses = hypotheses
        self._state = self._first()

    def reset(self) -> None:
        """Begin an episode. Nothing is random in it."""
        self._state = self._first()

    @property
    def start(self) -> dict[str, Any]:
        """What is visible before the first action, as recordings have it."""
        return {**self.visible(), "available": self.available()}

    def step(self, action: PuzzleAction, chance: PuzzleChance) -> PuzzleOutcome:
        """Take an action.

        Raises:
            ActionError: It is not on offer. The state is as before.
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
            effect = self._act(action, chance)
        return self._counted(action.do, effect)

    def _counted(self, do: str, effect: Effect[S]) -> PuzzleOutcome:
        counts = effect.ends is None and do != "hypothesise"
        steps = effect.state.steps + counts
        done = effect.ends is not None or steps >= self.puzzle.length
        success = bool(effect.ends)
        self._state = replace(effect.state, steps=steps, done=done, success=success, last=do)
        shown = dict(effect.shown) | ({} if done else {"available": self.available()})
        return PuzzleOutcome(steps, done, success if done else None, shown, effect.hidden)

    def offers(self, action: PuzzleAction) -> bool:
        """Whether an action can be taken now."""
        if self._state.done or action.do == "malformed":
            return not self._state.done
        if action.do == "hypothesise":
            again = self._state.last == "hypothesise" and not self.twice
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

    def snapshot(self) -> S:
        """The state: an immutable value that can be compared."""
        return self._state

    def restore(self, snapshot: S) -> None:
        """Go back to a state."""
        self._state = snapshot

    @abstractmethod
    def _first(self) -> S:
        """The state at the beginning."""

    @abstractmethod
    def _act(self, action: PuzzleAction, chance: PuzzleChance) -> Effect[S]:
        """What an action of the family does."""

    @property
    @abstractmethod
    def forms(self) -> tuple[str, ...]:
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
