"""Hands trajectories to the compiled code, in several threads."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.data.trajectory import Trajectory
from mars_logic.theory.evidence.batches import ENOUGH, Batch, Turn
from mars_logic.theory.evidence.layout import reader_dtype
from mars_logic.theory.evidence.scan import DONE, FULL, REFUSED, read
from mars_logic.theory.evidence.table import NO_ROWS, Table, absorb

Numbered = Iterator[tuple[int, Trajectory]]
_MOST_THREADS: Final = 4
"""More would wait for each other while batches are put together."""


class Reader:
    """Counts the signatures of episodes; each thread has its own.

    Attributes:
        table: What was found.
        read: How many transitions of a growing episode were counted.
    """

    def __init__(self, rows: NDArray[np.void] = NO_ROWS) -> None:
        """Begin with what was counted before."""
        self.table = Table(rows)
        self.read = 0
        self._notes = np.zeros(1, reader_dtype(rows.dtype["words"].shape[0]))

    def add(self, batch: Batch) -> None:
        """Count the signatures of episodes.

        Raises:
            Refused: One holds values that cannot be; those before it are counted.
        """
        self._begin_at(0)
        while self._count(batch, self.table) != DONE:
            self.table = self.table.widened()

    def extend(self, batch: Batch) -> NDArray[np.void]:
        """Count what a growing episode shows beyond what was counted of it before.

        Between two calls, this reader must read no other.

        Args:
            batch: What there is of the episode, from its beginning on, and nothing else.

        Returns:
            ``row_dtype``[n]: what is new, in the order in which it was seen.

        Raises:
            Refused: It holds values that cannot be.
        """
        self._begin_at(self.read)
        found, outcome = [], FULL
        while outcome != DONE:
            new = Table(self.table.rows[:0])
            outcome = self._count(batch, new)
            rows = new.taken
            found.append(rows[np.argsort(rows["order"])])
            self.table = self.table.with_room(len(rows))
            absorb(found[-1], self.table.rows, self.table.size, True)
        self.read = int(batch.lengths[0])
        return np.concatenate(found)

    def _begin_at(self, transition: int) -> None:
        self._notes["episode"], self._notes["first"] = 0, 0
        self._notes["next"] = transition

    def _count(self, batch: Batch, table: Table) -> int:
        """Count in a table until all is read, or the table is full."""
        episodes = (*batch.arrays, batch.lengths, batch.crafter, batch.known, batch.own)
        places = (batch.unknown, batch.numbers, self._notes, table.rows, table.size)
        arguments: tuple[Any, ...] = (*episodes, *places)
        outcome = read(*arguments)
        if outcome == REFUSED:
            raise Refused(batch, int(self._notes["episode"][0]))
        return int(outcome)


class Refused(Exception):
    """An episode holds values that cannot be.

    Attributes:
        number: By which it is known.
        why: What is wrong, for its user.
    """

    def __init__(self, batch: Batch, episode: int) -> None:
        self.number = int(batch.numbers[episode])
        self.why = batch.refusal(episode)


def read_all(numbered: Numbered, reader: Reader, threads: int | None = None) -> int:
    """Count the signatures of trajectories.

    Args:
        numbered: Trajectories with numbers that grow.
        reader: Who has counted so far, and has counted all in the end.
        threads: How many read; each takes the next batch as soon as it is done with one.

    Returns:
        How many transitions there were.

    Raises:
        InputError: A trajectory holds values that cannot be, or cannot be had.
    """
    turns = _Turns(numbered)
    others = [Reader(reader.table.rows[:0]) for _ in range((threads or _processors()) - 1)]
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
        while batch := self._next():
            try:
                reader.add(batch)
            except Refused as refused:  # raised by read_all
                self._fail(refused.number, refused.why)

    def _next(self) -> Batch | None:
        """The next episodes, as many as make a batch; None if there are no more."""
        taken, transitions = [], 0
        with self._lock:
            while transitions < ENOUGH and (turn := self._turn()):
                if turn.steps:
                    taken.append(turn)
                    transitions += turn.steps
            self.transitions += transitions
        return Batch.of(taken) if taken else None

    def _turn(self) -> Turn | None:
        """The next episode; None if there are no more, or it cannot be had."""
        if self.over:
            return None
        number = self._last + 1
        try:
            numbered = next(self._numbered, None)
            if numbered is None:
                return None
            self._last = number = numbered[0]
            return Turn.of(*numbered)
        except Exception as error:  # raised by read_all
            self._fail(number, error)
            return None

    def _fail(self, number: int, error: Exception) -> None:
        self.failures[number] = error
        self.over = True


def _processors() -> int:
    return min(os.cpu_count() or 1, _MOST_THREADS)
