"""Checks of the arguments of the simulator's methods, converted to arrays of the right type."""

from __future__ import annotations

from operator import index
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mars_logic.compiled.kernel import kernel
from mars_logic.sim.codes import NUM_ACTIONS
from mars_logic.world.dialect import LONGEST_EPISODE
from mars_logic.world.names import SEED_LIMIT

EPISODE_LIMIT = 2**31
"""Episodes are numbered 1 .. EPISODE_LIMIT - 1."""


def integer(name: str, value: SupportsIndex) -> int:
    """A Python integer.

    Raises:
        ValueError: It is something else; booleans are refused.
    """
    if isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be an integer, not {value}")
    try:
        return index(value)
    except TypeError:
        raise ValueError(f"{name} must be an integer, not {value!r}") from None


def positive(name: str, value: SupportsIndex) -> int:
    """A positive integer below 2**31.

    Raises:
        ValueError: It is something else.
    """
    number = integer(name, value)
    if not 1 <= number < 2**31:
        raise ValueError(f"{name} must be a positive integer, not {number}")
    return number


def length(value: SupportsIndex) -> int:
    """Steps in an episode: at most the longest dialect's, for which daylight is tabulated.

    Raises:
        ValueError: It is something else.
    """
    number = integer("length", value)
    if not 1 <= number <= LONGEST_EPISODE:
        raise ValueError(f"length must be 1 to {LONGEST_EPISODE}, not {number}")
    return number


def seeds(value: ArrayLike, n: int) -> NDArray[np.int64]:
    """int64[n]: one seed for each environment; from a single integer, that and the next n-1.

    Raises:
        ValueError: Not an integer or integers of shape (n,), or out of range.
    """
    if _is_single(value):
        first = integer("seed", value)  # type: ignore[arg-type]
        if not -SEED_LIMIT < first <= SEED_LIMIT - n:
            raise ValueError(f"seed must lie between -(2**61 - 1) and 2**61 - 1, not {first}")
        return first + np.arange(n, dtype=np.int64)
    return _integers("seed", value, n, 1 - SEED_LIMIT, SEED_LIMIT - 1)


def episodes(value: ArrayLike, n: int) -> NDArray[np.int64]:
    """int64[n]: one episode for each environment, the same for all from a single integer.

    Raises:
        ValueError: Not a positive integer or positive integers of shape (n,).
    """
    if _is_single(value):
        return np.full(n, positive("episode", value))  # type: ignore[arg-type]
    return _integers("episode", value, n, 1, EPISODE_LIMIT - 1)


def selection(value: ArrayLike, n: int) -> NDArray[np.bool_]:
    """bool[n]: the selected environments.

    Raises:
        ValueError: Not booleans of shape (n,).
    """
    chosen = np.asarray(value)
    if chosen.dtype != np.bool_:
        raise ValueError(f"where must hold truth values, not {chosen.dtype}")
    if chosen.shape != (n,):
        raise ValueError(f"where must have shape ({n},), not {chosen.shape}")
    return chosen


def actions(value: ArrayLike, n: int, count: int = NUM_ACTIONS) -> NDArray[np.int64]:
    """int64[n]: one action code below a limit for each environment; one integer suffices if n is 1.

    Raises:
        ValueError: An action is out of range, or the actions have another shape or type.
    """
    array = np.asarray(value)
    if n == 1 and array.shape == ():
        array = array.reshape(1)
    _require_integers("actions", array, n)
    chosen = array.astype(np.int64)
    if not _all_below(chosen, count):  # compiled, since every step needs it
        _require_range("actions", array, 0, count - 1)
    return chosen


@kernel
def _all_below(values: Any, limit: int) -> bool:
    """Whether all values are at least 0 and below a limit."""
    for value in values:  # noqa: SIM110
        if not 0 <= value < limit:
            return False
    return True


def _is_single(value: Any) -> bool:
    """Whether a value is a single number (or not an array of numbers)."""
    return isinstance(value, str | bytes) or np.ndim(value) == 0


def _integers(name: str, value: ArrayLike, n: int, least: int, most: int) -> NDArray[np.int64]:
    array = np.asarray(value)
    _require_integers(name, array, n)
    _require_range(name, array, least, most)
    return array.astype(np.int64)


def _require_integers(name: str, array: NDArray[Any], n: int) -> None:
    if array.dtype.kind == "O":
        others = (each for each in array.flat if type(each) is not int or abs(each) >= 2**63)
        raise ValueError(f"{name} must be integers of 64 bits, not {next(others, array.dtype)!r}")
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name} must be integers, not {array.dtype}")
    if array.shape != (n,):
        raise ValueError(f"{name} must have shape ({n},), not {array.shape}")


def _require_range(name: str, array: NDArray[Any], least: int, most: int) -> None:
    if array.min() < least or array.max() > most:
        wrong = array[(array < least) | (array > most)][0]
        raise ValueError(f"{name} must be {least} to {most}, not {wrong}")
