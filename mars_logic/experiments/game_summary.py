"""Episodes in games summed up: scores, as SmartPlay reports them, beside rewards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any, Final

import numpy as np

from mars_logic.experiments.rows import Row
from mars_logic.experiments.series import Spread
from mars_logic.experiments.statistics import bootstrap_mean, share_interval

Summary = dict[str, Any]
_QUANTITIES: Final = ("score", "normalised", "reward")


def game_results(judged: Iterable[Row], rows: Iterable[Row]) -> list[Summary]:
    """What came of games that are no puzzles, for each agent in each of them.

    Args:
        judged: The episodes by which agents are judged; those in worlds are left out.
        rows: All episodes.

    Returns:
        ``agent`` and ``world``, the game; ``phase``, ``units`` and ``episodes``; of ``score``,
        ``normalised`` and ``reward`` ``mean``, ``std`` and ``interval``, by a bootstrap over units,
        None where there is none; ``complete``, a share, None in a game without a goal; ``steps``;
        and ``curve``: for each learning episode the same means.
    """
    lessons = _cells(row for row in rows if row.phase == "learn")
    return [
        {
            "agent": agent,
            "world": world,
            "phase": "+".join(sorted({row.phase for row in some})),
            "units": len({row.unit for row in some}),
            "episodes": len(some),
            **_means(some),
            "complete": _completed(some),
            "steps": asdict(Spread.of([row.steps for row in some])),
            "curve": _curve(lessons.get((agent, world), [])),
        }
        for (agent, world), some in _cells(judged).items()
    ]


def _cells(rows: Iterable[Row]) -> dict[tuple[str, str], list[Row]]:
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row.is_game and not row.is_puzzle:
            found.setdefault((row.agent, row.world_name), []).append(row)
    return found


def _means(rows: Sequence[Row]) -> Summary:
    return {name: _mean(rows, name) for name in _QUANTITIES}


def _mean(rows: Sequence[Row], column: str) -> Summary | None:
    """Mean, standard deviation and interval of a column; None where a value is not known."""
    units: dict[str, list[float]] = {}
    for row in rows:
        if (value := getattr(row, column)) is None:
            return None
        units.setdefault(row.unit, []).append(value)
    values = np.concatenate([*units.values()])
    sums = np.array([sum(some) for some in units.values()])
    return {
        "mean": float(values.mean()),
        "std": float(values.std(ddof=1)) if len(values) > 1 else 0.0,
        "interval": bootstrap_mean(sums, np.array([len(some) for some in units.values()], float)),
    }


def _completed(rows: Sequence[Row]) -> Summary | None:
    if any(row.complete is None for row in rows):
        return None
    times, units = sum(bool(row.complete) for row in rows), len({row.unit for row in rows})
    return {"rate": times / len(rows), "interval": share_interval(times, len(rows), units)}


def _curve(lessons: Sequence[Row]) -> list[Summary]:
    return [
        {"episode": number, "units": len(some), **_means(some)}
        for number in sorted({row.episode for row in lessons})
        if (some := [row for row in lessons if row.episode == number])
    ]
