"""The revision problem: candidate values to choose from, and claims to satisfy.

Signatures make claims; over candidate values a claim is a list of options; clingo chooses values
(encodings/revise/revise.lp). Differences from the belief have a description length: the changed
fields and their values. A usual value (``world.field_values``) is encoded by its index; any other
is encoded in full. The cost of a change itself is the strength of the prior.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from typing import Any, Final

import networkx as nx

from mars_logic.logic.solve import Row, Session
from mars_logic.theory import movement_model, rate_tests
from mars_logic.theory.candidates import believed, candidates
from mars_logic.theory.claims import Disjunction, Field, Option
from mars_logic.theory.evidence import Evidence, Occurrence
from mars_logic.theory.gated import GatedTries
from mars_logic.theory.phrasing import told, told_motions, told_tries
from mars_logic.theory.relevance import claims_of, reads
from mars_logic.theory.signatures import Signature
from mars_logic.world.field_values import domain
from mars_logic.world.theory import Theory

Choice = tuple[Field, frozenset[int]]
"""A field and the numbers of some of its candidate values."""
Options = frozenset[frozenset[Any]]
"""The options that satisfy a claim; their parts are choices of values, or options again."""
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
        self._known_parts: dict[Any, Choice | Options] = {}
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
        found = candidates(self.belief, self.evidence, [n for n in every if n in read], self.more)
        kept = {name: [*believed(self.belief, name)] for name in found if name in self.fixed}
        return found | kept

    @cached_property
    def _numbers(self) -> dict[Field, dict[Any, int]]:
        return {name: {v: k for k, v in enumerate(values)} for name, values in self.values.items()}

    def _numbered(self, options: Iterable[Option]) -> Options:
        return frozenset(frozenset(map(self._numbered_part, option)) for option in options)

    def _numbered_part(self, part: tuple[Field, tuple[Any, ...]] | Disjunction) -> Choice | Options:
        if part not in self._known_parts:
            if isinstance(part, Disjunction):
                self._known_parts[part] = self._numbered(part.options)
            else:
                name, values = part
                numbers = self._numbers[name]
                self._known_parts[part] = name, frozenset(numbers[value] for value in values)
        return self._known_parts[part]

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
        alone: defaultdict[Field, set[int]] = defaultdict(set)
        for part in (part for option in options if len(option) == 1 for part in option):
            if isinstance(part, tuple):
                alone[part[0]] |= part[1]
        return frozenset() in options or any(
            len(self.values[name]) == len(numbers) for name, numbers in alone.items()
        )

    def _rates(self) -> Iterator[tuple[Options, int, Told]]:
        """For each material, which probabilities go with which gates."""
        for material in self.evidence.words.subjects["collect"]:
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
                    frozenset(
                        (f, frozenset({n[v]}))
                        for f, n, v in zip(fields, numbers, values, strict=True)
                    )
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
    ) -> Iterator[frozenset[Choice]]:
        open_, needed, given = (rule, "collectable"), (rule, "requires"), (rule, name)
        if False in self.values[open_]:
            yield frozenset({(open_, frozenset({self._numbers[open_][False]}))})
        rejected: dict[frozenset[int], set[int]] = {}
        unlikely = [
            gated.refuted(name, value, self.evidence.dynamics, self.level)
            for value in self.values[given]
        ]
        alike: defaultdict[frozenset[int], list[int]] = defaultdict(list)
        for k, requires in enumerate(self.values[needed]):
            successes = rate_tests.collected(tries, True, requires)
            key = frozenset(map(id, (seen for _, seen in successes)))
            if key not in rejected:
                rejected[key] = {
                    number
                    for number, value in enumerate(self.values[given])
                    if rate_tests.refuted(self._stated(name, successes, value), self.level)
                }
            likely = (n for n in range(len(unlikely)) if n not in rejected[key])
            alike[frozenset(n for n in likely if not unlikely[n][k])].append(k)
        for numbers, gates in alike.items():
            yield frozenset({(needed, frozenset(gates)), (given, numbers)})

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
        usual = domain(*name, self.belief.vocabulary)
        bits = CHANGE + math.log2(len(usual)) + _rarity(name)
        value = self.values[name][k]
        if value not in usual:
            bits += _NUMBER if isinstance(value, int) else SPELT_OUT
        return round(_BIT * bits)

    def cost(self, name: Field, k: int) -> int:
        """The description length of a value, and less than a bit more for one preferred less.

        Of values that are equally good, those of fields that worlds rarely vary are the usual ones.
        """
        length = self.length(name, k)
        return length + min(k, _BIT - 1) if length else k + (k > 0 and _rarity(name) > 0)

    def components(self) -> list[Component]:
        """The claims, in parts that have no field in common and so can be met one by one."""
        graph: nx.Graph[Any] = nx.Graph()
        for options in self.claims:
            graph.add_edges_from((options, name) for name, _ in choices_of(options))
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
        read = {name for options in self.claims for name, _ in choices_of(options)}
        self.fields = [name for name in self.problem.values if name in read]

    @cached_property
    def classes(self) -> dict[Field, list[list[int]]]:
        """For each field, the numbers of values that no claim tells apart, class by class."""
        sets: defaultdict[Field, set[frozenset[int]]] = defaultdict(set)
        for name, numbers in frozenset[Choice]().union(*map(choices_of, self.claims)):
            sets[name].add(numbers)
        found = {}
        for name in self.fields:
            alike: defaultdict[tuple[bool, ...], list[int]] = defaultdict(list)
            for k in range(len(self.problem.values[name])):
                alike[tuple(k in numbers for numbers in sets[name])].append(k)
            found[name] = [*alike.values()]
        return found

    def session(self, cost: Cost | None, conflicts: int) -> Session:
        """clingo, choosing among classes of candidate values; only ``value/2`` is shown.

        Args:
            cost: What each value costs, of which a class costs the least; None if all that matters
                is what they explain.
            conflicts: The limit of each search, in conflicts.
        """
        text = "\n".join(("#show value/2.", *self._facts(cost)))
        return Session(("revise/revise.lp",), text, conflicts, strategy="usc")

    def remaining(self, cost: Cost | None, conflicts: int) -> dict[Field, set[int]]:
        """The numbers of each field's values that some of the best choices have.

        A field has exactly one value, so that what all of the best choices have in common follows.

        Args:
            cost: As for a session.
            conflicts: Likewise.

        Raises:
            LimitReachedError: The search was given up.
        """
        found: dict[Field, set[int]] = {name: set() for name in self.fields}
        for place, k in self.session(cost, conflicts).possible("value"):
            name = self.fields[int(place)]
            found[name].update(_cheapest(self.classes[name][int(k)], name, cost))
        return found

    def choices(self, rows: Iterable[Row], cost: Cost | None) -> dict[Field, list[int]]:
        """The numbers of values chosen for each field, all equally good, from rows of ``value/2``.

        Args:
            rows: The classes that were chosen.
            cost: What each value costs.
        """
        chosen = ((self.fields[int(number)], int(k)) for number, k in rows)
        return {name: _cheapest(self.classes[name][k], name, cost) for name, k in chosen}

    def _facts(self, cost: Cost | None) -> Iterator[str]:
        number = {name: n for n, name in enumerate(self.fields)}
        for name in self.fields:
            for n, members in enumerate(self.classes[name]):
                yield f"candidate({number[name]},{n})."
                if cost:
                    least = min(cost(name, k) for k in members)
                    yield f"cost({number[name]},{n},{least})."
        parts: dict[Choice | Options, int] = {}
        for c, options in enumerate(self.claims):
            yield f"weight({c},{self.problem.claims[options]})."
            yield from self._part(options, parts, number)
            yield f"claim({c},{parts[options]})."

    def _part(
        self,
        part: Choice | Options,
        parts: dict[Choice | Options, int],
        number: Mapping[Field, int],
    ) -> Iterator[str]:
        """The facts on a choice of values, or on options, that are not told yet."""
        if part in parts:
            return
        parts[part] = own = len(parts)
        if isinstance(part, tuple):
            name, numbers = part
            for n, members in enumerate(self.classes[name]):
                if members[0] in numbers:
                    yield f"among({own},{number[name]},{n})."
            return
        for place, option in enumerate(sorted(part, key=_order)):
            yield f"option({own},{place})."
            for each in sorted(option, key=_order):
                yield from self._part(each, parts, number)
                yield f"part({own},{place},{parts[each]})."


def _cheapest(members: Sequence[int], name: Field, cost: Cost | None) -> list[int]:
    """The values of a class that cost least."""
    if cost is None:
        return [*members]
    least = min(cost(name, k) for k in members)
    return [k for k in members if cost(name, k) == least]


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


def _rarity(name: Field) -> float:
    return _RARE.get((name[0].partition(".")[0], name[1]), 0.0)


def met(claims: Iterable[Options], chosen: Mapping[Field, int]) -> bool:
    """Whether a choice of values meets claims."""

    def holds(part: Choice | Options) -> bool:
        if isinstance(part, tuple):
            return chosen.get(part[0]) in part[1]
        return any(all(map(holds, option)) for option in part)

    return all(map(holds, claims))


@lru_cache(maxsize=1 << 16)
def choices_of(options: Options) -> frozenset[Choice]:
    """All choices of values in options."""
    found: set[Choice] = set()
    for part in (part for option in options for part in option):
        found |= {part} if isinstance(part, tuple) else choices_of(part)
    return frozenset(found)


@lru_cache(maxsize=1 << 16)
def _order(part: Any) -> tuple[Any, ...]:
    """A key that sorts parts and options, in the same order on every machine."""
    if isinstance(part, tuple):
        return 0, part[0], sorted(part[1])
    return 1, len(part), sorted(map(_order, part))


def _held(signature: Signature) -> int:
    """How many items the player held, where that may have mattered."""
    return sum(getattr(signature, "held", ()))
