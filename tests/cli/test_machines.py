"""Machines that are no developer's: what is missing there ends no command with a traceback."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.paths import REPOSITORY

TWICE = "p(1..2). #show p/1.\n"


def command(
    *arguments: object,
    unset: tuple[str, ...] = (),
    before: Callable[[], object] | None = None,
    environment: dict[str, str] | None = None,
    **how: Any,
) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own, in another environment."""
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    found = subprocess.run(
        [sys.executable, "-m", "mars_logic", *map(str, arguments)],
        env=kept | (environment or {}),
        capture_output=True,
        text=True,
        timeout=200,
        preexec_fn=before,
        **how,
    )
    assert "Traceback" not in found.stderr, found.stderr
    return found


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "twice.lp"
    path.write_text(TWICE, encoding="utf-8")
    return path


SETTINGS: dict[str, dict[str, Any]] = {
    "no terminal": {"unset": ("TERM",)},
    "a simple terminal": {"environment": {"TERM": "dumb"}},
    "one column": {"environment": {"COLUMNS": "1"}},
    "very wide": {"environment": {"COLUMNS": "1000000"}},
    "columns that are no number": {"environment": {"COLUMNS": "wide"}},
    "no temporary folder": {"environment": {"TMPDIR": "/no/such/folder"}},
    "no language": {"unset": ("LANG", "LC_ALL", "LC_CTYPE")},
    "one core": {"before": lambda: os.sched_setaffinity(0, {0})},
    "closed input": {"before": lambda: os.close(0)},
    "private files": {"before": lambda: os.umask(0o077)},
}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="settings of Linux")
@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_commands_work_the_same(setting: dict[str, Any], program: Path, tmp_path: Path) -> None:
    """One that starts a process, and writes to a terminal."""
    found = command("ask", "default", program, cwd=tmp_path, **setting)
    assert (found.returncode, found.stdout, found.stderr) == (0, "p(1) p(2)\n", "")


@pytest.mark.skipif(sys.platform != "linux", reason="settings of Linux")
def test_without_a_keyboard_nobody_plays() -> None:
    found = command("play", "default", before=lambda: os.close(0))
    assert found.returncode == 2 and "play: standard input is no terminal" in found.stderr


@pytest.mark.slow
def test_results_are_private_where_the_user_wants_it(tmp_path: Path) -> None:
    played = ("run", "random", "default", "--episodes", 1, "--length", 5)
    places = ("--out", "out", "--record", "out")
    done = command(*played, *places, cwd=tmp_path, before=lambda: os.umask(0o077))
    assert done.returncode == 0
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "out").iterdir()} == {0o600}


@pytest.mark.slow
def test_an_installation_in_a_folder_with_any_name(program: Path, tmp_path: Path) -> None:
    """Also where the locale knows nothing but ASCII."""
    site = tmp_path / "ü bér ☃"
    package = site / "mars_logic"
    shutil.copytree(REPOSITORY / "mars_logic", package, ignore=shutil.ignore_patterns("*.pyc"))
    for name in ("encodings", "worlds", "agents"):
        shutil.copytree(REPOSITORY / name, package / name)
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    here = {"PYTHONPATH": str(site), "PYTHONSAFEPATH": "1"}
    for locale in ({}, ascii_only):
        for arguments in (("prove", "default"), ("ask", "default", program)):
            found = command(*arguments, environment=here | locale, cwd=tmp_path)
            assert found.returncode == 0, found.stderr
    where = "import mars_logic; print(mars_logic.__file__.encode())"
    told = subprocess.run(
        [sys.executable, "-c", where], env=os.environ | here, capture_output=True, cwd=tmp_path
    )
    assert told.stdout.decode().strip() == repr(str(package / "__init__.py").encode())


def test_a_file_that_cannot_be_written_is_told_before_the_work(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anywhere
    found = run("learn", "terrain", "-o", tmp_path / "theory.yaml")
    assert found.status == 2 and found.out == ""
    assert f"{tmp_path / 'theory.yaml'}:1: file: its folder cannot be written to" in found.err


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="no devices in folders")
def test_a_device_is_not_replaced_by_a_file(run: Run) -> None:
    for force in ((), ("--force",)):
        found = run("learn", "terrain", "--episodes", 1, "-o", "/dev/null", *force)
        assert found.status == 2 and "not a regular file" in found.err
    assert not Path("/dev/null").is_file()


def test_a_system_without_semaphores_is_told(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object) -> None:
        raise OSError(38, "Function not implemented")

    spec = tmp_path / "spec.yaml"
    spec.write_text(
        "agents: [random]\nworlds: [default]\nseeds: 0..0\nlength: 5\n", encoding="utf-8"
    )
    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", none)
    found = run("experiment", spec, "-o", tmp_path / "out")
    assert found.status == 2 and "Traceback" not in found.err
    assert "--workers: no processes can be started, for want of semaphores: " in found.err


@pytest.mark.skipif(sys.platform != "linux", reason="folders in use cannot be removed elsewhere")
def test_a_current_folder_that_was_removed_is_told(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()

    def leave_nothing() -> None:
        os.chdir(tmp_path / "gone")
        (tmp_path / "gone").rmdir()

    found = command("run", "random", "default", "--out", "x", before=leave_nothing)
    assert found.returncode == 2
    assert found.stderr.startswith(".:1: folder: the current folder was removed; allowed: ")


def test_processes_that_cannot_cache_compiled_code_cost_one_warning(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec, cache = tmp_path / "spec.yaml", tmp_path / "cache"
    spec.write_text(
        "agents: [random]\nworlds: [default]\nseeds: 0..0\nlength: 5\n", encoding="utf-8"
    )
    monkeypatch.setattr("mars_logic.experiments.cluster.in_processes", lambda *_: iter(()))
    monkeypatch.setattr("mars_logic.compiled.cache_folders._warned", threading.Event())
    monkeypatch.setattr("numba.config.CACHE_DIR", str(cache))
    assert run("experiment", spec, "-o", tmp_path / "one").err == ""
    shutil.rmtree(cache)
    cache.write_text("in the way", encoding="utf-8")
    found = run("experiment", spec, "-o", tmp_path / "other")
    assert found.err.startswith(f"warning: {cache}/kernels: compiled code cannot be cached: ")
    assert found.err.count("\n") == 1


def test_a_setting_that_numba_refuses_is_told() -> None:
    found = command(
        *("run", "random", "default", "--episodes", 1), environment={"NUMBA_NUM_THREADS": "0"}
    )
    assert found.returncode == 2
    assert found.stderr.startswith("environment: NUMBA_*: ") and "; allowed: " in found.stderr
