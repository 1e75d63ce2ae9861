"""The forms of a language model's answers about puzzles."""

from __future__ import annotations

import re
from typing import Annotated, Any, ClassVar, Self

from pydantic import BeforeValidator

from mars_logic.language.answers import Line, ModelAnswer, Text, UnreadableAnswerError

_NUMBER = re.compile(r"\[\s*([0-9]+)\s*\]|choice\W*([0-9]+)|\b([0-9]+)\b", re.I)
_BRACKETS = re.compile(r"\[([^\]\n]*)\]")


class HypothesisAnswer(ModelAnswer):
    """A hypothesis about the rule and a plan, both in free text.

    Attributes:
        hypothesis: The rule that is supposed.
        plan: How to go on by it.
    """

    hypothesis: Text
    plan: Text = ""

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The whole text is the hypothesis."""
        if not text:
            raise UnreadableAnswerError("it is empty")
        return cls(hypothesis=text)


class ChoiceAnswer(ModelAnswer):
    """A thought, and the number of an action.

    Attributes:
        most: How many actions are on offer.
        choice: The action's number, from 1.
    """

    most: ClassVar[int] = 1
    thought: Text = ""
    choice: int

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The first number in brackets, after ``choice``, or in the text, in this order."""
        places = sorted(_NUMBER.finditer(text), key=lambda each: each.lastindex or 0)
        number = next((int(each[each.lastindex or 0]) for each in places), None)
        return cls(thought=text, choice=cls.allowed(number))

    @classmethod
    def allowed(cls, number: int | None) -> int:
        """A number, if it is that of an action.

        Raises:
            UnreadableAnswerError: It is none.
        """
        if number is None or not 1 <= number <= cls.most:
            raise UnreadableAnswerError(f"there is no number from 1 to {cls.most} in it")
        return number


def choice_answer(many: int) -> type[ChoiceAnswer]:
    """The form of an answer with one of so many choices."""

    class OneOf(ChoiceAnswer):
        most: ClassVar[int] = many

        @classmethod
        def schema_for_model(cls) -> dict[str, Any]:
            schema = super().schema_for_model()
            schema["properties"]["choice"]["enum"] = list(range(1, many + 1))
            return schema

    return OneOf


def _joined(value: Any) -> Any:
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return " + ".join(value)
    return str(value) if isinstance(value, int | float) else value


class InputAnswer(ModelAnswer):
    """What belongs to the chosen action."""

    input: Annotated[Line, BeforeValidator(_joined)]

    @classmethod
    def from_text(cls, text: str) -> Self:
        """What stands in the first brackets; without brackets, a text of one line."""
        if text.startswith("{"):
            raise UnreadableAnswerError("its JSON is not whole, or not of the form")
        if found := _BRACKETS.search(text):
            return cls(input=found[1])
        if not text or "\n" in text:
            raise UnreadableAnswerError("there is no input in brackets in it")
        return cls(input=text)
