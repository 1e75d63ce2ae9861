"""The comparison of two planners as data and as a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mars_logic.benchmarks.exact import clopper_pearson, mcnemar, paired_difference
from mars_logic.experiments.statistics import bootstrap, bootstrap_mean
from mars_logic.experiments.tables import in_markdown, plain

from .planners import Pair, PlannerOutcome

ALL = "all worlds"
_HEAD = (
    "world",
    "maps",
    "same actions",
    "complete A, B",
    "B − A (95 %)",
    "p",
    "died A, B",
    "B − A (95 %)",
    "steps A, B",
    "B − A (95 %)",
    "ms per decision A, B",
    "A / B (95 %)",
    "slowest replan A, B, ms",
)
_NOTES = """\
*complete*: share of maps on which everything was unlocked that is proved reachable there, without
achievements that depend on a limited number of random tries. *died*: share that ended in death
before that. Differences are in percentage points, over pairs of episodes on the same map; their
intervals have a coverage of at least 95 % (Clopper–Pearson intervals, each of 97.5 %, of the share
of discordant pairs and of B's share of these), *p* is that of McNemar's exact test of *complete*.
*steps*: median over maps that both completed; difference in the mean, with a bootstrap interval
(BCa). *ms per decision*: mean; ratio above 1 if B is faster, with a bootstrap interval. Both play
each map one after the other in the same place, so both meet the same load of the machine.
"""


def document(
    pairs: Sequence[Pair], planners: Sequence[dict[str, str]], seeds: range, machine: dict[str, str]
) -> dict[str, Any]:
    """All results as one JSON document.

    Args:
        pairs: The episodes.
        planners: The descriptions of A and B.
        seeds: Of the maps.
        machine: Facts of the machine.
    """
    groups: dict[str, list[Pair]] = {}
    for pair in pairs:
        groups.setdefault(pair[0].group, []).append(pair)
    rows = dict(groups)
    if len(groups) > 1:
        rows[ALL] = list(pairs)
    codes = [sorted({pair[side].code for pair in pairs}) for side in (0, 1)]
    return {
        "schema": "mars-logic planners 1",
        "planners": [about | {"code": code} for about, code in zip(planners, codes, strict=True)],
        "seeds": {"first": seeds.start, "number": len(seeds)},
        "machine": machine,
        "worlds": {name: summary(some) for name, some in rows.items()},
    }


def summary(pairs: Sequence[Pair]) -> dict[str, Any]:
    """One row of the table."""
    return {
        "maps": len(pairs),
        "same_actions": sum(a.actions == b.actions for a, b in pairs),
        "complete": _shares(pairs, lambda outcome: outcome.complete),
        "died": _shares(pairs, lambda outcome: outcome.died),
        "steps": _steps(pairs),
        "milliseconds": _times(pairs),
        "slowest_replan": [
            max((o.slowest_replan for o in some if o.slowest_replan), default=None)
            for some in zip(*pairs, strict=True)
        ],
        "failures": [_failures(some) for some in zip(*pairs, strict=True)],
    }


def _shares(pairs: Sequence[Pair], holds: Callable[[PlannerOutcome], bool]) -> dict[str, Any]:
    """Both shares of maps, and their difference."""
    both = [(holds(a), holds(b)) for a, b in pairs]
    only_a, only_b = both.count((True, False)), both.count((False, True))
    counts = [sum(column) for column in zip(*both, strict=True)]
    return {
        "counts": counts,
        "intervals": [clopper_pearson(count, len(pairs)) for count in counts],
        "only": [only_a, only_b],
        "difference": (only_b - only_a) / len(pairs),
        "interval": paired_difference(only_a, only_b, len(pairs)),
        "p": mcnemar(only_a, only_b),
    }


def _steps(pairs: Sequence[Pair]) -> dict[str, Any] | None:
    needed = [(a.needed, b.needed) for a, b in pairs]
    taken = np.array([pair for pair in needed if None not in pair], np.float64)
    if not len(taken):
        return None
    return {
        "maps": len(taken),
        "medians": np.median(taken, axis=0).tolist(),
        "difference": float((taken[:, 1] - taken[:, 0]).mean()),
        "interval": bootstrap_mean(taken[:, 1] - taken[:, 0], np.ones(len(taken))),
    }


def _times(pairs: Sequence[Pair]) -> dict[str, Any]:
    sides = [np.array([o.milliseconds for o in some]) for some in zip(*pairs, strict=True)]
    means = [float(side.mean()) for side in sides]
    return {
        "means": means,
        "ratio": means[0] / means[1],
        "interval": bootstrap(np.divide, *sides),
        "slowest": [max(o.slowest for o in some) for some in zip(*pairs, strict=True)],
    }


def _failures(outcomes: Sequence[PlannerOutcome]) -> list[dict[str, Any]]:
    """Classes of failures, with what the agent was doing then, the most frequent first."""
    found = Counter((o.failure, o.doing) for o in outcomes if o.failure is not None)
    return [
        {"failure": failure, "doing": doing, "maps": maps}
        for (failure, doing), maps in found.most_common()
    ]


def page(found: dict[str, Any]) -> str:
    """The results as a page in Markdown."""
    seeds, sides = found["seeds"], zip("AB", found["planners"], strict=True)
    last = seeds["first"] + seeds["number"] - 1
    told = "".join(
        f"- {side}: {plain(about['text'])}, code {' and '.join(c[:12] for c in about['code'])}\n"
        for side, about in sides
    )
    facts = ", ".join(f"{name} {fact}" for name, fact in found["machine"].items())
    return "\n".join(
        [
            "# Comparison of two planners\n",
            f"{told}- seeds {seeds['first']} to {last}\n",
            in_markdown(_HEAD, (_row(name, row) for name, row in found["worlds"].items())),
            _NOTES,
            "## Failures\n",
            _failure_table(found["worlds"]),
            f"## Machine\n\n{facts}.\n",
        ]
    )


def _row(name: str, row: dict[str, Any]) -> tuple[str, ...]:
    steps, times, maps = row["steps"], row["milliseconds"], row["maps"]
    replans = row["slowest_replan"]
    return (
        name,
        str(maps),
        str(row["same_actions"]),
        *_share_cells(row["complete"], maps),
        f"{row['complete']['p']:.2g}",
        *_share_cells(row["died"], maps),
        "{:.0f}, {:.0f}".format(*steps["medians"]) if steps else "",
        _with_interval(steps["difference"], steps["interval"], "{:+.0f}") if steps else "",
        "{:.1f}, {:.1f}".format(*times["means"]),
        _with_interval(times["ratio"], times["interval"], "{:.2f}"),
        ", ".join("" if each is None else f"{each:.0f}" for each in replans),
    )


def _share_cells(shares: dict[str, Any], maps: int) -> tuple[str, str]:
    both = ", ".join(f"{count / maps:.1%}" for count in shares["counts"])
    points = [100 * end for end in shares["interval"]]
    return both, _with_interval(100 * shares["difference"], points, "{:+.1f}")


def _with_interval(value: float, interval: Sequence[float] | None, form: str) -> str:
    if interval is None:
        return form.format(value)
    low, high = (form.format(end) for end in interval)
    return f"{form.format(value)} ({low} to {high})"


def _failure_table(worlds: dict[str, Any]) -> str:
    rows = []
    for name, row in worlds.items():
        counts = [
            {(each["failure"], each["doing"]): each["maps"] for each in some}
            for some in row["failures"]
        ]
        rows += [
            (name, failure, doing or "", *(str(some.get((failure, doing), 0)) for some in counts))
            for failure, doing in dict.fromkeys([*counts[0], *counts[1]])
        ]
    return in_markdown(("world", "failure", "doing", "A", "B"), rows)
