"""Runs commands in forked children, so that each starts at once and may crash, hang or grow.

``python -m tests.hostile.server`` reads one request a line on standard input and answers each with
one line, both in JSON. It has one thread, and so may fork.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import resource
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Final

PROCESSOR_SECONDS: Final = 30
"""Longer takes a command that computes without end. Others take a tenth: a machine that has other
work may slow them, and the tests must not tell of that."""
_SECONDS: Final = 600
"""Longer takes a command that waits without end, however much other work the machine has."""
_ADDRESS_SPACE: Final = 16 << 30
"""Bytes: a bound for the machine's sake; what is asserted is the memory that was in use."""


@dataclass(frozen=True)
class Request:
    """A command to run.

    Attributes:
        arguments: After ``mars-logic``; may hold surrogates for bytes that are not UTF-8.
        folder: Where.
    """

    arguments: list[str]
    folder: str


@dataclass(frozen=True)
class Outcome:
    """What became of a command.

    Attributes:
        status: The exit status; None if a signal ended it.
        signal: That signal.
        late: Whether it had to be ended.
        megabytes: The most memory that it, or a process that it started, had in use, in MB.
        out: What it printed.
        err: What it printed to standard error.
    """

    status: int | None
    signal: int | None
    late: bool
    megabytes: float
    out: str
    err: str


class Server:
    """A process that runs commands."""

    def __init__(self) -> None:
        """Start it."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.hostile.server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            cwd=Path(__file__).parents[2],
        )

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._process.communicate("")

    def run(self, folder: Path, *arguments: object) -> Outcome:
        """Run a command in a folder."""
        asked, answers = self._process.stdin, self._process.stdout
        assert asked and answers
        asked.write(json.dumps(asdict(Request([*map(str, arguments)], str(folder)))) + "\n")
        asked.flush()
        return Outcome(**json.loads(answers.readline()))


def _serve() -> None:
    _load_what_commands_share()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        answers.write(json.dumps(asdict(_run(Request(**json.loads(line))))) + "\n")
        answers.flush()


def _load_what_commands_share() -> None:
    """Import the package and its compiled code once; no thread may be started by that.

    A command imports what it needs when it is run, which takes a second: longer than most commands
    on hostile inputs.
    """
    import mars_logic
    import mars_logic.agents

    for package in (mars_logic, mars_logic.agents):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                with suppress(ImportError):  # of an extra that is not installed
                    importlib.import_module(module.name)

    from mars_logic.play.agent import load_agent
    from mars_logic.play.recording import record
    from mars_logic.sim import Simulator
    from mars_logic.theory import Evidence
    from mars_logic.world.load import load_world

    simulator = Simulator(load_world("default"), length=5)
    for name in ("random", "oracle", "informed", "inductive"):
        Evidence.of([record(load_agent(name)(), simulator, 0, agent_name=name)[1]])
    gc.freeze()  # so that children do not copy what they only look at


def _run(request: Request) -> Outcome:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if not child:
            _be(request, out, err)
        late, status, used = _wait(child)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)  # what it left behind
        return Outcome(
            os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
            os.WTERMSIG(status) if os.WIFSIGNALED(status) else None,
            late,
            used.ru_maxrss / 1024,
            _text(out),
            _text(err),
        )


def _wait(child: int) -> tuple[bool, int, resource.struct_rusage]:
    late, end = False, time.monotonic() + _SECONDS
    while True:
        pid, status, used = os.wait4(child, os.WNOHANG)
        if pid:
            slow = used.ru_utime + used.ru_stime > PROCESSOR_SECONDS
            return late or slow, status, used
        if time.monotonic() > end and not late:
            late = True
            os.killpg(child, signal.SIGKILL)
        time.sleep(0.005)


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read(4 << 20).decode("utf-8", "backslashreplace")


def _be(request: Request, out: IO[bytes], err: IO[bytes]) -> None:
    """Become the command; never returns."""
    status = 70
    try:
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_CPU, (2 * PROCESSOR_SECONDS, 2 * PROCESSOR_SECONDS + 1))
        resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, _ADDRESS_SPACE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        os.chdir(request.folder)
        sys.argv = ["mars-logic", *request.arguments]
        from mars_logic.__main__ import run

        run()
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:
        import traceback

        traceback.print_exc()
        status = 1
    finally:
        with suppress(BaseException):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    _serve()
