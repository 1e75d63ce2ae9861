"""Revises a theory: the smallest change of its fields that explains everything seen.

The size of a change is its description length (theory/problem.py). Fields that the evidence
leaves open keep their believed value. Of changes that are equally short, either the usual one is
taken, by a fixed order of values, or the one under which most achievements are reachable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain, islice, product
from typing import Any, Final, Literal, get_args

from mars_logic.data.trajectory import Trajectory
from mars_logic.errors import InputError
from mars_logic.logic.reachability_model import ReachabilityModel
from mars_logic.logic.solve import CONFLICTS
from mars_logic.system.display import html_table, number
from mars_logic.theory import rate_tests
from mars_logic.theory.candidates import believed
from mars_logic.theory.cell_fitting import fitted
from mars_logic.theory.check import Conflict, check
from mars_logic.theory.claims import Field
from mars_logic.theory.component_solver import hitting_set
from mars_logic.theory.evidence import Evidence
from mars_logic.theory.problem import CHANGE, Component, RevisionProblem, choices_of, met
from mars_logic.theory.relevance import bearing_on
from mars_logic.world.field_values import MOST_NEARBY, domain
from mars_logic.world.rules import Rule
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import UNKNOWN, Alternatives, is_uncertain
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words import tell
from mars_logic.world.words.nouns import CRAFTER

Ties = Literal["usual", "reachable"]
"""Which of equally short revisions is taken."""
_LISTED: Final = 128
"""At most so many revisions that are equally short are listed for a part of the claims,"""
_COMPARED: Final = 8
"""and of these, so many are compared by what is reachable."""


@dataclass(frozen=True, repr=False)
class Change:
    """A rule that had to change.

    Attributes:
        before: As it was believed.
        after: As it is believed now.
        because: The evidence that the former rule does not explain, given all other changes.
        words: The vocabulary of the theory.
    """

    before: Rule
    after: Rule
    because: tuple[Conflict, ...]
    words: Vocabulary = CRAFTER

    @property
    def id(self) -> str:
        """The rule's id."""
        return self.before.id

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that changed."""
        return tuple(
            name
            for name in self.before.field_names()
            if getattr(self.before, name) != getattr(self.after, name)
        )

    def __repr__(self) -> str:
        return f"<Change {self.id}: {', '.join(self.fields)}>"

    def __str__(self) -> str:
        before, after = tell(self.before, self.words), tell(self.after, self.words)
        return f"{self.id}\n  - {before}\n  + {after}"


@dataclass(frozen=True, repr=False)
class Revision:
    """A theory before and after.

    ``print`` shows the rules that changed; a notebook shows them as a table.

    Attributes:
        belief: The prior theory, under the dialect of the trajectories.
        theory: The revised theory.
        changes: The rules that changed, in the order of rules.
        unexplained: The evidence that no choice of candidate values explains.
        alternatives: For changed fields, the other values that are equally short and explain as
            much, given all other changes.
        inexpressible: The fields to which no value can be given because of that; they are unknown
            in the theory. Each is told with the evidence that its value would have to explain.
        transitions: How many transitions were read.
        signatures: How many distinct things they show.
    """

    belief: Theory
    theory: Theory
    changes: tuple[Change, ...]
    unexplained: tuple[Conflict, ...]
    alternatives: Mapping[Field, tuple[Any, ...]]
    inexpressible: Mapping[Field, tuple[Conflict, ...]]
    transitions: int
    signatures: int

    def __repr__(self) -> str:
        return f"<Revision: {self._summary()}>"

    def __str__(self) -> str:
        return "\n".join((*map(str, self.changes), self._summary()))

    def _repr_html_(self) -> str:
        rows = (
            (each.id, tell(each.before, each.words), tell(each.after, each.words))
            for each in self.changes
        )
        return html_table(rows, ("rule", "before", "after"), self._summary())

    def _summary(self) -> str:
        changed = f"{len(self.changes)} of {len(self.belief.rules())} rules changed"
        left = number(len(self.unexplained), "unexplained observation")
        return f"{changed}, {left}; {number(self.transitions, 'transition')}"


def revise(
    belief: Theory,
    trajectories: Iterable[Trajectory] | Evidence,
    *,
    name: str | None = None,
    about: Iterable[Field] | None = None,
    fixed: Iterable[Field] = (),
    level: float = rate_tests.LEVEL,
    conflicts: int = CONFLICTS,
    ties: Ties = "usual",
) -> Revision:
    """The smallest change of a belief that explains the evidence.

    Args:
        belief: What is believed; its rules are read under the dialect of the trajectories, and
            rules of names that these add are unknown.
        trajectories: Recorded episodes of one dialect, or the evidence already taken from them.
        name: What the revised theory is called.
        about: Fields to look at, and with them whatever their revision may hang on; None for all.
        fixed: Fields of which what is believed is known from elsewhere, and so kept.
        level: A true probability is given up with at most this probability.
        conflicts: The limit of the search, in conflicts, and so the same on every machine.
        ties: Of equally short revisions, which to take: by a fixed order of values, or the one
            under which most achievements are reachable.

    Raises:
        InputError: There is no trajectory, their dialects differ, or there is no such way to
            choose between equally short revisions.
        LimitReachedError: The search was given up.
    """
    if ties not in get_args(Ties):
        told = ", ".join(get_args(Ties))
        raise InputError(f"revise: ties: there is no '{ties}'; allowed: {told}")
    evidence = trajectories if isinstance(trajectories, Evidence) else Evidence.of(trajectories)
    if belief.dynamics != evidence.dynamics:
        belief = replace(belief, dynamics=evidence.dynamics)
    belief = belief.adding(evidence.adds)
    transitions, signatures = evidence.transitions, len(evidence.rows)
    if about is not None:
        evidence = bearing_on(evidence, about)
    problem = RevisionProblem(belief, evidence, level, frozenset(fixed))
    chosen = _solved(problem, conflicts, ties)
    alternatives = _alternatives(problem, chosen)
    values = _settled(problem, chosen) | _changed(problem, chosen)
    values |= _left_open(problem, chosen, alternatives)
    believed_now = with_values(belief, values, belief.name)
    cells = fitted(believed_now, evidence, level, CHANGE)
    values |= {name: value for name, value in cells.items() if name not in problem.fixed}
    best = with_values(belief, values, name or f"{belief.name}, revised")
    theory, inexpressible = _expressible(best, evidence, level)
    changes = tuple(_changes(belief, best, evidence, level, frozenset(inexpressible)))
    unexplained = tuple(dict.fromkeys(chain.from_iterable(inexpressible.values())))
    return Revision(
        belief,
        theory,
        changes,
        unexplained,
        alternatives,
        inexpressible,
        transitions,
        signatures,
    )


def _expressible(
    theory: Theory, evidence: Evidence, level: float
) -> tuple[Theory, dict[Field, tuple[Conflict, ...]]]:
    """A theory without values that evidence contradicts, and the fields that they were of.

    Of a theory that explains as much as any, what it does not explain no values do. The fewest
    fields are left open so that nothing is contradicted: of those in question, effects rather than
    the conditions of them.
    """
    found: dict[Field, tuple[Conflict, ...]] = {}
    while conflicts := check(theory, evidence, level, jointly=False).conflicts:
        order = [*dict.fromkeys(name for each in conflicts for name in reversed(each.fields))]
        sets = [frozenset(map(order.index, each.fields)) for each in conflicts]
        chosen = hitting_set(sets, range(len(order))) or range(len(order))
        for name in (order[n] for n in chosen):
            found[name] = tuple(each for each in conflicts if name in each.fields)
        theory = with_values(theory, dict.fromkeys(found, UNKNOWN), theory.name)
    return theory, found


def _solved(problem: RevisionProblem, conflicts: int, ties: Ties) -> dict[Field, int]:
    """The number of the value chosen for each field."""
    components = problem.components()
    chosen: dict[Field, int] = {}
    for component in components:
        chosen |= _usual(component, conflicts)
    if ties == "reachable":
        for component in components:
            if any(chosen[name] for name in component.fields):
                chosen |= _most_reachable(component, chosen, conflicts)
    return chosen


def _alternatives(
    problem: RevisionProblem, chosen: Mapping[Field, int]
) -> dict[Field, tuple[Any, ...]]:
    """For each changed field, the other values that are equally short and explain as much."""
    found = {}
    for name, k in chosen.items():
        if length := problem.length(name, k):
            about = [o for o in problem.claims if any(name == other for other, _ in choices_of(o))]
            explained = [each for each in about if met([each], chosen)]
            values = problem.values[name]
            alike = (n for n in range(len(values)) if n != k and problem.length(name, n) == length)
            others = tuple(values[n] for n in alike if met(explained, {**chosen, name: n}))
            if others:
                found[name] = others
    return found


def _left_open(
    problem: RevisionProblem,
    chosen: Mapping[Field, int],
    alternatives: Mapping[Field, tuple[Any, ...]],
) -> dict[Field, Alternatives]:
    """Of what has to be nearby, all few materials that explain as much, where nothing usual does.

    What stood near at every success may be needed or not: the shortest value is then no finding.
    """
    found = {}
    for name, others in alternatives.items():
        value, usual = problem.values[name][chosen[name]], domain(*name, problem.belief.vocabulary)
        few = [
            each for each in (value, *others) if name[1] == "nearby" and len(each) <= MOST_NEARBY
        ]
        if value not in usual and len(few) > 1:
            found[name] = Alternatives.of([(each, 0.5 ** len(each)) for each in few])
    return found


def _usual(component: Component, conflicts: int) -> dict[Field, int]:
    """The number of the value chosen for each field, by length and then in a fixed order."""
    first = dict.fromkeys(component.fields, 0)
    if met(component.claims, first):
        return first
    cost = component.problem.cost
    model = component.session(cost, conflicts).solve(("value",), ())
    assert model is not None, "a choice of values always exists"
    chosen = component.choices(model["value"], cost)
    return {name: numbers[0] for name, numbers in chosen.items()}


def _most_reachable(
    component: Component, chosen: Mapping[Field, int], conflicts: int
) -> dict[Field, int]:
    """Of equally short choices, the one under which most is reachable; the usual one if it is."""
    problem = component.problem
    usual = {name: chosen[name] for name in component.fields}
    optima = component.session(problem.length, conflicts).optima("value", _LISTED)
    alternatives = (component.choices(rows, problem.length) for rows in optima)
    found = [*islice(chain.from_iterable(map(_each, alternatives)), _LISTED)]
    found.sort(key=lambda choice: [choice[name] for name in component.fields])
    found.sort(key=lambda choice: sum(problem.cost(*part) for part in choice.items()))
    alike: dict[frozenset[tuple[Field, int]], dict[Field, int]] = {}
    for choice in (usual, *found):
        new = frozenset(part for part in choice.items() if problem.length(*part))
        alike.setdefault(new, choice)
    compared = [*alike.values()][:_COMPARED]
    if len(compared) == 1:
        return usual

    def reachable(choice: dict[Field, int]) -> int:
        theory = with_values(problem.belief, _changed(problem, {**chosen, **choice}), "belief")
        return len(ReachabilityModel(theory.to_world(), conflicts=conflicts).certainties)

    return max(compared, key=reachable)


def _each(numbers: Mapping[Field, Sequence[int]]) -> Iterator[dict[Field, int]]:
    """Every choice of one value for each field."""
    for chosen in product(*numbers.values()):
        yield dict(zip(numbers, chosen, strict=True))


def _changed(problem: RevisionProblem, chosen: Mapping[Field, int]) -> dict[Field, Any]:
    """The values of a choice that were not believed."""
    return {
        name: problem.values[name][k]
        for name, k in chosen.items()
        if problem.values[name][k] not in believed(problem.belief, name)
    }


def _settled(problem: RevisionProblem, chosen: Mapping[Field, int]) -> dict[Field, Any]:
    """Of each uncertain field, the values that go with all others as they were chosen."""
    found = {}
    for name in chosen:
        value = getattr(problem.belief[name[0]], name[1])
        if is_uncertain(value):
            about = [o for o in problem.claims if any(name == other for other, _ in choices_of(o))]
            known = range(len(believed(problem.belief, name)))
            left = [k for k in known if met(about, {**chosen, name: k})]
            if 0 < len(left) < len(known):
                found[name] = _narrowed(problem, name, value, left)
    return found


def _narrowed(problem: RevisionProblem, name: Field, value: Any, left: Sequence[int]) -> Any:
    weights = [1.0] * len(left)
    if isinstance(value, Alternatives):
        weights = [value.options[k][1] for k in left]
    values = [problem.values[name][k] for k in left]
    if len(values) == 1:
        return values[0]
    return Alternatives.of(zip(values, weights, strict=True))


def with_values(belief: Theory, values: Mapping[Field, Any], name: str) -> Theory:
    """A theory with other values of some fields, under a name."""
    rules: dict[str, dict[str, Any]] = {}
    for (rule, field_name), value in values.items():
        rules.setdefault(rule, {})[field_name] = value
    changed = [
        belief[rule].with_fields(fields, belief.vocabulary) for rule, fields in rules.items()
    ]
    open_ = any(rule.uncertain_fields for rule in changed)
    return (Theory.from_world(belief) if open_ else belief).with_rules(*changed, name=name)


def _changes(
    belief: Theory, theory: Theory, evidence: Evidence, level: float, without: Set[Field]
) -> Iterator[Change]:
    """Each changed rule, with what its former fields do not explain once all else has changed.

    Args:
        belief: What was believed.
        theory: What explains most of the evidence.
        evidence: What was seen.
        level: As for ``check``.
        without: Fields that end up without a value.
    """
    kept = {(rule, name): getattr(belief[rule], name) for rule, name in without}
    theory = with_values(theory, kept, theory.name)
    for before, after in zip(belief.rules(), theory.rules(), strict=True):
        if before == after:
            continue
        because: dict[Conflict, None] = {}
        for name in before.field_names():
            if getattr(before, name) == getattr(after, name):
                continue
            former = with_values(theory, {(before.id, name): getattr(before, name)}, theory.name)
            if getattr(before, name) is UNKNOWN:
                continue
            for conflict in check(former, evidence, level, jointly=False).conflicts:
                if (before.id, name) in conflict.fields:
                    because[conflict] = None
        yield Change(before, after, tuple(because), belief.vocabulary)
