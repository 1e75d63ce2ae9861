"""Results as pictures."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter

from mars_logic.experiments.rows import Row
from mars_logic.experiments.score_page import SCORES_TITLE
from mars_logic.experiments.series import BenchmarkReport, BenchmarkRow, Chart, Line, Spread
from mars_logic.experiments.summary import Summary
from mars_logic.experiments.tables import number
from mars_logic.play.privileges import marked

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")
"""Okabe and Ito's palette, distinguishable for colour-blind people."""
_WIDE = 50
"""Range of a logarithmic axis from which only powers of ten are labelled."""
_LEGEND_LINE, _LEGEND_LETTER = 0.6, 0.08
"""Width of a line in a legend with its gaps, and of a letter, in inches."""
_LABEL = 46
"""Letters of a line of long labels."""
_MARKERS = ("o", "s", "^", "D", "v", "P")
INK, _SOFT, _GRID = "#22262b", "#6a737d", "#e4e7ea"


def ratios(reports: Sequence[BenchmarkReport]) -> Figure | None:
    """Each ratio to a peer with its quartiles, its required value and its aim.

    None without such ratios.
    """
    rows = [row for row in _rows(reports) if row.goal and row.goal.of == "ratio" and row.goal.aim]
    found = [(row.quantity, row.ratio) for row in rows if row.ratio]
    goals = [row.goal for row in rows if row.ratio and row.goal]
    marks = {
        "at least": [goal.least for goal in goals],
        "aim": [goal.aim or goal.least for goal in goals],
    }
    return _dots(found, marks, "speed relative to PyPI crafter", lambda value: f"{number(value)}×")


def budgets(reports: Sequence[BenchmarkReport]) -> Figure | None:
    """The used share of each budget; None without budgets."""
    found = [(row.quantity, row.budget_used) for row in _rows(reports) if row.budget_used]
    marks = {"budget": [1.0 for _ in found]}
    return _dots(found, marks, "share of the budget used", lambda value: f"{number(100 * value)} %")


def _rows(reports: Sequence[BenchmarkReport]) -> list[BenchmarkRow]:
    return [row for report in reports for row in report.result.rows]


