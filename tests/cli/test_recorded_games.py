"""What is kept of games: trajectories, and pages and summaries made of what is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from mars_logic.data import GameTrajectory, load, load_all
from tests.cli.conftest import Run

HIGH_LOW = "BanditTwoArmedHighLowFixed"
GAME = "domain: bandits\nlength: 6\narms:\n  - {probability: 0.9}\n  - {probability: 0.2}\n"


@pytest.fixture
def kept(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of certificates and trajectories, with a game of one's own."""
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(GAME, encoding="utf-8")
    both = ("--episodes", 2, "--out", "kept", "--record", "kept")
    assert run("run", "bayes", "mine.yaml", HIGH_LOW, *both).status == 0
    assert run("run", "oracle", "Hanoi3Disk", "--noise", 0.2, *both).status == 0
    return tmp_path / "kept"


@pytest.mark.slow
def test_trajectories_are_recorded_and_read(run: Run, kept: Path) -> None:
    found = load_all(kept)
    assert len(found) == 6 and all(isinstance(each, GameTrajectory) for each in found)
    assert {each.about.domain for each in found} == {"bandits", "hanoi"}
    names = sorted(path.stem for path in kept.glob("*.json"))
    assert names == sorted(path.stem for path in kept.glob("*.parquet"))
    before = {path: path.read_bytes() for path in kept.iterdir()}
    assert run("run", "bayes", HIGH_LOW, "--episodes", 2, "--record", kept).status == 0
    assert {path: path.read_bytes() for path in kept.iterdir()} == before
    (path,) = kept.glob(f"{HIGH_LOW}*s0.parquet")
    assert load(path).score is not None
    public = ("--public", "--record", kept.with_name("public"))
    assert run("run", "bayes", HIGH_LOW, "--episodes", 1, *public).status == 0
    (public_one,) = load_all(kept.with_name("public"))
    assert public_one.score is None
    assert run("run", "bayes", HIGH_LOW, "--public").err.startswith("--public: there is no record")


def test_commands_on_worlds_refuse_trajectories_of_games(run: Run, kept: Path) -> None:
    for words in (
        ("check", "default", kept),
        ("revise", "default", kept),
        ("export", kept, "--to", "parquet", "-o", "all.parquet"),
        ("render", min(kept.glob("*.parquet")), "-o", "film.gif"),
    ):
        found = run(*words)
        assert (found.status, found.out) == (2, ""), words
        assert "this is 'mars-logic game trajectory'; allowed: " in found.err
        assert found.err.count("\n") == 1


@pytest.mark.slow
def test_what_is_kept_is_reported_and_summed_up(run: Run, kept: Path) -> None:
    assert run("report", kept, "-o", "r.html").out.startswith("r.html: 6 episodes, 6 to watch, ")
    page = Path("r.html").read_text(encoding="utf-8")
    assert page.count('class="told"') == 6 and "mine" in page
    found = run("summarise", kept, "--json").json
    assert found["results"] == [] and len(found["games"]) == 3
    by_game = {row["world"]: row for row in found["games"]}
    assert by_game["Hanoi3Disk"]["complete"]["rate"] == 1
    assert by_game["mine"]["normalised"] is None
    asked = run("run", "bayes", HIGH_LOW, "--episodes", 2, "--json").json["games"][HIGH_LOW]
    assert by_game[HIGH_LOW]["score"]["mean"] == asked["score"]["mean"]
    (one,) = kept.glob(f"{HIGH_LOW}*s1.parquet")
    assert run("report", one, "-o", "one.html").out.startswith("one.html: 1 episode, 1 to watch")
    next(kept.glob("mine*.json")).write_text("{", encoding="utf-8")
    assert "this is no certificate" in run("report", kept, "-o", "r.html", "--force").err


def test_value_of_a_game_without_chance(run: Run, tmp_path: Path) -> None:
    document = run("value", "Hanoi3Disk", "--json").json
    assert (document["score"], document["reward"], document["steps"]) == (3, 100, 7)
    told = run("value", "Hanoi3Disk", "--prior", "told").out
    assert "steps            7" in told and "at the start: move the top disk of rod A" in told
    assert run("value", HIGH_LOW, "--json").json["steps"] is None
    short = tmp_path / "short.yaml"
    short.write_text("domain: hanoi\ndisks: 3\nlength: 6\n", encoding="utf-8")
    assert "does not reach the goal" in run("value", short).out
