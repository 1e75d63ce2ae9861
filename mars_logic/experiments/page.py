"""The results of an experiment as a page in Markdown, with published results, and as curves."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from mars_logic.experiments import cells, published, score_page
from mars_logic.experiments.comparison import columns, not_compared
from mars_logic.experiments.learner_rules import QUANTITIES, kind_rows, mistake_rows
from mars_logic.experiments.series import Chart
from mars_logic.experiments.solved import puzzle_part
from mars_logic.experiments.summary import Summary, with_marks
from mars_logic.experiments.tables import fenced, folded, in_markdown, number, plain
from mars_logic.theory.atoms import KINDS

LONG: Final = 100
"""Lines of a table above which a page says only in which file its numbers are."""
MAIN: Final = ("units", "episodes", "reward", "score, %", "complete", "died", "steps")
PAIRED: Final = (
    "world",
    "agent",
    "against",
    "maps",
    "ratio of rewards, %",
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
Atomic facts of each kind of rule after the last learning episode: *precision* is the share of
believed facts that are true, *recall* the share of true facts that are believed; means over
learning runs.
"""
MISTAKEN: Final = (
    "agent",
    "world",
    "runs",
    "true facts mostly not believed",
    "false facts believed",
)
_MISTAKEN_NOTES: Final = """\
Atomic facts with the number of learning runs with this error at the end; at most five of each.
"""
_NOTES: Final = """\
*Reward* is the sum over an episode: mean ± standard deviation, and the 95 % interval of the mean
(bootstrap). *Score* is the geometric mean of the success rates in percent, exp(mean(ln(1 + rate)))
− 1, with its interval (bootstrap). Score and interval are biased downwards for few episodes, which
miss rare achievements. *Complete* is the share of episodes that unlocked everything reachable on
their map, without achievements that depend on a limited number of random tries; *died* is the share
that ended in death; both with Wilson intervals. *Steps* of an episode: median and quartiles.
Success rates leave out maps on which the achievement is proved unreachable. Bootstraps (BCa)
resample units: a setting of an agent in a world with a seed. Fewer than five units have no
intervals. In brackets after an agent: its knowledge beyond observations (*given*), and the initial
rules of a learner (its *prior*).
"""
_CURVES: Final = (
    ("reward", "Reward", 1),
    ("precision", "Precision", 100),
    ("recall", "Recall", 100),
    ("changes_recall", "Recall on changed rules", 100),
)
_CURVES_NOTES: Final = """\
*Precision* is the share of believed facts that are true, *recall* the share of true facts that are
believed, and *recall on changed rules* the same of those facts that differ from Crafter's.
"""


_YARDSTICKS: Final = {
    "oracle": "Learners compared with the oracle, which is given the rules and the whole map",
    "informed": "Learners compared with the informed agent, which is given the rules, not the map",
}


