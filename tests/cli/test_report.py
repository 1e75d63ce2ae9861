from __future__ import annotations

import json
from pathlib import Path

import pytest

from mars_logic import load_world
from tests.cli.conftest import Run


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the certificate of an episode."""
    from mars_logic.experiments.runs import Run as Runs
    from mars_logic.play.agent import load_agent

    folder = tmp_path_factory.mktemp("kept")
    Runs("random", load_agent("random"), load_world("default"), "default", folder).add(0)
    return folder


@pytest.mark.slow
def test_a_report_of_kept_episodes(run: Run, kept: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    done = run("report", kept, "-o", out, "--title", "Mine")
    assert (done.status, done.err) == (0, "")
    assert done.out == f"{out}: 1 episode, 1 to watch, {out.stat().st_size / 1e6:.1f} MB\n"
    assert "<title>Mine · mars-logic report</title>" in out.read_text(encoding="utf-8")
    again = run("report", kept, "-o", out)
    assert again.status == 2 and "it exists already" in again.err
    done = run("report", kept, "-o", out, "--force", "--replays", "0", "--json")
    size = out.stat().st_size
    expected = {"file": str(out), "bytes": size, "episodes": 1, "replays": 0}
    assert done.json == {"schema": "mars-logic report 1"} | expected


def test_play_of_own_goals_and_of_cells_that_change(run: Run, tmp_path: Path) -> None:
    world, out = tmp_path / "fire.yaml", tmp_path / "fire.html"
    rules = "timer: {grass: {becomes: sand, after: 5}}\ngoals: [survive_8, reach_sand]\n"
    world.write_text(f"name: fire\nbase: default\n{rules}", encoding="utf-8")
    play = ("--episodes", 1, "--length", 60, "--record", tmp_path, "--seed", 3)
    assert run("run", "random", world, *play).status == 0
    done = run("report", tmp_path, "-o", out)
    assert (done.status, done.err) == (0, "")
    page = out.read_text(encoding="utf-8")
    assert '"unlocked":[["reach_sand",5],["survive_8",8]]' in page
    assert "Rules with evidence" not in page
    (row,) = run("summarise", tmp_path, "--json").json["results"]
    assert row["success"].keys() == {"survive_8", "reach_sand"}


@pytest.mark.parametrize("found", [True, False])
def test_a_report_can_be_opened(
    run: Run, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: bool
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda url: opened.append(url) or found)
    out = tmp_path / "my report.html"
    done = run("report", kept, "-o", out, "--open")
    assert done.status == 0 and opened == [out.as_uri()]
    assert done.err == (
        "" if found else f"warning: no browser was found; {out} can be opened in any\n"
    )


@pytest.mark.parametrize("source", ["nothing", "empty", "notes.json"])
def test_nothing_to_report(run: Run, tmp_path: Path, source: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.json").write_text(json.dumps({"schema": "my notes"}), encoding="utf-8")
    done = run("report", tmp_path / source, "-o", tmp_path / "report.html")
    assert done.status == 2 and done.err.count("\n") == 1 and "; allowed: " in done.err
    assert not (tmp_path / "report.html").exists()


def test_other_files_in_the_folder_are_told(run: Run, kept: Path, tmp_path: Path) -> None:
    for file in kept.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "notes.json").write_text("{}", encoding="utf-8")
    done = run("report", tmp_path, "-o", tmp_path / "report.html")
    assert done.status == 0
    assert done.err == f"left out: {tmp_path / 'notes.json'}: this is no certificate\n"


@pytest.mark.parametrize("name", ["report.txt", "report", "report.html.zip"])
def test_a_report_is_html(run: Run, kept: Path, tmp_path: Path, name: str) -> None:
    done = run("report", kept, "-o", tmp_path / name)
    assert done.status == 2 and done.err.endswith("; allowed: names that end in .html, .htm\n")
    assert not (tmp_path / name).exists()


@pytest.mark.slow
def test_exchanges_beside_the_episodes_that_they_are_about(run: Run, tmp_path: Path) -> None:
    script, prices = tmp_path / "script.yaml", tmp_path / "prices.yaml"
    script.write_text('answers:\n  - say: [\'{"thought": "On.", "action": "do"}\']\n')
    prices.write_text("prices: {prompt: 1.0, completion: 4.0}\n")
    kept, talk, out = tmp_path / "kept", tmp_path / "talk", tmp_path / "page.html"
    play = ("--episodes", 2, "--length", 8, "--model", f"scripted:{script}", "--exchanges", talk)
    assert run("run", "react", "default", *play, "--out", kept).status == 0
    done = run("report", kept, talk, "-o", out, "--language", prices, "--requests", 10)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith(f"{out}: 2 episodes, 2 to watch, 16 requests, ")
    page = out.read_text(encoding="utf-8")
    assert "6 more requests are left out" in page and " · cost " in page
    assert '<a class="jump" href="#e0s7">' in page, "a request leads to its moment"
    assert '<a class="jump" href="#e1s1">' in page, "of its own episode"
    done = run("report", talk, "-o", out, "--force", "--json")
    assert done.json["requests"] == 16 and done.json["episodes"] == 0


def test_nothing_is_left_out_without_a_word(run: Run, kept: Path, tmp_path: Path) -> None:
    notes, out = tmp_path / "notes.txt", tmp_path / "page.html"
    notes.write_text("Grass can be walked on.\n", encoding="utf-8")
    done = run("report", kept, notes, "-o", out)
    assert done.status == 2 and f"{notes}:1: file: it is nothing to report; allowed: " in done.err
    done = run("report", kept, tmp_path / "none", "-o", out)
    assert done.status == 2 and "there is no such file" in done.err
    world = tmp_path / "own.yaml"
    world.write_text("base: default\n", encoding="utf-8")
    done = run("report", world, "-o", out)
    assert done.out == f"{out}: 1 world, {out.stat().st_size / 1e6:.1f} MB\n"
