"""Tests hypothesised rules, in whatever form they are stated, against recorded play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from mars_logic.data.trajectory import Trajectory
from mars_logic.errors import InputError
from mars_logic.logic.sandbox import MEGABYTES, SECONDS
from mars_logic.logic.solve import LimitReachedError
from mars_logic.theory.check import (
    CheckReport,
    Conflict,
    Finding,
    check,
    conflict_of,
)
from mars_logic.theory.claims import Field
from mars_logic.theory.evidence import Evidence, Occurrence
from mars_logic.theory.joint import (
    UNUSUAL_FAMILIES,
    FieldStanding,
    JointModel,
    asserted,
    is_whole,
)
from mars_logic.theory.rulesets.artefact import adds_data
from mars_logic.theory.rulesets.constraints import Judged, RuleProgram, run
from mars_logic.theory.rulesets.context import changes, moment
from mars_logic.theory.rulesets.discriminating_test import would_decide, would_tell_apart
from mars_logic.theory.rulesets.documents import RuleSource, unreadables_of
from mars_logic.theory.rulesets.rule_data import said_value, states_of, told, whole_facts
from mars_logic.theory.rulesets.rule_report import (
    Counterexample,
    Form,
    RuleFinding,
    Rules,
    StatedField,
    Unreadable,
)
from mars_logic.theory.rulesets.stated import Stated, Statement
from mars_logic.theory.rulesets.statement_theories import theories_of
from mars_logic.theory.value_phrasing import worded
from mars_logic.theory.verdict import Verdict
from mars_logic.world.field_values import domain
from mars_logic.world.rules import Rule
from mars_logic.world.theory import Theory
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words import Fact
from mars_logic.world.words.kinds import spaced

_EXAMPLES: Final = 3
"""How many counterexamples of a program's rule are kept."""


def check_rules(
    rules: Iterable[RuleSource],
    trajectories: Sequence[Trajectory],
    *,
    megabytes: int = MEGABYTES,
    seconds: float = SECONDS,
) -> Rules:
    """Test rules against trajectories.

    Args:
        rules: As :func:`mars_logic.theory.rulesets.read_rules` gives them.
        trajectories: Recorded episodes of one dialect.
        megabytes: How much memory each program may take.
        seconds: How much time each program may take.

    Raises:
        InputError: There is no trajectory, or their dialects differ. Rules that are alone are
            wrong, or of another dialect; among others they are told as unreadable.
        LimitReachedError: A search was given up, on rules that are alone.
    """
    tester = _Tester(trajectories, megabytes, seconds)
    given = list(rules)
    found: list[RuleFinding] = []
    unreadable: list[Unreadable] = []
    for each in given:
        if isinstance(each, Unreadable):
            unreadable.append(each)
            continue
        try:
            found += tester.test(each)
        except (InputError, LimitReachedError) as error:
            if len(given) == 1:
                raise
            unreadable += unreadables_of(error, _file_of(each))
    evidence = tester.evidence
    return Rules(
        dynamics=evidence.dynamics,
        adds=adds_data(evidence.adds),
        transitions=evidence.transitions,
        signatures=len(evidence.signatures),
        rules=tuple(found),
        unreadable=tuple(unreadable),
    )


def _standings(
    finding: Finding, stated: Iterable[str], decided: Mapping[Field, FieldStanding]
) -> dict[Field, FieldStanding]:
    """How the stated fields of a rule stand in a whole theory.

    Of rules of kinds that Crafter lacks, and added creatures, single signatures tell that alone.
    """
    rule = finding.rule
    added = [each.name for each in finding.words.added_creatures]
    found = {(rule.id, n): decided.get((rule.id, n), FieldStanding()) for n in stated}
    if rule.family in UNUSUAL_FAMILIES or (rule.family == "creature" and rule.subject in added):
        for name in stated:
            seen = finding.fields[name].consistent
            if seen and not found[rule.id, name].told:
                found[rule.id, name] = FieldStanding(told=True, support=seen)
    return found


def _file_of(hypothesis: Stated | RuleProgram | tuple[Statement, ...]) -> str:
    if isinstance(hypothesis, RuleProgram):
        return hypothesis.name
    if isinstance(hypothesis, Stated):
        return hypothesis.source
    return hypothesis[0].source.rpartition(":")[0]


