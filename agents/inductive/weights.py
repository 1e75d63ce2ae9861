"""Weights of values: normalisation and entropy."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

Weights = Mapping[Any, float]
"""The probability of each value that is possible."""


def normal(weights: Mapping[Any, float]) -> dict[Any, float]:
    """Normalised weights; zero weights are left out."""
    total = math.fsum(weights.values())
    return {value: weight / total for value, weight in weights.items() if weight > 0}


def by_size(values: Iterable[Any]) -> dict[Any, float]:
    """Weights by simplicity: of each number of parts all values weigh the same, simple ones more.

    Amounts beyond 1 halve the weight of a value each.
    """
    raw = {value: 0.5 ** _surplus(value) for value in values}
    total: defaultdict[int, float] = defaultdict(float)
    for value, weight in raw.items():
        total[_parts(value)] += weight
    return {value: weight / total[_parts(value)] for value, weight in raw.items()}


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
