"""SmartPlay's scoreboard from the command line, and doctor."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mars_logic.domains.scores import published
from mars_logic.experiments.smartplay_board import CONTESTANTS, TRIALS, seat_of, trials
from mars_logic.experiments.smartplay_page import _ROUNDING, largest_difference
from tests.cli.conftest import Run

COMMON = "scoreboard", "smartplay", "--games", "Bandits,Hanoi", "--episodes", 5


def test_published_rows_are_reproduced() -> None:
    assert 0 < largest_difference() <= _ROUNDING


def test_trials_are_those_of_the_paper() -> None:
    assert list(TRIALS) == list(published().games)
    assert [trials(game, None) for game in TRIALS] == [20, 20, 10, 100, 100, 10, 20]
    assert all(seat_of("random", game) for game in ("Bandits", "Hanoi", "Crafter", "Minecraft"))
    assert list(CONTESTANTS) == ["random", "names", "learner", "oracle"]


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


@pytest.mark.parametrize(
    ("words", "message"),
    [
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
    from mars_logic.domains.biomes import server

    monkeypatch.setattr(server, "server_program", lambda: None)
    told = run("doctor").out
    assert "engine columns" in told and f"no; install: {server.INSTALL}" in told
    rows = json.loads(run("doctor", "--json").out)["parts"]
    assert {row["name"]: row["installed"] for row in rows}["engine minetest"] is False
