"""The revision problem: candidate values to choose from, and claims to satisfy.

Signatures make claims; over candidate values a claim is a list of options; clingo chooses values
(encodings/revise.lp). Differences from the belief have a description length: the changed fields
and their values. A usual value (``world.field_values``) is encoded by its index; any other is
encoded in full. The cost of a change itself is the strength of the prior.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Final

import networkx as nx

from mars_logic.logic.solve import Row, Session
from mars_logic.theory import movement_model, rate_tests
from mars_logic.theory.candidates import believed, candidates, distinct
from mars_logic.theory.claims import Field, Option
from mars_logic.theory.evidence import Evidence, Occurrence
from mars_logic.theory.gated import GatedTries
from mars_logic.theory.phrasing import told, told_motions, told_tries
from mars_logic.theory.relevance import claims_of, reads
from mars_logic.theory.signatures import Signature
from mars_logic.world import names
from mars_logic.world.field_values import domain
from mars_logic.world.theory import Theory

Part = tuple[Field, int]
"""A field and the number of its candidate value."""
Options = frozenset[frozenset[Part]]
"""The options that satisfy a claim; each is a set of field values."""
Cost = Callable[[Field, int], int]
"""The cost of a candidate value of a field."""
Told = Callable[[], tuple[str, str]]
"""Tells what the player did, and what was seen of it."""
_BIT: Final = 64
"""Costs are in parts of a bit; what remains below that tells equally long descriptions apart."""
CHANGE: Final = 8.0
"""Bits that say that a field differs from what was believed, and which: the prior's strength."""
SPELT_OUT: Final = 10.0
"""Bits that tell a value which is none of the usual ones,"""
_NUMBER: Final = math.log2(19)
"""and those that tell a number of points or a factor, from -9 to 9."""
_RARE: Final = {("collect", "collectable"): 10.0, ("rename", "material"): 10.0}
"""Bits more for a field that worlds rarely vary."""


@dataclass(frozen=True)
class ClauseSource:
    """The source of some claims.

    Attributes:
        tell: What the player did and what was seen, in words.
        where: Where that was seen first; None for many tries.
        count: In how many transitions.
        held: How many items the player held.
    """

    tell: Told
    where: Occurrence | None
    count: int
    held: int = 0

    def merged(self, other: ClauseSource) -> ClauseSource:
        """One that stands for both: that with the least held, with all transitions."""
        told = other if other.held < self.held else self
        return replace(told, count=self.count + other.count)


