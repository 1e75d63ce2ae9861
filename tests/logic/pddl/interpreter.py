"""A small interpreter of PDDL, which knows nothing of mars_logic: it reads and carries out.

It understands what the exports use: typed strips, numeric fluents, and conjunctions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

Atom = tuple[str, ...]


def read(text: str) -> Any:
    """The one expression of a text, as nested lists of words."""
    tokens = re.findall(r"[()]|[^\s()]+", re.sub(r";.*", "", text))
    stack: list[list[Any]] = [[]]
    for token in tokens:
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    (expression,) = stack.pop()
    assert not stack, "parentheses are balanced"
    return expression


def typed(words: list[str]) -> dict[str, str]:
    """The type of each name in a typed list."""
    found: dict[str, str] = {}
    waiting: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "-":
            found |= dict.fromkeys(waiting, next(rest))
            waiting = []
        else:
            waiting.append(word)
    assert not waiting, "everything has a type"
    return found


def conjuncts(expression: Any) -> list[Any]:
    """The parts of a conjunction."""
    return expression[1:] if expression and expression[0] == "and" else [expression]


@dataclass(frozen=True)
class Schema:
    """An action with parameters."""

    name: str
    parameters: dict[str, str]
    needs: list[Any]
    effects: list[Any]


@dataclass
class State:
    """What holds, and what the functions amount to."""

    atoms: set[Atom]
    numbers: dict[Atom, int]


class Game:
    """A domain and a problem."""

    def __init__(self, domain: str, problem: str):
        """Read both, and check that each name is declared and used with the types declared."""
        self.schemas: dict[str, Schema] = {}
        self.objects: dict[str, str] = {}
        self.declared: dict[str, tuple[str, ...]] = {}
        self.parents: dict[str, str] = {}
        for part in read(domain)[2:]:
            match part:
                case [":types", *names]:
                    last = len(names) - names[::-1].index("-") + 1 if "-" in names else 0
                    self.parents = typed(names[:last]) | dict.fromkeys(names[last:], "object")
                case [":constants", *words]:
                    self.objects |= typed(words)
                case [":predicates" | ":functions", *found]:
                    self.declared |= {name: tuple(typed(a).values()) for name, *a in found}
                case [":action", name, _, parameters, _, needs, _, effects]:
                    assert name not in self.schemas, name
                    given = typed(parameters)
                    self.schemas[name] = Schema(name, given, conjuncts(needs), conjuncts(effects))
        self.start = State(set(), {})
        for part in read(problem)[2:]:
            match part:
                case [":objects", *words]:
                    self.objects |= typed(words)
                case [":init", *facts]:
                    for fact in facts:
                        if fact[0] == "=":
                            self.start.numbers[tuple(fact[1])] = int(fact[2])
                        else:
                            self.start.atoms.add(tuple(fact))
                case [":goal", goal]:
                    self.goal = [tuple(atom) for atom in conjuncts(goal)]
        assert set(self.objects.values()) <= self.parents.keys()
        for name in (*self.objects, *self.declared, *self.schemas):
            assert re.fullmatch(r"[a-z][a-z0-9_-]*", name), name
        self._check_types()

    def _check_types(self) -> None:
        for fact in (*self.start.atoms, *self.start.numbers, *self.goal):
            self._check(fact, self.objects)
        for schema in self.schemas.values():
            kinds = self.objects | schema.parameters
            for atom in _atoms([*schema.needs, *schema.effects]):
                self._check(atom, kinds)

    def _check(self, atom: Any, kinds: Mapping[str, str]) -> None:
        for name, kind in zip(atom[1:], self.declared[atom[0]], strict=True):
            assert kind in {kinds[name], self.parents[kinds[name]]}, atom

    def bindings(self, schema: Schema, state: State) -> Iterator[dict[str, str]]:
        """Every way in which an action can be carried out."""
        by_name: dict[str, list[Atom]] = {}
        for atom in state.atoms:
            by_name.setdefault(atom[0], []).append(atom)
        positive = [need for need in schema.needs if need[0] in self.declared]

        def fits(word: str, value: str) -> bool:
            kind = self.objects[value]
            return schema.parameters[word] in {kind, self.parents[kind]}

        def extend(bound: dict[str, str], left: list[Any]) -> Iterator[dict[str, str]]:
            if not left:
                free = [word for word in schema.parameters if word not in bound]
                ways = [[o for o in self.objects if fits(word, o)] for word in free]
                if all(self._holds(need, bound, state) for need in schema.needs):
                    for values in product(*ways):
                        given = bound | dict(zip(free, values, strict=True))
                        yield {word: given[word] for word in schema.parameters}
                return
            pattern, *rest = left
            known = _filled(pattern, bound)
            candidates = by_name.get(pattern[0], [])
            if not any(word.startswith("?") for word in known):
                candidates = [known] if known in state.atoms else []
            for atom in candidates:
                more = dict(bound)
                for word, value in zip(pattern[1:], atom[1:], strict=True):
                    if word.startswith("?") and more.setdefault(word, value) == value:
                        if fits(word, value):
                            continue
                        break
                    if word == value:
                        continue
                    break
                else:
                    yield from extend(more, rest)

        yield from extend({}, positive)

    def _holds(self, need: Any, bound: Mapping[str, str], state: State) -> bool:
        if need[0] in (">=", "<="):
            left, right = (_value(side, bound, state) for side in need[1:])
            return left >= right if need[0] == ">=" else left <= right
        return _filled(need, bound) in state.atoms

    def after(self, schema: Schema, bound: Mapping[str, str], state: State) -> State:
        """The state once an action has been carried out: first deleted, then added."""
        deleted = {_filled(e[1], bound) for e in schema.effects if e[0] == "not"}
        added = {_filled(e, bound) for e in schema.effects if e[0] in self.declared}
        numbers = dict(state.numbers)
        for effect in schema.effects:
            if effect[0] in ("increase", "decrease", "assign"):
                target = _filled(effect[1], bound)
                by, before = _value(effect[2], bound, state), state.numbers.get(target, 0)
                numbers[target] = {"increase": before + by, "decrease": before - by, "assign": by}[
                    effect[0]
                ]
        return State((state.atoms - deleted) | added, numbers)

    def reached(self, state: State) -> bool:
        """Whether the goal is reached."""
        return all(atom in state.atoms for atom in self.goal)


def _filled(pattern: Any, bound: Mapping[str, str]) -> Atom:
    return tuple(bound.get(word, word) for word in pattern)


def _value(expression: Any, bound: Mapping[str, str], state: State) -> int:
    if isinstance(expression, str):
        return int(expression)
    return state.numbers.get(_filled(expression, bound), 0)


def _atoms(expressions: list[Any]) -> Iterator[Atom]:
    """The atoms and function terms within needs and effects."""
    for expression in expressions:
        match expression:
            case ["not", inner]:
                yield tuple(inner)
            case [">=" | "<=" | "increase" | "decrease" | "assign", *sides]:
                yield from (tuple(side) for side in sides if not isinstance(side, str))
            case _:
                yield tuple(expression)
