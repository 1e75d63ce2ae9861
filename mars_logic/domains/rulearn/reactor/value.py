"""The fewest reactions for the target of a reactor."""

from __future__ import annotations

from mars_logic.domains.base import StepsValue
from mars_logic.domains.rulearn.reactor.planner import plan_reactions
from mars_logic.domains.rulearn.reactor.rules import Reactor
from mars_logic.errors import InputError

_POOL = "No fewer do with the materials that the planner considers."


def reactor_value(puzzle: Reactor, about: str, *, told: bool = False) -> StepsValue:
    """The fewest reactions with the rule known: a bound for whoever has to find it out.

    Args:
        puzzle: The puzzle.
        about: What the policy knows, in words.
        told: Whether the rule is known.

    Raises:
        InputError: No plan was found.
    """
    plan = plan_reactions(puzzle.rule, puzzle.target, puzzle.raw)
    if plan is None:
        message = f"no plan was found for {puzzle.target}"
        raise InputError(f"{puzzle.name}: target: {message}; allowed: a target within reach")
    notes = [_POOL if plan.minimal else "Fewer may do: the search was broken off."]
    if not told:
        notes.insert(0, "A bound: the reactions with the rule known.")
    moves = tuple(f"let {u} and {v} react" for u, v in plan.next) if told else ()
    exact = told and plan.minimal
    return StepsValue(about, len(plan.reactions), exact, moves, " ".join(notes))
