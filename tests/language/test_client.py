"""The client of endpoints: retries, limits, errors, and the key."""

from __future__ import annotations

import builtins
import pickle
import time
from typing import Any

import pytest

from mars_logic.errors import InputError
from mars_logic.language.chat import ChatMessage, LanguageModelError, TokenUsage
from mars_logic.language.openai_client import OpenAIModel, key_for
from mars_logic.language.settings import LanguageSettings, stated_settings
from tests.language.stub import Stub, serving

ASKED = [ChatMessage("system", "Be brief."), ChatMessage("user", "Which way?")]
SCHEMA = {"type": "object", "properties": {"action": {"type": "string"}}}
pytest.importorskip("openai")


def client(stub: Stub, **more: Any) -> OpenAIModel:
    about = {"endpoint": stub.url, "model": "stub", "timeout": 5.0} | more
    return OpenAIModel(LanguageSettings(**about))


@pytest.mark.parametrize("stream", [False, True])
def test_a_request_and_its_reply(stream: bool) -> None:
    with serving(lambda _: "move left, please") as stub:
        reply = client(stub, stream=stream, temperature=0.3, seed=5).reply(ASKED, SCHEMA)
    assert reply.text == "move left, please"
    assert reply.usage == TokenUsage(7, 3)
    assert reply.finish == "stop"
    (sent,) = stub.requests
    assert sent["messages"] == [each.to_json() for each in ASKED]
    assert (sent["model"], sent["temperature"], sent["seed"]) == ("stub", 0.3, 5)
    assert sent["response_format"]["json_schema"]["schema"] == SCHEMA
    assert sent.get("stream", False) is stream


def test_usage_is_estimated_where_an_endpoint_states_none() -> None:
    with serving(lambda _: "x" * 40, usage=False) as stub:
        reply = client(stub).reply([ChatMessage("user", "y" * 8)])
    assert reply.usage == TokenUsage(2 + 4, 10)


def test_a_schema_that_is_refused_is_left_out_from_then_on() -> None:
    with serving(lambda _: "do", refuse_schema=True) as stub:
        asking = client(stub)
        assert asking.reply(ASKED, SCHEMA).text == asking.reply(ASKED, SCHEMA).text == "do"
    assert ["response_format" in sent for sent in stub.requests] == [True, False, False]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("trouble", [500, 503, "half", 429])
def test_what_may_pass_is_tried_again(trouble: int | str, stream: bool) -> None:
    with serving(lambda _: "do", trouble=[trouble]) as stub:
        assert client(stub, stream=stream).reply(ASKED).text == "do"
    assert len(stub.requests) == 2


def test_retry_after_is_heeded() -> None:
    with serving(lambda _: "do", trouble=[429], retry_after=1.0) as stub:
        client(stub).reply(ASKED)
    assert stub.times[1] - stub.times[0] >= 0.95


@pytest.mark.parametrize(
    ("trouble", "told"),
    [
        ("timeout", "no answer within 0.3 seconds"),
        (500, "500"),
        (401, "401"),
        ("half", ""),
        ("wrong json", ""),
        ("wrong form", "not of the form of a chat completion"),
        ("endless", "longer than"),
    ],
)
@pytest.mark.parametrize("stream", [False, True])
def test_what_does_not_pass_is_one_clear_error(
    trouble: int | str, told: str, stream: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARS_LOGIC_API_KEY", "sk-very-secret")
    begun = time.monotonic()
    with serving(lambda _: "do", trouble=[trouble] * 2) as stub:
        asking = client(stub, timeout=0.3, retries=1, stream=stream)
        with pytest.raises(LanguageModelError) as failed:
            asking.reply(ASKED)
    message = str(failed.value)
    if stream and trouble == "wrong form":
        told = "breaks off"
    assert stub.keys[0] == "Bearer sk-very-secret"
    assert told in message
    assert message.startswith(f"--endpoint: {stub.url}: ")
    assert "sk-very-secret" not in message and message.isprintable()
    assert "; allowed: " in message
    assert time.monotonic() - begun < 20


def test_no_endpoint_at_all() -> None:
    settings = LanguageSettings(endpoint="http://127.0.0.1:9/v1", model="m", retries=0)
    with pytest.raises(LanguageModelError, match=r"--endpoint: http://127\.0\.0\.1:9/v1"):
        OpenAIModel(settings).reply(ASKED)


@pytest.mark.parametrize("stream", [False, True])
def test_a_megabyte_is_cut(stream: bool) -> None:
    with serving(lambda _: "long " * 200_000) as stub:
        reply = client(stub, stream=stream, answer_tokens=100).reply(ASKED)
    assert len(reply.text) == 1600
    assert reply.finish == "length"


def test_control_characters_are_gone() -> None:
    with serving(lambda _: "a\x1b[2Jb\u202ec\x00d\ud800e\nf") as stub:
        assert client(stub).reply(ASKED).text == "a [2Jb c d e\nf"


def test_the_key_of_openai_goes_to_openai_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "theirs")
    assert key_for("https://api.openai.com/v1") == "theirs"
    assert key_for("http://127.0.0.1:8000/v1") == "none"
    assert key_for("https://api.openai.com.example.org/v1") == "none"
    monkeypatch.setenv("MARS_LOGIC_API_KEY", "ours")
    assert key_for("http://127.0.0.1:8000/v1") == key_for("https://api.openai.com/v1") == "ours"


