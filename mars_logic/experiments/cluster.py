"""Units of work in processes of this machine, or on a Dask cluster."""

from __future__ import annotations

import asyncio
import multiprocessing
import threading
import time
import uuid
from asyncio import CancelledError
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from queue import Empty, SimpleQueue
from typing import Any, Final

from mars_logic.errors import InputError
from mars_logic.experiments.units import Unit
from mars_logic.experiments.work import Failure, Outcome, attempt
from mars_logic.system import pools
from mars_logic.system.extras import install_hint
from mars_logic.system.pools import ProcessDied

_ONE_AT_A_TIME = threading.Lock()
WAIT: Final = 60.0
"""Seconds in which a scheduler has to answer, and in which a worker has to come."""
_LOOK: Final = 1.0
"""Seconds between looks at the cluster while no unit comes back."""


def on_cluster(
    units: Iterable[Unit],
    address: str,
    wait: float = WAIT,
    tell: Callable[[str], None] = lambda _: None,
) -> Iterator[Done]:
    """Do units on the workers of a scheduler; give each with its outcome as soon as it is done.

    Files come back to this process, so that the machines need no folder in common. What a worker
    did when it was lost is done again by another.

    Args:
        units: What to do.
        address: Of the scheduler.
        wait: Seconds in which the scheduler has to answer, and to get a worker when it has none.
        tell: Called with a line when there is no worker.

    Raises:
        InputError: The package ``distributed`` is missing, no scheduler answers, or it has had no
            worker for too long.
    """
    if find_spec("distributed") is None:
        raise InputError(
            "--scheduler: the package 'distributed' is not installed; allowed: first "
            f"{install_hint('dask')}"
        )
    from distributed import Client  # without types

    connect: Any = Client

    _require_scheduler(address, wait)
    try:
        client = connect(address, timeout=wait, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise _unanswered(address, error) from None
    with client:
        run = uuid.uuid4().hex
        done: SimpleQueue[Any] = SimpleQueue()
        futures = {
            client.submit(_apart, unit, key=f"{unit.name}-{run}", pure=False): unit
            for unit in units
        }
        for future in futures:
            future.add_done_callback(done.put)
        patience = _Patience(address, wait, tell)
        while futures:
            try:
                future = done.get(timeout=_LOOK)
            except Empty:
                patience.look(_workers(client))
                continue
            unit = futures.pop(future)
            yield unit, _outcome(future)
            future.release()


class _Patience:
    """Waits for a worker no longer than was stated, and says so."""

    def __init__(self, address: str, wait: float, tell: Callable[[str], None]) -> None:
        self._address, self._wait, self._tell = address, wait, tell
        self._since: float | None = None

    def look(self, workers: int) -> None:
        """Take note of how many workers there are now.

        Raises:
            InputError: There has been none for too long.
        """
        now = time.monotonic()
        if workers:
            self._since = None
        elif self._since is None:
            self._since = now
            self._tell(
                f"the scheduler at {self._address} has no worker; waiting for one, at most "
                f"{self._wait:g} s (--wait)"
            )
        elif now - self._since > self._wait:
            raise InputError(
                f"--scheduler: the scheduler at {self._address} has had no worker for "
                f"{self._wait:g} s; allowed: one with workers, as dask worker {self._address} "
                "starts, or a longer --wait"
            )


def _workers(client: Any) -> int:
    """How many workers the scheduler has; 1 if it does not answer, as its futures then end."""
    try:
        return len(client.nthreads())
    except (OSError, TimeoutError, ValueError):
        return 1


def _require_scheduler(address: str, wait: float) -> None:
    """Refuse an address at which no scheduler answers in time, which a client may never notice.

    Raises:
        InputError: There is none.
    """

    async def asked() -> Any:
        from distributed.core import rpc

        remote: Any = rpc
        async with remote(address) as there:
            return await asyncio.wait_for(there.identity(), wait)

    try:
        found = asyncio.run(asked())
    except (OSError, ValueError, TypeError, MemoryError, AssertionError, TimeoutError) as error:
        raise _unanswered(address, error) from None
    kind = found.get("type") if isinstance(found, dict) else None
    if kind != "Scheduler":
        raise _unanswered(address, ValueError(f"there is a {kind}" if kind else "not a scheduler"))


def _unanswered(address: str, error: Exception) -> InputError:
    told = str(error).splitlines()[0] if str(error) else type(error).__name__
    return InputError(
        f"--scheduler: no scheduler answers at {address} ({told}); "
        "allowed: the address of a Dask scheduler, such as tcp://127.0.0.1:8786"
    )


def _outcome(future: Any) -> Outcome:
    """A worker's result, or the failure of a unit that no worker could finish."""
    try:
        outcome: Outcome = future.result()
    except (Exception, CancelledError) as error:  # workers died over it; the scheduler went away
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        return Failure(reason, str(error))
    return outcome


def _apart(unit: Unit) -> Outcome:
    """On a worker: do a unit, one at a time in each process, whatever its number of threads."""
    process = multiprocessing.current_process()
    if process.daemon:  # as started by Dask's nanny; a learner needs a process of its own
        process.daemon = False
    with _ONE_AT_A_TIME:
        return attempt(unit)


Done = tuple[Unit, Outcome]
Work = Callable[[Unit], Outcome]


def in_processes(units: Iterable[Unit], workers: int, work: Work = attempt) -> Iterator[Done]:
    """Do units, so many at a time; give each with its outcome as soon as it is done.

    A unit whose process dies, and dies again when the unit is tried alone, has failed.

    Args:
        units: What to do.
        workers: How many processes.
        work: Does a unit; a function of a module.
    """
    for unit, outcome in pools.in_processes(units, workers, work):
        if isinstance(outcome, ProcessDied):
            yield unit, Failure(outcome.reason, outcome.reason)
        else:
            yield unit, outcome
