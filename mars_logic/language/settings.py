"""Settings of a language model: endpoint, sampling, limits, budget, and where exchanges lie."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    ValidationError,
    model_validator,
)

from mars_logic.errors import InputError
from mars_logic.system.files import read_text
from mars_logic.world.fields import invalid, nearest, shown
from mars_logic.world.mistakes import mistakes
from mars_logic.world.source import parse

KEY_HOSTS: Final = "MARS_LOGIC_KEY_HOSTS"
"""The variable of the environment that names hosts which may have the key, whoever states them."""
MAX_BYTES: Final = 100_000
_ALLOWED: Final = "settings of a language model in YAML; see docs/language.md"
_URL: Final = "an address such as http://127.0.0.1:8000/v1, without user name and password"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def _endpoint(text: str | None) -> str | None:
    if text is None:
        return None
    try:
        parts = urlsplit(text)
        right = parts.scheme in ("http", "https") and bool(parts.hostname) and text.isprintable()
        right = right and parts.username is None and parts.password is None
    except ValueError:
        right = False
    if not right:
        raise invalid("this is no address of an endpoint", _URL)
    return text


class Budget(_Part):
    """The most that all runs with the same folder of exchanges may spend; None: no limit.

    Attributes:
        requests: Requests that an endpoint answered.
        tokens: Tokens read and written.
        money: Money, in the currency of the prices.
    """

    requests: Annotated[int, Field(ge=1)] | None = None
    tokens: Annotated[int, Field(ge=1)] | None = None
    money: Annotated[float, Field(gt=0)] | None = None


class Prices(_Part):
    """Prices of a million tokens, in any one currency."""

    prompt: Annotated[float, Field(ge=0)]
    completion: Annotated[float, Field(ge=0)]


class LanguageSettings(_Part):
    """Settings of a language model, as in a settings file.

    Attributes:
        endpoint: Base address of an OpenAI-compatible endpoint; by default that of OpenAI.
        model: The model's name there; or ``scripted:FILE``.
        temperature: Of sampling; the Mars paper has 0.7.
        seed: Of sampling, for endpoints that know one; None to send none.
        answer_tokens: The most tokens of an answer.
        history_tokens: The most tokens of the history in a prompt; the Mars paper has 3896.
        history_steps: The most steps of the history; the Mars paper has 10 for ReAct.
        timeout: Seconds without a byte after which a try is given up. A request takes at most
            ``retries`` + 1 times as long, and a minute for each pause.
        retries: How often a request is repeated after a failure that may pass.
        concurrency: Requests at the same time, of all processes with the same exchanges.
        schema_mode: Whether to ask for answers by JSON schema; where an endpoint refuses that, it
            is asked without.
        stream: Whether answers come in pieces.
        rules: How rules are asked for: as facts by JSON schema or, as in the papers, in sentences.
        prompts: In worlds, ``short``, or ``mars``: with advice and examples of induction as in the
            prompts of the Mars paper, in our words.
        budget: The most to be spent.
        prices: Of tokens; needed for a budget of money.
        exchanges: The folder that holds all exchanges.
        replay: A folder of exchanges to answer from, without any endpoint.
        session: The name under which exchanges are kept; runs and experiments set it.
    """

    endpoint: Annotated[str | None, AfterValidator(_endpoint)] = None
    model: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.7
    seed: int | None = 0
    answer_tokens: Annotated[int, Field(ge=16, le=32_768)] = 512
    history_tokens: Annotated[int, Field(ge=0, le=1_000_000)] = 3896
    history_steps: Annotated[int, Field(ge=0, le=10_000)] = 10
    timeout: Annotated[float, Field(gt=0, le=3600)] = 60.0
    retries: Annotated[int, Field(ge=0, le=20)] = 3
    concurrency: Annotated[int, Field(ge=1, le=256)] = 4
    schema_mode: bool = True
    stream: bool = False
    rules: Literal["facts", "sentences"] = "facts"
    prompts: Literal["short", "mars"] = "short"
    budget: Budget = Budget()
    prices: Prices | None = None
    exchanges: str = "exchanges"
    replay: str | None = None
    session: str = "session"
    _named: bool = PrivateAttr(default=True)

    @property
    def key_may_be_sent(self) -> bool:
        """Whether the user named the endpoint.

        The user does so on the command line, in a file named there, or in the environment. One
        that a spec states may be anybody's.
        """
        if self._named or self.endpoint is None:
            return True
        hosts = os.environ.get(KEY_HOSTS, "").replace(",", " ").lower().split()
        return (urlsplit(self.endpoint).hostname or "") in hosts

    @model_validator(mode="after")
    def _priced(self) -> Self:
        if self.budget.money is not None and self.prices is None:
            raise invalid(
                "a budget of money needs prices", "prices: {prompt: ..., completion: ...}"
            )
        return self

    @property
    def sampling(self) -> dict[str, Any]:
        """The parameters of a request that determine its reply, beside the messages."""
        return {
            "model": self.model,
            "temperature": self.temperature,
            "seed": self.seed,
            "max_tokens": self.answer_tokens,
        }


def read_settings(path: Path) -> LanguageSettings:
    """Read a settings file.

    Raises:
        InputError: It is missing or no YAML, or something in it is wrong; a line for each mistake.
    """
    document = parse(read_text(path, _ALLOWED, MAX_BYTES), str(path), _ALLOWED)
    try:
        return LanguageSettings.model_validate(document.data)
    except ValidationError as error:
        known: dict[str, type[BaseModel]] = {"": LanguageSettings, "budget": Budget}
        known["prices"] = Prices
        told = []
        for each in mistakes(error):
            message, allowed = each.message, each.allowed or "see docs/language.md"
            if each.kind == "extra_forbidden":
                within = ".".join(map(str, each.place[:-1]))
                fields = tuple(known[within].model_fields)
                message = f"unknown field '{each.place[-1]}'{nearest(str(each.place[-1]), fields)}"
                allowed = ", ".join(fields)
            told.append(document.problem(each.place, message, allowed))
        told.sort(key=lambda problem: problem.line)
        raise InputError("\n".join(map(str, told))) from None


def stated_settings(given: LanguageSettings | Mapping[str, Any] | None) -> LanguageSettings:
    """Settings, or what a spec of an experiment states of them.

    An endpoint that a spec states gets no key, unless ``MARS_LOGIC_KEY_HOSTS`` names its host.

    Raises:
        InputError: Something in it is wrong.
    """
    if isinstance(given, LanguageSettings):
        return given
    try:
        stated = LanguageSettings.model_validate(dict(given or {}))
    except ValidationError as error:
        raise InputError(f"language: {error.errors()[0]['msg']}; see docs/language.md") from None
    stated._named = False
    return stated


def require_model(agent: str, settings: LanguageSettings) -> None:
    """Refuse settings that name no model.

    Raises:
        InputError: They name none.
    """
    if settings.model is None:
        raise InputError(
            f"--model: the agent '{agent}' needs a language model; allowed: --model NAME, with "
            "--endpoint URL unless it is OpenAI's, or --model scripted:FILE"
        )


def changed(settings: LanguageSettings, **fields: Any) -> LanguageSettings:
    """Settings with other values of the fields that are not None.

    Raises:
        InputError: A value is not allowed; fields are called as options of the command line.
    """
    given = {name: value for name, value in fields.items() if value is not None}
    try:
        return LanguageSettings.model_validate(settings.model_dump() | given)
    except ValidationError as error:
        first = mistakes(error)[0]
        name = str(first.place[0]) if first.place else "language"
        option = f"--{name.replace('_', '-')}"
        found = f"{first.message}: {shown(given[name])}" if name in given else first.message
        raise InputError(f"{option}: {found}; allowed: {first.allowed or 'another'}") from None
