"""A language model behind any OpenAI-compatible endpoint, through the official client.

The client's own retries (429 with Retry-After, 5xx, broken connections) and time limits apply. The
key comes from the environment, and is in no message, file or log of this program.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeVar, cast
from urllib.parse import urlsplit
from weakref import finalize

from mars_logic.errors import InputError
from mars_logic.language.chat import (
    ChatMessage,
    LanguageModelError,
    Reply,
    Schema,
    TokenUsage,
)
from mars_logic.language.settings import KEY_HOSTS, LanguageSettings
from mars_logic.language.tokens import (
    CHARACTERS_PER_TOKEN,
    MOST_TOKENS,
    estimated_tokens,
    safe,
    tokens_of,
)
from mars_logic.system.extras import install_hint

T = TypeVar("T")

KEY: Final = "MARS_LOGIC_API_KEY"
"""The variable of the environment that holds the key, for every endpoint."""
OPENAI_KEY: Final = "OPENAI_API_KEY"
"""The variable that is read for OpenAI's own endpoint alone, so that no other one receives it."""
OPENAI_HOST: Final = "api.openai.com"
_DEFAULT: Final = f"https://{OPENAI_HOST}/v1"
_NO_KEY: Final = "none"
_REASON: Final = 40
"""Characters of the reason why an answer ends."""
_LONGEST_KEY: Final = 1_000
_UNSEEN: Final = 100_000
"""Tokens of a prompt beside those of its messages: the endpoint's own, of tools or templates."""
_WIRE: Final = 16 * 2**20
"""Bytes of a response after which it is given up."""
_TOLD: Final = 300
"""Characters of an endpoint's error that are repeated."""
_WRONG_FORM: Final = (ValueError, TypeError, AttributeError, LookupError)
"""What goes wrong where a response is not of the form of the protocol."""
_PAUSE, _LONGEST_PAUSE = 0.25, 8.0
"""Seconds before an answer that broke off is asked for again: the first pause, and the longest."""
_LONGEST_WAIT: Final = 60.0
"""Seconds that the client waits at most before it tries again, as an endpoint may ask it to."""
_SCHEMA_REFUSED: Final = (400, 404, 415, 422, 501)


class _TooLongError(Exception):
    """A response has more bytes than are read."""


class _BrokenOffError(Exception):
    """A response in pieces ends before its end."""


class OpenAIModel:
    """A model behind an endpoint."""

    def __init__(self, settings: LanguageSettings) -> None:
        """Prepare; nothing is sent yet.

        Args:
            settings: The endpoint, the model's name, sampling and limits.

        Raises:
            InputError: The package ``openai`` is not installed.
        """
        try:
            import httpx2
            import openai
        except ImportError:
            raise InputError(
                "--model: an endpoint needs the package openai; "
                f"allowed: {install_hint('language')}, or --model scripted:FILE, or --replay"
            ) from None
        self._openai = openai
        self._failures = (openai.OpenAIError, httpx2.HTTPError, _TooLongError, _BrokenOffError)
        self._broken = (httpx2.HTTPError, _BrokenOffError)
        self._settings = settings
        self._schemas = settings.schema_mode
        self._endpoint = settings.endpoint or _DEFAULT
        self._key = key_for(self._endpoint) if settings.key_may_be_sent else _NO_KEY
        # A redirect would take the prompt, and the key perhaps, to another host.
        self._client = openai.OpenAI(
            api_key=self._key,
            base_url=self._endpoint,
            timeout=settings.timeout,
            max_retries=settings.retries,
            http_client=openai.DefaultHttpxClient(
                event_hooks={"response": [_bound]}, follow_redirects=False
            ),
        )
        finalize(self, self._client.close)

    def reply(self, messages: Sequence[ChatMessage], schema: Schema | None = None) -> Reply:
        """Ask the endpoint.

        Raises:
            LanguageModelError: It gave no usable reply, after the client's retries, or it took
                longer than all tries may take.
        """
        try:
            return within(self._longest, lambda: self._reply(messages, schema))
        except TimeoutError as error:
            raise self._told(error) from None

    @property
    def _longest(self) -> float:
        """Seconds of a request with all its tries, and the pauses between them."""
        settings = self._settings
        return settings.timeout * (settings.retries + 1) + _LONGEST_WAIT * settings.retries

    def _reply(self, messages: Sequence[ChatMessage], schema: Schema | None) -> Reply:
        try:
            if schema is not None and self._schemas:
                try:
                    return self._unbroken(messages, schema)
                except self._openai.APIStatusError as error:
                    if error.status_code not in _SCHEMA_REFUSED:
                        raise
                    reply = self._unbroken(messages, None)
                    self._schemas = False  # it is the schema that the endpoint refuses
                    return reply
            return self._unbroken(messages, None)
        except (*self._failures, *_WRONG_FORM) as error:
            raise self._told(error) from None

    def _unbroken(self, messages: Sequence[ChatMessage], schema: Schema | None) -> Reply:
        """Ask, and ask again where an answer breaks off: the client repeats requests alone."""
        for attempt in range(self._settings.retries):
            try:
                return self._asked(messages, schema)
            except self._broken:
                time.sleep(min(_PAUSE * 2**attempt, _LONGEST_PAUSE))
        return self._asked(messages, schema)

    def _asked(self, messages: Sequence[ChatMessage], schema: Schema | None) -> Reply:
        settings = self._settings
        more: dict[str, Any] = {}
        if settings.seed is not None:
            more["seed"] = settings.seed
        if schema is not None:
            named = {"name": "answer", "schema": dict(schema), "strict": True}
            more["response_format"] = {"type": "json_schema", "json_schema": named}
        if settings.stream:
            more |= {"stream": True, "stream_options": {"include_usage": True}}
        answer: Any = self._client.chat.completions.create(
            model=settings.model or "",
            messages=[each.to_json() for each in messages],  # type: ignore[misc]
            temperature=settings.temperature,
            max_tokens=settings.answer_tokens,
            **more,
        )
        pieces = _pieces(answer) if settings.stream else _whole(answer)
        return _reply(pieces, messages, settings.answer_tokens, self._masked)

    def _told(self, error: Exception) -> LanguageModelError:
        """The error without the key, whatever the endpoint repeats."""
        cause = error.__cause__
        what = f"{error} ({cause})" if cause is not None and str(cause) else str(error)
        if isinstance(error, TimeoutError):
            what = f"no whole answer within {self._longest:g} seconds"
        elif isinstance(error, self._openai.APITimeoutError):
            what = f"no answer within {self._settings.timeout:g} seconds"
        elif isinstance(error, _TooLongError):
            what = f"the answer is longer than {_WIRE:,} bytes"
        elif isinstance(error, _BrokenOffError):
            what = "the answer breaks off"
        elif isinstance(error, _WRONG_FORM):
            what = "the answer is not of the form of a chat completion"
        elif isinstance(error, self._openai.APIStatusError) and error.response.is_redirect:
            to = error.response.headers.get("location", "")
            what = f"it redirects to {to}, which is not followed"
        told = safe(" ".join(self._masked(what).split()), _TOLD)
        allowed = f"an OpenAI-compatible endpoint that answers; the key is read from {KEY}"
        if not self._settings.key_may_be_sent:
            allowed += f", and sent to an endpoint of a spec if {KEY_HOSTS} names its host"
        return LanguageModelError(f"--endpoint: {self._endpoint}: {told}; allowed: {allowed}")

    def _masked(self, text: str) -> str:
        """A text of the endpoint's without the key, which it may repeat."""
        return text if self._key == _NO_KEY else text.replace(self._key, "(key)")


