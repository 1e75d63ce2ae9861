"""Units on a Dask cluster."""

from __future__ import annotations

import multiprocessing
import threading
import uuid
from asyncio import CancelledError
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from typing import Any

from mars_logic.errors import InputError
from mars_logic.experiments.local import Done
from mars_logic.experiments.units import Unit
from mars_logic.experiments.work import Failure, Outcome, attempt

_ONE_AT_A_TIME = threading.Lock()
_PATIENCE = 30
"""Seconds in which a scheduler has to answer."""


def on_cluster(units: Iterable[Unit], address: str) -> Iterator[Done]:
    """Do units on the workers of a scheduler; give each with its outcome as soon as it is done.

    Files come back to this process, so that the machines need no folder in common. What a worker
    did when it was lost is done again by another.

    Raises:
        InputError: The package ``distributed`` is missing, or no scheduler answers.
    """
    if find_spec("distributed") is None:
        raise InputError(
            "--scheduler: the package 'distributed' is not installed; allowed: first "
            "pip install 'mars-logic[dask]'"
        )
    from distributed import Client, as_completed  # both without types

    connect: Any = Client
    in_turn: Any = as_completed

    try:
        client = connect(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        told = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(
            f"--scheduler: no scheduler answers at {address} ({told}); "
            "allowed: the address of a Dask scheduler, such as tcp://127.0.0.1:8786"
        ) from None
    with client:
        run = uuid.uuid4().hex
        futures = {
            client.submit(_apart, unit, key=f"{unit.name}-{run}", pure=False): unit
            for unit in units
        }
        for future in in_turn(futures, loop=client.loop):
            yield futures[future], _outcome(future)
            future.release()


def _outcome(future: Any) -> Outcome:
    """What a worker gave back, or the failure of a unit that no worker could finish."""
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
