"""Printing of verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mars_logic.cli.output import print_stripped
from mars_logic.logic.proof import counted, proof_lines

if TYPE_CHECKING:
    from mars_logic.logic.proof import Proof, Verdict
    from mars_logic.play.execute import Execution


def print_overview(proofs: Mapping[str, Proof]) -> None:
    """One line a world, and what is in doubt there."""
    from rich.table import Table

    table = Table(
        "world",
        "reachable",
        "by a finite chance only",
        "scarce on maps",
        "not proved reachable",
        box=None,
    )
    for name, proof in proofs.items():
        chance = [a for a, v in proof.achievements.items() if v.certainty == "finite_chance"]
        lost = [f"{a} ({v.verdict})" for a, v in proof.achievements.items() if _is_lost(v)]
        scarce = [source.material for source in proof.scarce]
        table.add_row(name, counted(proof), *map(", ".join, (chance, scarce, lost)))
    print_stripped(table)
    for name, proof in proofs.items():
        _print_doubts(name, proof)


def print_verdicts(
    name: str, proof: Proof, witnesses: bool, executions: Mapping[str, Execution]
) -> None:
    """Every verdict, with its witness if wanted, its explanation, and what came of playing it."""
    executed = {each: execution.steps for each, execution in executions.items()}
    remarks = {each: _done(execution) for each, execution in executions.items()}
    lines = proof_lines(proof, name, witnesses=witnesses, executed=executed, remarks=remarks)
    for line in lines:
        print(line)


def _print_doubts(name: str, proof: Proof) -> None:
    """The reasons of verdicts, each once."""
    reasons: dict[str, list[str]] = {}
    for achievement, verdict in proof.achievements.items():
        if verdict.reason and not _is_lost(verdict):
            reasons.setdefault(verdict.reason, []).append(achievement)
    told = [f"{', '.join(names)}: {reason}" for reason, names in reasons.items()]
    if told:
        print("\n".join((name, *(f"  {line}" for line in told))))


def _is_lost(verdict: Verdict) -> bool:
    return verdict.verdict != "reachable"


def _done(execution: Execution) -> str:
    if execution.steps is None:
        return f"not executed: {execution.reason}"
    return f"executed in {execution.steps} steps"
