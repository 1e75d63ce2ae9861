"""The protocol of a language model: messages and an optional JSON schema in; a reply out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from mars_logic.errors import InputError

Speaker = Literal["system", "user", "assistant"]
Schema = Mapping[str, Any]


class LanguageModelError(InputError):
    """A language model gave no reply: its endpoint failed, or a recording does not hold it."""


class BudgetReachedError(LanguageModelError):
    """The budget of a run is spent; a later run with a larger one goes on."""


@dataclass(frozen=True)
class ChatMessage:
    """A message to or from a language model."""

    speaker: Speaker
    text: str

    def to_json(self) -> dict[str, str]:
        """As the protocol of endpoints has it."""
        return {"role": self.speaker, "content": self.text}


@dataclass(frozen=True)
class TokenUsage:
    """Tokens of one or several requests.

    Attributes:
        prompt: Tokens read.
        completion: Tokens written.
    """

    prompt: int = 0
    completion: int = 0

    @property
    def total(self) -> int:
        """Tokens read and written."""
        return self.prompt + self.completion


@dataclass(frozen=True)
class Reply:
    """The reply of a language model.

    Attributes:
        text: Its text; data from outside, never instructions to this program.
        usage: Its tokens; estimated if the endpoint does not state them.
        finish: Why the text ends: ``stop``, ``length``, or as the endpoint says.
    """

    text: str
    usage: TokenUsage
    finish: str = "stop"

    @property
    def cut(self) -> bool:
        """Whether the text ends because it reached the limit of its length."""
        return self.finish == "length"


class LanguageModel(Protocol):
    """A language model."""

    def reply(self, messages: Sequence[ChatMessage], schema: Schema | None = None) -> Reply:
        """The reply to some messages.

        Args:
            messages: The conversation so far.
            schema: A JSON schema that the reply should follow; a model may ignore it.

        Raises:
            LanguageModelError: There is no reply.
        """
        ...
