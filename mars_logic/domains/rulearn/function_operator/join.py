"""Functions decided by clingo: the rows of each function's table, joined on shared parameters.

numpy says which rows fit, clingo which of them fit together: ``encodings/rulearn/functions.lp``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mars_logic.domains.rulearn.clingo_models import Facts, certain_and_possible, projections
from mars_logic.domains.rulearn.function_operator.bases import basis_choices
from mars_logic.domains.rulearn.function_operator.identity import identity
from mars_logic.domains.rulearn.function_operator.rows import Fits, FunctionRow, FunctionTable
from mars_logic.domains.rulearn.function_operator.rules import FunctionOperator

_ENCODING: Final = "rulearn/functions.lp"
Code = tuple[int, ...]


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
        found = Facts()
        for letter in range(self.letters):
            found.add("parameter", letter)
        for basis in self.listed:
            found.add("listed", basis)
        if self.distinct:
            found.add("distinct")
        for function, rows in enumerate(self.rows):
            found.add("function", function)
            for number, row in enumerate(rows):
                found.add("row", function, number)
                for basis in dict.fromkeys(row.bases):
                    found.add("basis", function, number, basis)
                for letter, value in row.values:
                    found.add("value", function, number, letter, value)
        return str(found)


def joined_codes(problem: JoinProblem) -> list[Code]:
    """All codes of rows that fit together, in order."""
    found = projections(_ENCODING, problem.facts(), "has", 2)
    return sorted(tuple(value for _, value in sorted(each)) for each in found)


def known_values(problem: JoinProblem) -> tuple[Mapping[int, int], Mapping[int, tuple[int, ...]]]:
    """The consequences: values of parameters that are certain, and those that are still open.

    Returns:
        By the place of a parameter in the code: its value, or its possible values. Both are empty
        if nothing fits together.
    """
    certain, possible = certain_and_possible(_ENCODING, problem.facts(), "has", 2)
    open_values: dict[int, list[int]] = {}
    for letter, value in sorted(possible - certain):
        open_values.setdefault(letter, []).append(value)
    return dict(sorted(certain)), {key: tuple(each) for key, each in open_values.items()}


def equal_codes(puzzle: FunctionOperator) -> list[Code]:
    """The codes of all functions that agree with the manual and are equal to the true ones.

    No evaluation separates these codes, and some evaluation rules out any other.
    """
    return joined_codes(equal_problem(puzzle))


def equal_problem(puzzle: FunctionOperator) -> JoinProblem:
    """Rows that are equal, as functions of x, to the true functions."""
    wanted = [identity((term.basis, term.coef) for term in each) for each in puzzle.functions]
    return _problem(puzzle, lambda at, table, bases: table.equal(bases, wanted[at]))


def seen_problem(
    puzzle: FunctionOperator, seen: Sequence[tuple[int, float, float | None]]
) -> JoinProblem:
    """Rows that agree with what was seen.

    Args:
        puzzle: The puzzle; what the manual does not tell of it is not looked at.
        seen: The number of a function, from 1, where it was evaluated, and its value; None if it
            has none there.
    """

    def fits(at: int, table: FunctionTable, bases: Sequence[str]) -> Fits:
        found = [table.agree(bases, x, value) for number, x, value in seen if number == at + 1]
        return table.all_of(found)

    return _problem(puzzle, fits)


def _problem(
    puzzle: FunctionOperator,
    fits: Callable[[int, FunctionTable, Sequence[str]], Fits],
) -> JoinProblem:
    low, high = puzzle.param_range
    letters, distinct = puzzle.letters, puzzle.params_distinct
    tables = []
    for at, terms in enumerate(puzzle.functions):
        places = [letters.index(term.param) for term in terms]
        table = FunctionTable(places, range(low, high + 1), distinct=distinct)
        choices = basis_choices(len(terms), ("1", *puzzle.monomials))
        rows = (table.rows(bases, fits(at, table, bases)) for bases in choices)
        tables.append(tuple(itertools.chain.from_iterable(rows)))
    return JoinProblem(tuple(tables), len(letters), puzzle.monomials, distinct)
