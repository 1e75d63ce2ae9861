"""Tests hypothesised rules, in whatever form they are stated, against recorded play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from mars_logic.data.trajectory import Trajectory
from mars_logic.hypotheses.constraints import Judged, Program, run
from mars_logic.hypotheses.deciding import would_decide, would_tell_apart
from mars_logic.hypotheses.documents import Hypothesis, Stated, Statement, Unreadable
from mars_logic.hypotheses.finding import Counterexample, Findings, RuleFinding
from mars_logic.hypotheses.moments import changes, moment
from mars_logic.logic.child import MEGABYTES, SECONDS
from mars_logic.theory.check import Conflict, Report, Verdict, check
from mars_logic.theory.evidence import Evidence, Where
from mars_logic.world import names
from mars_logic.world.rules import Rule
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import UNKNOWN
from mars_logic.world.words import tell, tell_part
from mars_logic.world.words.doubts import plain
from mars_logic.world.words.kinds import spaced

_EXAMPLES: Final = 3
"""How many counterexamples of a program's rule are kept."""


def check_rules(
    rules: Iterable[Hypothesis],
    trajectories: Sequence[Trajectory],
    *,
    megabytes: int = MEGABYTES,
    seconds: float = SECONDS,
) -> Findings:
    """Test rules against trajectories.

    Args:
        rules: As :func:`mars_logic.hypotheses.read_rules` gives them.
        trajectories: Recorded episodes of one dialect.
        megabytes: How much memory each program may take.
        seconds: How much time each program may take.

    Raises:
        InputError: There is no trajectory, the dialects differ, or a program is wrong.
    """
    tester = _Tester(trajectories, megabytes, seconds)
    given = list(rules)
    unreadable = tuple(each for each in given if isinstance(each, Unreadable))
    readable = (each for each in given if not isinstance(each, Unreadable))
    found = tuple(finding for each in readable for finding in tester.test(each))
    evidence = tester.evidence
    return Findings(found, evidence.transitions, len(evidence.signatures), unreadable)


class _Tester:
    """Holds the record, and what was read off it."""

    def __init__(self, trajectories: Sequence[Trajectory], megabytes: int, seconds: float) -> None:
        self._trajectories = _told_apart(trajectories)
        self.evidence = Evidence.of(self._trajectories)
        self._limits = {"megabytes": megabytes, "seconds": seconds}
        self._by_source = {each.source: each for each in self._trajectories}

    def test(self, hypothesis: Stated | Program | tuple[Statement, ...]) -> Iterator[RuleFinding]:
        """Test rules of one form."""
        if isinstance(hypothesis, Program):
            judged = run(hypothesis, self._trajectories, **self._limits)  # type: ignore[arg-type]
            yield from (self._of_constraint(each, hypothesis.name) for each in judged)
        elif isinstance(hypothesis, Stated):
            theory, source = hypothesis.theory, hypothesis.source
            report = check(theory, self.evidence)
            for rule in theory.rules():
                if stated := _stated(rule):
                    yield self._of_rule(report, rule, _told(rule), source, stated)
        else:
            yield from self._of_statements(hypothesis)

    # --- Rules of worlds ----------------------------------------------------------------------

    def _of_statements(self, statements: tuple[Statement, ...]) -> Iterator[RuleFinding]:
        """Sentences that agree make up a theory; each is judged by what it says itself."""
        reports = []
        for theory, members in _theories(statements, self.evidence.dynamics):
            report = check(theory, self.evidence)
            reports += [(each, report, theory) for each in members]
        order = {id(each): place for place, each in enumerate(statements)}
        for each, report, theory in sorted(reports, key=lambda found: order[id(found[0])]):
            rule = theory[each.rule.id]
            yield self._of_rule(report, rule, each.text, each.source, _stated(each.rule))

    def _of_rule(
        self, report: Report, rule: Rule, text: str, source: str, stated: tuple[str, ...]
    ) -> RuleFinding:
        """What was found about those fields of a rule that are stated."""
        own, finding = {(rule.id, name) for name in stated}, report[rule.id]
        conflicts = [each for each in finding.conflicts if own & set(each.fields)]
        support = max((finding.fields[name].support for name in stated), default=0)
        verdict = _verdict([set(each.fields) <= own for each in conflicts], support)
        about, against = report.count(own)
        by_chance = (each.count for each in conflicts if each.where is None)
        contradicted = max(against, *by_chance, 0)
        applicable = max(about, contradicted)
        return RuleFinding(
            id=rule.id,
            text=text,
            source=source,
            verdict=verdict,
            applicable=applicable,
            consistent=applicable - contradicted,
            contradicted=contradicted,
            counterexamples=tuple(self._counterexample(each, rule, own) for each in conflicts),
            decide=_decide(verdict, rule, conflicts),
            fields={
                name: (finding.verdict_on(name), finding.fields[name].support) for name in stated
            },
        )

    def _counterexample(
        self, conflict: Conflict, rule: Rule, own: set[tuple[str, str]]
    ) -> Counterexample:
        said = [name for field in conflict.fields if field in own for name in field[1:]]
        predicted = "; ".join(
            f"{spaced(name)}: {plain(rule.model_dump(mode='json')[name])}" for name in said
        )
        fields = tuple(f"{rule_id}.{name}" for rule_id, name in conflict.fields)
        return self._at(
            conflict.where, predicted, conflict.did, conflict.saw, conflict.count, fields
        )

    # --- Programs -------------------------------------------------------------------------------

    def _of_constraint(self, judged: Judged, source: str) -> RuleFinding:
        constraint = judged.constraint
        contradicted = sum(group.count for group in judged.violations) + judged.everywhere
        if contradicted:
            verdict: Verdict = "contradicted"
        elif judged.applicable is None:
            verdict = "undecided"
        else:
            verdict = "supported" if judged.applicable else "untested"
        decide = {
            "undecided": "nothing contradicts it, but no applicable(Id, T) says where it applies",
            "untested": "a transition to which it is applicable",
        }
        return RuleFinding(
            id=constraint.id,
            text=constraint.text,
            source=f"{source}:{constraint.line}",
            verdict=verdict,
            applicable=judged.applicable,
            consistent=None if judged.applicable is None else judged.applicable - contradicted,
            contradicted=contradicted,
            counterexamples=tuple(
                self._at(group.first, constraint.text, "", "", group.count)
                for group in judged.violations[:_EXAMPLES]
            ),
            decide=decide.get(verdict, ""),
        )

    def _at(
        self,
        where: Where | None,
        predicted: str,
        did: str,
        saw: str,
        count: int,
        fields: tuple[str, ...] = (),
    ) -> Counterexample:
        """A counterexample with what was seen around it."""
        if where is None:
            return Counterexample(predicted, did, saw, count, fields=fields)
        trajectory = self._by_source[where.source]
        began = where.step == 0
        action = None if began else names.ACTIONS[trajectory.action[where.step - 1]]
        before = moment(trajectory, where.step - 1, action) if action else None
        after = moment(trajectory, where.step)
        if before is not None and not did:
            did, saw = spaced(action or ""), changes(before, after)
        return Counterexample(
            predicted, did, saw, count, where.source, where.step, action, before, after, fields
        )


