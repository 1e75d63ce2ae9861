"""The scoreboard of Conan: detectives and a language model on the same scenes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, run  # noqa: F401  # a fixture

SCRIPT = """answers:
  - when: "footprint"
    say: ['{"thought": "x", "action": "answer_1"}', "Action: answer_2", "neither\\nnor"]
  - say: ["Answer: answer_4"]
"""
BOARD = ["scoreboard", "conan", "--scenes", "3", "--workers", "1", "-o", "board", "--json"]
ASKING = ["--model", "scripted:script.yaml"]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "script.yaml").write_text(SCRIPT, encoding="utf-8")
    return tmp_path


@pytest.mark.slow
def test_a_language_model_answers_beside_our_detectives(run: Run, here: Path) -> None:  # noqa: F811
    found = run(*BOARD, *ASKING)
    assert found.status == 0, found.err
    names = [row["name"] for row in found.json["rows"]]
    assert names[:3] == [
        "prior, nearest, centre",
        "afd, nearest, centre",
        "scripted:script.yaml, nearest, centre",
    ]
    prior, ours, model = found.json["rows"][:3]
    assert ours["intent"] > max(model["intent"], 0.7)
    assert prior["traces"] == ours["traces"] == model["traces"]
    assert any("could not be read, and were chosen at random" in n for n in found.json["notes"])
    asked = _requests(here / "exchanges")
    assert "Step 0: " in asked[0] and "answer_4: " in asked[0]
    assert not any(word in asked[0] for word in ("bracket", "corpus", "weapon"))
    assert "| afd, nearest, centre |" in (here / "board" / "README.md").read_text(encoding="utf-8")

    again = run(*BOARD, *ASKING)
    assert again.json == found.json
    assert _requests(here / "exchanges") == asked, "nothing is asked again"
    offline = ["replayed" if word == "board" else word for word in BOARD]
    told = run(*offline, "--replay", "exchanges", *ASKING)
    assert told.status == 0, told.err
    assert told.json["rows"] == found.json["rows"]


def _requests(folder: Path) -> list[str]:
    files = sorted(folder.glob("scene*.jsonl"))
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [json.loads(line)["messages"][1]["content"] for line in lines]


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_each_explorer_has_its_row_with_its_start(run: Run) -> None:  # noqa: F811
    asked = ("--explorer", "all", "--explorer", "curious", "--start", "centre", "--start", "far")
    found = run(*BOARD, "--seed", "0", *asked)
    assert found.status == 0, found.err
    rows = found.json["rows"][:3]
    assert [row["name"] for row in rows] == ["prior, all", "afd, all", "afd, curious, far"]
    assert all(row["scenes"] == 3 and row["task"] is not None for row in rows)
    assert any(note.startswith("afd, curious, far: Task among all") for note in found.json["notes"])
    text = Path("board/README.md").read_text(encoding="utf-8")
    assert "Corpus seed 0, standard questions." in text
    assert "95 % intervals" not in text


@pytest.mark.slow
def test_a_budget_that_is_reached_is_not_the_end(run: Run, here: Path) -> None:  # noqa: F811
    limits = here / "limits.yaml"
    limits.write_text("budget: {requests: 15}\n", encoding="utf-8")
    ended = run(*BOARD, *ASKING, "--language", limits)
    assert ended.status == 2
    assert "15 of 15 are spent" in ended.err
    limits.write_text("budget: {requests: 500}\n", encoding="utf-8")
    found = run(*BOARD, *ASKING, "--language", limits)
    assert found.status == 0, found.err
    assert found.json["rows"][2]["scenes"] == 3


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--explorer", "witness", *ASKING), "--explorer: witness: no log"),
        (("--explorer", "all", *("--start", "far") * 2), "--start: starts: 2, explorers: 1"),
        (("--endpoint", "http://127.0.0.1:9/v1"), "--endpoint: this option does not apply"),
        (("--games", "Hanoi"), "--games: this option does not apply"),
        (("--puzzles", "rulearn/all"), "--puzzles: this option does not apply"),
        (("--explorer", "policy:"), "there is no explorer 'policy:'"),
    ],
)
def test_what_does_not_go_together_is_refused(
    run: Run,  # noqa: F811
    words: tuple[str, ...],
    told: str,
) -> None:
    refused = run(*BOARD, *words)
    assert refused.status == 2
    assert told in refused.err
