"""Functions decided by clingo: the rows of each function's table, joined on shared parameters.

numpy says which rows fit, clingo which of them fit together: ``encodings/rulearn/functions.lp``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import clingo
import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.rulearn.function_operator.rules import (
    UNDEFINED,
    FunctionOperator,
    Identity,
    identity,
    is_undefined,
    reduced,
)
from mars_logic.domains.rulearn.function_operator.table import BasisTable
from mars_logic.domains.rulearn.puzzle import fact
from mars_logic.system import resources
from mars_logic.system.interruptions import held_back

_ENCODING: Final = "rulearn/functions.lp"
Code = tuple[int, ...]


@dataclass(frozen=True)
class FunctionRow:
    """A row of a function's table.

    Attributes:
        bases: The basis of each term.
        values: The values of the function's parameters, by their places in the code.
    """

    bases: tuple[str, ...]
    values: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class JoinProblem:
    """What has to fit together.

    Attributes:
        rows: For each function the rows that fit.
        letters: The number of parameters.
        listed: Bases that have to occur.
        distinct: Whether no two parameters have the same value.
    """

    rows: tuple[tuple[FunctionRow, ...], ...]
    letters: int
    listed: tuple[str, ...]
    distinct: bool

    def facts(self) -> str:
        """As facts."""
        found = [fact("parameter", letter) for letter in range(self.letters)]
        found += [fact("listed", basis) for basis in self.listed]
        found += [fact("distinct")] * self.distinct
        for function, rows in enumerate(self.rows):
            found.append(fact("function", function))
            for number, row in enumerate(rows):
                row_of = (function, number)
                found.append(fact("row", *row_of))
                found += [fact("basis", *row_of, basis) for basis in dict.fromkeys(row.bases)]
                found += [fact("value", *row_of, *each) for each in row.values]
        return "".join(found)


def joined_codes(problem: JoinProblem) -> list[Code]:
    """All codes of rows that fit together, in order."""
    control = clingo.Control(["--warn=none", "--project", "0"])
    control.load(resources.encoding(_ENCODING))
    control.add("base", [], problem.facts() + "#project has/2.")
    control.ground([("base", [])])
    found = []
    with held_back(), control.solve(yield_=True) as handle:
        for model in handle:
            has = [each.arguments for each in model.symbols(shown=True) if each.name == "has"]
            values = sorted((letter.number, value.number) for letter, value in has)
            found.append(tuple(value for _, value in values))
    return sorted(found)


def equal_codes(puzzle: FunctionOperator) -> list[Code]:
    """The codes of all functions that agree with the manual and are equal to the true ones.

    No evaluation separates these codes, and some evaluation rules out any other.
    """
    return joined_codes(equal_problem(puzzle))


def equal_problem(puzzle: FunctionOperator) -> JoinProblem:
    """Rows that are equal, as functions of x, to the true functions."""
    low, high = puzzle.param_range
    letters, distinct = puzzle.letters, puzzle.params_distinct
    joined = []
    for terms in puzzle.functions:
        places = [letters.index(term.param) for term in terms]
        table = BasisTable(places, ("1", *puzzle.monomials), low, high)
        if distinct:
            table.require_distinct()
        wanted = identity((term.basis, term.coef) for term in terms)
        joined.append(tuple(_equal_rows(table, wanted)))
    return JoinProblem(tuple(joined), len(letters), puzzle.monomials, distinct)


def _equal_rows(table: BasisTable, wanted: Identity) -> Iterator[FunctionRow]:
    """The rows in which the function is equal to another one, by the identity of that."""
    values = table.values.astype(np.int64)
    for bases, fits in zip(table.bases, table.fits, strict=True):
        for at in np.flatnonzero(fits & _equal(table, bases, values, dict(wanted))):
            yield FunctionRow(bases, tuple(zip(table.own, values[:, at].tolist(), strict=True)))


def _equal(
    table: BasisTable, bases: Sequence[str], values: NDArray[np.int64], target: dict[str, int]
) -> NDArray[np.bool_]:
    if (target.pop(UNDEFINED, None) is not None) != is_undefined(bases):
        return np.zeros(values.shape[1], dtype=np.bool_)
    found = {base: np.zeros(values.shape[1], dtype=np.int64) for base in target}
    for basis, letter in zip(bases, table.letters, strict=True):
        base, factor = reduced(basis)
        found[base] = found.get(base, 0) + factor * values[table.own.index(letter)]
    agree = [each == target.get(base, 0) for base, each in found.items()]
    return np.all(agree, axis=0) if agree else np.ones(values.shape[1], dtype=np.bool_)
