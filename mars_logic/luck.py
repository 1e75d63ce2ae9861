"""Luck that can be tried only so often: how often it came, beside how often to expect it."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mars_logic.plan.deeds import Deed, deeds

if TYPE_CHECKING:
    from mars_logic.logic.proof import Draws
    from mars_logic.runs import Result
    from mars_logic.world.world import World

_NORMAL_95 = 1.96
"""So many standard deviations on either side hold 95 % of a normal distribution."""


@dataclass(frozen=True)
class Hope:
    """What luck could do and did for one achievement in one episode.

    Attributes:
        reached: Whether the achievement was reached.
        at_most: No way to reach it succeeds with a higher probability on this map.
        chance: Of each try; None if the luck cannot be counted in tries.
        wanted: How often luck has to come.
        tries: How often it was tried, until it had come so often.
    """

    reached: bool
    at_most: float
    chance: float | None = None
    wanted: int = 1
    tries: int = 0


def hopes(result: Result, world: World) -> dict[str, Hope]:
    """For each achievement that is reachable by a finite chance only on an episode's map."""
    found: dict[str, Hope] = {}
    done: list[Deed] | None = None
    for name, verdict in result.proof.achievements.items():
        if verdict.certainty != "finite_chance":
            continue
        reached = name in result.certificate.unlocked
        at_most = verdict.probability.high if verdict.probability else 1.0
        draws = verdict.probability.draws if verdict.probability else None
        if draws is None or f"collect_{draws.gain}" not in world.achievements:
            found[name] = Hope(reached, at_most)
            continue
        if done is None:
            kept = result.certificate
            done = list(deeds(world, kept.seed, kept.episode, kept.actions))
        found[name] = Hope(reached, at_most, draws.chance, draws.wanted, _tries(done, draws))
    return found


def _tries(done: Sequence[Deed], draws: Draws) -> int:
    """How often luck was tried until it had come often enough."""
    tries = [f"collect_{draws.gain}" in deed.counted for deed in done if deed.rule == draws.rule]
    hits = [number for number, hit in enumerate(tries, start=1) if hit]
    return hits[draws.wanted - 1] if len(hits) >= draws.wanted else len(tries)


def expectation(some: Sequence[Hope]) -> dict[str, Any]:
    """The rate of one achievement over episodes, and the rate to expect from the tries made.

    Whoever stops when luck has come makes the fewer tries the luckier they are, so that
    1 − (1 − p)^tries falls short of the successes. What holds whenever one stops: luck comes as
    often as tries are made times the chance of each in the mean, and this spreads as if the tries
    were independent.

    Raises:
        ValueError: There is no episode.
    """
    n = len(some)
    found: dict[str, Any] = {
        "episodes": n,
        "rate": statistics.fmean(hope.reached for hope in some),
        "expected": None,
        "interval": None,
        "at_most": statistics.fmean(hope.at_most for hope in some),
    }
    counted = [(hope.chance, hope) for hope in some if hope.chance is not None]
    if len(counted) == n:
        mean = sum(p * hope.tries / hope.wanted for p, hope in counted)
        variance = sum(p * (1 - p) * hope.tries / hope.wanted**2 for p, hope in counted)
        margin = _NORMAL_95 * math.sqrt(variance)
        found["expected"] = mean / n
        found["interval"] = [max(0.0, (mean - margin) / n), min(1.0, (mean + margin) / n)]
    return found
