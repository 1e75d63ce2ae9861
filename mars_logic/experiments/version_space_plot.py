"""How a version space shrinks, as a picture."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from matplotlib.figure import Figure

from mars_logic.experiments.plots import COLOURS, INK, look, plain

_WIDTH = 46
"""Letters of a line of labels."""


def version_space_chart(title: str, counts: Sequence[int], labels: Sequence[str]) -> Figure:
    """The number of hypotheses that fit, from the first step to the last.

    Args:
        title: Name of the puzzle.
        counts: At each point, how many fit; at least one.
        labels: The action and the observation at each point.
    """
    wrapped = ["\n".join(textwrap.wrap(plain(label), _WIDTH)) for label in labels]
    lines = sum(label.count("\n") + 1 for label in wrapped)
    size = (8.5, 1.2 + 0.2 * lines + 0.16 * len(counts))
    figure = Figure(figsize=size, dpi=150, layout="constrained", facecolor="white")
    axes = figure.add_subplot()
    look(axes)
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
