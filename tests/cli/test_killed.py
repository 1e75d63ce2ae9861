"""Commands that are killed, or asked to end, at random moments, and then go on."""

from __future__ import annotations

import os
import pty
import random
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mars_logic.data import load_all
from mars_logic.play import certificate
from mars_logic.world.load import load_theory

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no list of processes")

PATIENCE = 120
"""Seconds: kernels may have to be compiled."""
ENDS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
FEW_AND_MANY = [
    pytest.param(1, marks=pytest.mark.slow),
    pytest.param(20, marks=[pytest.mark.slow, pytest.mark.long]),
]
"""How often a command is killed."""


def start(*arguments: object, folder: Path, **how: int) -> subprocess.Popen[str]:
    """A command with processes that can be told from all others: they are in one session."""
    command = [sys.executable, "-m", "mars_logic", *map(str, arguments)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
    return subprocess.Popen(
        command,
        cwd=folder,
        text=True,
        start_new_session=True,
        preexec_fn=_heed_interruptions,
        **pipes,
    )


def _heed_interruptions() -> None:
    """A shell's job in the background ignores interruptions, and so would what the tests start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def finish(*arguments: object, folder: Path) -> str:
    with start(*arguments, folder=folder) as process:
        try:
            out, err = process.communicate(timeout=3 * PATIENCE)
        finally:
            process.kill()
    assert process.returncode == 0, err
    return out


def wait_until(met: Callable[[], bool], seconds: float = PATIENCE) -> None:
    until = time.monotonic() + seconds
    while not met():
        assert time.monotonic() < until, "it does not come"
        time.sleep(0.01)


def processes_of(session: int) -> list[str]:
    """The processes of a session that are still at work."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = path.read_text(encoding="utf-8").rpartition(")")
        except OSError:
            continue  # it ended meanwhile
        state, _, _, its_session = rest.split()[:4]
        if int(its_session) == session and state not in "ZX":
            found.append(name)
    return found


def end(process: subprocess.Popen[str], how: signal.Signals, *, all_of_it: bool = False) -> str:
    """End a command, wait until nothing of it is left, and return its messages."""
    if all_of_it:
        os.killpg(process.pid, how)
    else:
        process.send_signal(how)
    _, err = process.communicate(timeout=3 * PATIENCE)
    wait_until(lambda: not processes_of(process.pid), 20)
    return err or ""


