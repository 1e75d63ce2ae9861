"""Commands that hold theories against trajectories: ``check`` and ``revise``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mars_logic.cli.output import Json, console, print_json, require_free, say
from mars_logic.errors import InputError
from mars_logic.world.load import bundled_worlds, load_theory, load_world

if TYPE_CHECKING:
    from mars_logic.data import Trajectory
    from mars_logic.theory import Change, Conflict, Finding, Measure, Report, Revision, Score

Files = Annotated[
    list[Path],
    typer.Argument(help="Recorded episodes, or folders of them.", metavar="TRAJECTORY..."),
]
_SHOWN = 3
"""Reasons printed for each rule; --json has them all."""


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command("check")(check)
    app.command("revise")(revise)


def check(
    theory: Annotated[
        str,
        typer.Argument(
            help="A world or theory, bundled or a file.",
            metavar="THEORY",
            autocompletion=lambda: list(bundled_worlds()),
        ),
    ],
    trajectories: Files,
    everything: Annotated[
        bool, typer.Option("--all", help="Print rules that nothing speaks against as well.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Test the rules of a theory against recorded play.

    Exit status 1: what was seen contradicts a rule.

    Example: mars-logic check default runs
    """
    from mars_logic.theory import check as judge

    loaded = load_theory(theory)
    report = judge(loaded, _read(trajectories))
    if as_json:
        print_json(_report_json(theory, report))
    else:
        _print_report(report, everything)
    if report.contradicted:
        raise typer.Exit(1)


def revise(
    belief: Annotated[
        str,
        typer.Argument(
            help="What is believed: a world or theory, bundled or a file.",
            metavar="BELIEF",
            autocompletion=lambda: list(bundled_worlds()),
        ),
    ],
    trajectories: Files,
    truth: Annotated[
        str | None, typer.Option(help="The world that was played, to score the belief by.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write the revised theory to this file.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file.")] = False,
    as_json: Json = False,
) -> None:
    """Change as few rules of a theory as recorded play demands.

    Example: mars-logic revise default runs --truth all_three -o belief.yaml
    """
    from mars_logic.theory import revise as smallest
    from mars_logic.theory import score

    before = load_theory(belief)
    world = load_world(truth) if truth else None
    require_free(out, force)
    found = smallest(before, _read(trajectories), name=out.stem if out else None)
    scores = {}
    if world:
        believed = found.belief
        scores = {
            "before": score(believed, world, believed),
            "after": score(found.theory, world, believed),
        }
    if out:
        _write(found, out)
    if as_json:
        print_json(_revision_json(belief, found, scores))
    else:
        _print_revision(found, scores)


def _read(paths: list[Path]) -> list[Trajectory]:
    """Every trajectory, those of a folder in the order of their names."""
    from mars_logic.data import files_in, load_all

    return [each for path in paths for file in files_in(path) for each in load_all(file)]


def _write(found: Revision, out: Path) -> None:
    from mars_logic.files import write_atomically
    from mars_logic.world.dump import to_yaml

    try:
        write_atomically(out, to_yaml(found.theory))
    except OSError as error:
        what = (error.strerror or str(error)).lower()
        raise InputError(f"{out}:1: file: {what}; allowed: a file that can be written") from None


# --- Check --------------------------------------------------------------------------------------


def _print_report(report: Report, everything: bool) -> None:
    from rich.table import Table

    table = Table("rule", "verdict", "support", "against", box=None)
    verdicts: dict[str, int] = {}
    for finding in report.rules:
        verdicts[finding.verdict] = verdicts.get(finding.verdict, 0) + 1
        if everything or finding.conflicts:
            against = str(finding.contradicted) if finding.conflicts else ""
            table.add_row(finding.id, finding.verdict, str(finding.support), against)
    if table.row_count:
        console().print(table)
    if report.conflicts:
        print()
    for finding in report.rules:
        if finding.verdict == "contradicted":
            print(f"{finding.id}: {finding.text}")
            _print_conflicts([c for c in finding.conflicts if c.rules == (finding.id,)])
    shared = [conflict for conflict in report.conflicts if len(conflict.rules) > 1]
    if shared:
        print("at least one of several rules is wrong:")
        for conflict in shared[:_SHOWN]:
            print(f"  {', '.join(conflict.rules)}")
            _print_conflicts([conflict])
    counts = ", ".join(f"{n} {verdict}" for verdict, n in sorted(verdicts.items()))
    say(f"{report.transitions} transitions, {report.signatures} distinct; rules: {counts}")


