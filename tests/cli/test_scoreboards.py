"""SmartPlay's scoreboard from the command line, and doctor."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mars_logic.domains.scores import published
from mars_logic.experiments.scoreboards.smartplay.episodes import (
    CONTESTANTS,
    TRIALS,
    seat_of,
    trials,
)
from mars_logic.experiments.scoreboards.smartplay.page import _ROUNDING, largest_difference
from tests.cli.conftest import Run

COMMON = "scoreboard", "smartplay", "--games", "Bandits,Hanoi", "--episodes", 5


def test_published_rows_are_reproduced() -> None:
    assert 0 < largest_difference() <= _ROUNDING


def test_trials_are_those_of_the_paper() -> None:
    assert list(TRIALS) == list(published().games)
    assert [trials(game, None) for game in TRIALS] == [20, 20, 10, 100, 100, 10, 20]
    assert all(seat_of("random", game) for game in ("Bandits", "Hanoi", "Crafter", "Minecraft"))
    assert list(CONTESTANTS) == ["random", "names", "learner", "oracle", "model"]
    assert [*published().histories.values()] == [50, 50, 30, 2, 5, 2]


@pytest.mark.slow
def test_a_board_is_kept_and_goes_on(run: Run, tmp_path: Path) -> None:
    agents = "--agents", "random,learner,oracle"
    first = run(*COMMON, *agents, "-o", tmp_path / "board", "--json")
    assert first.status == 0, first.err
    found = json.loads(first.out)
    assert found["ours"]["learner"]["games"]["Hanoi"]["score"] == 3
    assert found["ours"]["oracle"]["games"]["Bandits"]["score"] == 50
    assert found["ours"]["oracle"]["capabilities"] == {"code": None, "paper": None}
    kept = sorted((tmp_path / "board").rglob("*.json"))
    times = {path: path.stat().st_mtime_ns for path in kept}
    assert len(kept) == 2 * 3 * 5 + 1  # and a note of what they are made from
    again = run(*COMMON, *agents, "-o", tmp_path / "board")
    assert again.status == 0 and "| **learner** |" in again.out
    assert {path: path.stat().st_mtime_ns for path in kept} == times
    page = (tmp_path / "board" / "README.md").read_text(encoding="utf-8")
    assert "| Human | 45.00 | 3.00 |" in page and "measures survival" in page


def test_a_model_takes_part_and_goes_on(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answers = "answers:\n- {when: Choose one, say: ['Action: north']}\n- {say: [why]}\n"
    (tmp_path / "script.yaml").write_text(answers, encoding="utf-8")
    common = "scoreboard", "smartplay", "--games", "MessengerL1", "--episodes", 2, "--json"
    asked = *common, "--agents", "random,model", "--model", "scripted:script.yaml", "-o", "board"
    found = run(*asked)
    assert found.status == 0, found.err
    ours = found.json["ours"]["scripted:script.yaml"]["games"]["MessengerL1"]
    assert ours["player"] == "smartplay" and len(ours["scores"]) == 2
    (first, second) = sorted((tmp_path / "exchanges").glob("*__*.jsonl"))
    kept = first.read_bytes(), second.read_bytes()
    again = run(*asked)
    assert again.json == found.json and kept == (first.read_bytes(), second.read_bytes())
    model = "--model", "scripted:script.yaml"
    replayed = run(*common, "--agents", "random,model", *model, "--replay", "exchanges")
    assert replayed.json == found.json
    (tmp_path / "script.yaml").write_text(answers.replace("north", "south"), encoding="utf-8")
    other = run(*asked)
    assert other.status == 2 and "made_from.json" in other.err


@pytest.mark.parametrize(
    "words",
    [
        ("smartplay", "--games", "MessengerL1", "--agents", "random", "--episodes", 1),
        (
            "rulearn",
            "--puzzles",
            "rulearn/er_r1_01",
            "--players",
            "baseline",
            "--seeds",
            1,
            "--no-orders",
        ),
    ],
    ids=("smartplay", "rulearn"),
)
def test_episodes_without_a_note_of_their_own_are_refused(
    run: Run, tmp_path: Path, words: tuple[str | int, ...]
) -> None:
    asked = "scoreboard", *words, "-o", tmp_path / "board"
    assert run(*asked).status == 0
    (note,) = (tmp_path / "board").rglob("made_from.json")
    told = json.loads(note.read_text(encoding="utf-8"))
    lost = max(told)
    note.write_text(json.dumps({name: told[name] for name in told if name != lost}))
    found = run(*asked)
    assert found.status == 2 and f"made_from.json:1: {lost}: it is missing" in found.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--agents", "model"), "--agents: there is no 'model'"),
        (("--endpoint", "http://127.0.0.1:9/v1"), "--endpoint: this option does not apply"),
        (("--agents", "oracel"), "--agents: there is no 'oracel', did you mean 'oracle'?"),
        (("--games", "Chess"), "--games: there is no 'Chess'"),
        (("--players", "idea"), "--players: this option does not apply here"),
        (("--agents", "names", "--games", "Hanoi"), "none of them plays any of these games"),
    ],
)
def test_mistakes(run: Run, words: tuple[str, ...], message: str) -> None:
    found = run("scoreboard", "smartplay", *words)
    assert found.status == 2 and message in found.err and "; allowed: " in found.err


def test_doctor(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from mars_logic.domains.biomes import minetest

    monkeypatch.setattr(minetest, "server_program", lambda: None)
    told = run("doctor").out
    assert "engine columns" in told and f"no; install: {minetest.INSTALL}" in told
    rows = json.loads(run("doctor", "--json").out)["parts"]
    assert {row["name"]: row["installed"] for row in rows}["engine minetest"] is False
