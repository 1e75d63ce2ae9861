"""When values of functions are equal but for rounding."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.rulearn.function_operator.simulator import ZERO

_RELATIVE: Final = 1e-12
"""Error of rounding, as a part of a value; of 1 below that."""


def shown(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values as they are shown: those near zero are zero."""
    return np.where(np.abs(values) < ZERO, 0.0, values)


def near(values: NDArray[np.float64], value: float) -> NDArray[np.bool_]:
    """Whether values are equal to one, but for rounding."""
    return np.asarray(np.abs(values - value) <= _RELATIVE * max(1.0, abs(value)))


def gaps(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether each of some sorted values but the first differs from the one before."""
    return np.asarray(np.diff(values) > _RELATIVE * np.maximum(1.0, np.abs(values[1:])))
