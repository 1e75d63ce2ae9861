"""Units in processes of this machine."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from mars_logic.errors import InputError
from mars_logic.experiments.units import Unit
from mars_logic.experiments.work import Failure, Outcome, attempt
from mars_logic.interruptions import ours_alone
from mars_logic.processes import pool

Done = tuple[Unit, Outcome]
Work = Callable[[Unit], Outcome]


def in_processes(units: Iterable[Unit], workers: int, work: Work = attempt) -> Iterator[Done]:
    """Do units, so many at a time; give each with its outcome as soon as it is done.

    A process that dies takes down the others of its pool. Who was at work then is tried again
    alone; a unit whose process dies once more has failed.

    Args:
        units: What to do.
        workers: How many processes.
        work: Does a unit; a function of a module.
    """
    waiting = deque(units)
    suspects: list[Unit] = []
    while waiting:
        suspects += yield from _together(waiting, workers, work)
    for unit in suspects:
        if (yield from _together(deque([unit]), 1, work)):
            reason = "the process that did it died"
            yield unit, Failure(reason, reason)


def _together(waiting: deque[Unit], workers: int, work: Work) -> Generator[Done, None, list[Unit]]:
    """Take units from the queue until it is empty or a process dies; return those lost then."""
    running: dict[Future[Outcome], Unit] = {}
    lost: list[Unit] = []
    others = {*multiprocessing.active_children()}
    processes = _pool(workers)
    try:
        while running or (waiting and not lost):
            while waiting and not lost and len(running) < workers:
                with ours_alone():
                    unit = waiting.popleft()
                    running[processes.submit(work, unit)] = unit
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            done = [(running.pop(future), future) for future in finished]
            for unit, future in done:
                try:
                    outcome = future.result()
                except BrokenProcessPool:
                    lost.append(unit)
                else:
                    yield unit, outcome
    finally:
        if running:  # interrupted: what is being done is lost, and what was done is kept
            for process in {*multiprocessing.active_children()} - others:
                process.terminate()
        processes.shutdown(cancel_futures=True)
    return lost


def _pool(workers: int) -> ProcessPoolExecutor:
    try:
        return pool(workers)
    except (OSError, ImportError, NotImplementedError) as error:
        what = getattr(error, "strerror", None) or str(error)
        raise InputError(
            f"--workers: no processes can be started, for want of semaphores: {what.lower()}; "
            "allowed: a system that has them (on Linux, in a folder /dev/shm to write to)"
        ) from None
