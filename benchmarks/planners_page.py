"""The comparison of two planners as data and as a page."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from mars_logic.experiments.statistics import Interval, bootstrap, bootstrap_mean
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


CONFIDENCE: Final = 0.95
_HALVINGS: Final = 50
"""Halvings of [0, 1]: bounds are exact to the last digits of a float."""


def clopper_pearson(successes: int, trials: int, confidence: float = CONFIDENCE) -> Interval:
    """The exact interval of a share (Clopper and Pearson, 1934).

    Args:
        successes: Of how many trials it holds.
        trials: How many independent ones there are; without any, the interval is (0, 1).
        confidence: The least coverage.

    Raises:
        ValueError: There are more successes than trials, or fewer than 0.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes of {trials} trials")
    tail = (1 - confidence) / 2
    low = 0.0 if successes == 0 else _where(lambda p: _at_least(successes, trials, p) >= tail)
    high = (
        1.0
        if successes == trials
        else 1 - _where(lambda p: _at_least(trials - successes, trials, p) >= tail)
    )
    return low, high


def mcnemar(only_first: int, only_second: int) -> float:
    """The two-sided p-value of McNemar's exact test that two shares of pairs are equal.

    Args:
        only_first: Pairs in which only the first has the property.
        only_second: Pairs in which only the second has it.
    """
    discordant = only_first + only_second
    if discordant == 0:
        return 1.0
    return min(1.0, 2 * _at_least(max(only_first, only_second), discordant, 0.5))


def paired_difference(only_first: int, only_second: int, pairs: int) -> Interval:
    """An interval of the second share minus the first, over pairs; coverage is at least 95 %.

    The difference is ``d (2 s - 1)``: d is the share of discordant pairs, s the share of those in
    which only the second has the property. Each gets a Clopper-Pearson interval of 97.5 %, so
    both hold together with at least 95 %.

    Args:
        only_first: Pairs in which only the first has the property.
        only_second: Pairs in which only the second has it.
        pairs: How many independent pairs there are.

    Raises:
        ValueError: There are fewer pairs than discordant ones.
    """
    each = 1 - (1 - CONFIDENCE) / 2
    discordant = only_first + only_second
    few, many = clopper_pearson(discordant, pairs, each)
    low, high = (2 * s - 1 for s in clopper_pearson(only_second, discordant, each))
    return min(low * few, low * many), max(high * few, high * many)


def _where(holds: Callable[[float], bool]) -> float:
    """The probability from which on a condition holds."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _at_least(successes: int, trials: int, probability: float) -> float:
    """The probability of at least so many successes."""
    if successes <= 0:
        return 1.0
    if probability <= 0.0:
        return 0.0
    if probability >= 1.0:
        return 1.0
    log_p, log_q = math.log(probability), math.log1p(-probability)
    total = math.lgamma(trials + 1)
    return min(
        1.0,
        math.fsum(
            math.exp(
                total
                - math.lgamma(k + 1)
                - math.lgamma(trials - k + 1)
                + k * log_p
                + (trials - k) * log_q
            )
            for k in range(successes, trials + 1)
        ),
    )
