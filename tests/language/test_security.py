"""An answer of a model is data: nothing in it is executed, opened, printed raw or kept in full."""

from __future__ import annotations

import builtins
import io
import json
import os
import platform
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from mars_logic.agents.language.rule_library import TestedLibrary, proposed_in_sentences
from mars_logic.data.trajectory import Trajectory
from mars_logic.language.exchanges import read_exchanges
from mars_logic.language.settings import LanguageSettings
from mars_logic.play.agent import load_agent
from mars_logic.play.recording import record
from mars_logic.sim import Simulator
from mars_logic.world.load import load_world
from tests.cli.conftest import Run
from tests.language.stub import last_text, serving

AGENTS = ("ifr_planner", "ifr_verified", "reflexion", "spring")
EVIL = (
    "\x1b]0;owned\x07\x1b[2J \u202e rm -rf / $(touch run) `touch run` {{ 7 * 7 }} "
    "{% for x in ().__class__.__base__.__subclasses__() %}{{ x }}{% endfor %} "
    "../../etc/passwd file:///etc/passwd scripted:/etc/passwd __import__('os').system('touch run') "
)
pytest.importorskip("openai")


def evil(request: Mapping[str, Any]) -> str:
    """Hostile text in every field of every form."""
    number = sum(map(ord, last_text(request)))
    rules = [f"violated(T) :- #script(python) {EVIL}", "base: /etc/passwd", EVIL * 40]
    fields = {
        "thought": EVIL * 200,
        "text": EVIL * 200,
        "task": "collect_wood " + EVIL,
        "subgoals": [EVIL] * 500,
        "rules": rules * 200,
        "facts": [
            {"rule": EVIL, "field": "value"},
            {"rule": "walk.sand", "field": "health", "value": EVIL * 99},
            {"rule": "collect.stone", "field": "requires", "has": [{"name": EVIL}], EVIL: EVIL},
            rules,
        ]
        * 100,
        "remarks": rules * 200,
        "action": ("move_left", "do", "move_up " + EVIL)[number % 3],
    }
    return json.dumps(fields)


@pytest.fixture
def guarded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is opened that an answer names, and what is started."""
    platform.processor()  # which a library asks for when it is imported, by starting uname
    found: list[str] = []
    really_open = io.open

    def watch(path: Any, *rest: Any, **more: Any) -> Any:
        if "etc/passwd" in str(path):
            found.append(str(path))
        return really_open(path, *rest, **more)

    monkeypatch.setattr(builtins, "open", watch)
    monkeypatch.setattr(io, "open", watch)
    for module, name in ((os, "system"), (subprocess, "Popen")):
        monkeypatch.setattr(module, name, lambda *a, **_: found.append(str(a)))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("agent", AGENTS)
def test_hostile_answers_do_nothing(
    agent: str, run: Run, guarded: list[str], tmp_path: Path
) -> None:
    steps = 52 if agent == "ifr_planner" else 8
    with serving(evil) as stub:
        about = ("--endpoint", stub.url, "--model", "stub", "--length", steps)
        found = run("run", agent, "default", "--episodes", 1, *about)
    assert found.status == 0, found.err
    assert guarded == []
    assert not (tmp_path / "run").exists()
    for shown in (found.out, found.err):
        assert "\x1b" not in shown and "\u202e" not in shown and "\x07" not in shown
    limit = LanguageSettings()
    longest = 4 * (limit.history_tokens * 2 + 4 * limit.answer_tokens) + 30_000
    for request in stub.requests:
        text = last_text(request)
        assert len(text) < longest, "prompts stay bounded"
        assert "\x1b" not in text and "\u202e" not in text
        assert " 49 " not in text, "no template of an answer is evaluated"
    (file,) = (tmp_path / "exchanges").glob("*__*.jsonl")
    kept = read_exchanges(file)
    assert max(len(each.reply.text) for each in kept) <= 16 * limit.answer_tokens
    assert all("\x1b" not in each.reply.text for each in kept)


def test_a_proposed_rule_is_a_sentence_and_neither_program_nor_file(guarded: list[str]) -> None:
    simulator = Simulator(load_world("default"), length=3)
    played: list[Trajectory] = [
        record(load_agent("random")(), simulator, 0, agent_name="random")[1]
    ]
    rules = [
        "/etc/passwd",
        "default",
        "violated(T) :- did(T,do).",
        "```lp",
        "{walk: {water: {walkable: true}}}",
        EVIL,
        "# a comment",
        "",
        "x" * 100_000,
    ]
    library = TestedLibrary()
    library.add(proposed_in_sentences(rules), played)
    assert library.rules == [] and guarded == []


@pytest.mark.slow
def test_a_thought_is_text_in_a_report(run: Run, tmp_path: Path) -> None:
    thought = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
    answer = json.dumps({"thought": thought, "action": "do"})
    (tmp_path / "s.yaml").write_text(json.dumps({"answers": [{"say": [answer]}]}), encoding="utf-8")
    agent = {"name": "react", "options": {"language": {"model": "scripted:s.yaml"}}}
    spec = {"agents": [agent], "worlds": ["default"], "seeds": [0], "length": 3}
    (tmp_path / "spec.yaml").write_text(json.dumps(spec), encoding="utf-8")
    assert run("experiment", "spec.yaml", "-o", "out", "--workers", 1).status == 0
    assert run("report", "out", "-o", "report.html").status == 0
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "alert(1)" in page, "the thought is shown"
    assert "<script>alert" not in page and "<img src=x" not in page
