"""When two functions of x are equal: exactly, by their coefficients.

All bases but ``-x`` are linearly independent. Two sums of terms are therefore equal wherever they
are defined if and only if their coefficients are. On one side of zero more bases depend on each
other: ``abs(x)`` and ``sign(x)`` are there ``x`` and 1, or the opposites of these.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal

from mars_logic.domains.rulearn.function_operator.bases import BASES

Side = Literal["everywhere", "positive", "negative", "zero"]
"""The numbers at which functions are compared."""
SIDES: Final[tuple[Side, ...]] = ("positive", "negative", "zero")
"""Sides on which one evaluation, at a number in general position, tells all that can be told."""

UNDEFINED: Final = "undefined"
"""Marks what has no value at zero, in an identity."""
_UNDEFINED: Final = ("1/x", "1/x^2")
"""Bases without a value at zero."""
_SAME: Final[Mapping[Side, Mapping[str, tuple[str, int]]]] = {
    "everywhere": {"-x": ("x", -1)},
    "positive": {"-x": ("x", -1), "abs(x)": ("x", 1), "sign(x)": ("1", 1)},
    "negative": {"-x": ("x", -1), "abs(x)": ("x", -1), "sign(x)": ("1", -1)},
    "zero": {
        each: ("1", round(function(0.0)))
        for each, function in BASES.items()
        if each not in _UNDEFINED
    },
}
"""For each side, bases that are multiples of others there."""

Identity = tuple[tuple[str, int], ...]
"""The coefficient of each basis, zeros left out, and what marks that it is undefined at zero."""


def identity(terms: Iterable[tuple[str, int]], side: Side = "everywhere") -> Identity:
    """What decides where two functions are equal: they are if and only if this is.

    Args:
        terms: The basis and the coefficient of each term.
        side: Where they are compared. At one number more functions may be equal than on a side.
    """
    stated = list(terms)
    undefined = side in ("everywhere", "zero") and is_undefined(basis for basis, _ in stated)
    if undefined and side == "zero":
        return ((UNDEFINED, 1),)
    found = {UNDEFINED: 1} if undefined else dict[str, int]()
    for basis, coefficient in stated:
        base, factor = reduced(basis, side)
        found[base] = found.get(base, 0) + factor * coefficient
    return tuple(sorted((basis, value) for basis, value in found.items() if value))


def reduced(basis: str, side: Side = "everywhere") -> tuple[str, int]:
    """A basis as a multiple of one of those that are independent on this side."""
    return _SAME[side].get(basis, (basis, 1))


def is_undefined(bases: Iterable[str]) -> bool:
    """Whether a function of these bases has no value at zero."""
    return any(each in _UNDEFINED for each in bases)
