"""Rules that a language model proposed: as they are, or tested against everything observed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from mars_logic.data.trajectory import Trajectory
from mars_logic.theory.check import check
from mars_logic.theory.evidence import Evidence
from mars_logic.theory.rulesets import (
    Counterexample,
    RuleFinding,
    Rules,
    Statement,
    Unreadable,
    check_rules,
)
from mars_logic.theory.rulesets.artefact import untested
from mars_logic.theory.rulesets.documents import read_sentences
from mars_logic.theory.rulesets.statement_theories import smallest_theories
from mars_logic.theory.verdict import Verdict
from mars_logic.world.names import Dynamics
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import UNKNOWN

MOST: Final = 200
"""Rules that are kept; the oldest go."""
PROPOSED: Final = "proposed"
"""The place of sentences that a model proposed."""
SentenceVerdict = Literal["supported", "partly supported", "undecided", "untested"]


@dataclass(frozen=True)
class TestedFact:
    """What a sentence says of one rule, with what the observations say of that.

    Attributes:
        statement: The claim.
        finding: What the checker found.
    """

    __test__ = False  # it is no test, whatever pytest thinks of its name

    statement: Statement
    finding: RuleFinding

    @property
    def verdict(self) -> Verdict:
        """The verdict of the checker."""
        return self.finding.verdict

    @property
    def support(self) -> int:
        """How many transitions speak for it."""
        return self.finding.support or 0


@dataclass(frozen=True)
class ProposedRule:
    """A sentence of a library.

    Attributes:
        text: The sentence.
        facts: What it says, tested; empty if it is not tested.
        when: When it was proposed, such as ``episode 2, step 40``.
    """

    text: str
    facts: tuple[TestedFact, ...] = ()
    when: str = ""

    @property
    def verdict(self) -> SentenceVerdict | None:
        """What the observations say of all that it says; None if it is not tested."""
        verdicts = {each.verdict for each in self.facts}
        if not verdicts:
            return None
        if "supported" in verdicts:
            return "supported" if len(verdicts) == 1 else "partly supported"
        return "undecided" if "undecided" in verdicts else "untested"

    @property
    def supported(self) -> list[TestedFact]:
        """The facts that are supported."""
        return [each for each in self.facts if each.verdict == "supported"]

    def __str__(self) -> str:
        if self.verdict is None:
            return self.text
        counts = [each.support for each in self.supported]
        count = f" by {min(counts)} observations" if counts else ""
        return f"{self.text} ({self.verdict}{count})"


@dataclass(frozen=True)
class Objection:
    """The fault of a proposed rule, for the model.

    Attributes:
        rule: The sentence.
        reason: A counterexample, or why it cannot be read.
        contradicted: Whether it is the former.
    """

    rule: str
    reason: str
    contradicted: bool


class RuleLibrary:
    """Rules as the model states them, each once; the oldest go when there are too many.

    Attributes:
        rules: The rules, in the order in which they were proposed.
        refused: What was proposed and is contradicted, with counterexamples.
        unreadable: What was proposed and cannot be read.
    """

    def __init__(self) -> None:
        self.rules: list[ProposedRule] = []
        self.refused: list[RuleFinding] = []
        self.unreadable: list[Unreadable] = []

    def told(self) -> list[str]:
        """The rules with what is known of them."""
        return [str(each) for each in self.rules]

    def add(
        self,
        sentences: Iterable[str],
        played: Sequence[Trajectory],  # noqa: ARG002
        when: str = "",
    ) -> list[Objection]:
        """Keep sentences, whatever they say.

        Args:
            sentences: New rules.
            played: Everything observed.
            when: When they are proposed.

        Returns:
            Objections; none, since nothing is tested.
        """
        new = [ProposedRule(each, when=when) for each in self._new(sentences)]
        self.rules = [*self.rules, *new][-MOST:]
        return []

    def document(self, by: str, dynamics: Dynamics) -> Rules:
        """All rules that were proposed, also those that were refused, with what is known of them.

        Args:
            by: Who proposed them.
            dynamics: The dialect of the world.
        """
        found: list[RuleFinding] = []
        unreadable = [*self.unreadable]
        blank = Theory.unknown(dynamics)
        for rule in self.rules:
            kept = tuple(each.finding for each in rule.facts)
            if not rule.facts:
                read = untested(read_sentences([rule.text], PROPOSED), blank)
                kept = read.rules
                unreadable += read.unreadable
            found += (each.model_copy(update={"when": rule.when}) for each in kept)
        rules = [each.model_copy(update={"by": by}) for each in (*found, *self.refused)]
        return Rules(
            made_by=by, dynamics=dynamics, rules=tuple(rules), unreadable=tuple(unreadable)
        )

    def theory(self, dynamics: Dynamics) -> Theory:
        """What the readable rules say, where they do not disagree with an earlier one."""
        statements, _ = _read([each.text for each in self.rules])
        return _theory(statements, dynamics)

    def _new(self, sentences: Iterable[str]) -> list[str]:
        known = {each.text for each in self.rules}
        return [each for each in dict.fromkeys(sentences) if each not in known]


class TestedLibrary(RuleLibrary):
    """Rules that no observation contradicts, each with its verdict.

    All rules are tested anew with each addition, against all transitions seen so far.
    """

    __test__ = False

    def __init__(self) -> None:
        super().__init__()
        self._believed: Theory | None = None

    def add(
        self, sentences: Iterable[str], played: Sequence[Trajectory], when: str = ""
    ) -> list[Objection]:
        """Read and test sentences, and the rules so far; keep those that are not contradicted.

        Returns:
            An objection to each sentence that cannot be read or is contradicted.
        """
        new, unreadable = _read(self._new(sentences))
        self.unreadable = [*self.unreadable, *unreadable][-MOST:]
        proposed = {each.text: each.when for each in self.rules}
        objections = [_unread(each) for each in unreadable]
        old = [fact.statement for rule in self.rules for fact in rule.facts]
        statements = [
            replace(each, source=f"{PROPOSED}:{number}")
            for number, each in enumerate([*old, *new], 1)
        ]
        self.rules = []
        if not statements:
            return objections
        findings = check_rules([tuple(statements)], played)
        by_text: dict[str, list[tuple[Statement, RuleFinding]]] = {}
        for statement, found in zip(statements, findings.rules, strict=True):
            by_text.setdefault(statement.text, []).append((statement, found))
        for text, pairs in by_text.items():
            said = proposed.get(text, when)
            if wrong := [found for _, found in pairs if found.verdict == "contradicted"]:
                objections.append(_contradicted(wrong[0]))
                refused = (each.model_copy(update={"when": said}) for each in wrong)
                self.refused = [*self.refused, *refused][-MOST:]
            else:
                facts = tuple(TestedFact(*pair) for pair in pairs)
                self.rules.append(ProposedRule(text, facts, said))
        self.rules = self.rules[-MOST:]
        self._believed = self._without_conflicts(played)
        return objections

    def theory(self, dynamics: Dynamics) -> Theory:
        """The supported rules; where two disagree, the one with more support holds.

        Of a list it holds what is said of it, unless an observation contradicts that it is all.
        """
        return self._believed or Theory.unknown(dynamics)

    def _without_conflicts(self, played: Sequence[Trajectory]) -> Theory:
        supported = [fact for rule in self.rules for fact in rule.supported]
        supported.sort(key=lambda each: -each.support)
        theory = _theory([each.statement for each in supported], played[0].about.dynamics)
        report = check(theory, Evidence.of(played), jointly=False)
        wrong: dict[str, set[str]] = {}
        for rule in theory.rules():
            for rule_id, name in (f for each in report[rule.id].conflicts for f in each.fields):
                wrong.setdefault(rule_id, set()).add(name)
        open_again = [
            theory[rule_id].model_copy(update=dict.fromkeys(names, UNKNOWN))
            for rule_id, names in wrong.items()
        ]
        return theory.with_rules(*open_again) if open_again else theory


def _read(sentences: Sequence[str]) -> tuple[list[Statement], list[Unreadable]]:
    statements: list[Statement] = []
    unreadable: list[Unreadable] = []
    for each in read_sentences(sentences, PROPOSED):
        if isinstance(each, Unreadable):
            unreadable.append(each)
        elif isinstance(each, tuple):
            statements += each
    return statements, unreadable


def _theory(statements: Sequence[Statement], dynamics: Dynamics) -> Theory:
    theories = smallest_theories(statements, dynamics)
    return next((theory for theory, _ in theories), Theory.unknown(dynamics))


def _unread(found: Unreadable) -> Objection:
    hint = f"; a sentence that can be: {found.nearest}" if found.nearest else ""
    return Objection(found.text, f"It cannot be read: {found.problem}{hint}", contradicted=False)


def _contradicted(found: RuleFinding) -> Objection:
    told = "; ".join(_seen(each) for each in found.counterexamples)
    times = f" ({found.contradicted} observations against it)" if found.contradicted > 1 else ""
    return Objection(found.text, f"It is contradicted{times}: {told}", contradicted=True)


def _seen(example: Counterexample) -> str:
    if example.together:
        return "; ".join(map(_seen, example.together))
    return f"{example.did}: {example.saw}"
