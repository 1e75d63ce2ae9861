"""Checks a theory against trajectories: support and contradiction of each rule.

One transition refutes a deterministic rule. A probability is refuted at a stated level; the absence
of a possible outcome refutes nothing. The check first accounts for hunger, thirst, recovery and all
possible effects of creatures and arrows.

The rules of a whole theory are judged one signature at a time, each given all others; those of a
theory that leaves fields open by all theories that complete them (theory/joint.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Any

from mars_logic.data.trajectory import Trajectory
from mars_logic.errors import InputError
from mars_logic.system.display import html_table, number
from mars_logic.theory import behaviour_claims as behaviour_claims  # registers its claims
from mars_logic.theory import cell_claims as cell_claims  # likewise
from mars_logic.theory import (
    movement_model,
    rate_tests,
    shot_claims,  # likewise
)
from mars_logic.theory import own_claims as own_claims  # likewise
from mars_logic.theory.claims import Field, Values, values_of
from mars_logic.theory.evidence import Evidence, Occurrence
from mars_logic.theory.evidence.equivalence import condensed
from mars_logic.theory.joint import (
    JointFinding,
    JointModel,
    JointObservation,
    asserted,
    is_whole,
)
from mars_logic.theory.phrasing import told, told_motions
from mars_logic.theory.signature_claims import signature_claims
from mars_logic.theory.stated_rates import stated_rates
from mars_logic.theory.verdict import Verdict
from mars_logic.world.rules import Rule
from mars_logic.world.theory import Theory
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words import tell
from mars_logic.world.words.nouns import CRAFTER

_SHOWN = 3
"""Observations against a rule that a printed report shows."""


@dataclass(frozen=True, repr=False)
class Conflict:
    """An observation that a theory excludes.

    Attributes:
        fields: Fields of which at least one is wrong, whatever the other fields are.
        did: What the player did, in words.
        saw: The observation, in words.
        where: The first such transition; None for a probability.
        count: Number of such transitions.
        together: The further observations, if only all of them together are excluded.
    """

    fields: tuple[Field, ...]
    did: str
    saw: str
    where: Occurrence | None
    count: int
    together: tuple[JointObservation, ...] = ()

    def __repr__(self) -> str:
        place = f" at {self.where}" if self.where else ""
        return f"<Conflict about {', '.join(self.rules)}{place}: {self.count} times>"

    def __str__(self) -> str:
        return f"{self.did}: {self.saw}"

    @property
    def observations(self) -> tuple[JointObservation, ...]:
        """Everything that was seen and is excluded, together."""
        return JointObservation(self.did, self.saw, self.where, self.count), *self.together

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the rules that the fields belong to."""
        return tuple(dict.fromkeys(rule for rule, _ in self.fields))


@dataclass
class FieldFinding:
    """The result of the check for one field of a rule.

    Attributes:
        consistent: How many transitions are as it says, and would not be with some other value.
        conflicts: What speaks against it, alone or together with others.
    """

    consistent: int = 0
    conflicts: list[Conflict] = field(default_factory=list)


@dataclass(frozen=True, repr=False)
class Finding:
    """The result of the check for one rule.

    Attributes:
        rule: The rule.
        fields: What was found about each of its fields.
        conflicts: What speaks against it, alone or together with other rules.
        judged: What it states, judged jointly; None in a whole theory.
        words: The vocabulary of the theory.
    """

    rule: Rule
    fields: dict[str, FieldFinding]
    conflicts: tuple[Conflict, ...]
    judged: JointFinding | None = None
    words: Vocabulary = CRAFTER

    def __repr__(self) -> str:
        return f"<Finding {self.id}: {self.verdict}, consistent {number(self.consistent, 'time')}>"

    def __str__(self) -> str:
        return f"{self.id}: {self.verdict}: {self.text}"

    @property
    def id(self) -> str:
        """The rule's id."""
        return self.rule.id

    @property
    def text(self) -> str:
        """The rule in words."""
        return tell(self.rule, self.words)

    @property
    def consistent(self) -> int:
        """How many transitions speak for the one of its fields that most speak for."""
        return max((found.consistent for found in self.fields.values()), default=0)

    @property
    def verdict(self) -> Verdict:
        """The rule as a whole."""
        if any(conflict.rules == (self.id,) for conflict in self.conflicts):
            return "contradicted"
        if self.conflicts:
            return "undecided"
        if self.judged:
            return self.judged.verdict
        return "supported" if self.consistent else "untested"

    def verdict_on(self, name: str) -> Verdict:
        """One of its fields."""
        if self.judged and (self.id, name) in self.judged.fields:
            return self.judged.fields[self.id, name].verdict
        found = self.fields[name]
        if any(conflict.rules == (self.id,) for conflict in found.conflicts):
            return "contradicted"
        if found.conflicts:
            return "undecided"
        return "supported" if found.consistent else "untested"


