"""The content of each section of a report, as its template reads it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from markupsafe import Markup

from mars_logic.experiments import published
from mars_logic.experiments.comparison import columns, comparisons, not_compared
from mars_logic.experiments.rows import Row
from mars_logic.experiments.statistics import Interval, share_interval
from mars_logic.experiments.summary import totals
from mars_logic.views.report import charts
from mars_logic.views.report.charts import Curve, chart
from mars_logic.views.report.replays import Replay
from mars_logic.views.report.report_data import Material
from mars_logic.views.report.rule_table import RuleRow, RuleTable
from mars_logic.views.report.signs import SIGNS
from mars_logic.world.vocabulary import vocabulary

Context = dict[str, Any]
"""Variables of a template, by name."""


def facts(material: Material) -> str:
    """The report's size in one line."""
    rows, games = material.episodes, {row.world_name for row in material.games.rows}
    counts = (
        (len({row.agent for row in rows}), "agent"),
        (len({*material.worlds, *material.own}), "world"),
        (len(games), "game"),
        (len(rows), "episode"),
        (sum(row.steps for row in rows), "step"),
        (len(material.trained), "training run"),
        (sum(map(len, material.sessions.values())), "request"),
    )
    some = ((count, name) for count, name in counts if count)
    return " · ".join(f"{count:,} {name}{'' if count == 1 else 's'}" for count, name in some)


def reward(value: float) -> str:
    """A reward with one digit and, below 0, a minus sign."""
    return f"{value:.1f}".replace("-", "−")


def results(material: Material) -> Context:
    """Rewards of agents by world, and published ones."""
    rows = [
        (world, [cell(material.of(agent, world)) for agent in material.agents])
        for world in material.worlds
    ]
    cells = [cell for _, row in rows for cell in row if cell]
    judged = [material.of(agent, world) for world in material.worlds for agent in material.agents]
    compared = comparisons([row for some in judged for row in some])
    return {
        "agents": material.agents,
        "results": rows,
        "compared": [(one, *columns(one, "reward")) for one in compared if one["cells"]],
        "not_compared": [told for one in compared if (told := not_compared(one))],
        "sources": published.SOURCES,
        "has_complete": any(cell["complete"] for cell in cells),
        "has_intervals": any(cell["reward"]["interval"] for cell in cells),
        "has_learners": any(row.phase == "learn" for row in material.rows),
        "left_out": material.left_out,
        "spec": material.spec,
        "missing": material.missing,
    }


def replays(material: Material, shown: Sequence[Replay]) -> Context:
    """The episodes of the player."""

    def group(replay: Replay) -> str:
        return f"{replay.kept.row.agent} in {replay.kept.row.world_name}"

    def worth(replay: Replay) -> tuple[bool, int, int]:
        """Priority of an episode as the first one shown."""
        row = replay.kept.row
        learned = material.learned.get(row.unit)
        revised = sum(each.episode == row.number for each in learned.revisions) if learned else 0
        return bool(replay.kept.thoughts), revised, len(row.unlocked)

    groups = [*dict.fromkeys(map(group, shown))]
    ordered = sorted(shown, key=lambda replay: groups.index(group(replay)))
    left = len(material.rows) - len(shown)
    kept = len(material.kept) - len(shown)
    more = f"Episodes without a replay: {left}; {kept} of them can be replayed."
    return {
        "replays": shown,
        "first": max(shown, key=worth).number if shown else 0,
        "choices": [(name, [*members]) for name, members in groupby(ordered, key=group)],
        "more": f"{more} mars-logic report --replays N adds more." if left else "",
    }


@dataclass(frozen=True)
class _ToldRule(RuleRow):
    """A rule with the order and filters of its row."""

    @property
    def rank(self) -> int:
        """Contradicted rules first, then those with counterexamples, and revised ones."""
        if self.verdict == "contradicted" or self.contradicted:
            return 0 if self.verdict == "contradicted" else 1
        return 2 if self.changes else 4 if self.verdict == "untested" else 3

    @property
    def sign(self) -> str:
        return SIGNS[self.verdict]

    @property
    def kinds(self) -> str:
        """The filter buttons that show it."""
        more = {"revised": self.changes, "wrong": self.truth}
        return " ".join([self.verdict, *(name for name, holds in more.items() if holds)])


