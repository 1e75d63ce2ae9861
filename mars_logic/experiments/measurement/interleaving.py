"""Rounds in which everyone that is compared takes a turn."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeVar

Value = TypeVar("Value")
Turn = Callable[[], float]
"""Does some work and returns what it measured, for example steps per second."""
_LEAST: Final = 1e-9
"""Seconds."""


def seconds_since(begun: float, clock: Callable[[], float] = time.process_time) -> float:
    """Seconds since a reading of a clock; above 0, since some clocks tick in hundredths of one.

    Args:
        begun: The reading.
        clock: By default CPU time, over all threads of this process.
    """
    return max(clock() - begun, _LEAST)


def processor_seconds(work: Callable[[], object]) -> float:
    """CPU time of some work in seconds, over all threads of this process."""
    begun = time.process_time()
    work()
    return seconds_since(begun)


def _silent(what: str, done: int, rounds: int) -> None:
    """Report no progress."""


@dataclass(frozen=True)
class Bench:
    """The settings of a benchmark run.

    Attributes:
        quick: Little of everything, to see that it runs; the numbers mean nothing.
        peer: Whether peers are measured as well.
        progress: Is told what is being measured, how many rounds are done, and of how many.
    """

    quick: bool = False
    peer: bool = True
    progress: Callable[[str, int, int], None] = field(default=_silent, repr=False)

    def size(self, full: Value, quick: Value) -> Value:
        """One of two sizes of a measurement."""
        return quick if self.quick else full

    def interleave(
        self, what: str, turns: Mapping[str, Turn | None], rounds: int = 15
    ) -> dict[str, list[float]]:
        """Let everyone take one turn in each round, so that all meet the same noise.

        Before the first round each takes a turn that does not count: it compiles and warms up.
        Every other round goes in the opposite order. Turns that are None are left out.

        Args:
            what: What is measured, for the progress bar.
            turns: The turn of each one by name.
            rounds: How many rounds; a quick run has 2.

        Returns:
            What each one measured, round by round.
        """
        rounds = self.size(rounds, min(rounds, 2))
        present = {name: turn for name, turn in turns.items() if turn is not None}
        found: dict[str, list[float]] = {name: [] for name in turns}
        self.progress(what, 0, rounds)
        for turn in present.values():
            turn()
        for i in range(rounds):
            gc.collect()  # nobody pays for what another left behind
            for name, turn in reversed(present.items()) if i % 2 else present.items():
                found[name].append(turn())
            self.progress(what, i + 1, rounds)
        return found
