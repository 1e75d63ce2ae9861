"""Plays the function operator."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from mars_logic.domains.rulearn.door import judged
from mars_logic.domains.rulearn.episode import PuzzleAction, PuzzleChance
from mars_logic.domains.rulearn.function_operator.rules import (
    BASES,
    MOST_FAILURES,
    FunctionOperator,
    FunctionTerm,
    number_typed,
)
from mars_logic.domains.rulearn.game_simulator import Effect, PuzzleSimulator, PuzzleState

ZERO: Final = 1e-6
"""Values below this are shown as 0."""
INVALID, DIVISION = "invalid_input", "division_by_zero"


@dataclass(frozen=True)
class OperatorState(PuzzleState):
    """Everything about an episode.

    Attributes:
        values: The values of the parameters, in the order of the code.
        failures: Wrong codes since they changed.
    """

    values: tuple[int, ...] = ()
    failures: int = 0


class OperatorSimulator(PuzzleSimulator[FunctionOperator, OperatorState]):
    """Functions that are evaluated, and a door."""

    def _first(self) -> OperatorState:
        return OperatorState(values=tuple(self.game.values.values()))

    @property
    def actions(self) -> tuple[str, ...]:
        """The door and all functions."""
        functions = range(1, len(self.game.functions) + 1)
        return ("enter code CODE", *(f"evaluate function {n} at INPUT" for n in functions))

    def available(self) -> list[dict[str, Any]]:
        """The door and all functions."""
        functions = range(1, len(self.game.functions) + 1)
        return [
            {"do": "enter_code"},
            *({"do": "evaluate", "function": number} for number in functions),
        ]

    def visible(self) -> dict[str, Any]:
        """Numbers of functions and terms, parameters, bases in use."""
        functions = self.game.functions
        return {
            "n_functions": len(functions),
            "monomials": list(self.game.monomials),
            "params": list(self.game.letters),
            "params_per_function": [[term.param for term in each] for each in functions],
        }

    @property
    def values(self) -> Mapping[str, int]:
        """The values of the parameters now."""
        return dict(zip(self.game.letters, self._state.values, strict=True))

    def _act(self, action: PuzzleAction, chance: PuzzleChance) -> Effect[OperatorState]:
        if action.do == "evaluate":
            terms = self.game.functions[action.function - 1]
            value, error = evaluated(terms, self.values, action.input)
            return Effect(self._state, {"value": value, "error": error})
        return self._code(action.code, chance)

    def _code(self, typed: str, chance: PuzzleChance) -> Effect[OperatorState]:
        state = self._state
        answer = judged(typed, "".join(map(str, state.values)))
        if answer.correct:
            return Effect(state, answer.shown, ends=True)
        failures = state.failures + 1
        changed = failures == MOST_FAILURES
        if changed:
            low, high = self.game.param_range
            distinct = self.game.params_distinct
            values = chance.sample(low, high, len(state.values), distinct=distinct)
            state, failures = replace(state, values=values), 0
        left = {"changed": changed, "attempts_left": MOST_FAILURES - failures}
        hidden = {"params": dict(zip(self.game.letters, state.values, strict=True))}
        return Effect(replace(state, failures=failures), {**answer.shown, **left}, hidden)


def evaluated(
    terms: Sequence[FunctionTerm], values: Mapping[str, int], typed: str
) -> tuple[float | None, str | None]:
    """The value of a function at what was typed, and what is wrong with the input otherwise.

    Args:
        terms: The function.
        values: The value of each parameter.
        typed: The input.

    Returns:
        A value and None, or None and ``invalid_input`` or ``division_by_zero``. An input at which
        the value is no number of the machine is invalid.
    """
    x = number_typed(typed)
    if x is None:
        return None, INVALID
    try:
        value = sum(values[term.param] * BASES[term.basis](x) for term in terms)
    except ZeroDivisionError:
        return None, DIVISION
    except OverflowError:
        return None, INVALID
    if not math.isfinite(value):
        return None, INVALID
    return (0.0 if abs(value) < ZERO else value), None
