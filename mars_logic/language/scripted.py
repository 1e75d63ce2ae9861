"""A scripted model: answers from a file, for demonstrations and tests, without any endpoint."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mars_logic.errors import InputError
from mars_logic.language.chat import ChatMessage, LanguageModelError, Reply, Schema, TokenUsage
from mars_logic.language.tokens import estimated_tokens, tokens_of
from mars_logic.system.files import read_text
from mars_logic.world.mistakes import mistakes
from mars_logic.world.source import parse

PREFIX: Final = "scripted:"
"""What a model's name begins with if a script answers for it."""
MAX_BYTES: Final = 1_000_000
_ALLOWED: Final = "a script in YAML: answers, a list of mappings with answers and, if wanted, when"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class _Line(_Part):
    """Answers to requests whose messages contain a text.

    Attributes:
        when: The text; empty for every request.
        say: The answers, in turn; from the first again after the last.
    """

    when: str = ""
    say: Annotated[list[str], Field(min_length=1)]


class _Script(_Part):
    answers: Annotated[list[_Line], Field(min_length=1)]


class ScriptedModel:
    """Answers with the first line of its script whose text occurs in the messages."""

    def __init__(self, path: Path, past: Iterable[Sequence[ChatMessage]] = ()) -> None:
        """Read the script.

        Args:
            path: The script.
            past: Requests that it answered before; it goes on after them.

        Raises:
            InputError: The file is missing or wrong.
        """
        document = parse(read_text(path, _ALLOWED, MAX_BYTES), str(path), _ALLOWED)
        try:
            self._lines = _Script.model_validate(document.data).answers
        except ValidationError as error:
            problems = [
                document.problem(each.place, each.message, each.allowed or _ALLOWED)
                for each in mistakes(error)
            ]
            raise InputError("\n".join(map(str, problems))) from None
        self._path = path
        self._said = [0] * len(self._lines)
        for messages in past:
            self.reply(messages)

    def reply(self, messages: Sequence[ChatMessage], schema: Schema | None = None) -> Reply:  # noqa: ARG002
        """The next answer of the first line that fits.

        Raises:
            LanguageModelError: No line fits.
        """
        asked = "\n".join(each.text for each in messages)
        for number, line in enumerate(self._lines):
            if line.when in asked:
                text = line.say[self._said[number] % len(line.say)]
                self._said[number] += 1
                return Reply(text, TokenUsage(tokens_of(messages), estimated_tokens(text)))
        told = "no line of the script fits a request"
        raise LanguageModelError(f"{self._path}:1: answers: {told}; allowed: a line without when")


def script_of(model: str | None) -> Path | None:
    """The script that a model's name calls for; None if it is an endpoint's."""
    return Path(model.removeprefix(PREFIX)) if model and model.startswith(PREFIX) else None
