"""Weights of values: normalisation and entropy."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

Weights = Mapping[Any, float]
"""The probability of each value that is possible."""


def normal(weights: Mapping[Any, float]) -> dict[Any, float]:
    """Normalised weights; zero weights are left out."""
    total = math.fsum(weights.values())
    return {value: weight / total for value, weight in weights.items() if weight > 0}


def by_size(factors: Mapping[Any, float], known: Iterable[Any] = ()) -> dict[Any, float]:
    """Weights by the number of parts: each number as probable as it is among known values.

    The rule of succession: beforehand, one known value counts for each number that is possible.

    Args:
        factors: By value, a factor on its weight among those of its number of parts. Each amount
            beyond 1 counts as a quarter.
        known: Values of the same field in other rules.
    """
    raw = {value: factor * 0.25 ** _surplus(value) for value, factor in factors.items()}
    total: defaultdict[int, float] = defaultdict(float)
    for value, weight in raw.items():
        total[_parts(value)] += weight
    sizes = Counter(dict.fromkeys(total, 1))
    sizes.update(size for size in map(_parts, known) if size in total)
    return {v: weight / total[_parts(v)] * sizes[_parts(v)] for v, weight in raw.items()}


def _parts(value: Any) -> int:
    return len(value) if isinstance(value, Mapping | tuple) else 1


def _surplus(value: Any) -> int:
    """By how much the amounts of a mapping from items are more than 1 each."""
    amounts = value.values() if isinstance(value, Mapping) else ()
    return sum(amount - 1 for amount in amounts if isinstance(amount, int))


def entropy(probabilities: Iterable[float]) -> float:
    """In bits."""
    return -math.fsum(p * math.log2(p) for p in probabilities if p > 0)


def binary(probability: float) -> float:
    """The entropy of something that is so with a probability, in bits."""
    return entropy((probability, 1 - probability))
