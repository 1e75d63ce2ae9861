"""A batch shared among threads: each takes the next few of its part, and then of others' parts.

A thread that has to be woken begins some ten microseconds late, which is a fifth of a step of a
thousand environments; meanwhile others do some of its work. They take it from the end of its part,
so that an environment is nearly always stepped by the same thread: moving it from one core's cache
to the other's would take as long as a step. Shares are counted in compiled code by atomic
additions, since each return to Python may wait for the interpreter's lock.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable
from itertools import pairwise
from queue import SimpleQueue
from typing import Any, Final

import numpy as np
from numba.core import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from mars_logic.compiled.kernel import inline_kernel, kernel

Shares = NDArray[np.int64]
"""int64[8 (1 + threads)], a line of the cache for all threads together and for each part.

The first holds the environments of a share, how many environments are not done yet, and whether one
had no room for its things. A part's holds its first environment, its end, its number of shares, how
many of them are taken, and how many of these from its front and from its back.
"""
_LINE: Final = 8
_SIZE, _LEFT, _CROWDED = range(3)
_FIRST, _END, _NUMBER, _TAKEN, _FRONT, _BACK = range(6)

_SHARES: Final = 8
"""Of a part, at most."""
_FEWEST: Final = 16
"""Environments of a share, at least."""
_SPINS: Final = 20_000
"""Looks at whether others are done, some hundred microseconds, before the thread goes to sleep."""
_NAP: Final = 5e-5
"""Seconds of sleep between later looks."""


def shares_of(first: int, end: int, threads: int = 1) -> Shares:
    """Shares of the environments first .. end - 1, for threads 0 .. threads - 1."""
    shares = np.zeros((1 + threads, _LINE), np.int64)
    number = end - first
    size = number if threads == 1 else max(_FEWEST, -(-number // (_SHARES * threads)))
    shares[0, [_SIZE, _LEFT]] = size, number
    cuts = [first + number * part // threads for part in range(1 + threads)]
    for its, part in zip(shares[1:], pairwise(cuts), strict=True):
        its[[_FIRST, _END]] = part
        its[_NUMBER] = -(-(part[1] - part[0]) // max(size, 1))
    return shares.reshape(-1)


def is_crowded(shares: Shares) -> bool:
    """Whether a record had no room, after all is done."""
    return bool(shares[_CROWDED])


def _add(_: Any, array: Any, index: Any, number: Any) -> Any:
    del index, number

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.gep(data, [arguments[1]])
        return builder.atomic_rmw("add", place, arguments[2], "seq_cst")

    return types.int64(array, types.int64, types.int64), generate


_add_at: Any = intrinsic(_add)
"""Add to a number in an array of int64, in one step for all threads; gives what it was before."""


@inline_kernel
def take_share(shares: Shares, thread: int) -> tuple[int, int]:
    """The next share for a thread, first and end; it is empty when all have been taken."""
    threads = len(shares) // _LINE - 1
    for ahead in range(threads):
        part = _LINE * (1 + (thread + ahead) % threads)
        number = int(shares[part + _NUMBER])
        if (
            _add_at(shares, part + _TAKEN, 0) < number
            and _add_at(shares, part + _TAKEN, 1) < number
        ):
            if ahead == 0:
                share = int(_add_at(shares, part + _FRONT, 1))
            else:
                share = number - 1 - int(_add_at(shares, part + _BACK, 1))
            first = int(shares[part + _FIRST]) + share * int(shares[_SIZE])
            return first, min(first + int(shares[_SIZE]), int(shares[part + _END]))
    return 0, 0


@inline_kernel
def share_done(shares: Shares, first: int, end: int, room: bool) -> None:
    """Report a share as done, and whether all its records had room."""
    if not room:
        shares[_CROWDED] = 1
    _add_at(shares, _LEFT, first - end)


@kernel
def _wait_awake(shares: Shares, spins: int) -> bool:
    """Look again and again whether all shares are done; return whether they are."""
    for _ in range(spins):  # noqa: SIM110 -- a kernel takes no generators
        if _add_at(shares, _LEFT, 0) == 0:
            return True
    return False


class Helpers:
    """Threads that take shares beside the calling thread; they end when this is dropped."""

    def __init__(self, number: int) -> None:
        """Start some threads."""
        self._jobs: list[SimpleQueue[Any]] = [SimpleQueue() for _ in range(number)]
        for jobs in self._jobs:
            threading.Thread(target=_help, args=(jobs,), name="helper", daemon=True).start()
            weakref.finalize(self, jobs.put, None)

    def share(self, work: Callable[..., None], *arguments: Any, shares: Shares) -> None:
        """Do ``work(*arguments, shares, thread)`` in all threads; return when all is done.

        A thread that wakes up later finds no share left. The calling thread is number 0.
        """
        for thread, jobs in enumerate(self._jobs, 1):
            jobs.put((work, *arguments, shares, thread))
        work(*arguments, shares, 0)
        while shares[_LEFT] and not _wait_awake(shares, _SPINS):
            time.sleep(_NAP)


def _help(jobs: SimpleQueue[Any]) -> None:
    while (job := jobs.get()) is not None:
        work, *arguments = job
        work(*arguments)
        del job, work, arguments  # keep no arrays
