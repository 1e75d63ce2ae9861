"""The report: one self-contained HTML file."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from jinja2 import Environment
from markupsafe import Markup

from mars_logic.domains.scores import published
from mars_logic.experiments.rows import Row
from mars_logic.experiments.solved import PUZZLES, puzzle_results, puzzle_rows
from mars_logic.experiments.summary import game_results, given_to, scored, with_marks
from mars_logic.language.settings import Prices
from mars_logic.play.privileges import marked
from mars_logic.views.report import charts, contents, told_episodes
from mars_logic.views.report.page_names import PageNames, page_names
from mars_logic.views.report.proposed_rules import named_episodes, proposed_table
from mars_logic.views.report.proved_worlds import trees
from mars_logic.views.report.replays import Replay, documents, replays, revisions
from mars_logic.views.report.report_data import GameMaterial, LearnedUnit, Material, chosen
from mars_logic.views.report.rule_table import RuleTable, cases, rule_table
from mars_logic.views.report.templates import PAGE, data_url, environment, icon, read, styles
from mars_logic.views.report.told_episodes import ToldEpisode
from mars_logic.views.report.training_curves import training
from mars_logic.views.report.transcripts import MOST_REQUESTS, transcripts
from mars_logic.world.names import LOOKS

Begin = Callable[[str, int], Callable[[], None]]
"""Called when work begins, with a name and how many parts it has; the result, after each part."""

_STYLES: Final = ("base.css", "tables.css", "player.css", "games.css")
_SCRIPTS: Final = (
    "document.js",
    "recording.js",
    "drawing.js",
    "panels.js",
    "timeline.js",
    "player.js",
    "films.js",
    "page.js",
)
"""In order of dependency; they share one scope."""


def _quietly(_what: str, _parts: int) -> Callable[[], None]:
    return lambda: None


def report(
    material: Material,
    most: int,
    begin: Begin = _quietly,
    *,
    requests: int = MOST_REQUESTS,
    prices: Prices | None = None,
) -> str:
    """Make the page.

    Args:
        material: What it tells.
        most: How many episodes it shows again, at most.
        begin: Told how far the work is.
        requests: How many requests to language models it shows, at most.
        prices: Of tokens.

    Raises:
        InputError: A world is missing, or an episode does not replay.
    """
    material = material.with_marks()
    of_games = chosen(material.games.kept, most - (most // 2 if material.rows else 0))
    named = named_episodes(material.kept, material.rules)
    episodes = chosen(material.kept, most - len(of_games), named)
    shown = replays(episodes, begin("replaying episodes", len(episodes)))
    told = told_episodes.told(
        material.games, of_games, begin("telling episodes of games", len(of_games))
    )
    context = {
        "has_worlds": bool(material.rows),
        "rules_first": bool(material.rules) and not material.sessions,
        **games(material.games, told),
        **contents.results(material),
        **contents.replays(material, shown),
        **contents.rules(_tested(material, shown, begin)),
        **contents.learning(material),
        **contents.achievements(material),
        **trees(material, shown, begin),
        **training(material.trained),
        **transcripts(material.sessions, shown, material.rules, prices, requests),
    }
    return self_contained(
        "report.html",
        shown,
        context,
        title=material.title,
        facts=contents.facts(material),
        sections=_sections(context),
        learned=material.learned,
    )


def self_contained(
    template: str,
    shown: Sequence[Replay],
    context: contents.Context,
    *,
    title: str,
    facts: str,
    sections: Sequence[tuple[str, str]],
    learned: Mapping[str, LearnedUnit] = MappingProxyType({}),
    folders: Sequence[Path] = (),
) -> str:
    """A page with the report's styles, scripts and player, in one file.

    Args:
        template: The template's name.
        shown: The episodes to watch.
        context: What else the template reads: at least ``has_worlds`` and what
            :func:`contents.replays` gives.
        title: The page's title.
        facts: A line below it.
        sections: Id and name of each section that the navigation leads to.
        learned: What was learned, by unit.
        folders: Where templates are looked for before the report's.
    """
    script = "\n".join(["'use strict';", *(read(PAGE / name) for name in _SCRIPTS)])
    page: str = (
        _environment(*folders)
        .get_template(template)
        .render(
            context,
            title=title,
            facts=facts,
            version=version("mars-logic"),
            sections=sections,
            icon=icon(),
            sprites=Markup(data_url(_names(shown))),
            style=styles(PAGE / name for name in _STYLES),
            script=Markup(script),
            script_hash=_hash(script),
            document=_for_script(_document(learned, shown) | {"first": context["first"]}),
        )
    )
    # Bytes of file names that are no text become escapes, which JSON reads, too.
    return page.encode("utf-8", "backslashreplace").decode("utf-8")


def _tested(material: Material, shown: Sequence[Replay], begin: Begin) -> list[RuleTable]:
    found = cases(shown, material.kept, material.learned)
    done = begin("testing rules", len(found))
    tested = [proposed_table(name, rules, shown) for name, rules in material.rules.items()]
    for case in found:
        tested.append(rule_table(case))
        done()
    return tested


def _environment(*folders: Path) -> Environment:
    found = environment(*folders, PAGE)
    found.filters["reward"] = contents.reward
    return found


def _sections(context: contents.Context) -> list[tuple[str, str]]:
    """Id and title of each section with content."""
    worlds = context["has_worlds"]
    named = {
        **({"rules": ""} if context["rules_first"] else {}),
        "results": "Results" if worlds else "",
        "replay": "Replay" if worlds else "",
        "rules": "Rules" if context["rule_tables"] else "",
        "learning": "Learning" if context["learning"] else "",
        "achievements": "Achievements" if worlds else "",
        "trees": "Tech trees" if context["trees"] else "",
        "training": "Training" if context["training"] or context["training_notes"] else "",
        "language": "Language models" if context["transcripts"] else "",
        "games": "Games" if context["game_tables"] else "",
        "puzzles": "Puzzles" if context["puzzle_rows"] else "",
        "episodes": "Episodes" if context["told_groups"] else "",
    }
    return [(id_, name) for id_, name in named.items() if name]


def _document(learned: Mapping[str, LearnedUnit], shown: Sequence[Replay]) -> dict[str, Any]:
    """Data for the scripts."""
    names = _names(shown)
    units = {replay.kept.row.unit for replay in shown}
    return {
        "episodes": documents(shown),
        "revisions": {unit: revisions(each) for unit, each in learned.items() if unit in units},
        "items": [each.name for each in names.items],
        "actions": names.actions,
        "materials": [each.name for each in names.materials],
        "looks": LOOKS,
        "sprites": data_url(names),
    }


def _names(shown: Sequence[Replay]) -> PageNames:
    return page_names(replay.world.vocabulary for replay in shown)


def _for_script(document: Any) -> Markup:
    """JSON that cannot start or end an HTML element."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def _hash(script: str) -> str:
    """A script's hash for a content security policy."""
    digest = hashlib.sha256(script.encode()).digest()
    return "sha256-" + base64.b64encode(digest).decode()


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
