"""Structured answers of a language model: read as JSON, otherwise from the text.

Only a final answer counts: the JSON object with which a text ends, on lines of its own; its last
line, behind a marker such as ``Action:``; or a text that is nothing but the answer. What a model
thinks before it answers is left out, and an answer that ends while it thinks is unreadable.

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
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words.fact_data import facts_schema

LONGEST_TEXT: Final = 2_000
LONGEST_LINE: Final = 300
MOST_LINES: Final = 10
"""Lines of an answer that are kept: rules, subgoals."""
MOST_FACTS: Final = 40
"""Facts of an answer that are kept."""
_ITEM: Final = re.compile(r"^\s*(?:[-*+\u2022]|\(?\d+[.):])?\s*(.*?)\s*$")
_THINKING_TAG: Final = r"(?:think|thinking|thought|reasoning)\s*>"
_THINKING: Final = re.compile(rf"<\s*{_THINKING_TAG}", re.IGNORECASE)
_THINKING_ENDS: Final = re.compile(rf"<\s*/\s*{_THINKING_TAG}", re.IGNORECASE)
_FENCE: Final = re.compile(r"\s*(?:```|~~~)\s*\w*\s*$")
_ALONE: Final = re.compile(
    r"[\s*_`~>#]*(?:json\s*)?(?:(?:final\s+)?answer\s*[*_]*:)?[\s*_`~]*", re.I
)
"""What may stand on the line of a JSON object before it."""
_ENDING: Final = re.compile(r"[\s`~*]+$")
_MOST_BRACES: Final = 100
"""Opening braces that are looked at, from the end of an answer."""
_AROUND: Final = re.compile(r"""^[\s*_`~"'(\[]+|[\s*_`~"'.!)\]]+$""")
"""Marks around an answer that are none of it; a point before it belongs to a number."""


class UnreadableAnswerError(ValueError):
    """An answer is not of the wanted form; the message says why, for the model."""


def _text(value: Any) -> Any:
    return safe(value, LONGEST_TEXT) if isinstance(value, str) else value


def _line(value: Any) -> Any:
    return safe(" ".join(value.split()), LONGEST_LINE) if isinstance(value, str) else value


def _lines(value: Any) -> Any:
    return value[:MOST_LINES] if isinstance(value, list) else value


def _first_facts(value: Any) -> Any:
    return value[:MOST_FACTS] if isinstance(value, list) else value


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
        """The name of an action as the final answer."""
        return cls(thought=text, action=final_name(text, cls.choices, "action"))


def action_answer(names_of_actions: Sequence[str]) -> type[ActionAnswer]:
    """The form of an answer with one of these actions."""
    for form in (ActionAnswer, ControllerAnswer):
        if form.choices == tuple(names_of_actions):
            return form

    class OneOf(ActionAnswer):
        choices: ClassVar[Sequence[str]] = tuple(names_of_actions)

    return OneOf


ENDS: Final = ("succeeded", "failed")
"""How a subgoal ends."""


class ControllerAnswer(ActionAnswer):
    """A thought, and an action or the end of a subgoal."""

    choices: ClassVar[Sequence[str]] = (*names.ACTIONS, *ENDS)


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


class FactsAnswer(ModelAnswer):
    """Facts about single fields of rules, and in words what no fact says.

    Attributes:
        facts: Entries as :func:`mars_logic.world.words.fact_data.read_fact` reads them.
        remarks: What they cannot say.
    """

    thought: Text = ""
    facts: Annotated[list[Any], BeforeValidator(_first_facts)]
    remarks: Lines = []


def facts_answer(words: Vocabulary) -> type[FactsAnswer]:
    """The form of an answer with facts about the rules of a world.

    Args:
        words: The world's vocabulary.
    """

    class OfWorld(FactsAnswer):
        @classmethod
        def schema_for_model(cls) -> dict[str, Any]:
            schema = super().schema_for_model()
            schema["properties"]["facts"] = facts_schema(words)
            return schema

    return OfWorld


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
            return cls(thought=text, task=final_name(text, allowed, "task"))

    return OneOf


