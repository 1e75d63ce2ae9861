"""Plans for the function operator: evaluations against codes, by expected steps.

As long as there are too many hypotheses to list, the function is evaluated that tells most about
its parameters. From then on every evaluation at a generic point and every likely code are weighed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.rulearn.door import right_digits
from mars_logic.domains.rulearn.episode import PuzzleAction
from mars_logic.domains.rulearn.function_operator.rules import number_typed
from mars_logic.domains.rulearn.function_operator.table import CONSTANT, BasisTable, Numbers
from mars_logic.induction.protocol import Plan, entropy
from mars_logic.induction.steps import Limits, StepSearch, Test

POINTS: Final = ("2.3", "-2.3", "0.7", "-0.7")
"""Where functions are evaluated: generic points of both signs."""
MOST_CASES: Final = 3000
"""Hypotheses that are listed for a search."""
Places = NDArray[np.int64]


def evaluations(many: int) -> list[PuzzleAction]:
    """Evaluations of so many functions at all generic points."""
    return [
        PuzzleAction("evaluate", function=function, input=x)
        for function in range(1, many + 1)
        for x in POINTS
    ]


def code_action(values: Sequence[int]) -> PuzzleAction:
    """The code with these digits."""
    return PuzzleAction("enter_code", code="".join(map(str, values)))


def searched_plan(
    functions: Sequence[BasisTable],
    codes: Places,
    monomials: Sequence[str],
    steps: int,
    attempts: int,
) -> Plan[PuzzleAction] | None:
    """The evaluations and codes after which the fewest steps are expected.

    Args:
        functions: The table of each function.
        codes: int64[codes, parameters]: the possible codes.
        monomials: The bases that occur.
        steps: Steps after which the game is lost.
        attempts: Wrong codes after which the values change.

    Returns:
        A plan, optimal among all evaluations at generic points; None if there are too many
        hypotheses.
    """
    if len(codes) == 1:
        return Plan((code_action(codes[0]),), 0.0, optimal=True)
    found = _cases(functions, codes, monomials)
    if found is None:
        return None
    weights, table = found
    actions = [code_action(code) for code in codes]
    tests = [
        Test(action, table[:, 1 + at].tolist())
        for at, action in enumerate(evaluations(len(functions)))
    ]
    limits = Limits(steps, attempts, changed=float(len(functions)))
    solutions = [actions[each] for each in table[:, 0]]
    return StepSearch(weights.tolist(), solutions, right_digits, tests, limits).plan()


def informed_plan(functions: Sequence[BasisTable], shares: Sequence[Numbers]) -> Plan[PuzzleAction]:
    """The evaluation that tells most about the parameters of its function.

    Args:
        functions: The table of each function.
        shares: For each of them the number of hypotheses: float64[rows, combinations].
    """
    actions = evaluations(len(functions))
    bits = [
        _about_values(functions[each.function - 1], shares[each.function - 1], each.input)
        for each in actions
    ]
    best = max(bits)
    chosen = [each for each, told in zip(actions, bits, strict=True) if told > best - 1e-9]
    return Plan(tuple(chosen), float(len(functions)))


def _about_values(rows: BasisTable, share: Numbers, typed: str) -> float:
    """The information of an evaluation about the parameters of its function, in bits."""
    x = number_typed(typed)
    assert x is not None
    labels, told = rows.labels(x)
    columns = np.broadcast_to(np.arange(share.shape[1]), share.shape)
    both = np.bincount((labels * share.shape[1] + columns).ravel(), weights=share.ravel())
    outcomes = np.bincount(labels.ravel(), weights=share.ravel(), minlength=len(told))
    total = float(share.sum())
    parts = (outcomes, share.sum(axis=0), both)
    outcome, value, joint = (entropy((each[each > 0] / total).tolist()) for each in parts)
    return outcome + value - joint


def _cases(
    functions: Sequence[BasisTable], codes: Places, monomials: Sequence[str]
) -> tuple[Numbers, Places] | None:
    """All hypotheses, those put together that differ in no code and no evaluation.

    Returns:
        The number of hypotheses of each case, float64[cases], and int64[cases, 1 + evaluations]:
        the place of its code and the labels of its outcomes. None if there are too many.
    """
    bits = {each: 1 << at for at, each in enumerate(monomials)} | {CONSTANT: 0}
    code, used = np.arange(len(codes)), np.zeros(len(codes), dtype=np.int64)
    columns: list[Places] = []
    for rows in functions:
        where = rows.combinations(codes)
        fitting = rows.fits[:, where[code]]
        if np.count_nonzero(fitting) > MOST_CASES * 10:
            return None
        row, entry = np.nonzero(fitting)
        masks = np.array([sum({bits[each] for each in bases}) for bases in rows.bases])
        code, used = code[entry], used[entry] | masks[row]
        columns = [each[entry] for each in columns]
        columns += [_labels(rows, x)[row, where[code]] for x in POINTS]
    every = used == (1 << len(monomials)) - 1
    if np.count_nonzero(every) > MOST_CASES:
        return None
    table = np.stack([code, *columns], axis=1)[every]
    cases, places = np.unique(table, axis=0, return_inverse=True)
    return np.bincount(places.ravel()).astype(np.float64), cases


def _labels(rows: BasisTable, typed: str) -> Places:
    x = number_typed(typed)
    assert x is not None
    return rows.labels(x)[0]
