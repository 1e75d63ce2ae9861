"""The noise of map generation: three-dimensional OpenSimplex noise and its mixtures.

The noise function itself is that of the package ``opensimplex``, whose compiled form is called
from our kernels. See docs/semantics.md, "Noise".
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mars_logic.compiled.kernel import import_compiled, kernel

_opensimplex = import_compiled("opensimplex.internals")
_noise3 = _opensimplex._noise3
GRADIENTS3 = _opensimplex.GRADIENTS3
NORM_CONSTANT3 = _opensimplex.NORM_CONSTANT3
"""The gradients of the noise, and the divisor of their sum."""

Permutation = Any
"""In annotations: the result of :func:`permutation`."""

_GRADIENTS = 24
_COORDINATES = 3

_MULTIPLIER = np.int64(6364136223846793005)
_INCREMENT = np.int64(1442695040888963407)


@kernel
def permutation(seed: int) -> Permutation:
    """The permutation of 0..255 for a seed, and the gradient of each entry.

    Returns:
        int64[2, 256]: the permutation, and for each entry where its gradient starts in the table.
    """
    table = np.empty((2, 256), np.int64)
    source = np.arange(256)
    state = np.int64(seed)
    for _ in range(3):
        state = state * _MULTIPLIER + _INCREMENT
    for i in range(255, -1, -1):
        state = state * _MULTIPLIER + _INCREMENT
        chosen = (state + 31) % (i + 1)
        table[0, i] = source[chosen]
        table[1, i] = (source[chosen] % _GRADIENTS) * _COORDINATES
        source[chosen] = source[i]
    return table


@kernel
def noise(perm: Permutation, x: float, y: float, z: float, size: float) -> float:
    """Noise whose features are about ``size`` cells wide; ``z`` picks an independent layer."""
    return float(_noise3(x / size, y / size, z, perm[0], perm[1]))


@kernel
def water_noise(perm: Permutation, x: float, y: float) -> float:
    """Large features with a little detail."""
    return noise(perm, x, y, 3.0, 15.0) + 0.15 * noise(perm, x, y, 3.0, 5.0)


@kernel
def mountain_noise(perm: Permutation, x: float, y: float) -> float:
    """Large features with some detail, normalised."""
    return (noise(perm, x, y, 0.0, 15.0) + 0.3 * noise(perm, x, y, 0.0, 5.0)) / (1.0 + 0.3)
