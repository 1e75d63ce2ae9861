from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mars_logic.experiments.measurement import suite
from tests.cli.conftest import Run
from tests.paths import REPOSITORY

CHECKED = ("crafter", "default", "all_three")
ALONE = {
    *("memory shared by all", "cost of a step, n = 4 against 4"),
    *(f"transitions checked, {name}, all cores" for name in CHECKED),
    *(f"claims judged, all else open, {name}, one thread" for name in CHECKED),
}
"""What has no peer, in benchmarks that have one."""
WITHOUT_PEER = {"logic", "sampling", "games", "throughput", "messenger", "parts", "decisions"}


LONG = ("logic", "throughput", "games", "sampling", "memory")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.long if name in LONG else ())
        for name in suite.names()
        if name not in ("craftax_classic", "craftax_c", "griddly")
    ],
)
def test_every_benchmark_runs(run: Run, tmp_path: Path, name: str) -> None:
    found = run("bench", name, "--quick", "--json", "-o", tmp_path / "results")
    assert found.status == 0, found.err
    document = found.json
    assert document["schema"] == "mars-logic bench 1"
    (report,) = document["benchmarks"]
    assert report == json.loads((tmp_path / "results" / f"{name}.json").read_text(encoding="utf-8"))
    assert report["name"] == name and report["quick"] is True
    assert report["result"]["rows"]
    for row in report["result"]["rows"]:
        assert 0 < row["ours"]["low"] <= row["ours"]["median"] <= row["ours"]["high"]
        if name in WITHOUT_PEER or row["quantity"] in ALONE:
            assert row["peer"] is None
        else:
            assert row["peer"]["median"] > 0
    page = (tmp_path / "results" / "README.md").read_text(encoding="utf-8")
    for chart in report["result"]["charts"]:
        assert f"{chart['name']}.png" in page
        assert all(len(line["x"]) == len(line["y"]) > 0 for line in chart["lines"])


@pytest.mark.slow
def test_the_table(run: Run) -> None:
    found = run("bench", "play", "--quick", "--alone")
    assert found.status == 0 and "random play with auto-reset, n = 4" in found.out
    assert "crafter" not in found.out


def test_an_unknown_benchmark(run: Run) -> None:
    found = run("bench", "steps", "ply")
    assert found.status == 2 and "no benchmark 'ply', did you mean 'play'?" in found.err


def test_a_folder_with_something_else_is_refused_before_any_work(run: Run, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# My thesis\n", encoding="utf-8")
    found = run("bench", "-o", tmp_path)
    assert found.status == 2 and "not made by mars-logic bench" in found.err
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]


@pytest.mark.slow
def test_a_benchmark_runs_alone(tmp_path: Path) -> None:
    script = REPOSITORY / "benchmarks" / "play.py"
    command = [sys.executable, str(script), "--quick", "--alone", "--json"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert json.loads(done.stdout)["benchmarks"][0]["name"] == "play"


@pytest.mark.slow
def test_an_interrupted_run_keeps_what_is_done(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "mars_logic",
        "bench",
        "steps",
        "start",
        "--alone",
        "--quick",
    ]
    process = subprocess.Popen(
        [*command, "-o", tmp_path], stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )
    while not (tmp_path / "steps.json").exists() and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and err.endswith("interrupted\n") and "Traceback" not in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["README.md", "steps.json"]
    assert suite.load(tmp_path / "steps.json").result.rows


@pytest.mark.parametrize(
    ("name", "variable", "what"),
    [("craftax_c", "CRAFTAX_C", "library"), ("griddly", "GRIDDLY_PYTHON", "interpreter")],
)
def test_peers_of_other_installations_are_asked_for(
    name: str, variable: str, what: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(variable, raising=False)
    found = run("bench", name, "--quick", "--json")
    (report,) = found.json["benchmarks"]
    assert report["result"]["notes"] == [f"not measured: {variable} names no {what}"]


@pytest.mark.parametrize("python", [sys.executable, "nowhere/python"])
def test_an_interpreter_without_griddly(
    python: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRIDDLY_PYTHON", python)
    found = run("bench", "griddly", "--quick")
    assert found.status == 2 and "allowed: an interpreter with griddly 1.6.7" in found.err
