"""Revises a theory: the smallest change of its fields that explains everything seen.

The size of a change is its description length: which fields differ, and what their values are now.
A value that worlds usually have (``world.domains``) is told by its number among those; any other
has to be spelt out. What a change costs for itself says how strongly the prior is held.

Signatures make claims; over candidate values a claim is a list of options; clingo chooses values
(encodings/revise.lp). What the evidence leaves open stays as it was believed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

import networkx as nx

from mars_logic.data.trajectory import Trajectory
from mars_logic.logic.solve import CONFLICTS, Session
from mars_logic.theory import chances, gait
from mars_logic.theory.bearing import bearing_on, claims_of, reads
from mars_logic.theory.candidates import believed, candidates
from mars_logic.theory.check import Conflict, check
from mars_logic.theory.claims import Claim, Field, Option
from mars_logic.theory.evidence import Evidence
from mars_logic.world import names
from mars_logic.world.domains import domain
from mars_logic.world.rules import Rule
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import UNKNOWN, Alternatives, is_uncertain

Part = tuple[Field, int]
"""A field and the number of its candidate value."""
Options = frozenset[frozenset[Part]]
"""What meets a claim: all parts of one of these."""
_BIT: Final = 64
"""Costs are in parts of a bit; what remains below that tells equally long descriptions apart."""
CHANGE: Final = 8.0
"""Bits that say that a field differs from what was believed, and which: the prior's strength."""
SPELT_OUT: Final = 10.0
"""Bits that tell a value which is none of the usual ones."""
_RARE: Final = {("collect", "collectable"): 10.0, ("rename", "material"): 10.0}
"""Bits more for a field that worlds rarely vary."""


@dataclass(frozen=True)
class Change:
    """A rule that had to change.

    Attributes:
        before: As it was believed.
        after: As it is believed now.
        because: What was seen that the former does not explain, given all else that changed.
    """

    before: Rule
    after: Rule
    because: tuple[Conflict, ...]

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


@dataclass(frozen=True)
class Revision:
    """A theory before and after.

    Attributes:
        belief: What was believed, under the dialect of the trajectories.
        theory: What is believed now.
        changes: The rules that changed, in the order of rules.
        unexplained: What no choice of candidate values explains.
        transitions: How many transitions were read.
        signatures: How many distinct things they show.
    """

    belief: Theory
    theory: Theory
    changes: tuple[Change, ...]
    unexplained: tuple[Conflict, ...]
    transitions: int
    signatures: int


def revise(
    belief: Theory,
    trajectories: Iterable[Trajectory] | Evidence,
    *,
    name: str | None = None,
    about: Iterable[Field] | None = None,
    level: float = chances.LEVEL,
    conflicts: int = CONFLICTS,
) -> Revision:
    """The smallest change of a belief that explains what was seen.

    Args:
        belief: What is believed; its rules are read under the dialect of the trajectories.
        trajectories: Recorded episodes of one dialect, or the evidence already taken from them.
        name: What the revised theory is called.
        about: Fields to look at, and with them whatever their revision may hang on; None for all.
        level: A true probability is given up with at most this probability.
        conflicts: The limit of the search, in conflicts, and so the same on every machine.

    Raises:
        InputError: There is no trajectory, or their dialects differ.
        LimitReachedError: The search was given up.
    """
    evidence = trajectories if isinstance(trajectories, Evidence) else Evidence.of(trajectories)
    if belief.dynamics != evidence.dynamics:
        belief = replace(belief, dynamics=evidence.dynamics)
    transitions, signatures = evidence.transitions, len(evidence.rows)
    if about is not None:
        evidence = bearing_on(evidence, about)
    problem = Problem(belief, evidence, level)
    theory = _with(belief, problem.solve(conflicts), name or f"{belief.name}, revised")
    changes = tuple(_changes(belief, theory, evidence, level))
    unexplained = check(theory, evidence, level).conflicts
    return Revision(belief, theory, changes, unexplained, transitions, signatures)


