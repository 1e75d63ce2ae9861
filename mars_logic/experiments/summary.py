"""Episodes summed up: the paper's metrics with intervals, and learning results.

What is independent are units, not episodes: a learner's evaluation episodes share what it has
learned. So the bootstrap draws units. Success rates have Wilson's intervals, which take episodes
for independent.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.experiments.comparison import comparisons
from mars_logic.experiments.games import given_in_games
from mars_logic.experiments.paired import paired, to_yardstick
from mars_logic.experiments.rows import Row
from mars_logic.experiments.series import Spread
from mars_logic.experiments.solved import puzzle_results
from mars_logic.experiments.statistics import bootstrap, bootstrap_mean, share_interval
from mars_logic.play.episodes import summarise
from mars_logic.play.privileges import given, marked
from mars_logic.system.json_files import value_of
from mars_logic.world.vocabulary import achievement_aliases

SCHEMA: Final = "mars-logic summary 1"
BY: Final = {"agent": "agent", "world": "world_name"}
"""What can be told apart, and the column that tells it."""
_LABELS: Final = ("agent", "baseline")
"""Where labels of agents stand in a summary."""
_CURVES: Final = ("reward", "precision", "recall", "changes_recall")
_GAME_MEANS: Final = ("score", "normalised", "reward")

Summary = dict[str, Any]


def summary(rows: Sequence[Row], by: Sequence[str], baseline: str | None = None) -> Summary:
    """The results of an experiment as one document.

    Args:
        rows: All episodes, learning and all; at least one.
        by: What to tell apart, of :data:`BY`.
        baseline: The label of the setting that the others are compared with, if any.
    """
    judged = scored(rows)
    in_worlds = [row for row in judged if not row.is_game]
    groups = _grouped(in_worlds, by)
    learners = {row.agent for row in rows if row.phase == "learn"}
    return {
        "schema": SCHEMA,
        "by": list(by),
        "given": given_to(rows),
        "results": [dict(zip(by, key, strict=True)) | totals(some) for key, some in groups.items()],
        "games": game_results(judged, rows),
        "puzzles": puzzle_results(judged),
        "learning": learning(rows, by),
        "paired": paired(judged, baseline) if baseline is not None else [],
        "oracle": to_yardstick(in_worlds, "oracle", learners),
        "informed": to_yardstick(in_worlds, "informed", learners),
        "published": comparisons(in_worlds),
        "cost": _cost(rows),
    }


def given_to(rows: Iterable[Row]) -> dict[str, str]:
    """The privileged inputs of each agent, by its label; empty without any."""
    settings: dict[str, Row] = {}
    for row in rows:
        if row.agent not in settings or not row.is_game:  # worlds say more
            settings[row.agent] = row
    return {label: _given(row) for label, row in settings.items()}


def _given(row: Row) -> str:
    options = value_of(row.options, "options", "a mapping")
    if row.is_game:
        return given_in_games(row.dynamics, row.agent_name, options, row.belief)
    return given(row.agent_name, options, row.belief)


def with_marks(found: Any, told: Mapping[str, str]) -> Any:
    """A summary, or a part of one, in which every label of an agent says what the agent is given.

    Args:
        found: Of :func:`summary`.
        told: Of :func:`given_to`.
    """
    if isinstance(found, list):
        return [with_marks(part, told) for part in found]
    if not isinstance(found, Mapping):
        return found
    return {
        name: marked(part, told.get(part, ""))
        if name in _LABELS and isinstance(part, str)
        else with_marks(part, told)
        for name, part in found.items()
    }


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
    lessons = _in_games(row for row in rows if row.phase == "learn")
    return [
        {
            "agent": agent,
            "world": world,
            "phase": "+".join(sorted({row.phase for row in some})),
            "units": len({row.unit for row in some}),
            "episodes": len(some),
            **_means(some),
            "complete": _share(some, [row.complete for row in some]),
            "steps": asdict(Spread.of([row.steps for row in some])),
            "curve": _game_curve(lessons.get((agent, world), [])),
        }
        for (agent, world), some in _in_games(judged).items()
    ]


def _in_games(rows: Iterable[Row]) -> dict[tuple[str, str], list[Row]]:
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row.is_game and not row.is_puzzle:
            found.setdefault((row.agent, row.world_name), []).append(row)
    return found


def _means(rows: Sequence[Row]) -> Summary:
    return {name: _mean(rows, name) for name in _GAME_MEANS}


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


def _game_curve(lessons: Sequence[Row]) -> list[Summary]:
    return [
        {"episode": number, "units": len(some), **_means(some)}
        for number in sorted({row.episode for row in lessons})
        if (some := [row for row in lessons if row.episode == number])
    ]


def _cost(rows: Sequence[Row]) -> Summary | None:
    """What it took; None if that is not known of every episode."""
    if any(math.isnan(row.seconds) for row in rows):
        return None
    return {
        "units": len({row.unit for row in rows}),
        "episodes": len(rows),
        "steps": sum(row.steps for row in rows),
        "seconds": sum(row.seconds for row in rows),
        "peak_memory_mib": max(row.peak_memory_mib for row in rows),
        "agents": [
            {"agent": agent, "steps": steps, "milliseconds_per_step": 1000 * seconds / steps}
            for (agent,), some in _grouped(rows, ["agent"]).items()
            if (steps := sum(row.steps for row in some))
            for seconds in (sum(row.seconds_per_decision * row.steps for row in some),)
        ],
    }


def learning(rows: Iterable[Row], by: Sequence[str]) -> list[Summary]:
    """The results of each learning episode in worlds, as means over units; see :func:`summary`."""
    return [
        dict(zip(by, key, strict=True)) | {"curve": _curve(some)}
        for key, some in _grouped(_lessons(rows), by).items()
    ]


def _lessons(rows: Iterable[Row]) -> list[Row]:
    return [row for row in rows if row.phase == "learn" and not row.is_game]


def scored(rows: Iterable[Row]) -> list[Row]:
    """The episodes by which agents are judged: not those of learning, if there are others."""
    cells: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        cells.setdefault((row.agent, row.world_name), []).append(row)
    found: list[Row] = []
    for some in cells.values():
        judged = [row for row in some if row.phase != "learn"]
        found += judged or some
    return found


def _grouped(rows: Iterable[Row], by: Sequence[str]) -> dict[tuple[str, ...], list[Row]]:
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(getattr(row, BY[name]) for name in by), []).append(row)
    return groups


def totals(rows: Sequence[Row]) -> Summary:
    """The metrics of one group of episodes."""
    rows = _with_the_same_names(rows)
    names = rows[0].achievements
    found = summarise(
        [row.reward for row in rows],
        [row.unlocked for row in rows],
        names,
        [row.unreachable for row in rows],
    )
    rewards = np.array([row.reward for row in rows])
    units = _units(rows)
    open_to = np.array([[name not in row.unreachable for name in names] for row in rows], float)
    reached = np.array([[name in row.unlocked for name in names] for row in rows], float) * open_to
    return {
        "phase": "+".join(sorted({row.phase for row in rows})),
        "units": len(set(units)),
        "episodes": len(rows),
        "reward": {
            "mean": found.reward_mean,
            "std": found.reward_std,
            "interval": bootstrap_mean(_sums(units, rewards), _sums(units, np.ones(len(rows)))),
        },
        "score": {
            "mean": found.score,
            "interval": _score_interval(_sums(units, reached), _sums(units, open_to)),
        },
        "complete": _share(rows, [row.complete for row in rows]),
        "death": _share(rows, [row.ended == "death" if row.ended else None for row in rows]),
        "steps": asdict(Spread.of([row.steps for row in rows])),
        "success": {name: _success(name, rows) for name in names},
    }


def _with_the_same_names(rows: Sequence[Row]) -> Sequence[Row]:
    """Rows of both dialects with the achievement names of one, and of worlds with other goals.

    Where worlds have different goals, those of the others are out of a row's reach.
    """
    if len({row.dynamics for row in rows}) > 1:
        rows = _in_one_dialect(rows)
    if len({row.achievements for row in rows}) == 1:
        return rows
    names = tuple(dict.fromkeys(name for row in rows for name in row.achievements))
    lacking = {row.achievements: set(names) - {*row.achievements} for row in rows}
    return [
        replace(
            row,
            goals=names,
            unreachable=(*row.unreachable, *(n for n in names if n in lacking[row.achievements])),
        )
        for row in rows
    ]


def _in_one_dialect(rows: Sequence[Row]) -> Sequence[Row]:
    """Rows of both dialects with the achievement names of one."""
    return [
        replace(
            row,
            dynamics="mars",
            unlocked={
                achievement_aliases().get(name, name): step for name, step in row.unlocked.items()
            },
            unreachable=tuple(achievement_aliases().get(name, name) for name in row.unreachable),
        )
        for row in rows
    ]


def _units(rows: Sequence[Row]) -> NDArray[np.intp]:
    """To which unit each episode belongs, by its position among the names of units."""
    return np.unique([row.unit for row in rows], return_inverse=True)[1]


def _sums(units: NDArray[np.intp], values: NDArray[Any]) -> NDArray[Any]:
    """The sum over the episodes of each unit; ``values`` are ``(episodes, ...)``."""
    found = np.zeros((units.max() + 1, *values.shape[1:]))
    np.add.at(found, units, values)
    return found


def _score_interval(reached: NDArray[Any], open_to: NDArray[Any]) -> Sequence[float] | None:
    """Of the geometric mean of success rates; both arguments are ``(units, achievements)``."""

    def scores(reached: NDArray[Any], tries: NDArray[Any]) -> NDArray[Any]:
        rates = np.divide(reached, tries, out=np.zeros_like(tries), where=tries > 0)
        logs = np.where(tries > 0, np.log1p(100 * rates), 0)
        known = np.maximum(1, np.count_nonzero(tries, axis=1))
        return np.asarray(np.expm1(logs.sum(axis=1) / known))

    return bootstrap(scores, reached, open_to)


def _share(rows: Sequence[Row], flags: Sequence[bool | None]) -> Summary | None:
    """Of how many episodes it is true; None if there are none, or of one it is not known."""
    known = [flag for flag in flags if flag is not None]
    if not known or len(known) < len(flags):
        return None
    runs = len({row.unit for row in rows})
    interval = share_interval(sum(known), len(known), runs)
    return {"rate": sum(known) / len(known), "interval": interval}


def _success(name: str, rows: Sequence[Row]) -> Summary | None:
    """How often an achievement was reached where it is not proved unreachable, and when."""
    open_to = [row for row in rows if name not in row.unreachable]
    share = _share(open_to, [name in row.unlocked for row in open_to])
    steps = [step for row in open_to if (step := row.unlocked.get(name))]
    return share and share | {"step": asdict(Spread.of(steps)) if steps else None}


def _curve(rows: Sequence[Row]) -> list[Summary]:
    """The results of each learning episode, as means over units."""
    return [
        {"episode": number, "units": len(some)}
        | {name: mean([getattr(row, name) for row in some]) for name in _CURVES}
        | {"revisions": mean([row.revisions for row in some])}
        for number in sorted({row.episode for row in rows})
        if (some := [row for row in rows if row.episode == number])
    ]


def mean(values: Sequence[float | None]) -> Summary | None:
    """The mean of what is known, one value a unit; None if nothing is."""
    known = np.array([value for value in values if value is not None], float)
    if not len(known):
        return None
    return {"mean": float(known.mean()), "interval": bootstrap_mean(known, np.ones_like(known))}


def flat(result: Mapping[str, Any]) -> dict[str, Any]:
    """One line of a table of numbers, as for CSV."""
    line: dict[str, Any] = {}
    for name, value in result.items():
        if name == "success":
            for achievement, found in value.items():
                line[achievement] = found["rate"] if found else None
                low, high = (found and found["interval"]) or (None, None)
                line |= {f"{achievement}_low": low, f"{achievement}_high": high}
        elif isinstance(value, Mapping):
            for part, number in value.items():
                if part == "interval":
                    low, high = number or (None, None)
                    line |= {f"{name}_low": low, f"{name}_high": high}
                else:
                    line[f"{name}_{part}"] = number
        else:
            line[name] = value
    return line