def read_answer(form: type[A], text: str) -> A:
    """The final answer in a text: the JSON object with which it ends, else as the form says.

    Raises:
        UnreadableAnswerError: There is none.
    """
    final = without_thinking(text)
    try:
        return _named(form, form.model_validate(_final_object(final)))
    except ValidationError:
        return form.from_text(final)


def _named(form: type[A], answer: A) -> A:
    """An answer whose action or task is one of the names that are allowed."""
    for name in ("action", "task"):
        if hasattr(answer, name):
            chosen = form.from_text(str(getattr(answer, name)))
            return answer.model_copy(update={name: getattr(chosen, name)})
    return answer


def without_thinking(text: str) -> str:
    """What a text says behind its last ``</think>``; the whole text if it has none.

    Raises:
        UnreadableAnswerError: A ``<think>`` behind it is not closed.
    """
    closed = [*_THINKING_ENDS.finditer(text)]
    final = text[closed[-1].end() :] if closed else text
    if _THINKING.search(final):
        raise UnreadableAnswerError("its thinking is not finished")
    return final.strip()


def final_words(text: str, marker: str) -> str:
    """What a text without JSON answers: what follows a marker on its last line, or its only line.

    Args:
        text: The text, without thinking.
        marker: The word before the answer, such as ``action``; ``answer`` is one, too. It begins a
            line or a sentence.

    Raises:
        UnreadableAnswerError: Its last line has no marker, and is not the only one; or several
            lines have one, and do not say the same.

    Example:
        >>> final_words("I see a tree. **Action:** `do`.", "action")
        'do'
    """
    pattern = re.compile(
        rf"(?:^|[.!?]\s+)[\s*_#>-]*(?:final\s+)?(?:{marker}|answer)\s*[*_`]*:(.*)", re.IGNORECASE
    )
    lines = [each for each in text.splitlines() if each.strip() and not _FENCE.match(each)]
    marked = [pattern.search(each) for each in lines]
    stated = [_AROUND.sub("", each[1]) for each in marked if each]
    if not lines or (stated and not marked[-1]) or (not stated and len(lines) > 1):
        raise UnreadableAnswerError(f"its last line is not '{marker.capitalize()}: …'")
    if any(each != stated[-1] for each in stated):
        raise UnreadableAnswerError(f"it states several answers behind '{marker.capitalize()}:'")
    return stated[-1] if stated else _AROUND.sub("", lines[0])


def final_name(text: str, choices: Sequence[str], kind: str) -> str:
    """The name that a text gives as its final answer, see :func:`final_words`.

    Small and capital letters are the same; spaces and hyphens may stand for ``_``.

    Args:
        text: The text, without thinking.
        choices: The names.
        kind: What they are names of, such as ``action``.

    Raises:
        UnreadableAnswerError: It gives none of them.

    Example:
        >>> final_name("I think of the stone. Action: Move left.", ["do", "move_left"], "action")
        'move_left'
    """
    listed = f"the {kind}s are: {', '.join(choices)}"
    try:
        said = _plain(final_words(text, kind))
    except UnreadableAnswerError as error:
        raise UnreadableAnswerError(f"there is no {kind} in it: {error}; {listed}") from None
    for name in choices:
        if _plain(name) == said:
            return name
    raise UnreadableAnswerError(f"there is no {kind} in it, all by its name; {listed}")


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", "_", name.strip()).lower()


def _final_object(text: str) -> Any:
    """The JSON object with which a text ends, on lines of its own; None if there is none.

    Code fences around it, and ``Answer:`` before it, are no words.
    """
    decoder = json.JSONDecoder()
    ended = _ENDING.sub("", text)
    begin = len(ended)
    for _ in range(_MOST_BRACES):
        begin = ended.rfind("{", 0, begin)
        if begin < 0:
            break
        try:
            value, end = decoder.raw_decode(ended, begin)
        except (ValueError, RecursionError):
            continue
        if end == len(ended):
            before, _, line = ended[:begin].rpartition("\n")
            above = before.rstrip().rpartition("\n")[2]
            opened = _FENCE.search(above) and not _FENCE.match(above)  # a fence behind other words
            return value if _ALONE.fullmatch(line) and not opened else None
    return None


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
