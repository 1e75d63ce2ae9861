"""Normalised scores of SmartPlay's scoreboard as a picture."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Final

from matplotlib.figure import Figure

from mars_logic.domains.scores import published, scaled
from mars_logic.experiments.plots import COLOURS, INK, look
from mars_logic.experiments.scoreboards.smartplay.episodes import STAND_INS, BoardCell

_MOST: Final = 1.25
"""Where the axis ends; higher scores are written beside their dots."""
_OTHERS: Final = ("Human", "GPT-4-0613", "text-davinci-003")
"""Published players that are shown: people, the best model, and the best earlier one."""


def normalised_chart(
    board: Mapping[tuple[str, str], BoardCell], contestants: Sequence[str], games: Sequence[str]
) -> Figure:
    """A panel for each game, a dot for each player; 0 is the least score, 1 the human one.

    Args:
        board: The episodes by contestant and game.
        contestants: Our players, in order.
        games: Columns of the scoreboard, at least one.
    """
    known = published()
    across = min(4, len(games))
    down = -(-len(games) // across)
    players = [*contestants, *_OTHERS]
    size = (2.6 * across + 1.4, 0.7 + down * (0.6 + 0.26 * len(players)))
    figure = Figure(figsize=size, dpi=150, layout="constrained", facecolor="white")
    grid = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False)
    for axes in grid.flat[len(games) :]:
        axes.set_visible(False)
    for place, (axes, game) in enumerate(zip(grid.flat, games, strict=False)):
        look(axes)
        axes.axvline(1, color=INK, linewidth=0.8, linestyle=":")
        for height, player in enumerate(reversed(players)):
            ours = player in contestants
            if ours and (player, game) not in board:
                continue
            raw = (
                statistics.fmean(board[player, game].scores) if ours else known.score(player, game)
            )
            score = scaled(game, raw)
            shown = min(score, _MOST)
            axes.plot([shown], [height], "o" if ours else "D", color=COLOURS[0 if ours else 1])
            if score > _MOST:
                text = f"{score:.1f} →"
                axes.annotate(
                    text, (shown, height), (-6, -3), textcoords="offset points", ha="right"
                )
        stand_in = " (stand-in)" if game in STAND_INS else ""
        axes.set_title(f"{game}{stand_in}", loc="left", color=INK, fontsize=11)
        if place + across >= len(games):
            axes.tick_params(labelbottom=True)
            axes.set_xlabel("normalised score")
    grid[0, 0].set_xlim(-0.08, _MOST + 0.07)
    grid[0, 0].set_ylim(-0.6, len(players) - 0.4)
    grid[0, 0].set_yticks(range(len(players)), list(reversed(players)))
    figure.suptitle(
        "Normalised scores: ours (circles) and published (diamonds)",
        x=0.01,
        ha="left",
        color=INK,
        fontsize=13,
    )
    return figure
