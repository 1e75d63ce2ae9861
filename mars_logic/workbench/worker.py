"""Work in a process of its own, which is ended when its result is no longer wanted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
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


class Worker:
    """A process for one job at a time; it is started when a job comes, and anew after its end."""

    def __init__(self, *folders: Path) -> None:
        """Prepare it.

        Args:
            folders: Where it may read files, beside the package's own.
        """
        self._folders = folders
        self._busy = asyncio.Lock()
        self._process: SpawnProcess | None = None
        self._is_ended = False

    def _start(self) -> SpawnProcess:
        ours, theirs = CONTEXT.Pipe()
        with ours_alone():
            process = CONTEXT.Process(target=_serve, args=(theirs, self._folders), daemon=True)
            process.start()
        theirs.close()
        self._is_ended = False
        self._connection: Connection[Any, Any] = ours
        return process

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
            limit: Seconds after which the process is ended.
            progress: Told how far it is.

        Raises:
            InputError: The job says that its input is wrong, it has failed, or the process died.
            Ended: The process was ended, or took too long.
        """
        async with self._busy:
            if self._process is None or not self._process.is_alive():
                self._process = self._start()
            try:
                async with asyncio.timeout(limit):
                    return await self._answer(job, args, progress)
            except TimeoutError:
                self.end()
                raise Ended(f"it took more than {limit:g} seconds") from None
            except (EOFError, OSError):
                self._process.join()
                if self._is_ended:
                    raise Ended("its process was ended") from None
                raise InputError("this failed: the process that did it died") from None

    async def _answer(self, job: Job[T], args: tuple[Any, ...], progress: Progress) -> T:
        connection = self._connection
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

    def end(self) -> None:
        """End the process at once; who waits for its job is told so."""
        self._is_ended = True
        if self._process is not None:
            self._process.kill()
            self._process.join()

    @property
    def is_busy(self) -> bool:
        """Whether a job is being done."""
        return self._busy.locked()


def _serve(connection: Connection[Any, Any], folders: tuple[Path, ...]) -> None:
    """What the process does: job after job, until there is nobody to do them for."""
    prepare()
    confine_reading(*folders, resources.folder("worlds"))
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
