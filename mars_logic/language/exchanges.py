"""Exchanges with a language model: each kept as a line of JSON, and answered from there again.

A session is the sequence of requests of one agent. Its file holds one exchange a line, in order.
Whoever plays the same again gets the recorded replies, as long as each request is the same.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Final
from weakref import finalize

from pydantic import Field, JsonValue, ValidationError

from mars_logic.errors import InputError
from mars_logic.language.chat import (
    ChatMessage,
    LanguageModel,
    LanguageModelError,
    Reply,
    Schema,
    Speaker,
    TokenUsage,
)
from mars_logic.language.settings import LanguageSettings
from mars_logic.language.spending import Ledger, reserved, session_lock, slot
from mars_logic.language.tokens import MOST_TOKENS, tokens_of
from mars_logic.system.documents import DocumentPart
from mars_logic.system.files import append_whole, drop_cut_line, read_bytes
from mars_logic.system.json_files import value_of
from mars_logic.world.mistakes import mistakes

MAX_BYTES: Final = 2**29
_SHOWN: Final = 60
"""Characters of a difference that a message shows."""


@dataclass(frozen=True)
class RequestPlace:
    """Where in play a request is made.

    Attributes:
        agent: The agent's name.
        role: The prompt's name.
        world: What the agent's session is called: the world, or the unit of an experiment.
        seed: The seed for the agent's own choices; that of the environment, if it is told that.
        episode: Which episode of the agent, from 1.
        step: After how many steps of it.
    """

    agent: str
    role: str
    world: str
    seed: int
    episode: int
    step: int


@dataclass(frozen=True)
class Exchange:
    """A request and its reply.

    Attributes:
        key: SHA-256 of the parameters, messages and schema.
        parameters: Model, temperature, seed and the most tokens.
        messages: The messages, as sent.
        schema: The JSON schema that was asked for.
        reply: The reply.
        latency: Seconds until it was there.
        place: Where in play.
    """

    key: str
    parameters: Mapping[str, Any]
    messages: tuple[ChatMessage, ...]
    schema: Schema | None
    reply: Reply
    latency: float
    place: RequestPlace

    def to_line(self) -> bytes:
        """As a line of JSON, in ASCII."""
        plain = {
            "key": self.key,
            "parameters": self.parameters,
            "messages": [each.to_json() for each in self.messages],
            "schema": self.schema,
            "text": self.reply.text,
            "finish": self.reply.finish,
            "usage": asdict(self.reply.usage),
            "latency": round(self.latency, 3),
            **asdict(self.place),
        }
        return (json.dumps(plain) + "\n").encode()


class _ExchangeMessage(DocumentPart):
    role: Speaker
    content: str


class _ExchangeUsage(DocumentPart):
    prompt: Annotated[int, Field(ge=0, le=MOST_TOKENS)]
    completion: Annotated[int, Field(ge=0, le=MOST_TOKENS)]


class _ExchangeLine(DocumentPart):
    """A line of a file of exchanges."""

    key: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    parameters: dict[str, JsonValue]
    messages: tuple[_ExchangeMessage, ...]
    schema_: Annotated[dict[str, JsonValue] | None, Field(alias="schema")]
    text: str
    finish: str
    usage: _ExchangeUsage
    latency: Annotated[float, Field(ge=0, le=1e9)]
    agent: str
    role: str
    world: str
    seed: int
    episode: int
    step: int

    def exchange(self) -> Exchange:
        place = RequestPlace(self.agent, self.role, self.world, self.seed, self.episode, self.step)
        return Exchange(
            self.key,
            self.parameters,
            tuple(ChatMessage(each.role, each.content) for each in self.messages),
            self.schema_,
            Reply(self.text, TokenUsage(self.usage.prompt, self.usage.completion), self.finish),
            self.latency,
            place,
        )


def key_of(
    parameters: Mapping[str, Any], messages: Sequence[ChatMessage], schema: Schema | None
) -> str:
    """The key of a request: equal for requests that are the same byte for byte."""
    plain = [parameters, [each.to_json() for each in messages], schema]
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def session_file(settings: LanguageSettings) -> str:
    """The name of the file in which a session is kept; it depends on the session and sampling."""
    digest = hashlib.sha256(json.dumps(settings.sampling, sort_keys=True).encode()).hexdigest()
    return f"{re.sub(r'[^A-Za-z0-9._+-]', '_', settings.session)}__{digest[:8]}.jsonl"


class RecordedModel:
    """A model whose exchanges are kept, and answered from where they are kept.

    Attributes:
        place: Where in play the next request is made; set by whoever asks.
        answered: Exchanges that came from the recording.
    """

    def __init__(
        self, settings: LanguageSettings, make_model: Callable[[Sequence[Exchange]], LanguageModel]
    ) -> None:
        """Open the file of a session.

        Args:
            settings: Where exchanges are kept or replayed from, and the session's name.
            make_model: Makes the model, given the recorded exchanges; not called for a replay, or
                before it is needed.

        Raises:
            InputError: A folder cannot be written to, or a recording is missing or wrong.
        """
        self.place = RequestPlace("", "", "", 0, 1, 0)
        self.answered = 0
        self._settings = settings
        self._make_model = make_model
        self._model: LanguageModel | None = None
        self._only_replay = settings.replay is not None
        self._folder = Path(settings.replay if settings.replay is not None else settings.exchanges)
        self._file = self._folder / session_file(settings)
        self._ledger = Ledger(self._folder)
        if self._only_replay and not self._file.is_file():
            found = f"{self._file.name} is not there: no such session, or with other parameters"
            raise InputError(f"--replay: {found}; allowed: {_sessions(self._folder)}")
        if not self._only_replay:
            self._folder.mkdir(parents=True, exist_ok=True)
            lock = ExitStack()
            lock.enter_context(session_lock(self._file))
            finalize(self, lock.close)
        self._past = _read(self._file, mend=not self._only_replay)
        self._kept = iter(self._past)

    def reply(self, messages: Sequence[ChatMessage], schema: Schema | None = None) -> Reply:
        """The recorded reply, or the model's.

        Raises:
            LanguageModelError: The request is not the recorded one, or a replay has no more.
            BudgetReachedError: The budget does not allow a request.
        """
        asked = self._settings.sampling, tuple(messages), schema
        key = key_of(*asked)
        kept = next(self._kept, None)
        if kept is not None:
            self.answered += 1
            if kept.key != key:
                raise self._differs(kept, *asked)
            return kept.reply
        if self._only_replay:
            told = f"{self._file}: it ends after {self.answered} requests, and play goes on"
            raise LanguageModelError(f"--replay: {told}; allowed: the recorded episodes")
        most = TokenUsage(tokens_of(messages), self._settings.answer_tokens)
        with (
            slot(self._folder, self._settings.concurrency),
            reserved(self._ledger, self._settings, most) as spending,
        ):
            self._model = self._model or self._make_model(self._past)
            begun = time.monotonic()
            reply = self._model.reply(messages, schema)
            took = time.monotonic() - begun
            spending.usage = reply.usage
        append_whole(self._file, Exchange(key, *asked, reply, took, self.place).to_line())
        return reply

    def _differs(
        self,
        kept: Exchange,
        parameters: Mapping[str, Any],
        messages: tuple[ChatMessage, ...],
        schema: Schema | None,
    ) -> LanguageModelError:
        """The first difference between a request and the recorded one."""
        what = "the schema of the answer differs" if schema != kept.schema else "it differs"
        if parameters != kept.parameters:
            what = "its parameters differ"
        pairs = zip(messages, kept.messages, strict=False)
        if len(messages) != len(kept.messages):
            what = f"it has {len(messages)} messages, the recorded one {len(kept.messages)}"
        for number, (one, other) in enumerate(pairs, 1):
            if one != other:
                at = next(
                    (
                        n
                        for n, (a, b) in enumerate(zip(one.text, other.text, strict=False))
                        if a != b
                    ),
                    min(len(one.text), len(other.text)),
                )
                now, then = one.text[at : at + _SHOWN], other.text[at : at + _SHOWN]
                what = f"message {number} differs from character {at}: {now!r}, recorded {then!r}"
                break
        option = "--replay" if self._only_replay else "--exchanges"
        place = self.place
        where = f"{place.agent}, {place.role}, episode {place.episode}, step {place.step}"
        return LanguageModelError(
            f"{option}: {self._file}:{self.answered}: request {self.answered} ({where}) is not the "
            f"recorded one: {what}; allowed: the recorded run, or another folder"
        )


def _sessions(folder: Path) -> str:
    files = sorted(each.name for each in folder.glob("*__*.jsonl")) if folder.is_dir() else []
    return ", ".join(files[:5]) or f"a folder of exchanges; {folder} holds none"


def is_exchanges(path: Path) -> bool:
    """Whether the first line of a file is an exchange with a language model."""
    what = "exchanges with a language model, one a line"
    try:
        first, _, _ = read_bytes(path, what, MAX_BYTES).partition(b"\n")
        line = value_of(first, f"{path}:1", what)
    except InputError:
        return False
    return isinstance(line, dict) and {"key", "messages", "parameters"} <= line.keys()


def read_exchanges(path: Path) -> list[Exchange]:
    """The exchanges of a session.

    Raises:
        InputError: The file is missing or holds something else.
    """
    return _read(path, mend=False)


def _read(path: Path, *, mend: bool) -> list[Exchange]:
    """The exchanges in a file; with ``mend``, a line that was cut off by an interruption goes."""
    if mend and not path.exists():
        return []
    allowed = "exchanges with a language model, one a line"
    if mend:
        drop_cut_line(path)
    content = read_bytes(path, allowed, MAX_BYTES)
    found = []
    for number, line in enumerate(content[: content.rfind(b"\n") + 1].splitlines(), 1):
        place = f"{path}:{number}"
        value_of(line, place, allowed)  # what the model does not refuse: keys twice, no numbers
        try:
            found.append(_ExchangeLine.model_validate_json(line).exchange())
        except ValidationError as error:
            first = mistakes(error)[0]
            field = ".".join(map(str, first.place)) or "line"
            told = f"{field}: {first.message}; allowed: {first.allowed or allowed}"
            raise InputError(f"{place}: {told}") from None
    return found
