"""Fits the weights of the likelihood to scenes whose tasks are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.conan.features import FEATURES

_RATE, _ROUNDS, _DECAY = 0.05, 400, 1e-3
_FIRST: Final = 1.0


@dataclass(frozen=True)
class LabelledScene:
    """Simulations of one scene.

    Attributes:
        features: float64[n, 18].
        prior: float64[n]: prior of the simulation's plan over the number of its simulations.
        right: bool[n]: whether the simulation's task is the scene's.
    """

    features: NDArray[np.float64]
    prior: NDArray[np.float64]
    right: NDArray[np.bool_]


def fit(samples: Sequence[LabelledScene]) -> NDArray[np.float64]:
    """Weights, none negative, that give the true tasks the largest likelihood (Adam).

    Args:
        samples: Scenes; those whose true task was not simulated do not count.

    Returns:
        float64[18], of ``FEATURES``.
    """
    usable = [each for each in samples if each.right.any()]
    weights = np.full(len(FEATURES), _FIRST)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for turn in range(1, _ROUNDS + 1):
        slope = np.mean([_slope(each, weights) for each in usable], axis=0) + _DECAY * weights
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        step = mean / (1 - 0.9**turn) / (np.sqrt(square / (1 - 0.999**turn)) + 1e-8)
        weights = np.maximum(weights - _RATE * step, 0.0)
    return weights


def _slope(sample: LabelledScene, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The gradient of minus the log posterior of the true task."""
    scores = np.log(sample.prior) - sample.features @ weights
    everything = _shares(scores)
    right = np.zeros_like(everything)
    right[sample.right] = _shares(scores[sample.right])
    slope: NDArray[np.float64] = (right - everything) @ sample.features
    return slope


def _shares(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    shares = np.exp(scores - scores.max())
    normed: NDArray[np.float64] = shares / shares.sum()
    return normed
