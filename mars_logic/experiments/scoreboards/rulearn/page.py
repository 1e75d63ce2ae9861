"""The scoreboard of puzzles: published players and ours, by groups of puzzles, and step by step."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from mars_logic.domains.rulearn.language_models.quality import hypothesis_summary
from mars_logic.domains.rulearn.published import FAMILIES, PublishedRow, published_puzzles
from mars_logic.experiments.scoreboards.rulearn.episodes import (
    CONTESTANTS,
    PuzzleEpisode,
    PuzzleUnit,
)
from mars_logic.experiments.series import Chart, Line, Spread
from mars_logic.experiments.solved import HYPOTHESES, hypothesis_cells
from mars_logic.experiments.statistics import bootstrap_mean, wilson
from mars_logic.experiments.tables import in_markdown

Episodes = Mapping[PuzzleUnit, PuzzleEpisode]
STEPS: Final = 15
_HEADS: Final = ("all", "function operator", "escape room", "reactor")
_SHORT: Final = {"fo": "function_operator", "er": "escape_room", "re": "reactor"}
_FEWEST: Final = 2
"""Seeds from which on an interval of steps is told."""


def family_of(unit: PuzzleUnit) -> str:
    """The family of a released puzzle."""
    return _SHORT[unit.puzzle.partition("/")[2][:2]]


def index_of(unit: PuzzleUnit) -> int:
    """The number of a released puzzle in its round, from 1 to 20."""
    return int(unit.puzzle.partition("@")[0][-2:])


GROUPS: Final[Mapping[str, tuple[tuple[str, tuple[int, int]], ...]]] = {
    "function_operator": (
        ("puzzles 1 to 5: one function, one parameter", (1, 5)),
        ("puzzles 6 to 10: two functions of one term", (6, 10)),
        ("puzzles 11 to 15: mostly two functions, three terms", (11, 15)),
        ("puzzles 16 to 18: three functions, three parameters", (16, 18)),
        ("puzzles 19 to 20: three functions, four parameters", (19, 20)),
    ),
    "escape_room": (("one room", (1, 10)), ("three rooms", (11, 20))),
    "reactor": (
        ("rule 1, concatenation", (1, 5)),
        ("rule 2, reverse, whose hint is false", (6, 10)),
        ("rule 3, middle insertion", (11, 15)),
        ("rule 4, prefix replacement", (16, 20)),
    ),
}
"""By family the groups of puzzles, by their numbers in a round."""


def report(episodes: Episodes) -> str:
    """The whole scoreboard, as Markdown."""
    parts = [
        ("Published players and ours", _players(episodes)),
        ("Ours, by group of puzzles", _groups(episodes)),
        ("Ablations", _ablations(episodes)),
        ("Solved by step", _by_step(episodes)),
        ("Speed and repeated actions", _costs(episodes)),
    ]
    if hypotheses := _hypotheses(episodes):
        parts.append(("Hypotheses of language models", hypotheses))
    return "\n".join(f"## {title}\n\n{text}" for title, text in parts)


def _solved(solved: int, many: int, steps: float | None) -> str:
    low, high = wilson(solved, many)
    told = "" if steps is None else f", {steps:.2f} steps"
    return f"{solved / many:.1%} [{low:.1%}, {high:.1%}]{told}"


def _of(episodes: Episodes, name: str) -> list[PuzzleEpisode]:
    """The episodes of a contestant with the usual order of digits."""
    return [each for unit, each in episodes.items() if unit.contestant == name and unit.order == 0]


def _cell(found: Sequence[PuzzleEpisode]) -> str:
    """Share and steps of solved episodes; the share is of the first seed."""
    first = [each for each in found if each.unit.seed == 0]
    if not first:
        return "–"
    steps = [each.steps for each in found if each.solved]
    text = _solved(sum(each.solved for each in first), len(first), None)
    return f"{text}, {_steps(found)} steps" if steps else text


def _steps(found: Sequence[PuzzleEpisode]) -> str:
    """The mean steps of solved episodes, with an interval over seeds."""
    seeds = sorted({each.unit.seed for each in found})
    steps = [[e.steps for e in found if e.unit.seed == seed and e.solved] for seed in seeds]
    means = [statistics.fmean(each) for each in steps if each]
    mean = statistics.fmean(means)
    spread = _interval(means)
    return f"{mean:.2f}" + (f" [{spread[0]:.2f}, {spread[1]:.2f}]" if spread else "")


def _interval(means: Sequence[float]) -> tuple[float, float] | None:
    if len(means) < _FEWEST or max(means) == min(means):
        return None
    return bootstrap_mean(np.array(means), np.ones(len(means)))


def _published(row: PublishedRow) -> list[str]:
    cells = [
        _solved(row.solved[family], row.episodes[family], row.steps.get(family))
        for family in FAMILIES
    ]
    whole = _solved(sum(row.solved.values()), sum(row.episodes.values()), None)
    return [f"{row.player}, {row.mode}", row.source, whole, *cells]


def _players(episodes: Episodes) -> str:
    heads = ("player", "source", *_HEADS)
    rows = [_published(row) for row in published_puzzles().rows]
    for contestant in CONTESTANTS:
        found = _of(episodes, contestant.name)
        if found:
            cells = [
                _cell([each for each in found if family_of(each.unit) == family])
                for family in FAMILIES
            ]
            whole = _cell(found) if len(contestant.families) == len(FAMILIES) else "–"
            rows.append([f"**{contestant.name}**", "ours", whole, *cells])
    return in_markdown(heads, rows) + _orders(episodes)


def _orders(episodes: Episodes) -> str:
    first = CONTESTANTS[0].name
    found = [
        each
        for unit, each in episodes.items()
        if unit.contestant == first and family_of(unit) == "escape_room" and unit.seed == 0
    ]
    if not any(each.unit.order for each in found):
        return ""
    by_puzzle: dict[str, list[int]] = {}
    for each in found:
        by_puzzle.setdefault(each.unit.puzzle, []).append(each.steps)
    means = [statistics.fmean(steps) for steps in by_puzzle.values()]
    low, high = bootstrap_mean(np.array(means), np.ones(len(means))) or (0.0, 0.0)
    solved = sum(each.solved for each in found)
    return (
        f"\nEscape rooms with all six orders of their digits, {first}: {solved} of {len(found)} "
        f"solved, {statistics.fmean(means):.2f} steps [{low:.2f}, {high:.2f}].\n"
    )


def _groups(episodes: Episodes) -> str:
    shown = [each.name for each in CONTESTANTS if each.name.startswith("idea")]
    shown += ["told", "baseline"]
    published = published_puzzles().groups
    rows = []
    for family, groups in GROUPS.items():
        for place, (title, (low, high)) in enumerate(groups):
            cells = [
                _cell([each for each in _of(episodes, name) if _within(each, family, low, high)])
                for name in shown
            ]
            others = [
                f"{shares[family][place]:.0f} %"
                if len(shares.get(family, ())) == len(groups)
                else "–"
                for shares in published.values()
            ]
            rows.append([f"{family.replace('_', ' ')}: {title}", *cells, *others])
    return in_markdown(("puzzles", *shown, *(f"{each} (published)" for each in published)), rows)


def _within(episode: PuzzleEpisode, family: str, low: int, high: int) -> bool:
    """Whether the puzzle of an episode is of a family and has one of these numbers."""
    return family_of(episode.unit) == family and low <= index_of(episode.unit) <= high


def _ablations(episodes: Episodes) -> str:
    rows = []
    for contestant in CONTESTANTS:
        found = _of(episodes, contestant.name)
        cells = [
            _cell([each for each in found if family_of(each.unit) == family]) for family in FAMILIES
        ]
        second = [each for each in found if _within(each, "reactor", 6, 10)]
        if found:
            rows.append([contestant.name, *cells, _cell(second)])
    return in_markdown(("player", *_HEADS[1:], "reactors of rule 2"), rows)


def shares_by_step(found: Sequence[PuzzleEpisode]) -> list[float]:
    """The share that is solved after 0, 1, … steps that count."""
    many = len(found)
    return [
        sum(each.solved and each.steps <= step for each in found) / many for step in range(STEPS)
    ]


def _first(episodes: Episodes, name: str) -> list[PuzzleEpisode]:
    return [each for each in _of(episodes, name) if each.unit.seed == 0]


def _by_step(episodes: Episodes) -> str:
    rows = []
    for contestant in CONTESTANTS:
        for family in (None, *FAMILIES):
            found = [
                each
                for each in _first(episodes, contestant.name)
                if family is None or family_of(each.unit) == family
            ]
            if found and (family or len(contestant.families) > 1):
                shares = [f"{share:.0%}" for share in shares_by_step(found)]
                what = family.replace("_", " ") if family else "all"
                rows.append([contestant.name, what, *shares])
    return in_markdown(("player", "puzzles", *map(str, range(STEPS))), rows)


def _costs(episodes: Episodes) -> str:
    rows = []
    for contestant in CONTESTANTS:
        found = _of(episodes, contestant.name)
        if not found:
            continue
        cells = []
        for family in FAMILIES:
            mine = [each for each in found if family_of(each.unit) == family]
            decisions = sum(each.actions for each in mine)
            took = 1000 * sum(each.seconds for each in mine)
            cells.append(f"{took / decisions:.1f}" if decisions else "–")
        repeated = sum(each.repeated for each in found) / len(found)
        rows.append([contestant.name, *cells, f"{repeated:.2f}"])
    for player, repeated in published_puzzles().repeated.items():
        rows.append([f"{player} (paper)", "–", "–", "–", f"{repeated:.2f}"])
    heads = [f"{each}: ms of processor a decision" for each in _HEADS[1:]]
    return in_markdown(("player", *heads, "repeated actions a puzzle"), rows)


def _hypotheses(episodes: Episodes) -> str:
    """What hypotheses in free text are worth, by player and family; empty if there are none."""
    rows = []
    for contestant in CONTESTANTS:
        for family in FAMILIES:
            found = [
                each.hypotheses
                for each in _of(episodes, contestant.name)
                if each.hypotheses and family_of(each.unit) == family
            ]
            if found:
                cells = hypothesis_cells(hypothesis_summary(found))
                rows.append([contestant.name, family.replace("_", " "), *cells])
    return in_markdown(("player", "puzzles", *HYPOTHESES), rows) if rows else ""


def solved_chart(episodes: Episodes) -> Chart:
    """The share of all puzzles that is solved by step; of published players, in the end."""
    lines = []
    for name in ("idea", "told", "no revision", "baseline"):
        found = _first(episodes, name)
        if found:
            lines.append(_line(f"ours: {name}", [100 * share for share in shares_by_step(found)]))
    for row in published_puzzles().rows:
        if row.source == "csv" and (row.player, row.mode) in (
            ("GPT-4o", "idea"),
            ("people", "idea"),
        ):
            share = 100 * sum(row.solved.values()) / sum(row.episodes.values())
            what = f"{row.player}, in the end ({share:.0f} %, published)"
            lines.append(_line(what, [share] * STEPS))
    title = "Puzzles solved within so many steps"
    return Chart(
        "solved", title, "steps that count", "puzzles solved, %", tuple(lines), log_y=False
    )


def _line(label: str, shares: Sequence[float]) -> Line:
    spreads: Any = tuple(Spread.of([share]) for share in shares)
    return Line(label, tuple(range(len(shares))), spreads)
