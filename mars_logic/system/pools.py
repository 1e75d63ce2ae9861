"""Work in processes of this machine: item by item, ended at once by an interruption."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import TypeVar

from mars_logic.errors import InputError
from mars_logic.system.interruptions import ours_alone
from mars_logic.system.processes import pool

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class ProcessDied:
    """What came of an item whose process died, twice: with others at work, and alone."""

    reason: str = "the process that did it died"


def in_processes(
    items: Iterable[T], workers: int, work: Callable[[T], R], option: str = "--workers"
) -> Iterator[tuple[T, R | ProcessDied]]:
    """Do items, so many at a time; give each with its outcome as soon as it is done.

    A process that dies takes down the others of its pool. What was being done then is tried again
    alone. When the iterator is closed or interrupted, the processes are ended at once.

    Args:
        items: What to do.
        workers: How many processes.
        work: Does an item; a function of a module, or a partial of one.
        option: The option that gives the number of processes, for messages.

    Raises:
        InputError: No processes can be started.
        Exception: What ``work`` raised; the other processes are ended.
    """
    waiting = deque(items)
    suspects: list[T] = []
    while waiting:
        suspects += yield from _together(waiting, workers, work, option)
    for item in suspects:
        if (yield from _together(deque([item]), 1, work, option)):
            yield item, ProcessDied()


def _together(
    waiting: deque[T], workers: int, work: Callable[[T], R], option: str
) -> Generator[tuple[T, R | ProcessDied], None, list[T]]:
    """Take items from the queue until it is empty or a process dies; return those lost then."""
    running: dict[Future[R], T] = {}
    lost: list[T] = []
    others = {*multiprocessing.active_children()}
    processes = _pool(workers, option)
    try:
        while running or (waiting and not lost):
            while waiting and not lost and len(running) < workers:
                with ours_alone():
                    item = waiting.popleft()
                    running[processes.submit(work, item)] = item
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            done = [(running.pop(future), future) for future in finished]
            for item, future in done:
                try:
                    outcome = future.result()
                except BrokenProcessPool:
                    lost.append(item)
                else:
                    yield item, outcome
    finally:
        if running:  # interrupted: what is being done is lost, and what was done is kept
            for process in {*multiprocessing.active_children()} - others:
                process.terminate()
        processes.shutdown(cancel_futures=True)
    return lost


def _pool(workers: int, option: str) -> ProcessPoolExecutor:
    try:
        return pool(workers)
    except (OSError, ImportError, NotImplementedError) as error:
        what = getattr(error, "strerror", None) or str(error)
        raise InputError(
            f"{option}: no processes can be started, for want of semaphores: {what.lower()}; "
            "allowed: a system that has them (on Linux, in a folder /dev/shm to write to)"
        ) from None
