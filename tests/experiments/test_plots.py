"""Pictures of results."""

from __future__ import annotations

import pytest

pytest.importorskip("matplotlib")

from matplotlib.backends.backend_agg import FigureCanvasAgg

from mars_logic.experiments import plots
from mars_logic.experiments.series import Chart, Line, Spread


@pytest.mark.parametrize("charts", [1, 3])
def test_long_labels_stay_within_the_figure(charts: int) -> None:
    labels = [f"{name} (prior: Crafter's rules)" for name in ("random-experiments", *"abcd")]
    lines = tuple(Line(label, (1.0,), (Spread(0.0, 1.0, 2.0),)) for label in labels)
    found = plots.panels([Chart(f"w{i}", "title", "x", "y", lines) for i in range(charts)])
    FigureCanvasAgg(found).draw()
    (legend,) = found.legends
    assert legend.get_window_extent().x1 <= found.bbox.x1
