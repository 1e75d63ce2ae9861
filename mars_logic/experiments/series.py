"""Results of a benchmark as data: rows of a table, and curves."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Spread:
    """A quantity that was measured several times: lower quartile, median and upper quartile."""

    low: float
    median: float
    high: float

    @classmethod
    def of(cls, samples: Sequence[float]) -> Spread:
        """The spread of one or more samples."""
        if len(samples) == 1:
            return cls(samples[0], samples[0], samples[0])
        return cls(*statistics.quantiles(samples, n=4, method="inclusive"))


@dataclass(frozen=True)
class Goal:
    """The goal for a quantity.

    Attributes:
        least: The required value.
        aim: The desired value.
        of: Whether the goal is about the ratio to the peer or about the quantity itself.
    """

    least: float
    aim: float | None = None
    of: Literal["ratio", "ours"] = "ratio"


@dataclass(frozen=True)
class BenchmarkRow:
    """One line of the table.

    Attributes:
        quantity: Name of the measured quantity.
        unit: Of ``ours`` and ``peer``.
        ours: The value of mars-logic.
        peer: The value of the peer, if there is one.
        peer_name: Name of the peer.
        ratio: Improvement over the peer, paired round by round (not a ratio of medians).
        goal: The goal.
        smaller_is_better: True of times and memory, false of rates.
    """

    quantity: str
    unit: str
    ours: Spread
    peer: Spread | None = None
    peer_name: str = ""
    ratio: Spread | None = None
    goal: Goal | None = None
    smaller_is_better: bool = False

    @property
    def verdict(self) -> Literal["", "aim", "at least", "missed"]:
        """The part of the goal that the median reaches."""
        judged = self.judged
        if self.goal is None or judged is None:
            return ""
        smaller = self.smaller_is_better and self.goal.of == "ours"

        def reaches(wanted: float) -> bool:
            return judged.median <= wanted if smaller else judged.median >= wanted

        if not reaches(self.goal.least):
            return "missed"
        return "aim" if self.goal.aim is not None and reaches(self.goal.aim) else "at least"

    @property
    def judged(self) -> Spread | None:
        """The number to which the goal applies."""
        return self.ours if self.goal is not None and self.goal.of == "ours" else self.ratio

    @property
    def budget_used(self) -> Spread | None:
        """Used share of the budget; for a rate, of the time that the budget allows."""
        if self.goal is None or self.goal.of != "ours":
            return None
        least, ours = self.goal.least, self.ours
        if self.smaller_is_better:
            return Spread(ours.low / least, ours.median / least, ours.high / least)
        return Spread(least / ours.high, least / ours.median, least / ours.low)


def compared(
    quantity: str,
    unit: str,
    ours: Sequence[float],
    peer: Sequence[float] | None = None,
    *,
    peer_name: str = "crafter",
    goal: Goal | None = None,
    smaller_is_better: bool = False,
) -> BenchmarkRow:
    """A row from samples of both sides, of which the i-th were taken in the same round."""
    if not peer:
        return BenchmarkRow(
            quantity, unit, Spread.of(ours), goal=goal, smaller_is_better=smaller_is_better
        )
    pairs = list(zip(ours, peer, strict=True))
    ratios = [theirs / mine if smaller_is_better else mine / theirs for mine, theirs in pairs]
    return BenchmarkRow(
        quantity,
        unit,
        Spread.of(ours),
        Spread.of(peer),
        peer_name,
        Spread.of(ratios),
        goal,
        smaller_is_better,
    )


@dataclass(frozen=True)
class Line:
    """A curve with its spread."""

    label: str
    x: tuple[float, ...]
    y: tuple[Spread, ...]


@dataclass(frozen=True)
class Chart:
    """Curves over one axis.

    Attributes:
        name: Of its file, without the ending.
        title: Title in one line.
        x: Label of the horizontal axis.
        y: Label of the vertical axis.
        lines: The curves.
        log_x: Whether the horizontal axis is logarithmic.
        log_y: Whether the vertical one is.
        note: What the bands show, and of how many runs.
    """

    name: str
    title: str
    x: str
    y: str
    lines: tuple[Line, ...]
    log_x: bool = False
    log_y: bool = True
    note: str = ""


@dataclass(frozen=True)
class BenchmarkResult:
    """The result of one benchmark."""

    rows: tuple[BenchmarkRow, ...]
    charts: tuple[Chart, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class BenchmarkReport:
    """A result with its circumstances; the content of a file of results.

    Attributes:
        schema: Name and version of this format.
        name: The benchmark's.
        quick: Whether it was a quick run, whose numbers only show that it works.
        date: The day it was run (ISO 8601, UTC).
        machine: Facts of the machine and the versions of the libraries.
        result: The result.
    """

    schema: Literal["mars-logic benchmark 1"]
    name: str
    quick: bool
    date: str
    machine: dict[str, str]
    result: BenchmarkResult
