"""Units in processes of this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from mars_logic import pools
from mars_logic.experiments.units import Unit
from mars_logic.experiments.work import Failure, Outcome, attempt
from mars_logic.pools import ProcessDied

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
