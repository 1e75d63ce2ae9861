"""The results of the benchmark ``oracle`` as data and as a page."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from mars_logic.experiments.comparison import comparisons
from mars_logic.experiments.luck import expectation
from mars_logic.experiments.page import beside
from mars_logic.experiments.published import REWARDS
from mars_logic.experiments.rows import Row
from mars_logic.experiments.series import Chart, Line, Spread
from mars_logic.experiments.statistics import share_interval
from mars_logic.experiments.summary import with_marks
from mars_logic.experiments.tables import in_markdown
from mars_logic.play.privileges import given, marked
from mars_logic.world.vocabulary import vocabulary

from .oracle_episodes import OracleOutcome

_ALL = len(vocabulary("mars").achievements)
_ORACLE = "oracle"
_HEAD = (
    "world",
    "episodes",
    "complete",
    "achievements",
    "reward",
    "died",
    "steps",
    "steps / lower bound",
    "ms per decision",
    "slowest decision, ms",
    "slowest replan, ms",
    "failures: bad play, bad luck",
)
GAP, GAP_TITLE = "gap", "Steps to each number of achievements, and their lower bound"
_NOTES = """\
*complete*: share of episodes that unlocked everything reachable on the map, without achievements
that depend on a limited number of random tries, with its 95 % Wilson interval. *died*: share of
episodes that ended in death before that. *steps* to complete an episode, and their ratio to the
lower bound for as many achievements on that map: median and quartiles over complete episodes. Times
are those of one process on a shared machine; a decision that makes a new plan is timed as a whole.
The oracle is given the rules and the whole map. A failure is bad play if the clairvoyant, which is
also given the future, completes the episode, and bad luck otherwise.
"""


def document(outcomes: Sequence[OracleOutcome], machine: dict[str, str]) -> dict[str, Any]:
    """All results as one JSON document."""
    return {
        "schema": "mars-logic oracle benchmark 1",
        "machine": machine,
        "worlds": {name: summary(some) for name, some in _by_group(outcomes).items()},
        "published": with_marks(comparisons([*_rows(outcomes)]), {_ORACLE: given(_ORACLE)}),
        "episodes": [asdict(outcome) for outcome in outcomes],
    }


def _rows(outcomes: Iterable[OracleOutcome]) -> Iterator[Row]:
    """The oracle's episodes in worlds in which results are published."""
    for o in outcomes:
        if o.who == _ORACLE and o.group in (*REWARDS, "crafter"):
            yield Row(
                unit=f"{o.group}__{o.who}__s{o.seed}",
                agent=o.who,
                agent_name=o.who,
                world=o.world,
                world_name=o.group,
                world_digest=o.digest,
                dynamics="crafter" if o.world == "crafter" else "mars",
                seed=o.seed,
                episode=1,
                steps=o.steps,
                reward=o.reward,
                ended=o.ended,
                unlocked=o.unlocked,
                unreachable=tuple(o.unreachable),
            )


def summary(some: Sequence[OracleOutcome]) -> dict[str, Any]:
    """One row of the table, from the outcomes of one world, or of the sampled ones."""
    oracle = [o for o in some if o.who == "oracle"]
    lost = [o for o in oracle if not o.complete]
    complete = [o.steps_needed for o in oracle if o.complete]
    gaps = [o.steps_needed / bound for o in oracle if o.complete and (bound := o.bound)]
    share = len(complete) / len(oracle)
    return {
        "episodes": len(oracle),
        "complete": share,
        "complete_interval": share_interval(len(complete), len(oracle), len(oracle)),
        "achievements": statistics.fmean(len(o.unlocked) for o in oracle),
        "reward": asdict(Spread.of([o.reward for o in oracle]))
        | {"mean": statistics.fmean(o.reward for o in oracle)}
        | {"std": statistics.stdev(o.reward for o in oracle) if len(oracle) > 1 else 0.0},
        "died": sum(o.ended == "death" for o in lost),
        "steps": asdict(Spread.of(complete)) if complete else None,
        "gap": asdict(Spread.of(gaps)) if gaps else None,
        "milliseconds": statistics.fmean(o.milliseconds for o in oracle),
        "slowest": max(o.slowest for o in oracle),
        "slowest_replan": max((o.slowest_replan for o in oracle if o.slowest_replan), default=None),
        "failures": _failures(lost),
        "unreachable": dict(Counter(name for o in oracle for name in o.unreachable)),
        "luck": _luck(oracle),
        "blame": _blame(lost, [o for o in some if o.who == "clairvoyant"]),
    }


def gap_chart(outcomes: Sequence[OracleOutcome]) -> Chart | None:
    """Steps to each number of achievements beside what they take at least; None without data.

    Over the episodes in which all 22 were unlocked and none hangs on luck, of worlds in the dialect
    of Mars.
    """
    oracle = [o for o in outcomes if o.who == "oracle" and o.world != "crafter"]
    whole = [o for o in oracle if len(o.unlocked) == _ALL and not o.luck]
    numbers = tuple(
        k for k in range(1, _ALL + 1) if whole and all(k in o.lower_bounds for o in whole)
    )
    if not numbers:
        return None
    taken = [sorted(o.unlocked.values()) for o in whole]
    reached = tuple(Spread.of([steps[k - 1] for steps in taken]) for k in numbers)
    least = tuple(Spread.of([o.lower_bounds[k] for o in whole]) for k in numbers)
    lines = (
        Line(marked(_ORACLE, given(_ORACLE)), numbers, reached),
        Line("lower bound", numbers, least),
    )
    return Chart(GAP, GAP_TITLE, "achievements unlocked", "steps", lines)


