"""Processes that this package starts from Python: fresh ones, which import nothing of the caller.

:mod:`multiprocessing` lets a fresh process run the caller's main file again, for functions that are
written there. A script without ``if __name__ == "__main__":`` would so start its work again in each
process, which Python refuses, and a script that is read from standard input has no file to run. The
functions that this package runs in processes are those of modules, so its processes leave the main
file out.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import TYPE_CHECKING, Any, Final

from mars_logic.system.interruptions import end_with_parent

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

_MAIN: Final = ("init_main_from_name", "init_main_from_path")
"""What :mod:`multiprocessing` tells a fresh process of the main file."""
_starting = threading.Lock()


class _Process(SpawnProcess):
    @staticmethod
    def _Popen(process_obj: Any) -> Any:
        with _main_left_out():
            return SpawnProcess._Popen(process_obj)


class _Context(SpawnContext):
    Process = _Process


CONTEXT: Final[SpawnContext] = _Context()
"""Starts fresh processes, for functions of modules; in place of multiprocessing's own."""


def cores() -> int:
    """How many processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def pool(workers: int) -> ProcessPoolExecutor:
    """A pool of processes that leave interruptions to this one, and do not outlive it.

    Args:
        workers: How many processes.

    Raises:
        OSError: The system has no semaphores for it; NotImplementedError or ImportError likewise.
    """
    from concurrent.futures import ProcessPoolExecutor

    return ProcessPoolExecutor(workers, CONTEXT, prepare)


def prepare() -> None:
    """Leave interruptions to the process that started this one, and do not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


@contextlib.contextmanager
def _main_left_out() -> Iterator[None]:
    """Let processes that this thread starts meanwhile not be told of the main file."""
    from multiprocessing import spawn

    module: Any = spawn
    ours = threading.get_ident()
    with _starting:
        prepared = module.get_preparation_data

        def without_main(name: str) -> dict[str, Any]:
            told: dict[str, Any] = prepared(name)
            if threading.get_ident() != ours:  # a process of the caller's own
                return told
            return {key: value for key, value in told.items() if key not in _MAIN}

        module.get_preparation_data = without_main
        try:
            yield
        finally:
            module.get_preparation_data = prepared
