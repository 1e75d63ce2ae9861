"""Planning tasks as text, in four forms of PDDL.

The *numeric* form (PDDL 2.1) represents amounts as numeric fluents. The *strips* form is classical:
an amount is one of the objects n0, n1, … and facts such as ``(minus-2 n3 n1)`` define counting.
Both have the same plans. They differ only at the cap, where the numeric form needs extra actions,
since plain PDDL lacks a minimum of two numbers. The *probabilistic* form (PPDDL 1.0) is the numeric
one with random effects; amounts are limited to what plans can use, as in the classical one. The
*lifted* form is for learners of action models (``lifted.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from mars_logic.logic.pddl.lifted import LiftedWriter, underscored
from mars_logic.logic.pddl.model import Action, Atom, FluentChange
from mars_logic.logic.pddl.numeric import NumericWriter
from mars_logic.logic.pddl.rddl import RddlWriter
from mars_logic.logic.pddl.task import PlanningTask
from mars_logic.logic.pddl.written import (
    FUNCTIONS,
    PddlForm,
    TaskWriter,
    WrittenAction,
    added_and_deleted,
    atom_text,
    declared,
    enough_for,
    most_counted,
)
from mars_logic.system.printable import in_one_line


def domain_text(task: PlanningTask, form: PddlForm) -> str:
    """The domain: movement, and the rules of the world.

    Args:
        task: The planning task.
        form: The form of PDDL.
    """
    return _text(task, form, _writer(task, form).domain())


def problem_text(task: PlanningTask, form: PddlForm) -> str:
    """The problem: the zones, the cells initially within reach, and the goal.

    Args:
        task: The planning task.
        form: The form of PDDL.
    """
    return _text(task, form, _writer(task, form).problem())


def _text(task: PlanningTask, form: PddlForm, lines: Iterable[str]) -> str:
    lines = map(underscored, lines) if form is PddlForm.lifted else lines
    about = _about(task, form)
    if form is PddlForm.rddl:
        about = (line.replace(";", "//", 1) for line in about)
    return "\n".join((*about, *lines)) + "\n"


def _about(task: PlanningTask, form: PddlForm) -> Iterator[str]:
    where = "ordinary maps" if task.map_seed is None else f"the map of seed {task.map_seed}"
    yield f"; {in_one_line(task.world.name)} ({task.world.digest}), on {where}, {form} form"
    luck = f"; what is {task.certainty} or surer counts as possible"
    if task.chances:
        yield f"{luck}; effects have the chances of the game"
        return
    yield f"{luck}; chance is determinised: each"
    yield "; outcome that it may have is an action of its own"


def _writer(task: PlanningTask, form: PddlForm) -> TaskWriter | RddlWriter:
    assert task.chances == form.has_chances
    if form is PddlForm.rddl:
        return RddlWriter(NumericWriter(task, form=form))
    if form is PddlForm.lifted:
        return LiftedWriter(task)
    return _Strips(task) if form is PddlForm.strips else NumericWriter(task, form=form)


@dataclass
class _Strips(TaskWriter):
    """Amounts as objects, with facts that count."""

    form: PddlForm = PddlForm.strips

    def __post_init__(self) -> None:
        self.types = (*self.types, "amount")
        self.most = most_counted(self.task)

    def more_constants(self) -> dict[str, list[str]]:
        return {"amount": [_number(n) for n in range(self.most + 1)]}

    def declarations(self) -> Iterator[str]:
        for name, kinds in FUNCTIONS.items():
            yield f"    {declared(name, (*kinds, 'amount'))}"
        for name in dict.fromkeys(fact[0] for fact in self._facts()):
            arity = 3 if name == "sum" else 2
            if name.startswith("at-least"):
                arity = 1
            yield f"    {declared(name, ('amount',) * arity)}"
        yield "  )"
        yield "  (:functions (total-cost))"

    def amounts(self) -> Iterator[str]:
        material = {a[1]: a[2] for a in self.task.start.atoms if a[0] == "made-of"}
        for amount, number in self.tracked():
            of = (amount[0], material.get(amount[-1], amount[-1]))
            yield atom_text((*amount, _number(min(number, self._enough(of)))))
        yield from map(atom_text, self._facts())

    def actions(self) -> Iterator[WrittenAction]:
        for action in self.task.actions:
            yield self._written(action)

    def _written(self, action: Action) -> WrittenAction:
        parameters = dict(action.parameters)
        needs = [atom_text(atom) for atom in action.needs]
        effects = added_and_deleted(action)

        def becomes(amount: Atom, before: str, after: str) -> None:
            effects.append(atom_text((*amount, after)))
            effects.append(f"(not {atom_text((*amount, before))})")

        for change in action.changes:
            before = f"?{change.amount[-1]}-before"
            parameters[before] = "amount"
            needs.append(atom_text((*change.amount, before)))
            if change.by:
                after = f"?{change.amount[-1]}-after"
                parameters[after] = "amount"
                needs.append(atom_text((self._counting(change), before, after)))
                becomes(change.amount, before, after)
            else:
                needs.append(atom_text((self._counting(change), before)))
        if action.addition:
            parameters |= dict.fromkeys(("?before", "?more", "?after"), "amount")
            needs.append(atom_text((*action.addition.amount, "?before")))
            needs.append(atom_text((*action.addition.by, "?more")))
            needs.append("(sum ?before ?more ?after)")
            becomes(action.addition.amount, "?before", "?after")
        cost = int(bool(action.rule))
        return WrittenAction(action.name, parameters, needs, effects, action.says, cost)

    def _enough(self, amount: Atom) -> int:
        return enough_for(self.task, amount)

    def _counting(self, change: FluentChange) -> str:
        """The name of the counting facts: old and new values of an amount."""
        needed = f"at-least-{change.least}" if change.least and change.least != -change.by else ""
        if not change.by:
            return needed
        parts = ["plus" if change.by > 0 else "minus", str(abs(change.by))]
        if change.by > 0:
            parts += ["up-to", str(self._enough(change.amount))]
        return "-".join((*parts, *([needed] if needed else [])))

    def _facts(self) -> list[Atom]:
        """The counting facts that some action needs."""
        found: dict[Atom, None] = {}
        numbers = range(self.most + 1)
        for action in self.task.actions:
            for change in action.changes:
                cap = self._enough(change.amount) if change.by > 0 else self.most
                for before in range(change.least, cap + 1):
                    row = [before, min(cap, before + change.by)] if change.by else [before]
                    found[self._counting(change), *map(_number, row)] = None
        for one, other in product(numbers, numbers):
            found["sum", *map(_number, (one, other, min(self.most, one + other)))] = None
        return list(found)


def _number(number: int) -> str:
    return f"n{number}"
