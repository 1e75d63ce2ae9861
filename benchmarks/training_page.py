"""A table of training runs as Markdown, and its curves as a picture."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

_MILLION: Final = 1_000_000
_ACROSS: Final = 4
"""Panels beside each other."""
DRAWN: Final = {"reward": "Reward of an episode", "score": "Score in %"}
"""Columns of curves that can be drawn, with what the axis says."""


def page(
    rows: list[dict[str, Any]],
    command: str,
    published: Mapping[str, Mapping[str, float]] | None = None,
    drawn: str = "Reward of an episode",
) -> str:
    """The table as Markdown.

    Args:
        rows: Of ``training_table.summary``.
        command: That made them.
        published: Values of others by the heading of a column and by world or setting.
        drawn: What the picture shows, of :data:`DRAWN`.
    """
    published = published or {}
    reached = [name for name in rows[0] if name.startswith("steps to ")]
    several = len({row["setting"] for row in rows}) > 1
    heads = ["world", *["setting"] * several, "seeds", "steps", "reward", "score in %", "unlocked"]
    heads += [*reached, *published]
    lines = [f"| {' | '.join(heads)} |", f"|{' --- |' * len(heads)}"]
    for row in rows:
        cells = [row["world"], *[row["setting"]] * several, str(row["seeds"])]
        cells += [_steps(min(row["steps"]))]
        cells += [_value(row[name]) for name in ("reward", "score", "unlocked")]
        cells += [_reached(row[name]) for name in reached]
        for column in published.values():
            value = column.get(row["setting"], column.get(row["world"]))
            cells.append("" if value is None else f"{value:g}")
        lines.append(f"| {' | '.join(cells)} |")
    machine = f"{os.cpu_count()} cores, Python {platform.python_version()}"
    head = f"Made by `{command}` ({machine}). Means of the last 200 training episodes of a run."
    note = ""
    if any(row["seeds"] > 1 for row in rows):
        note = (
            "In parentheses: 95 % bootstrap intervals of the mean over seeds; of steps, the least"
            " and the most."
        )
    return "\n".join(
        [f"{head} {note}".strip(), "", *lines, "", f"![{drawn} by steps](curves.png)", ""]
    )


def _steps(steps: int) -> str:
    return f"{steps / _MILLION:.2f} M"


def _value(found: dict[str, Any]) -> str:
    text = f"{found['mean']:.2f}"
    if found["interval"]:
        low, high = found["interval"]
        text += f" ({low:.2f}–{high:.2f})"
    return text


def _reached(found: list[int | None]) -> str:
    """The median of steps, least and most, and how many runs never came there."""
    steps = sorted(each for each in found if each is not None)
    if not steps:
        return "never"
    text = _steps(round(float(np.median(steps))))
    if len(steps) > 1:
        text += f" ({steps[0] / _MILLION:.2f}–{steps[-1] / _MILLION:.2f})"
    return text if len(steps) == len(found) else f"{text}, {len(steps)} of {len(found)}"


def draw(rows: list[dict[str, Any]], path: Path, drawn: str = "reward") -> None:
    """A column of curves by steps: mean and range over seeds, a panel for each world.

    Args:
        rows: Of ``training_table.summary``.
        path: The picture.
        drawn: One of :data:`DRAWN`.
    """
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    worlds = list(dict.fromkeys(row["world"] for row in rows))
    settings = list(dict.fromkeys(row["setting"] for row in rows))
    across = min(_ACROSS, len(worlds))
    down = -(-len(worlds) // across)
    size = (8.0, 5.0) if len(worlds) == 1 else (3.0 * across, 2.6 * down + 0.4)
    figure, axes = pyplot.subplots(
        down, across, figsize=size, squeeze=False, sharex=True, sharey=True, layout="constrained"
    )
    for axis, world in zip(axes.flat, worlds, strict=False):
        for row in (each for each in rows if each["world"] == world):
            number = settings.index(row["setting"])
            steps, low, mean, high = _band(row["curves"], 1 + list(DRAWN).index(drawn))
            dashes = "-" if number < 10 // 2 else "--"
            label, colour = row["setting"], f"C{number % 10}"
            axis.plot(steps, mean, dashes, color=colour, label=label, linewidth=1.4)
            axis.fill_between(steps, low, high, color=colour, alpha=0.15, linewidth=0)
        axis.set_title(world, fontsize="medium")
        axis.grid(alpha=0.3)
    for axis in axes.flat[len(worlds) :]:
        axis.set_axis_off()
    figure.supxlabel("Steps (millions)")
    figure.supylabel(DRAWN[drawn])
    if len(settings) > 1:
        handles, labels = axes[0][0].get_legend_handles_labels()
        several = any(row["seeds"] > 1 for row in rows)
        title = "Mean and range over seeds" if several else None
        figure.legend(handles, labels, loc="outside right center", title=title, fontsize="small")
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def _band(curves: list[list[tuple[int, float, float]]], column: int) -> tuple[np.ndarray, ...]:
    """Steps in millions, as in the first curve; least, mean and highest value over seeds."""
    steps = np.array(curves[0]).T[0]
    values = np.array([np.interp(steps, *np.array(points).T[[0, column]]) for points in curves])
    return steps / _MILLION, values.min(0), values.mean(0), values.max(0)
