"""The parts of a planning task, independent of the form of PDDL.

An atom is a tuple: the name of a predicate or function, and its arguments. Arguments that begin
with ``?`` are parameters. ``write.py`` represents amounts by numeric fluents or by counters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Atom = tuple[str, ...]


@dataclass(frozen=True)
class FluentChange:
    """The precondition and the effect of an action on an amount.

    Attributes:
        amount: A function and its arguments.
        least: The amount that is needed.
        by: The amount added, up to the cap; a negative amount is removed.
    """

    amount: Atom
    least: int = 0
    by: int = 0


@dataclass(frozen=True)
class Addition:
    """An action adds one amount, which never changes, to another.

    Attributes:
        amount: The function that is added to, and its arguments.
        by: What is added.
    """

    amount: Atom
    by: Atom


@dataclass(frozen=True)
class RandomOutcome:
    """One of the mutually exclusive random outcomes of an action.

    Attributes:
        probability: Of the outcome; that of nothing is what is left to 1.
        changes: Effects on amounts.
        adds: Add effects.
    """

    probability: float
    changes: tuple[FluentChange, ...] = ()
    adds: tuple[Atom, ...] = ()


@dataclass(frozen=True)
class Action:
    """An action of the domain.

    Attributes:
        name: Its name.
        parameters: The type of each parameter, by name.
        needs: Preconditions: atoms that have to hold.
        changes: Preconditions and effects on amounts.
        addition: An effect on an amount that depends on the parameters.
        adds: Add effects.
        deletes: Delete effects.
        chances: Random effects, besides the others: draws that are independent of each other.
        rule: The id of the world's rule that it applies (an interaction); empty for movement,
            which costs nothing.
        gain: The random yield that it counts on, if any.
        says: A comment.
    """

    name: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    needs: tuple[Atom, ...] = ()
    changes: tuple[FluentChange, ...] = ()
    addition: Addition | None = None
    adds: tuple[Atom, ...] = ()
    deletes: tuple[Atom, ...] = ()
    chances: tuple[tuple[RandomOutcome, ...], ...] = ()
    rule: str = ""
    gain: str | None = None
    says: str = ""

    @property
    def changes_anything(self) -> bool:
        """Whether it has an effect besides its cost."""
        changed = any(change.by for change in self.changes)
        return changed or bool(self.adds or self.deletes or self.addition or self.chances)

    @property
    def every_add(self) -> tuple[Atom, ...]:
        """Atoms that it may add."""
        return self.adds + tuple(a for draw in self.chances for each in draw for a in each.adds)

    @property
    def every_change(self) -> tuple[FluentChange, ...]:
        """Preconditions on amounts, and effects that it may have on them."""
        random = (c for draw in self.chances for each in draw for c in each.changes)
        return self.changes + tuple(random)


@dataclass(frozen=True)
class InitialValue:
    """The initial state.

    Attributes:
        atoms: The atoms that hold.
        amounts: The amounts above 0.
    """

    atoms: tuple[Atom, ...]
    amounts: Mapping[Atom, int]
