"""Results as pictures."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter

from mars_logic.measure.report import Chart, Report, Row
from mars_logic.measure.table import number

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")
"""Okabe and Ito's, which colour-blind people can tell apart."""
_MARKERS = ("o", "s", "^", "D")
_INK, _SOFT, _GRID = "#22262b", "#6a737d", "#e4e7ea"


def with_ratios(reports: Sequence[Report]) -> list[Row]:
    """The rows that :func:`ratios` shows: whose goal is a ratio to a peer, with an aim."""
    rows = [row for report in reports for row in report.result.rows]
    return [
        row for row in rows if row.ratio and row.goal and row.goal.of == "ratio" and row.goal.aim
    ]


def ratios(reports: Sequence[Report]) -> Figure:
    """Each ratio with its quartiles, beside what is asked for and what is hoped for."""
    rows = with_ratios(reports)[::-1]
    figure, axes = _figure(2 + 0.42 * len(rows))
    places = range(len(rows))
    least = [row.goal.least for row in rows if row.goal]
    aim = [row.goal.aim or row.goal.least for row in rows if row.goal]
    found = [row.ratio for row in rows if row.ratio]
    tick: dict[str, Any] = {
        "marker": "|",
        "markersize": 18,
        "linestyle": "",
        "markeredgewidth": 2.5,
    }
    axes.plot(least, places, color=COLOURS[1], label="at least", **tick)
    axes.plot(aim, places, color=COLOURS[2], label="aim", **tick)
    middle = [ratio.median for ratio in found]
    sides = (
        [ratio.median - ratio.low for ratio in found],
        [ratio.high - ratio.median for ratio in found],
    )
    axes.errorbar(
        middle,
        places,
        xerr=sides,
        fmt="o",
        color=COLOURS[0],
        markersize=8,
        elinewidth=3,
        label="measured: median and quartiles",
        zorder=3,
    )
    axes.set_xscale("log")
    axes.set_xlim(min(least + middle) / 1.5, max(aim + middle) * 1.5)
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.set_yticks(places, [row.quantity for row in rows])
    axes.grid(visible=False, axis="y")
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_major_formatter(lambda value, _: f"{number(value)}×")
    axes.set_xlabel("times as fast as PyPI crafter")
    figure.legend(loc="outside upper right", ncols=3, frameon=False)
    return figure


def chart(found: Chart) -> Figure:
    """Curves with their quartiles."""
    figure, axes = _figure(4.6)
    axes.set_yscale("log")
    if found.log_x:
        axes.set_xscale("log", base=4)
    for i, line in enumerate(found.lines):
        colour, marker = COLOURS[i % len(COLOURS)], _MARKERS[i % len(_MARKERS)]
        low, high = [spread.low for spread in line.y], [spread.high for spread in line.y]
        middle = [spread.median for spread in line.y]
        axes.fill_between(line.x, low, high, color=colour, alpha=0.2, linewidth=0)
        axes.plot(line.x, middle, color=colour, marker=marker, markersize=5, label=line.label)
    if not found.log_x:
        axes.set_xlim(left=0)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(lambda value, _: number(value))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_formatter(NullFormatter())
    axes.set_xlabel(found.x)
    axes.set_ylabel(found.y)
    axes.set_title(found.title, loc="left", color=_INK, fontsize=13)
    axes.legend(frameon=False)
    return figure


def _figure(height: float) -> tuple[Figure, Axes]:
    """An empty plot with the look that all share."""
    figure = Figure(figsize=(8.5, height), dpi=150, layout="constrained", facecolor="white")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["bottom", "left"]].set_color(_SOFT)
    axes.tick_params(colors=_INK, which="both", labelsize=10)
    axes.grid(color=_GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    return figure, axes


def as_png(figure: Figure) -> bytes:
    """A figure as the content of a file."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()
