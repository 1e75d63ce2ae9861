"""Planning tasks for learners of action models: no constants, and a type for each amount.

Such learners look for preconditions and effects among atoms over an action's own parameters, and
bind no object to two parameters. So here each constant of an action is a parameter whose type has
one object, and each amount has levels of its own: ``wood-0``, ``wood-1``, … of the type
``wood-level``. Where an amount would stay as it is, since it is at its limit, the action has a
variant without that effect.

An item is limited to the most of it that one action needs. So plans can take more interactions
than in the other forms: what is over must be obtained again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import ClassVar, Final

from mars_logic.logic.pddl.ground import cell
from mars_logic.logic.pddl.model import Action, Atom, FluentChange
from mars_logic.logic.pddl.read import PlanStep
from mars_logic.logic.pddl.state import PlanState, bound
from mars_logic.logic.pddl.task import FULL, PlanningTask
from mars_logic.logic.pddl.written import (
    PddlForm,
    TaskWriter,
    WrittenAction,
    atom_text,
    enough_for,
)

_HYPHEN: Final = re.compile(r"(?<=\w)-(?=\w)")
_FEWER: Final = "-adding-nothing"
_PLENTY: Final = "plenty"


def underscored(text: str) -> str:
    """A name, or a line of PDDL, without hyphens in names, which AMLGym's learners misread."""
    return _HYPHEN.sub("_", text)


@dataclass(frozen=True)
class LiftedAction:
    """An action over parameters alone.

    Attributes:
        name: Its name.
        source: The action of the task.
        parameters: The type of each parameter, by name.
        needs: Preconditions.
        adds: Add effects.
        deletes: Delete effects.
        full: The amounts that are at their limits, and so stay there.
        counted: The material whose cells it counts, if its parameters decide that.
        unchanged: Whether the number of these stays.
    """

    name: str
    source: Action
    parameters: Mapping[str, str]
    needs: tuple[Atom, ...]
    adds: tuple[Atom, ...]
    deletes: tuple[Atom, ...]
    full: frozenset[Atom] = frozenset()
    counted: str | None = None
    unchanged: bool = False


def item_limits(task: PlanningTask) -> dict[Atom, int]:
    """The most of each item that one action needs, and at least 1."""
    found: dict[Atom, int] = {}
    for action in task.actions:
        for change in action.every_change:
            if change.amount[0] == "held":
                found[change.amount] = max(1, change.least, found.get(change.amount, 0))
    return found