def page(
    found: Summary,
    commands: Sequence[str],
    pictures: Mapping[str, str],
    spec: str | None = None,
    programs: Sequence[str] = (),
    data: str = "",
    name: str | None = None,
) -> str:
    """The page.

    Args:
        found: The summary; labels of agents are marked with their given knowledge.
        commands: The commands that made these results.
        pictures: The files of curves by their names.
        spec: The experiment's spec in YAML, if known.
        programs: The versions of the program that played, if known.
        data: The file that holds the whole summary, for tables of more than :data:`LONG` lines.
        name: What the experiment is called, if it has a name.
    """
    found = with_marks(found, found["given"])
    results, by = found["results"], found["by"]
    made = f" with mars-logic {' and '.join(programs)}" if programs else ""
    parts = [
        f"# {plain(name or 'Results of an experiment')}\n",
        f"Made{made} by the commands at the end.\n",
    ]
    drawn = [f"![{title}]({pictures[name]})\n" for name, title, _ in _CURVES if name in pictures]
    parts += drawn[:1]
    whole = cells.table((*by, *MAIN), main_rows(results, by)) if results else ""
    if by == ["agent", "world"] and len({row["world"] for row in results}) > 1:
        parts += [*_at_a_glance(results), _details("All numbers", whole, _NOTES, data)]
    elif results:
        parts += [whole, _NOTES]
    parts += [*score_page.parts(found["games"], pictures), *puzzle_part(found["puzzles"])]
    if by == ["agent", "world"]:
        parts += [*beside(found["published"])]
    if found["learning"]:
        parts += ["## Learning\n", *drawn[1:]]
        numbers = _learning(found["learning"], by)
        parts += [_CURVES_NOTES, _details("Learning in numbers", numbers, "", data)]
        parts += [f"{published.RULES}\n"] if _as_long(found["learning"]) else []
    if found.get("kinds"):
        table = cells.table(BY_KIND, kind_rows(found["kinds"]))
        parts += [_details("Precision and recall by kind of rule", table, _KIND_NOTES, data)]
    if found.get("mistakes"):
        table = in_markdown(MISTAKEN, mistake_rows(found["mistakes"]))
        parts += [_details("Errors in the final beliefs", table, _MISTAKEN_NOTES, data)]
    parts += [*_comparisons(found, data)]
    parts += [_details("Success rates", _rates(results, by), "", data)] if results else []
    parts += ["## Cost\n", _cost(found["cost"])] if found["cost"] else []
    parts += ["## Reproduction\n", fenced("\n".join(commands))]
    if spec is not None:
        parts += [folded("The experiment's spec.yaml", fenced(spec, "yaml"))]
    return "\n".join(parts)


def _details(title: str, table: str, notes: str, data: str) -> str:
    """A folded table with its notes; of a long one only where it is."""
    lines = table.count("\n")
    if not data or lines <= LONG:
        return folded(title, f"{table}\n{notes}" if notes else table)
    return folded(title, f"{lines:,} lines, all in [{plain(data)}]({data}).\n\n{notes}")


def _at_a_glance(results: Sequence[Summary]) -> Iterator[str]:
    """Rewards, and shares of complete episodes and of deaths: a line a world, a column an agent."""
    worlds = dict.fromkeys(row["world"] for row in results)
    agents = dict.fromkeys(row["agent"] for row in results)
    found = {(row["agent"], row["world"]): row for row in results}

    def table(title: str, cell: Callable[[Summary], str]) -> str:
        lines = [
            (
                world,
                *(cell(found[each, world]) if (each, world) in found else "" for each in agents),
            )
            for world in worlds
        ]
        return cells.table((title, *agents), lines)

    yield table("mean reward", lambda row: cells.with_interval(row["reward"]))
    yield table("complete; died, %", lambda row: f"{_rate(row['complete'])}; {_rate(row['death'])}")
    episodes = sorted({row["episodes"] for row in results})
    count = f"{episodes[0]}" if len(episodes) == 1 else f"{episodes[0]} to {episodes[-1]}"
    yield (
        f"{count} episodes a world and agent; in brackets 95 % intervals of the mean (bootstrap "
        "over units). *Complete*: everything unlocked that is reachable on the map.\n"
    )


def _rate(found: Summary | None) -> str:
    return "–" if found is None else f"{100 * found['rate']:.0f}"


def _comparisons(found: Summary, data: str) -> Iterator[str]:
    """The learners beside what knows the rules, and other pairs on the same maps."""
    yardsticks = [pair for name in _YARDSTICKS for pair in found[name]]
    others = [pair for pair in found["paired"] if pair not in yardsticks]
    titles = {title: found[name] for name, title in _YARDSTICKS.items()}
    for title, pairs in (titles | {"Paired comparison on the same maps": others}).items():
        if pairs:
            table = cells.table(PAIRED, paired_rows(pairs))
            yield _details(title, table, _PAIRED_NOTES, data)


def _as_long(learning: Sequence[Summary]) -> bool:
    """Whether all learned in as many episodes as :data:`published.RULES` tells of."""
    return all(len(row["curve"]) == published.RULES_EPISODES for row in learning)


def main_rows(results: Sequence[Summary], by: Sequence[str]) -> list[tuple[str, ...]]:
    """A line for each group, under its names and :data:`MAIN`."""
    return [
        (
            *(row[name] for name in by),
            *cells.numbers_of(row),
            _reward(row),
            cells.with_interval(row["score"]),
            cells.share(row["complete"]),
            cells.share(row["death"]),
            cells.steps(row),
        )
        for row in results
    ]


