"""Planning tasks with chances in RDDL, as pyRDDLGym reads it.

A fluent ``does_X`` says that the action X is taken and applies; an action that does not apply does
nothing. Random outcomes are Bernoulli fluents. Each interaction costs 1; reaching the goal pays the
horizon, so that no policy gains by giving up, and the value of a policy that always reaches it is
the horizon less its expected number of interactions.

Source: pyRDDLGym, https://pyrddlgym.readthedocs.io, RDDL description.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from mars_logic.logic.pddl.model import Action, Atom, FluentChange
from mars_logic.logic.pddl.written import FUNCTIONS, TaskWriter, enough_for, task_name

_COUNTED = ("held", "cells")
"""The functions that change."""


@dataclass(frozen=True)
class _Event:
    """Something that an action does, perhaps by chance.

    Attributes:
        action: The action.
        luck: The fluent of the random outcome; empty if it is sure.
    """

    action: Action
    luck: str = ""

    def happens(self, renamed: Mapping[str, str]) -> str:
        """That it happens, with the action's parameters renamed."""
        words = [renamed.get(word, word) for word in self.action.parameters]
        does = f"does_{self.action.name}" + (f"({', '.join(words)})" if words else "")
        return f"{does} ^ {self.luck}" if self.luck else does


@dataclass
class RddlWriter:
    """A task as a domain and an instance of RDDL.

    Attributes:
        writer: The task with its constants and predicates by type.
    """

    writer: TaskWriter

    def __post_init__(self) -> None:
        self.task = self.writer.task
        self.horizon = self.task.world.length or self.task.world.vocabulary.length
        self._constants = {
            name: kind for kind, found in self.writer.constants().items() for name in found
        }
        self._predicates = self.writer.predicates()
        self._changing = {atom[0] for a in self.task.actions for atom in (*a.every_add, *a.deletes)}
        self._name = task_name(self.task)

    # --- Domain -----------------------------------------------------------------------------------

    def domain(self) -> Iterator[str]:
        """The domain's text."""
        yield f"domain {self._name} {{"
        yield "  types {"
        if self.task.zones:
            yield "    zone : object;"
        for kind, names in self.writer.constants().items():
            yield f"    {kind} : {{{', '.join(f'@{name}' for name in names)}}};"
        yield "  };"
        yield "  pvariables {"
        yield from (f"    {line}" for line in self._variables())
        yield "  };"
        yield "  cpfs {"
        yield from (f"    {line}" for line in self._functions())
        yield "  };"
        yield f"  reward = GOAL_REWARD * ({self._goal(chr(39))}) - ({self._cost()});"
        yield f"  termination {{ {self._goal()}; }};"
        yield "}"

    def _variables(self) -> Iterator[str]:
        for name, kinds in self._predicates.items():
            what = "state-fluent" if name in self._changing else "non-fluent"
            yield f"{_call(name, kinds)} : {{ {what}, bool, default = false }};"
        for name, kinds in FUNCTIONS.items():
            if "zone" in kinds and not self.task.zones:
                continue
            what = "state-fluent" if name in _COUNTED else "non-fluent"
            yield f"{_call(name, kinds)} : {{ {what}, int, default = 0 }};"
        yield "most(item) : { non-fluent, int, default = 1 };"
        yield f"GOAL_REWARD : {{ non-fluent, real, default = {self.horizon}.0 }};"
        for action in self.task.actions:
            for name, what in ((action.name, "action-fluent"), (f"does_{action.name}", "")):
                about = f"{what}, bool, default = false" if what else "interm-fluent, bool"
                yield f"{_call(name, action.parameters.values())} : {{ {about} }};"
            yield from (f"{name} : {{ interm-fluent, bool }};" for name, _ in _luck(action))

    def _functions(self) -> Iterator[str]:
        for action in self.task.actions:
            if action.says:
                yield f"// {action.says}"
            yield f"{_Event(action).happens({})} = {self._applies(action)};"
            yield from (f"{name} = {chance};" for name, chance in _luck(action))
        for name in sorted(self._changing):
            yield self._next_atom(name)
        for name in _COUNTED:
            yield self._next_amount(name)

    def _applies(self, action: Action) -> str:
        taken = f"{action.name}({', '.join(action.parameters)})".removesuffix("()")
        parts = [taken, *(self._term(atom) for atom in action.needs)]
        parts += [f"({self._term(c.amount)} >= {c.least})" for c in action.changes if c.least]
        return " ^ ".join(parts)

    def _next_atom(self, name: str) -> str:
        heads = _heads(self._predicates[name])
        added, deleted = [], []
        for action in self.task.actions:
            for event, adds, _ in _events(action):
                added += self._clauses(event, [a for a in adds if a[0] == name], heads)
            gone = [atom for atom in action.deletes if atom[0] == name]
            deleted += self._clauses(_Event(action), gone, heads)
        kept = _call(name, heads)
        if deleted:
            kept = f"({kept} ^ ~({' | '.join(deleted)}))"
        return f"{_call(name + chr(39), heads)} = {' | '.join([kept, *added])};"

    def _clauses(self, event: _Event, atoms: Iterable[Atom], heads: list[str]) -> list[str]:
        """When an event brings about what the head of a function names, once for each atom."""
        return [self._matched(event, atom, heads, "exists") for atom in atoms]

    def _matched(self, event: _Event, atom: Atom, heads: list[str], quantifier: str) -> str:
        renamed, equal = {}, []
        for head, word in zip(heads, atom[1:], strict=True):
            if word.startswith("?"):
                renamed[word] = head
            else:
                equal.append(f"({head} == @{word})")
        free = {w: k for w, k in event.action.parameters.items() if w not in renamed}
        happens = event.happens(renamed)
        if free:
            over = ", ".join(f"{word} : {kind}" for word, kind in free.items())
            happens = f"({quantifier}_{{{over}}} [{happens}])"
        return f"({' ^ '.join([*equal, happens])})" if equal or event.luck else happens

    def _next_amount(self, name: str) -> str:
        (kind,) = FUNCTIONS[name]
        heads = _heads((kind,))
        terms = [_call(name, heads)]
        for action in self.task.actions:
            for event, _, changes in _events(action):
                for change in changes:
                    if change.amount[0] == name and change.by:
                        when = self._matched(event, change.amount, heads, "exists")
                        terms.append(f"{change.by} * ({when})")
            if action.addition and action.addition.amount[0] == name:
                terms.append(self._added(action, heads))
        total = " + ".join(terms)
        if name == "held":
            total = f"min[most({heads[0]}), {total}]"
        return f"{_call(name + chr(39), heads)} = {total};"

    def _added(self, action: Action, heads: list[str]) -> str:
        """What an action adds that depends on its parameters."""
        assert action.addition is not None
        renamed = dict(zip(action.addition.amount[1:], heads, strict=True))
        free = {w: k for w, k in action.parameters.items() if w not in renamed}
        over = ", ".join(f"{word} : {kind}" for word, kind in free.items())
        by = _call(action.addition.by[0], action.addition.by[1:])
        return f"(sum_{{{over}}} [({_Event(action).happens(renamed)}) * {by}])"

    def _goal(self, mark: str = "") -> str:
        return " ^ ".join(f"unlocked{mark}(@{name})" for name in self.task.goal)

    def _cost(self) -> str:
        terms = []
        for action in self.task.actions:
            if action.rule:
                over = ", ".join(f"{word} : {kind}" for word, kind in action.parameters.items())
                does = _Event(action).happens({})
                terms.append(f"(sum_{{{over}}} [{does}])" if over else does)
        return " + ".join(terms)

    def _term(self, atom: Atom) -> str:
        words = [f"@{word}" if word in self._constants else word for word in atom[1:]]
        return _call(atom[0], words)

    # --- Instance ---------------------------------------------------------------------------------

    def problem(self) -> Iterator[str]:
        """The instance's text, with the non-fluents that it needs."""
        start = [(atom, "") for atom in self.task.start.atoms]
        held = {atom: 0 for atom, _ in self.writer.tracked() if atom[0] == "held"}
        amounts = held | dict(self.task.start.amounts)  # so that init-state is never empty
        start += [(atom, f" = {number}") for atom, number in amounts.items()]
        changing = {*self._changing, *_COUNTED}
        most = {atom: enough_for(self.task, atom) for atom in held}
        yield f"non-fluents {self._name}-nf {{"
        yield f"  domain = {self._name};"
        if self.task.zones:
            yield "  objects {"
            yield f"    zone : {{{', '.join(self.task.zones)}}};"
            yield "  };"
        yield "  non-fluents {"
        for atom, value in start:
            if atom[0] not in changing:
                yield f"    {self._term(atom)}{value};"
        yield from (f"    most(@{a[1]}) = {number};" for a, number in most.items())
        yield "  };"
        yield "}"
        yield f"instance {self._name}-instance {{"
        yield f"  domain = {self._name};"
        yield f"  non-fluents = {self._name}-nf;"
        yield "  init-state {"
        for atom, value in start:
            if atom[0] in changing:
                yield f"    {self._term(atom)}{value};"
        yield "  };"
        yield "  max-nondef-actions = 1;"
        yield f"  horizon = {self.horizon};"
        yield "  discount = 1.0;"
        yield "}"


