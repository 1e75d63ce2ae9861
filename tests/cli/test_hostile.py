"""What a terminal, a folder or a file may do to the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

COMMAND = [sys.executable, "-m", "mars_logic"]


def start(*arguments: object, **how: Any) -> subprocess.Popen[str]:
    command = [*COMMAND, *map(str, arguments)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | how
    return subprocess.Popen(command, text=True, **pipes, encoding="utf-8")


def test_a_pipe_is_no_certificate(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for command in ("verify", "conform"):
        found = run(command, tmp_path / "pipe")
        assert found.status == 2 and "not a regular file" in found.err
    assert run("verify", "/dev/zero").status == 2


def test_names_are_printed_as_they_are(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("[bold]m[.yaml").write_text("base: default\n", encoding="utf-8")
    found = run("prove", "[bold]m[.yaml", "default")
    assert found.status == 0 and "[bold]m[.yaml" in found.out


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="a folder that nobody can write to")
def test_a_folder_that_cannot_be_written_to_is_told_before_playing(run: Run) -> None:
    found = run("run", "random", "default", "--out", "/proc/self")
    assert found.status == 2 and found.err.startswith("/proc/self:1: folder: ")


@pytest.mark.slow
def test_a_terminal_without_letters() -> None:
    process = start(
        "run", "random", "default", "--episodes", 1, env=os.environ | {"PYTHONIOENCODING": "ascii"}
    )
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert "\\xb1" in out


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is always full")
def test_a_full_disk() -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        process = start("show", "all_three", stdout=full)
        _, err = process.communicate(timeout=60)
    assert process.returncode != 0 and "Traceback" not in err


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="no such signal")
def test_a_reader_that_goes_away() -> None:
    with start("prove", "--json") as process:
        assert process.stdout and process.stderr
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(timeout=60) == -signal.SIGPIPE


@pytest.mark.slow
@pytest.mark.parametrize("wait", [1.5, 2.5, 4.0])
def test_an_interrupted_run_ends_with_130_and_can_go_on(wait: float, tmp_path: Path) -> None:
    arguments = ("run", "random", "default", "--episodes", 5000, "--out", tmp_path)
    process = start(*arguments)
    time.sleep(wait)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "Traceback" not in err
    kept = sorted(tmp_path.glob("*.json"))
    assert all(json.loads(path.read_text(encoding="utf-8"))["steps"] > 0 for path in kept)
    assert [*tmp_path.iterdir()] == kept or set(tmp_path.iterdir()) == set(kept)
    done = start("run", "random", "default", "--episodes", len(kept) or 1, "--out", tmp_path)
    _, err = done.communicate(timeout=120)
    assert done.returncode == 0, err


def test_a_certificate_is_found_its_world_beside_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.yaml").write_text(
        "base: default\nwalk: {sand: {health: 1}}\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    assert run("run", "random", "mine.yaml", "--episodes", 1, "--out", ".").status == 0
    (kept,) = tmp_path.glob("*.json")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert run("verify", kept).status == 0
    (tmp_path / "mine.yaml").unlink()
    found = run("verify", kept)
    assert found.status == 2 and found.err.startswith(f"{kept}:1: world.name: ")


def test_an_episode_that_did_not_end_is_not_taken_for_a_whole_one(run: Run, tmp_path: Path) -> None:
    assert run("run", "random", "default", "--episodes", 1, "--out", tmp_path).status == 0
    (kept,) = tmp_path.glob("*.json")
    document = json.loads(kept.read_text(encoding="utf-8"))
    kept.write_text(
        json.dumps(document | {"actions": [], "steps": 0, "reward": 0, "unlocked": {}}),
        encoding="utf-8",
    )
    assert run("verify", kept).status == 0, "what it claims is true"
    found = run("run", "random", "default", "--episodes", 1, "--out", tmp_path)
    assert found.status == 2 and "another episode" in found.err


def test_two_files_of_one_name_do_not_collide(run: Run, tmp_path: Path) -> None:
    for name, health in (("a", 1), ("b", -1)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "world.yaml").write_text(
            f"base: default\nname: same\nwalk: {{sand: {{health: {health}}}}}\n",
            encoding="utf-8",
        )
    worlds = tmp_path / "a" / "world.yaml", tmp_path / "b" / "world.yaml"
    assert run("run", "random", *worlds, "--episodes", 1, "--out", tmp_path / "runs").status == 0
    assert len([*(tmp_path / "runs").glob("same_*.json")]) == 2


def test_a_recording_of_another_world_is_not_taken_for_this_one(run: Run, tmp_path: Path) -> None:
    assert run("run", "random", "terrain", "--episodes", 1, "--record", tmp_path).status == 0
    (tmp_path / "terrain__random__s0.parquet").rename(tmp_path / "default__random__s0.parquet")
    before = (tmp_path / "default__random__s0.parquet").read_bytes()
    found = run("run", "random", "default", "--episodes", 1, "--record", tmp_path)
    assert found.status == 2 and "another episode" in found.err
    assert (tmp_path / "default__random__s0.parquet").read_bytes() == before


def test_a_pipe_is_no_trajectory(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.parquet")
    found = run("check", "default", tmp_path / "pipe.parquet")
    assert found.status == 2 and "not a regular file" in found.err
