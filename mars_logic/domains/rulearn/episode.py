"""The actions of puzzles, what they bring, and the random outcomes that this depends on."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from mars_logic.domains.chance import Chance, MissingDrawError
from mars_logic.domains.protocol import ActionError, GameOutcome

FORMS: Final = {
    "evaluate": "evaluate function NUMBER at INPUT",
    "enter_code": "enter code CODE",
    "pass": "go to ROOM",
    "brute_force": "open the door with brute force",
    "react": "react MATERIAL + MATERIAL",
    "submit": "submit the target",
    "hypothesise": "write a hypothesis",
    "malformed": "give an answer that cannot be read",
}
"""By the kind of an action: how it is typed."""
_STARTS: Final = {do: re.split(" [A-Z]", form)[0] for do, form in FORMS.items()}
_PARTS: Final = {
    "evaluate": ("function", "input"),
    "enter_code": ("code",),
    "pass": ("to",),
    "react": ("materials",),
}
"""What belongs to an action, by its kind; nothing to others."""
_MORE: Final = {"hypothesise": ("text",)}
"""What may belong to it besides."""
_TYPED: Final = {do: parts[-1] for do, parts in (_PARTS | _MORE).items()}
"""By the kind of an action: what is typed behind its start."""
_DEFAULTS: Final = {"function": 0, "input": "", "code": "", "to": "", "materials": (), "text": ""}


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
            raise ActionError(
                f"action: {sorted(map(str, data))} are not its keys; allowed: {allowed}"
            )
        found: dict[str, Any] = {part: data[part] for part in (*parts, *more)}
        found |= {part: tuple(each) for part, each in found.items() if isinstance(each, list)}
        for part, value in found.items():
            texts = isinstance(value, tuple) and all(isinstance(each, str) for each in value)
            if type(value) is not type(_DEFAULTS[part]) or (isinstance(value, tuple) and not texts):
                kind = {int: "a whole number", str: "text", tuple: "a list of texts"}
                allowed = kind[type(_DEFAULTS[part])]
                raise ActionError(f"action: {part}: {value!r} is not possible; allowed: {allowed}")
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
class PuzzleOutcome(GameOutcome):
    """What an action brought; its reward and its score are 1 for a solution, else 0.

    Attributes:
        steps: Steps that count, so far.
        success: Whether the puzzle is solved; None until it is over.
        shown: What the player sees of it, as recordings name it.
        hidden: What recordings hold besides: no player sees it.
    """

    steps: int = 0
    success: bool | None = None
    shown: Mapping[str, Any] = field(default_factory=dict)
    hidden: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls, steps: int, success: bool | None, shown: Mapping[str, Any], hidden: Mapping[str, Any]
    ) -> PuzzleOutcome:
        """What is over if it is known whether the puzzle is solved."""
        solved = bool(success)
        done = success is not None
        return cls(int(solved), done, int(solved), solved, steps, success, shown, hidden)

    @property
    def record(self) -> dict[str, Any]:
        """The outcome as recordings have it."""
        counted = {"steps": self.steps, "done": self.done, "success": self.success}
        return {**counted, **self.shown, **self.hidden}


_EVALUATE: Final = re.compile(r"evaluate(?: function)? ([0-9]{1,9})(?: at(?: (.*))?)?", re.I | re.S)
_SHOWN: Final = 40


def action_text(action: PuzzleAction) -> str:
    """An action in words, which :func:`action_read` reads back if its texts are plain."""
    if action.do == "evaluate":
        return f"evaluate function {action.function} at {action.input}"
    rest = getattr(action, _TYPED[action.do]) if action.do in _TYPED else ""
    told = " + ".join(rest) if isinstance(rest, tuple) else rest
    return f"{_STARTS[action.do]} {told}".rstrip()


def action_read(text: str) -> PuzzleAction:
    """The action that is typed; what is typed as its input is taken as it is, and never evaluated.

    Raises:
        ActionError: No action is typed so.
    """
    text = text.strip()
    lowered = text.lower()
    if match := _EVALUATE.fullmatch(text):
        return PuzzleAction("evaluate", function=int(match[1]), input=(match[2] or "").strip())
    for do, start in _STARTS.items():
        if do == "evaluate":
            continue
        if lowered == start:
            return PuzzleAction(do)
        if do in _TYPED and lowered.startswith(f"{start} "):
            rest = text[len(start) :].strip()
            materials = tuple(each.strip() for each in rest.split("+"))
            typed: dict[str, Any] = {_TYPED[do]: materials if do == "react" else rest}
            return PuzzleAction(do, **typed)
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    raise ActionError(f"'{shown}' is no action; allowed: {', '.join(FORMS.values())}")


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
