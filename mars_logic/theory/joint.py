"""Joint check of assertions: whether any theory that contains one explains the evidence.

An assertion states values of some fields of rules and leaves all others open. It is excluded if
every theory with it explains less of the evidence than some other theory does, and certain if every
theory without it does. This is among candidate values (theory/candidates.py), to which the
stated values and those nearest to them are added (theory/joint.py); chances are judged at a level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from mars_logic.logic.solve import CONFLICTS
from mars_logic.theory import rate_tests
from mars_logic.theory.claims import Field
from mars_logic.theory.component_solver import Assertion, ComponentSolver
from mars_logic.theory.evidence import Evidence, Occurrence
from mars_logic.theory.problem import RevisionProblem
from mars_logic.theory.relevance import bearing_on
from mars_logic.theory.verdict import Verdict
from mars_logic.world import names
from mars_logic.world.adds import NOTHING, Adds
from mars_logic.world.field_values import found_items, stations, usual_rule
from mars_logic.world.rules import Rule
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import UNKNOWN, Alternatives
from mars_logic.world.vocabulary import (
    CELL_FAMILIES,
    CREATURE_FAMILIES,
    PROJECTILE_FAMILIES,
    Vocabulary,
)
from mars_logic.world.words.nouns import CRAFTER

UNUSUAL_FAMILIES: Final = (*CELL_FAMILIES, *CREATURE_FAMILIES, *PROJECTILE_FAMILIES, "need")
"""The families of rules of kinds that Crafter lacks."""
OF_THE_MAP: Final = ("neighbour", "rename")
"""The families of rules that tell how maps are made: little that is done depends on them."""


@dataclass(frozen=True)
class JointObservation:
    """An observation, in words.

    Attributes:
        did: What the player did.
        saw: What was seen.
        where: Where first; None for many tries.
        count: In how many transitions.
    """

    did: str
    saw: str
    where: Occurrence | None
    count: int


@dataclass(frozen=True)
class FieldStanding:
    """Status of one asserted field, independent of the assertion's other fields.

    Attributes:
        told: Whether the evidence excludes any value of the field.
        possible: Whether some theory with the stated values explains as much as any does.
        others: The other values for which that holds, in the order of candidates.
        support: Minimum number of transitions unexplained by theories with another value.
        against: Minimum number of transitions unexplained by theories with the stated values.
    """

    told: bool = False
    possible: bool = True
    others: tuple[Any, ...] = ()
    support: int = 0
    against: int = 0

    @property
    def certain(self) -> bool:
        """Whether every theory that explains as much as any does has the stated values."""
        return self.told and self.possible and not self.others

    @property
    def verdict(self) -> Verdict:
        """The verdict on it."""
        if not self.possible:
            return "contradicted"
        return "supported" if self.certain else "undecided" if self.told else "untested"


@dataclass(frozen=True)
class JointFinding:
    """The result for an assertion, over all theories that explain the most evidence.

    Attributes:
        fields: The status of each of its fields.
        against: How many transitions every theory with the assertion leaves unexplained.
        excluded_by: If it is excluded, a smallest set of observations that no theory with the
            assertion explains.
        blamed: Fields that exclude these as they are stated, none of which could be left out.
    """

    fields: Mapping[Field, FieldStanding]
    against: int = 0
    excluded_by: tuple[JointObservation, ...] = ()
    blamed: tuple[Field, ...] = ()

    @property
    def excluded(self) -> bool:
        """Whether no theory with the assertion explains as much as any theory does."""
        return bool(self.against)

    @property
    def certain(self) -> bool:
        """Whether every theory without the assertion explains less."""
        return not self.excluded and all(each.certain for each in self.fields.values())

    @property
    def verdict(self) -> Verdict:
        """The verdict on it."""
        if self.excluded:
            return "contradicted"
        if self.certain:
            return "supported"
        told = any(each.told for each in self.fields.values())
        return "undecided" if told else "untested"

    @property
    def support(self) -> int:
        """How many transitions every theory without the assertion leaves unexplained."""
        return min((each.support for each in self.fields.values()), default=0)


def asserted(rule: Rule) -> Assertion:
    """The values that a rule states; no entry for fields that it leaves open.

    None either for rules of kinds that Crafter lacks, which are judged one signature at a time.
    """
    if rule.family in UNUSUAL_FAMILIES:
        return {}
    values = ((name, getattr(rule, name)) for name in rule.field_names())
    return {
        (rule.id, name): value.values if isinstance(value, Alternatives) else (value,)
        for name, value in values
        if value is not UNKNOWN
    }


def is_whole(theory: Theory) -> bool:
    """Whether a theory leaves nothing open but how maps are made."""
    return all(theory[rule].family in OF_THE_MAP for rule, _ in theory.uncertain)


class JointModel:
    """Evidence as a problem over the candidate values of all fields that it bears on.

    Attributes:
        problem: The problem.
    """

    def __init__(
        self,
        evidence: Evidence,
        assertions: Iterable[Assertion],
        level: float = rate_tests.LEVEL,
        conflicts: int = CONFLICTS,
        *,
        near: bool = True,
        adds: Adds = NOTHING,
    ) -> None:
        """Tabulate what was seen.

        Args:
            evidence: What was seen.
            assertions: All that will be judged.
            level: A true probability is given up with at most this probability.
            conflicts: The limit of each search, in conflicts, and so the same on every machine.
            near: Whether to consider the values nearest to those stated, too; if not, some
                assertions may pass for certain of which only other candidate values are excluded.
            adds: Names that assertions speak of besides those of the evidence.
        """
        blank = Theory.unknown(evidence.dynamics, adds.joined(evidence.adds))
        more: dict[Field, list[Any]] = {}
        for name, values in ((n, v) for assertion in assertions for n, v in assertion.items()):
            found = more.setdefault(name, [])
            found += values
            for value in values if near else ():
                found += rivals(_known(blank, name[0]), name[1], value, blank.vocabulary)
        part = bearing_on(evidence, more)
        self.problem = RevisionProblem(blank, part, level, more=more)
        parts = (ComponentSolver(each, conflicts) for each in self.problem.components())
        self._parts = {name: each for each in parts for name in each.component.fields}

    def admitted(self, name: Field, value: Any, admits: Callable[[Any], bool]) -> tuple[Any, ...]:
        """The candidate values of a field that a statement on it admits, and one that it states."""
        found = self.problem.values.get(name, ())
        return (value, *(each for each in found if admits(each) and each != value))

    def judge(self, assertion: Assertion) -> JointFinding:
        """Judge an assertion, one of those that the model was made for.

        Raises:
            LimitReachedError: A search was given up.
        """
        fields = {name: self.standing(name, values) for name, values in assertion.items()}
        against, conflicts = 0, list[tuple[tuple[JointObservation, ...], tuple[Field, ...]]]()
        for part, stated in self._by_part(assertion):
            unmet = part.excess(part.having(stated))
            if unmet:
                against += unmet
                conflicts.append(_conflict(part, stated))
        shortest = min(conflicts, key=lambda each: len(each[0]), default=((), ()))
        return JointFinding(fields, against, *shortest)

    def unexplained(self, field: Field) -> int:
        """How many transitions nothing explains, of all that hang together with a field.

        More than 0 only where no candidate values are right, or what was seen is of several worlds.
        """
        part = self._parts.get(field)
        return part.least if part else 0

    def possible(self, assertion: Assertion) -> bool:
        """Whether some theory with an assertion explains as much as any theory does.

        Raises:
            LimitReachedError: The search was given up.
        """
        return all(part.possible(part.having(own)) for part, own in self._by_part(assertion))

    def clashes(self, assertions: Sequence[Assertion]) -> Iterator[JointFinding]:
        """Minimal sets of assertions that are not possible together.

        Args:
            assertions: Each is possible by itself.

        Yields:
            For each part of the fields that hangs together: the union of such a set, judged.
        """
        union: dict[Field, tuple[Any, ...]] = {}
        for assertion in assertions:
            union |= assertion
        for part, stated in self._by_part(union):
            own = [_within(assertion, part) for assertion in assertions]
            kept = [each for each in own if each]
            if part.possible(part.having(stated)):
                continue
            for each in tuple(kept):
                rest = [other for other in kept if other is not each]
                if not part.possible([x for other in rest for x in part.having(other)]):
                    kept = rest
            yield self.judge({name: values for each in kept for name, values in each.items()})

    def standing(self, name: Field, values: tuple[Any, ...]) -> FieldStanding:
        """The status of a field, by itself, with one of some values.

        Raises:
            LimitReachedError: The search was given up.
        """
        part = self._parts.get(name)
        if part is None:
            return FieldStanding()
        others = part.others(name, values)
        possible = part.possible(part.having({name: values}))
        return FieldStanding(
            told=not possible or len(others) < part.count_others(name, values),
            possible=possible,
            others=others,
            support=0 if others else part.excess(part.lacking(name, values)),
            against=part.excess(part.having({name: values})),
        )

    def _by_part(
        self, assertion: Assertion
    ) -> Iterator[tuple[ComponentSolver, dict[Field, tuple[Any, ...]]]]:
        parts = {
            id(self._parts[name]): self._parts[name] for name in assertion if name in self._parts
        }
        for part in parts.values():
            yield part, _within(assertion, part)


def _conflict(
    part: ComponentSolver, stated: Assertion
) -> tuple[tuple[JointObservation, ...], tuple[Field, ...]]:
    """A smallest set of what excludes values, and the fields that it takes for that."""
    seen = part.smallest_conflict(part.having(stated))
    blamed = dict(stated)
    for name in stated:
        rest = {other: values for other, values in blamed.items() if other != name}
        if part.excludes(part.having(rest), seen):
            blamed = rest
    told = (JointObservation(*source.tell(), source.where, source.count) for source in seen)
    return tuple(told), tuple(blamed)


def _known(blank: Theory, rule_id: str) -> Any:
    rule = blank[rule_id]
    return usual_rule(rule_id, blank.vocabulary) if rule.uncertain_fields else rule


def _within(assertion: Assertion, part: ComponentSolver) -> dict[Field, tuple[Any, ...]]:
    return {name: values for name, values in assertion.items() if name in part.numbers}


_CHANCE: Final = 0.2
"""How far the nearest probabilities are apart: beyond what counts as equal (theory/score.py)."""


def rivals(rule: Rule, field: str, value: Any, words: Vocabulary = CRAFTER) -> tuple[Any, ...]:
    """The valid values of a field that differ least from one.

    Args:
        rule: The rule; its other fields do not matter.
        field: One of its fields.
        value: A value of the field.
        words: The vocabulary.

    Example:
        >>> from mars_logic import load_world
        >>> rivals(load_world("default")["walk.sand"], "health", 0)
        (-1, 1)
    """
    plain = rule.with_fields({field: value}, words).model_dump(mode="json")
    found: dict[Any, None] = {}
    for near in _near(rule, field, plain[field], words):
        try:
            changed = rule.with_fields({field: near}, words)
        except ValidationError:
            continue
        found[getattr(changed, field)] = None
    return tuple(found)


def _near(rule: Rule, field: str, value: Any, words: Vocabulary) -> Iterator[Any]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value - 1, value + 1)
    elif isinstance(value, str) or value is None:
        yield from words.holdable if rule.family == "eat" else words.left
    elif field in ("where", "nearby"):
        others = words.placed_on if field == "where" else stations(words)
        for material in dict.fromkeys((*value, *others)):
            yield [m for m in (*value, material) if (m == material) <= (m not in value)]
    elif field == "yields":
        yield from _yields(rule, value, words)
    elif field == "spawns":
        yield from _spawns(value)
    else:
        for item in words.holdable:
            for amount in (value.get(item, 0) - 1, value.get(item, 0) + 1):
                rest = {each: n for each, n in value.items() if each != item}
                yield rest | ({item: amount} if amount > 0 else {})


def _yields(rule: Rule, value: Mapping[str, Any], words: Vocabulary) -> Iterator[dict[str, Any]]:
    if not value:
        kinds = ("drink",) if rule.subject in names.LIQUIDS else found_items(words)
        for item in kinds:
            yield from ({item: 1}, {item: {"amount": 1, "probability": _CHANCE}})
    for item, given in value.items():
        yield {each: other for each, other in value.items() if each != item}
        amount = given if isinstance(given, int) else given["amount"]
        chance = 1.0 if isinstance(given, int) else given["probability"]
        for n, p in (
            *((n, chance) for n in (amount - 1, amount + 1)),
            *((amount, round(p, 4)) for p in (chance - _CHANCE, chance + _CHANCE)),
        ):
            yield {**value, item: n if p == 1 else {"amount": n, "probability": p}}


def _spawns(value: Mapping[str, float]) -> Iterator[dict[str, float]]:
    yield {}
    for creature in names.CREATURES:
        chance = value.get(creature, 0.0)
        yield from ({creature: round(p, 4)} for p in (chance - _CHANCE, chance + _CHANCE))