def _print_conflicts(conflicts: Iterable[Conflict], before: str = "  but ") -> None:
    lines = list(dict.fromkeys(f"{c.did}: {c.saw}{_place(c)}" for c in conflicts))
    for line in lines[:_SHOWN]:
        print(f"{before}{line}")
    if len(lines) > _SHOWN:
        print(f"  and {len(lines) - _SHOWN} more of other kinds")


def _place(conflict: Conflict) -> str:
    if conflict.where is None:
        return ""
    more = f", and {conflict.count - 1} more" if conflict.count > 1 else ""
    return f" ({conflict.where}{more})"


def _report_json(theory: str, report: Report) -> dict[str, Any]:
    return {
        "schema": "mars-logic check 1",
        "theory": theory,
        "transitions": report.transitions,
        "signatures": report.signatures,
        "contradicted": report.contradicted,
        "rules": [_finding_json(finding) for finding in report.rules],
    }


def _finding_json(finding: Finding) -> dict[str, Any]:
    return {
        "id": finding.id,
        "text": finding.text,
        "verdict": finding.verdict,
        "applicable": finding.support + finding.contradicted,
        "consistent": finding.support,
        "contradicted": finding.contradicted,
        "fields": {
            name: {"verdict": finding.verdict_on(name), "support": found.support}
            for name, found in finding.fields.items()
        },
        "counterexamples": [_conflict_json(conflict) for conflict in finding.conflicts],
    }


def _conflict_json(conflict: Conflict) -> dict[str, Any]:
    where = conflict.where
    return {
        "fields": [f"{rule}.{name}" for rule, name in conflict.fields],
        "trajectory": where.source if where else None,
        "step": where.step if where else None,
        "did": conflict.did,
        "saw": conflict.saw,
        "count": conflict.count,
    }


# --- Revise -------------------------------------------------------------------------------------


def _print_revision(found: Revision, scores: dict[str, Score]) -> None:
    for change in found.changes:
        _print_change(change)
    if found.unexplained:
        print("nothing explains:")
        _print_conflicts(found.unexplained)
    if scores:
        _print_scores(scores)
    say(
        f"{found.transitions} transitions, {found.signatures} distinct; "
        f"{len(found.changes)} of {len(found.belief.rules())} rules changed"
    )


def _print_change(change: Change) -> None:
    from mars_logic.world.words import tell

    print(f"{change.id}\n  - {tell(change.before)}\n  + {tell(change.after)}")
    _print_conflicts(change.because, "    ")


def _print_scores(scores: dict[str, Score]) -> None:
    from rich.table import Table

    table = Table("score", "precision", "recall", "F1", box=None)
    for name, found in scores.items():
        rows: dict[str, Measure | None] = {"all rules": found.overall}
        rows |= {str(kind): measure for kind, measure in found.by_kind.items()}
        rows["what differs"] = found.changes
        for what, measure in rows.items():
            if measure:
                numbers = (measure.precision, measure.recall, measure.f1)
                shown = ("–" if number is None else f"{number:.0%}" for number in numbers)
                table.add_row(f"{name}: {what}", *shown)
    print()
    console().print(table)


def _revision_json(belief: str, found: Revision, scores: dict[str, Score]) -> dict[str, Any]:
    from mars_logic.world.words import tell

    return {
        "schema": "mars-logic revise 1",
        "belief": belief,
        "transitions": found.transitions,
        "signatures": found.signatures,
        "changes": [
            {
                "rule": change.id,
                "fields": list(change.fields),
                "words": [tell(change.before), tell(change.after)],
                "because": [_conflict_json(conflict) for conflict in change.because],
            }
            for change in found.changes
        ],
        "unexplained": [_conflict_json(conflict) for conflict in found.unexplained],
        "score": {name: each.to_json() for name, each in scores.items()} or None,
    }
