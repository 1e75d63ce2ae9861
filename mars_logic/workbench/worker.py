"""Work in a process of its own, which is ended when its result is no longer wanted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any, Final, TypeVar

from mars_logic.errors import InputError
from mars_logic.system import resources
from mars_logic.system.files import confine_reading
from mars_logic.system.interruptions import ours_alone
from mars_logic.system.processes import CONTEXT, prepare

T = TypeVar("T")
Begin = Callable[[str, int], Callable[[], None]]
"""Called when work begins, with a name and how many parts it has; the result, after each part."""
Job = Callable[..., T]
"""A function of a module: it takes a ``Begin``, then arguments that can be pickled."""
Progress = Callable[[str, float], None]
"""Told what is done, and which share of it is."""

_STEPS: Final = 50
"""How often progress is told of one piece of work, at most."""


class Ended(Exception):
    """The process was ended on purpose before it had a result."""


@dataclass
class _Running:
    """A process.

    Attributes:
        process: The process.
        connection: By which it gets jobs and gives results.
        is_loaded: Whether it has loaded what jobs take.
        is_ended: Whether it was ended on purpose.
    """

    process: SpawnProcess
    connection: Connection[Any, Any]
    is_loaded: bool = False
    is_ended: bool = False

    async def loaded(self) -> None:
        """Wait until it has loaded what jobs take."""
        if not self.is_loaded:
            await asyncio.to_thread(self.connection.recv)
            self.is_loaded = True


def nothing() -> None:
    """What a process does first that has nothing to load."""


class Worker:
    """A process for one job at a time; it is started when a job comes, and anew after its end."""

    def __init__(self, *folders: Path, first: Callable[[], None] = nothing) -> None:
        """Prepare it.

        Args:
            folders: Where it may read files, beside the package's own.
            first: A function of a module, which the process calls before its first job: it loads
                what jobs take.
        """
        self._folders = folders
        self._first = first
        self._busy = asyncio.Lock()
        self._running: _Running | None = None

    def start(self) -> _Running:
        """Start the process, unless it runs."""
        if self._running is not None and self._running.process.is_alive():
            return self._running
        ours, theirs = CONTEXT.Pipe()
        with ours_alone():
            args = theirs, self._folders, self._first
            process = CONTEXT.Process(target=_serve, args=args, daemon=True)
            process.start()
        theirs.close()
        self._running = _Running(process, ours)
        return self._running

    async def do(
        self,
        job: Job[T],
        *args: Any,
        limit: float | None = None,
        progress: Progress = lambda _what, _share: None,
    ) -> T:
        """Do a job, after those that were asked for before.

        Args:
            job: The job.
            args: Its arguments.
            limit: Seconds after which the process is ended, from when it has loaded what jobs take.
            progress: Told how far it is.

        Raises:
            InputError: The job says that its input is wrong, it has failed, or the process died.
            Ended: The process was ended, or took too long.
        """
        async with self._busy:
            running = self.start()
            try:
                await running.loaded()
                async with asyncio.timeout(limit):
                    return await _answer(running.connection, job, args, progress)
            except TimeoutError:
                self.end()
                raise Ended(f"it took more than {limit:g} seconds") from None
            except (EOFError, OSError):
                running.process.join()
                if running.is_ended:
                    raise Ended("its process was ended") from None
                raise InputError("this failed: the process that did it died") from None

    def end(self) -> None:
        """End the process at once; who waits for its job is told so."""
        if self._running is not None:
            self._running.is_ended = True
            self._running.process.kill()
            self._running.process.join()

    @property
    def is_busy(self) -> bool:
        """Whether a job is being done."""
        return self._busy.locked()


async def _answer(
    connection: Connection[Any, Any], job: Job[T], args: tuple[Any, ...], progress: Progress
) -> T:
    connection.send((job, args))
    while True:
        kind, value = await asyncio.to_thread(connection.recv)
        match kind:
            case "progress":
                progress(*value)
            case "wrong":
                raise InputError(value)
            case _:
                result: T = value
                return result


def _serve(
    connection: Connection[Any, Any], folders: tuple[Path, ...], first: Callable[[], None]
) -> None:
    """What the process does: job after job, until there is nobody to do them for."""
    prepare()
    confine_reading(*folders, resources.folder("worlds"))
    first()
    connection.send(None)
    while True:
        try:
            job, args = connection.recv()
        except (EOFError, OSError):
            return
        connection.send(_result(job, args, _teller(connection)))


def _result(job: Job[Any], args: tuple[Any, ...], begin: Begin) -> tuple[str, Any]:
    try:
        return "done", job(begin, *args)
    except InputError as error:
        return "wrong", str(error)
    except Exception as error:  # whatever a text brings about is a message on the page
        return "wrong", f"this failed: {type(error).__name__}: {error}"


def _teller(connection: Connection[Any, Any]) -> Begin:
    def begin(what: str, parts: int) -> Callable[[], None]:
        done = 0
        every = max(1, parts // _STEPS)
        connection.send(("progress", (what, 0.0)))

        def advance() -> None:
            nonlocal done
            done += 1
            if done % every == 0:
                connection.send(("progress", (what, min(1.0, done / max(1, parts)))))

        return advance

    return begin
