"""Experiments that are killed, interrupted, and run elsewhere come to the same results."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import pyarrow.parquet as pq
import pytest

from mars_logic.errors import InputError
from mars_logic.experiments.cluster import on_cluster
from mars_logic.experiments.layout import DAMAGED, RESULTS, ROWS
from mars_logic.experiments.record import TIMES
from tests.experiments.units import unit

SPEC = """\
agents:
  - random
  - {name: random, label: again}
  - {name: inductive, label: learner, learn: 1}
  - {name: random, label: more}
  - {name: random, label: most}
  - {name: random, label: one}
  - {name: random, label: two}
  - {name: random, label: far, evaluate: 2}
worlds: [default]
seeds: 0
length: 25
"""
UNITS = 8
KILLS = 3
"""One of each way to end a run."""
Undisturbed = tuple[Path, float]
"""A folder, and how many seconds the run took."""
COMMAND = [sys.executable, "-m", "mars_logic"]


def start(folder: Path, *arguments: object, **settings: str) -> subprocess.Popen[str]:
    """The command, in a session of its own, so that all its processes can be killed.

    Settings are variables of its environment.
    """
    return begin(folder, "experiment", "spec.yaml", "-o", "out", *arguments, **settings)


def begin(folder: Path, *arguments: object, **settings: str) -> subprocess.Popen[str]:
    """A command in a folder."""
    command = [*COMMAND, *map(str, arguments)]
    how: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "start_new_session": True}
    return subprocess.Popen(command, cwd=folder, text=True, env=os.environ | settings, **how)


def finish(folder: Path, *arguments: object, **settings: str) -> str:
    return ended(start(folder, *arguments, **settings))


def ended(process: subprocess.Popen[str]) -> str:
    """What a command printed that ends well."""
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
    (folder / "spec.yaml").write_text(SPEC, encoding="utf-8")
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
def test_killed_and_interrupted_again_and_again(tmp_path: Path, undisturbed: Undisturbed) -> None:
    """At random moments: while processes start, in the midst of units, and between them."""
    (tmp_path / "spec.yaml").write_text(SPEC, encoding="utf-8")
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


GAMES = """\
agents: [random, {name: bayes, options: {prior: told}}, {name: bayes, label: learner, learn: 2}]
worlds: [BanditTwoArmedHighLowFixed, RockPaperScissorBasic]
seeds: 0..2
"""


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Units in games, all done by one worker."""
    folder = tmp_path_factory.mktemp("games")
    (folder / "spec.yaml").write_text(GAMES, encoding="utf-8")
    assert "18 of 18 units are done, 18 of them now" in finish(folder, "--workers", 1)
    return folder


@pytest.mark.slow
def test_games_go_on_where_they_were_killed(tmp_path: Path, games: Path) -> None:
    (tmp_path / "spec.yaml").write_text(GAMES, encoding="utf-8")
    disturb(tmp_path, "kill all", 1, 3, 0)
    before = done(tmp_path)
    assert f"{18 - len(before)} of them now" in finish(tmp_path, "--workers", 2)
    assert all(done(tmp_path)[name] == stamp for name, stamp in before.items()), "done twice"
    assert_same(tmp_path, games)


@pytest.mark.slow
def test_games_on_a_cluster(tmp_path: Path, games: Path) -> None:
    here = ("--host", "127.0.0.1", "--no-dashboard")
    (tmp_path / "spec.yaml").write_text(GAMES, encoding="utf-8")
    with (
        dask(tmp_path, "scheduler", "--port", "0", *here) as scheduler,
        dask(tmp_path, "worker", "--nthreads", "1", *here),
    ):
        wait_until((tmp_path / "scheduler.json").exists, scheduler)
        address = json.loads((tmp_path / "scheduler.json").read_text(encoding="utf-8"))["address"]
        finish(tmp_path, "--scheduler", address)
    assert_same(tmp_path, games)


@pytest.mark.long
def test_killed_at_twenty_random_moments(tmp_path: Path, undisturbed: Undisturbed) -> None:
    """All processes at once, at any moment of a run; a run that is done is begun anew."""
    other, seconds = undisturbed
    random, kills, runs = Random(3), 0, 0
    while kills < 20:
        folder = tmp_path / f"run{runs}"
        folder.mkdir()
        (folder / "spec.yaml").write_text(SPEC, encoding="utf-8")
        while kills < 20:
            process = start(folder, "--workers", 1 + kills % 2)
            time.sleep(random.uniform(0, seconds))
            if running := process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                kills += 1
            process.communicate(timeout=60)
            if not running:
                break
        finish(folder, "--workers", 2)
        assert_same(folder, other)
        assert not (folder / "out" / DAMAGED).exists(), "what was kept is whole"
        runs += 1
    print(f"{kills} kills in {runs} runs")


