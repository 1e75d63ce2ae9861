"""What all forms of PDDL share: the parts of a domain and of a problem as text."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, Final

from mars_logic.logic.pddl.ground import cell, item
from mars_logic.logic.pddl.model import Action, Atom
from mars_logic.logic.pddl.task import PlanningTask


class PddlForm(StrEnum):
    """A form of PDDL, or RDDL."""

    numeric = "numeric"
    strips = "strips"
    probabilistic = "probabilistic"
    lifted = "lifted"
    rddl = "rddl"

    @property
    def has_chances(self) -> bool:
        """Whether its actions have random outcomes."""
        return self in {PddlForm.probabilistic, PddlForm.rddl}


DETERMINISED: Final = (PddlForm.numeric, PddlForm.strips)
"""The forms without random effects, for tasks in which each outcome is an action."""
_REQUIREMENTS = {
    PddlForm.numeric: ":strips :typing :numeric-fluents",
    PddlForm.strips: ":strips :typing :action-costs",
    PddlForm.probabilistic: ":strips :typing :numeric-fluents :probabilistic-effects",
    PddlForm.lifted: ":strips :typing",
}


@dataclass
class WrittenAction:
    """An action in the words of one form."""

    name: str
    parameters: dict[str, str]
    needs: list[str]
    effects: list[str]
    says: str
    cost: int

    def lines(self) -> Iterator[str]:
        """The action's text."""
        if self.says:
            yield f"  ; {self.says}"
        yield f"  (:action {self.name}"
        yield f"    :parameters ({typed(self.parameters)})"
        yield f"    :precondition {all_of(self.needs)}"
        effects = [*self.effects]
        if self.cost:
            effects.append(f"(increase (total-cost) {self.cost})")
        yield f"    :effect {all_of(effects)})"


@dataclass
class TaskWriter(ABC):
    """The parts common to all forms."""

    for_learners: ClassVar[bool] = False
    """Whether it has neither constants nor costs, which learners of action models do not take."""

    task: PlanningTask
    types: tuple[str, ...] = ("zone", "material", "item", "creature", "achievement")
    form: PddlForm = field(init=False)

    @abstractmethod
    def actions(self) -> Iterator[WrittenAction]:
        """The actions."""

    @abstractmethod
    def declarations(self) -> Iterator[str]:
        """How amounts are declared in the domain."""

    @abstractmethod
    def amounts(self) -> Iterator[str]:
        """The amounts at the beginning."""

    def more_constants(self) -> dict[str, list[str]]:
        """Constants that the form needs, by type."""
        return {}

    def domain(self) -> Iterator[str]:
        """The domain's text."""
        yield f"(define (domain {task_name(self.task)})"
        yield f"  (:requirements {_REQUIREMENTS[self.form]})"
        yield f"  (:types {' '.join(self.types)})"
        if not self.for_learners:
            yield "  (:constants"
            for kind, found in {**self.constants(), **self.more_constants()}.items():
                yield f"    {' '.join(found)} - {kind}"
            yield "  )"
        yield "  (:predicates"
        for atom, kinds in self.predicates().items():
            yield f"    {declared(atom, kinds)}"
        yield from self.declarations()
        for action in self.actions():
            yield ""
            yield from action.lines()
        yield ")"

    def problem(self) -> Iterator[str]:
        """The problem's text."""
        yield f"(define (problem {task_name(self.task)}-problem)"
        yield f"  (:domain {task_name(self.task)})"
        yield f"  (:objects {' '.join(self.objects())})"
        yield "  (:init"
        for atom in self.task.start.atoms:
            yield f"    {atom_text(atom)}"
        yield from (f"    {line}" for line in self.amounts())
        if not self.for_learners:
            yield "    (= (total-cost) 0)"
        yield "  )"
        yield "  (:goal (and"
        for achievement in self.task.goal:
            yield f"    (unlocked {self.goal_name(achievement)})"
        yield "  ))"
        if not self.for_learners:
            yield "  (:metric minimize (total-cost))"
        yield ")"

    def goal_name(self, achievement: str) -> str:
        """The object that stands for an achievement."""
        return achievement

    def objects(self) -> list[str]:
        """The problem's objects as a typed list."""
        return [*self.task.zones, "- zone"] if self.task.zones else []

    def constants(self) -> dict[str, list[str]]:
        """The constants by type."""
        words = self.task.world.vocabulary
        return {
            "material": [cell(name) for name in words.materials[1:]],
            "item": [item(name) for name in words.holdable],
            "creature": list(words.creatures),
            "achievement": list(self.task.world.achievements),
        }

    def predicates(self) -> dict[str, tuple[str, ...]]:
        """The types of the arguments of each predicate, from its first use."""
        found: dict[str, tuple[str, ...]] = {}
        for action in self.task.actions:
            for atom in (*action.needs, *action.every_add, *action.deletes):
                found.setdefault(atom[0], self._kinds(atom, action.parameters))
        for atom in self.task.start.atoms:
            found.setdefault(atom[0], self._kinds(atom, {}))
        return found

    def _kinds(self, atom: Atom, parameters: Mapping[str, str]) -> tuple[str, ...]:
        kinds = {name: kind for kind, found in self.constants().items() for name in found}
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


FUNCTIONS = {
    "held": ("item",),
    "cells": ("material",),
    "cells-beside": ("zone",),
    "cells-along": ("zone", "zone"),
    "cells-inside": ("zone",),
}


def most_counted(task: PlanningTask) -> int:
    """The largest amount of the classical form."""
    return max([1, *task.enough_cells.values(), *task.enough_items.values()])


def enough_for(task: PlanningTask, amount: Atom) -> int:
    """The amount beyond which more is irrelevant in the classical form.

    Args:
        task: The task.
        amount: A function, and its item or material.
    """
    if amount[0] == "held":
        return max(1, task.enough_items.get(amount[1].removesuffix("-item"), 0))
    return task.enough_cells.get(amount[-1].removesuffix("-cell"), 0)


def added_and_deleted(action: Action) -> list[str]:
    """The effects on atoms."""
    added = [atom_text(atom) for atom in dict.fromkeys(action.adds)]
    return added + [f"(not {atom_text(atom)})" for atom in action.deletes]


def atom_text(atom: Iterable[str]) -> str:
    """An atom in brackets."""
    return f"({' '.join(atom)})"


def all_of(parts: list[str]) -> str:
    """A conjunction."""
    return f"(and {' '.join(parts)})"


def typed(parameters: Mapping[str, str]) -> str:
    """Parameters with their types."""
    return " ".join(f"{name} - {kind}" for name, kind in parameters.items())


def declared(name: str, kinds: Iterable[str]) -> str:
    """The declaration of a predicate or function."""
    arguments = {f"?{letter}": kind for letter, kind in zip("abcdefgh", kinds, strict=False)}
    return f"({' '.join((name, typed(arguments)))})" if arguments else f"({name})"


def task_name(task: PlanningTask) -> str:
    """The name of a task's domain."""
    return "world-" + re.sub(r"[^a-z0-9]", "-", task.world.name.lower())
