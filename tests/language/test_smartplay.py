"""SmartPlay's seat for language models: two questions, and answers of all kinds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from mars_logic.agents.language.smartplay import final_action
from tests.cli.conftest import Run
from tests.language.stub import last_text, serving

pytest.importorskip("openai")
GAME = "BanditTwoArmedHighLowFixed"
ANSWERS = ("Fly to the moon.", "", "It paid.\nAction: PULL MACHINE 2")
"""An illegal action, nothing, and one."""


@pytest.mark.parametrize(
    ("text", "actions", "found"),
    [
        ("", ("a", "b"), None),
        ("Fly away", ("walk north", "walk east"), None),
        ("B, not a", ("a", "b"), None),
        ("Never do sleep.", ("sleep", "do"), None),
        ("<think>Action: do. Or", ("sleep", "do"), None),
        ("<think>do</think>\nAction: sleep", ("sleep", "do"), 0),
        ("I have done it", ("do", "noop"), None),
        ("Walk  north", ("walk north",), 0),
        ('{"action": "walk north"}', ("walk north",), 0),
        ("place stone", ("place", "place stone"), 1),
        ("MOVE_WEST!", ("noop", "move_west"), 1),
    ],
)
def test_the_final_answer_counts(text, actions, found):
    assert final_action(text, actions) == found


def answerer():
    """A model whose choices are those of ANSWERS in turn."""
    asked = 0

    def answer(request: Mapping[str, Any]) -> str:
        nonlocal asked
        if "Choose one of these actions" not in last_text(request):
            return "pull machine 2, since it paid"  # a reason; its actions do not count
        asked += 1
        return ANSWERS[(asked - 1) % len(ANSWERS)]

    return answer


def test_a_game_against_a_server_and_replayed(run: Run, tmp_path: Path) -> None:
    common = "run", "smartplay", GAME, "--episodes", 1, "--model", "stub", "--option", "history=2"
    with serving(answerer()) as stub:
        asked = *common, "--endpoint", stub.url, "--out", "played", "--exchanges", "kept"
        played = run(*asked, "--json")
        assert played.status == 0, played.err
        requests = list(stub.requests)
    (file,) = (tmp_path / "played").iterdir()
    actions = json.loads(file.read_text(encoding="utf-8"))["actions"]
    assert actions == [(0, 0, 1)[step % 3] for step in range(50)]
    assert len(requests) == 100
    first, last = requests[0]["messages"], requests[-1]["messages"]
    assert "slot machines" in first[0]["content"] and "Step 1" not in first[1]["content"]
    assert "Step 48" in last[1]["content"] and "Step 47" not in last[1]["content"]
    assert "Step 49" in last[1]["content"] and last[2]["role"] == "assistant"
    exchanges = [each for each in (tmp_path / "kept").iterdir() if GAME in each.name]
    assert sum(len(each.read_text(encoding="utf-8").splitlines()) for each in exchanges) == 100
    again = run(*common, "--replay", "kept", "--json")
    assert again.status == 0 and json.loads(again.out) == json.loads(played.out)
    told = run(*common, "--replay", "kept").err
    assert "unreadable: 33 of 100 answers" in told or "unreadable: 34 of 100 answers" in told


def test_a_world_by_compass(run: Run, tmp_path: Path) -> None:
    (tmp_path / "script.yaml").write_text(
        "answers:\n- {when: Choose one, say: [move_west]}\n- {say: [why]}\n", encoding="utf-8"
    )
    common = "run", "smartplay", "crafter", "--model", "scripted:script.yaml", "--length", 3
    found = run(*common, "--episodes", 1, "--out", "played")
    assert found.status == 0, found.err
    (file,) = (tmp_path / "played").iterdir()
    assert json.loads(file.read_text(encoding="utf-8"))["actions"] == [1, 1, 1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--option", "history=-1", "--model", "scripted:x"), "history: -1 is not possible"),
        ((), "--model: the agent 'smartplay' needs a language model"),
    ],
)
def test_mistakes(run: Run, words: tuple[Any, ...], message: str) -> None:
    found = run("run", "smartplay", GAME, "--episodes", 1, *words)
    assert found.status == 2 and message in found.err