def within(seconds: float, work: Callable[[], T]) -> T:
    """The result of work that may take so long.

    A thread that takes longer is left behind; it ends with its connection.

    Raises:
        TimeoutError: It took longer.
    """
    results: queue.SimpleQueue[tuple[T | None, BaseException | None]] = queue.SimpleQueue()

    def run() -> None:
        try:
            results.put((work(), None))
        except BaseException as error:
            results.put((None, error))

    threading.Thread(target=run, daemon=True).start()
    try:
        result, error = results.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError from None
    if error is not None:
        raise error
    return cast(T, result)


def key_for(endpoint: str) -> str:
    """The key for an endpoint, from the environment; ``none`` without one."""
    key = os.environ.get(KEY)
    if not key and urlsplit(endpoint).hostname == OPENAI_HOST:
        key = os.environ.get(OPENAI_KEY)
    return key or _NO_KEY


class _Bounded:
    """The bytes of a response, up to a limit."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for piece in self._stream:
            size += len(piece)
            if size > _WIRE:
                raise _TooLongError
            yield piece

    def close(self) -> None:
        self._stream.close()


def _bound(response: Any) -> None:
    import httpx2

    class Stream(_Bounded, httpx2.SyncByteStream):
        """As the client wants it."""

    response.stream = Stream(response.stream)


_Piece = tuple[str, str | None, Any]
"""Text, why it ends, and the tokens, if they are stated."""


def _whole(answer: Any) -> Iterator[_Piece]:
    choice = answer.choices[0]
    yield choice.message.content or "", choice.finish_reason, answer.usage


def _pieces(stream: Any) -> Iterator[_Piece]:
    ended = False
    with stream:
        for chunk in stream:
            choice = chunk.choices[0] if chunk.choices else None
            text = (choice.delta.content or "") if choice else ""
            finish = choice.finish_reason if choice else None
            ended = ended or finish is not None
            yield text, finish, chunk.usage
    if not ended:
        raise _BrokenOffError


def _reply(
    pieces: Iterator[_Piece],
    messages: Sequence[ChatMessage],
    most: int,
    masked: Callable[[str], str],
) -> Reply:
    """The reply in a bounded number of characters, some more than its tokens should have."""
    limit = 4 * CHARACTERS_PER_TOKEN * most
    text, finish, usage = "", "", None
    for piece, ended, used in pieces:
        if not isinstance(piece, str):
            raise TypeError("the answer is no text")
        text = (text + piece)[: limit + _LONGEST_KEY]
        finish, usage = ended or finish, used or usage
    text = masked(text)
    if len(text) > limit:
        finish = "length"
    text = safe(text, limit)
    told = safe(masked(finish), _REASON) if isinstance(finish, str) else ""
    return Reply(text, _usage(usage, messages, text), told or "stop")


def _usage(stated: Any, messages: Sequence[ChatMessage], text: str) -> TokenUsage:
    """The tokens that an endpoint states; estimated where it states none that can be."""
    prompt = getattr(stated, "prompt_tokens", None)
    completion = getattr(stated, "completion_tokens", None)
    longest = sum(len(each.text.encode()) for each in messages) + _UNSEEN
    return TokenUsage(
        _count(prompt, longest, tokens_of(messages)),
        _count(completion, MOST_TOKENS, estimated_tokens(text)),
    )


def _count(stated: object, most: int, estimated: int) -> int:
    right = isinstance(stated, int) and not isinstance(stated, bool) and 0 <= stated <= most
    return cast(int, stated) if right else estimated
