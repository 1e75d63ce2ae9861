"""Confidence intervals of 95 %: for shares, and for statistics of independent samples."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Interval = tuple[float, float]
FEWEST: Final = 5
"""Independent runs from which on an interval is told."""
RESAMPLES: Final = 10_000
"""Fewer of many samples, see :func:`resamples`."""
_LEAST: Final = 1_000
_DRAWS: Final = 50_000_000
_AT_ONCE: Final = 500
_HELD: Final = 4_000_000
"""Resamples that are drawn at a time, and draws in them: many samples need little memory."""
_TAILS: Final = (0.025, 0.975)
_NORMAL: Final = NormalDist()


def wilson(successes: int, trials: int) -> Interval:
    """The interval of a share by Wilson's method.

    Raises:
        ZeroDivisionError: There is no trial.
    """
    z, share = 1.96, successes / trials
    centre = share + z * z / (2 * trials)
    margin = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials**2))
    scale = 1 + z * z / trials
    return max(0.0, (centre - margin) / scale), min(1.0, (centre + margin) / scale)


def share_interval(successes: int, trials: int, runs: int) -> Interval | None:
    """The interval of a share by Wilson's method; None of fewer than :data:`FEWEST` runs.

    Args:
        successes: Of how many trials it holds.
        trials: How many there are; at least one.
        runs: How many of the trials, at most, are independent of each other.
    """
    return wilson(successes, trials) if runs >= FEWEST else None


def resamples(samples: int) -> int:
    """How often so many samples are resampled: 10,000 times, and less often from 5,000 on.

    What is drawn in all is bounded then, as the time that it takes; 1,000 is the least.
    """
    return min(RESAMPLES, max(_LEAST, _DRAWS // samples))


def bootstrap(
    statistic: Callable[..., NDArray[Any]], *values: NDArray[Any], seed: int = 0
) -> Interval | None:
    """The interval of a statistic by a bootstrap; None of fewer than :data:`FEWEST` samples.

    Its ends are percentiles corrected for bias and skewness (BCa; Efron, 1987): a score, which is a
    geometric mean, is lower in most resamples than in the sample.

    Args:
        statistic: Gets the sums of each of the values over the samples that were drawn,
            ``(resamples, ...)`` of float64, and gives the statistic of each resample,
            ``(resamples,)``.
        values: What the samples have, ``(samples, ...)`` each; samples have to be independent of
            each other.
        seed: The same seed draws the same resamples.
    """
    samples = len(values[0])
    if samples < FEWEST:
        return None
    random = np.random.default_rng(seed)
    even = np.full(samples, 1 / samples)
    left, at_once = resamples(samples), max(1, min(_AT_ONCE, _HELD // samples))
    parts = []
    while left:
        drawn = random.multinomial(samples, even, size=min(left, at_once)).astype(np.float64)
        parts.append(statistic(*(drawn @ each for each in values)))
        left -= len(drawn)
    found = np.concatenate(parts)
    (whole,) = statistic(*(np.ones((1, samples)) @ each for each in values))
    without = statistic(*(each.sum(axis=0) - each for each in values))
    low, high = np.percentile(found, _ends(found, float(whole), without))
    return float(low), float(high)


def _ends(found: NDArray[Any], whole: float, without: NDArray[Any]) -> list[float]:
    """Which percentiles are the ends of the interval.

    Args:
        found: The statistic of each resample.
        whole: That of all samples.
        without: That without each one of them.
    """
    below = float(np.mean(found < whole) + np.mean(found == whole) / 2)
    bias = _NORMAL.inv_cdf(min(max(below, 0.5 / len(found)), 1 - 0.5 / len(found)))
    apart = without.mean() - without
    largest = float(np.abs(apart).max())
    apart = apart / (largest or 1.0)  # skewness has no scale, and squares of the small are 0
    spread = float((apart**2).sum())
    skew = float((apart**3).sum()) / (6 * spread**1.5) if spread > 0 else 0.0
    tails = (bias + _NORMAL.inv_cdf(tail) for tail in _TAILS)
    return [100 * _NORMAL.cdf(bias + tail / (1 - skew * tail)) for tail in tails]


def bootstrap_mean(totals: NDArray[Any], counts: NDArray[Any]) -> Interval | None:
    """The interval of a mean over samples that hold several values each.

    Args:
        totals: The sum of each sample's values, ``(samples,)``.
        counts: How many these are, ``(samples,)``.
    """
    return bootstrap(np.divide, totals, counts)
