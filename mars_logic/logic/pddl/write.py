"""Planning tasks as text, in two forms of PDDL.

The *numeric* form (PDDL 2.1) represents amounts as numeric fluents. The *strips* form is classical:
an amount is one of the objects n0, n1, … and facts such as ``(minus-2 n3 n1)`` define counting.
Both have the same plans. They differ only at the cap, where the numeric form needs extra actions,
since plain PDDL lacks a minimum of two numbers.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import product

from mars_logic.logic.pddl.ground import cell, item
from mars_logic.logic.pddl.model import Action, Atom, FluentChange
from mars_logic.logic.pddl.task import FULL, PlanningTask
from mars_logic.logic.rule_atoms import CAP


class PddlForm(StrEnum):
    """A form of PDDL."""

    numeric = "numeric"
    strips = "strips"


_REQUIREMENTS = {
    PddlForm.numeric: ":strips :typing :numeric-fluents",
    PddlForm.strips: ":strips :typing :action-costs",
}


def domain_text(task: PlanningTask, form: PddlForm) -> str:
    """The domain: movement, and the rules of the world.

    Args:
        task: The planning task.
        form: The form of PDDL.
    """
    return "\n".join((*_about(task, form), *_writer(task, form).domain())) + "\n"


def problem_text(task: PlanningTask, form: PddlForm) -> str:
    """The problem: the zones, the cells initially within reach, and the goal.

    Args:
        task: The planning task.
        form: The form of PDDL.
    """
    return "\n".join((*_about(task, form), *_writer(task, form).problem())) + "\n"


def _about(task: PlanningTask, form: PddlForm) -> Iterator[str]:
    where = "ordinary maps" if task.map_seed is None else f"the map of seed {task.map_seed}"
    yield f"; {task.world.name} ({task.world.digest}), on {where}, {form} form"
    yield f"; counting on luck of the kind {task.certainty}, or surer; chance is determinised: each"
    yield "; outcome that it may have is an action of its own"


def _writer(task: PlanningTask, form: PddlForm) -> _Numeric | _Strips:
    return _Numeric(task) if form is PddlForm.numeric else _Strips(task)


@dataclass
class _Written:
    """An action in the words of one form."""

    name: str
    parameters: dict[str, str]
    needs: list[str]
    effects: list[str]
    says: str
    cost: int

    def lines(self) -> Iterator[str]:
        if self.says:
            yield f"  ; {self.says}"
        yield f"  (:action {self.name}"
        yield f"    :parameters ({_typed(self.parameters)})"
        yield f"    :precondition {_all_of(self.needs)}"
        effects = [*self.effects]
        if self.cost:
            effects.append(f"(increase (total-cost) {self.cost})")
        yield f"    :effect {_all_of(effects)})"


@dataclass
class _Writer(ABC):
    """The parts common to both forms."""

    task: PlanningTask
    types: tuple[str, ...] = ("zone", "material", "item", "creature", "achievement")
    form: PddlForm = field(init=False)

    @abstractmethod
    def actions(self) -> Iterator[_Written]:
        """The actions."""

    @abstractmethod
    def declarations(self) -> Iterator[str]:
        """How amounts are declared in the domain."""

    @abstractmethod
    def amounts(self) -> Iterator[str]:
        """The amounts at the beginning."""

    def more_constants(self) -> dict[str, list[str]]:
        return {}

    def domain(self) -> Iterator[str]:
        yield f"(define (domain {_name(self.task)})"
        yield f"  (:requirements {_REQUIREMENTS[self.form]})"
        yield f"  (:types {' '.join(self.types)})"
        yield "  (:constants"
        for kind, found in {**self._constants(), **self.more_constants()}.items():
            yield f"    {' '.join(found)} - {kind}"
        yield "  )"
        yield "  (:predicates"
        for atom, kinds in self._predicates().items():
            yield f"    {_declared(atom, kinds)}"
        yield from self.declarations()
        for action in self.actions():
            yield ""
            yield from action.lines()
        yield ")"

    def problem(self) -> Iterator[str]:
        yield f"(define (problem {_name(self.task)}-problem)"
        yield f"  (:domain {_name(self.task)})"
        yield f"  (:objects {' '.join(self.task.zones)} - zone)"
        yield "  (:init"
        for atom in self.task.start.atoms:
            yield f"    {_atom(atom)}"
        yield from (f"    {line}" for line in self.amounts())
        yield "    (= (total-cost) 0)"
        yield "  )"
        yield "  (:goal (and"
        for achievement in self.task.goal:
            yield f"    (unlocked {achievement})"
        yield "  ))"
        yield "  (:metric minimize (total-cost))"
        yield ")"

    def _constants(self) -> dict[str, list[str]]:
        words = self.task.world.vocabulary
        return {
            "material": [cell(name) for name in words.materials[1:]],
            "item": [item(name) for name in words.holdable],
            "creature": list(words.creatures),
            "achievement": list(self.task.world.achievements),
        }

    def _predicates(self) -> dict[str, tuple[str, ...]]:
        """The types of the arguments of each predicate, from its first use."""
        found: dict[str, tuple[str, ...]] = {}
        for action in self.task.actions:
            for atom in (*action.needs, *action.adds, *action.deletes):
                found.setdefault(atom[0], self._kinds(atom, action.parameters))
        for atom in self.task.start.atoms:
            found.setdefault(atom[0], self._kinds(atom, {}))
        return found

    def _kinds(self, atom: Atom, parameters: Mapping[str, str]) -> tuple[str, ...]:
        kinds = {name: kind for kind, found in self._constants().items() for name in found}
        kinds |= dict.fromkeys(self.task.zones, "zone")
        return tuple(parameters.get(name) or kinds[name] for name in atom[1:])

    def tracked(self) -> Iterator[tuple[Atom, int]]:
        """Each amount with its initial value."""
        amounts = self.task.start.amounts
        words = self.task.world.vocabulary
        every: list[Atom] = [("held", item(name)) for name in words.holdable]
        every += [("cells", cell(name)) for name in words.materials[1:]]
        every += [("cells-beside", name) for name in self.task.zones]
        every += [("cells-inside", name) for name in self.task.zones]
        every += [amount for amount in amounts if amount[0] == "cells-along"]
        for amount in every:
            yield amount, amounts.get(amount, 0)


_FUNCTIONS = {
    "held": ("item",),
    "cells": ("material",),
    "cells-beside": ("zone",),
    "cells-along": ("zone", "zone"),
    "cells-inside": ("zone",),
}


@dataclass
class _Numeric(_Writer):
    """Amounts as numeric fluents."""

    form: PddlForm = field(init=False, default=PddlForm.numeric)

    def declarations(self) -> Iterator[str]:
        yield "  )"
        yield "  (:functions"
        for name, kinds in _FUNCTIONS.items():
            yield f"    {_declared(name, kinds)}"
        yield "    (total-cost)"
        yield "  )"

    def amounts(self) -> Iterator[str]:
        return (f"(= {_atom(amount)} {number})" for amount, number in self.tracked())

    def actions(self) -> Iterator[_Written]:
        for action in self.task.actions:
            gains = [c for c in action.changes if c.amount[0] == "held" and c.by > 0]
            for full in product((False, True), repeat=len(gains)):
                over = [c for c, is_full in zip(gains, full, strict=True) if is_full]
                yield self._written(action, over)

    def _written(self, action: Action, over: list[FluentChange]) -> _Written:
        needs = [_atom(atom) for atom in action.needs]
        effects = _added_and_deleted(action)
        for change in action.changes:
            amount = _atom(change.amount)
            if change.least:
                needs.append(f"(>= {amount} {change.least})")
            if change in over:
                needs.append(f"(>= {amount} {CAP - change.by + 1})")
                effects.append(f"(assign {amount} {CAP})")
            elif change.by > 0:
                if change.amount[0] == "held":
                    needs.append(f"(<= {amount} {CAP - change.by})")
                effects.append(f"(increase {amount} {change.by})")
            elif change.by < 0:
                effects.append(f"(decrease {amount} {-change.by})")
        if action.addition:
            effects.append(
                f"(increase {_atom(action.addition.amount)} {_atom(action.addition.by)})"
            )
        suffix = FULL + "-".join(change.amount[1] for change in over) if over else ""
        says = "What is more than can be held is lost." if over else action.says
        cost = int(bool(action.rule))
        return _Written(action.name + suffix, dict(action.parameters), needs, effects, says, cost)


@dataclass
class _Strips(_Writer):
    """Amounts as objects, with facts that count."""

    form: PddlForm = field(init=False, default=PddlForm.strips)

    def __post_init__(self) -> None:
        self.types = (*self.types, "amount")
        self.most = max([1, *self.task.enough_cells.values(), *self.task.enough_items.values()])

    def more_constants(self) -> dict[str, list[str]]:
        return {"amount": [_number(n) for n in range(self.most + 1)]}

    def declarations(self) -> Iterator[str]:
        for name, kinds in _FUNCTIONS.items():
            yield f"    {_declared(name, (*kinds, 'amount'))}"
        for name in dict.fromkeys(fact[0] for fact in self._facts()):
            arity = 3 if name == "sum" else 2
            if name.startswith("at-least"):
                arity = 1
            yield f"    {_declared(name, ('amount',) * arity)}"
        yield "  )"
        yield "  (:functions (total-cost))"

    def amounts(self) -> Iterator[str]:
        material = {a[1]: a[2] for a in self.task.start.atoms if a[0] == "made-of"}
        for amount, number in self.tracked():
            of = (amount[0], material.get(amount[-1], amount[-1]))
            yield _atom((*amount, _number(min(number, self._enough(of)))))
        yield from map(_atom, self._facts())

    def actions(self) -> Iterator[_Written]:
        for action in self.task.actions:
            yield self._written(action)

    def _written(self, action: Action) -> _Written:
        parameters = dict(action.parameters)
        needs = [_atom(atom) for atom in action.needs]
        effects = _added_and_deleted(action)

        def becomes(amount: Atom, before: str, after: str) -> None:
            effects.append(_atom((*amount, after)))
            effects.append(f"(not {_atom((*amount, before))})")

        for change in action.changes:
            before = f"?{change.amount[-1]}-before"
            parameters[before] = "amount"
            needs.append(_atom((*change.amount, before)))
            if change.by:
                after = f"?{change.amount[-1]}-after"
                parameters[after] = "amount"
                needs.append(_atom((self._counting(change), before, after)))
                becomes(change.amount, before, after)
            else:
                needs.append(_atom((self._counting(change), before)))
        if action.addition:
            parameters |= dict.fromkeys(("?before", "?more", "?after"), "amount")
            needs.append(_atom((*action.addition.amount, "?before")))
            needs.append(_atom((*action.addition.by, "?more")))
            needs.append("(sum ?before ?more ?after)")
            becomes(action.addition.amount, "?before", "?after")
        cost = int(bool(action.rule))
        return _Written(action.name, parameters, needs, effects, action.says, cost)

    def _enough(self, amount: Atom) -> int:
        """The amount beyond which more is irrelevant."""
        if amount[0] == "held":
            return max(1, self.task.enough_items.get(amount[1].removesuffix("-item"), 0))
        return self.task.enough_cells.get(amount[-1].removesuffix("-cell"), 0)

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


def _added_and_deleted(action: Action) -> list[str]:
    added = [_atom(atom) for atom in dict.fromkeys(action.adds)]
    return added + [f"(not {_atom(atom)})" for atom in action.deletes]


def _number(number: int) -> str:
    return f"n{number}"


def _atom(atom: Iterable[str]) -> str:
    return f"({' '.join(atom)})"


def _all_of(parts: list[str]) -> str:
    return f"(and {' '.join(parts)})"


def _typed(parameters: Mapping[str, str]) -> str:
    return " ".join(f"{name} - {kind}" for name, kind in parameters.items())


def _declared(name: str, kinds: Iterable[str]) -> str:
    arguments = {f"?{letter}": kind for letter, kind in zip("abcdefgh", kinds, strict=False)}
    return f"({' '.join((name, _typed(arguments)))})" if arguments else f"({name})"


def _name(task: PlanningTask) -> str:
    return "world-" + re.sub(r"[^a-z0-9]", "-", task.world.name.lower())