@dataclass(frozen=True)
class CheckReport:
    """A theory judged by trajectories.

    Attributes:
        rules: What was found about each rule, in the order of rules.
        conflicts: Everything seen that the theory excludes.
        transitions: How many transitions were read.
        signatures: How many distinct things they show.
        tally: How many things were seen that speak for these fields and against those.
    """

    rules: tuple[Finding, ...]
    conflicts: tuple[Conflict, ...]
    transitions: int
    signatures: int
    tally: Mapping[tuple[frozenset[Field], frozenset[Field]], int]

    def count(self, fields: Set[Field]) -> tuple[int, int]:
        """How many things were seen that speak for or against fields; and how many against."""
        about = against = 0
        for (supported, refuted), times in self.tally.items():
            about += times if fields & supported or fields & refuted else 0
            against += times if fields & refuted else 0
        return about, against

    @property
    def contradicted(self) -> bool:
        """Whether anything in the theory is surely wrong."""
        return bool(self.conflicts)

    def __getitem__(self, rule_id: str) -> Finding:
        """The finding on a rule.

        Raises:
            KeyError: There is no such rule.
        """
        for finding in self.rules:
            if finding.id == rule_id:
                return finding
        raise KeyError(rule_id)

    def __repr__(self) -> str:
        return f"<CheckReport: {self._counts()}; {self.transitions} transitions>"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        rows = (
            (finding.id, finding.verdict, str(finding.consistent), finding.text)
            for finding in self.rules
        )
        return html_table(rows, ("rule", "verdict", "consistent", "in words"), self._counts())

    def lines(self) -> Iterator[str]:
        """The counts of verdicts, and the rules that observations speak against, in words."""
        yield f"{self.transitions} transitions, {self.signatures} distinct; rules: {self._counts()}"
        for finding in self.rules:
            if finding.conflicts:
                yield f"{finding.id}: {finding.verdict}: {finding.text}"
                for conflict in finding.conflicts[:_SHOWN]:
                    yield f"  but {conflict.did}: {conflict.saw}"

    def _counts(self) -> str:
        counts = Counter(finding.verdict for finding in self.rules)
        return ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))


def check(
    theory: Theory,
    trajectories: Iterable[Trajectory] | Evidence,
    level: float = rate_tests.LEVEL,
    *,
    jointly: bool = True,
) -> CheckReport:
    """Check every rule of a theory against the evidence.

    Args:
        theory: The rules to test; what it leaves open is not judged, nor are names that the
            trajectories add to its own.
        trajectories: Recorded episodes of one dialect, or the evidence already taken from them.
        level: A true probability is given up with at most this probability.
        jointly: Whether the rules of a theory that leaves fields open are judged by all
            completions; if not, only what one signature excludes is found of them.

    Raises:
        InputError: There is no trajectory, or the dialects differ.
        LimitReachedError: A search was given up.
    """
    evidence = trajectories if isinstance(trajectories, Evidence) else Evidence.of(trajectories)
    if evidence.dynamics != theory.dynamics:
        raise InputError(
            f"{theory.path or theory.name}:1: dynamics: the theory's are {theory.dynamics}, those "
            f"of the trajectories {evidence.dynamics}; allowed: {evidence.dynamics}"
        )
    _require_same_behaviours(theory, evidence)
    theory = theory.adding(evidence.adds)
    findings: dict[Field, FieldFinding] = {
        (rule.id, name): FieldFinding() for rule in theory.rules() for name in rule.field_names()
    }
    groups = condensed(evidence, theory)
    tally: Counter[tuple[frozenset[Field], frozenset[Field]]] = Counter()
    conflicts = [*_by_claims(groups, values_of(theory), tally)]
    for (supported, _), count in tally.items():
        for name in supported:
            findings[name].consistent += count
    conflicts += _by_rates(groups, theory, findings, level)
    conflicts += _by_gait(groups, values_of(theory), findings, level)
    judged: dict[str, JointFinding] = {}
    if jointly and not is_whole(theory):
        assertions = {rule.id: asserted(rule) for rule in theory.rules()}
        assertions = {rule: assertion for rule, assertion in assertions.items() if assertion}
        model = JointModel(evidence, assertions.values(), level, adds=theory.adds)
        judged = {rule: model.judge(assertion) for rule, assertion in assertions.items()}
        known = {rule for conflict in conflicts for rule in conflict.rules}
        conflicts += (
            conflict_of(found)
            for rule, found in judged.items()
            if found.excluded_by and rule not in known
        )
        possible = [assertions[rule] for rule, found in judged.items() if not found.excluded]
        conflicts += map(conflict_of, model.clashes(possible))
    for conflict in conflicts:
        for name in conflict.fields:
            findings[name].conflicts.append(conflict)
    rules = tuple(
        _finding(rule, findings, conflicts, judged.get(rule.id), theory.vocabulary)
        for rule in theory.rules()
    )
    return CheckReport(rules, tuple(conflicts), evidence.transitions, len(evidence.rows), tally)


