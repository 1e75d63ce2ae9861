"""Learning curves of training runs: charts of each world, means over seeds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from markupsafe import Markup

from mars_logic.system.display import number
from mars_logic.views.report import charts
from mars_logic.views.report.charts import Curve, chart

MOST_RUNS: Final = 60
"""Runs that a page draws; each takes about 30 kB."""
MOST_POINTS: Final = 400
"""Points of a curve; a longer one is drawn with every second, third… of its rows."""
_TITLES: Final = {
    "reward": "Reward of Crafter",
    "trained": "Reward trained for",
    "score": "Score (%)",
    "unlocked": "Achievements unlocked",
    "length": "Steps of an episode",
}
_SEED: Final = "seed"


@dataclass(frozen=True, repr=False)
class TrainedRun:
    """A training run.

    Attributes:
        name: The name of its folder.
        world: The world that it was trained in.
        settings: Its settings by name, as text.
        steps: Steps in all environments together, at each row of its curve.
        values: The columns of its curve by name, each as long as ``steps``.
    """

    name: str
    world: str
    settings: Mapping[str, str]
    steps: tuple[int, ...]
    values: Mapping[str, tuple[float, ...]]

    def __repr__(self) -> str:
        return f"<TrainedRun {self.name} in {self.world}: {number(len(self.steps), 'row')}>"


@dataclass(frozen=True)
class TrainingTable:
    """The runs in one world as a page shows them.

    Attributes:
        world: The world.
        key: The name, the style and the last values of each curve.
        charts: Titles and drawings.
        common: The settings that all runs share, in words.
    """

    world: str
    key: tuple[tuple[str, int, str], ...]
    charts: tuple[tuple[str, Markup], ...]
    common: str


def training(runs: Sequence[TrainedRun]) -> dict[str, Any]:
    """The context of the section about training runs."""
    begun = [each for each in runs if each.steps]
    drawn, more = begun[:MOST_RUNS], len(begun) - MOST_RUNS
    empty = [each.name for each in runs if not each.steps]
    notes = [f"No episode has ended yet in {name}." for name in empty]
    notes += [f"{number(more, 'more run')}: a page draws {MOST_RUNS}."] if more > 0 else []
    by_world = sorted(drawn, key=lambda run: run.world)
    tables = [_table(world, [*some]) for world, some in groupby(by_world, lambda run: run.world)]
    marks = [Markup(charts.mark(style, 15, 6)) for style in range(charts.STYLES)]
    return {"training": tables, "training_notes": notes, "training_marks": marks}


def _table(world: str, runs: Sequence[TrainedRun]) -> TrainingTable:
    names = dict.fromkeys(name for run in runs for name in run.settings if name != _SEED)
    differing = [name for name in names if len({run.settings.get(name) for run in runs}) > 1]
    groups = [*_groups(runs)]
    labels = _labels(groups, differing)
    curves = {
        column: [
            Curve(
                label,
                tuple(_thinned(_at(group[0].steps, run, column)) for run in group),
                style,
                _thinned(group[0].steps),
            )
            for style, (label, group) in enumerate(zip(labels, groups, strict=True))
        ]
        for column in _TITLES
    }
    if all(run.values["reward"] == run.values["trained"] for run in runs):
        del curves["trained"]
    key = tuple(
        (curve.name, curve.style % charts.STYLES, _last(group))
        for curve, group in zip(curves["reward"], groups, strict=True)
    )
    drawn = tuple(
        (_TITLES[column], Markup(chart(_TITLES[column], some, over="steps")))
        for column, some in curves.items()
    )
    shared = {name: runs[0].settings[name] for name in names if name not in differing}
    common = ", ".join(f"{name} {value}" for name, value in shared.items() if value)
    return TrainingTable(world, key, drawn, common)


def _groups(runs: Sequence[TrainedRun]) -> Iterator[list[TrainedRun]]:
    """Runs that differ in nothing but the seed, the one with most rows first.

    Each has rows at steps at which that one has rows, too.
    """
    found: list[list[TrainedRun]] = []
    for run in sorted(runs, key=lambda each: -len(each.steps)):
        for group in found:
            first = group[0]
            same = _without_seed(first) == _without_seed(run)
            if same and set(run.steps) <= set(first.steps):
                group.append(run)
                break
        else:
            found.append([run])
    yield from sorted(found, key=lambda group: min(runs.index(each) for each in group))


def _at(steps: Sequence[int], run: TrainedRun, column: str) -> tuple[float | None, ...]:
    """A column of a run at these steps; None where it has no row."""
    known = dict(zip(run.steps, run.values[column], strict=True))
    return tuple(map(known.get, steps))


def _without_seed(run: TrainedRun) -> dict[str, str]:
    return {name: value for name, value in run.settings.items() if name != _SEED}


def _labels(groups: Sequence[Sequence[TrainedRun]], differing: Sequence[str]) -> list[str]:
    """What to call each group: the settings in which it differs, or the name of its folder."""
    told = [
        ", ".join(f"{name} {group[0].settings.get(name) or 'none'}" for name in differing)
        for group in groups
    ]
    if len(set(told)) < len(told) or not differing:
        told = [group[0].name for group in groups]
    return [
        f"{label} ({number(len(group), 'seed')})" if len(group) > 1 else label
        for label, group in zip(told, groups, strict=True)
    ]


def _thinned(values: Sequence[Any]) -> tuple[Any, ...]:
    """Every n-th value, so that at most :data:`MOST_POINTS` are left; always the last one."""
    every = -(-len(values) // MOST_POINTS) or 1
    return tuple(values[(len(values) - 1) % every :: every])


def _last(group: Sequence[TrainedRun]) -> str:
    """The last row in words: its steps, and the mean reward and score over the runs."""
    done = max(run.steps[-1] for run in group)
    rewards = [run.values["reward"][-1] for run in group]
    scores = [run.values["score"][-1] for run in group]
    reward, score = sum(rewards) / len(rewards), sum(scores) / len(scores)
    return f"reward {reward:.1f}, score {score:.1f} % after {done:,} steps".replace("-", "−")
