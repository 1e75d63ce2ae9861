"""The functions of x that terms are made of."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

BASES: Final[Mapping[str, Callable[[float], float]]] = {
    "1": lambda x: 1.0,  # noqa: ARG005
    "x": lambda x: x,
    "x^2": lambda x: x**2,
    "x^3": lambda x: x**3,
    "sin(x)": math.sin,
    "cos(x)": math.cos,
    "exp(x)": math.exp,
    "1/x": lambda x: 1 / x,
    "1/x^2": lambda x: 1 / x**2,
    "abs(x)": abs,
    "sqrt(abs(x))": lambda x: math.sqrt(abs(x)),
    "-x": lambda x: -x,
    "x*sin(x)": lambda x: x * math.sin(x),
    "floor(x)": lambda x: float(math.floor(x)),
    "sign(x)": lambda x: math.copysign(1.0, x) if x else 0.0,
}
"""By name. Division by zero raises, and so does a result that no number of the machine holds."""

RELEASED: Final = ("1", "x", "x^2", "sin(x)", "1/x", "abs(x)", "-x")
"""The bases in the released puzzles."""


def basis_choices(terms: int, choices: Sequence[str]) -> list[tuple[str, ...]]:
    """All ways to give each term of a function a basis: none but 1 occurs twice.

    Args:
        terms: The number of terms.
        choices: The bases that a term may have.
    """
    return [
        each
        for each in itertools.product(choices, repeat=terms)
        if max(Counter(basis for basis in each if basis != "1").values(), default=1) == 1
    ]
