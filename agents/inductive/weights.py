"""Weights of values: normalisation and entropy."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

Weights = Mapping[Any, float]
"""The probability of each value that is possible."""


def normal(weights: Mapping[Any, float]) -> dict[Any, float]:
    """Normalised weights; zero weights are left out."""
    total = math.fsum(weights.values())
    return {value: weight / total for value, weight in weights.items() if weight > 0}


def entropy(probabilities: Iterable[float]) -> float:
    """In bits."""
    return -math.fsum(p * math.log2(p) for p in probabilities if p > 0)


def binary(probability: float) -> float:
    """The entropy of something that is so with a probability, in bits."""
    return entropy((probability, 1 - probability))
