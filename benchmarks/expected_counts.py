"""The fewest expected interactions of a planning task with chances, by value iteration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from mars_logic.errors import InputError
from mars_logic.logic.pddl import PlanningTask
from mars_logic.logic.pddl.model import Atom, RandomOutcome
from mars_logic.logic.pddl.read import PlanStep
from mars_logic.logic.pddl.state import PlanState
from mars_logic.logic.pddl.written import enough_for

_RESIDUAL: Final = 1e-9
"""Largest change of a value in the last sweep."""
_IMPOSSIBLE: Final = 1e-12
"""Probabilities below this are rounding errors of sums to 1."""
_MOST_STATES: Final = 100_000

Facts = tuple[set[Atom], dict[Atom, int]]
"""The atoms that hold, and the amounts above 0."""


def changing(task: PlanningTask, state: PlanState) -> Facts:
    """What actions can change of a state."""
    names = {a[0] for action in task.actions for a in (*action.every_add, *action.deletes)}
    atoms = {atom for atom in state.atoms() if atom[0] in names}
    return atoms, {a: n for a, n in state.amounts.items() if n and a[0] in ("held", "cells")}


def outcomes(step: PlanStep) -> Iterator[tuple[float, list[RandomOutcome]]]:
    """Every combination of random outcomes of an action, with its probability."""
    found: list[tuple[float, list[RandomOutcome]]] = [(1.0, [])]
    for draw in step.action.chances:
        nothing = 1 - sum(outcome.probability for outcome in draw)
        ways = [(outcome.probability, [outcome]) for outcome in draw] + [(nothing, [])]
        found = [(p * q, [*one, *more]) for p, one in found for q, more in ways if q > _IMPOSSIBLE]
    yield from found


def after(
    task: PlanningTask, state: PlanState, step: PlanStep, drawn: list[RandomOutcome]
) -> PlanState:
    """The state after an action with these random outcomes; items are limited as exported."""
    found = state.copy()
    found.apply(step, drawn)
    for amount, number in found.amounts.items():
        if amount[0] == "held":
            found.amounts[amount] = min(number, enough_for(task, amount))
    return found


def optimal(task: PlanningTask) -> tuple[float, dict[Any, PlanStep]]:
    """The fewest expected interactions, and a policy that takes no more.

    Args:
        task: A task with chances, without movement: each action costs 1.

    Returns:
        The value of the initial state, and the action in each state by :func:`key`.

    Raises:
        InputError: There are too many states.
    """
    start = PlanState(task)
    ways_of = dict[Any, list[tuple[PlanStep, list[tuple[float, Any]]]]]()
    goal = [("unlocked", name) for name in task.goal]
    values, waiting = {key(task, start): 0.0}, [start]
    while waiting:
        state = waiting.pop()
        here = key(task, state)
        if all(state.holds(atom) for atom in goal):
            continue
        ways_of[here] = []
        for step in (step for action in task.actions for step in state.applicable(action)):
            then = [(p, after(task, state, step, drawn)) for p, drawn in outcomes(step)]
            ways_of[here].append((step, [(p, key(task, way)) for p, way in then]))
            for _, way in then:
                if key(task, way) not in values:
                    values[key(task, way)] = 0.0
                    waiting.append(way)
        if len(values) > _MOST_STATES:
            told = f"more than {_MOST_STATES:,} states"
            raise InputError(f"{task.world.name}, {', '.join(task.goal)}: {told}; allowed: fewer")
    return _iterated(values, ways_of)[key(task, start)], _greedy(values, ways_of)


def key(task: PlanningTask, state: PlanState) -> Any:
    """A state as a key."""
    atoms, amounts = changing(task, state)
    return frozenset(atoms), frozenset(amounts.items())


def _cost(values: dict[Any, float], ways: list[tuple[float, Any]]) -> float:
    return 1 + sum(p * values[way] for p, way in ways)


def _iterated(values: dict[Any, float], ways_of: dict[Any, Any]) -> dict[Any, float]:
    change = 1.0
    while change > _RESIDUAL:
        change = 0.0
        for here, steps in ways_of.items():
            best = min(_cost(values, ways) for _, ways in steps)
            change, values[here] = max(change, abs(values[here] - best)), best
    return values


def _greedy(values: dict[Any, float], ways_of: dict[Any, Any]) -> dict[Any, PlanStep]:
    return {
        here: min(steps, key=lambda way: _cost(values, way[1]))[0]
        for here, steps in ways_of.items()
    }