def _events(
    action: Action,
) -> Iterator[tuple[_Event, tuple[Atom, ...], tuple[FluentChange, ...]]]:
    """What an action does surely, and each of its random outcomes."""
    yield _Event(action), action.adds, action.changes
    names = iter(_luck(action))
    for draw in action.chances:
        for outcome in draw:
            yield _Event(action, next(names)[0]), outcome.adds, outcome.changes


def _luck(action: Action) -> Iterator[tuple[str, str]]:
    """The fluent of each random outcome, with its chance where the earlier ones of a draw fail."""
    number = 0
    for draw in action.chances:
        left, before = 1.0, list[str]()
        for outcome in draw:
            number += 1
            name = f"luck_{action.name}_{number}"
            chance = f"Bernoulli({min(1.0, outcome.probability / left):.9g})"
            failed = " | ".join(before)
            yield name, f"if ({failed}) then false else {chance}" if before else chance
            left -= outcome.probability
            before.append(name)


def _heads(kinds: Iterable[str]) -> list[str]:
    """The variables of a function's head; no parameter of an action is named so."""
    return [f"?arg{number}" for number, _ in enumerate(kinds, 1)]


def _call(name: str, words: Iterable[str]) -> str:
    return f"{name}({', '.join(words)})".removesuffix("()")
