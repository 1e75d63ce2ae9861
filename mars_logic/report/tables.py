"""Results as tables: agents in worlds, beside published numbers, and achievement by achievement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from mars_logic.episodes import Summary, summarise
from mars_logic.report.charts import Curve, chart
from mars_logic.report.material import Material, Row
from mars_logic.world import names


@dataclass(frozen=True)
class Cell:
    """An agent in a world.

    Attributes:
        episodes: How many.
        summary: What they come to.
        complete: The share that unlocked all that could be; None if that is not known.
    """

    episodes: int
    summary: Summary
    complete: float | None


@dataclass(frozen=True)
class Bar:
    """How often an agent unlocked an achievement, and in how many episodes it could."""

    times: int
    of: int

    @property
    def rate(self) -> float:
        """The share of episodes in which it could be unlocked, and was."""
        return self.times / self.of if self.of else 0.0


def cell(rows: Sequence[Row]) -> Cell | None:
    """Sum up episodes; None if there are none."""
    if not rows:
        return None
    known = [row.complete for row in rows if row.complete is not None]
    summary = summarise(
        [row.reward for row in rows],
        [row.unlocked for row in rows],
        names.achievements(rows[0].dynamics),
        [row.unreachable for row in rows],
    )
    return Cell(len(rows), summary, fmean(known) if len(known) == len(rows) else None)


def bars(material: Material, world: str) -> list[tuple[str, list[Bar | None]]]:
    """For each achievement, how often each agent unlocked it in a world; the most often first."""
    columns = [material.of(agent, world) for agent in material.agents]
    every = [row for rows in columns for row in rows]
    goals = names.achievements(every[0].dynamics)
    found = [(name, [_bar(rows, name) for rows in columns]) for name in goals]
    return sorted(found, key=lambda row: -sum(bar.rate for bar in row[1] if bar))


def share(rows: Sequence[Row], name: str) -> float:
    """The share of episodes that unlocked an achievement."""
    return sum(name in row.unlocked for row in rows) / len(rows)


def _bar(rows: Sequence[Row], name: str) -> Bar | None:
    if not rows:
        return None
    possible = [row for row in rows if name not in row.unreachable]
    return Bar(sum(name in row.unlocked for row in possible), len(possible))


def curves(material: Material, world: str) -> list[tuple[str, str]]:
    """The learning curves of a world: titles and drawings; none if nobody learned there."""
    learners = [
        (agent, runs) for agent in material.agents if (runs := [*material.lessons(agent, world)])
    ]

    def drawn(title: str, field: str, *look: object) -> tuple[str, str]:
        lines = [
            Curve(agent, tuple(tuple(getattr(row, field) for row in run) for run in runs))
            for agent, runs in learners
        ]
        return title, chart(title, lines, *look)  # type: ignore[arg-type]

    found = [
        drawn("Reward", "reward"),
        drawn("Precision of what is believed", "precision", (0.0, 1.0), "%"),
        drawn("Recall of the true rules", "recall", (0.0, 1.0), "%"),
    ]
    return [(title, svg) for title, svg in found if svg]


def learners(material: Material, world: str) -> list[str]:
    """Who learned in a world, in the order of their curves."""
    return [agent for agent in material.agents if any(material.lessons(agent, world))]
