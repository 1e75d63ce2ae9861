"""Results as the texts of tables' cells, and as points of curves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mars_logic.experiments.series import Line, Spread
from mars_logic.experiments.summary import Summary
from mars_logic.experiments.tables import in_markdown, plain


def table(head: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of names and numbers, in which no name is taken for markup."""
    return in_markdown([*map(plain, head)], ([*map(plain, row)] for row in rows))


def numbers_of(row: Summary) -> tuple[str, str]:
    """How many units, and how many episodes, these marked if they are of learning."""
    learning = " (learning)" if "learn" in row["phase"] else ""
    return str(row["units"]), f"{row['episodes']}{learning}"


def steps(row: Summary) -> str:
    """The median of the steps and their quartiles."""
    found = row["steps"]
    return f"{found['median']:.0f} ({found['low']:.0f}–{found['high']:.0f})"


def with_interval(found: Summary | None, scale: float = 1, digits: int = 1) -> str:
    """A mean with its interval, times ``scale``; empty if there is none."""
    if found is None:
        return ""
    return f"{scale * found['mean']:.{digits}f}{interval_of(found['interval'], scale, digits)}"


def interval_of(interval: Sequence[float] | None, scale: float = 1, digits: int = 1) -> str:
    """An interval in brackets, times ``scale``; empty if there is none."""
    if interval is None:
        return ""
    low, high = (f"{scale * end:.{digits}f}" for end in interval)
    return f" ({low} to {high})"


def share(found: Summary | None) -> str:
    """A rate with its interval in percent."""
    if found is None:
        return "–"
    if found["interval"] is None:
        return f"{found['rate']:.0%}"
    low, high = found["interval"]
    return f"{found['rate']:.0%} ({low:.0%}–{high:.0%})"


def line(row: Summary, name: str, scale: float = 1) -> Line:
    """The curve of an agent over learning episodes, times ``scale``, with its intervals."""
    points = [(float(point["episode"]), point[name]) for point in row["curve"] if point[name]]
    spreads = []
    for _, found in points:
        mean = scale * found["mean"]
        low, high = (scale * end for end in found["interval"] or (found["mean"], found["mean"]))
        spreads.append(Spread(low, mean, high))
    return Line(row["agent"], tuple(x for x, _ in points), tuple(spreads))
