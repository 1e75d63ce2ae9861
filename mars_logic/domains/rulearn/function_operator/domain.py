"""The function operator as a domain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

from mars_logic.domains.base import Pair, RuleComparison, StepsValue
from mars_logic.domains.rulearn.domain import PuzzleDomain
from mars_logic.domains.rulearn.function_operator.rules import (
    MOST_FAILURES,
    FunctionOperator,
    FunctionTerm,
)
from mars_logic.domains.rulearn.function_operator.simulator import OperatorSimulator, evaluated
from mars_logic.domains.rulearn.function_operator.space import OperatorSpace
from mars_logic.domains.rulearn.function_operator.value import OperatorValue
from mars_logic.domains.rulearn.function_operator.words import function_sentences
from mars_logic.domains.rulearn.puzzle import fact, possible, puzzle_facts
from mars_logic.errors import InputError
from mars_logic.world.uncertain import UNKNOWN, Alternatives

_TENTHS: Final = 10


def _values(theory: FunctionOperator, truth: FunctionOperator, size: int) -> Iterator[Pair]:
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
            yield f"function {at + 1} at {x}", _value(theory, at, x), _value(truth, at, x)


def _value(puzzle: FunctionOperator, function: int, x: str) -> float | str | None:
    value, error = evaluated(puzzle.functions[function], puzzle.values, x)
    return error if value is None else value


class FunctionOperatorDomain(PuzzleDomain[FunctionOperator]):
    """Functions to evaluate, and a door that takes the values of their parameters."""

    name = "function_operator"
    kind = FunctionOperator
    simulated_by = OperatorSimulator
    version_space = OperatorSpace

    comparison = RuleComparison(
        10,
        "parameters, and functions at all tenths from -{size} to {size}",
        _values,
        rule=("functions", "param_range", "params_distinct"),
        given={"params_distinct": False},  # likeliest values need not be a possible code
    )
    priors: ClassVar[Mapping[str, str]] = {
        "told": "the bases of all terms, but not the values",
        "none": "what the manual tells, all that agrees with it being equally likely",
    }

    def rules(self, theory: FunctionOperator) -> list[str]:
        """The functions and the values of their parameters."""
        return function_sentences(theory)

    def told_rule(self, game: FunctionOperator) -> list[str]:
        """The functions."""
        return self.rules(game)[: len(game.functions)]

    def facts(self, theory: FunctionOperator) -> str:
        """``term(F, T, Param)``, ``basis(F, T, Basis)``, ``value(Param, Number)``, and ranges."""
        lines = [fact("param_range", *theory.param_range)]
        lines += [fact("distinct_values")] * theory.params_distinct
        for number, terms in enumerate(theory.functions, 1):
            for place, term in enumerate(terms, 1):
                lines.append(fact("term", number, place, term.param))
                lines += possible("basis", number, place, field=term.basis)
        for letter, value in theory.values.items():
            lines += possible("value", letter, field=value)
        return puzzle_facts(theory, lines)

    def answers(self, game: FunctionOperator) -> list[str]:
        """The code at the beginning."""
        code = "".join(map(str, game.values.values()))
        return [f"The code is {code}, until {MOST_FAILURES} wrong codes change the values."]

    def cautions(self, game: FunctionOperator) -> list[str]:
        """Parameters whose terms cancel, so that no evaluation tells anything of them."""
        return [
            f"functions: the terms of parameter {letter} cancel at every x, so only the door tells "
            "its value; allowed: other functions of x beside the parameter"
            for letter in game.cancelled
        ]

    def untold(self, game: FunctionOperator) -> FunctionOperator:
        """The parameter of each term and the bases in use are told; values are unknown."""
        bases = ("1", *game.monomials)
        basis = Alternatives.of((each, 1.0) for each in bases) if len(bases) > 1 else "1"
        functions = [
            [FunctionTerm(param=term.param, coef=UNKNOWN, basis=basis) for term in function]
            for function in game.functions
        ]
        return FunctionOperator.model_validate(dict(game) | {"functions": functions})

    def _value(self, game: FunctionOperator, theory: FunctionOperator, told: str) -> StepsValue:
        """Expected steps of an optimal policy."""
        return OperatorValue(game, told, told=theory is game).value()


DOMAIN = FunctionOperatorDomain()
