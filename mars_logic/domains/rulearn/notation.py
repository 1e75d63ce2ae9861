"""The notebook of a puzzle in words: actions, hypotheses and outcomes of each family."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mars_logic.domains.rulearn.actions import action_text
from mars_logic.domains.rulearn.episode import PuzzleAction
from mars_logic.domains.rulearn.escape_room.digits import DigitTerm
from mars_logic.domains.rulearn.escape_room.rules import PasswordRule
from mars_logic.domains.rulearn.escape_room.space import EscapeSpace
from mars_logic.domains.rulearn.escape_room.words import password_sentences
from mars_logic.domains.rulearn.function_operator.rules import FunctionOperator
from mars_logic.domains.rulearn.function_operator.space import OperatorHypothesis, OperatorSpace
from mars_logic.domains.rulearn.function_operator.words import function_sentences
from mars_logic.domains.rulearn.reactor.programs import Program
from mars_logic.domains.rulearn.reactor.space import ReactorSpace
from mars_logic.domains.rulearn.reactor.words import program_sentences

_OPEN: Final = "["
"""Stands in a sentence about what is not known."""
_ERRORS: Final = {
    "invalid_input": "The input is not valid.",
    "division_by_zero": "It divides by zero.",
}


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


class OperatorNotation:
    """The words of the function operator.

    Args:
        visible: What is told at the start.
    """

    def __init__(self, visible: Mapping[str, Any]) -> None:
        self._letters: tuple[str, ...] = tuple(visible["params"])
        self._functions: list[list[str]] = visible["params_per_function"]

    def action(self, action: PuzzleAction) -> str:
        """An action in words."""
        return action_text(action)

    def hypothesis(self, hypothesis: OperatorHypothesis) -> list[str]:
        """The functions, and the values of their parameters in one line."""
        values = dict(zip(self._letters, hypothesis.values, strict=True))
        functions = [
            [
                {"param": letter, "coef": values[letter], "basis": basis}
                for letter, basis in zip(letters, bases, strict=True)
            ]
            for letters, bases in zip(self._functions, hypothesis.bases, strict=True)
        ]
        stated = {"functions": functions, "params_distinct": False, "param_range": (0, 9)}
        told = function_sentences(FunctionOperator.model_validate(stated))
        many = len(self._functions)
        return [*told[:many], " ".join(told[many:])]

    def outcome(self, action: PuzzleAction, outcome: Any) -> str:
        """A value, an error, or what the door says."""
        if action.do != "evaluate":
            return _digits(outcome)
        return _ERRORS.get(outcome) or f"The value is {outcome:.6g}."

    def certain(self, space: OperatorSpace) -> list[str]:
        """The functions and parameters that all hypotheses agree on."""
        found = function_sentences(space.theory()) if space.count else []
        return [each for each in found if _OPEN not in each]


class EscapeNotation:
    """The words of the escape room.

    Args:
        attribute: What the hint is about.
    """

    def __init__(self, attribute: str) -> None:
        self._attribute = attribute

    def action(self, action: PuzzleAction) -> str:
        """An action in words."""
        return action_text(action)

    def _rule(self, digits: Any) -> list[str]:
        rule = {"focus": self._attribute, "focus_order": ["blue"], "digits": digits}
        if self._attribute == "medium":
            rule["focus_order"] = ["oil"]
        return password_sentences(PasswordRule.model_validate(rule))[1:]

    def hypothesis(self, hypothesis: tuple[DigitTerm, ...]) -> list[str]:
        """The digits."""
        return self._rule([each.model_dump(mode="json") for each in hypothesis])

    def outcome(self, action: PuzzleAction, outcome: Any) -> str:
        """What the door says, or a room."""
        return f"The {action.to} is seen." if action.do == "pass" else _digits(outcome)

    def certain(self, space: EscapeSpace) -> list[str]:
        """The digits that all hypotheses agree on, and the code if it is certain."""
        if not space.count:
            return []
        rule = space.theory((space.focus,))
        found = [each for each in password_sentences(rule)[1:] if _OPEN not in each]
        codes = list(space.codes(2))
        if len(codes) == 1 and not space.unseen:
            found.append(f"The code is {codes[0]} while the hint names {space.focus}.")
        return found


class ReactorNotation:
    """The words of the reactor."""

    def action(self, action: PuzzleAction) -> str:
        """An action in words."""
        return action_text(action)

    def hypothesis(self, hypothesis: Program) -> list[str]:
        """The program."""
        return program_sentences(hypothesis)

    def outcome(self, action: PuzzleAction, outcome: Any) -> str:
        """The products."""
        if action.do == "submit":
            return "The target is accepted."
        return f"{' + '.join(action.materials)} gives {' and '.join(outcome) or 'nothing'}."

    def certain(self, space: ReactorSpace) -> list[str]:
        """The rule, if one is left, and how many reactions of what is in storage are certain."""
        if space.count == 1:
            return program_sentences(space.hypotheses(1)[0][0])
        certain, undecided = space.consequences(space.experiments())
        many = len(certain) + len(undecided)
        return [f"{len(certain)} of {many} reactions of materials in storage."] if certain else []