@dataclass
class RevisionProblem:
    """Candidate values to choose from, and claims to satisfy.

    Attributes:
        belief: What is believed, under the dialect of the evidence.
        evidence: What was seen.
        level: Probability of rejecting a true probability, at most.
        fixed: The fields that keep their believed values.
        more: Further candidate values of fields.
        claims: What has to be met, with the number of transitions that ask for it.
        sources: What was seen, by all claims that it makes.
    """

    belief: Theory
    evidence: Evidence
    level: float = rate_tests.LEVEL
    fixed: Set[Field] = frozenset()
    more: Mapping[Field, Iterable[Any]] = field(default_factory=dict)
    claims: dict[Options, int] = field(default_factory=dict, init=False)
    sources: dict[frozenset[Options], ClauseSource] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        """Tabulate every claim over the candidate values."""
        values = _Lazy(self)
        for signature, seen in self.evidence.signatures.items():
            claims = claims_of(signature, self.evidence.dynamics)
            source = ClauseSource(
                partial(told, signature), seen.first, seen.count, _held(signature)
            )
            self._note([self._numbered(claim.options(values)) for claim in claims], source)
        for options, count, tell in (*self._rates(), *self._gaits()):
            self._note([options], ClauseSource(tell, None, count))

    @cached_property
    def values(self) -> dict[Field, list[Any]]:
        """The candidate values of every field that matters, those believed first."""
        read = {
            name
            for signature in self.evidence.signatures
            for name in reads(signature, self.evidence.dynamics)
        }
        every = [(rule.id, name) for rule in self.belief.rules() for name in rule.field_names()]
        found = candidates(self.belief, self.evidence, [name for name in every if name in read])
        for name in found:
            found[name] = distinct((*found[name], *self.more.get(name, ())))
        kept = {name: [*believed(self.belief, name)] for name in found if name in self.fixed}
        return found | kept

    @cached_property
    def _numbers(self) -> dict[Field, dict[Any, int]]:
        return {name: {v: k for k, v in enumerate(values)} for name, values in self.values.items()}

    def _numbered(self, options: Iterable[Option]) -> Options:
        numbers = self._numbers
        return frozenset(
            frozenset((name, numbers[name][value]) for name, value in option) for option in options
        )

    def _note(self, claims: Sequence[Options], source: ClauseSource) -> None:
        """Take in claims that were made from one thing seen."""
        asked = frozenset(options for options in claims if not self._always_met(options))
        for options in sorted(asked, key=claims.index):
            self.claims[options] = self.claims.get(options, 0) + source.count
        if asked:
            known = self.sources.get(asked)
            self.sources[asked] = known.merged(source) if known else source

    def _always_met(self, options: Options) -> bool:
        """Whether any values meet a claim: nothing is asked, or any value of some field will do."""
        alone = Counter(name for option in options if len(option) == 1 for name, _ in option)
        return frozenset() in options or any(
            len(self.values[name]) == count for name, count in alone.items()
        )

    def _rates(self) -> Iterator[tuple[Options, int, Told]]:
        """For each material, which probabilities go with which gates."""
        for material in names.COLLECTABLE:
            tries = rate_tests.attempts(self.evidence, material)
            if tries:
                rule, count = f"collect.{material}", sum(seen.count for _, seen in tries)
                gated = GatedTries(tries, self.values[rule, "requires"])
                tell = partial(self._told_tries, material, tries, gated)
                for name in ("yields", "spawns"):
                    yield frozenset(self._likely(rule, name, tries, gated)), count, tell

    def _gaits(self) -> Iterator[tuple[Options, int, Told]]:
        """For each creature, the ways of going that were not refuted."""
        for being, seen in movement_model.motions(self.evidence).items():
            fields = movement_model.fields_of(being)
            numbers = [self._numbers[name] for name in fields]
            yield (
                frozenset(
                    frozenset((f, n[v]) for f, n, v in zip(fields, numbers, values, strict=True))
                    for values in movement_model.allowed(seen, self.evidence.dynamics, self.level)
                    if all(v in n for n, v in zip(numbers, values, strict=True))
                ),
                sum(seen.values()),
                partial(told_motions, being, *movement_model.counts(seen)),
            )

    def _told_tries(
        self, material: str, tries: rate_tests.Attempts, gated: GatedTries
    ) -> tuple[str, str]:
        """The results of all tries, and of those that meet the most important precondition."""
        counts = [(signature, seen.count) for signature, seen in tries]
        best = gated.divided_by()
        if best is None:
            return told_tries(material, counts)
        needed = self.values[f"collect.{material}", "requires"][best]
        return told_tries(material, counts, needed, gated.passing(best))

    def _likely(
        self, rule: str, name: str, tries: rate_tests.Attempts, gated: GatedTries
    ) -> Iterator[frozenset[Part]]:
        open_, needed, given = (rule, "collectable"), (rule, "requires"), (rule, name)
        if False in self.values[open_]:
            yield frozenset({(open_, self._numbers[open_][False])})
        rejected: dict[frozenset[int], set[int]] = {}
        unlikely = [
            gated.refuted(name, value, self.evidence.dynamics, self.level)
            for value in self.values[given]
        ]
        for k, requires in enumerate(self.values[needed]):
            successes = rate_tests.collected(tries, True, requires)
            key = frozenset(map(id, (seen for _, seen in successes)))
            if key not in rejected:
                rejected[key] = {
                    number
                    for number, value in enumerate(self.values[given])
                    if rate_tests.refuted(self._stated(name, successes, value), self.level)
                }
            for number in range(len(self.values[given])):
                if number not in rejected[key] and not unlikely[number][k]:
                    yield frozenset({(needed, k), (given, number)})

    def _stated(
        self, name: str, successes: rate_tests.Attempts, value: Any
    ) -> list[rate_tests.Rate]:
        if name == "yields":
            return [*rate_tests.yield_rates(successes, value, self.evidence.dynamics)]
        return [*rate_tests.spawn_rates(successes, value)]

    def length(self, name: Field, k: int) -> int:
        """The description length of a value, in parts of a bit; none of what was believed."""
        if k < len(believed(self.belief, name)):
            return 0
        usual = domain(*name)
        bits = CHANGE + math.log2(len(usual)) + _RARE.get((name[0].partition(".")[0], name[1]), 0)
        value = self.values[name][k]
        if value not in usual:
            bits += _NUMBER if isinstance(value, int) else SPELT_OUT
        return round(_BIT * bits)

    def cost(self, name: Field, k: int) -> int:
        """The description length of a value, and less than a bit more for one preferred less."""
        length = self.length(name, k)
        return length + min(k, _BIT - 1) if length else k

    def components(self) -> list[Component]:
        """The claims, in parts that have no field in common and so can be met one by one."""
        graph: nx.Graph[Any] = nx.Graph()
        for options in self.claims:
            graph.add_edges_from((options, name) for name in _fields(options))
        place = {options: n for n, options in enumerate(self.claims)}
        parts = [
            sorted((o for o in c if o in place), key=place.__getitem__)
            for c in nx.connected_components(graph)
        ]
        return [Component(self, part) for part in sorted(parts, key=lambda part: place[part[0]])]


