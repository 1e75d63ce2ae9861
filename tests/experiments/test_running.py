"""Experiments that are killed, interrupted, and run elsewhere come to the same results."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
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
  - {name: inductive, label: learner, learn: 1}
  - {name: random, label: more}
  - {name: random, label: most}
  - {name: random, label: one}
  - {name: random, label: two}
  - {name: random, label: three}
  - {name: random, label: four}
  - {name: random, label: far, evaluate: 2}
worlds: [default]
seeds: 0
length: 25
"""
UNITS = 10
KILLS = 10
Undisturbed = tuple[Path, float]
"""A folder, and how many seconds the run took."""
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


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """All units, by one worker."""
    folder = tmp_path_factory.mktemp("undisturbed")
    (folder / "spec.yaml").write_text(SPEC)
    begun = time.monotonic()
    out = finish(folder, "--workers", 1)
    assert f"{UNITS} of {UNITS} units are done, {UNITS} of them now" in out
    return folder, time.monotonic() - begun


def assert_same(folder: Path, other: Path) -> None:
    assert results(folder) == results(other)
    assert kept(folder) == kept(other)
    assert not [*(folder / "out" / "units").glob(".*")]


def wait_until(met: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Wait for something that comes before a process ends."""
    until = time.monotonic() + 120
    while not met():
        assert process.poll() is None, "it ended too soon"
        assert time.monotonic() < until, "it does not come"
        time.sleep(0.01)


def disturb(folder: Path, how: str, workers: int, units: int, delay: float) -> None:
    """Run until so many units are done, and some seconds more; then kill or interrupt.

    What was done before has to stay as it was, and what is done now has to be whole.
    """
    before, spec = done(folder), folder / "out" / "spec.yaml"
    begun = spec.stat().st_ino if spec.exists() else None
    process = start(folder, "--workers", workers)
    wait_until(lambda: spec.exists() and spec.stat().st_ino != begun, process)
    wait_until(lambda: len(done(folder)) >= units, process)
    time.sleep(delay)
    assert process.poll() is None, "too late to matter"
    if how == "kill all":
        os.killpg(process.pid, signal.SIGKILL)
    elif how == "kill the first":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does on Ctrl-C
    _, err = process.communicate(timeout=60)
    assert "Traceback" not in err, err
    if how == "interrupt":
        assert process.returncode == 130 and "interrupted" in err
    until = time.monotonic() + 30
    while is_alive(process.pid):
        assert time.monotonic() < until, "processes are left"
        time.sleep(0.01)
    after = done(folder)
    assert all(after[name] == stamp for name, stamp in before.items())
    for name in after:
        assert pq.read_table(folder / "out" / "units" / name / ROWS).num_rows in (1, 2)


def is_alive(group: int) -> bool:
    """Whether a process of a group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.slow
def test_killed_and_interrupted_ten_times(tmp_path: Path, undisturbed: Undisturbed) -> None:
    """At random moments: while processes start, in the midst of units, and between them."""
    (tmp_path / "spec.yaml").write_text(SPEC)
    other, seconds = undisturbed
    random = Random(2)
    for number, units in enumerate(sorted(random.choices(range(UNITS // 2), k=KILLS))):
        how = ("kill all", "interrupt", "kill the first")[number % 3]
        disturb(tmp_path, how, 1 + number % 2, units, random.uniform(0, seconds / 20))
    before = done(tmp_path)
    now = UNITS - len(before)
    out = finish(tmp_path, "--workers", 2)
    assert f"{UNITS} of {UNITS} units are done, {now} of them now" in out
    after = done(tmp_path)
    assert all(after[name] == stamp for name, stamp in before.items()), "done twice"
    assert_same(tmp_path, other)


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


@pytest.mark.slow
def test_on_a_cluster_that_loses_a_worker(tmp_path: Path, undisturbed: Undisturbed) -> None:
    here = ("--host", "127.0.0.1", "--no-dashboard")
    (tmp_path / "spec.yaml").write_text(SPEC)
    one = ("worker", "--nthreads", "1", *here)
    with (
        dask(tmp_path, "scheduler", "--port", "0", *here) as scheduler,
        dask(tmp_path, *one, "--no-nanny", "--name", "lost") as lost,
        dask(tmp_path, *one, "--name", "kept"),
    ):
        wait_until((tmp_path / "scheduler.json").exists, scheduler)
        address = json.loads((tmp_path / "scheduler.json").read_text())["address"]
        process = start(tmp_path, "--scheduler", address)
        wait_until(lambda: len(done(tmp_path)) >= 3, process)
        os.killpg(lost.pid, signal.SIGKILL)
        assert len(done(tmp_path)) < UNITS, "too late to matter"
        out, err = process.communicate(timeout=300)
        assert process.returncode == 0, out + err
    assert_same(tmp_path, undisturbed[0])
