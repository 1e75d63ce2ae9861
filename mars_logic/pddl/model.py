"""What a planning task consists of, before it is written in one form of PDDL or another.

An atom is a tuple: the name of a predicate or function, and its arguments. Arguments that begin
with ``?`` are parameters. How amounts are told, by numeric fluents or by counters, is left to
``write.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Atom = tuple[str, ...]


@dataclass(frozen=True)
class Change:
    """What an action asks of an amount, and what it does to it.

    Attributes:
        amount: A function and its arguments.
        least: The amount that is needed.
        by: How much is added, up to the cap; negative: taken away.
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
class Action:
    """An action of the domain.

    Attributes:
        name: Its name.
        parameters: The type of each parameter, by name.
        needs: The atoms that have to hold.
        changes: What is asked of amounts, and done to them.
        addition: What is added to an amount, if that depends on the parameters.
        adds: The atoms that hold afterwards.
        deletes: The atoms that hold no more.
        rule: The id of the world's rule that it applies, and so an interaction; empty for getting
            around, which costs nothing.
        gain: What luck has to bring, if anything.
        says: A comment.
    """

    name: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    needs: tuple[Atom, ...] = ()
    changes: tuple[Change, ...] = ()
    addition: Addition | None = None
    adds: tuple[Atom, ...] = ()
    deletes: tuple[Atom, ...] = ()
    rule: str = ""
    gain: str | None = None
    says: str = ""

    @property
    def changes_anything(self) -> bool:
        """Whether it has an effect besides its cost."""
        changed = any(change.by for change in self.changes)
        return changed or bool(self.adds or self.deletes or self.addition)


@dataclass(frozen=True)
class Start:
    """What holds at the beginning.

    Attributes:
        atoms: The atoms that hold.
        amounts: What amounts to more than nothing.
    """

    atoms: tuple[Atom, ...]
    amounts: Mapping[Atom, int]