def _require_same_behaviours(theory: Theory, evidence: Evidence) -> None:
    """Refuse creatures that act by cases in the theory alone: their flags tell nothing then.

    Raises:
        InputError: There is one.
    """
    acting = evidence.words.subjects.get("behaviour", ())
    known = (*evidence.words.subjects["creature"],)
    for being in theory.adds.behaving:
        if being in known and being not in acting:
            raise InputError(
                f"{theory.path or theory.name}:1: behaviour.{being}: in the world of the "
                f"trajectories this creature acts by its flags; allowed: theories without this rule"
            )


def conflict_of(judged: JointFinding) -> Conflict:
    """The observations that exclude an assertion, as a conflict of the fields that are to blame."""
    first, *others = judged.excluded_by
    return Conflict(judged.blamed, first.did, first.saw, first.where, first.count, tuple(others))


def _finding(
    rule: Rule,
    findings: dict[Field, FieldFinding],
    conflicts: list[Conflict],
    judged: JointFinding | None,
    words: Vocabulary,
) -> Finding:
    own = tuple(conflict for conflict in conflicts if rule.id in conflict.rules)
    fields = {name: findings[rule.id, name] for name in rule.field_names()}
    return Finding(rule, fields, own, judged, words)


def _by_claims(
    evidence: Evidence,
    values: Values,
    tally: Counter[tuple[frozenset[Field], frozenset[Field]]],
) -> Iterator[Conflict]:
    """Judge by each signature, and count; similar conflicts are put together."""
    trodden = shot_claims.trodden(evidence, values)
    found: dict[tuple[Any, ...], Conflict] = {}
    for signature, seen in evidence.signatures.items():
        supported: set[Field] = set()
        refuted: set[Field] = set()
        for claim in signature_claims(signature, evidence.dynamics):
            judged = claim.judge(values)
            if judged.holds:
                supported.update(judged.fields)
            elif judged.holds is False:
                blamed = tuple(n for n in judged.fields if n not in trodden) or judged.fields
                refuted.update(blamed)
                did, saw = told(signature)
                known = found.get((blamed, type(signature)))
                count = seen.count + (known.count if known else 0)
                first = known or Conflict(blamed, did, saw, seen.first, count)
                found[blamed, type(signature)] = Conflict(
                    first.fields, first.did, first.saw, first.where, count
                )
        if supported or refuted:
            tally[frozenset(supported), frozenset(refuted)] += seen.count
    yield from found.values()


def _by_rates(
    evidence: Evidence, theory: Theory, findings: dict[Field, FieldFinding], level: float
) -> Iterator[Conflict]:
    """Judge the probabilities that rules state."""
    for stated in stated_rates(evidence, theory):
        rate = stated.rate
        if rate.refuted(level):
            saw = f"it came {rate.times} times out of {rate.of}"
            yield Conflict(stated.blamed, stated.did, saw, None, rate.of)
        elif rate.of:
            findings[stated.about].consistent += rate.of


def _by_gait(
    evidence: Evidence, values: Values, findings: dict[Field, FieldFinding], level: float
) -> Iterator[Conflict]:
    """Judge how creatures go, where the theory is certain of it."""
    for being, seen in movement_model.motions(evidence).items():
        fields = movement_model.fields_of(being)
        possible = [values(name) for name in fields]
        if any(len(found) != 1 for found in possible):
            continue
        believed = movement_model.gait_of(*(found[0] for found in possible))
        refuted = movement_model.refuted(seen, evidence.dynamics, level)
        went, of = movement_model.counts(seen)
        if believed in refuted:
            yield Conflict(fields, *told_motions(being, went, of), None, of)
        elif len(refuted) == len(movement_model.GAITS) - 1:
            for name in _decisive(believed, fields):
                findings[name].consistent += of


def _decisive(believed: movement_model.Gait, fields: tuple[Field, ...]) -> tuple[Field, ...]:
    """The fields that matter for a way of going: none of lower rank than the one that is true."""
    by_name = {name: (rule, name) for rule, name in fields}
    ranked = tuple(by_name[name] for name in ("shoots", "approaches", "walks"))
    rank = movement_model.GAITS.index(believed)
    return ranked[: rank + 1]
