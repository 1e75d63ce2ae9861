"""Pages in one file that need no server: a film of a map, a world to share, tested rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

from markupsafe import Markup

from mars_logic.play.certificate import Certificate
from mars_logic.views.report import contents
from mars_logic.views.report.loose_episodes import kept_episode
from mars_logic.views.report.page import self_contained
from mars_logic.views.report.replays import Replay, replays
from mars_logic.views.report.report_data import Material
from mars_logic.views.report.templates import environment
from mars_logic.workbench.panels import map_picture, proofs
from mars_logic.workbench.reading import ManualLine, manual_lines, world_of
from mars_logic.workbench.worker import Begin
from mars_logic.world.theory import World

TEMPLATES: Final = Path(__file__).parent / "page"
PLANNER: Final = "oracle"


class Paragraph(NamedTuple):
    """Lines of the manual that stand together: sentences of a paragraph, or items of a list."""

    kind: str
    lines: Sequence[ManualLine]


def manual_html(lines: Iterable[ManualLine]) -> str:
    """The manual as HTML, with changed sentences marked; all text is escaped."""
    return environment(TEMPLATES).get_template("manual.html").render(manual=_paragraphs(lines))


def _paragraphs(lines: Iterable[ManualLine]) -> list[Paragraph]:
    return [Paragraph(kind, [*some]) for kind, some in groupby(lines, lambda line: line.kind)]


def film(begin: Begin, text: str, path: Path, seed: int) -> str:
    """A page on which the oracle's episode on a map can be watched.

    Args:
        begin: Told how far it is.
        text: The text of a world.
        path: Its file.
        seed: The map's seed.

    Raises:
        InputError: The text is no world, or one that the planner does not know.
    """
    world = world_of(text, path)
    return _page(world, path, [planned(begin, world, seed)], seed)


def whole_page(begin: Begin, text: str, path: Path, seed: int) -> str:
    """A page with the map of a seed, the manual, the tech tree, and the oracle's film.

    Raises:
        InputError: As for :func:`film`.
    """
    world = world_of(text, path)
    played = planned(begin, world, seed)
    proved = proofs(begin, text, path, None)
    more = {
        "map": map_picture(begin, text, path, seed),
        "manual": _paragraphs(manual_lines(world)),
        "tree": Markup(proved.tree),
        "about": proved.about,
    }
    return _page(world, path, [played], seed, more)


def planned(begin: Begin, world: World, seed: int) -> Certificate:
    """The oracle's episode on a map.

    Raises:
        InputError: The planner does not know the world's kinds of rules.
    """
    from mars_logic.world.known_names import require_plannable

    require_plannable(world, "a film", "the planner")
    return played(begin, world, seed, PLANNER)


def played(begin: Begin, world: World, seed: int, agent: str) -> Certificate:
    """An agent's episode on a map; the last ones are kept."""
    from mars_logic.experiments.runs import Run
    from mars_logic.play.agent import load_agent

    key = world.digest, seed, agent
    if key not in _kept:
        make: Any = load_agent(agent)
        watched = _Watcher(begin, world.vocabulary.length)
        found = Run(agent, make, world, world.name).episode(seed, observer=watched)
        while len(_kept) >= _MOST_KEPT:
            del _kept[next(iter(_kept))]
        _kept[key] = found.certificate
    return _kept[key]


_kept: dict[tuple[str, int, str], Certificate] = {}
_MOST_KEPT: Final = 6


class _Watcher:
    """Tells how far an episode is."""

    def __init__(self, begin: Begin, length: int) -> None:
        self._advance = begin("planning and playing", length)

    def begin(self, observation: Any) -> None:
        """Nothing to note."""

    def note(self, *_: Any) -> None:
        """One step was taken."""
        self._advance()


def _page(
    world: World,
    path: Path,
    episodes: Sequence[Certificate],
    seed: int,
    more: contents.Context | None = None,
) -> str:
    shown, material = watched(world, path, episodes)
    return page_of(world, shown, material, seed, more or {})


def page_of(
    world: World,
    shown: Sequence[Replay],
    material: Material,
    seed: int,
    more: contents.Context,
) -> str:
    """A page of a world in one file.

    Args:
        world: The world.
        shown: Episodes to watch.
        material: The report's material about them.
        seed: The seed of the map.
        more: What is shown besides: ``map``, ``manual``, ``tree`` with ``about``, ``rule_tables``.
    """
    context: contents.Context = {
        **dict.fromkeys(("map", "manual", "tree", "rule_tables"), None),
        "seed": seed,
        "has_worlds": True,
        **contents.replays(material, shown),
        **more,
    }
    names = {"map": ("map-section", "Map"), "manual": ("manual", "Rules")}
    names |= {"tree": ("tree", "Tech tree")}
    sections = [names[key] for key in names if context[key]]
    return self_contained(
        "world.html",
        shown,
        context,
        title=world.title or world.name,
        facts=f"{world.name}, map of seed {seed}",
        sections=[*sections, ("replay", "Film")] if sections else [],
        folders=(TEMPLATES,),
    )


def watched(
    world: World, path: Path, episodes: Sequence[Certificate]
) -> tuple[list[Replay], Material]:
    """Episodes of a world as a report replays them, and the report's material about them."""
    kept = tuple(
        kept_episode(path.with_name(episode_name(number)), each, world.name, world)
        for number, each in enumerate(episodes)
    )
    material = Material(world.name, path.parent, tuple(each.row for each in kept), kept)
    return replays(kept), material


def episode_name(number: int) -> str:
    """What stands for the file of an episode that is kept in none."""
    return f"episode_{number + 1}.json"
