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


NOTHING: Range = (0.0, 1.0)
"""What is known of a probability of which nothing is known."""

METHOD = "estimate from sampled maps"
CELL_METHOD = "estimate from the cells on sampled maps"
CELL_MAPS = 1000
"""Maps whose cells were counted for ``encodings/abundance.lp``."""
CELL_TAIL = 0.05
"""On this share of them a zone has fewer cells than an ordinary map, and on as many it has more."""


def share_interval(share: float, maps: int) -> Range:
    """A confidence interval of a share of all maps, from a sample (Wilson's score interval)."""
    z2 = _Z**2 / maps
    spread = _Z * math.sqrt(share * (1 - share) / maps + z2 / 4 / maps)
    low, high = ((share + z2 / 2 + sign * spread) / (1 + z2) for sign in (-1, 1))
    return max(0.0, low), min(1.0, high)


@dataclass(frozen=True)
class CellEstimate:
    """A range of the probability of success, and on how many maps it is no other.

    Attributes:
        range: The probability, on maps that hold no fewer and no more cells than ordinary ones.
        share: Of the maps that were counted, at least this share is like that.
        interval: A confidence interval of that share over all maps.
    """

    range: Range
    share: float
    interval: Range

    @classmethod
    def of(cls, found: Range, tails: int) -> CellEstimate:
        """The estimate for a range that so many bounds on cells lead to."""
        share = max(0.0, 1 - CELL_TAIL * tails)
        return cls(found, share, share_interval(share, CELL_MAPS))

    @property
    def told(self) -> str:
        """On how many maps, in words."""
        low, high = (100 * bound for bound in self.interval)
        return (
            f"{100 * self.share:.0f} % of {CELL_MAPS:,} generated maps, "
            f"{100 * CONFIDENCE:.0f} % interval {low:.1f} to {high:.1f} %"
        )

    def to_json(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "method": CELL_METHOD,
            "maps": CELL_MAPS,
            "confidence": CONFIDENCE,
            "range": {"low": self.range[0], "high": self.range[1]},
            "share": self.share,
            "share_interval": {"low": self.interval[0], "high": self.interval[1]},
        }


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
        """A confidence interval of the rate over all maps."""
        return share_interval(self.rate, self.maps)

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
        known: On how many maps anything is known of the probability; if on none, the ranges
            say nothing.
        played: How often an executor succeeded on these maps, if it was asked to.
    """

    maps: int
    known: int
    mean: Range
    mean_interval: Range
    quantile: Range
    quantile_interval: Range
    played: Played | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        ranges = {
            name: {"low": found[0], "high": found[1]} if self.known else None
            for name, found in asdict(self).items()
            if name not in ("maps", "known", "played")
        }
        about = {"method": METHOD, "maps": self.maps, "known": self.known, "confidence": CONFIDENCE}
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
        sum(found != NOTHING for found in ranges),
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
    return NOTHING if found is None else (found.low, found.high)


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
