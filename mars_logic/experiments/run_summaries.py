"""Episodes of one world summed up: rewards, rates, steps, and finite chances."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from mars_logic.experiments.luck import expectation, hopes
from mars_logic.experiments.runs import EpisodeResult
from mars_logic.experiments.series import Spread
from mars_logic.play.episodes import summarise
from mars_logic.play.unlock_score import smartplay_row, smartplay_summary
from mars_logic.world.theory import World


def summary(
    results: Sequence[EpisodeResult], world: World, *, smartplay: bool = False
) -> dict[str, Any]:
    """A world's part of the JSON of ``run``; docs/agents.md tells the fields.

    It holds no times, so that the same episodes give the same summary.

    Args:
        results: The episodes.
        world: Where they were played.
        smartplay: Whether SmartPlay's score is part of it.

    Raises:
        ValueError: There is no episode.
    """
    found = summarise(
        [result.certificate.reward for result in results],
        [result.certificate.unlocked for result in results],
        world.achievements,
        [result.unreachable for result in results],
    )
    scored = [smartplay_row(r.certificate.unlocked, r.certificate.steps) for r in results]
    extra = {"smartplay": smartplay_summary(scored) | {"episodes": scored}} if smartplay else {}
    return extra | {
        "episodes": [_row(result) for result in results],
        "reward": {"mean": found.reward_mean, "std": found.reward_std},
        "success": found.success,
        "score": found.score,
        "complete": statistics.fmean(result.complete for result in results),
        "died": statistics.fmean(result.ended == "death" for result in results),
        "unreachable": _unreachable(results, world),
        "steps": _steps(results, world),
        "luck": _luck(results, world),
    }


def milliseconds(results: Sequence[EpisodeResult]) -> float | None:
    """How long a decision took in the mean; None if no episode was played now."""
    times = [seconds for result in results for seconds in result.seconds]
    return 1000 * statistics.fmean(times) if times else None


def _row(result: EpisodeResult) -> dict[str, Any]:
    return {
        "seed": result.certificate.seed,
        "steps": result.certificate.steps,
        "reward": result.certificate.reward,
        "unlocked": result.certificate.unlocked,
        "ended": result.ended,
        "unreachable": result.unreachable,
    }


def _unreachable(results: Sequence[EpisodeResult], world: World) -> dict[str, int]:
    """On how many maps an achievement is proved unreachable, if on any."""
    counts = {
        name: sum(name in result.unreachable for result in results) for name in world.achievements
    }
    return {name: count for name, count in counts.items() if count}


def _steps(results: Sequence[EpisodeResult], world: World) -> dict[str, dict[str, float]]:
    """When each achievement was reached, over the episodes that reached it."""
    steps: dict[str, dict[str, float]] = {}
    for name in world.achievements:
        reached = [found for r in results if (found := r.certificate.unlocked.get(name))]
        if reached:
            steps[name] = {"episodes": len(reached)} | asdict(Spread.of(reached))
    return steps


def _luck(results: Sequence[EpisodeResult], world: World) -> dict[str, dict[str, Any]]:
    """Finite chances: observed and expected successes."""
    found = [hopes(result, world) for result in results]
    concerned = {
        name: [hope[name] for hope in found if name in hope] for name in world.achievements
    }
    return {name: expectation(some) for name, some in concerned.items() if some}
