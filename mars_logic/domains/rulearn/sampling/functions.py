"""New functions, and the proof that their parameters can be found out."""

from __future__ import annotations

import string
from typing import Any, Final

from mars_logic.domains.rulearn.episode import PuzzleAction
from mars_logic.domains.rulearn.function_operator.join import equal_codes
from mars_logic.domains.rulearn.function_operator.rules import FunctionOperator
from mars_logic.domains.rulearn.function_operator.simulator import OperatorSimulator, evaluated
from mars_logic.domains.rulearn.function_operator.space import OperatorSpace
from mars_logic.domains.rulearn.sampling.request import MOST_TERMS, Drawing, PuzzleRequest, Shape
from mars_logic.system.display import number

MOST_CODES: Final = 2
"""Codes that all evaluations may leave."""
_INPUTS: Final = ("2.3", "-2.3", "0.7", "-0.7", "11.7", "-11.7")


def draw_functions(request: PuzzleRequest, shape: Shape, drawing: Drawing) -> dict[str, Any]:
    """Random functions of these sizes, as a file states them.

    In each function every basis occurs once at most; all chosen bases and parameters occur.
    """
    chosen = drawing.some(request.bases, shape["bases"])
    letters = list(string.ascii_lowercase[: shape["parameters"]])
    sizes = drawing.parts(shape["terms"], shape["functions"], MOST_TERMS)
    while True:
        functions = [
            [(drawing.one(letters), drawing.one(chosen)) for _ in range(size)] for size in sizes
        ]
        bases = [[basis for _, basis in terms] for terms in functions]
        used = {letter for terms in functions for letter, _ in terms}
        once = all(len(set(row)) == len(row) for row in bases)
        if (
            once
            and {each for row in bases for each in row} == set(chosen)
            and len(used) == len(letters)
        ):
            break
    order = dict.fromkeys(letter for terms in functions for letter, _ in terms)
    names = dict(zip(order, letters, strict=True))
    values = dict(zip(letters, drawing.some(range(1, 10), len(letters)), strict=True))
    return {
        "functions": [
            [
                {"param": names[letter], "coef": values[names[letter]], "basis": basis}
                for letter, basis in terms
            ]
            for terms in functions
        ]
    }


def functions_proof(puzzle: FunctionOperator) -> dict[str, Any] | None:
    """Which codes all evaluations leave, and evaluations that leave no other; None if too many.

    Proved are both: the codes are those of all functions that are equal to the true ones, by their
    coefficients; and the evaluations listed leave these codes alone in the version space.
    """
    codes = equal_codes(puzzle)
    if len(codes) > MOST_CODES:
        return None
    found = _evaluations(puzzle, set(codes))
    if found is None:
        return None
    told = [f"function {function} at {x}" for function, x in found]
    return {
        "codes": ["".join(map(str, each)) for each in codes],
        "evaluations": [{"function": function, "input": x} for function, x in found],
        "words": [
            f"{number(len(codes), 'code')} of all that agree with the manual "
            f"{'fits' if len(codes) == 1 else 'fit'} every evaluation.",
            f"These leave no other: {', '.join(told)}.",
        ],
    }


def _evaluations(
    puzzle: FunctionOperator, codes: set[tuple[int, ...]]
) -> list[tuple[int, str]] | None:
    """Evaluations that leave these codes alone, each of which ruled something out."""
    space = OperatorSpace(
        OperatorSimulator(puzzle).start,
        param_range=puzzle.param_range,
        params_distinct=puzzle.params_distinct,
    )
    found: list[tuple[int, str]] = []
    for x in _INPUTS:
        for function, terms in enumerate(puzzle.functions, 1):
            if set(space.codes()) == codes:
                return found
            action = PuzzleAction("evaluate", function=function, input=x)
            value, error = evaluated(terms, puzzle.values, x)
            before = space.count
            space.observe(action, {"value": value, "error": error})
            if space.count < before:
                found.append((function, x))
    return found if set(space.codes()) == codes else None
