"""Structured answers of a language model: read as JSON, otherwise from the text.

Everything in an answer is data: it is compared with names or kept as text of bounded length.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Final, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from mars_logic.language.tokens import safe
from mars_logic.world import names

LONGEST_TEXT: Final = 2_000
LONGEST_LINE: Final = 300
MOST_LINES: Final = 10
"""Lines of an answer that are kept: rules, subgoals."""
_ITEM: Final = re.compile(r"^\s*(?:[-*+\u2022]|\(?\d+[.):])?\s*(.*?)\s*$")


class UnreadableAnswerError(ValueError):
    """An answer is not of the wanted form; the message says why, for the model."""


def _text(value: Any) -> Any:
    return safe(value, LONGEST_TEXT) if isinstance(value, str) else value


def _line(value: Any) -> Any:
    return safe(" ".join(value.split()), LONGEST_LINE) if isinstance(value, str) else value


def _lines(value: Any) -> Any:
    return value[:MOST_LINES] if isinstance(value, list) else value


Text = Annotated[str, BeforeValidator(_text)]
Line = Annotated[str, BeforeValidator(_line)]
Lines = Annotated[list[Line], BeforeValidator(_lines)]


class ModelAnswer(BaseModel):
    """An answer with fields; subclasses say how it is read from plain text."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")

    @classmethod
    def schema_for_model(cls) -> dict[str, Any]:
        """The JSON schema, with all fields required and no others, as endpoints want it."""
        schema = cls.model_json_schema()
        schema.pop("description", None)
        return schema | {
            "required": list(schema["properties"]),
            "additionalProperties": False,
        }

    @classmethod
    def from_text(cls, text: str) -> Self:  # noqa: ARG003 - for subclasses
        """The answer in a text without JSON.

        Raises:
            UnreadableAnswerError: There is none.
        """
        raise UnreadableAnswerError(f"there is no JSON object with {_fields(cls)}")


A = TypeVar("A", bound=ModelAnswer)


class ActionAnswer(ModelAnswer):
    """A thought and an action.

    Attributes:
        thought: Why.
        action: A name of the class's ``choices``.
    """

    choices: ClassVar[Sequence[str]] = names.ACTIONS
    thought: Text = ""
    action: Line

    @classmethod
    def schema_for_model(cls) -> dict[str, Any]:
        """The schema with the allowed actions."""
        schema = super().schema_for_model()
        schema["properties"]["action"]["enum"] = list(cls.choices)
        return schema

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The first name of an action in the text."""
        found = first_name(text, cls.choices)
        if found is None:
            raise UnreadableAnswerError(
                f"there is no action in it; the actions are: {', '.join(cls.choices)}"
            )
        return cls(thought=text, action=found)


class ControllerAnswer(ActionAnswer):
    """A thought, and an action or the end of a subgoal."""

    choices: ClassVar[Sequence[str]] = (*names.ACTIONS, "succeeded", "failed")


class TaskAnswer(ModelAnswer):
    """The next task: the name of an achievement."""

    thought: Text = ""
    task: Line


class PlanAnswer(ModelAnswer):
    """Subgoals in order."""

    subgoals: Annotated[Lines, Field(min_length=1)]

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Each line is a subgoal."""
        return cls(subgoals=_items(text, "subgoals"))


class TextAnswer(ModelAnswer):
    """An answer in free text."""

    text: Text

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The text itself."""
        return cls(text=text)


class RulesAnswer(ModelAnswer):
    """Rules of the game, a sentence each; none if nothing was learned."""

    thought: Text = ""
    rules: Lines

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Each item of a list is a rule; without a list, each line."""
        return cls(rules=_items(text, "rules"))


def task_answer(choices: Sequence[str]) -> type[TaskAnswer]:
    """The form of an answer with one of these tasks.

    Args:
        choices: Names of achievements.
    """
    allowed = tuple(choices)

    class OneOf(TaskAnswer):
        @classmethod
        def schema_for_model(cls) -> dict[str, Any]:
            schema = super().schema_for_model()
            schema["properties"]["task"]["enum"] = list(allowed)
            return schema

        @classmethod
        def from_text(cls, text: str) -> Self:
            found = first_name(text, allowed)
            if found is None:
                raise UnreadableAnswerError(
                    f"there is no task in it; the tasks are: {', '.join(allowed)}"
                )
            return cls(thought=text, task=found)

    return OneOf


def read_answer(form: type[A], text: str) -> A:
    """The answer in a text: its first JSON object that is of the form, else as the form says.

    Raises:
        UnreadableAnswerError: There is none.
    """
    for found in _objects(text):
        try:
            answer = form.model_validate(found)
        except ValidationError:
            continue
        return _named(form, answer)
    return form.from_text(text.strip())


def _named(form: type[A], answer: A) -> A:
    """An answer whose action or task is one of the names that are allowed."""
    for name in ("action", "task"):
        if hasattr(answer, name):
            chosen = form.from_text(str(getattr(answer, name)))
            return answer.model_copy(update={name: getattr(chosen, name)})
    return answer


def first_name(text: str, choices: Sequence[str]) -> str | None:
    """The name that occurs first in a text, after ``action:`` if that is there.

    Spaces and hyphens may stand for ``_``.

    Example:
        >>> first_name("I think: Move left, then do.", ["do", "move_left"])
        'move_left'
    """
    stated = text.lower().rpartition("action:")
    return (_first(stated[2], choices) if stated[1] else None) or _first(text, choices)


def _first(text: str, choices: Sequence[str]) -> str | None:
    ways = {"[ _-]".join(map(re.escape, name.split("_"))): name for name in choices}
    longest = sorted(ways, key=len, reverse=True)
    found = re.search(rf"(?<![\w])({'|'.join(longest)})(?![\w])", text, re.IGNORECASE)
    if found is None:
        return None
    return re.sub("[ -]", "_", found[1]).lower()


def _objects(text: str) -> list[Any]:
    """The JSON objects in a text, from its first opening braces."""
    decoder = json.JSONDecoder()
    found: list[Any] = []
    at = text.find("{")
    for _ in range(MOST_LINES):
        if at < 0:
            break
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            found.append(value)
        at = text.find("{", end)
    return found


def _items(text: str, what: str) -> list[str]:
    """The lines of a text, or the items of a list in it, without their marks."""
    if text.startswith(("{", "[")):
        raise UnreadableAnswerError("its JSON is not whole, or not of the form")
    lines = [line for line in text.splitlines() if line.strip()]
    marked = [line for line in lines if (item := _ITEM.match(line)) and item.start(1) > 1]
    found = [item[1] for line in marked or lines if (item := _ITEM.match(line)) and item[1]]
    if not found:
        raise UnreadableAnswerError(f"there are no {what} in it")
    return found[:MOST_LINES]


def _fields(form: type[ModelAnswer]) -> str:
    return " and ".join(f'"{name}"' for name in form.model_fields)
