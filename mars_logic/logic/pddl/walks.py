"""Play of planning tasks in their lifted form: random walks, and traces for AMLGym's learners."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from mars_logic.logic.pddl.lifted import LiftedWriter
from mars_logic.logic.pddl.model import Action, Atom, InitialValue
from mars_logic.logic.pddl.read import PlanStep
from mars_logic.logic.pddl.state import PlanState
from mars_logic.logic.pddl.task import PlanningTask
from mars_logic.logic.pddl.written import atom_text

TRACE_LENGTH: Final = 30
"""Steps of a trace, at most."""


@dataclass(frozen=True)
class TaskTrace:
    """States and the actions between them, as the lifted form names them.

    Attributes:
        states: What holds in each state; one more than actions.
        actions: The name and the arguments of each action.
    """

    states: tuple[frozenset[Atom], ...]
    actions: tuple[Atom, ...]

    def __str__(self) -> str:
        """The trace in AMLGym's format: what holds, nothing of what does not."""
        parts = [_state(self.states[0])]
        for action, after in zip(self.actions, self.states[1:], strict=True):
            parts += [f"(:action {atom_text(action)})", _state(after)]
        return "\n\n".join(("(:trajectory", *parts, ")")) + "\n"


def _state(atoms: Iterable[Atom]) -> str:
    return f"(:state {' '.join(map(atom_text, sorted(atoms)))})"


def trace_of(writer: LiftedWriter, steps: Iterable[PlanStep]) -> TaskTrace:
    """The trace of steps from the start of a task.

    Args:
        writer: The lifted form of the task.
        steps: Each must apply where it is done.
    """
    state = PlanState(writer.task)
    writer.limit(state)
    states, actions = [writer.atoms(state)], []
    for step in steps:
        actions.append(writer.call(step, state))
        state.apply(step)
        writer.limit(state)
        states.append(writer.atoms(state))
    return TaskTrace(tuple(states), tuple(actions))


def random_walk(writer: LiftedWriter, length: int, seed: int) -> Iterator[PlanStep]:
    """Steps that apply, one after the other: a random action, and a random way to do it.

    Movement that changes nothing is left out. A walk ends early where nothing applies.

    Args:
        writer: The lifted form of the task.
        length: Steps, at most.
        seed: Of the choices.
    """
    chance, state = random.Random(seed), PlanState(writer.task)
    for _ in range(length):
        writer.limit(state)
        ways = {action.name: ways_to(action, state) for action in writer.task.actions}
        possible = [name for name, found in ways.items() if found]
        if not possible:
            return
        step = chance.choice(ways[chance.choice(possible)])
        yield step
        state.apply(step)


def random_traces(
    task: PlanningTask, number: int, length: int = TRACE_LENGTH
) -> Iterator[TaskTrace]:
    """The traces of random walks, of the seeds from 0.

    Args:
        task: The planning task.
        number: How many.
        length: Steps of each, at most.
    """
    if number:
        writer = LiftedWriter(task)
        for seed in range(number):
            yield trace_of(writer, random_walk(writer, length, seed))


def ways_to(action: Action, state: PlanState) -> list[PlanStep]:
    """Every way to do an action in a state, but for movement that changes nothing."""
    return [step for step in state.applicable(action) if not state.is_idle(step)]


def interactions_alone(task: PlanningTask) -> PlanningTask:
    """A task without movement, in which the player has been wherever any interaction can lead it.

    Movement is the same in all worlds. Without it, all that a learner can learn is the rules. Of
    these, those stay that can help to reach the goal.
    """
    rules = tuple(action for action in task.actions if action.rule)
    opening = {a for r in rules for a in r.adds if a[0] in ("collected", "placed")}
    state = PlanState(replace(task, start=replace(task.start, atoms=(*task.start.atoms, *opening))))
    while moved := [s for a in task.actions if not a.rule for s in ways_to(a, state)]:
        for step in moved:
            if state.missing(step) is None:
                state.apply(step)
    held = {atom for atom in state.atoms() if atom not in opening}
    rules = _helpful(rules, held, [("unlocked", name) for name in task.goal])
    told = {atom[0] for r in rules for atom in (*r.needs, *r.every_add, *r.deletes)}
    atoms = sorted(atom for atom in held if atom[0] in told)
    used = {change.amount for action in rules for change in action.every_change}
    amounts = {a: n for a, n in state.amounts.items() if n and a in used}
    return replace(task, actions=rules, start=InitialValue(tuple(atoms), amounts), zones=())


def _helpful(
    rules: tuple[Action, ...], held: set[Atom], goal: Iterable[Atom]
) -> tuple[Action, ...]:
    """The actions that bring about something of the goal, or that one of these needs."""
    lost = {atom for action in rules for atom in action.deletes}
    wanted: set[Atom] = set(goal)
    while True:
        chosen = tuple(
            action
            for action in rules
            if wanted & {*action.every_add, *(c.amount for c in action.every_change if c.by > 0)}
        )
        more = {atom for action in chosen for atom in action.needs}
        more |= {c.amount for action in chosen for c in action.changes if c.least}
        more -= held - lost
        if more <= wanted:
            return chosen
        wanted |= more
