"""A theory of a puzzle against the truth: equal on all inputs up to a size, or how they differ."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from mars_logic.domains.rulearn.escape_room.paintings import paintings
from mars_logic.domains.rulearn.escape_room.rules import EscapeRoom
from mars_logic.domains.rulearn.function_operator.rules import FunctionOperator
from mars_logic.domains.rulearn.function_operator.simulator import evaluated
from mars_logic.domains.rulearn.observations import likeliest, rule_parts
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.domains.rulearn.reactor.programs import products
from mars_logic.domains.rulearn.reactor.rules import Reactor
from mars_logic.errors import InputError

_RULES: Final = ("functions", "rule")
"""The fields that hold the rule of a puzzle."""
_LETTERS: Final = "ABC"
_TENTHS: Final = 10
P = TypeVar("P", bound=Puzzle)
_Pair = tuple[str, Any, Any]
"""An input in words, with what both say."""


@dataclass(frozen=True)
class PuzzleScore:
    """How a theory stands to the truth.

    Attributes:
        compared: What was compared, in words.
        inputs: How many inputs were compared, up to the first difference.
        equal: Whether all were equal.
        difference: The first difference, in words; None if there is none.
        open: The fields of the theory that are open; they hold their likeliest values.
    """

    compared: str
    inputs: int
    equal: bool
    difference: str | None
    open: tuple[str, ...]


def score_puzzle(theory: Puzzle, truth: Puzzle, size: int | None = None) -> PuzzleScore:
    """Compare a theory with the true rules of a puzzle, input by input, smaller ones first.

    Args:
        theory: The theory; open fields hold their likeliest values.
        truth: The puzzle.
        size: Of functions, the largest absolute value of the inputs, which are tenths, after the
            values of the parameters; of passwords, how many paintings there are, with every value
            that a hint may name; of reactions, how many of the letters A, B, C a material has.

    Raises:
        InputError: They belong to different domains, or have different numbers of parts, or nothing
            is known of a field.
    """
    if theory.domain != truth.domain:
        message = f"'{theory.name}' is about {theory.domain}, '{truth.name}' is of {truth.domain}"
        raise InputError(f"score: {message}; allowed: a theory of {truth.domain}")
    believed = _filled(theory, truth)
    usual, compared, pairs = _COMPARISONS[truth.domain]
    size = usual if size is None else size
    count, found = 0, None
    for told, one, other in pairs(believed, truth, size):
        count += 1
        if not _same(one, other):
            found = f"{told}: the theory says {_shown(one)}, the truth {_shown(other)}"
            break
    compared = compared.format(size=size, letters=_LETTERS)
    uncertain = tuple(each for each in theory.uncertain if each.startswith(_RULES))
    return PuzzleScore(compared, count, found is None, found, uncertain)


def _filled(theory: P, truth: P) -> P:
    """The theory with its likeliest values."""
    held = {*_RULES, "param_range", "params_distinct"} & set(type(truth).model_fields)
    stated = theory.model_dump(mode="json", include=held)
    try:
        chosen = likeliest(stated)
    except LookupError:
        part = next(each.name for each in rule_parts(theory) if each.completions is None)
        told = f"{part}: the theory leaves it open, so that it predicts nothing"
        raise InputError(f"{theory.name}: {told}; allowed: a value or alternatives") from None
    if "params_distinct" in chosen:  # likeliest values need not be a possible code
        chosen["params_distinct"] = False
    return type(truth).model_validate(truth.model_dump(mode="json") | chosen)


def _values(theory: FunctionOperator, truth: FunctionOperator, size: int) -> Iterator[_Pair]:
    shapes = [[[t.param for t in terms] for terms in e.functions] for e in (theory, truth)]
    if shapes[0] != shapes[1]:
        message = "its functions have other parameters than those of the truth"
        raise InputError(f"{theory.name}: functions: {message}; allowed: {shapes[1]}")
    for letter, value in truth.values.items():
        yield f"parameter {letter}", theory.values[letter], value
    tenths = sorted(range(-_TENTHS * size, _TENTHS * size + 1), key=abs)
    for at in range(len(truth.functions)):
        for tenth in tenths:
            x = f"{tenth / _TENTHS:g}"
            one = _value(theory, at, x)
            yield f"function {at + 1} at {x}", one, _value(truth, at, x)


def _value(puzzle: FunctionOperator, function: int, x: str) -> float | str | None:
    value, error = evaluated(puzzle.functions[function], puzzle.values, x)
    return error if value is None else value


def _digits(theory: EscapeRoom, truth: EscapeRoom, size: int) -> Iterator[_Pair]:
    if len(theory.rule.digits) != len(truth.rule.digits):
        message = f"it has {len(theory.rule.digits)} digits"
        raise InputError(f"{theory.name}: {message}; allowed: {len(truth.rule.digits)}")
    for many in range(size + 1):
        for chosen in itertools.combinations(paintings().values(), many):
            for focus in truth.rule.focus_order:
                codes = [
                    "".join(str(term.value(chosen, focus) % 10) for term in each.rule.digits)
                    for each in (theory, truth)
                ]
                numbers = ", ".join(str(each.number) for each in chosen) or "none"
                yield f"paintings {numbers} with the hint {focus}", codes[0], codes[1]


def _made(theory: Reactor, truth: Reactor, size: int) -> Iterator[_Pair]:
    names = [
        "".join(letters)
        for many in range(1, size + 1)
        for letters in itertools.product(_LETTERS, repeat=many)
    ]
    pairs = sorted(itertools.product(names, repeat=2), key=lambda each: len(each[0] + each[1]))
    for u, v in pairs:
        yield f"{u} + {v}", products(theory.rule, u, v), products(truth.rule, u, v)


_COMPARISONS: Final[Mapping[str, tuple[int, str, Callable[..., Iterator[_Pair]]]]] = {
    "function_operator": (
        10,
        "parameters, and functions at all tenths from -{size} to {size}",
        _values,
    ),
    "escape_room": (3, "digits for all sets of up to {size} paintings, and all hints", _digits),
    "reactor": (4, "reactions of all materials of up to {size} letters of {letters}", _made),
}
"""By domain: the usual size, what is compared, and the comparison."""


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    return bool(one == other)


def _shown(found: Any) -> str:
    return " and ".join(found) or "nothing" if isinstance(found, tuple) else str(found)
