"""Printing of verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from mars_logic.cli.output import print_stripped

if TYPE_CHECKING:
    from mars_logic.logic.estimate import Estimate
    from mars_logic.logic.proof import Probability, Proof, Scarcity, Verdict
    from mars_logic.logic.sustainability import Sustainability
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
        table.add_row(name, _count(proof), *map(", ".join, (chance, scarce, lost)))
    print_stripped(table)
    for name, proof in proofs.items():
        _print_doubts(name, proof)


def print_verdicts(
    name: str, proof: Proof, witnesses: bool, executions: Mapping[str, Execution]
) -> None:
    """Every verdict, with its witness if wanted, its explanation, and what came of playing it."""
    place = "" if proof.map_seed is None else f" on the map of seed {proof.map_seed}"
    print(f"{name}: {_count(proof)} achievements reachable{place}")
    if executions:
        done = sum(execution.steps is not None for execution in executions.values())
        print(f"  {done} of {len(executions)} witnesses executed")
    for achievement, verdict in proof.achievements.items():
        print(f"  {achievement:<20} {_told(verdict)}")
        if achievement in executions:
            print(f"      {_done(executions[achievement])}")
        for step in verdict.witness if witnesses else ():
            times = f"{step.times} x " if step.times > 1 else ""
            gain = f", until it gives {step.gain}" if step.gain else ""
            print(f"      {times}{step.rule}{gain}")
        for sentence in verdict.words:
            print(f"      {sentence}")
        for line in _estimated(verdict.estimate) if verdict.estimate else ():
            print(f"      {line}")
    for source in proof.scarce:
        print(f"  {'scarce':<20} {_scarce(source)}")
    _print_upkeep(proof.upkeep, in_full=witnesses)


def _print_doubts(name: str, proof: Proof) -> None:
    """The reasons of verdicts, each once."""
    reasons: dict[str, list[str]] = {}
    for achievement, verdict in proof.achievements.items():
        if verdict.reason and not _is_lost(verdict):
            reasons.setdefault(verdict.reason, []).append(achievement)
    told = [f"{', '.join(names)}: {reason}" for reason, names in reasons.items()]
    if told:
        print("\n".join((name, *(f"  {line}" for line in told))))


def _scarce(source: Scarcity) -> str:
    amount = f"an ordinary map holds {source.low} to {source.high} cells of {source.material}"
    return f"{amount}, which {', '.join(source.achievements)} hang on"


def _is_lost(verdict: Verdict) -> bool:
    return verdict.verdict != "reachable"


def _count(proof: Proof) -> str:
    verdicts = proof.achievements.values()
    return f"{sum(not _is_lost(verdict) for verdict in verdicts)} of {len(verdicts)}"


def _done(execution: Execution) -> str:
    if execution.steps is None:
        return f"not executed: {execution.reason}"
    return f"executed in {execution.steps} steps"


def _estimated(found: Estimate) -> Iterator[str]:
    mean = f"mean {_range(*found.mean)} (95 % interval {_range(*found.mean_interval)})"
    quantile = f"5 % quantile {_range(*found.quantile)} ({_range(*found.quantile_interval)})"
    if found.known:
        yield f"estimate from {found.maps} maps: {mean}, {quantile}"
    elif not found.played:
        yield (
            f"no estimate from {found.maps} maps: the probability cannot be computed on any of "
            "them (--execute tells how often an executor succeeds)"
        )
    if found.played:
        rate = f"{found.played.rate:.3g} (95 % interval {_range(*found.played.interval)})"
        played = f"{found.played.successes} of {found.maps} maps"
        yield f"played: on {played} an executor did it, {rate}; the best player does no worse"


def _print_upkeep(upkeep: Sustainability, *, in_full: bool) -> None:
    """Whether the player can live on, and what on."""
    parts: list[str] = [upkeep.verdict]
    if upkeep.for_an_episode and upkeep.verdict != "sustainable":
        parts.append("but for an episode")
    if upkeep.lacking:
        *others, last = upkeep.lacking
        parts.append(f"short of {', '.join(others)} and {last}" if others else f"short of {last}")
    elif upkeep.times:
        doings = [f"{times} x {rule}" for rule, times in upkeep.times.items()]
        parts.append(f"by {', '.join(doings)} in 1,000 steps")
    print(f"  {'living on':<20} {', '.join(parts)}")
    for vital in upkeep.needed if in_full else ():
        gains = {rule: of[vital] for rule, of in upkeep.brought.items() if vital in of}
        gains = {"living and sleeping": upkeep.rest.get(vital, 0), **gains}
        told = [f"{points:+g} {rule}" for rule, points in gains.items() if points]
        total = f"= {upkeep.balance(vital):+g}"
        print(f"      {vital:<7} {-upkeep.needed[vital]:+d} needs, {', '.join([*told, total])}")


def _told(verdict: Verdict) -> str:
    parts: list[str] = [verdict.verdict]
    if verdict.certainty:
        parts.append(verdict.certainty.replace("_", " "))
    if verdict.probability:
        parts.append(_probability(verdict.probability))
    if verdict.witness:
        parts.append(_interactions(verdict))
    if verdict.reason:
        parts.append(verdict.reason)
    return ", ".join(parts)


def _interactions(verdict: Verdict) -> str:
    proved = "proved fewest" if verdict.fewest else f"at least {verdict.at_least} proved necessary"
    many = "s" * (verdict.interactions != 1)
    return f"{verdict.interactions} interaction{many} ({proved})"


def _probability(found: Probability) -> str:
    return f"probability {_range(found.low, found.high)} ({found.method})"


def _range(low: float, high: float) -> str:
    told = f"{low:.3g}", f"{high:.3g}"
    return told[0] if told[0] == told[1] else " to ".join(told)
