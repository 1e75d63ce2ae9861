"""Episodes of one world summed up: rewards, rates, steps, and what was left to luck."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from mars_logic.episodes import summarise
from mars_logic.logic.proof import Draws, Verdict
from mars_logic.measure import Spread
from mars_logic.plan.deeds import Deed, deeds
from mars_logic.runs import Result
from mars_logic.world.world import World

_NORMAL_95 = 1.96
"""So many standard deviations on either side hold 95 % of a normal distribution."""


def summary(results: Sequence[Result], world: World) -> dict[str, Any]:
    """A world's part of the JSON of ``run``; docs/agents.md tells the fields.

    It holds no times, so that the same episodes give the same summary.

    Raises:
        ValueError: There is no episode.
    """
    found = summarise(
        [result.certificate.reward for result in results],
        [result.certificate.unlocked for result in results],
        world.achievements,
        [result.unreachable for result in results],
    )
    return {
        "episodes": [_row(result) for result in results],
        "reward": {"mean": found.reward_mean, "std": found.reward_std},
        "success": found.success,
        "score": found.score,
        "complete": statistics.fmean(result.complete for result in results),
        "unreachable": _unreachable(results, world),
        "steps": _steps(results, world),
        "luck": _luck(results, world),
    }


def milliseconds(results: Sequence[Result]) -> float | None:
    """How long a decision took in the mean; None if no episode was played now."""
    times = [seconds for result in results for seconds in result.seconds]
    return 1000 * statistics.fmean(times) if times else None


def _row(result: Result) -> dict[str, Any]:
    return {
        "seed": result.certificate.seed,
        "steps": result.certificate.steps,
        "reward": result.certificate.reward,
        "unlocked": result.certificate.unlocked,
        "ended": result.ended,
        "unreachable": result.unreachable,
    }


def _unreachable(results: Sequence[Result], world: World) -> dict[str, int]:
    """On how many maps an achievement is proved unreachable, if on any."""
    counts = {
        name: sum(name in result.unreachable for result in results) for name in world.achievements
    }
    return {name: count for name, count in counts.items() if count}


def _steps(results: Sequence[Result], world: World) -> dict[str, dict[str, float]]:
    """When each achievement was reached, over the episodes that reached it."""
    steps: dict[str, dict[str, float]] = {}
    for name in world.achievements:
        reached = [found for r in results if (found := r.certificate.unlocked.get(name))]
        if reached:
            steps[name] = {"episodes": len(reached)} | asdict(Spread.of(reached))
    return steps


def _luck(results: Sequence[Result], world: World) -> dict[str, dict[str, Any]]:
    """What only a finite chance gives: how often it came, and how often to expect it."""
    luck: dict[str, dict[str, Any]] = {}
    for name in world.achievements:
        verdicts = [(result, result.proof.achievements[name]) for result in results]
        chances = [(r, v) for r, v in verdicts if v.certainty == "finite_chance"]
        if chances:
            reached = [name in result.certificate.unlocked for result, _ in chances]
            rate = {"episodes": len(chances), "rate": statistics.fmean(reached)}
            luck[name] = rate | _expected(chances, world)
    return luck


def _expected(chances: Sequence[tuple[Result, Verdict]], world: World) -> dict[str, Any]:
    """The rate to expect from the tries that were made, and the most that could be had.

    Who stops when luck has come makes the fewer tries the luckier they are. What holds all the
    same: over all episodes, luck comes as often as tries were made times the chance of each, and
    that number spreads as if the tries were independent.
    """
    most = statistics.fmean(v.probability.high if v.probability else 1.0 for _, v in chances)
    hoped, spread = 0.0, 0.0
    for result, verdict in chances:
        draws = verdict.probability and verdict.probability.draws
        if not draws or f"collect_{draws.gain}" not in world.achievements:
            return {"expected": None, "interval": None, "at_most": most}
        tries = _tries(_deeds(result, world), draws)
        hoped += draws.chance * tries / draws.wanted
        spread += draws.chance * (1 - draws.chance) * tries / draws.wanted**2
    n, margin = len(chances), _NORMAL_95 * math.sqrt(spread)
    interval = [max(0.0, (hoped - margin) / n), min(1.0, (hoped + margin) / n)]
    return {"expected": hoped / n, "interval": interval, "at_most": most}


def _deeds(result: Result, world: World) -> list[Deed]:
    kept = result.certificate
    return list(deeds(world, kept.seed, kept.episode, kept.actions))


def _tries(done: Sequence[Deed], draws: Draws) -> int:
    """How often luck was tried until it had come often enough."""
    tries = [f"collect_{draws.gain}" in deed.counted for deed in done if deed.rule == draws.rule]
    hits = [number for number, hit in enumerate(tries, start=1) if hit]
    return hits[draws.wanted - 1] if len(hits) >= draws.wanted else len(tries)
