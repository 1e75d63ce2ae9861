"""Learned action models in PDDL beside true ones: precision and recall, as AMLGym has them.

*Syntactic*: literals of preconditions and effects, by action. *Applicability*: ground actions that
apply in test states. *Effects*: what actions that apply by both add and delete there. Each is a
mean over the actions of the true model.

Source: AMLGym 1.0.13, ``amlgym/metrics``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from mars_logic.errors import InputError
from mars_logic.logic.pddl.lifted import LiftedWriter, underscored
from mars_logic.logic.pddl.model import Atom
from mars_logic.logic.pddl.state import PlanState, bound

_TOKEN = re.compile(r"[()]|[^\s()]+")


@dataclass(frozen=True)
class LearnedAction:
    """An action of a model.

    Attributes:
        parameters: The type of each parameter, by name.
        needs: Atoms that must hold.
        forbids: Atoms that must not.
        apart: Pairs of parameters that must be bound to different objects.
        adds: Add effects.
        deletes: Delete effects.
    """

    parameters: Mapping[str, str]
    needs: frozenset[Atom] = frozenset()
    forbids: frozenset[Atom] = frozenset()
    apart: frozenset[Atom] = frozenset()
    adds: frozenset[Atom] = frozenset()
    deletes: frozenset[Atom] = frozenset()

    @property
    def literals(self) -> frozenset[tuple[str, Atom]]:
        """Preconditions and effects; inequalities are none, as in AMLGym."""
        parts = {"+": self.needs, "-": self.forbids, "add": self.adds, "delete": self.deletes}
        return frozenset((sign, atom) for sign, atoms in parts.items() for atom in atoms)


Model = Mapping[str, LearnedAction]


@dataclass(frozen=True)
class Accuracy:
    """Means over actions.

    Attributes:
        precision: The share of what the model says that is true.
        recall: The share of what is true that the model says.
    """

    precision: float
    recall: float


class _Counts:
    """True and false positives and false negatives, by action."""

    def __init__(self) -> None:
        self._of: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0])

    def add(self, action: str, found: Iterable[object], true: Iterable[object]) -> None:
        told, real = set(found), set(true)
        for place, some in enumerate((told & real, told - real, real - told)):
            self._of[action][place] += len(some)

    def accuracy(self) -> Accuracy:
        """Where a model says nothing, precision is 1; where nothing is true, recall is."""
        rows = [*self._of.values()]
        if not rows:
            return Accuracy(1.0, 1.0)
        precision = sum(tp / (tp + fp) if tp + fp else 1.0 for tp, fp, _ in rows)
        recall = sum(tp / (tp + fn) if tp + fn else 1.0 for tp, _, fn in rows)
        return Accuracy(precision / len(rows), recall / len(rows))


# --- Models ---------------------------------------------------------------------------------------


def model_of(writer: LiftedWriter) -> dict[str, LearnedAction]:
    """The model that a world is exported as."""

    def named(atoms: Iterable[Atom]) -> frozenset[Atom]:
        return frozenset(tuple(map(underscored, atom)) for atom in atoms)

    return {
        underscored(each.name): LearnedAction(
            {underscored(name): underscored(kind) for name, kind in each.parameters.items()},
            named(each.needs),
            adds=named(each.adds),
            deletes=named(each.deletes),
        )
        for each in writer.lifted
    }


def read_model(text: str, truth: Model) -> dict[str, LearnedAction]:
    """The actions of a learned domain, with the parameters of the true ones, in their order.

    Raises:
        InputError: An action has another number of parameters, or something in it is not read.
    """
    found = {}
    for part in _parsed(text)[2:]:
        if part[0] == ":action":
            name = underscored(part[1].lower())
            if name not in truth:
                raise InputError(f"model: {name} is no action of the task; allowed: its actions")
            found[name] = _action(dict(zip(part[2::2], part[3::2], strict=True)), truth[name])
    return found


def _action(parts: Mapping[str, Any], true: LearnedAction) -> LearnedAction:
    given = [word for word in parts.get(":parameters", []) if word.startswith("?")]
    if len(given) != len(true.parameters):
        raise InputError(f"model: {len(given)} parameters; allowed: {len(true.parameters)}")
    names = dict(zip(given, true.parameters, strict=True))
    needs, forbids, apart = _literals(parts.get(":precondition", []), names)
    adds, deletes, _ = _literals(parts.get(":effect", []), names)
    return LearnedAction(true.parameters, needs, forbids, apart, adds, deletes)


def _literals(expression: Any, names: Mapping[str, str]) -> tuple[frozenset[Atom], ...]:
    """Atoms, negated atoms, and inequalities of a conjunction."""
    holds, not_, apart = set[Atom](), set[Atom](), set[Atom]()
    for part in expression[1:] if expression[:1] == ["and"] else [expression]:
        negated = part[:1] == ["not"]
        words = part[1] if negated else part
        if not words:
            continue
        if not all(isinstance(word, str) for word in words) or (words[0] == "=" and not negated):
            raise InputError(f"model: {words}; allowed: literals and inequalities")
        atom = tuple(names.get(word, word) for word in words)
        (apart if words[0] == "=" else not_ if negated else holds).add(atom)
    return frozenset(holds), frozenset(not_), frozenset(atom[1:] for atom in apart)


def _parsed(text: str) -> Any:
    """The one expression of a text, as nested lists of words."""
    stack: list[list[Any]] = [[]]
    for token in _TOKEN.findall(re.sub(r";.*", "", text)):
        if token == "(":
            stack.append([])
        elif token == ")" and len(stack) > 1:
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    if len(stack) != 1 or len(stack[0]) != 1:
        raise InputError("model: brackets do not match; allowed: a domain in PDDL")
    return stack[0][0]


# --- Accuracy -------------------------------------------------------------------------------------


def syntactic(model: Model, truth: Model) -> Accuracy:
    """How the model's literals agree with the true ones; an action that it lacks has none."""
    counts = _Counts()
    for name, true in truth.items():
        learned = model.get(name, LearnedAction(true.parameters))
        counts.add(name, learned.literals, true.literals)
    return counts.accuracy()


