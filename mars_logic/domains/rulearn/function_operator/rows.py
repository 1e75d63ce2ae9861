"""The table of one function: its values for all bases of its terms and all values of parameters."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.rulearn.function_operator.bases import BASES
from mars_logic.domains.rulearn.function_operator.identity import (
    UNDEFINED,
    Identity,
    is_undefined,
    reduced,
)
from mars_logic.domains.rulearn.function_operator.rounding import gaps, shown

Fits = NDArray[np.bool_]
"""For all values of a function's parameters, whether they fit."""


@dataclass(frozen=True)
class FunctionRow:
    """A row of a function's table.

    Attributes:
        bases: The basis of each term.
        values: The values of the function's parameters, by their places in the code.
    """

    bases: tuple[str, ...]
    values: tuple[tuple[int, int], ...]


class FunctionTable:
    """All rows that a function may have.

    Args:
        places: The place in the code of each term's parameter.
        numbers: The values that a parameter may have.
        distinct: Whether no two parameters have the same value.

    Attributes:
        values: int64[combinations, parameters]: all values of the function's parameters.
    """

    def __init__(self, places: Sequence[int], numbers: Sequence[int], *, distinct: bool) -> None:
        self._letters = sorted(set(places))
        self._columns = [self._letters.index(each) for each in places]
        self.values = all_values(numbers, len(self._letters), distinct=distinct)

    def equal(self, bases: Sequence[str], wanted: Identity) -> Fits:
        """Whether the function is equal to another one, by the identity of that."""
        target = dict(wanted)
        undefined = target.pop(UNDEFINED, None) is not None
        if undefined != is_undefined(bases):
            return np.zeros(len(self.values), dtype=np.bool_)
        found = {base: np.zeros(len(self.values), dtype=np.int64) for base in target}
        for basis, column in zip(bases, self._columns, strict=True):
            base, factor = reduced(basis)
            found[base] = found.get(base, 0) + factor * self.values[:, column]
        return self.all_of(each == target.get(base, 0) for base, each in found.items())

    def outcomes(self, bases: Sequence[str], x: float) -> NDArray[np.float64] | None:
        """The values of the function there; None if it has none."""
        try:
            factors = np.array([BASES[each](x) for each in bases])
        except ArithmeticError:
            return None
        return shown(self.values[:, self._columns] @ factors)

    def different(self, rows: Iterable[Sequence[str]], x: float) -> int:
        """How many different outcomes there are, up to rounding, whatever the bases of these."""
        outcomes = [self.outcomes(bases, x) for bases in rows]
        values = np.sort(np.concatenate([[], *(each for each in outcomes if each is not None)]))
        undefined = any(each is None for each in outcomes)
        return int(gaps(values).sum()) + bool(len(values)) + undefined

    def all_of(self, conditions: Iterable[Fits]) -> Fits:
        """What meets all conditions."""
        found = np.ones(len(self.values), dtype=np.bool_)
        for each in conditions:
            found &= each
        return found

    def rows(self, bases: Sequence[str], fits: Fits) -> Iterator[FunctionRow]:
        """The rows with these bases whose values fit."""
        for values in self.values[fits].tolist():
            yield FunctionRow(tuple(bases), tuple(zip(self._letters, values, strict=True)))


def all_values(numbers: Sequence[int], size: int, *, distinct: bool) -> NDArray[np.int64]:
    """All values of so many parameters: int64[combinations, size]."""
    found = (
        itertools.permutations(numbers, size)
        if distinct
        else itertools.product(numbers, repeat=size)
    )
    return np.array(list(found), dtype=np.int64).reshape(-1, size)
