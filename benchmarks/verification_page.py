"""The results of the benchmark ``verification`` as a page."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from mars_logic.experiments.statistics import wilson
from mars_logic.experiments.tables import in_markdown

_HEAD: Final = (
    "world",
    "transitions",
    "true rules contradicted",
    "probabilities tested",
    "wrong values exercised",
    "contradicted",
)
_NOTES: Final = """\
A *wrong value* is a world that differs from the true one in one field, by a usual value of that
field, with an observable difference. It is *exercised* if the two worlds give some outcome of the
play different probabilities, however few the tries. (Creatures on ground on which the player never
tried to step do not count.) Each stated probability has an anytime-valid test at level {level:g};
at most {alarms:.2g} false alarms are expected for {rates} true ones.
"""
_ALONE: Final = """\
Each considered value of each field, judged alone. *Disagreements* are claims that are contradicted
but not excluded by `consequences`, or excluded but not contradicted.
"""
_VERDICTS: Final = ("contradicted", "undecided", "untested", "supported")
_CHANCE: Final = "too few tries to distinguish the probabilities"
_GAIT: Final = "seldom observed; never for plants"
_SELDOM: Final = "seldom near; or a limit or another possible cause leaves it undecided"
_OTHERWISE: Final = "a limit or another possible cause leaves it undecided"
_REASONS: Final = {
    "yields": _CHANCE,
    "spawns": _CHANCE,
    **dict.fromkeys(("walks", "approaches", "shoots"), _GAIT),
    **dict.fromkeys(("attacks", "attack_health_factor", "arrow_health_factor"), _SELDOM),
}
"""Known reasons why wrong values of a field stay uncontradicted."""


def page(document: dict[str, Any]) -> str:
    """Tables of the findings by world and by field, and of the misses."""
    results = document["results"]
    groups: dict[str, list[dict[str, Any]]] = {}
    for result in results:
        groups.setdefault(result["group"], []).append(result)
    rates = sum(result["rates"] for result in results)
    level = document["level"]
    rows = [_row(_title(name, some), some) for name, some in groups.items()]
    notes = _NOTES.format(level=level, rates=rates, alarms=level * rates)
    false = [f"- {r['world']}: {told}" for r in results for told in r["false"]]
    facts = "; ".join(f"{name}: {value}" for name, value in document["machine"].items())
    return "\n".join(
        (
            "# Reliability of checking\n",
            "Made by `python -m mars_logic.benchmarks.verification`.\n",
            in_markdown(_HEAD, [*rows, _row("all", results)]),
            notes,
            *(("Contradictions of true rules:\n", *false, "") if false else ()),
            "## One field stated, all others open\n",
            _alone(groups),
            _ALONE,
            "## By field\n",
            _by_field(results),
            f"{facts}\n",
        )
    )


def _alone(groups: dict[str, list[dict[str, Any]]]) -> str:
    """Verdicts on single claims, false and true ones."""
    head = ("world", *(f"{k} claims {v}" for k in ("false", "true") for v in _VERDICTS))
    rows = []
    for name, some in groups.items():
        parts = [each["alone"] for each in some]
        counts = [
            f"{sum(part[kind].get(verdict, 0) for part in parts):,}"
            for kind in ("false", "true")
            for verdict in _VERDICTS
        ]
        disagree = sum(len(part["disagree"]) for part in parts)
        rows.append((_title(name, some), *counts, str(disagree)))
    return in_markdown((*head, "disagreements"), rows)


def _title(name: str, some: list[dict[str, Any]]) -> str:
    return name if len(some) == 1 else f"{len(some)} {name} worlds"


def _row(name: str, some: list[dict[str, Any]]) -> tuple[str, ...]:
    exercised = sum(sum(each["exercised"].values()) for each in some)
    detected = sum(sum(each["detected"].values()) for each in some)
    return (
        name,
        f"{sum(sum(each['transitions'].values()) for each in some):,}",
        str(sum(len(each["false"]) for each in some)),
        str(sum(each["rates"] for each in some)),
        f"{exercised:,}",
        _share(detected, exercised),
    )


def _share(part: int, whole: int) -> str:
    if not whole:
        return "–"
    low, high = wilson(part, whole)
    return f"{part / whole:.1%} ({low:.1%}–{high:.1%})"


def _by_field(results: list[dict[str, Any]]) -> str:
    exercised: Counter[str] = Counter()
    detected: Counter[str] = Counter()
    example: dict[str, str] = {}
    for result in results:
        exercised.update(result["exercised"])
        detected.update(result["detected"])
        for miss in result["missed"]:
            family, _, rest = miss["field"].partition(".")
            field = f"{family}.{rest.rpartition('.')[2]}"
            told = f"`{miss['field']}`: {miss['true']} or {miss['wrong']}"
            example.setdefault(field, told)
    rows = [
        (
            f"`{field}`",
            f"{count:,}",
            _share(detected[field], count),
            _why(field) if detected[field] < count else "",
            example.get(field, ""),
        )
        for field, count in sorted(exercised.items())
    ]
    return in_markdown(
        ("field", "exercised", "contradicted", "reason for the others", "example"), rows
    )


def _why(field: str) -> str:
    return _REASONS.get(field.partition(".")[2], _OTHERWISE)
