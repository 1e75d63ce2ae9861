"""The results in games, on the page of an experiment: scores, and curves of learning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from mars_logic.experiments import cells
from mars_logic.experiments.series import Chart
from mars_logic.experiments.summary import Summary

GAMES: Final = (
    "agent",
    "game",
    "units",
    "episodes",
    "score",
    "normalised",
    "reward",
    "completed",
    "steps",
)
_MEANS: Final = ("score", "normalised", "reward")
_LEARNING: Final = ("agent", "game", "episode", "units", "score", "reward")
_NOTES: Final = """\
*Score* is what SmartPlay reports; *normalised* is 1 where people were, if that is known. Both, and
the *reward*, are means with their 95 % intervals (bootstrap over units).
"""
SCORES: Final = "games"
"""The name of the picture of scores."""
SCORES_TITLE: Final = "Scores in games: episodes, means and 95 % intervals"
_CURVES: Final = {
    "games_score": ("score", "Score by learning episode"),
    "games_reward": ("reward", "Reward by learning episode"),
}
"""By the names of pictures: the quantity, and a title."""


def rows(games: Iterable[Summary]) -> list[tuple[str, ...]]:
    """A line for each agent in each game, under :data:`GAMES`."""
    return [
        (
            row["agent"],
            row["world"],
            *cells.numbers_of(row),
            *(cells.with_interval(row[name], digits=2) for name in _MEANS),
            cells.share(row["complete"]),
            cells.steps(row),
        )
        for row in games
    ]


def parts(games: Sequence[Summary], pictures: Mapping[str, str]) -> Iterator[str]:
    """The scores in games, and how they change while a theory outlives the episodes.

    Args:
        games: Of :func:`~mars_logic.experiments.summary.game_results`.
        pictures: The files of pictures by their names.
    """
    if not games:
        return
    yield "## Games\n"
    yield cells.table(GAMES, rows(games))
    yield _NOTES
    if SCORES in pictures:
        yield f"![{SCORES_TITLE}]({pictures[SCORES]})\n"
    if any(row["curve"] for row in games):
        yield "## Learning in games\n"
        yield cells.table(_LEARNING, _learning_rows(games))
        for name, (_, title) in _CURVES.items():
            if name in pictures:
                yield f"![{title}]({pictures[name]})\n"


def _learning_rows(games: Iterable[Summary]) -> Iterator[tuple[str, ...]]:
    for row in games:
        for point in row["curve"]:
            means = (cells.with_interval(point[name], digits=2) for name in ("score", "reward"))
            yield row["agent"], row["world"], str(point["episode"]), str(point["units"]), *means


def curves(games: Iterable[Summary]) -> dict[str, list[Chart]]:
    """By the names of pictures: a chart of each game over learning episodes, a line an agent."""
    by_game: dict[str, list[Summary]] = {}
    for row in games:
        if row["curve"]:
            by_game.setdefault(row["world"], []).append(row)
    return {
        name: [
            Chart(
                game,
                title,
                "learning episode",
                what,
                tuple(cells.line(r, what) for r in some),
                log_y=False,
            )
            for game, some in by_game.items()
        ]
        for name, (what, title) in _CURVES.items()
        if by_game
    }
