"""Version spaces and notations of puzzles, from what a player is told and shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mars_logic.domains.rulearn.escape_room.paintings import ATTRIBUTES
from mars_logic.domains.rulearn.escape_room.rules import EscapeRoom
from mars_logic.domains.rulearn.escape_room.space import EscapeSpace
from mars_logic.domains.rulearn.function_operator.rules import FunctionOperator
from mars_logic.domains.rulearn.function_operator.space import OperatorHypothesis, OperatorSpace
from mars_logic.domains.rulearn.notation import EscapeNotation, OperatorNotation, ReactorNotation
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.domains.rulearn.reactor.rules import Reactor
from mars_logic.domains.rulearn.reactor.space import ReactorSpace
from mars_logic.errors import InputError

_PROGRAMS: Final = 20
"""Programs that a theory of a reactor lists, the likeliest ones."""


def version_space(theory: Puzzle, start: Mapping[str, Any]) -> Any:
    """All hypotheses about a puzzle.

    Args:
        theory: What the manual tells; what is open in it is to be found out.
        start: What is visible before the first action.

    Raises:
        InputError: There are too many parameters or digits.
    """
    if isinstance(theory, FunctionOperator):
        return OperatorSpace(
            start, param_range=theory.param_range, params_distinct=theory.params_distinct
        )
    if isinstance(theory, EscapeRoom):
        return EscapeSpace(start, digits=len(theory.rule.digits))
    assert isinstance(theory, Reactor)
    return ReactorSpace(start, theory.told)


def notation(theory: Puzzle, start: Mapping[str, Any]) -> Any:
    """The words of a notebook about a puzzle."""
    if isinstance(theory, FunctionOperator):
        return OperatorNotation(start)
    if isinstance(theory, EscapeRoom):
        return EscapeNotation(next(each for each in ATTRIBUTES if f"hint_{each}" in start))
    return ReactorNotation()


def told_rule(puzzle: Puzzle) -> Any:
    """The rule of a puzzle as a hypothesis; values of parameters are not part of it.

    Raises:
        InputError: It is open.
    """
    if puzzle.uncertain:
        message = f"{puzzle.uncertain[0]} is open"
        raise InputError(f"{puzzle.name}: {message}; allowed: a puzzle without open fields")
    if isinstance(puzzle, FunctionOperator):
        bases = tuple(tuple(term.basis for term in terms) for terms in puzzle.functions)
        return OperatorHypothesis(bases, ())
    if isinstance(puzzle, EscapeRoom):
        return puzzle.rule.digits
    assert isinstance(puzzle, Reactor)
    return puzzle.rule


def learned_theory(theory: Puzzle, space: Any) -> Puzzle:
    """A theory with what a version space knows of the rule.

    Raises:
        InputError: No hypothesis is left.
    """
    if isinstance(theory, FunctionOperator):
        return theory.model_copy(update={"functions": space.theory().functions})
    if isinstance(theory, EscapeRoom):
        rooms = [
            room.model_copy(update={"paintings": space.rooms.get(room.name, room.paintings)})
            for room in theory.rooms
        ]
        rule = space.theory(theory.rule.focus_order)
        return theory.model_copy(update={"rule": rule, "rooms": tuple(rooms)})
    stated = theory.model_dump(mode="json") | {"rule": _programs(theory, space)}
    return type(theory).model_validate(stated)


def _programs(theory: Puzzle, space: ReactorSpace) -> Any:
    """The likeliest programs, as a file states them."""
    found = space.hypotheses(_PROGRAMS)
    if not found:
        raise InputError("version space: no hypothesis is left; allowed: a larger language")
    options = []
    for program, weight in found:
        filled = theory.model_copy(update={"rule": program})
        options.append({"value": filled.model_dump(mode="json")["rule"], "weight": weight})
    return options[0]["value"] if len(options) == 1 else {"one_of": options}