@dataclass
class Component:
    """Claims of a problem that share no field with any other.

    Attributes:
        problem: The problem.
        claims: Some of its claims.
        fields: The fields that these read, in the order of rules.
    """

    problem: RevisionProblem
    claims: Sequence[Options]
    fields: list[Field] = field(init=False)

    def __post_init__(self) -> None:
        """Find the fields."""
        read = {name for options in self.claims for name in _fields(options)}
        self.fields = [name for name in self.problem.values if name in read]

    def session(self, cost: Cost | None, conflicts: int) -> Session:
        """clingo, choosing among the candidate values; only ``value/2`` is shown.

        Args:
            cost: What each value costs; None if all that matters is what they explain.
            conflicts: The limit of each search, in conflicts.
        """
        text = "\n".join(("#show value/2.", *self._facts(cost)))
        return Session(("revise.lp",), text, conflicts)

    def choice(self, rows: Iterable[Row]) -> dict[Field, int]:
        """The number of each field's value, from the rows of ``value/2``."""
        return {self.fields[int(number)]: int(k) for number, k in rows}

    def _facts(self, cost: Cost | None) -> Iterator[str]:
        number = {name: n for n, name in enumerate(self.fields)}
        for name in self.fields:
            for k in range(len(self.problem.values[name])):
                yield f"candidate({number[name]},{k})."
                if cost:
                    yield f"cost({number[name]},{k},{cost(name, k)})."
        numbered: dict[frozenset[Part], int] = {}
        for c, options in enumerate(self.claims):
            yield f"weight({c},{self.problem.claims[options]})."
            for option in sorted(options, key=lambda each: sorted((number[f], k) for f, k in each)):
                if option not in numbered:
                    numbered[option] = len(numbered)
                    for name, k in sorted(option, key=lambda part: (number[part[0]], part[1])):
                        yield f"part({numbered[option]},{number[name]},{k})."
                yield f"option({c},{numbered[option]})."


class _Lazy(Mapping[Field, Sequence[Any]]):
    """The candidate values of a problem, as claims take them."""

    def __init__(self, problem: RevisionProblem) -> None:
        self._values = problem.values

    def __getitem__(self, name: Field) -> Sequence[Any]:
        return self._values[name]

    def __iter__(self) -> Iterator[Field]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def met(claims: Iterable[Options], chosen: Mapping[Field, int]) -> bool:
    """Whether a choice of values meets claims."""
    return all(
        any(all(chosen.get(name) == k for name, k in option) for option in options)
        for options in claims
    )


def _fields(options: Options) -> set[Field]:
    """The fields that a claim reads."""
    return {name for option in options for name, _ in option}


def _held(signature: Signature) -> int:
    """How many items the player held, where that may have mattered."""
    return sum(getattr(signature, "held", ()))
