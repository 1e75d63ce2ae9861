"""A session: an agent's conversation with a language model, with its counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from mars_logic.language.answers import ModelAnswer, UnreadableAnswerError, read_answer
from mars_logic.language.chat import ChatMessage, LanguageModel, Reply, Schema, TokenUsage
from mars_logic.language.exchanges import Exchange, RecordedModel, RequestPlace
from mars_logic.language.prompts import rendered, rendered_line
from mars_logic.language.scripted import ScriptedModel, script_of
from mars_logic.language.settings import LanguageSettings, require_model
from mars_logic.language.spending import cost
from mars_logic.language.tokens import CHARACTERS_PER_TOKEN, safe

A = TypeVar("A", bound=ModelAnswer)


@dataclass
class AnswerCounts:
    """Counts of a session.

    Attributes:
        asked: Questions.
        requests: Requests: a question whose answer cannot be read is two.
        mended: Questions whose second answer could be read, after the first could not.
        unreadable: Questions with no answer that could be read.
        kept: Requests that were answered by exchanges kept before.
        cut: Answers that ended at the limit of their length.
        usage: Tokens of all requests.
        by_role: Requests and tokens by prompt.
    """

    asked: int = 0
    requests: int = 0
    mended: int = 0
    unreadable: int = 0
    kept: int = 0
    cut: int = 0
    usage: TokenUsage = field(default_factory=TokenUsage)
    by_role: dict[str, tuple[int, TokenUsage]] = field(default_factory=dict)

    def add(self, role: str, usage: TokenUsage) -> None:
        """Count a request."""
        self.requests += 1
        self.usage = _sum(self.usage, usage)
        requests, before = self.by_role.get(role, (0, TokenUsage()))
        self.by_role[role] = requests + 1, _sum(before, usage)

    def to_json(self, settings: LanguageSettings) -> dict[str, Any]:
        """As plain data."""
        prices = settings.prices
        return {
            "model": settings.model,
            "asked": self.asked,
            "requests": self.requests,
            "mended": self.mended,
            "unreadable": self.unreadable,
            "unreadable_rate": self.unreadable / self.asked if self.asked else None,
            "cut": self.cut,
            "tokens": {"prompt": self.usage.prompt, "completion": self.usage.completion},
            "cost": cost(self.usage, prices) if prices else None,
            "by_role": {
                role: {"requests": number, "prompt": used.prompt, "completion": used.completion}
                for role, (number, used) in self.by_role.items()
            },
        }


def _sum(one: TokenUsage, other: TokenUsage) -> TokenUsage:
    return TokenUsage(one.prompt + other.prompt, one.completion + other.completion)


class LanguageSession:
    """Asks a language model on behalf of an agent.

    Attributes:
        settings: Its settings.
        counts: Its counts.
        place: Where in play the next question is asked.
    """

    def __init__(self, agent: str, settings: LanguageSettings, model: LanguageModel) -> None:
        """Begin a session.

        Args:
            agent: The agent's name.
            settings: Its settings.
            model: The model.
        """
        self.settings = settings
        self.counts = AnswerCounts()
        self.place = RequestPlace(agent, "", settings.session, 0, 1, 0)
        self._model = model

    def ask(self, role: str, form: type[A], *, mend: bool = True, **values: Any) -> A | None:
        """Ask a question; an answer that cannot be read is answered once, with the reason.

        Args:
            role: The prompt.
            form: The form of the answer.
            mend: Whether the model is given this second try.
            values: What the prompt mentions.

        Returns:
            The answer; None if it cannot be read, nor the second one.

        Raises:
            LanguageModelError: The model gave no reply, or the budget is reached.
        """
        messages = rendered(role, **values)
        schema = form.schema_for_model()
        self.counts.asked += 1
        reply = self._reply(role, messages, schema)
        try:
            return _read(form, reply)
        except (UnreadableAnswerError, ValueError) as error:
            reason = _reason(error)
        if not mend:
            self.counts.unreadable += 1
            return None
        messages += [
            ChatMessage("assistant", reply.text),
            ChatMessage(
                "user", rendered_line("unreadable", reason=reason, fields=list(form.model_fields))
            ),
        ]
        try:
            found = _read(form, self._reply(role, messages, schema))
        except (UnreadableAnswerError, ValueError):
            self.counts.unreadable += 1
            return None
        self.counts.mended += 1
        return found

    def say(self, role: str, messages: Sequence[ChatMessage]) -> Reply:
        """The answer to a conversation, in free text, with why it ends.

        Args:
            role: What the question is counted as.
            messages: The conversation so far.

        Raises:
            LanguageModelError: The model gave no reply, or the budget is reached.
        """
        self.counts.asked += 1
        return self._reply(role, [*messages], None)

    def _reply(self, role: str, messages: list[ChatMessage], schema: Schema | None) -> Reply:
        if isinstance(self._model, RecordedModel):
            self._model.place = replace(self.place, role=role)
        reply = self._model.reply(messages, schema)
        self.counts.add(role, reply.usage)
        if isinstance(self._model, RecordedModel):
            self.counts.kept = self._model.answered
        self.counts.cut += reply.cut
        text = safe(reply.text, 4 * CHARACTERS_PER_TOKEN * self.settings.answer_tokens)
        return replace(reply, text=text)


def _read(form: type[A], reply: Reply) -> A:
    """The final answer of a reply; one that is cut off has none, whatever its last words are."""
    if reply.cut:
        raise UnreadableAnswerError("it is cut off, since it is too long")
    return read_answer(form, reply.text)


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, UnreadableAnswerError) else "a field is missing in it"


def open_session(agent: str, settings: LanguageSettings | None) -> LanguageSession:
    """A session with the model that settings name, recorded or replayed.

    Raises:
        InputError: No model is named, or something that the settings name is wrong or missing.
    """
    settings = settings or LanguageSettings()
    require_model(agent, settings)
    return LanguageSession(
        agent, settings, RecordedModel(settings, lambda past: _model(settings, past))
    )


def _model(settings: LanguageSettings, past: Sequence[Exchange]) -> LanguageModel:
    if script := script_of(settings.model):
        return ScriptedModel(script, (each.messages for each in past))
    from mars_logic.language.openai_client import OpenAIModel

    return OpenAIModel(settings)


def summed(counts: Iterable[AnswerCounts]) -> AnswerCounts:
    """The counts of several sessions together."""
    total = AnswerCounts()
    for each in counts:
        total.asked += each.asked
        total.kept += each.kept
        total.mended += each.mended
        total.unreadable += each.unreadable
        total.cut += each.cut
        for role, (number, usage) in each.by_role.items():
            requests, before = total.by_role.get(role, (0, TokenUsage()))
            total.by_role[role] = requests + number, _sum(before, usage)
            total.requests += number
            total.usage = _sum(total.usage, usage)
    return total
