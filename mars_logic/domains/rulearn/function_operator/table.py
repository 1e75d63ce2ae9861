"""The table of one function: which bases its terms may have, for which values of parameters."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.rulearn.function_operator.rules import BASES, basis_choices
from mars_logic.domains.rulearn.function_operator.simulator import DIVISION, INVALID, ZERO

Numbers = NDArray[np.float64]
CONSTANT: Final = "1"
ERRORS: Final = (DIVISION, INVALID)
_ROUNDING: Final = 1e-12
"""Error of rounding, as a part of a value; of 1 below that."""


class BasisTable:
    """The bases that the terms of a function may have, by the values of its own parameters.

    Args:
        letters: The place of each term's parameter in the code.
        choices: The bases that a term may have.
        low: The smallest value of a parameter.
        high: The largest.
        repeats: Whether a basis may occur twice; the constant always may.

    Attributes:
        letters: As above.
        own: The places of the function's parameters in the code, each once.
        bases: The possible bases of all terms together, one a row.
        values: float64[own parameters, combinations]: all values of the own parameters.
        fits: bool[rows, combinations]: whether a row agrees with what was seen.
    """

    def __init__(
        self,
        letters: Sequence[int],
        choices: Sequence[str],
        low: int,
        high: int,
        *,
        repeats: bool = False,
    ) -> None:
        self.letters = tuple(letters)
        self.own = sorted(set(letters))
        self._low, self._many = low, high - low + 1
        every = itertools.product(choices, repeat=len(letters))
        self.bases = list(every) if repeats else basis_choices(len(letters), choices)
        numbers = np.arange(low, high + 1, dtype=np.float64)
        grid = np.meshgrid(*[numbers] * len(self.own), indexing="ij")
        self.values = np.stack([each.ravel() for each in grid])
        self.forget()

    def forget(self) -> None:
        """Allow all values with all bases."""
        self.fits = np.ones((len(self.bases), self.values.shape[1]), dtype=np.bool_)
        self._seen: dict[float, tuple[Numbers, NDArray[np.int64]]] = {}

    def require_distinct(self) -> None:
        """Drop values of which two are equal."""
        ordered = np.sort(self.values, axis=0)
        self.fits = self.fits & (np.diff(ordered, axis=0) > 0).all(axis=0)

    def keep(self, rows: NDArray[np.bool_]) -> None:
        """Drop all other rows."""
        self.bases = [each for each, kept in zip(self.bases, rows, strict=True) if kept]
        self.fits = self.fits[rows]
        self._seen = {}

    def combinations(self, codes: NDArray[np.int64]) -> NDArray[np.int64]:
        """For each code, int64[codes, parameters], the place of its values among ``values``."""
        found = np.zeros(len(codes), dtype=np.int64)
        for at in self.own:
            found = found * self._many + (codes[:, at] - self._low)
        return found

    def outcomes(self, x: float) -> tuple[Numbers, NDArray[np.int64]]:
        """The value of the function at a point, and what is wrong with it.

        Returns:
            float64[rows, combinations], and int64[rows]: 0, or 1 plus a place in ``ERRORS``.
        """
        if x not in self._seen:
            self._seen[x] = self._evaluated(x)
        return self._seen[x]

    def _evaluated(self, x: float) -> tuple[Numbers, NDArray[np.int64]]:
        found = np.zeros(self.fits.shape)
        wrong = np.zeros(len(self.bases), dtype=np.int64)
        for term, letter in enumerate(self.letters):
            factors = np.zeros(len(self.bases))
            for row, bases in enumerate(self.bases):
                try:
                    factors[row] = BASES[bases[term]](x)
                except ZeroDivisionError:
                    wrong[row] = wrong[row] or 1 + ERRORS.index(DIVISION)
                except OverflowError:
                    wrong[row] = wrong[row] or 1 + ERRORS.index(INVALID)
            with np.errstate(over="ignore", invalid="ignore"):
                found = found + np.multiply.outer(factors, self.values[self.own.index(letter)])
        return np.where(np.abs(found) < ZERO, 0.0, found), wrong

    def observe(self, x: float, value: float | None, error: str | None) -> None:
        """Keep what agrees with an evaluation."""
        found, wrong = self.outcomes(x)
        if value is None:
            agrees = (wrong == 1 + ERRORS.index(str(error)))[:, None]
        else:
            near = np.abs(found - value) <= _ROUNDING * max(1.0, abs(value))
            agrees = near & (wrong == 0)[:, None]
        self.fits = self.fits & agrees

    def labels(self, x: float) -> tuple[NDArray[np.int64], list[Any]]:
        """Numbers for different outcomes at a point, and these outcomes.

        Returns:
            int64[rows, combinations], meaningful where ``fits``; values (equal up to rounding) and
            errors, by these numbers.
        """
        found, wrong = self.outcomes(x)
        places = np.argwhere(self.fits & (wrong == 0)[:, None])
        numbers = found[places[:, 0], places[:, 1]]
        order = np.argsort(numbers, kind="stable")
        numbers = numbers[order]
        differ = _gaps(numbers)
        marks = np.concatenate([[0], np.cumsum(differ)]) if len(numbers) else np.zeros(0, np.int64)
        starts = [0, *(1 + np.flatnonzero(differ))] if len(numbers) else []
        told: list[Any] = [*ERRORS, *(float(numbers[int(at)]) for at in starts)]
        labels = np.broadcast_to(np.maximum(wrong - 1, 0)[:, None], found.shape).copy()
        labels[places[order, 0], places[order, 1]] = marks + len(ERRORS)
        return labels, told

    def different(self, x: float) -> int:
        """How many outcomes there are at a point, among what fits."""
        found, wrong = self.outcomes(x)
        values = np.sort(found[self.fits & (wrong == 0)[:, None]])
        return int(_gaps(values).sum()) + bool(len(values)) + len(set(wrong.tolist()) - {0})


def _gaps(values: Numbers) -> NDArray[np.bool_]:
    """Whether each of some sorted values but the first differs from the one before."""
    return np.asarray(np.diff(values) > _ROUNDING * np.maximum(1.0, np.abs(values[1:])))


def all_values(numbers: Sequence[int], size: int, *, distinct: bool) -> NDArray[np.int64]:
    """All values of so many parameters: int64[combinations, size]."""
    found = (
        itertools.permutations(numbers, size)
        if distinct
        else itertools.product(numbers, repeat=size)
    )
    return np.array(list(found), dtype=np.int64).reshape(-1, size)
