"""Hands trajectories to the compiled code, in several threads."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.data.trajectory import DONE as MADE
from mars_logic.data.trajectory import SEEN, Trajectory
from mars_logic.errors import InputError
from mars_logic.theory.evidence.layout import (
    ITEMS_DTYPE,
    LARGEST_ACTION,
    LARGEST_LOOK,
    LARGEST_MATERIAL,
    MOST,
    READER_DTYPE,
    VIEW_DTYPE,
)
from mars_logic.theory.evidence.reading import DONE, FULL, REFUSED, read
from mars_logic.theory.evidence.table import NO_ROWS, Table, append

Numbered = Iterator[tuple[int, Trajectory]]
_RECORDS: Final = {"materials": VIEW_DTYPE, "objects": VIEW_DTYPE, "inventory": ITEMS_DTYPE}
_MOST_THREADS: Final = 4
"""More would wait for each other: trajectories are handed out one at a time."""


class Reader:
    """Counts the signatures of trajectories; each thread has its own.

    Attributes:
        table: What was found.
    """

    def __init__(self, rows: NDArray[np.void] = NO_ROWS) -> None:
        """Begin with what was counted before."""
        self.table = Table(rows)
        self._notes = np.zeros(1, READER_DTYPE)

    @property
    def read(self) -> int:
        """How many transitions of a growing trajectory were counted."""
        return int(self._notes["next"][0])

    def add(self, trajectory: Trajectory, number: int) -> None:
        """Count the signatures of a trajectory.

        Args:
            trajectory: An episode from its beginning on.
            number: By which it is known in the table.

        Raises:
            InputError: It holds values that cannot be.
        """
        if not len(trajectory):
            return
        arrays = arrays_of(trajectory)
        crafter = trajectory.about.dynamics == "crafter"
        self._notes["next"] = 0
        while True:
            rows, size = self.table.rows, self.table.size
            arguments: tuple[Any, ...] = (*arrays, crafter, number, self._notes, rows, size)
            outcome = read(*arguments)
            if outcome == REFUSED:
                raise _refusal(trajectory)
            if outcome == DONE:
                return
            self.table = self.table.widened()

    def extend(self, trajectory: Trajectory, number: int) -> NDArray[np.void]:
        """Count what a growing trajectory shows beyond what was counted of it before.

        Between two calls, this reader must read no other.

        Args:
            trajectory: What there is of an episode, from its beginning on.
            number: By which it is known in the table.

        Returns:
            ROW_DTYPE[n]: what is new, in the order in which it was seen.

        Raises:
            InputError: It holds values that cannot be.
        """
        arrays, found = arrays_of(trajectory), []
        crafter = trajectory.about.dynamics == "crafter"
        outcome = FULL
        while outcome != DONE:
            new = Table()
            arguments: tuple[Any, ...] = (*arrays, crafter, number, self._notes, new.rows, new.size)
            outcome = read(*arguments)
            if outcome == REFUSED:
                raise _refusal(trajectory)
            rows = new.taken
            found.append(rows[np.argsort(rows["order"])])
            self.table = self.table.with_room(len(rows))
            append(found[-1], self.table.rows, self.table.size)
        self._notes["next"] = len(trajectory)
        return np.concatenate(found)


def read_all(numbered: Numbered, reader: Reader, threads: int | None = None) -> int:
    """Count the signatures of trajectories.

    Args:
        numbered: Trajectories with numbers that grow.
        reader: Who has counted so far, and has counted all in the end.
        threads: How many read; each takes the next trajectory as soon as it is done with one.

    Returns:
        How many transitions there were.

    Raises:
        InputError: A trajectory holds values that cannot be, or cannot be had.
    """
    turns = _Turns(numbered)
    others = [Reader() for _ in range((threads or _processors()) - 1)]
    with ThreadPoolExecutor(max(1, len(others))) as pool:
        running = [pool.submit(turns.work, other) for other in others]
        try:
            turns.work(reader)
        finally:
            turns.over = True
        for each in running:
            each.result()
    if turns.failures:
        raise turns.failures[min(turns.failures)]
    if others:
        reader.table = Table(np.concatenate([each.table.taken for each in (reader, *others)]))
    return turns.transitions


class _Turns:
    """Hands out trajectories to readers that work at the same time.

    Attributes:
        over: Whether no more are handed out.
        transitions: How many transitions those have that were.
        failures: What went wrong, by the number of the trajectory.
    """

    def __init__(self, numbered: Numbered) -> None:
        self.over = False
        self.transitions = 0
        self.failures: dict[int, Exception] = {}
        self._numbered = numbered
        self._last = -1
        self._lock = Lock()

    def work(self, reader: Reader) -> None:
        """Let a reader take turns until none is left."""
        while (turn := self._next()) is not None:
            try:
                reader.add(turn[1], turn[0])
            except Exception as error:  # raised by read_all
                self._fail(turn[0], error)

    def _next(self) -> tuple[int, Trajectory] | None:
        with self._lock:
            if self.over:
                return None
            try:
                turn = next(self._numbered, None)
            except Exception as error:
                self._fail(self._last + 1, error)
                return None
            if turn is not None:
                self._last = turn[0]
                self.transitions += len(turn[1])
            return turn

    def _fail(self, number: int, error: Exception) -> None:
        self.failures[number] = error
        self.over = True


def arrays_of(trajectory: Trajectory) -> tuple[NDArray[Any], ...]:
    """What compiled code reads of a trajectory, in the order of its arguments."""
    views = trajectory.views
    seen = [_records(name, getattr(views, name)) for name in _RECORDS]
    facing, action = _plain("facing", views.facing), _plain("action", trajectory.action)
    sleeping = _plain("sleeping", views.sleeping)
    return (*seen, facing, sleeping, action, _plain("unlocked", trajectory.unlocked))


def _processors() -> int:
    return min(os.cpu_count() or 1, _MOST_THREADS)


def _records(name: str, array: NDArray[Any]) -> NDArray[np.void]:
    """An array of views as records."""
    array = _plain(name, array)
    return array.reshape(len(array), -1).view(_RECORDS[name])[:, 0]


def _plain(name: str, array: NDArray[Any]) -> NDArray[Any]:
    """An array as the kernels were compiled for: contiguous and read-only."""
    dtype, flags = (SEEN.get(name) or MADE[name])[0], array.flags
    if array.dtype != dtype or not flags.c_contiguous or flags.writeable:
        array = np.ascontiguousarray(array, dtype).view()
        array.flags.writeable = False
    return array


def _refusal(trajectory: Trajectory) -> InputError:
    """What is wrong with a trajectory."""
    views, source = trajectory.views, trajectory.source or trajectory.about.world
    made = {name: getattr(trajectory, name) for name in MADE}
    for name, array in (views.arrays | made).items():
        due = len(trajectory) + (name in SEEN)
        if len(array) != due:
            return InputError(f"{source}:1: {name}: it has {len(array)} moments; allowed: {due}")
    for name, array, most in (
        ("materials", views.materials, LARGEST_MATERIAL),
        ("objects", views.objects, LARGEST_LOOK),
        ("inventory", views.inventory, MOST),
        ("action", trajectory.action, LARGEST_ACTION),
    ):
        if array.size and array.max() > most:
            return InputError(
                f"{source}:1: {name}: {array.max()} is too large; allowed: 0 to {most}"
            )
    return InputError(
        f"{source}:1: facing: not a direction; allowed: (-1, 0), (1, 0), (0, -1), (0, 1)"
    )
