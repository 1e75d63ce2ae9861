"""Estimates over sampled maps: the probability of success over random maps.

The proof on each map gives a range that contains the probability there. An estimate generalises
from a sample of maps to all maps, with confidence intervals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import NormalDist, fmean, stdev
from typing import Any

CONFIDENCE = 0.95
"""Confidence level of all intervals."""
QUANTILE = 0.05
"""Level of the reported quantile."""

_Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)

Range = tuple[float, float]
"""A range: lower and upper bound."""


NOTHING: Range = (0.0, 1.0)
"""The range of an unknown probability."""

METHOD = "estimate from sampled maps"
CELL_METHOD = "estimate from the cells on sampled maps"
CELL_MAPS = 1000
"""Number of maps whose cells were counted for ``encodings/reach/abundance.lp``."""
CELL_TAIL = 0.05
"""Share of them with fewer cells in a zone than an ordinary map; the share with more is equal."""


def share_interval(share: float, maps: int) -> Range:
    """A confidence interval of a share of all maps, from a sample (Wilson's score interval)."""
    z2 = _Z**2 / maps
    spread = _Z * math.sqrt(share * (1 - share) / maps + z2 / 4 / maps)
    low, high = ((share + z2 / 2 + sign * spread) / (1 + z2) for sign in (-1, 1))
    return max(0.0, low), min(1.0, high)


@dataclass(frozen=True)
class CellEstimate:
    """A range of the probability of success, and the share of maps on which it holds.

    Attributes:
        range: The probability, on maps that hold no fewer and no more cells than ordinary ones.
        share: Minimum share of the counted maps that are like that.
        interval: A confidence interval of that share over all maps.
    """

    range: Range
    share: float
    interval: Range

    @classmethod
    def of(cls, found: Range, tails: int) -> CellEstimate:
        """The estimate for a range that depends on this number of bounds on cells."""
        share = max(0.0, 1 - CELL_TAIL * tails)
        return cls(found, share, share_interval(share, CELL_MAPS))

    @property
    def told(self) -> str:
        """The share of maps, in words."""
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
class PlayedMaps:
    """Successes of an executor: a lower bound on the best player's rate in expectation.

    Attributes:
        successes: Number of maps with success.
        maps: Number of maps.
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

    All numbers are ranges, since a map's probability may be known only as a range.

    Attributes:
        maps: Number of sampled maps, those of the seeds 0, 1, 2…
        mean: The mean over these maps.
        mean_interval: A confidence interval of the mean over all maps, by the normal
            approximation.
        quantile: The 5 % quantile over these maps.
        quantile_interval: A confidence interval of that quantile over all maps, by order
            statistics (distribution-free; 0 or 1 where there are too few maps for a bound).
        known: Number of maps with a proved range of the probability; with 0, the ranges are
            trivial.
        played: Successes of an executor on these maps, if requested.
    """

    maps: int
    known: int
    mean: Range
    mean_interval: Range
    quantile: Range
    quantile_interval: Range
    played: PlayedMaps | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        ranges = {
            name: {"low": found[0], "high": found[1]} if self.known else None
            for name, found in asdict(self).items()
            if name not in ("maps", "known", "played")
        }
        about = {"method": METHOD, "maps": self.maps, "known": self.known, "confidence": CONFIDENCE}
        return about | ranges | {"played": self.played and self.played.to_json()}


def estimate(ranges: Sequence[Range], played: PlayedMaps | None = None) -> Estimate:
    """Estimate the probability on all maps from proved ranges on some maps.

    Args:
        ranges: The proved range on each map.
        played: Successes of an executor on them.

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


def _mean_bounds(values: Sequence[float]) -> Range:
    if len(values) < 2:
        return 0.0, 1.0
    reach = _Z * stdev(values) / math.sqrt(len(values))
    mean = fmean(values)
    return max(0.0, mean - reach), min(1.0, mean + reach)


def _quantile_bounds(values: Sequence[float]) -> Range:
    """Confidence bounds on the quantile, from sorted values.

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
