"""The content of a report's sections about games, as their templates read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from markupsafe import Markup

from mars_logic.domains.scores import published
from mars_logic.experiments.puzzle_summary import PUZZLES, puzzle_results, puzzle_rows
from mars_logic.experiments.rows import Row
from mars_logic.experiments.summary import game_results, given_to, scored, with_marks
from mars_logic.play.privileges import marked
from mars_logic.views.report import charts
from mars_logic.views.report.game_episodes import ToldEpisode
from mars_logic.views.report.report_data import GameMaterial

Context = dict[str, Any]


@dataclass(frozen=True)
class GameTable:
    """The results in one game.

    Attributes:
        game: Its name.
        rows: A row for each agent, as ``summarise --json`` has it, and the place in the page of its
            first episode there; empty if none is told.
        published: Published scores in this setting, the best first.
        has_goal: Whether it can be completed.
        curve: The scores over learning episodes; empty if nobody learned.
        learners: The lines of the curve with their styles.
    """

    game: str
    rows: tuple[tuple[Context, str], ...]
    published: tuple[tuple[str, float], ...]
    has_goal: bool
    curve: Markup
    learners: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class ToldGroup:
    """The episodes of an agent in a game.

    Attributes:
        name: Of both.
        episodes: Each with its label.
    """

    name: str
    episodes: tuple[tuple[str, ToldEpisode], ...]


def games(material: GameMaterial, told: Sequence[ToldEpisode]) -> Context:
    """Results in games, and episodes step by step."""
    given = given_to(material.rows)
    results = with_marks(game_results(scored(material.rows), material.rows), given)
    first: dict[tuple[str, str], str] = {}
    for episode in told:
        row = episode.kept.row
        agent = marked(row.agent, given[row.agent])
        first.setdefault((agent, row.world_name), episode.name)
    tables = [
        _table(material, name, [row for row in results if row["world"] == name], first)
        for name in dict.fromkeys(row["world"] for row in results)
    ]
    left = len(material.rows) - len(told)
    kept = len(material.kept) - len(told)
    more = f"Episodes that are not told: {left}; {kept} of them can be."
    return {
        "game_tables": tables,
        "puzzle_heads": PUZZLES,
        "puzzle_rows": [*puzzle_rows(with_marks(puzzle_results(scored(material.rows)), given))],
        "told_groups": [*_groups(told, given)],
        "open_told": next((each.name for each in told if each.has_beliefs), "g0"),
        "more_told": f"{more} mars-logic report --replays N adds more." if left else "",
        "game_marks": [Markup(charts.mark(number, 15, 6)) for number in range(charts.STYLES)],
    }


def _table(
    material: GameMaterial,
    name: str,
    results: Sequence[Context],
    first: dict[tuple[str, str], str],
) -> GameTable:
    rows = [row for row in material.rows if row.world_name == name]
    is_setting = any(row.normalised is not None for row in rows)
    learned = [row for row in results if row["curve"]]
    lines = [
        charts.Curve(row["agent"], (tuple(each["score"]["mean"] for each in row["curve"]),), style)
        for style, row in enumerate(learned)
    ]
    return GameTable(
        game=name,
        rows=tuple((row, first.get((row["agent"], name), "")) for row in results),
        published=tuple(_published(rows[0])) if is_setting else (),
        has_goal=any(row["complete"] is not None for row in results),
        curve=Markup(charts.chart("Score", lines)) if lines else Markup(),
        learners=tuple((line.name, line.style) for line in lines),
    )


def _published(row: Row) -> Iterator[tuple[str, float]]:
    """The published scores in the setting of an episode, the highest first."""
    known = published()
    game = next((game for game, setting in known.settings.items() if setting == row.world), None)
    if game is not None:
        scores = {player: known.score(player, game) for player in known.scores}
        yield from sorted(scores.items(), key=lambda pair: -pair[1])


def _groups(told: Sequence[ToldEpisode], given: dict[str, str]) -> Iterator[ToldGroup]:
    def name(episode: ToldEpisode) -> str:
        row = episode.kept.row
        return f"{marked(row.agent, given[row.agent])} in {row.world_name}"

    order = [*dict.fromkeys(map(name, told))]
    ordered = sorted(told, key=lambda episode: order.index(name(episode)))
    for group, members in groupby(ordered, key=name):
        yield ToldGroup(group, tuple((_label(each.kept.row), each) for each in members))


def _label(row: Row) -> str:
    which = f"learning episode {row.number}" if row.phase == "learn" else f"seed {row.seed}"
    which += " (test)" if row.phase == "evaluate" else ""
    result = f"score {row.score:g}, reward {row.reward:g}".replace("-", "−")
    done = {True: ", completed", False: ", not completed", None: ""}[row.complete]
    return f"{which}: {result}{done}"