class _Tester:
    """Holds the record, and what was read off it."""

    def __init__(self, trajectories: Sequence[Trajectory], megabytes: int, seconds: float) -> None:
        self._trajectories = _told_apart(trajectories)
        self.evidence = Evidence.of(self._trajectories)
        self._limits = {"megabytes": megabytes, "seconds": seconds}
        self._by_source = {each.source: each for each in self._trajectories}

    def test(
        self, hypothesis: Stated | RuleProgram | tuple[Statement, ...]
    ) -> Iterator[RuleFinding]:
        """Test rules of one form."""
        if isinstance(hypothesis, RuleProgram):
            judged = run(hypothesis, self._trajectories, **self._limits)  # type: ignore[arg-type]
            yield from (self._of_constraint(each, hypothesis) for each in judged)
        elif isinstance(hypothesis, Stated):
            yield from self._of_theory(hypothesis)
        else:
            yield from self._of_statements(hypothesis)

    def _of_theory(self, stated: Stated) -> Iterator[RuleFinding]:
        theory = stated.theory.adding(self.evidence.adds)
        report = check(theory, self.evidence)
        decided = self._decided(theory)
        for rule in theory.rules():
            if said := whole_facts(rule):
                finding = report[rule.id]
                text = told(rule, theory.vocabulary)
                yield self._of_finding(
                    finding, report, said, text, stated.source, decided, form="theory"
                )

    def _decided(self, theory: Theory) -> Mapping[Field, FieldStanding]:
        """How the fields of a whole theory stand, each by itself; none of any other theory."""
        if not is_whole(theory):
            return {}
        assertions = [asserted(rule) for rule in theory.rules()]
        model = JointModel(self.evidence, assertions, adds=theory.adds)
        fields = ((name, values) for each in assertions for name, values in each.items())
        return {name: model.standing(name, values) for name, values in fields}

    def _of_statements(self, statements: tuple[Statement, ...]) -> Iterator[RuleFinding]:
        """Sentences that agree make up a theory; each is judged by what it says itself.

        Where they are no whole theory, each is judged alone, with all that it does not say left
        open, and then together with all others.
        """
        found: dict[int, Finding] = {}
        theories: dict[int, tuple[CheckReport, Mapping[Field, FieldStanding]]] = {}
        alone: list[Statement] = []
        blank = Theory.unknown(self.evidence.dynamics, self.evidence.adds)
        for theory, members in theories_of(statements, blank):
            report = check(theory, self.evidence, jointly=False)
            theories |= dict.fromkeys(map(id, members), (report, self._decided(theory)))
            by_itself = is_whole(theory)
            for each in members:
                if by_itself or each.rule.family in UNUSUAL_FAMILIES:
                    found[id(each)] = report[each.rule.id]
                else:
                    alone.append(each)
        found |= self._alone(alone, [theories[id(each)][0] for each in alone])
        for each in statements:
            report, decided = theories[id(each)]
            said = {fact.field: fact for fact in each.facts}
            yield self._of_finding(found[id(each)], report, said, each.text, each.source, decided)

    def _alone(
        self, statements: Sequence[Statement], theories: Sequence[CheckReport]
    ) -> dict[int, Finding]:
        """What is found about sentences of which each leaves open what it does not say.

        Args:
            statements: The sentences.
            theories: For each sentence, the report of the theory that it is part of.
        """
        if not statements:
            return {}
        stated = [asserted(each.rule) for each in statements]
        model = JointModel(self.evidence, stated)
        assertions = [
            {
                (fact.rule, fact.field): model.admitted(
                    (fact.rule, fact.field), getattr(each.rule, fact.field), fact.said.admits
                )
                for fact in each.facts
            }
            for each in statements
        ]
        judged = [model.judge(assertion) for assertion in assertions]
        conflicts = [[conflict_of(each)] if each.excluded else [] for each in judged]
        for theory in {id(each): each for each in theories}.values():
            of_it = [n for n, each in enumerate(theories) if each is theory and not conflicts[n]]
            for clash in map(conflict_of, model.clashes([assertions[n] for n in of_it])):
                for n in of_it:
                    if assertions[n].keys() & set(clash.fields):
                        conflicts[n].append(clash)
        return {
            id(each): Finding(each.rule, {}, tuple(conflicts[n]), judged[n], self.evidence.words)
            for n, each in enumerate(statements)
        }

    def _of_finding(
        self,
        finding: Finding,
        report: CheckReport,
        stated: Mapping[str, Fact],
        text: str,
        source: str,
        decided: Mapping[Field, FieldStanding],
        form: Form = "sentence",
    ) -> RuleFinding:
        """What was found about those fields of a rule that are stated.

        Args:
            finding: The rule.
            report: Of the theory that it is part of.
            stated: What is said of each of the fields.
            text: The rule in words.
            source: Where it is stated.
            decided: How fields of a whole theory stand.
            form: How it is stated.
        """
        rule, judged = finding.rule, finding.judged
        own = {(rule.id, name) for name in stated}
        conflicts = [each for each in finding.conflicts if own & set(each.fields)]
        standings = judged.fields if judged else _standings(finding, stated, decided)
        fields = {
            name: StatedField(
                verdict=finding.verdict_on(name), support=standings[rule.id, name].support
            )
            for name in stated
        }
        support = judged.support if judged else max(each.support for each in standings.values())
        left: Mapping[Field, FieldStanding] = {}
        if conflicts:
            alone = any(set(each.fields) <= own for each in conflicts)
            verdict: Verdict = "contradicted" if alone else "undecided"
        elif judged:
            verdict = judged.verdict
        else:
            verdict = _in_whole_theory(standings.values())
            fields = {
                name: StatedField(verdict=standing.verdict, support=standing.support)
                for (_, name), standing in standings.items()
            }
        if verdict == "undecided" and not conflicts:
            left = standings
        about, against = report.count(own)
        contradicted = max(against, judged.against if judged else 0, *map(_least, conflicts), 0)
        applicable = 0 if verdict == "untested" else max(about, contradicted, support)
        return RuleFinding(
            id=rule.id,
            text=text,
            form=form,
            source=source,
            states=states_of(rule, stated),
            verdict=verdict,
            support=support,
            applicable=applicable,
            consistent=applicable - contradicted,
            contradicted=contradicted,
            counterexamples=tuple(self._counterexample(each, rule, stated) for each in conflicts),
            decide=_decide(verdict, rule, conflicts),
            fields=fields,
            left={
                name: others
                for name in stated
                if left
                and (others := _worded(left[rule.id, name].others, rule, name, finding.words))
            },
        )

    def _counterexample(
        self, conflict: Conflict, rule: Rule, stated: Mapping[str, Fact]
    ) -> Counterexample:
        said = [stated[n] for id_, n in conflict.fields if id_ == rule.id and n in stated]
        predicted = "; ".join(f"{spaced(each.field)}: {said_value(each, rule)}" for each in said)
        fields = tuple(f"{rule_id}.{name}" for rule_id, name in conflict.fields)
        first, *others = (
            self._at(each.where, predicted, each.did, each.saw, each.count, fields)
            for each in conflict.observations
        )
        return first.model_copy(update={"together": tuple(others)})

    def _of_constraint(self, judged: Judged, program: RuleProgram) -> RuleFinding:
        constraint = judged.constraint
        contradicted = sum(group.count for group in judged.violations) + judged.everywhere
        if contradicted:
            verdict: Verdict = "contradicted"
        elif judged.applicable is None:
            verdict = "undecided"
        else:
            verdict = "supported" if judged.applicable else "untested"
        consistent = None if judged.applicable is None else judged.applicable - contradicted
        decide = {
            "undecided": "nothing contradicts it, but no applicable(Id, T) says where it applies",
            "untested": "a transition to which it is applicable",
        }
        return RuleFinding(
            id=constraint.id,
            text=constraint.text,
            form="program",
            source=f"{program.name}:{constraint.line}",
            program=program.text,
            verdict=verdict,
            support=consistent,
            applicable=judged.applicable,
            consistent=consistent,
            contradicted=contradicted,
            counterexamples=tuple(
                self._at(group.first, constraint.text, "", "", group.count)
                for group in judged.violations[:_EXAMPLES]
            ),
            decide=decide.get(verdict, ""),
        )

    def _at(
        self,
        where: Occurrence | None,
        predicted: str,
        did: str,
        saw: str,
        count: int,
        fields: tuple[str, ...] = (),
    ) -> Counterexample:
        if where is None:
            return Counterexample(predicted=predicted, did=did, saw=saw, count=count, fields=fields)
        trajectory = self._by_source[where.source]
        began = where.step == 0
        actions = trajectory.about.words.actions
        action = None if began else actions[trajectory.action[where.step - 1]]
        before = moment(trajectory, where.step - 1, action) if action else None
        after = moment(trajectory, where.step)
        if before is not None and not did:
            did, saw = spaced(action or ""), changes(before, after)
        return Counterexample(
            trajectory=where.source,
            step=where.step,
            before=before,
            action=action,
            after=after,
            predicted=predicted,
            did=did,
            saw=saw,
            count=count,
            fields=fields,
        )


