"""Experiments that are killed, interrupted, and run elsewhere come to the same results."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pyarrow.parquet as pq
import pytest

from mars_logic.experiments.folder import RESULTS
from mars_logic.experiments.record import ROWS, TIMES

SPEC = """\
agents:
  - random
  - {name: random, label: again}
  - {name: random, label: more}
  - {name: random, label: most}
  - {name: random, label: far, evaluate: 2}
worlds: [default]
seeds: 0..1
length: 25
"""
LEARNER = "agents:\n  - {name: inductive, label: learner, learn: 1}\n"
WITH_LEARNER = SPEC.replace("agents:\n", LEARNER)
Undisturbed = tuple[Path, float, int]
"""A folder, how many seconds the run took, and how many units there are."""
COMMAND = [sys.executable, "-m", "mars_logic", "experiment"]


def start(folder: Path, *arguments: object) -> subprocess.Popen[str]:
    """The command, in a session of its own, so that all its processes can be killed."""
    command = [*COMMAND, "spec.yaml", "-o", "out", *map(str, arguments)]
    pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, cwd=folder, text=True, start_new_session=True, **pipes)


def finish(folder: Path, *arguments: object) -> str:
    process = start(folder, *arguments)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, out + err
    return out


def results(folder: Path) -> list[dict[str, Any]]:
    """All rows but for times."""
    table = pq.read_table(folder / "out" / RESULTS)
    return table.drop_columns([*TIMES]).to_pylist()  # type: ignore[no-any-return]


def kept(folder: Path) -> dict[str, bytes]:
    """All that lies in units, but for the files that hold times."""
    units = folder / "out" / "units"
    files = (path for path in units.rglob("*") if path.is_file() and path.name != ROWS)
    return {str(path.relative_to(units)): path.read_bytes() for path in files}


def done(folder: Path) -> dict[str, tuple[int, int]]:
    """The units that are there, each with what would change if it were written anew."""
    found = (folder / "out" / "units").glob("[!.]*")
    return {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in found}


def run_undisturbed(folder: Path, spec: str, units: int) -> Undisturbed:
    """All units, by one worker."""
    (folder / "spec.yaml").write_text(spec)
    begun = time.monotonic()
    out = finish(folder, "--workers", 1)
    assert f"{units} of {units} units are done, {units} of them now" in out
    return folder, time.monotonic() - begun, units


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    return run_undisturbed(tmp_path_factory.mktemp("undisturbed"), SPEC, 10)


@pytest.fixture(scope="module")
def with_learner(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    return run_undisturbed(tmp_path_factory.mktemp("learner"), WITH_LEARNER, 12)


def assert_same(folder: Path, undisturbed: Undisturbed) -> None:
    assert results(folder) == results(undisturbed[0])
    assert kept(folder) == kept(undisturbed[0])
    assert not [*(folder / "out" / "units").glob(".*")]


def disturb(folder: Path, how: str, wait: float, before: dict[str, tuple[int, int]]) -> None:
    """Run for a while, then kill or interrupt; what was done before has to stay as it was."""
    process = start(folder, "--workers", 2)
    time.sleep(wait)
    if how == "kill all":
        os.killpg(process.pid, signal.SIGKILL)
    elif how == "kill the first":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does on Ctrl-C
    _, err = process.communicate(timeout=60)
    assert "Traceback" not in err, err
    if how == "interrupt" and process.returncode:
        assert process.returncode == 130 and "interrupted" in err
    until = time.monotonic() + 30
    while is_alive(process.pid):
        assert time.monotonic() < until, "processes are left"
        time.sleep(0.1)
    after = done(folder)
    assert all(after[name] == stamp for name, stamp in before.items())
    for name in after:  # whole
        assert pq.read_table(folder / "out" / "units" / name / ROWS).num_rows in (1, 2)


def is_alive(group: int) -> bool:
    """Whether a process of a group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def survive(times: int, folder: Path, undisturbed: Undisturbed) -> None:
    random, units = Random(2), undisturbed[2]
    (folder / "spec.yaml").write_text((undisturbed[0] / "spec.yaml").read_text())
    for number in range(times):
        before = done(folder)
        how = ("kill all", "interrupt", "kill the first")[number % 3]
        disturb(folder, how, random.uniform(1.5, undisturbed[1] * 0.7), before)
    before = done(folder)
    now = units - len(before)
    out = finish(folder, "--workers", 2)
    assert f"{units} of {units} units are done, {now} of them now" in out
    after = done(folder)
    assert all(after[name] == stamp for name, stamp in before.items()), "done twice"
    assert_same(folder, undisturbed)


@pytest.mark.slow
def test_killed_and_interrupted(tmp_path: Path, undisturbed: Undisturbed) -> None:
    survive(1, tmp_path, undisturbed)


@pytest.mark.long
def test_killed_and_interrupted_ten_times(tmp_path: Path, with_learner: Undisturbed) -> None:
    survive(10, tmp_path, with_learner)


@contextmanager
def dask(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A scheduler or a worker on this machine."""
    command = [sys.executable, "-m", "dask", *arguments, "--scheduler-file", "scheduler.json"]
    silent: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, cwd=folder, text=True, start_new_session=True, **silent)
    try:
        yield process
    finally:
        if is_alive(process.pid):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def wait_for(path: Path) -> None:
    until = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < until, f"{path.name} does not come"
        time.sleep(0.1)


@pytest.mark.long
def test_on_a_cluster_that_loses_a_worker(tmp_path: Path, with_learner: Undisturbed) -> None:
    here = ("--host", "127.0.0.1", "--no-dashboard")
    (tmp_path / "spec.yaml").write_text(WITH_LEARNER)
    one = ("worker", "--nthreads", "1", *here)
    with (
        dask(tmp_path, "scheduler", "--port", "0", *here),
        dask(tmp_path, *one, "--no-nanny", "--name", "lost") as lost,
        dask(tmp_path, *one, "--name", "kept"),
    ):
        wait_for(tmp_path / "scheduler.json")
        address = json.loads((tmp_path / "scheduler.json").read_text())["address"]
        process = start(tmp_path, "--scheduler", address)
        until = time.monotonic() + 120
        while len(done(tmp_path)) < 3:
            assert process.poll() is None and time.monotonic() < until, "nothing is done"
            time.sleep(0.05)
        os.killpg(lost.pid, signal.SIGKILL)
        assert len(done(tmp_path)) < with_learner[2], "too late to matter"
        out, err = process.communicate(timeout=300)
        assert process.returncode == 0, out + err
    assert_same(tmp_path, with_learner)
