"""Ctrl-C, which a terminal sends to every process in it, and one is to answer."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator


@contextlib.contextmanager
def ours_alone() -> Iterator[None]:
    """Hold back Ctrl-C; for good in processes that are started meanwhile, which we end ourselves.

    Such a process would else print a traceback, if it is still starting; it does where a system has
    no masks of signals.
    """
    from multiprocessing import resource_tracker

    if hasattr(signal, "pthread_sigmask"):
        # Started by the first process that is spawned, it would let interruptions through again.
        resource_tracker.ensure_running()
    with held_back():
        yield


@contextlib.contextmanager
def held_back() -> Iterator[None]:
    """Hold back Ctrl-C until the end; then it is answered as ever.

    For calls of clingo that call Python, where an exception would end the process, and for starting
    processes, which would get half of what they are to be told.
    """
    with _remembered(), _masked():
        yield


@contextlib.contextmanager
def _masked() -> Iterator[None]:
    """Keep the signal from this thread and from processes that it starts, where there are masks."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _remembered() -> Iterator[None]:
    """Answer the signal at the end: another thread may get it, and Python tells the main one."""
    handler = signal.getsignal(signal.SIGINT)
    if handler is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if came:
            signal.raise_signal(signal.SIGINT)
