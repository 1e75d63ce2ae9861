"""A proof in words, a line for each verdict and what supports it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mars_logic.logic.estimate import Estimate
    from mars_logic.logic.sustainability import Sustainability

Proof = Verdict = Probability = Scarcity = Any
"""In annotations: the classes of ``logic.proof``, which uses this module."""


def proof_lines(
    proof: Proof,
    name: str | None = None,
    *,
    witnesses: bool = False,
    executed: Mapping[str, int | None] | None = None,
    remarks: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """Every verdict, with its explanation.

    Args:
        proof: The proof.
        name: What to call the world; by default its name.
        witnesses: Whether to show how each achievement is reached.
        executed: For each witness that was played, the steps that it took; None if it failed.
        remarks: What is to be said on achievements besides, a line each.
    """
    place = "" if proof.map_seed is None else f" on the map of seed {proof.map_seed}"
    yield f"{name or proof.world}: {counted(proof)} achievements reachable{place}"
    if executed:
        done = sum(steps is not None for steps in executed.values())
        yield f"  {done} of {len(executed)} witnesses executed"
    for achievement, verdict in proof.achievements.items():
        yield f"  {achievement:<20} {verdict_words(verdict)}"
        if remarks and achievement in remarks:
            yield f"      {remarks[achievement]}"
        for step in verdict.witness if witnesses else ():
            times = f"{step.times} x " if step.times > 1 else ""
            gain = f", until it gives {step.gain}" if step.gain else ""
            yield f"      {times}{step.rule}{gain}"
        for sentence in verdict.words:
            yield f"      {sentence}"
        for line in _estimated(verdict.estimate) if verdict.estimate else ():
            yield f"      {line}"
    for source in proof.scarce:
        yield f"  {'scarce':<20} {_scarce(source)}"
    yield from _upkeep(proof.upkeep, in_full=witnesses)


def counted(proof: Proof) -> str:
    """How many achievements are reachable, of how many."""
    verdicts = proof.achievements.values()
    return f"{sum(verdict.verdict == 'reachable' for verdict in verdicts)} of {len(verdicts)}"


def verdict_words(verdict: Verdict) -> str:
    """A verdict with its certainty, its probability and the length of its witness."""
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


def _scarce(source: Scarcity) -> str:
    amount = f"an ordinary map holds {source.low} to {source.high} cells of {source.material}"
    return f"{amount}, which {', '.join(source.achievements)} hang on"


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


def _upkeep(upkeep: Sustainability, *, in_full: bool) -> Iterator[str]:
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
    yield f"  {'living on':<20} {', '.join(parts)}"
    for vital in upkeep.needed if in_full else ():
        gains = {rule: of[vital] for rule, of in upkeep.brought.items() if vital in of}
        gains = {"living and sleeping": upkeep.rest.get(vital, 0), **gains}
        told = [f"{points:+g} {rule}" for rule, points in gains.items() if points]
        total = f"= {upkeep.balance(vital):+g}"
        yield f"      {vital:<7} {-upkeep.needed[vital]:+d} needs, {', '.join([*told, total])}"
