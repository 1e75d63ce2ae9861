"""What a player sees in a puzzle, as evidence for or against the parts of a theory's rule."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mars_logic.domains.checking import Judgement
from mars_logic.domains.completions import MOST, completions
from mars_logic.domains.rulearn.episode import PuzzleAction, action_text
from mars_logic.domains.rulearn.escape_room.paintings import paintings
from mars_logic.domains.rulearn.escape_room.rules import DigitTerm, EscapeRoom
from mars_logic.domains.rulearn.function_operator.rules import FunctionOperator, FunctionTerm
from mars_logic.domains.rulearn.function_operator.simulator import evaluated
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.domains.rulearn.reactor.programs import products
from mars_logic.domains.rulearn.reactor.rules import Reactor
from mars_logic.world.uncertain import UNKNOWN

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


def judged(
    theory: Puzzle,
    start: Mapping[str, Any],
    steps: Sequence[SeenStep],
    hung: Sequence[int] | None,
) -> Iterator[Judgement]:
    """What an episode says about the parts of a theory's rule of which something is known.

    Args:
        theory: The theory.
        start: What the player saw before the first action.
        steps: What it did, and saw then.
        hung: The numbers of all paintings; None if not all are known: codes are not judged then.
    """
    known = {each.name: each.completions for each in rule_parts(theory)}
    read = ObservationReader(theory, start, hung)
    for number, (action, shown) in enumerate(steps):
        for seen in read.seen(action, shown):
            if (completed := known[seen.part]) is not None:
                agrees = any(map(seen.agrees, completed))
                yield Judgement(number, seen.part, agrees, seen.told)


def contradiction(
    theory: Puzzle, start: Mapping[str, Any], steps: Sequence[SeenStep]
) -> str | None:
    """The first observation of an episode that contradicts a theory, in words; None if none does.

    Args:
        theory: The theory.
        start: What the player saw before the first action.
        steps: What it did, and saw then.
    """
    found = judged(theory, start, steps, paintings_seen(start, steps))
    return next((each.told for each in found if not each.agrees), None)


@dataclass(frozen=True)
class RulePart:
    """A part of a rule.

    Attributes:
        name: What it is called, such as ``function 1``, ``parameter a``, ``digit 2``, ``rule``.
        place: Its number from 0 among those of its kind.
        completions: What it may be; None if nothing is known of a field, or of too many.
    """

    name: str
    place: int
    completions: tuple[Any, ...] | None


def rule_parts(theory: Puzzle) -> list[RulePart]:
    """The parts of a theory's rule."""
    stated = theory.model_dump(mode="json")
    if isinstance(theory, FunctionOperator):
        return _functions(theory, stated)
    if isinstance(theory, EscapeRoom):
        rule = stated["rule"]
        return [
            RulePart(f"digit {at + 1}", at, _completed(digit, DigitTerm.model_validate))
            for at, digit in enumerate(rule["digits"])
        ]
    assert isinstance(theory, Reactor)
    found = _completed(stated["rule"], lambda rule: _program(theory, rule))
    return [RulePart("rule", 0, found)]


def _functions(theory: FunctionOperator, stated: Mapping[str, Any]) -> list[RulePart]:
    low, high = theory.param_range
    values = {term["param"]: term["coef"] for each in stated["functions"] for term in each}
    found = []
    for at, terms in enumerate(stated["functions"]):
        opened = [term | {"coef": _ranged(term["coef"], low, high)} for term in terms]
        found.append(RulePart(f"function {at + 1}", at, _completed(opened, _one_value_each)))
    for at, letter in enumerate(theory.letters):
        options = _completed(_ranged(values[letter], low, high), lambda value: value)
        known = None if values[letter] == UNKNOWN.value else options
        found.append(RulePart(f"parameter {letter}", at, known))
    return found


def _ranged(coef: Any, low: int, high: int) -> Any:
    """The values of a parameter of which nothing is known."""
    if coef != UNKNOWN.value:
        return coef
    return {"one_of": [{"value": each, "weight": 1.0} for each in range(low, high + 1)]}


def _one_value_each(terms: list[dict[str, Any]]) -> list[dict[str, Any]] | None:
    values: dict[str, Any] = {}
    same = all(values.setdefault(term["param"], term["coef"]) == term["coef"] for term in terms)
    return terms if same else None


def _program(theory: Reactor, rule: Any) -> Any:
    stated = theory.model_dump(mode="json") | {"rule": rule, "hints": []}
    return Reactor.model_validate(stated).rule


def _completed(stated: Any, make: Any) -> tuple[Any, ...] | None:
    """All that a part may be; None if a field is unknown or there are too many."""
    try:
        found = list(itertools.islice(completions(stated), MOST + 1))
    except LookupError:
        return None
    made = (make(each) for each, _ in found)
    return tuple(each for each in made if each is not None) if len(found) <= MOST else None
