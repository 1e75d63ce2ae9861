"""What the version spaces of puzzles share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from mars_logic.domains.rulearn.episode import PuzzleAction, action_text
from mars_logic.domains.rulearn.observations import judgements
from mars_logic.domains.rulearn.puzzle import Puzzle
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
