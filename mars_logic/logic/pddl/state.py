"""States of a planning task: which actions apply in them, and what these change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import copy

from mars_logic.logic.pddl.model import Action, Atom, RandomOutcome
from mars_logic.logic.pddl.read import PlanStep
from mars_logic.logic.pddl.task import PlanningTask
from mars_logic.logic.rule_atoms import CAP


class PlanState:
    """A state of a planning task, changed by the actions that are applied.

    Attributes:
        amounts: The amounts above 0, by function and arguments.
    """

    def __init__(self, task: PlanningTask):
        """Begin in the task's initial state."""
        self._atoms: defaultdict[str, set[Atom]] = defaultdict(set)
        self._indexed: defaultdict[tuple[str, int, str], set[Atom]] = defaultdict(set)
        for atom in task.start.atoms:
            self._add(atom)
        self.amounts: dict[Atom, int] = dict(task.start.amounts)

    def holds(self, atom: Atom) -> bool:
        """Whether an atom without parameters holds."""
        return atom in self._atoms[atom[0]]

    def copy(self) -> PlanState:
        """A state that changes by itself."""
        other = copy(self)
        other._atoms = defaultdict(set, {name: {*found} for name, found in self._atoms.items()})
        other._indexed = defaultdict(set, {key: {*found} for key, found in self._indexed.items()})
        other.amounts = dict(self.amounts)
        return other

    def atoms(self) -> Iterator[Atom]:
        """All atoms that hold."""
        return (atom for found in self._atoms.values() for atom in found)

    def names_of(self, predicate: str) -> set[str]:
        """The arguments of all atoms of a predicate with one parameter that hold."""
        return {atom[1] for atom in self._atoms[predicate]}

    def missing(self, step: PlanStep) -> str | None:
        """The first precondition that does not hold, in words; None if the action applies."""
        for need in step.action.needs:
            if not self.holds(atom := bound(need, step.arguments)):
                return f"({' '.join(atom)}) does not hold"
        for change in step.action.changes:
            amount = bound(change.amount, step.arguments)
            found, wanted = self.amounts.get(amount, 0), change.least
            if found < wanted:
                return f"({' '.join(amount)}) is {found}, and {wanted} is needed"
        return None

    def holds_all(self, step: PlanStep) -> bool:
        """Whether all that an action adds, but for amounts, holds already."""
        return all(self.holds(bound(atom, step.arguments)) for atom in step.action.adds)

    def is_idle(self, step: PlanStep) -> bool:
        """Whether a movement action adds nothing that does not hold already."""
        return not step.action.rule and self.holds_all(step)

    def apply(self, step: PlanStep, drawn: Collection[RandomOutcome] = ()) -> None:
        """Change the state as an applicable action does; more than the cap is lost.

        Args:
            step: The action.
            drawn: What happens by chance.
        """
        action = step.action
        for atom in action.deletes:
            self._delete(bound(atom, step.arguments))
        for atom in action.adds:
            self._add(bound(atom, step.arguments))
        for outcome in drawn:
            for atom in outcome.adds:
                self._add(bound(atom, step.arguments))
        for change in (*action.changes, *(c for outcome in drawn for c in outcome.changes)):
            amount = bound(change.amount, step.arguments)
            after = self.amounts.get(amount, 0) + change.by
            self.amounts[amount] = min(CAP, after) if amount[0] == "held" else after
        if action.addition:
            amount = bound(action.addition.amount, step.arguments)
            more = self.amounts.get(bound(action.addition.by, step.arguments), 0)
            self.amounts[amount] = self.amounts.get(amount, 0) + more

    def applicable(self, action: Action) -> Iterator[PlanStep]:
        """Every way in which an action applies now."""
        for arguments in list(self._bindings(action.needs, {})):
            step = PlanStep(action, {name: arguments[name] for name in action.parameters})
            if self.missing(step) is None:
                yield step

    def _bindings(self, needs: tuple[Atom, ...], known: dict[str, str]) -> Iterator[dict[str, str]]:
        if not needs:
            yield known
            return
        # The need that the fewest atoms can meet comes first, so that few bindings are tried.
        found = [bound(need, known) for need in needs]
        place = min(range(len(found)), key=lambda i: len(self._candidates(found[i])))
        left = needs[:place] + needs[place + 1 :]
        for atom in sorted(self._candidates(found[place])):
            more = dict(known)
            if all(_agrees(*pair, more) for pair in zip(found[place], atom, strict=True)):
                yield from self._bindings(left, more)

    def _candidates(self, need: Atom) -> Collection[Atom]:
        """Atoms among which are all that meet a need with some parameters bound."""
        places = [i for i, word in enumerate(need) if i and not word.startswith("?")]
        if len(places) == len(need) - 1:
            return (need,) if self.holds(need) else ()
        indexed = (self._indexed[need[0], i, need[i]] for i in places)
        return min(indexed, key=len, default=self._atoms[need[0]])

    def _add(self, atom: Atom) -> None:
        self._atoms[atom[0]].add(atom)
        for i, word in enumerate(atom[1:], 1):
            self._indexed[atom[0], i, word].add(atom)

    def _delete(self, atom: Atom) -> None:
        self._atoms[atom[0]].discard(atom)
        for i, word in enumerate(atom[1:], 1):
            self._indexed[atom[0], i, word].discard(atom)


def _agrees(pattern: str, word: str, known: dict[str, str]) -> bool:
    """Whether a word of an atom fits; a parameter is bound to it."""
    if pattern.startswith("?"):
        return known.setdefault(pattern, word) == word
    return pattern == word


def bound(atom: Atom, arguments: Mapping[str, str]) -> Atom:
    """An atom with arguments in place of parameters."""
    return tuple(arguments.get(word, word) for word in atom)


def needed_only(task: PlanningTask, steps: Iterable[PlanStep]) -> list[PlanStep]:
    """The steps of a plan without movement that no later step needs; interactions all stay."""
    needed: set[Atom] = {("unlocked", achievement) for achievement in task.goal}
    kept: list[PlanStep] = []
    for step in reversed(list(steps)):
        action, arguments = step.action, step.arguments
        adds = {bound(atom, arguments) for atom in action.adds}
        if action.addition:
            adds.add(bound(action.addition.amount, arguments))
        if not action.rule and not adds & needed:
            continue
        needed -= {atom for atom in adds if action.addition is None}
        needed |= {bound(atom, arguments) for atom in action.needs}
        needed |= {bound(change.amount, arguments) for change in action.changes}
        kept.append(step)
    return kept[::-1]
