"""The time that compiling kernels takes, and a notice to whoever wants to show that it goes on.

Kernels are compiled when they are first called, in the middle of other work. So a clock for that
work must leave compilation out (:func:`clock`), and a command line can tell why nothing happens
(:func:`notify`). This module does not import numba; :mod:`mars_logic.compiled.kernel` reports to
it.
"""

from __future__ import annotations

import gc
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

_LOG = logging.getLogger(__name__)


@dataclass
class _State:
    depth: int = 0
    since: float = 0.0
    total: float = 0.0
    begin: Callable[[], None] | None = None
    end: Callable[[], None] | None = None
    collects: bool = False
    lock: threading.RLock = field(default_factory=threading.RLock)


_state = _State()


def clock() -> float:
    """Seconds on a clock that stands still while this process compiles kernels.

    Only differences have a meaning, as with ``time.perf_counter``.
    """
    with _state.lock:
        now = time.perf_counter()
        compiling = now - _state.since if _state.depth else 0.0
        return now - _state.total - compiling


def notify(begin: Callable[[], None] | None, end: Callable[[], None] | None) -> None:
    """Call functions whenever compilation begins and ends; None for none.

    Args:
        begin: Called before the first of functions that are compiled in a row.
        end: Called after the last of them.
    """
    _state.begin, _state.end = begin, end


def begin_compiling() -> None:
    """Note that a function is being compiled, maybe on behalf of another."""
    with _state.lock:
        _state.depth += 1
        if _state.depth > 1:
            return
        _state.since = time.perf_counter()
        # A tenth of the time would go into looking for garbage among what the compiler holds.
        _state.collects = gc.isenabled()
        gc.disable()
    if _state.begin is not None:
        _state.begin()


def end_compiling() -> None:
    """Note that the function was compiled, or could not be."""
    with _state.lock:
        _state.depth -= 1
        if _state.depth:
            return
        took = time.perf_counter() - _state.since
        _state.total += took
        if _state.collects:
            gc.enable()
    _LOG.info("compiled kernels for %.1f s", took)
    if _state.end is not None:
        _state.end()


@contextmanager
def compiling() -> Iterator[None]:
    """Count what is done meanwhile as compilation."""
    begin_compiling()
    try:
        yield
    finally:
        end_compiling()