def _dots(
    found: Sequence[tuple[str, Spread]],
    marks: Mapping[str, Sequence[float]],
    what: str,
    shown: Callable[[float], str],
) -> Figure | None:
    """One dot a quantity, from the top down, with its quartiles and marks of its goals.

    Args:
        found: The quantities' names and measured values.
        marks: Up to two kinds of goals, one for each quantity.
        what: Label of the horizontal axis.
        shown: The text of a number on it.
    """
    if not found:
        return None
    figure, axes = _figure(2 + 0.42 * len(found))
    places = range(len(found))[::-1]
    for colour, (label, goals) in zip(COLOURS[1:], marks.items(), strict=False):
        axes.plot(
            goals,
            places,
            color=colour,
            label=label,
            marker="|",
            markersize=18,
            linestyle="",
            markeredgewidth=2.5,
        )
    spreads = [spread for _, spread in found]
    middle = [spread.median for spread in spreads]
    sides = (
        [spread.median - spread.low for spread in spreads],
        [spread.high - spread.median for spread in spreads],
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
    every = [*middle, *chain.from_iterable(marks.values())]
    low, high = min(every) / 1.5, max(every) * 1.5
    axes.set_xscale("log")
    axes.set_xlim(low, high)
    axes.set_ylim(-0.6, len(found) - 0.4)
    axes.set_yticks(places, [quantity for quantity, _ in found])
    axes.grid(visible=False, axis="y")
    wide = high > _WIDE * low
    axes.xaxis.set_major_locator(LogLocator(subs=(1,) if wide else (1, 2, 5)))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_major_formatter(lambda value, _: shown(value))
    axes.set_xlabel(what)
    figure.legend(loc="outside upper right", ncols=3, frameon=False)
    return figure


def chart(found: Chart) -> Figure:
    """Curves with their spread."""
    figure, axes = _figure(4.6)
    if found.log_y:
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    if found.log_x:
        axes.set_xscale("log", base=4)
    for i, line in enumerate(found.lines):
        _draw(axes, line, i)
    if not found.log_y:
        axes.set_ylim(bottom=0)
    if not found.log_x:
        axes.set_xlim(left=0)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.yaxis.set_major_formatter(lambda value, _: number(value))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_formatter(NullFormatter())
    axes.set_xlabel(found.x)
    axes.set_ylabel(found.y)
    axes.set_title(plain(found.title), loc="left", color=INK, fontsize=13)
    axes.legend(frameon=False)
    return figure


def version_space_chart(title: str, counts: Sequence[int], labels: Sequence[str]) -> Figure:
    """The number of hypotheses that fit, from the first step to the last.

    Args:
        title: Name of the puzzle.
        counts: At each point, how many fit; at least one.
        labels: The action and the observation at each point.
    """
    wrapped = ["\n".join(textwrap.wrap(plain(label), _LABEL)) for label in labels]
    lines = sum(label.count("\n") + 1 for label in wrapped)
    figure, axes = _figure(1.2 + 0.2 * lines + 0.16 * len(counts))
    places = range(len(counts))
    bars = axes.barh(places, counts, color=COLOURS[0], height=0.6)
    axes.bar_label(bars, [f"{count:,}" for count in counts], padding=6, color=INK, fontsize=10)
    axes.set_xscale("log")
    axes.set_xlim(0.7, max(counts) * 12)
    axes.set_yticks(places, wrapped)
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("hypotheses that fit")
    axes.set_title(f"Version space of {plain(title)}", loc="left", color=INK, fontsize=13)
    return figure


def panels(charts: Sequence[Chart], across: int = 3) -> Figure:
    """Small charts side by side, with shared axes and one legend.

    Args:
        charts: At least one, of the same quantity; its ``name`` is its title.
        across: Charts in a row.
    """
    columns = min(across, len(charts))
    rows = -(-len(charts) // columns)
    size = (max(4.5, 2.9 * columns), 0.9 + 2.3 * rows)
    figure = Figure(figsize=size, dpi=150, layout="constrained", facecolor="white")
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    labels = list(dict.fromkeys(plain(line.label) for found in charts for line in found.lines))
    handles: dict[str, Line2D] = {}
    for axes in grid.flat[len(charts) :]:
        axes.set_visible(False)
    for place, (axes, found) in enumerate(zip(grid.flat, charts, strict=False)):
        look(axes)
        for line in found.lines:
            handles[plain(line.label)] = _draw(axes, line, labels.index(plain(line.label)))
        axes.set_title(plain(found.name), loc="left", color=INK, fontsize=11)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        _limit(axes, found)
        if place + columns >= len(charts):  # nothing below it
            axes.tick_params(labelbottom=True)
            axes.set_xlabel(found.x)
        if place % columns == 0:
            axes.set_ylabel(found.y)
    figure.suptitle(charts[0].title, x=0.01, ha="left", color=INK, fontsize=13)
    notes = " ".join(dict.fromkeys(found.note for found in charts if found.note))
    figure.legend(
        [handles[label] for label in labels],
        labels,
        loc="outside lower left",
        ncols=_legend_columns(labels, size[0]),
        frameon=False,
        alignment="left",
        title=plain(notes) or None,
        title_fontsize=9,
    )
    return figure


def _legend_columns(labels: Sequence[str], width: float) -> int:
    """How many of the longest label stand side by side in a figure, with their lines.

    Args:
        labels: The legend's texts.
        width: Of the figure, in inches.
    """
    widest = _LEGEND_LINE + _LEGEND_LETTER * max(map(len, labels))
    return max(1, min(len(labels), int(width / widest)))


def _limit(axes: Axes, found: Chart) -> None:
    """Show shares on the whole scale, and a single point at a whole number."""
    if found.y == "%":
        axes.set_ylim(-5, 105)
    points = {x for line in found.lines for x in line.x}
    if len(points) == 1:
        (only,) = points
        axes.set_xlim(only - 1, only + 1)


def _draw(axes: Axes, line: Line, place: int) -> Line2D:
    """A curve with its spread, in the colour of its place."""
    colour, marker = COLOURS[place % len(COLOURS)], _MARKERS[place % len(_MARKERS)]
    low, high = [spread.low for spread in line.y], [spread.high for spread in line.y]
    middle = [spread.median for spread in line.y]
    axes.fill_between(line.x, low, high, color=colour, alpha=0.2, linewidth=0)
    (drawn,) = axes.plot(
        line.x, middle, color=colour, marker=marker, markersize=5, label=plain(line.label)
    )
    return drawn


def _figure(height: float) -> tuple[Figure, Axes]:
    """An empty plot in the common style."""
    figure = Figure(figsize=(8.5, height), dpi=150, layout="constrained", facecolor="white")
    axes = figure.add_subplot()
    look(axes)
    return figure, axes


def look(axes: Axes) -> None:
    """Give a plot the common style."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["bottom", "left"]].set_color(_SOFT)
    axes.tick_params(colors=INK, which="both", labelsize=10)
    axes.grid(color=_GRID, linewidth=0.8)
    axes.set_axisbelow(True)


def as_png(figure: Figure) -> bytes:
    """A figure as the content of a file."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def plain(name: str) -> str:
    """A name drawn literally: text between dollars would be a formula."""
    return "".join(sign if sign.isprintable() else "?" for sign in name).replace("$", r"\$")


_ACROSS = 2
"""Games in a row."""


def scores(games: Sequence[Summary], rows: Iterable[Row], given: Mapping[str, str]) -> Figure:
    """For each game, the score of each episode, and of each agent the mean with its interval.

    Args:
        games: At least one result, of :func:`~mars_logic.experiments.summary.game_results`.
        rows: The episodes by which agents are judged.
        given: What each agent is given besides what it observes, by its label.
    """
    by_game: dict[str, list[Summary]] = {}
    for result in games:
        by_game.setdefault(result["world"], []).append(result)
    episodes: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        if row.score is not None:
            episodes.setdefault((row.agent, row.world_name), []).append(row.score)
    columns = min(_ACROSS, len(by_game))
    lines = -(-len(by_game) // columns)
    most = max(map(len, by_game.values()))
    size = (5.2 * columns, 0.6 + lines * (0.9 + 0.38 * most))
    figure = Figure(figsize=size, dpi=150, layout="constrained", facecolor="white")
    grid = figure.subplots(lines, columns, squeeze=False)
    for axes in grid.flat[len(by_game) :]:
        axes.set_visible(False)
    for axes, (game, some) in zip(grid.flat, by_game.items(), strict=False):
        look(axes)
        for place, result in enumerate(reversed(some)):
            held = episodes.get((result["agent"], game), [])
            axes.plot(held, [place] * len(held), "|", color=COLOURS[4], alpha=0.35, markersize=11)
            mean, interval = result["score"]["mean"], result["score"]["interval"]
            low, high = interval or (mean, mean)
            sides = ([mean - low], [high - mean])
            axes.errorbar([mean], [place], xerr=sides, fmt="o", color=COLOURS[0], capsize=4)
        names = [plain(marked(each["agent"], given[each["agent"]])) for each in reversed(some)]
        axes.set_yticks(range(len(some)), names)
        axes.set_ylim(-0.6, len(some) - 0.4)
        axes.grid(visible=False, axis="y")
        axes.set_title(plain(game), loc="left", color=INK, fontsize=11)
        axes.set_xlabel("score")
    figure.suptitle(SCORES_TITLE, x=0.01, ha="left", color=INK, fontsize=13)
    return figure