def test_without_the_package_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.partition(".")[0] == "openai":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(InputError, match=r"pip install .*\[language\]"):
        OpenAIModel(LanguageSettings(model="m"))


@pytest.mark.parametrize("trouble", ["drip head", "drip body"])
def test_an_endpoint_that_drips_does_not_hold_a_run(trouble: str) -> None:
    """Each read is answered in time; all of them together are not."""
    with serving(lambda _: "do", trouble=[trouble]) as stub:
        asking = client(stub, timeout=0.5, retries=0)
        with pytest.raises(LanguageModelError, match=r"no whole answer within 0\.5 seconds"):
            asking.reply(ASKED)


def test_a_redirect_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARS_LOGIC_API_KEY", "sk-very-secret")
    with serving(lambda _: "do") as other, serving(lambda _: "do", trouble=[other.url]) as stub:
        asking = client(stub, retries=0)
        with pytest.raises(
            LanguageModelError, match=r"it redirects to http.*, which is not followed"
        ):
            asking.reply(ASKED)
    assert stub.requests and not other.requests


SECRET = "sk-very-secret"


@pytest.mark.parametrize("stream", [False, True])
def test_a_key_that_is_repeated_is_masked(stream: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARS_LOGIC_API_KEY", SECRET)
    long = "x" * 4990  # the key lies across two pieces of a stream
    with serving(lambda _: f"{SECRET} {long}{SECRET}", finish=f"stop {SECRET}") as stub:
        reply = client(stub, stream=stream, answer_tokens=1000).reply(ASKED)
    assert stub.keys == [f"Bearer {SECRET}"]
    assert SECRET not in reply.text + reply.finish and reply.text.count("(key)") == 2


def test_a_reason_to_end_is_bounded() -> None:
    with serving(lambda _: "do", finish="because " * 10_000) as stub:
        assert len(client(stub).reply(ASKED).finish) <= 40


@pytest.mark.parametrize("wrong", [-1, 10**12, 1.5, "many", None, [3]])
def test_tokens_that_cannot_be_are_estimated(wrong: object) -> None:
    usage = {"prompt_tokens": wrong, "completion_tokens": wrong}
    with serving(lambda _: "x" * 40, usage=usage) as stub:
        reply = client(stub).reply([ChatMessage("user", "y" * 8)])
    assert reply.usage == TokenUsage(2 + 4, 10)


@pytest.mark.parametrize(
    ("hosts", "sent"), [("", False), ("example.org", False), ("example.org, 127.0.0.1", True)]
)
def test_an_endpoint_of_a_spec_gets_a_key_if_its_host_is_named(
    hosts: str, sent: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARS_LOGIC_API_KEY", SECRET)
    monkeypatch.setenv("MARS_LOGIC_KEY_HOSTS", hosts)
    with serving(lambda _: "do", trouble=[401]) as stub:
        stated = {"endpoint": stub.url, "model": "stub", "retries": 0}
        asking = OpenAIModel(stated_settings(stated))
        with pytest.raises(LanguageModelError) as failed:
            asking.reply(ASKED)
    assert (SECRET in stub.keys[0]) == sent
    assert ("MARS_LOGIC_KEY_HOSTS" in str(failed.value)) != sent
    assert SECRET not in str(failed.value)


def test_a_spec_cannot_name_its_own_host() -> None:
    with pytest.raises(InputError):
        stated_settings({"endpoint": "http://127.0.0.1:1/v1", "_named": True})
    settings = stated_settings({"endpoint": "http://127.0.0.1:1/v1"})
    assert not settings.key_may_be_sent
    assert not settings.model_copy(update={"session": "x"}).key_may_be_sent
    assert not pickle.loads(pickle.dumps(settings)).key_may_be_sent
