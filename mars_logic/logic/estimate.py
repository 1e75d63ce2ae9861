"""Estimates over sampled maps: the probability of a chance that a map decides.

What is proved on each map is a range that holds the probability there. An estimate speaks of
maps in general, from a sample of them, and so comes with confidence intervals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import NormalDist, fmean, stdev
from typing import Any

from mars_logic.logic.proof import Verdict

CONFIDENCE = 0.95
"""Of all intervals, about this share holds the true value."""
QUANTILE = 0.05
"""On this share of maps the probability is no higher than the quantile."""

_Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)

Range = tuple[float, float]
"""The least and the greatest that something may be."""


METHOD = "estimate from sampled maps"


@dataclass(frozen=True)
class Played:
    """How often an executor succeeded; the best player succeeds at least as often, in the long run.

    Attributes:
        successes: On so many maps.
        maps: Of so many.
    """

    successes: int
    maps: int

    @property
    def rate(self) -> float:
        """The share of the maps."""
        return self.successes / self.maps

    @property
    def interval(self) -> Range:
        """A confidence interval of the rate over all maps (Wilson's score interval)."""
        z2 = _Z**2 / self.maps
        spread = _Z * math.sqrt(self.rate * (1 - self.rate) / self.maps + z2 / 4 / self.maps)
        low, high = ((self.rate + z2 / 2 + sign * spread) / (1 + z2) for sign in (-1, 1))
        return max(0.0, low), min(1.0, high)

    def to_json(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        low, high = self.interval
        interval = {"low": low, "high": high}
        return {"successes": self.successes, "rate": self.rate, "interval": interval}


@dataclass(frozen=True)
class Estimate:
    """The probability of success on maps in general, estimated from a sample of maps.

    All numbers are ranges, since on each map only a range of the probability may be known.

    Attributes:
        maps: How many maps were sampled: those of the seeds 0, 1, 2…
        mean: The mean over these maps.
        mean_interval: A confidence interval of the mean over all maps, by the normal
            approximation.
        quantile: The 5 % quantile over these maps.
        quantile_interval: A confidence interval of that quantile over all maps, by order
            statistics (distribution-free; 0 or 1 where there are too few maps for a bound).
        played: How often an executor succeeded on these maps, if it was asked to.
    """

    maps: int
    mean: Range
    mean_interval: Range
    quantile: Range
    quantile_interval: Range
    played: Played | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        ranges = {
            name: {"low": found[0], "high": found[1]}
            for name, found in asdict(self).items()
            if name not in ("maps", "played")
        }
        about = {"method": METHOD, "maps": self.maps, "confidence": CONFIDENCE}
        return about | ranges | {"played": self.played and self.played.to_json()}


def estimate(ranges: Sequence[Range], played: Played | None = None) -> Estimate:
    """Sum up what is known of the probability on each of some maps.

    Args:
        ranges: What is proved on each map.
        played: How often an executor succeeded on them.

    Raises:
        ValueError: There is no map.
    """
    if not ranges:
        raise ValueError("an estimate takes at least one map")
    lows, highs = (sorted(column) for column in zip(*ranges, strict=True))
    rank = max(1, math.ceil(QUANTILE * len(ranges)))
    return Estimate(
        len(ranges),
        (fmean(lows), fmean(highs)),
        (_mean_bounds(lows)[0], _mean_bounds(highs)[1]),
        (lows[rank - 1], highs[rank - 1]),
        (_quantile_bounds(lows)[0], _quantile_bounds(highs)[1]),
        played,
    )


def range_of(verdict: Verdict) -> Range:
    """What a verdict about one map says of the probability there."""
    if verdict.verdict == "unreachable":
        return 0.0, 0.0
    if verdict.verdict == "reachable" and verdict.certainty != "finite_chance":
        return 1.0, 1.0
    found = verdict.probability
    return (0.0, 1.0) if found is None else (found.low, found.high)


def _mean_bounds(values: Sequence[float]) -> Range:
    if len(values) < 2:
        return 0.0, 1.0
    reach = _Z * stdev(values) / math.sqrt(len(values))
    mean = fmean(values)
    return max(0.0, mean - reach), min(1.0, mean + reach)


def _quantile_bounds(values: Sequence[float]) -> Range:
    """Of sorted values, those between which the quantile lies.

    The number of values below the quantile is binomial, whatever their distribution.
    """
    n, tail = len(values), (1 - CONFIDENCE) / 2
    below = 0.0
    low, high = 0, n  # as ranks; 0 and beyond n: no bound
    for hits in range(n + 1):
        below += math.comb(n, hits) * QUANTILE**hits * (1 - QUANTILE) ** (n - hits)
        if below <= tail:
            low = hits + 1
        if below >= 1 - tail:
            high = hits
            break
    return values[low - 1] if low else 0.0, values[high] if high < n else 1.0
