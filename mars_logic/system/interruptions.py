"""Ctrl-C, which a terminal sends to every process in it, and one is to answer; and other ends."""

from __future__ import annotations

import _thread
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from types import FrameType

_ENDS = ("SIGTERM", "SIGHUP")
"""Signals that ask a process to end: another one does, or its terminal was closed."""
_AFTER_S = 0.01


def end_as_interrupted() -> None:
    """Let requests to end this process be answered as Ctrl-C is, so that what is done is kept.

    Where a signal is ignored (``nohup``) or answered otherwise, nothing changes.
    """
    for each in _numbers(_ENDS):
        if signal.getsignal(each) is signal.SIG_DFL:
            signal.signal(each, signal.default_int_handler)


def interrupt_again() -> None:
    """Interrupt once more where an interruption came at a moment that lets no error through.

    Python only prints what is raised in a callback of a deleted object, and each import has one:
    ``importlib`` forgets its lock there.
    """
    others = sys.unraisablehook

    def hook(raised: sys.UnraisableHookArgs) -> None:
        if issubclass(raised.exc_type, KeyboardInterrupt):
            # Later and from another thread: raised in here it would be lost as well.
            again = threading.Timer(_AFTER_S, _thread.interrupt_main)
            again.daemon = True
            again.start()
        else:
            others(raised)

    sys.unraisablehook = hook


@contextlib.contextmanager
def as_interruption() -> Iterator[None]:
    """Raise an interruption as itself where a library has put it into an error of its own.

    pydantic does so with whatever a serializer written in Python raises.
    """
    try:
        yield
    except Exception as error:
        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, KeyboardInterrupt):
                raise KeyboardInterrupt from error
            cause = cause.__cause__
        raise


def end_with_parent() -> None:
    """In a process that another one started: end at once when that has ended, however it did."""
    from multiprocessing import parent_process

    parent = parent_process()

    def end() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=end, daemon=True).start()


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
    """Answer signals at the end: another thread may get one, and Python tells the main one."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {each: signal.getsignal(each) for each in _numbers(("SIGINT", *_ENDS))}
    answered = {each: handler for each, handler in before.items() if callable(handler)}
    came: list[int] = []
    for each in answered:
        signal.signal(each, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for each, handler in answered.items():
            signal.signal(each, handler)
        if came:
            signal.raise_signal(came[0])


def _numbers(names: Iterable[str]) -> list[signal.Signals]:
    return [signal.Signals[name] for name in names if hasattr(signal, name)]


@contextlib.contextmanager
def first_is_asked() -> Iterator[Callable[[], bool]]:
    """Let the first Ctrl-C or request to end be asked for, and the next one interrupt.

    For long work that can stop at certain moments only. Gives a function that tells whether there
    was one. Outside of the main thread, which alone is told of signals, it never was.
    """
    came: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = {each: signal.getsignal(each) for each in _numbers(("SIGINT", *_ENDS))}
    answered = {each: handler for each, handler in before.items() if callable(handler)}

    def note(number: int, frame: FrameType | None) -> None:
        if came:
            answered[signal.Signals(number)](number, frame)
        came.append(number)

    for each in answered:
        signal.signal(each, note)
    try:
        yield lambda: bool(came)
    finally:
        for each, handler in answered.items():
            signal.signal(each, handler)