def _failures(lost: Iterable[OracleOutcome]) -> dict[str, dict[str, Any]]:
    """For each reason, in how many episodes it cost which achievements."""
    found: dict[str, dict[str, Any]] = {}
    for outcome in lost:
        for reason in sorted(set(outcome.missed.values())):
            entry = found.setdefault(reason, {"episodes": 0, "missed": Counter()})
            entry["episodes"] += 1
            entry["missed"].update(n for n, why in outcome.missed.items() if why == reason)
    return dict(sorted(found.items(), key=lambda item: (-item[1]["episodes"], item[0])))


def _luck(oracle: Sequence[OracleOutcome]) -> dict[str, dict[str, Any]]:
    names = dict.fromkeys(name for outcome in oracle for name in outcome.luck)
    return {n: expectation([o.luck[n] for o in oracle if n in o.luck]) for n in names}


def _blame(
    lost: Sequence[OracleOutcome], clairvoyant: Sequence[OracleOutcome]
) -> dict[str, int] | None:
    """How many losses were bad play, since the clairvoyant completes the episode."""
    found = {(o.world, o.seed): o.complete for o in clairvoyant}
    judged = [found[o.world, o.seed] for o in lost if (o.world, o.seed) in found]
    if not judged:
        return None
    return {"bad play": sum(judged), "bad luck": len(judged) - sum(judged)}


def _by_group(outcomes: Sequence[OracleOutcome]) -> dict[str, list[OracleOutcome]]:
    groups: dict[str, list[OracleOutcome]] = {}
    for outcome in outcomes:
        groups.setdefault(outcome.group, []).append(outcome)
    return groups


def page(found: dict[str, Any]) -> str:
    """The results as a page in Markdown."""
    worlds: dict[str, Any] = found["worlds"]
    picture = f"![{GAP_TITLE}]({GAP}.png)\n"
    parts = ["# Results of the oracle\n", picture, _table(worlds), _NOTES]
    parts += beside(found["published"])
    parts += ["## Failures\n", _failure_table(worlds)]
    if any(row["luck"] for row in worlds.values()):
        parts += ["## Achievements that depend on chance\n", _luck_table(worlds)]
    facts = ", ".join(f"{name} {fact}" for name, fact in found["machine"].items())
    parts += ["## Machine\n", f"{facts}.\n"]
    return "\n".join(parts)


def _table(worlds: dict[str, Any]) -> str:
    return in_markdown(_HEAD, (_row(name, row) for name, row in worlds.items()))


def _row(name: str, row: dict[str, Any]) -> Sequence[str]:
    interval = row["complete_interval"]
    steps, gap, blame = row["steps"], row["gap"], row["blame"]
    return (
        name,
        str(row["episodes"]),
        f"{row['complete']:.1%}" + (" ({:.1%}–{:.1%})".format(*interval) if interval else ""),
        f"{row['achievements']:.2f}",
        f"{row['reward']['mean']:.2f} ± {row['reward']['std']:.2f}",
        f"{row['died'] / row['episodes']:.1%}",
        f"{steps['median']:.0f} ({steps['low']:.0f}–{steps['high']:.0f})" if steps else "",
        f"{gap['median']:.1f} ({gap['low']:.1f}–{gap['high']:.1f})" if gap else "",
        f"{row['milliseconds']:.1f}",
        f"{row['slowest']:.0f}",
        f"{row['slowest_replan']:.0f}" if row["slowest_replan"] else "",
        f"{blame['bad play']}, {blame['bad luck']}" if blame else "",
    )


def _failure_table(worlds: dict[str, Any]) -> str:
    rows = [
        (world, reason, str(entry["episodes"]), _counts(entry["missed"]))
        for world, row in worlds.items()
        for reason, entry in row["failures"].items()
    ]
    rows += [
        (world, "proved unreachable (no failure)", str(count), name)
        for world, row in worlds.items()
        for name, count in row["unreachable"].items()
    ]
    return in_markdown(("world", "reason", "episodes", "achievements missed"), rows)


def _counts(missed: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in missed.items())


def _luck_table(worlds: dict[str, Any]) -> str:
    rows = []
    for world, row in worlds.items():
        for name, luck in row["luck"].items():
            expected = "unknown"
            if luck["expected"] is not None:
                low, high = luck["interval"]
                expected = f"{luck['expected']:.0%} ({low:.0%}–{high:.0%})"
            cells = (f"{luck['rate']:.0%}", expected, f"{luck['at_most']:.0%}")
            rows.append((world, name, str(luck["episodes"]), *cells))
    head = ("world", "achievement", "episodes", "rate", "expected from the tries (95 %)", "at most")
    return in_markdown(head, rows)
