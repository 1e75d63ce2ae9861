"""SmartPlay's score of an episode in a survival game, and what stands beside it.

Source: SmartPlay (Wu et al., ICLR 2024), section on Crafter, and its released code.

The score is the sum, over all steps of the game, of the number of achievements that are unlocked by
then. SmartPlay's reset takes one step itself, a no-op, which unlocks nothing and counts toward the
10,000 steps of a game, so 9,999 steps are left to the player. Once all 22 are unlocked, every
further step counts 22: the score measures mainly how long the player lives.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any, Final

LENGTH: Final = 10_000
"""Steps of a game, that of the reset included."""
MARKS: Final = (200, 500, 1_000, LENGTH)
"""Steps of the game at which the score so far is reported."""


def smartplay_score(unlocked: Mapping[str, int], steps: int, until: int = LENGTH) -> int:
    """The score after so many steps of the game.

    Args:
        unlocked: The step of the player, from 1, at which each achievement was first reached.
        steps: Steps that the player took.
        until: Steps of the game that count, that of the reset included.
    """
    last = min(steps, until - 1)
    return sum(max(0, last - step + 1) for step in unlocked.values())


def smartplay_row(unlocked: Mapping[str, int], steps: int) -> dict[str, Any]:
    """An episode's score, unlocked achievements, steps lived, and score at each of ``MARKS``.

    Args:
        unlocked: As :func:`smartplay_score` takes it.
        steps: Steps that the player took.
    """
    return {
        "score": smartplay_score(unlocked, steps),
        "unlocked": len(unlocked),
        "steps": steps,
        "at": {str(mark): smartplay_score(unlocked, steps, mark) for mark in MARKS},
    }


def smartplay_summary(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Mean and sample standard deviation of each number of :func:`smartplay_row`.

    ``alive`` is the share of episodes that lasted to the end of SmartPlay's game.

    Args:
        rows: One of each episode.

    Raises:
        ValueError: There is no episode.
    """
    if not rows:
        raise ValueError("there is no episode")
    return {
        "score": mean_and_deviation([row["score"] for row in rows]),
        "unlocked": mean_and_deviation([row["unlocked"] for row in rows]),
        "steps": mean_and_deviation([row["steps"] for row in rows]),
        "alive": statistics.fmean(row["steps"] >= LENGTH - 1 for row in rows),
        "at": {
            str(mark): mean_and_deviation([row["at"][str(mark)] for row in rows]) for mark in MARKS
        },
    }


def mean_and_deviation(values: Sequence[float]) -> dict[str, float]:
    """The mean, and the sample standard deviation, 0 of one value: what SmartPlay reports."""
    deviation = statistics.stdev(values) if len(values) > 1 else 0.0
    return {"mean": statistics.fmean(values), "std": deviation}