def _told_apart(trajectories: Iterable[Trajectory]) -> list[Trajectory]:
    """The trajectories, each once and with a source of its own; those from files have one."""
    found: dict[str, Trajectory] = {}
    distinct = {each.identity: each for each in reversed([*trajectories])}
    for number, each in enumerate(reversed(distinct.values()), 1):
        source = each.source or f"{each.about.world} seed {each.about.seed}"
        source = f"{source} ({number})" if source in found else source
        found[source] = replace(each, source=source)
    return list(found.values())


def _worded(values: Iterable[Any], rule: Rule, name: str, words: Vocabulary) -> tuple[str, ...]:
    """Values of a field in words, those that worlds usually have first, and then short ones."""
    usual = domain(rule.id, name, words)
    told = ((value not in usual, worded(value)) for value in values)
    return tuple(text for _, text in sorted(told, key=lambda each: (each[0], len(each[1]))))


def _in_whole_theory(standings: Iterable[FieldStanding]) -> Verdict:
    """The verdict on a rule that nothing speaks against: supported if any field is decided."""
    standings = [*standings]
    if any(each.certain for each in standings):
        return "supported"
    return "undecided" if any(each.told for each in standings) else "untested"


def _least(conflict: Conflict) -> int:
    """How many transitions are left unexplained at least; 0 where others have counted them."""
    if conflict.where and not conflict.together:
        return 0
    return min(each.count for each in conflict.observations)


def _decide(verdict: Verdict, rule: Rule, conflicts: Iterable[Conflict]) -> str:
    if verdict == "untested":
        return would_decide(rule)
    if verdict == "undecided":
        others = dict.fromkeys(each for c in conflicts for each in c.rules if each != rule.id)
        return would_tell_apart(rule, others) if others else would_decide(rule)
    return ""
