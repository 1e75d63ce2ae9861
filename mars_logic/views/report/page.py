"""The report: one self-contained HTML file."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from jinja2 import Environment
from markupsafe import Markup

from mars_logic.views.report import art, contents, game_contents, game_episodes
from mars_logic.views.report.page_names import PageNames, page_names
from mars_logic.views.report.replays import Replay, documents, replays, revisions
from mars_logic.views.report.report_data import LearnedUnit, Material, chosen
from mars_logic.views.report.rule_table import RuleTable, cases, proposed_table, rule_table
from mars_logic.views.report.templates import PAGE, environment, read, styles
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
    "page.js",
)
"""In order of dependency; they share one scope."""


def _quietly(_what: str, _parts: int) -> Callable[[], None]:
    return lambda: None


def report(material: Material, most: int, begin: Begin = _quietly) -> str:
    """Make the page.

    Args:
        material: What it tells.
        most: How many episodes it shows again, at most.
        begin: Told how far the work is.

    Raises:
        InputError: A world is missing, or an episode does not replay.
    """
    material = material.with_marks()
    of_games = chosen(material.games.kept, most - (most // 2 if material.rows else 0))
    episodes = chosen(material.kept, most - len(of_games))
    shown = replays(episodes, begin("replaying episodes", len(episodes)))
    told = game_episodes.told(
        material.games, of_games, begin("telling episodes of games", len(of_games))
    )
    context = {
        "has_worlds": bool(material.rows),
        **game_contents.games(material.games, told),
        **contents.results(material),
        **contents.replays(material, shown),
        **contents.rules(_tested(material, shown, begin)),
        **contents.learning(material),
        **contents.achievements(material),
        **contents.trees(material, shown, begin),
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
            icon=art.icon(),
            sprites=Markup(art.data_url(_names(shown))),
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
        "results": "Results" if worlds else "",
        "replay": "Replay" if worlds else "",
        "rules": "Rules" if context["rule_tables"] else "",
        "learning": "Learning" if context["learning"] else "",
        "achievements": "Achievements" if worlds else "",
        "trees": "Tech trees" if worlds else "",
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
        "sprites": art.data_url(names),
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