@pytest.mark.slow
def test_two_writers_in_one_folder(tmp_path: Path, undisturbed: Undisturbed) -> None:
    """One is refused, at whatever moment it comes; what the other does is not disturbed."""
    (tmp_path / "spec.yaml").write_text(SPEC, encoding="utf-8")
    both = [start(tmp_path, "--workers", 1) for _ in range(2)]
    told = [process.communicate(timeout=300) for process in both]
    assert sorted(process.returncode for process in both) == [0, 2]
    (refused,) = (err for process, (_, err) in zip(both, told, strict=True) if process.returncode)
    assert "another mars-logic experiment runs in this folder" in refused
    assert_same(tmp_path, undisturbed[0])


@pytest.mark.long
def test_the_same_whatever_the_hashes_threads_and_processes(
    tmp_path: Path, undisturbed: Undisturbed
) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC, encoding="utf-8")
    finish(tmp_path, "--workers", 2, PYTHONHASHSEED="12345", NUMBA_NUM_THREADS="1")
    assert_same(tmp_path, undisturbed[0])
    made = set()
    for seed in ("0", "1"):
        files = (f"{seed}.html", f"{seed}.csv")
        for command, file in zip(("report", "summarise"), files, strict=True):
            ended(begin(tmp_path, command, "out", "-o", file, PYTHONHASHSEED=seed))
        made.add(tuple((tmp_path / file).read_bytes() for file in files))
    assert len(made) == 1


@contextmanager
def dask(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A scheduler or a worker on this machine."""
    command = [sys.executable, "-m", "dask", *arguments, "--scheduler-file", "scheduler.json"]
    silent: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(
        command, cwd=folder, text=True, start_new_session=True, **silent, encoding="utf-8"
    )
    try:
        yield process
    finally:
        if is_alive(process.pid):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.mark.slow
def test_on_a_cluster_that_loses_a_worker(tmp_path: Path, undisturbed: Undisturbed) -> None:
    here = ("--host", "127.0.0.1", "--no-dashboard")
    (tmp_path / "spec.yaml").write_text(SPEC, encoding="utf-8")
    one = ("worker", "--nthreads", "1", *here)
    with (
        dask(tmp_path, "scheduler", "--port", "0", *here) as scheduler,
        dask(tmp_path, *one, "--no-nanny", "--name", "lost") as lost,
        dask(tmp_path, *one, "--name", "kept"),
    ):
        wait_until((tmp_path / "scheduler.json").exists, scheduler)
        address = json.loads((tmp_path / "scheduler.json").read_text(encoding="utf-8"))["address"]
        process = start(tmp_path, "--scheduler", address)
        wait_until(lambda: len(done(tmp_path)) >= 3, process)
        os.killpg(lost.pid, signal.SIGKILL)
        assert len(done(tmp_path)) < UNITS, "too late to matter"
        out, err = process.communicate(timeout=300)
        assert process.returncode == 0, out + err
    assert_same(tmp_path, undisturbed[0])


@pytest.mark.slow
def test_a_scheduler_without_workers_is_not_waited_for_in_silence(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC, encoding="utf-8")
    with dask(tmp_path, "scheduler", "--port", "0", "--host", "127.0.0.1", "--no-dashboard") as it:
        wait_until((tmp_path / "scheduler.json").exists, it)
        address = json.loads((tmp_path / "scheduler.json").read_text(encoding="utf-8"))["address"]
        process = start(tmp_path, "--scheduler", address, "--wait", 3)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    waiting, refused = err.splitlines()
    assert waiting.startswith(f"the scheduler at {address} has no worker; waiting for one, at most")
    assert f"the scheduler at {address} has had no worker for 3 s; allowed: " in refused


@pytest.mark.parametrize(
    "answer", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\xff" * 64], ids=["none", "web", "noise"]
)
def test_a_scheduler_that_is_none_is_refused_in_time(answer: bytes) -> None:
    """Whoever answers something else, or accepts a connection and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        held: list[socket.socket] = []

        def serve() -> None:
            with suppress(OSError):
                while True:
                    held.append(server.accept()[0])
                    held[-1].sendall(answer)

        threading.Thread(target=serve, daemon=True).start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        begun = time.monotonic()
        with pytest.raises(InputError, match="no scheduler answers at"):
            next(on_cluster([unit()], address, wait=1))
        assert time.monotonic() - begun < 10
        for connection in held:
            connection.close()


@pytest.mark.parametrize(
    "address", ["nowhere", "tcp://", "http://127.0.0.1:1", "tls://127.0.0.1:1"]
)
def test_addresses_that_are_none(address: str) -> None:
    with pytest.raises(InputError, match=r"no scheduler answers at .*; allowed: the address"):
        next(on_cluster([unit()], address, wait=1))
