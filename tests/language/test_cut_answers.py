"""Answers that ended at the limit of their length are unreadable, and counted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from mars_logic.language.answers import ActionAnswer, ModelAnswer, RulesAnswer
from mars_logic.language.chat import ChatMessage, Reply, Schema, TokenUsage
from mars_logic.language.session import LanguageSession, summed
from mars_logic.language.settings import LanguageSettings
from tests.cli.conftest import Run
from tests.language.stub import last_text, serving

READABLE: list[tuple[type[ModelAnswer], str]] = [
    (ActionAnswer, "I would never do sleep. Action: do"),
    (ActionAnswer, '{"thought": "", "action": "sleep"}'),
    (RulesAnswer, "- Trees give wood."),
]


class Told:
    """A model that gives these replies in turn."""

    def __init__(self, *replies: tuple[str, str]) -> None:
        self._replies = [Reply(text, TokenUsage(1, 1), finish) for text, finish in replies]
        self.asked: list[Sequence[ChatMessage]] = []

    def reply(self, messages: Sequence[ChatMessage], schema: Schema | None = None) -> Reply:  # noqa: ARG002
        self.asked.append([*messages])
        return self._replies.pop(0)


def session(model: Told) -> LanguageSession:
    return LanguageSession("react", LanguageSettings(model="told"), model)


@pytest.mark.parametrize(("form", "text"), READABLE)
def test_an_answer_that_is_cut_off_is_unreadable(form: type[ModelAnswer], text: str) -> None:
    asking = session(Told((text, "length"), (text, "length")))
    assert asking.ask("unreadable", form, reason="", fields=[]) is None
    counts = asking.counts
    assert (counts.asked, counts.requests, counts.unreadable, counts.cut) == (1, 2, 1, 2)
    told = summed([counts, counts]).to_json(asking.settings)
    assert told["cut"] == 4 and told["unreadable_rate"] == 1
    assert session(Told((text, "stop"))).ask("unreadable", form, reason="", fields=[]) is not None


def test_a_model_is_told_that_its_answer_was_cut_off() -> None:
    model = Told(("Action: do", "length"), ("Action: sleep", "stop"))
    asking = session(model)
    found = asking.ask("unreadable", ActionAnswer, reason="", fields=[])
    assert found is not None and found.action == "sleep"
    assert "it is cut off" in model.asked[1][-1].text
    assert (asking.counts.mended, asking.counts.unreadable, asking.counts.cut) == (1, 0, 1)


@pytest.mark.slow
def test_the_choice_of_a_seat_that_is_cut_off_is_none(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("openai")
    common = "run", "smartplay", "BanditTwoArmedHighLowFixed", "--episodes", 1, "--model", "stub"
    with serving(lambda _: "Action: pull machine 2", finish="length") as stub:
        found = run(*common, "--endpoint", stub.url, "--exchanges", tmp_path / "kept", "--json")
        assert found.status == 0 and "Choose one" in last_text(stub.requests[-1])
    counts = found.json["language"]
    assert counts["unreadable"] == counts["asked"] / 2 and counts["cut"] == counts["requests"]
