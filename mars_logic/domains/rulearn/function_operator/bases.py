"""The functions of x that terms are made of."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Literal

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


_NUMBER: Final = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?"
_PI: Final = "(?:pi|π)"
_FORMS: Final = (
    re.compile(rf"(?P<number>{_NUMBER})", re.IGNORECASE),
    re.compile(rf"{_PI}", re.IGNORECASE),
    re.compile(rf"(?P<number>{_NUMBER}){_PI}", re.IGNORECASE),
    re.compile(rf"(?P<number>{_NUMBER})\s*\*\s*{_PI}", re.IGNORECASE),
    re.compile(rf"{_PI}\s*\*\s*(?P<number>{_NUMBER})", re.IGNORECASE),
)
_PLAIN: Final = _FORMS[0]
MOST_CHARACTERS: Final = 200


def number_typed(text: str) -> float | None:
    """The number that a text states; None if it states none.

    Allowed are a decimal number, pi, and a number times pi: ``2.5``, ``-1e-3``, ``pi``, ``2pi``,
    ``2 * pi``, ``pi*2``.
    """
    text = text.strip()
    if len(text) > MOST_CHARACTERS:
        return None
    for form in _FORMS:
        if match := form.fullmatch(text):
            factor = float(match.groupdict().get("number") or 1)
            found = factor if form is _PLAIN else factor * math.pi
            return found if math.isfinite(found) else None
    return None
