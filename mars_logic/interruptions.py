"""Ctrl-C, which a terminal sends to every process in it, and one is to answer."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator


@contextlib.contextmanager
def ours_alone() -> Iterator[None]:
    """Hold back Ctrl-C; for good in processes that are started meanwhile, which we end ourselves.

    Such a process would else print a traceback, if it is still starting. Where a system has no
    masks of signals, nothing is held back.
    """
    from multiprocessing import resource_tracker

    if hasattr(signal, "pthread_sigmask"):
        # Started by the first process that is spawned, it would let interruptions through again.
        resource_tracker.ensure_running()
    with held_back():
        yield


@contextlib.contextmanager
def held_back() -> Iterator[None]:
    """Hold back Ctrl-C until the end, where a system has masks of signals.

    For calls of clingo that call Python: an exception there would end the process.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