def predicted(
    model: Model,
    truth: Model,
    objects: Mapping[str, frozenset[str]],
    states: Sequence[frozenset[Atom]],
) -> tuple[Accuracy, Accuracy]:
    """How actions apply in states, and what those that apply by both change there.

    Args:
        model: The model.
        truth: The true one.
        objects: The types of each object.
        states: What holds in each.
    """
    applies, changes = _Counts(), _Counts()
    for state in states:
        index: defaultdict[str, list[Atom]] = defaultdict(list)
        for atom in state:
            index[atom[0]].append(atom)
        for name, true in truth.items():
            real = {tuple(b.items()): b for b in _ways(true, state, index, objects)}
            learned = model.get(name)
            told = _ways(learned, state, index, objects) if learned else ()
            found = {tuple(b.items()) for b in told}
            if real or found:
                applies.add(name, found, real)
            for call in found & real.keys() if learned else ():
                assert learned is not None
                both = (_changes(each, real[call], state) for each in (learned, true))
                changes.add(name, *both)
    return applies.accuracy(), changes.accuracy()


def _changes(
    action: LearnedAction, given: Mapping[str, str], state: frozenset[Atom]
) -> set[tuple[str, Atom]]:
    adds = {bound(atom, given) for atom in action.adds}
    deletes = {bound(atom, given) for atom in action.deletes} - adds
    return {("add", a) for a in adds - state} | {("delete", a) for a in deletes & state}


def _ways(
    action: LearnedAction,
    state: frozenset[Atom],
    index: Mapping[str, list[Atom]],
    objects: Mapping[str, frozenset[str]],
) -> Iterator[dict[str, str]]:
    """Every way to bind the parameters so that the preconditions hold."""
    kinds = action.parameters

    def fits(name: str, value: str) -> bool:
        return kinds[name] in objects[value]

    def join(left: list[Atom], known: dict[str, str]) -> Iterator[dict[str, str]]:
        if not left:
            free = [name for name in kinds if name not in known]
            for values in product(
                *([o for o, k in objects.items() if kinds[n] in k] for n in free)
            ):
                yield known | dict(zip(free, values, strict=True))
            return
        pattern = bound(left[0], known)
        for atom in index.get(pattern[0], ()):
            more = dict(known)
            if all(
                word == value
                or (word in kinds and more.setdefault(word, value) == value and fits(word, value))
                for word, value in zip(pattern[1:], atom[1:], strict=True)
            ):
                yield from join(left[1:], more)

    for given in join(sorted(action.needs), {}):
        fine = not any(bound(atom, given) in state for atom in action.forbids)
        if fine and all(given[a] != given[b] for a, b in action.apart):
            yield {name: given[name] for name in kinds}


def predicted_by_rules(
    learned: LiftedWriter, truth: LiftedWriter, states: Sequence[PlanState]
) -> tuple[Accuracy, Accuracy]:
    """The same for a theory, whose actions are told without levels, which it computes.

    Args:
        learned: The task of the theory.
        truth: The task of the world.
        states: States of that.
    """
    applies, changes = _Counts(), _Counts()
    for state in states:
        before = truth.atoms(state)
        after: list[dict[Atom, frozenset[Atom]]] = []
        for writer in (learned, truth):
            found = {}
            for action in writer.task.actions:
                for step in state.applicable(action):
                    then = state.copy()
                    then.apply(step)
                    found[action.name, *step.arguments.values()] = truth.atoms(then)
            after.append(found)
        names = {action.name for action in truth.task.actions}
        for name in names & {call[0] for some in after for call in some}:
            told, real = ({call for call in some if call[0] == name} for some in after)
            applies.add(name, told, real)
        for call in after[0].keys() & after[1].keys():
            changes.add(call[0], *((some[call] ^ before) for some in after))
    return applies.accuracy(), changes.accuracy()