def beside(compared: Sequence[Summary]) -> Iterator[str]:
    """Rewards and scores compared with published ones, for each protocol.

    Args:
        compared: Of :func:`~mars_logic.experiments.comparison.comparisons`.
    """
    if not compared:
        return
    yield "## Comparison with published results\n"
    for one in compared:
        if one["cells"]:
            yield f"### {one['protocol']}\n"
            yield _beside_table("reward", one, "reward")
            yield _beside_table("score, %", one, "score")
        if told := not_compared(one):
            yield f"{plain(told)}\n"
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
    return cells.table((title, *names), lines)


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
    return f"{_plain(reward['mean'], reward['std'])}{cells.interval_of(reward['interval'])}"


def _plain(mean: float, std: float) -> str:
    return f"{mean:.1f} ± {std:.1f}"


def _learning(learning: Sequence[Summary], by: Sequence[str]) -> str:
    titles = [title.lower() + (", %" if scale == 100 else "") for _, title, scale in _CURVES]
    head = (*by, "episode", "units", *titles)
    rows = [
        (
            *(row[name] for name in by),
            str(point["episode"]),
            str(point["units"]),
            *(cells.with_interval(point[name], scale) for name, _, scale in _CURVES),
        )
        for row in learning
        for point in row["curve"]
    ]
    return cells.table(head, rows)


_PAIRED_NOTES: Final = """\
*Ratio of rewards* divides the agent's mean reward by that of the compared agent on the same maps,
if the latter is above 0. The difference is that of these means, with its 95 % interval (bootstrap
over units). A unit is better if its mean reward is larger than that of the compared agent.
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
            cells.with_interval(pair["difference"]),
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
        (
            name,
            *(cells.share(row["success"][name]) if name in row["success"] else "" for row in rows),
        )
        for name in names
    ]
    return cells.table((title, *(row[across] for row in rows)), lines)


def _cost(cost: Summary) -> str:
    hours = f"{cost['seconds'] / 3600:.1f} hours" if cost["seconds"] > 3600 else None
    time = hours or f"{cost['seconds']:.0f} seconds"
    table = cells.table(
        ("agent", "steps", "milliseconds a step"),
        [
            (each["agent"], f"{each['steps']:,}", number(each["milliseconds_per_step"]))
            for each in cost["agents"]
        ],
    )
    return (
        f"{cost['units']:,} units, {cost['episodes']:,} episodes, {cost['steps']:,} steps: {time} "
        "of work, summed over processes (proofs of maps included); the largest memory of a "
        f"process was {cost['peak_memory_mib']:,.0f} MiB, including its learner's.\n\n"
        f"{table}\nMean time of a step of an agent, learning included, over all of its episodes: "
        "wall time on the machine of the run, which other processes may have used as well.\n"
    )


def curves(learning: Sequence[Summary]) -> dict[str, list[Chart]]:
    """For each quantity a chart of each world over learning episodes, a line for each agent.

    Args:
        learning: Results of learning episodes, by agent and world.
    """
    worlds: dict[str, list[Summary]] = {}
    for row in learning:
        worlds.setdefault(row["world"], []).append(row)
    drawn: dict[str, list[Chart]] = {}
    for name, title, scale in _CURVES:
        unit = "%" if scale == 100 else "reward"
        for world, rows in worlds.items():
            lines = tuple(line for row in rows if (line := cells.line(row, name, scale)).x)
            if lines:
                note = _bands(rows)
                chart = Chart(world, title, "learning episode", unit, lines, log_y=False, note=note)
                drawn.setdefault(name, []).append(chart)
    return drawn


def _bands(rows: Sequence[Summary]) -> str:
    """The note below curves: how many runs a mean is of, and what its band shows."""
    counts = sorted({point["units"] for row in rows for point in row["curve"]})
    runs = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    known = any((point["reward"] or {}).get("interval") for row in rows for point in row["curve"])
    band = "; band: 95 % interval of the mean (bootstrap over runs)" if known else ""
    return f"Mean of {runs} {'run' if counts == [1] else 'runs'}{band}."