@dataclass
class Problem:
    """What to choose from, and what to meet."""

    belief: Theory
    evidence: Evidence
    level: float = chances.LEVEL
    _claims: dict[Options, int] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        """Tabulate every claim over the candidate values."""
        values = _Lazy(self)
        for signature, seen in self.evidence.signatures.items():
            for claim in claims_of(signature, self.evidence.dynamics):
                self._add(claim.options(values), seen.count, claim)
        for options, count in (*self._rates(), *self._gaits()):
            self._note(options, count)

    @cached_property
    def values(self) -> dict[Field, list[Any]]:
        """The candidate values of every field that matters, those believed first."""
        read = {
            name
            for signature in self.evidence.signatures
            for name in reads(signature, self.evidence.dynamics)
        }
        every = [(rule.id, name) for rule in self.belief.rules() for name in rule.field_names()]
        return candidates(self.belief, self.evidence, [name for name in every if name in read])

    @cached_property
    def _numbers(self) -> dict[Field, dict[Any, int]]:
        return {name: {v: k for k, v in enumerate(values)} for name, values in self.values.items()}

    def _add(self, options: Iterable[Option], count: int, claim: Claim) -> None:
        numbers = self._numbers
        found = frozenset(
            frozenset((name, numbers[name][value]) for name, value in option) for option in options
        )
        if len(claim.reads) == 1 and len(found) == len(self.values[claim.reads[0]]):
            return  # any value meets it
        self._note(found, count)

    def _note(self, options: Options, count: int) -> None:
        if frozenset() not in options:
            self._claims[options] = self._claims.get(options, 0) + count

    def _rates(self) -> Iterator[tuple[Options, int]]:
        """For each material, which probabilities go with which gates."""
        for material in names.COLLECTABLE:
            tries = chances.attempts(self.evidence, material)
            if tries:
                rule, count = f"collect.{material}", sum(seen.count for _, seen in tries)
                for name in ("yields", "spawns"):
                    yield frozenset(self._likely(rule, name, tries)), count

    def _gaits(self) -> Iterator[tuple[Options, int]]:
        """For each creature, the ways of going that were not refuted."""
        for being, seen in gait.motions(self.evidence).items():
            fields = gait.fields_of(being)
            numbers = [self._numbers[name] for name in fields]
            yield (
                frozenset(
                    frozenset((f, n[v]) for f, n, v in zip(fields, numbers, values, strict=True))
                    for values in gait.allowed(seen, self.level)
                    if all(v in n for n, v in zip(numbers, values, strict=True))
                ),
                sum(seen.values()),
            )

    def _likely(self, rule: str, name: str, tries: chances.Attempts) -> Iterator[frozenset[Part]]:
        open_, needed, given = (rule, "collectable"), (rule, "requires"), (rule, name)
        if False in self.values[open_]:
            yield frozenset({(open_, self._numbers[open_][False])})
        rejected: dict[frozenset[int], set[int]] = {}
        for k, requires in enumerate(self.values[needed]):
            successes = chances.collected(tries, True, requires)
            key = frozenset(map(id, (seen for _, seen in successes)))
            if key not in rejected:
                rejected[key] = {
                    number
                    for number, value in enumerate(self.values[given])
                    if chances.refuted(self._stated(name, successes, value), self.level)
                }
            for number in range(len(self.values[given])):
                if number not in rejected[key]:
                    yield frozenset({(needed, k), (given, number)})

    def _stated(self, name: str, successes: chances.Attempts, value: Any) -> list[chances.Rate]:
        if name == "yields":
            return [*chances.yield_rates(successes, value, self.evidence.dynamics)]
        return [*chances.spawn_rates(successes, value)]

    def solve(self, conflicts: int) -> dict[Field, Any]:
        """The values that changed, and what is now known of fields that were uncertain."""
        chosen: dict[Field, int] = {}
        for part in self._parts():
            chosen |= self._chosen(part, conflicts)
        changed = {
            name: self.values[name][k]
            for name, k in chosen.items()
            if self.values[name][k] not in believed(self.belief, name)
        }
        return dict(self._settled(chosen)) | changed

    def _parts(self) -> list[list[Options]]:
        """The claims, in parts that have no field in common and so can be met one by one."""
        graph: nx.Graph[Any] = nx.Graph()
        for options in self._claims:
            names_read = {name for option in options for name, _ in option}
            graph.add_edges_from((options, name) for name in names_read)
        place = {options: n for n, options in enumerate(self._claims)}
        parts = [
            sorted((o for o in c if o in place), key=place.__getitem__)
            for c in nx.connected_components(graph)
        ]
        return sorted(parts, key=lambda part: place[part[0]])

    def _chosen(self, part: Sequence[Options], conflicts: int) -> dict[Field, int]:
        """The number of the value chosen for each field that a part of the claims reads."""
        order = sorted(
            {name for options in part for option in options for name, _ in option},
            key=list(self.values).index,
        )
        first = dict.fromkeys(order, 0)
        if _met(part, first):
            return first
        session = Session(("revise.lp",), "\n".join(self._facts(part, order)), conflicts)
        model = session.solve(("value",), ())
        assert model is not None, "a choice of values always exists"
        return {order[int(number)]: int(k) for number, k in model["value"]}

    def _facts(self, part: Sequence[Options], order: Sequence[Field]) -> Iterator[str]:
        number = {name: n for n, name in enumerate(order)}
        for name in order:
            for k in range(len(self.values[name])):
                yield f"candidate({number[name]},{k})."
                yield f"cost({number[name]},{k},{self._cost(name, k)})."
        numbered: dict[frozenset[Part], int] = {}
        for c, options in enumerate(part):
            yield f"weight({c},{self._claims[options]})."
            for option in sorted(options, key=lambda each: sorted((number[f], k) for f, k in each)):
                if option not in numbered:
                    numbered[option] = len(numbered)
                    for name, k in sorted(option, key=lambda part: (number[part[0]], part[1])):
                        yield f"part({numbered[option]},{number[name]},{k})."
                yield f"option({c},{numbered[option]})."

    def _cost(self, name: Field, k: int) -> int:
        """The description length of a value, in parts of a bit; values preferred cost the least."""
        if k < len(believed(self.belief, name)):
            return k
        usual = domain(*name)
        bits = CHANGE + math.log2(len(usual)) + _RARE.get((name[0].partition(".")[0], name[1]), 0)
        if self.values[name][k] not in usual:
            bits += SPELT_OUT
        return round(_BIT * bits) + min(k, _BIT - 1)

    def _settled(self, chosen: Mapping[Field, int]) -> Iterator[tuple[Field, Any]]:
        """Of each uncertain field, the values that go with all others as they were chosen."""
        for name in chosen:
            value = getattr(self.belief[name[0]], name[1])
            if is_uncertain(value):
                about = [o for o in self._claims if any(name in dict(option) for option in o)]
                known = range(len(believed(self.belief, name)))
                left = [k for k in known if _met(about, {**chosen, name: k})]
                if 0 < len(left) < len(known):
                    yield name, self._narrowed(name, value, left)

    def _narrowed(self, name: Field, value: Any, left: Sequence[int]) -> Any:
        weights = [1.0] * len(left)
        if isinstance(value, Alternatives):
            weights = [value.options[k][1] for k in left]
        values = [self.values[name][k] for k in left]
        if len(values) == 1:
            return values[0]
        return Alternatives.of(zip(values, weights, strict=True))