def _told(rule: Rule) -> str:
    """A rule in words; of one that is partly unknown, what is stated of it."""
    values = [getattr(rule, name) for name in rule.uncertain_fields]
    in_part = tell_part(rule) if values and set(values) == {UNKNOWN} else None
    return in_part or tell(rule)


def _told_apart(trajectories: Iterable[Trajectory]) -> list[Trajectory]:
    """The trajectories, each with a source of its own; those from files have one."""
    found: dict[str, Trajectory] = {}
    for number, each in enumerate(trajectories, 1):
        source = each.source or f"{each.about.world} seed {each.about.seed}"
        source = f"{source} ({number})" if source in found else source
        found[source] = replace(each, source=source)
    return list(found.values())


def _theories(
    statements: Iterable[Statement], dynamics: names.Dynamics
) -> list[tuple[Theory, list[Statement]]]:
    """Theories of sentences that do not contradict each other, taken in order."""
    groups: list[tuple[dict[str, Rule], list[Statement]]] = []
    for each in statements:
        for rules, members in groups:
            merged = _merged(rules.get(each.rule.id), each.rule)
            if merged is not None:
                rules[merged.id] = merged
                members.append(each)
                break
        else:
            groups.append(({each.rule.id: each.rule}, [each]))
    blank = Theory.unknown(dynamics)
    return [(blank.with_rules(*rules.values()), members) for rules, members in groups]


def _merged(known: Rule | None, rule: Rule) -> Rule | None:
    """A rule that says what both say; None if they disagree."""
    if known is None:
        return rule
    fields = {}
    for name in rule.field_names():
        one, other = getattr(known, name), getattr(rule, name)
        if UNKNOWN not in (one, other) and one != other:
            return None
        fields[name] = other if one is UNKNOWN else one
    return type(rule).model_validate({"subject": rule.subject, **fields})


def _stated(rule: Rule) -> tuple[str, ...]:
    return tuple(name for name in rule.field_names() if getattr(rule, name) is not UNKNOWN)


def _verdict(alone: Sequence[bool], support: int) -> Verdict:
    """Of a rule with conflicts, for each of which it is known if the rule alone is to blame."""
    if any(alone):
        return "contradicted"
    if alone:
        return "undecided"
    return "supported" if support else "untested"


def _decide(verdict: Verdict, rule: Rule, conflicts: Iterable[Conflict]) -> str:
    if verdict == "untested":
        return would_decide(rule)
    if verdict == "undecided":
        others = dict.fromkeys(each for c in conflicts for each in c.rules if each != rule.id)
        return would_tell_apart(rule, others) if others else would_decide(rule)
    return ""
