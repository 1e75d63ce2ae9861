"""What a player sees in a puzzle, as evidence for or against the parts of a theory's rule."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mars_logic.domains.rulearn.actions import action_text
from mars_logic.domains.rulearn.episode import PuzzleAction
from mars_logic.domains.rulearn.escape_room.paintings import paintings
from mars_logic.domains.rulearn.escape_room.rules import EscapeRoom
from mars_logic.domains.rulearn.function_operator.rules import FunctionOperator, FunctionTerm
from mars_logic.domains.rulearn.function_operator.simulator import evaluated
from mars_logic.domains.rulearn.parts import RulePart, rule_parts
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.domains.rulearn.reactor.programs import products

_RELATIVE: Final = 1e-9
SeenStep = tuple[PuzzleAction, Mapping[str, Any]]
"""An action, and what the player saw of its outcome."""


@dataclass(frozen=True)
class PartObservation:
    """What an action says about one part of a rule.

    Attributes:
        part: The name of the part.
        agrees: Whether a completion of the part predicts what was seen.
        told: The action and what was seen, in words.
    """

    part: str
    agrees: Callable[[Any], bool]
    told: str

    def contradicts(self, part: RulePart) -> bool:
        """Whether no completion of the part predicts it."""
        known = part.completions
        return known is not None and not any(self.agrees(each) for each in known)


class ObservationReader:
    """Reads the steps of an episode in order, and keeps what they depend on.

    Values of parameters that have changed are not judged.

    Args:
        theory: The theory whose parts are judged.
        start: What was visible before the first action.
        hung: The numbers of all paintings; None if not all are known: codes are not judged then.
    """

    def __init__(
        self, theory: Puzzle, start: Mapping[str, Any], hung: Sequence[int] | None
    ) -> None:
        self._theory, self._changed = theory, False
        self._focus = ""
        if isinstance(theory, EscapeRoom):
            self._focus = start[f"hint_{theory.rule.focus}"]
        self._judges_codes = hung is not None or not isinstance(theory, EscapeRoom)
        self._paintings = [paintings()[each] for each in hung or ()]

    def seen(self, action: PuzzleAction, shown: Mapping[str, Any]) -> Iterator[PartObservation]:
        """What an action says."""
        theory, told = self._theory, action_text(action)
        if action.do == "enter_code" and shown["digits"] and not self._changed:
            yield from self._code(told, shown)
        elif action.do == "evaluate" and not self._changed:
            says = f"{told} is {shown['value'] if shown['error'] is None else shown['error']}"
            yield PartObservation(f"function {action.function}", _evaluation(action, shown), says)
        elif action.do == "react" and len(action.materials) == 2 and shown["error"] is None:
            says = f"{told} gives {' and '.join(shown['products'])}"
            yield PartObservation("rule", _reaction(action, shown), says)
        if isinstance(theory, EscapeRoom):
            self._focus = shown.get(f"hint_{theory.rule.focus}", self._focus)
        elif shown.get("changed"):
            self._changed = True

    def _code(self, told: str, shown: Mapping[str, Any]) -> Iterator[PartObservation]:
        if not self._judges_codes:
            return
        named = self._theory.letters if isinstance(self._theory, FunctionOperator) else ()
        for at, (digit, right) in enumerate(zip(shown["entered"], shown["digits"], strict=True)):
            part = f"parameter {named[at]}" if named else f"digit {at + 1}"
            says = f"{told}: digit {at + 1} is {'right' if right else 'wrong'}"
            yield PartObservation(part, self._digit(int(digit), right), says)

    def _digit(self, digit: int, right: bool) -> Callable[[Any], bool]:
        focus, seen = self._focus, self._paintings
        if isinstance(self._theory, FunctionOperator):
            return lambda value: (value == digit) == right
        return lambda term: (term.value(seen, focus) % 10 == digit) == right


def _evaluation(action: PuzzleAction, shown: Mapping[str, Any]) -> Callable[[Any], bool]:
    def agrees(stated: list[dict[str, Any]]) -> bool:
        terms = [FunctionTerm.model_validate(each) for each in stated]
        values = {term.param: term.coef for term in terms}
        value, error = evaluated(terms, values, action.input)
        if value is None or shown["value"] is None:
            return bool(error == shown["error"])
        return math.isclose(value, shown["value"], rel_tol=_RELATIVE, abs_tol=_RELATIVE)

    return agrees


def _reaction(action: PuzzleAction, shown: Mapping[str, Any]) -> Callable[[Any], bool]:
    u, v = action.materials
    return lambda program: list(products(program, u, v)) == list(shown["products"])


def paintings_seen(start: Mapping[str, Any], steps: Iterable[SeenStep]) -> tuple[int, ...] | None:
    """The paintings of all rooms, if a player has seen all rooms; otherwise None."""
    rooms: dict[str, Sequence[int]] = {}
    doors: set[str] = set()
    for shown in (start, *(shown for _, shown in steps)):
        if "room" in shown:
            rooms[shown["room"]] = shown["paintings"]
        doors |= {each["to"] for each in shown.get("available", ()) if each["do"] == "pass"}
    if not rooms or doors - set(rooms):
        return None
    return tuple(each for room in rooms.values() for each in room)


def contradiction(
    theory: Puzzle, start: Mapping[str, Any], steps: Sequence[SeenStep]
) -> str | None:
    """The first observation of an episode that contradicts a theory, in words; None if none does.

    Args:
        theory: The theory.
        start: What the player saw before the first action.
        steps: What it did, and saw then.
    """
    parts = {each.name: each for each in rule_parts(theory)}
    read = ObservationReader(theory, start, paintings_seen(start, steps))
    for action, shown in steps:
        for seen in read.seen(action, shown):
            if seen.contradicts(parts[seen.part]):
                return seen.told
    return None