class _Lazy(Mapping[Field, Sequence[Any]]):
    """The candidate values of a problem, as claims take them."""

    def __init__(self, problem: Problem) -> None:
        self._values = problem.values

    def __getitem__(self, name: Field) -> Sequence[Any]:
        return self._values[name]

    def __iter__(self) -> Iterator[Field]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def _met(claims: Iterable[Options], chosen: Mapping[Field, int]) -> bool:
    """Whether a choice of values meets claims."""
    return all(
        any(all(chosen.get(name) == k for name, k in option) for option in options)
        for options in claims
    )


def _with(belief: Theory, values: Mapping[Field, Any], name: str) -> Theory:
    """The belief with some fields changed."""
    rules: dict[str, dict[str, Any]] = {}
    for (rule, field_name), value in values.items():
        rules.setdefault(rule, {})[field_name] = value
    changed = [
        type(belief[rule]).model_validate(belief[rule].model_dump() | fields)
        for rule, fields in rules.items()
    ]
    open_ = any(rule.uncertain_fields for rule in changed)
    return (Theory.from_world(belief) if open_ else belief).with_rules(*changed, name=name)


def _changes(belief: Theory, theory: Theory, evidence: Evidence, level: float) -> Iterator[Change]:
    """Each changed rule, with what its former fields do not explain once all else has changed."""
    for before, after in zip(belief.rules(), theory.rules(), strict=True):
        if before == after:
            continue
        because: dict[Conflict, None] = {}
        for name in before.field_names():
            if getattr(before, name) == getattr(after, name):
                continue
            former = _with(theory, {(before.id, name): getattr(before, name)}, theory.name)
            if getattr(before, name) is UNKNOWN:
                continue
            for conflict in check(former, evidence, level).conflicts:
                if (before.id, name) in conflict.fields:
                    because[conflict] = None
        yield Change(before, after, tuple(because))