@dataclass
class LiftedWriter(TaskWriter):
    """Amounts as levels, each of a type of its own; constants as parameters."""

    for_learners: ClassVar[bool] = True
    form: PddlForm = field(default=PddlForm.lifted)

    def __post_init__(self) -> None:
        self.limits = item_limits(self.task)
        self.counted = sorted(self.task.enough_cells)
        for material in self.counted:
            amount = ("cells", cell(material))
            self.limits[amount] = max(1, enough_for(self.task, amount))
        self._kinds_of = {name: kind for kind, all_ in self.constants().items() for name in all_}
        self.lifted = [each for action in self.task.actions for each in self._variants(action)]
        mentioned = self._mentioned()
        self._singletons = {n: k for n, k in self._kinds_of.items() if n in mentioned}
        parents: dict[str, list[str]] = {}
        for name, kind in self._singletons.items():
            parents.setdefault(kind, []).append(_only(name))
        levels = [_level_type(amount) for amount in self.limits]
        subtypes = [word for kind, names in parents.items() for word in (*names, "-", kind)]
        self.types = (*subtypes, "increment", *levels, *self.types)

    def _mentioned(self) -> set[str]:
        """The constants of actions and of what holds; others would only be tried in vain."""
        atoms = [self._renamed(atom) for atom in self.task.start.atoms]
        found = {word for atom in atoms for word in atom[1:]}
        for each in self.lifted:
            found |= {name.removeprefix("?") for name in each.parameters}
        if any(action.addition for action in self.task.actions):
            found |= {*self.constants()["material"]}  # of which there is plenty
        return found

    # --- Names ------------------------------------------------------------------------------------

    def constants(self) -> dict[str, list[str]]:
        """The objects that stand for constants, by kind; no goal is named like an action."""
        found = super().constants()
        return {**found, "achievement": [self.goal_name(a) for a in found["achievement"]]}

    def goal_name(self, achievement: str) -> str:
        """The object that stands for an achievement, which is not named like an action."""
        return f"{achievement}-goal"

    def _renamed(self, atom: Atom) -> Atom:
        if atom[0] == "unlocked":
            return (atom[0], *map(self.goal_name, atom[1:]))
        return atom

    def _lift(self, atom: Atom, parameters: dict[str, str]) -> Atom:
        """An atom with parameters in place of constants, which are added."""
        name, *words = self._renamed(atom)
        for place, word in enumerate(words):
            if not word.startswith("?"):
                words[place] = f"?{word}"
                parameters[words[place]] = _only(word)
        return (name, *words)

    # --- Actions ----------------------------------------------------------------------------------

    def _variants(self, action: Action) -> Iterator[LiftedAction]:
        """An action for each set of its gains that are at their limits."""
        gains = [change.amount for change in action.changes if change.by > 0]
        for full in product((False, True), repeat=len(gains)):
            over = frozenset(a for a, is_full in zip(gains, full, strict=True) if is_full)
            if not action.addition:
                yield self._lifted(action, over, None, False)
                continue
            yield self._lifted(action, over, None, True)
            for material in self.counted:
                yield from (self._lifted(action, over, material, same) for same in (False, True))

    def _lifted(
        self, action: Action, full: frozenset[Atom], counted: str | None, same: bool
    ) -> LiftedAction:
        parameters = dict(action.parameters)
        needs = [self._lift(atom, parameters) for atom in action.needs]
        adds = [self._lift(atom, parameters) for atom in dict.fromkeys(action.adds)]
        deletes = [self._lift(atom, parameters) for atom in action.deletes]
        name = action.name
        if full:
            name += FULL + "-and-".join(sorted(amount[1] for amount in full))
        for change in action.changes:
            before, after = f"?{change.amount[1]}-before", f"?{change.amount[1]}-after"
            parameters[before] = _level_type(change.amount)
            needs.append((_is(change.amount), before))
            if change.by and change.amount not in full:
                parameters[after] = _level_type(change.amount)
                needs.append((_counting(change), before, after))
                adds.append((_is(change.amount), after))
                deletes.append((_is(change.amount), before))
            elif change.amount in full:
                needs.append((_full(change.amount), before))
            else:
                needs.append((_counting(change), before))
        if action.addition:
            (_, material), (by, *zones) = action.addition.amount, action.addition.by
            if counted is None:
                needs.append((_PLENTY, material))
            else:
                amount = ("cells", cell(counted))
                name += f"-of-{cell(counted)}{_FEWER if same else ''}"
                parameters |= {material: _only(cell(counted)), "?before": _level_type(amount)}
                parameters |= {"?more": "increment"}
                needs += [(_is(amount), "?before"), (by, *zones, "?more")]
                if same:
                    needs.append((f"{amount[1]}-stays", "?before", "?more"))
                else:
                    parameters["?after"] = _level_type(amount)
                    needs.append((f"{amount[1]}-sum", "?before", "?more", "?after"))
                    adds.append((_is(amount), "?after"))
                    deletes.append((_is(amount), "?before"))
        parts = tuple(needs), tuple(adds), tuple(deletes)
        return LiftedAction(name, action, parameters, *parts, full, counted, same)

    def actions(self) -> Iterator[WrittenAction]:
        """The actions, in all variants."""
        for each in self.lifted:
            effects = [*map(atom_text, each.adds)]
            effects += [f"(not {atom_text(atom)})" for atom in each.deletes]
            needs = [*map(atom_text, each.needs)]
            says = "" if each.full else each.source.says
            yield WrittenAction(each.name, dict(each.parameters), needs, effects, says, 0)

    # --- Domain and problem -----------------------------------------------------------------------

    def predicates(self) -> dict[str, tuple[str, ...]]:
        """The types of the arguments of each predicate."""
        found: dict[str, tuple[str, ...]] = {}
        for each in self.lifted:
            for atom in (*each.needs, *each.adds, *each.deletes):
                kinds = tuple(self._widest(each.parameters[word]) for word in atom[1:])
                found.setdefault(atom[0], kinds)
        kinds_of = self._objects()
        for atom in self.initial():
            kinds = tuple(self._widest(kinds_of[word]) for word in atom[1:])
            found.setdefault(atom[0], kinds)
        # Learners take the type of an object from what holds of it. One that holds of no object of
        # its own type would be tried as one of every type.
        for name in self._singletons:
            found[f"is-{name}"] = (_only(name),)
        return found

    def _widest(self, kind: str) -> str:
        return {_only(name): parent for name, parent in self._singletons.items()}.get(kind, kind)

    def declarations(self) -> Iterator[str]:
        """Nothing: amounts are atoms."""
        yield "  )"

    def _objects(self) -> dict[str, str]:
        """The type of every object."""
        found = dict.fromkeys(self.task.zones, "zone")
        found |= {name: _only(name) for name in self._singletons}
        for amount, most in self.limits.items():
            found |= {_level(amount, n): _level_type(amount) for n in range(most + 1)}
        most = max((self.limits["cells", cell(m)] for m in self.counted), default=0)
        return found | {f"more-{n}": "increment" for n in range(most + 1)}

    def types_of(self) -> dict[str, frozenset[str]]:
        """The types of every object, as exported."""
        kinds = {name: (kind, self._widest(kind)) for name, kind in self._objects().items()}
        return {underscored(name): frozenset(map(underscored, k)) for name, k in kinds.items()}

    def objects(self) -> list[str]:
        """All objects as a typed list."""
        return [word for name, kind in self._objects().items() for word in (name, "-", kind)]

    def initial(self) -> list[Atom]:
        """What holds in the beginning, but for the atoms of the task."""
        return [*self._facts(), *self.levels(PlanState(self.task))]

    def problem(self) -> Iterator[str]:
        """The problem's text."""
        renamed = tuple(map(self._renamed, self.task.start.atoms))
        kept = self.task
        self.task = replace(kept, start=replace(kept.start, atoms=renamed))
        yield from super().problem()
        self.task = kept

    def amounts(self) -> Iterator[str]:
        """The levels at the beginning, and how they count."""
        yield from map(atom_text, self.initial())

    def levels(self, state: PlanState) -> Iterator[Atom]:
        """The level of each amount in a state."""
        for amount, most in self.limits.items():
            yield _is(amount), _level(amount, min(most, state.amounts.get(amount, 0)))

    def limit(self, state: PlanState) -> None:
        """Reduce the amounts of a state to their limits."""
        for amount, most in self.limits.items():
            state.amounts[amount] = min(most, state.amounts.get(amount, 0))

    def _facts(self) -> list[Atom]:
        """What holds always: types, counting, and how much is added where."""
        found: dict[Atom, None] = {(f"is-{name}", name): None for name in self._singletons}
        for action in self.task.actions:
            for change in action.changes:
                amount, most = change.amount, self.limits[change.amount]
                found[_full(amount), _level(amount, most)] = None
                for before in range(change.least, most + 1):
                    after = min(most, before + change.by)
                    row = [before] if not change.by else [before, after]
                    if not change.by or before != after:
                        found[_counting(change), *(_level(amount, n) for n in row)] = None
        if any(action.addition for action in self.task.actions):
            found |= dict.fromkeys(self._sums())
        return list(found)

    def _sums(self) -> Iterator[Atom]:
        materials = self.constants()["material"]
        counted = [cell(material) for material in self.counted]
        yield from ((_PLENTY, name) for name in materials if name not in counted)
        for material in counted:
            amount, most = ("cells", material), self.limits["cells", material]
            for before, more in product(range(most + 1), repeat=2):
                after, words = min(most, before + more), (_level(amount, before), f"more-{more}")
                if after == before:
                    yield (f"{material}-stays", *words)
                else:
                    yield (f"{material}-sum", *words, _level(amount, after))
        made_of = {zone: m for name, zone, m in _triples(self.task) if name == "made-of"}
        borders = [a[1:] for a in self.task.start.atoms if a[0] == "unlooked"]
        every: list[Atom] = [("cells-along", *border) for border in borders]
        every += [(name, z) for name in ("cells-beside", "cells-inside") for z in self.task.zones]
        for by in every:
            if (material := made_of.get(by[-1], "")) in counted:
                more = min(self.limits["cells", material], self.task.start.amounts.get(by, 0))
                yield (*by, f"more-{more}")

    # --- States and steps -------------------------------------------------------------------------

    def atoms(self, state: PlanState) -> frozenset[Atom]:
        """All that holds in a state, as the exported names tell it."""
        found = {*map(self._renamed, state.atoms()), *self.levels(state), *self._facts()}
        return frozenset(tuple(map(underscored, atom)) for atom in found)

    def call(self, step: PlanStep, state: PlanState) -> Atom:
        """The exported action that a step is in a state: its name, and its arguments."""
        action, given = step.action, dict(step.arguments)
        full = frozenset(
            change.amount
            for change in action.changes
            if change.by > 0 and state.amounts.get(change.amount, 0) >= self.limits[change.amount]
        )
        counted, same = None, bool(action.addition)
        if action.addition:
            amount, by = bound(action.addition.amount, given), bound(action.addition.by, given)
            if amount in self.limits:
                counted, most = amount[1].removesuffix("-cell"), self.limits[amount]
                before, more = (min(most, state.amounts.get(a, 0)) for a in (amount, by))
                after = min(most, before + more)
                same = after == before
                given |= {"?before": _level(amount, before), "?after": _level(amount, after)}
                given["?more"] = f"more-{more}"
        for change in action.changes:
            most, before = self.limits[change.amount], state.amounts.get(change.amount, 0)
            for word, number in (("before", before), ("after", min(most, before + change.by))):
                given[f"?{change.amount[1]}-{word}"] = _level(change.amount, number)
        key = action.name, full, counted, same
        (lifted,) = [
            a for a in self.lifted if (a.source.name, a.full, a.counted, a.unchanged) == key
        ]
        words = (given.get(name, name.removeprefix("?")) for name in lifted.parameters)
        return tuple(map(underscored, (lifted.name, *words)))


def _triples(task: PlanningTask) -> Iterator[tuple[str, str, str]]:
    return ((atom[0], atom[1], atom[2]) for atom in task.start.atoms if len(atom) == 3)


def _only(name: str) -> str:
    """The type of one object."""
    return f"{name}-type"


def _level_type(amount: Atom) -> str:
    return f"{amount[1]}-level"


def _level(amount: Atom, number: int) -> str:
    return f"{amount[1]}-{number}"


def _is(amount: Atom) -> str:
    """The predicate of an amount's level."""
    return f"{amount[1]}-is"


def _full(amount: Atom) -> str:
    return f"{amount[1]}-full"


def _counting(change: FluentChange) -> str:
    """The predicate of the levels before and after a change, or of those that are enough."""
    if not change.by:
        return f"{change.amount[1]}-at-least-{change.least}"
    sign = "plus" if change.by > 0 else "minus"
    needed = f"-of-{change.least}" if change.least and change.least != -change.by else ""
    return f"{change.amount[1]}-{sign}-{abs(change.by)}{needed}"
