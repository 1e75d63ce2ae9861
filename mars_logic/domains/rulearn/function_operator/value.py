"""The fewest expected steps for the function operator, by exhaustive search."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.base import StepsValue
from mars_logic.domains.rulearn.door_search import MOST_STATES, DoorBelief, DoorSearch
from mars_logic.domains.rulearn.function_operator.rules import (
    MOST_FAILURES,
    SIDES,
    FunctionOperator,
    Identity,
    Side,
    basis_choices,
    identity,
)
from mars_logic.domains.rulearn.function_operator.table import BasisTable, all_values

MOST_FUNCTIONS: Final = 2
"""Functions up to which all policies are searched."""
MOST_HYPOTHESES: Final = 500_000
_INPUTS: Final[dict[Side, tuple[float, ...]]] = {
    "positive": (2.3, 0.7, 11.7, 29.3),
    "negative": (-2.3, -0.7, -11.7, -29.3),
    "zero": (0.0,),
}
"""Numbers at which functions are likely to differ wherever they differ on a side."""
_WORDS: Final[dict[Side, str]] = {
    "positive": "a number above 0",
    "negative": "a number below 0",
    "zero": "0",
}

Bases = tuple[tuple[str, ...], ...]
"""For each function the basis of each term."""


class OperatorValue:
    """Expected steps of an optimal policy, if all that agrees with the manual is equally likely.

    An evaluation tells at most which functions are equal on a side of zero (or at zero), so a
    policy that is told that is a bound; it is exact if there are numbers that tell as much.

    Args:
        puzzle: The puzzle.
        about: What the policy knows, in words.
        told: Whether the bases of all terms are known, and the values alone are not.
    """

    def __init__(self, puzzle: FunctionOperator, about: str, *, told: bool) -> None:
        self._puzzle, self._about = puzzle, about
        letters = puzzle.letters
        self._places = [[letters.index(term.param) for term in each] for each in puzzle.functions]
        low, high = puzzle.param_range
        numbers, distinct = range(low, high + 1), puzzle.params_distinct
        self._values = all_values(numbers, len(letters), distinct=distinct)
        true = tuple(tuple(term.basis for term in each) for each in puzzle.functions)
        self._most = MOST_HYPOTHESES // len(self._values)
        few = itertools.islice(self._all_bases(), self._most + 1)
        self._bases = [true] if told else list(few)

    def _all_bases(self) -> Iterator[Bases]:
        monomials = self._puzzle.monomials
        rows = [basis_choices(len(each), ("1", *monomials)) for each in self._puzzle.functions]
        for chosen in itertools.product(*rows):
            if {basis for row in chosen for basis in row} >= set(monomials):
                yield chosen

    def value(self) -> StepsValue:
        """The optimum, or a bound."""
        about = self._about
        if len(self._bases) > self._most:
            # Whatever is done first is a step, but for the right code.
            steps = 1 - Fraction(1, len(self._values))
            note = f"A bound: there are more than {MOST_HYPOTHESES:,} hypotheses to search."
            return StepsValue(about, float(steps), False, (), note)
        few = len(self._puzzle.functions) <= MOST_FUNCTIONS
        belief, tests = self._belief()
        found = DoorSearch(belief, MOST_STATES if few else 0).optimum()
        moves = [self._move(*tests[each]) for each in found.tests]
        moves += [f"enter {''.join(map(str, each))}" for each in found.codes]
        lacking = [self._move(*each) for each in tests if self._input(*each) is None]
        note = ""
        if not found.searched:
            note = "A bound by one step ahead: not all policies were searched."
        elif not found.exact:
            note = "A bound: what comes after the values have changed was not searched."
        elif lacking:
            note = "A bound: no number was found at which functions differ as often as they can."
        return StepsValue(about, float(found.steps), found.exact and not lacking, (*moves,), note)

    def _belief(self) -> tuple[DoorBelief, list[tuple[int, Side]]]:
        tests = [(at, side) for at in range(len(self._places)) for side in SIDES]
        self._outcomes = {each: self._test(*each) for each in tests}
        codes = np.tile(self._values, (len(self._bases), 1))[None]
        return (
            DoorBelief(
                weights=np.ones(codes.shape[1], dtype=np.int64),
                codes=codes,
                tests=np.array([self._outcomes[each] for each in tests]),
                attempts=MOST_FAILURES,
                afterwards=1 - Fraction(1, len(self._values)),
            ),
            tests,
        )

    def _test(self, function: int, side: Side) -> NDArray[np.int64]:
        """The outcome of an evaluation by each hypothesis, as a number of its own."""
        numbers: dict[tuple[Identity, tuple[str, ...]], int] = {}
        places = self._places[function]
        combinations, which = np.unique(self._values[:, places], axis=0, return_inverse=True)
        zero = self._puzzle.param_range[0] == 0
        rows: dict[tuple[str, ...], NDArray[np.int64]] = {}
        for bases in {each[function] for each in self._bases}:
            # An error may tell of a basis even where its coefficient is zero.
            hidden = bases if zero else ()
            keys = [
                (identity(zip(bases, each, strict=True), side), hidden)
                for each in combinations.tolist()
            ]
            found = [numbers.setdefault(key, len(numbers)) for key in keys]
            rows[bases] = np.array(found, dtype=np.int64)[which.ravel()]
        return np.concatenate([rows[each[function]] for each in self._bases])

    def _input(self, function: int, side: Side) -> float | None:
        """A number at which an evaluation tells all that it can tell on this side."""
        wanted = len(np.unique(self._outcomes[function, side]))
        table = self._tables[function]
        return next((x for x in _INPUTS[side] if table.different(x) == wanted), None)

    @cached_property
    def _tables(self) -> list[BasisTable]:
        """The table of each function, with the bases of the hypotheses alone."""
        choices, found = ("1", *self._puzzle.monomials), []
        for function, places in enumerate(self._places):
            table = BasisTable(places, choices, *self._puzzle.param_range)
            if self._puzzle.params_distinct:
                table.require_distinct()
            rows = {each[function] for each in self._bases}
            table.keep(np.array([each in rows for each in table.bases]))
            found.append(table)
        return found

    def _move(self, function: int, side: Side) -> str:
        x = self._input(function, side)
        return f"evaluate function {function + 1} at {_WORDS[side] if x is None else f'{x:g}'}"
