"""Amounts of a planning task as numeric fluents, with or without random effects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from mars_logic.logic.pddl.model import Action, Atom, FluentChange
from mars_logic.logic.pddl.task import FULL
from mars_logic.logic.pddl.written import (
    FUNCTIONS,
    PddlForm,
    TaskWriter,
    WrittenAction,
    added_and_deleted,
    all_of,
    atom_text,
    declared,
    enough_for,
)
from mars_logic.logic.rule_atoms import CAP


@dataclass
class NumericWriter(TaskWriter):
    """Amounts as numeric fluents."""

    form: PddlForm = PddlForm.numeric

    def declarations(self) -> Iterator[str]:
        """The functions."""
        yield "  )"
        yield "  (:functions"
        for name, kinds in FUNCTIONS.items():
            yield f"    {declared(name, kinds)}"
        yield from (f"    (n{number})" for number in self._named())
        yield "    (total-cost)"
        yield "  )"

    def amounts(self) -> Iterator[str]:
        """The functions' values at the beginning."""
        yield from (f"(= {atom_text(amount)} {number})" for amount, number in self.tracked())
        yield from (f"(= (n{number}) {number})" for number in self._named())

    def _named(self) -> list[int]:
        """The numbers in random outcomes."""
        draws = (draw for action in self.task.actions for draw in action.chances)
        changes = [change for draw in draws for each in draw for change in each.changes]
        return sorted({n for c in changes for n in (c.by, self._limit(c.amount))})

    def actions(self) -> Iterator[WrittenAction]:
        """The actions; those that gain something also for where no more of it can be held."""
        for action in self.task.actions:
            gains = {c.amount: c for c in action.every_change if c.amount[0] == "held" and c.by > 0}
            for full in product((False, True), repeat=len(gains)):
                over = [c for c, is_full in zip(gains.values(), full, strict=True) if is_full]
                yield self._written(action, over)

    def _written(self, action: Action, over: list[FluentChange]) -> WrittenAction:
        needs = [atom_text(atom) for atom in action.needs]
        effects = added_and_deleted(action)
        for change in action.changes:
            effects += self._changed(change, change in over, needs)
        for draw in action.chances:
            parts = []
            for each in draw:
                told = [atom_text(atom) for atom in dict.fromkeys(each.adds)]
                for change in each.changes:
                    told += self._changed(change, change in over, needs, "(n{})")
                parts.append(f"{each.probability:.6g} {all_of(told)}")
            effects.append(f"(probabilistic {' '.join(parts)})")
        if action.addition:
            effects.append(
                f"(increase {atom_text(action.addition.amount)} {atom_text(action.addition.by)})"
            )
        suffix = FULL + "-".join(change.amount[1] for change in over) if over else ""
        says = "What is more than can be held is lost." if over else action.says
        cost = int(bool(action.rule))
        return WrittenAction(
            action.name + suffix, dict(action.parameters), needs, effects, says, cost
        )

    def _changed(
        self, change: FluentChange, full: bool, needs: list[str], number: str = "{}"
    ) -> list[str]:
        """The effects of a change, of which the preconditions are added.

        Numbers in random outcomes are functions such as ``(n1)``: scikit-decide 1.1.1 takes a
        literal there for the outcome's probability.
        """
        amount, limit = atom_text(change.amount), self._limit(change.amount)
        new = [f"(>= {amount} {change.least})"] if change.least else []
        if full:
            new.append(f"(>= {amount} {limit - change.by + 1})")
            effects = [f"(assign {amount} {number.format(limit)})"]
        elif change.by > 0:
            new += [f"(<= {amount} {limit - change.by})"] if change.amount[0] == "held" else []
            effects = [f"(increase {amount} {number.format(change.by)})"]
        else:
            effects = [f"(decrease {amount} {-change.by})"] if change.by else []
        needs += [need for need in new if need not in needs]
        return effects

    def _limit(self, amount: Atom) -> int:
        """The most that is held."""
        return enough_for(self.task, amount) if self.task.chances else CAP