def bytes_in(folder: Path) -> dict[str, bytes]:
    """What a folder holds; a killed process may leave a hidden file that nobody takes for more."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(p.relative_to(folder)): p.read_bytes() for p in found if p.name[0] != "."}


# --- run ------------------------------------------------------------------------------------------


def runs(episodes: int, *more: object) -> tuple[object, ...]:
    places = ("--record", "recorded", "--out", "kept")
    return ("run", "random", "default", "--episodes", episodes, *places, "--json", *more)


@pytest.mark.slow
@pytest.mark.parametrize("times", FEW_AND_MANY)
def test_run_goes_on_as_if_nothing_had_happened(times: int, tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    whole.mkdir()
    killed.mkdir()
    arguments = runs(2 * times + 2)
    told = finish(*arguments, folder=whole)
    chance = random.Random(times)
    for turn in range(times):
        how = ENDS[turn % len(ENDS)] if turn % 2 else signal.SIGKILL
        before = len(bytes_in(killed))
        process = start(*arguments, folder=killed)
        if turn % 3 == 2:
            time.sleep(chance.uniform(0, 2))
        else:
            wait_until(lambda at_least=before: len(bytes_in(killed)) > at_least)
            time.sleep(chance.uniform(0, 0.2))
        err = end(process, how)
        assert process.returncode in (-how, 130) and "Traceback" not in err, err
        kept = bytes_in(killed)
        expected = bytes_in(whole)
        assert all(expected[name] == content for name, content in kept.items())
        assert len(kept) >= before
    assert finish(*arguments, folder=killed) == told
    assert bytes_in(killed) == bytes_in(whole)
    assert len(load_all(killed / "recorded").abouts) == 2 * times + 2


@pytest.mark.long
def test_two_may_write_into_one_folder_and_one_be_killed(tmp_path: Path) -> None:
    whole, shared = tmp_path / "whole", tmp_path / "shared"
    whole.mkdir()
    shared.mkdir()
    told = finish(*runs(12), folder=whole)
    one, other, third = (start(*runs(12), folder=shared) for _ in range(3))
    wait_until(lambda: len(bytes_in(shared)) > 2)
    end(third, signal.SIGKILL)
    for process in (one, other):
        out, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, out) == (0, told), err
    assert bytes_in(shared) == bytes_in(whole)


# --- learn ----------------------------------------------------------------------------------------

LEARN = ("learn", "terrain", "--length", 40, "--episodes", 3, "-o", "theory.yaml")


@pytest.mark.slow
@pytest.mark.parametrize("times", FEW_AND_MANY)
def test_learn_leaves_a_whole_theory_or_none(times: int, tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    whole.mkdir()
    killed.mkdir()
    began = time.monotonic()
    told = finish(*LEARN, "--json", folder=whole)
    takes = time.monotonic() - began
    chance = random.Random(times)
    theory = killed / "theory.yaml"
    for turn in range(times):
        how = ENDS[turn % len(ENDS)]
        process = start(*LEARN, "--force", folder=killed)
        time.sleep(chance.uniform(0, takes))
        err = end(process, how)
        assert process.returncode in (-how, 130, 0) and "Traceback" not in err, err
        assert f"is in {theory.name}" not in err or theory.exists()
        if theory.exists():
            assert load_theory(theory).name == "theory"
        assert {*bytes_in(killed)} <= {"theory.yaml"}
    assert finish(*LEARN, "--force", "--json", folder=killed) == told
    assert bytes_in(killed) == bytes_in(whole)


@pytest.mark.slow
def test_a_request_to_end_leaves_what_was_learned(tmp_path: Path) -> None:
    arguments = ("learn", "terrain", "--length", 20, "--episodes", 500, "-o", "theory.yaml")
    for how in (signal.SIGTERM, signal.SIGHUP):
        process = start(*arguments, "--force", folder=tmp_path)
        time.sleep(4)
        err = end(process, how)
        done = int(err.split(" of 500 episodes of learning are done")[0].splitlines()[-1])
        assert process.returncode == 130
        assert (tmp_path / "theory.yaml").exists() == (done > 0)


@pytest.mark.slow
def test_a_program_of_a_user_does_not_outlive_the_command(tmp_path: Path) -> None:
    """clingo is at work in a process of its own, which nothing else would end."""
    (tmp_path / "long.lp").write_text(
        "p(1..100000000). q(X) :- p(X), X > 5. #show q/1.\n", encoding="utf-8"
    )
    process = start("ask", "default", "long.lp", folder=tmp_path)
    wait_until(lambda: len(processes_of(process.pid)) > 2)  # it, a tracker, and the program's
    time.sleep(1)
    end(process, signal.SIGKILL)


# --- play -----------------------------------------------------------------------------------------


class Keyboard:
    """The command ``play`` in a terminal of its own."""

    def __init__(self, folder: Path) -> None:
        ours, theirs = pty.openpty()
        termios.tcsetwinsize(ours, (24, 80))
        arguments = ("play", "default", "--seed", "3", "--out", "kept", "--record", "recorded")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "mars_logic", *arguments],
            cwd=folder,
            env=os.environ | {"TERM": "xterm"},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            text=True,
            start_new_session=True,
            encoding="utf-8",
        )
        os.close(theirs)
        os.set_blocking(ours, False)
        self.screen, self._terminal = "", ours

    def see(self, wanted: str) -> None:
        def seen() -> bool:
            self.read()
            return wanted in self.screen

        wait_until(seen)

    def read(self) -> None:
        try:
            self.screen += os.read(self._terminal, 1 << 20).decode(errors="replace")
        except OSError:
            return  # nothing now, or for ever

    def press(self, keys: str) -> None:
        os.write(self._terminal, keys.encode())

    def gone(self) -> bool:
        self.read()
        return self.process.poll() is not None

    def close(self) -> None:
        os.close(self._terminal)


@pytest.fixture
def sit_down() -> Iterator[Callable[[Path], Keyboard]]:
    opened: list[Keyboard] = []

    def sit(folder: Path) -> Keyboard:
        opened.append(Keyboard(folder))
        opened[-1].see(" of 1000")
        return opened[-1]

    yield sit
    for keyboard in opened:
        keyboard.process.kill()
        keyboard.process.wait()
        keyboard.close()


def played(folder: Path) -> tuple[int, ...]:
    """The actions that are kept."""
    path = folder / "kept" / "default__human__s3.json"
    return certificate.load(path).actions if path.exists() else ()


@pytest.mark.slow
@pytest.mark.parametrize("times", FEW_AND_MANY)
def test_play_keeps_what_was_kept(
    times: int, tmp_path: Path, sit_down: Callable[[Path], Keyboard]
) -> None:
    """Killed at once, nothing that was kept is lost; asked to end, all that was played is kept."""
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    whole.mkdir()
    killed.mkdir()
    chance = random.Random(times)
    for turn in range(times):
        how = ENDS[turn % len(ENDS)]
        before = played(killed)
        keyboard = sit_down(killed)
        count = chance.randint(1, 4)
        keyboard.press("." * count)
        keyboard.see(f"step {len(before) + count} of 1000")
        if how is signal.SIGKILL:
            keyboard.press("qy")
            time.sleep(chance.uniform(0, 0.3))
        keyboard.process.send_signal(how)
        wait_until(keyboard.gone)
        wait_until(lambda session=keyboard.process.pid: not processes_of(session), 20)
        after = played(killed)
        new = (*before, *after[len(before) :])
        assert after == new and len(after) - len(before) in (
            {0, count} if how is signal.SIGKILL else {count}
        )
    last = sit_down(killed)
    last.press(".")
    last.see(f"step {len(played(killed)) + 1} of 1000")
    last.press("qy")
    wait_until(last.gone)
    at_once = sit_down(whole)
    at_once.press("." * len(played(killed)))
    at_once.see(f"step {len(played(killed))} of 1000")
    at_once.press("qy")
    wait_until(at_once.gone)
    assert bytes_in(killed) == bytes_in(whole) and len(bytes_in(whole)) == 2
