"""Results as tables: agents in worlds, and achievement by achievement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mars_logic.experiments.rows import Row
from mars_logic.experiments.statistics import Interval, share_interval
from mars_logic.experiments.summary import totals
from mars_logic.views.report.charts import Curve, chart
from mars_logic.views.report.report_data import Material
from mars_logic.world.vocabulary import vocabulary


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
