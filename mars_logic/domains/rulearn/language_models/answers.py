"""The forms of a language model's answers about puzzles."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Self

from pydantic import BeforeValidator, Field, ValidationError, field_validator

from mars_logic.language.answers import (
    Line,
    Lines,
    ModelAnswer,
    Text,
    UnreadableAnswerError,
    final_words,
)

_WORDS = re.compile(r"[^\W\d_]*[^\W\d_A-Z][^\W\d_]+")
"""Words of text, which materials and the names of parameters are not."""
_MULTIPLE = re.compile(r"[-+0-9. ]*(?:\*|times)? *pi(?: *[*/] *[0-9.]+)?")
"""The inputs in which there are words."""


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
        if text.startswith("{"):
            raise UnreadableAnswerError("its JSON is not whole, or not of the form")
        return cls(hypothesis=text)


class StatedHypothesis(HypothesisAnswer):
    """A hypothesis that was stated as data, in words.

    Attributes:
        problem: Why the data state no rule; empty if they do.
    """

    problem: str = ""


class RuleAnswer(ModelAnswer):
    """A rule as plain data, a plan, and in words what the data cannot say.

    Attributes:
        rule: The rule, as a file of the puzzle states it.
        plan: How to go on by it.
        remarks: What the rule cannot say.
    """

    rule: Any
    plan: Text = ""
    remarks: Lines = Field(default_factory=list)


def rule_answer(rule: Mapping[str, Any]) -> type[RuleAnswer]:
    """The form of an answer with a rule.

    Args:
        rule: The JSON schema of the rule.
    """
    about = {key: value for key, value in rule.items() if key != "$defs"}

    class OfPuzzle(RuleAnswer):
        @classmethod
        def schema_for_model(cls) -> dict[str, Any]:
            schema = super().schema_for_model()
            schema["properties"]["rule"] = about
            return {**schema, "$defs": rule["$defs"]}

    return OfPuzzle


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
        """The number as the final answer, perhaps in brackets, or after ``Choice:``."""
        said = final_words(text, "choice").strip()
        number = int(said) if said.isascii() and said.isdecimal() else None
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

    @field_validator("input")
    @classmethod
    def _no_sentence(cls, value: str) -> str:
        """An input as it is, without a sentence around it, whose digits might be taken for it."""
        if not value or (_WORDS.search(value) and not _MULTIPLE.fullmatch(value)):
            raise ValueError("it is not an input alone")
        return value

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The input as the final answer, perhaps in brackets, or after ``Input:``."""
        if text.startswith("{"):
            raise UnreadableAnswerError("its JSON is not whole, or not of the form")
        try:
            return cls(input=final_words(text, "input"))
        except ValidationError:
            raise UnreadableAnswerError("it is not an input alone") from None
