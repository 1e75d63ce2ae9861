"""Scores in games as a picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from matplotlib.figure import Figure

from mars_logic.experiments.game_page import SCORES_TITLE
from mars_logic.experiments.plots import COLOURS, INK, look, plain
from mars_logic.experiments.rows import Row
from mars_logic.experiments.summary import Summary
from mars_logic.play.privileges import marked

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
