"""The rules of the function operator as data.

Source: RULEARN, section on the function operator, and its code.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import AfterValidator, BeforeValidator, ValidationInfo, field_validator

from mars_logic.domains.completions import completed
from mars_logic.domains.game import options, word
from mars_logic.domains.rulearn.puzzle import CodeShape, Puzzle, PuzzlePart, many
from mars_logic.domains.telling import value as field_value
from mars_logic.world.fields import Flag, invalid, number, shown
from mars_logic.world.uncertain import UNKNOWN, is_uncertain

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


MOST_FAILURES = 4
"""Wrong codes after which the values of the parameters change."""


def _letter(value: Any) -> str:
    if not (isinstance(value, str) and len(value) == 1 and "a" <= value <= "z"):
        raise invalid(f"{shown(value)} is not a parameter", "a letter from a to z")
    return value


def _range(value: tuple[int, int]) -> tuple[int, int]:
    if value[0] > value[1]:
        raise invalid(f"no number is from {value[0]} to {value[1]}", "[smallest, largest]")
    return value


_SOME: Final = many("{} is not a list with anything in it", "a list of one or more")
_TWO: Final = many("{} is not a range", "[smallest, largest]", 2, 2)
Letter = Annotated[str, BeforeValidator(_letter)]
Digit = Annotated[int, *number(0, 9, whole=True)]


class FunctionTerm(PuzzlePart):
    """A term: a parameter's value times a function of x.

    Attributes:
        param: The parameter, a letter.
        coef: Its value.
        basis: The function, by its name in ``BASES``.
    """

    stated = frozenset({"param"})

    param: Letter
    coef: Digit
    basis: Annotated[str, word("basis", tuple(BASES))]


OperatorFunction = Annotated[tuple[FunctionTerm, ...], _SOME]


class FunctionOperator(Puzzle):
    """Functions to evaluate, and a door that takes the values of their parameters.

    Attributes:
        param_range: The smallest and the largest value of a parameter.
        params_distinct: Whether no two parameters have the same value.
        functions: Each a sum of terms.
    """

    domain: ClassVar[str] = "function_operator"
    rule_field: ClassVar[str] = "functions"
    stated = Puzzle.stated | {"functions", "param_range", "params_distinct"}

    param_range: Annotated[tuple[Digit, Digit], _TWO, AfterValidator(_range)] = (
        1,
        9,
    )
    params_distinct: Flag = True
    functions: Annotated[tuple[OperatorFunction, ...], _SOME]

    @field_validator("functions")
    @classmethod
    def _one_value_each(
        cls, functions: tuple[tuple[FunctionTerm, ...], ...], info: ValidationInfo
    ) -> tuple[tuple[FunctionTerm, ...], ...]:
        low, high = info.data.get("param_range", (0, 9))
        stated: dict[str, Any] = {}
        for term in (term for function in functions for term in function):
            for value in options(term.coef) or ():
                if not low <= value <= high:
                    problem = f"parameter {term.param} has the value {value}"
                    raise invalid(problem, f"the values of param_range, {low} to {high}")
            if stated.setdefault(term.param, term.coef) != term.coef:
                first, other = field_value(stated[term.param]), field_value(term.coef)
                problem = f"parameter {term.param} has two values, {first} and {other}"
                raise invalid(problem, "the same value in all terms")
        values = {each: value for each, value in stated.items() if not is_uncertain(value)}
        if info.data.get("params_distinct") and len(set(values.values())) < len(values):
            seen = list(values.values())
            twice = next(each for each in seen if seen.count(each) > 1)
            two = [letter for letter, value in values.items() if value == twice]
            problem = f"the parameters {' and '.join(two[:2])} both have the value {twice}"
            raise invalid(problem, "distinct values, or params_distinct: false")
        if info.data.get("params_distinct") and len(stated) > high - low + 1:
            problem = f"{len(stated)} parameters cannot have distinct values"
            raise invalid(problem, f"at most {high - low + 1} parameters from {low} to {high}")
        return functions

    @property
    def code_shape(self) -> CodeShape:
        """The values of the parameters."""
        return CodeShape(len(self.letters), *self.param_range, self.params_distinct)

    def fits(self, start: Mapping[str, Any]) -> bool:
        """Whether its functions have the same parameters."""
        shape = [[term.param for term in terms] for terms in self.functions]
        return bool(start["params_per_function"] == shape)

    @property
    def code_parts(self) -> tuple[str, ...]:
        """The parameters."""
        return tuple(f"parameter {letter}" for letter in self.letters)

    def parts(self) -> dict[str, tuple[Any, ...] | None]:
        """Functions as lists of terms, then parameters as values."""
        stated = self.model_dump(mode="json")["functions"]
        values = {term["param"]: term["coef"] for each in stated for term in each}
        found = {}
        for place, terms in enumerate(stated, 1):
            opened = [term | {"coef": self._ranged(term["coef"])} for term in terms]
            found[f"function {place}"] = completed(opened, _equal_values)
        for name, letter in zip(self.code_parts, self.letters, strict=True):
            found[name] = completed(values[letter], int)
        return found

    def _ranged(self, coef: Any) -> Any:
        """A value, or those of the range if nothing is known of it."""
        if coef != UNKNOWN.value:
            return coef
        low, high = self.param_range
        return {"one_of": [{"value": each, "weight": 1.0} for each in range(low, high + 1)]}

    def with_values(self, values: Mapping[str, int]) -> FunctionOperator:
        """The same functions with other values of their parameters."""
        stated = self.model_dump(mode="json")
        for term in (term for terms in stated["functions"] for term in terms):
            term["coef"] = values[term["param"]]
        return FunctionOperator.model_validate(stated)

    @property
    def letters(self) -> tuple[str, ...]:
        """The parameters in the order of the code."""
        return tuple(sorted({term.param for each in self.functions for term in each}))

    @property
    def values(self) -> Mapping[str, int]:
        """The value of each parameter, in the order of the code."""
        found = {term.param: term.coef for each in self.functions for term in each}
        return {letter: found[letter] for letter in self.letters}

    @property
    def monomials(self) -> tuple[str, ...]:
        """The bases in use, the constant aside, in order of first appearance."""
        found = dict.fromkeys(term.basis for each in self.functions for term in each)
        return tuple(basis for basis in found if basis != "1")

    @property
    def cancelled(self) -> tuple[str, ...]:
        """The parameters whose terms cancel in every function, as ``x`` and ``-x`` do.

        A parameter with an open basis is none of them.
        """
        return tuple(
            letter
            for letter in self.letters
            if not any(_depends_on(letter, terms) for terms in self.functions)
        )


def _equal_values(terms: list[dict[str, Any]]) -> list[dict[str, Any]] | None:
    values: dict[str, Any] = {}
    same = all(values.setdefault(term["param"], term["coef"]) == term["coef"] for term in terms)
    return terms if same else None


@dataclass(frozen=True)
class OperatorHypothesis:
    """A hypothesis.

    Attributes:
        bases: For each function the basis of each term.
        values: The value of each parameter, in the order of the code.
    """

    bases: tuple[tuple[str, ...], ...]
    values: tuple[int, ...]


def _depends_on(letter: str, terms: tuple[FunctionTerm, ...]) -> bool:
    """Whether a function depends on a parameter; all bases but -x are independent of each other."""
    bases = [term.basis for term in terms if term.param == letter]
    others = any(each not in ("x", "-x") for each in bases)
    return others or bases.count("x") != bases.count("-x")
