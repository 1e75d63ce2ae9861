"""The results of an experiment as a page in Markdown, beside published ones, and as curves."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from mars_logic.experiments import published
from mars_logic.experiments.comparison import columns, not_compared
from mars_logic.experiments.kinds import QUANTITIES, kind_rows
from mars_logic.experiments.missed import mistake_rows
from mars_logic.experiments.summary import Summary, with_marks
from mars_logic.measure.report import Chart, Line, Spread
from mars_logic.measure.table import in_markdown, number
from mars_logic.theory.atoms import KINDS

MAIN: Final = ("units", "episodes", "reward", "score, %", "complete", "died", "steps")
PAIRED: Final = (
    "world",
    "agent",
    "against",
    "maps",
    "of its reward, %",
    "difference of rewards",
    "units better",
    "worse",
    "equal",
)
BY_KIND: Final = (
    "agent",
    "world",
    "runs",
    *(f"{kind}: {quantity}, %" for kind in KINDS for quantity in QUANTITIES),
)
_KIND_NOTES: Final = """\
Of the atomic facts of each kind of rule: *precision*, the share of what is believed after the last
learning episode that is true, and *recall*, the share of what is true that is believed; means over
learning runs.
"""
MISTAKEN: Final = ("agent", "world", "runs", "true, but most often not held", "false, but held")
_MISTAKEN_NOTES: Final = """\
Atomic facts with the number of learning runs that ended so; at most five of each.
"""
_NOTES: Final = """\
*Reward* is the sum over an episode: mean ± standard deviation, and the 95 % interval of the mean
(bootstrap). *Score* is the geometric mean of the success rates in percent, with 1 added to each
before and taken off after: exp(mean(ln(1 + rate))) − 1; with its interval (bootstrap). It is too
low where episodes are few, and so is its interval: what is seldom reached is then never reached.
*Complete* is the share of episodes that reached everything reachable on their map but what hangs on
a finite chance, *died* the share that ended in death; with intervals (Wilson). *Steps* are those of
an episode: median and quartiles. What is proved unreachable on a map does not count against a rate.
Bootstraps (BCa) draw units: a setting of an agent in a world with a seed. Fewer than five units
have no intervals. In brackets after an agent: what it is *given* besides what it observes, and the
rules that a learner believes at first, its *prior*.
"""
_CURVES: Final = (
    ("reward", "Reward of each learning episode", 1),
    ("precision", "What is believed and true, of what is believed", 100),
    ("recall", "What is believed and true, of what is true", 100),
    ("changes_recall", "What is believed, of that which differs from Crafter", 100),
)


_YARDSTICKS: Final = {
    "oracle": "Learners beside the oracle, which is given the rules and the whole map",
    "informed": "Learners beside the informed agent, which is given the rules, not the map",
}


def page(
    found: Summary, commands: Sequence[str], pictures: Mapping[str, str], spec: str | None = None
) -> str:
    """The page.

    Args:
        found: The summary; labels of agents get marks of what they are given.
        commands: What made these results.
        pictures: The files of curves by their names.
        spec: What was asked of the experiment, in YAML, if that is known.
    """
    found = with_marks(found, found["given"])
    results, by = found["results"], found["by"]
    parts = ["# Results of an experiment\n", "Made by the commands at the end.\n"]
    parts += [in_markdown((*by, *MAIN), main_rows(results, by)), _NOTES]
    if by == ["agent", "world"]:
        parts += [*beside(found["published"])]
    if found["learning"]:
        parts += ["## Learning\n", _learning(found["learning"], by)]
        parts += [f"{published.RULES}\n"] if _as_long(found["learning"]) else []
        drawn = [(title, pictures[name]) for name, title, _ in _CURVES if name in pictures]
        parts += [f"![{title}]({file})\n" for title, file in drawn]
    if found.get("kinds"):
        table = in_markdown(BY_KIND, kind_rows(found["kinds"]))
        parts += ["## What learners know by kind of rule\n", table, _KIND_NOTES]
    if found.get("mistakes"):
        table = in_markdown(MISTAKEN, mistake_rows(found["mistakes"]))
        parts += ["## What learners believe wrongly in the end\n", table, _MISTAKEN_NOTES]
    for name, title in _YARDSTICKS.items():
        if found[name]:
            parts += [f"## {title}\n", in_markdown(PAIRED, paired_rows(found[name])), _PAIRED_NOTES]
    yardsticks = [pair for name in _YARDSTICKS for pair in found[name]]
    if others := [pair for pair in found["paired"] if pair not in yardsticks]:
        table = in_markdown(PAIRED, paired_rows(others))
        parts += ["## Compared on the same maps\n", table, _PAIRED_NOTES]
    parts += ["## Success rates\n", _rates(results, by)]
    parts += ["## Cost\n", _cost(found["cost"])] if found["cost"] else []
    parts += ["## How to make it again\n", _fenced("", "\n".join(commands))]
    if spec is not None:
        parts += ["`spec.yaml`, as it lies in the experiment's folder:\n", _fenced("yaml", spec)]
    return "\n".join(parts)


def _as_long(learning: Sequence[Summary]) -> bool:
    """Whether all learned in as many episodes as :data:`published.RULES` tells of."""
    return all(len(row["curve"]) == published.RULES_EPISODES for row in learning)


def _fenced(language: str, text: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```\n"


def main_rows(results: Sequence[Summary], by: Sequence[str]) -> list[tuple[str, ...]]:
    """A line for each group, under its names and :data:`MAIN`."""
    return [
        (
            *(row[name] for name in by),
            str(row["units"]),
            f"{row['episodes']}{' (learning)' if 'learn' in row['phase'] else ''}",
            _reward(row),
            _with_interval(row["score"]),
            _share(row["complete"]),
            _share(row["death"]),
            f"{row['steps']['median']:.0f} ({row['steps']['low']:.0f}–{row['steps']['high']:.0f})",
        )
        for row in results
    ]


def beside(compared: Sequence[Summary]) -> Iterator[str]:
    """Rewards and scores beside published ones, for each protocol by which some were measured.

    Args:
        compared: Of :func:`~mars_logic.experiments.comparison.comparisons`.
    """
    if not compared:
        return
    yield "## Beside published results\n"
    for one in compared:
        if one["cells"]:
            yield f"### {one['protocol']}\n"
            yield _beside_table("reward", one, "reward")
            yield _beside_table("score, %", one, "score")
        if told := not_compared(one):
            yield f"{told}\n"
    if any(one["cells"] for one in compared):
        yield f"{published.SOURCES}\n"


def _beside_table(title: str, one: Summary, what: str) -> str:
    """A column for each agent, and for each published one that has such numbers."""
    ours, theirs = columns(one, what)
    names, numbers = zip(*ours, *theirs, strict=True)
    worlds = one["worlds"]
    lines = [(world, *(_number(each.get(world)) for each in numbers)) for world in worlds]
    if set(worlds) >= set(published.REWARDS):
        lines.append(("mean", *(_mean_over(worlds, each) for each in numbers)))
    return in_markdown((title, *names), lines)


def _number(found: Summary | None) -> str:
    """A mean with its standard deviation, where that is known."""
    if found is None:
        return ""
    return f"{found['mean']:.1f}" if found["std"] is None else _plain(found["mean"], found["std"])


def _mean_over(worlds: Sequence[str], column: Mapping[str, Summary]) -> str:
    """The mean over worlds, if there is a number for each."""
    known = [found["mean"] for world in worlds if (found := column.get(world))]
    return f"{statistics.fmean(known):.1f}" if len(known) == len(worlds) else ""


def _reward(row: Summary) -> str:
    reward = row["reward"]
    return f"{_plain(reward['mean'], reward['std'])}{_interval(reward['interval'])}"


def _plain(mean: float, std: float) -> str:
    return f"{mean:.1f} ± {std:.1f}"


def _with_interval(found: Summary | None, scale: float = 1) -> str:
    if found is None:
        return ""
    return f"{scale * found['mean']:.1f}{_interval(found['interval'], scale)}"


def _interval(interval: Sequence[float] | None, scale: float = 1) -> str:
    if interval is None:
        return ""
    low, high = (f"{scale * end:.1f}" for end in interval)
    return f" ({low} to {high})"


def _share(found: Summary | None) -> str:
    if found is None:
        return "–"
    if found["interval"] is None:
        return f"{found['rate']:.0%}"
    low, high = found["interval"]
    return f"{found['rate']:.0%} ({low:.0%}–{high:.0%})"


def _learning(learning: Sequence[Summary], by: Sequence[str]) -> str:
    head = (*by, "episode", "units", "reward", "precision, %", "recall, %", "of what differs, %")
    rows = [
        (
            *(row[name] for name in by),
            str(point["episode"]),
            str(point["units"]),
            *(_with_interval(point[name], scale) for name, _, scale in _CURVES),
        )
        for row in learning
        for point in row["curve"]
    ]
    return in_markdown(head, rows)


_PAIRED_NOTES: Final = """\
*Of its reward* is the ratio of mean rewards on the same maps, the agent's to that of the one it is
compared with, where that is above 0. The difference is that of these means, with its 95 % interval
(bootstrap over units). A unit is better where its mean reward is larger than the baseline's.
"""


def paired_rows(pairs: Iterable[Summary]) -> list[tuple[str, ...]]:
    """A line for each comparison, under :data:`PAIRED`."""
    return [
        (
            pair["world"] or "all",
            pair["agent"],
            pair["baseline"],
            str(pair["maps"]),
            _of_its_reward(pair),
            _with_interval(pair["difference"]),
            *(str(pair[name]) for name in ("better", "worse", "equal")),
        )
        for pair in pairs
    ]


def _of_its_reward(pair: Summary) -> str:
    return "–" if pair["ratio"] is None else f"{100 * pair['ratio']:.0f}"


def _rates(results: Sequence[Summary], by: Sequence[str]) -> str:
    """One line an achievement; for each first name of the groups a table of its own."""
    tables: dict[str, list[Summary]] = {}
    for row in results:
        tables.setdefault(row[by[0]], []).append(row)
    if len(by) == 1:
        tables = {by[0]: list(results)}
    return "\n".join(_rate_table(title, rows, by[-1]) for title, rows in tables.items())


def _rate_table(title: str, rows: Sequence[Summary], across: str) -> str:
    names = dict.fromkeys(name for row in rows for name in row["success"])
    lines = [
        (name, *(_share(row["success"][name]) if name in row["success"] else "" for row in rows))
        for name in names
    ]
    return in_markdown((title, *(row[across] for row in rows)), lines)


def _cost(cost: Summary) -> str:
    hours = f"{cost['seconds'] / 3600:.1f} hours" if cost["seconds"] > 3600 else None
    time = hours or f"{cost['seconds']:.0f} seconds"
    table = in_markdown(
        ("agent", "steps", "milliseconds a step"),
        [
            (each["agent"], f"{each['steps']:,}", number(each["milliseconds_per_step"]))
            for each in cost["agents"]
        ],
    )
    return (
        f"{cost['units']:,} units, {cost['episodes']:,} episodes, {cost['steps']:,} steps: {time} "
        "of work, summed over processes (proofs of maps included); a process took at most "
        f"{cost['peak_memory_mib']:,.0f} MiB, with the one of the learner in it.\n\n"
        f"{table}\nThe mean time that an agent took for a step, to decide and to learn from it, in "
        "all of its episodes: wall time on the machine of the run, with what else it was doing.\n"
    )


def curves(learning: Sequence[Summary]) -> dict[str, list[Chart]]:
    """For each quantity a chart of each world over learning episodes, a line for each agent.

    Args:
        learning: What came of learning episodes, by agent and world.
    """
    worlds: dict[str, list[Summary]] = {}
    for row in learning:
        worlds.setdefault(row["world"], []).append(row)
    drawn: dict[str, list[Chart]] = {}
    for name, title, scale in _CURVES:
        unit = "%" if scale == 100 else "reward"
        for world, rows in worlds.items():
            lines = tuple(line for row in rows if (line := _line(row, name, scale)).x)
            if lines:
                chart = Chart(world, title, "learning episode", unit, lines, log_y=False)
                drawn.setdefault(name, []).append(chart)
    return drawn


def _line(row: Summary, name: str, scale: float) -> Line:
    points = [(float(point["episode"]), point[name]) for point in row["curve"] if point[name]]
    spreads = []
    for _, found in points:
        mean = scale * found["mean"]
        low, high = (scale * end for end in found["interval"] or (found["mean"], found["mean"]))
        spreads.append(Spread(low, mean, high))
    return Line(row["agent"], tuple(x for x, _ in points), tuple(spreads))