@dataclass(frozen=True)
class _ToldTable:
    """A table of rules with its summary."""

    title: str
    learned: bool
    transitions: int
    rows: tuple[_ToldRule, ...]

    @property
    def summary(self) -> str:
        counts = Counter(row.verdict for row in self.rows)
        told = [f"{counts[verdict]} {verdict}" for verdict in SIGNS if counts[verdict]]
        return f"{', '.join(told)}, by {self.transitions:,} transitions"

    @property
    def filters(self) -> list[tuple[str, str, int]]:
        """The filter buttons: kind, label, number of rules."""
        counts = Counter(kind for row in self.rows for kind in row.kinds.split())
        told = {str(verdict): str(verdict) for verdict in SIGNS}
        told |= {"revised": "revised", "wrong": "differs from the world"}
        found = [(kind, words, counts[kind]) for kind, words in told.items() if counts[kind]]
        return [("all", "all", len(self.rows)), *found]


def rules(found: Sequence[RuleTable]) -> Context:
    """Rules with verdicts and evidence; the table with most revised rules first."""
    found = sorted(found, key=lambda table: -sum(bool(row.changes) for row in table.rows))
    return {
        "rule_tables": [
            _ToldTable(
                table.title,
                table.learned,
                table.transitions,
                tuple(sorted((_ToldRule(**vars(row)) for row in table.rows), key=lambda r: r.rank)),
            )
            for table in found
        ]
    }


def learning(material: Material) -> Context:
    """The learning curves of each world with a learner."""
    found = []
    for world in material.worlds:
        if drawn := curves(material, world):
            names = learners(material, world)
            who = [(name, material.agents.index(name) % charts.STYLES) for name in names]
            found.append((world, who, [(title, Markup(svg)) for title, svg in drawn]))
    marks = [Markup(charts.mark(number, 15, 6)) for number in range(charts.STYLES)]
    return {"learning": found, "marks": marks}


def achievements(material: Material) -> Context:
    """Success rates of achievements."""
    return {"achievements": [(world, bars(material, world)) for world in material.worlds]}


@dataclass(frozen=True)
class Bar:
    """An agent's success rate for an achievement, with the numbers of episodes and runs."""

    times: int
    of: int
    runs: int

    @property
    def rate(self) -> float:
        """The share of episodes in which it could be unlocked, and was."""
        return self.times / self.of if self.of else 0.0

    @property
    def interval(self) -> Interval | None:
        """The 95 % interval of that share; None of few runs."""
        return share_interval(self.times, self.of, self.runs)


def cell(rows: Sequence[Row]) -> dict[str, Any] | None:
    """An agent's metrics in a world, as in the JSON of ``summarise``; None without episodes."""
    return totals(rows) if rows else None


def bars(material: Material, world: str) -> list[tuple[str, list[Bar | None]]]:
    """For each achievement, how often each agent unlocked it in a world; the most often first."""
    columns = [material.of(agent, world) for agent in material.agents]
    every = [row for rows in columns for row in rows]
    # Of a world's own achievements rows have only those that some episode unlocked, or none can.
    own = (name for row in every for name in (*row.unlocked, *row.unreachable))
    goals = dict.fromkeys((*vocabulary(every[0].dynamics).achievements, *own))
    found = [(name, [_bar(rows, name) for rows in columns]) for name in goals]
    return sorted(found, key=lambda row: -sum(bar.rate for bar in row[1] if bar))


def share(rows: Sequence[Row], name: str) -> float:
    """The share of episodes that unlocked an achievement."""
    return sum(name in row.unlocked for row in rows) / len(rows)


def _bar(rows: Sequence[Row], name: str) -> Bar | None:
    if not rows:
        return None
    possible = [row for row in rows if name not in row.unreachable]
    times = sum(name in row.unlocked for row in possible)
    return Bar(times, len(possible), len({row.unit for row in possible}))


def curves(material: Material, world: str) -> list[tuple[str, str]]:
    """The learning curves of a world: titles and drawings; none if nobody learned there."""
    learners = [
        (agent, runs) for agent in material.agents if (runs := [*material.lessons(agent, world)])
    ]

    def drawn(title: str, field: str, *look: object) -> tuple[str, str]:
        lines = [
            Curve(
                agent,
                tuple(tuple(getattr(row, field) for row in run) for run in runs),
                material.agents.index(agent),
            )
            for agent, runs in learners
        ]
        return title, chart(title, lines, *look)  # type: ignore[arg-type]

    found = [
        drawn("Reward", "reward"),
        drawn("Precision", "precision", (0.0, 1.0), "%"),
        drawn("Recall", "recall", (0.0, 1.0), "%"),
    ]
    return [(title, svg) for title, svg in found if svg]


def learners(material: Material, world: str) -> list[str]:
    """The learners of a world, in the order of their curves."""
    return [agent for agent in material.agents if any(material.lessons(agent, world))]
