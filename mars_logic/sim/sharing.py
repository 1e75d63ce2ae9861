"""A batch shared among threads: each takes the next few environments until none are left.

A thread that has to be woken begins some ten microseconds late, which is a fifth of a step of a
thousand environments. With halves fixed beforehand, the other one waits for it; here it takes more.
The shares are counted in compiled code by atomic additions, since each return to Python may wait
for the interpreter's lock.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, Final

import numpy as np
from numba.core import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from mars_logic.kernel import inline_kernel, kernel

Shares = NDArray[np.int64]
"""int64[5]: the next environment to take, the end, how many at once, how many are not done yet,
and whether an environment had no room for its things."""
_NEXT: Final = 0
_END: Final = 1
_SIZE: Final = 2
_LEFT: Final = 3
_CROWDED: Final = 4

_SHARES: Final = 8
"""Of each thread, at least."""
_FEWEST: Final = 16
"""Environments of a share."""
_SPINS: Final = 20_000
"""Looks at whether others are done, some hundred microseconds, before the thread goes to sleep."""
_NAP: Final = 5e-5
"""Seconds of sleep between later looks."""


def shares_of(first: int, end: int, threads: int = 1) -> Shares:
    """Shares of the environments first .. end - 1; one share for one thread."""
    number = end - first
    size = number if threads == 1 else max(_FEWEST, -(-number // (_SHARES * threads)))
    return np.array([first, end, size, number, 0], np.int64)


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
def take_share(shares: Shares) -> tuple[int, int]:
    """The next share, first and end; it is empty when all have been taken."""
    first = int(_add_at(shares, _NEXT, shares[_SIZE]))
    return first, min(first + int(shares[_SIZE]), int(shares[_END]))


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
        """Do ``work(*arguments, shares)`` in all threads and this one; return when all is done.

        A thread that wakes up later finds no share left.
        """
        for jobs in self._jobs:
            jobs.put((work, *arguments, shares))
        work(*arguments, shares)
        while shares[_LEFT] and not _wait_awake(shares, _SPINS):
            time.sleep(_NAP)


def _help(jobs: SimpleQueue[Any]) -> None:
    while (job := jobs.get()) is not None:
        work, *arguments = job
        work(*arguments)
        del job, work, arguments  # keep no arrays
