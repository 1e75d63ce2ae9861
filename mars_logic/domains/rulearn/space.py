"""What the version spaces of puzzles share: observations as evidence for parts of a rule."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mars_logic.domains.rulearn.episode import PuzzleAction, action_text
from mars_logic.domains.rulearn.escape_room.rules import paintings
from mars_logic.domains.rulearn.function_operator.rules import FunctionTerm
from mars_logic.domains.rulearn.function_operator.simulator import evaluated
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.domains.rulearn.reactor.rules import products
from mars_logic.domains.space import GameSpace, SeenEpisode, StepJudgement
from mars_logic.induction.protocol import H

_ERRORS: Final = {
    "invalid_input": "The input is not valid.",
    "division_by_zero": "It divides by zero.",
}


class PuzzleSpace(GameSpace[PuzzleAction, H]):
    """All hypotheses about a puzzle that fit what was seen."""

    @staticmethod
    def parts(theory: Puzzle) -> Mapping[str, bool]:
        """The parts of the rule: functions and parameters, digits, or the whole."""
        return {name: part is None for name, part in theory.parts().items()}

    @classmethod
    def judged(cls, theory: Puzzle, episode: SeenEpisode) -> Iterator[StepJudgement]:
        """What the actions say about the parts of which something is known."""
        return judgements(theory, episode.start, episode.steps, episode.game.all_hung)

    @classmethod
    def fits(cls, theory: Puzzle, start: Mapping[str, Any]) -> bool:
        """Whether the puzzle says so."""
        return theory.fits(start)

    def plans(self, shown: Mapping[str, Any]) -> bool:
        """Also where the target can be submitted."""
        return self.count > 0 or {"do": "submit"} in shown["available"]

    def solves(self, action: PuzzleAction, shown: Mapping[str, Any]) -> bool:
        """Whether the target was submitted, or the code was right."""
        return action.do == "submit" or bool(shown.get("correct"))

    def action_text(self, action: PuzzleAction) -> str:
        """An action in words."""
        return action_text(action)

    def outcome_text(self, action: PuzzleAction, outcome: Any) -> str:
        """A value or an error, a room, products, or what the door says."""
        if action.do == "evaluate":
            return _ERRORS.get(outcome) or f"The value is {outcome:.6g}."
        if action.do == "pass":
            return f"The {action.to} is seen."
        if action.do == "submit":
            return "The target is accepted."
        if action.do == "react":
            return f"{' + '.join(action.materials)} gives {' and '.join(outcome) or 'nothing'}."
        return _digits(outcome)


def one_of(weights: Mapping[Any, float] | Iterable[tuple[Any, float]]) -> Any:
    """Values with their weights as a field in a file: alternatives, or the value if it is one."""
    pairs = weights.items() if isinstance(weights, Mapping) else weights
    options = [{"value": value, "weight": float(weight)} for value, weight in pairs if weight > 0]
    return options[0]["value"] if len(options) == 1 else {"one_of": options}


def _digits(outcome: Any) -> str:
    if outcome is None:
        return "The code has another number of digits."
    if all(outcome):
        return "The door opens."
    right = [str(place) for place, each in enumerate(outcome, 1) if each]
    if not right:
        return "All digits are wrong."
    many = len(right) > 1
    return f"Digit{'s' * many} {' and '.join(right)} {'are' if many else 'is'} right, no other."


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
        self._focus = _hinted(start)
        self._judges_codes = hung is not None or not self._focus
        self._paintings = [paintings()[each] for each in hung or ()]

    def seen(self, action: PuzzleAction, shown: Mapping[str, Any]) -> Iterator[PartObservation]:
        """What an action says."""
        told = action_text(action)
        if action.do == "enter_code" and shown["digits"] and not self._changed:
            yield from self._code(told, shown)
        elif action.do == "evaluate" and not self._changed:
            says = f"{told} is {shown['value'] if shown['error'] is None else shown['error']}"
            yield PartObservation(f"function {action.function}", _evaluation(action, shown), says)
        elif action.do == "react" and len(action.materials) == 2 and shown["error"] is None:
            says = f"{told} gives {' and '.join(shown['products'])}"
            yield PartObservation("rule", _reaction(action, shown), says)
        if self._focus:  # a new hint tells all that has changed
            self._focus = _hinted(shown) or self._focus
        elif shown.get("changed"):
            self._changed = True

    def _code(self, told: str, shown: Mapping[str, Any]) -> Iterator[PartObservation]:
        if not self._judges_codes:
            return
        digits = zip(self._theory.code_parts, shown["entered"], shown["digits"], strict=True)
        for place, (part, digit, right) in enumerate(digits, 1):
            says = f"{told}: digit {place} is {'right' if right else 'wrong'}"
            yield PartObservation(part, self._digit(int(digit), right), says)

    def _digit(self, digit: int, right: bool) -> Callable[[Any], bool]:
        theory, focus, seen = self._theory, self._focus, self._paintings
        return lambda part: (theory.code_digit(part, seen, focus) == digit) == right


def _hinted(shown: Mapping[str, Any]) -> str:
    """What the hint names; empty where there is none."""
    return next((str(value) for name, value in shown.items() if name.startswith("hint_")), "")


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


def judgements(
    theory: Puzzle,
    start: Mapping[str, Any],
    steps: Sequence[SeenStep],
    hung: Sequence[int] | None,
) -> Iterator[StepJudgement]:
    """What an episode says about the parts of a theory's rule of which something is known.

    Args:
        theory: The theory.
        start: What the player saw before the first action.
        steps: What it did, and saw then.
        hung: The numbers of all paintings; None if not all are known: codes are not judged then.
    """
    known = theory.parts()
    read = ObservationReader(theory, start, hung)
    for number, (action, shown) in enumerate(steps):
        for seen in read.seen(action, shown):
            if (completed := known[seen.part]) is not None:
                agrees = any(map(seen.agrees, completed))
                yield StepJudgement(number, seen.part, agrees, seen.told)


def contradiction(
    theory: Puzzle, start: Mapping[str, Any], steps: Sequence[SeenStep]
) -> str | None:
    """The first observation of an episode that contradicts a theory, in words; None if none does.

    Args:
        theory: The theory.
        start: What the player saw before the first action.
        steps: What it did, and saw then.
    """
    found = judgements(theory, start, steps, paintings_seen(start, steps))
    return next((each.told for each in found if not each.agrees), None)
