"""Plans as text, in the two forms of PDDL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mars_logic.errors import InputError
from mars_logic.logic.pddl.model import Atom
from mars_logic.logic.pddl.read import PlanStep
from mars_logic.logic.pddl.state import PlanState, bound
from mars_logic.logic.pddl.task import FULL, PlanningTask
from mars_logic.logic.pddl.written import PddlForm, enough_for, most_counted
from mars_logic.logic.rule_atoms import CAP


def plan_text(task: PlanningTask, steps: Iterable[PlanStep], form: PddlForm) -> str:
    """A plan with one action a line, and its cost as a comment, as Fast Downward writes plans.

    Args:
        task: The task that it is a plan for.
        steps: Its actions.
        form: The form of PDDL.

    Raises:
        InputError: In the classical form, which counts items up to what a plan with the fewest
            interactions can use: the plan uses more.
    """
    steps = list(steps)
    lines = _numeric(task, steps) if form is PddlForm.numeric else _strips(task, steps)
    cost = sum(bool(step.action.rule) for step in steps)
    return "".join(f"{line}\n" for line in (*lines, f"; cost = {cost} (general cost)"))


def _numeric(task: PlanningTask, steps: list[PlanStep]) -> Iterator[str]:
    state = PlanState(task)
    for step in steps:
        over = [
            change.amount[1]
            for change in step.action.changes
            if change.by > 0
            and change.amount[0] == "held"
            and state.amounts.get(change.amount, 0) + change.by > CAP
        ]
        name = step.action.name + (FULL + "-".join(over) if over else "")
        yield f"({' '.join((name, *step.arguments.values()))})"
        state.apply(step)


def _strips(task: PlanningTask, steps: list[PlanStep]) -> Iterator[str]:
    material = {atom[1]: atom[2] for atom in task.start.atoms if atom[0] == "made-of"}
    most = most_counted(task)

    def cap(amount: Atom) -> int:
        return enough_for(task, (amount[0], material.get(amount[-1], amount[-1])))

    amounts = {atom: min(n, cap(atom)) for atom, n in task.start.amounts.items()}
    for step in steps:
        counted: list[int] = []
        for change in step.action.changes:
            amount = bound(change.amount, step.arguments)
            before = amounts.get(amount, 0)
            if before < max(change.least, -change.by):
                raise InputError(
                    f"--to: the play uses more {amount[-1]} than the classical form counts; "
                    "allowed: pddl"
                )
            after = min(cap(amount), before + change.by) if change.by > 0 else before + change.by
            counted += [before, after] if change.by else [before]
            amounts[amount] = after
        if step.action.addition:
            amount = bound(step.action.addition.amount, step.arguments)
            before = amounts.get(amount, 0)
            more = amounts.get(bound(step.action.addition.by, step.arguments), 0)
            amounts[amount] = min(most, before + more)
            counted += [before, more, amounts[amount]]
        numbers = (f"n{number}" for number in counted)
        yield f"({' '.join((step.action.name, *step.arguments.values(), *numbers))})"
