"""Rules that a language model proposed: as they are, or tested against everything observed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final, Literal

from mars_logic.data.trajectory import Trajectory
from mars_logic.language.answers import LONGEST_LINE
from mars_logic.language.tokens import safe
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
from mars_logic.theory.rulesets.artefact import adds_data, untested
from mars_logic.theory.rulesets.documents import read_sentences
from mars_logic.theory.rulesets.statement_theories import smallest_theories
from mars_logic.theory.verdict import Verdict
from mars_logic.world.fields import shown
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import UNKNOWN
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words.fact_data import FactError, read_fact
from mars_logic.world.words.fact_sentences import fact_text
from mars_logic.world.words.facts import rule_of

MOST: Final = 200
"""Rules that are kept; the oldest go."""
PROPOSED: Final = "proposed"
"""The place of sentences that a model proposed."""
SentenceVerdict = Literal["supported", "partly supported", "undecided", "untested"]


@dataclass(frozen=True)
class RuleProposal:
    """A rule as a model states it.

    Attributes:
        text: A sentence, or a fact in the notation of facts.
        statements: What it says; empty if it cannot be read.
        problem: Why it cannot be read; empty if it can.
    """

    text: str
    statements: tuple[Statement, ...] = ()
    problem: str = ""


def proposed_in_sentences(sentences: Iterable[str]) -> list[RuleProposal]:
    """Rules that are stated in sentences, each once."""
    found: list[RuleProposal] = []
    for text in dict.fromkeys(sentences):
        statements: tuple[Statement, ...] = ()
        problem = "there is no sentence"
        for each in read_sentences([text], PROPOSED):
            if isinstance(each, Unreadable):
                hint = f"; a sentence that can be: {each.nearest}" if each.nearest else ""
                problem = f"{each.problem}{hint}"
            elif isinstance(each, tuple):
                statements = each
        found.append(RuleProposal(text, statements, "" if statements else problem))
    return found


def proposed_in_facts(entries: Iterable[Any], words: Vocabulary) -> list[RuleProposal]:
    """Rules that are stated as facts, each once.

    Args:
        entries: Plain data, see :func:`mars_logic.world.words.fact_data.read_fact`.
        words: The vocabulary of the world.
    """
    found: dict[str, RuleProposal] = {}
    for entry in entries:
        try:
            facts = read_fact(entry, words)
        except FactError as error:
            text = _shown(entry)
            found[text] = RuleProposal(text, problem=str(error))
            continue
        for fact in facts:
            text = fact_text(fact, words)
            statement = Statement(text, PROPOSED, rule_of([fact], words), (fact,))
            found[text] = RuleProposal(text, (statement,))
    return [*found.values()]


def _shown(entry: Any) -> str:
    """An entry that is no fact, for the model that stated it."""
    try:
        return safe(json.dumps(entry), LONGEST_LINE)
    except RecursionError:
        return shown(entry)


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
    """A rule of a library.

    Attributes:
        text: As it was stated.
        statements: What it says; empty if that cannot be read.
        facts: The same, tested; empty if it is not tested.
        when: When it was proposed, such as ``episode 2, step 40``.
    """

    text: str
    statements: tuple[Statement, ...] = ()
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
        refused: Contradicted proposals, with counterexamples.
        unreadable: Proposals that cannot be read.
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
        proposed: Iterable[RuleProposal],
        played: Sequence[Trajectory],  # noqa: ARG002
        when: str = "",
    ) -> list[Objection]:
        """Keep what is proposed, whatever it says.

        Args:
            proposed: New rules.
            played: Everything observed.
            when: When they are proposed.

        Returns:
            Objections; none, since nothing is tested.
        """
        new = self._new(proposed)
        rules = (ProposedRule(each.text, each.statements, when=when) for each in new)
        self.rules = [*self.rules, *rules][-MOST:]
        return []

    def document(self, by: str, blank: Theory) -> Rules:
        """All rules that were proposed, also those that were refused, with what is known of them.

        Args:
            by: Who proposed them.
            blank: The theory of the world's names in which nothing is known.
        """
        found: list[RuleFinding] = []
        for rule in self.rules:
            kept = tuple(each.finding for each in rule.facts)
            if not rule.facts:
                kept = untested([rule.statements], blank).rules
            found += (each.model_copy(update={"when": rule.when}) for each in kept)
        rules = [each.model_copy(update={"by": by}) for each in (*found, *self.refused)]
        return Rules(
            made_by=by,
            dynamics=blank.dynamics,
            adds=adds_data(blank.adds),
            rules=tuple(rules),
            unreadable=tuple(self.unreadable),
        )

    def theory(self, blank: Theory) -> Theory:
        """What the readable rules say, where they do not disagree with an earlier one."""
        return _theory([each for rule in self.rules for each in rule.statements], blank)

    def _new(self, proposed: Iterable[RuleProposal]) -> list[RuleProposal]:
        """New proposals; unreadable ones are added to ``unreadable``."""
        known = {each.text for each in self.rules}
        new = [each for each in proposed if each.text not in known]
        unread = [Unreadable(PROPOSED, 1, each.text, each.problem) for each in new if each.problem]
        self.unreadable = [*self.unreadable, *unread][-MOST:]
        return new


class TestedLibrary(RuleLibrary):
    """Rules that no observation contradicts, each with its verdict.

    All rules are tested anew with each addition, against all transitions seen so far.
    """

    __test__ = False

    def __init__(self) -> None:
        super().__init__()
        self._believed: Theory | None = None

    def add(
        self,
        proposed: Iterable[RuleProposal],
        played: Sequence[Trajectory],
        when: str = "",
    ) -> list[Objection]:
        """Test what is proposed, and the rules so far; keep what is not contradicted.

        Returns:
            An objection to each rule that cannot be read or is contradicted.
        """
        new = self._new(proposed)
        objections = [_unread(each) for each in new if each.problem]
        stated_when = {each.text: each.when for each in self.rules}
        stated = [*(each.statements for each in self.rules), *(each.statements for each in new)]
        statements = [
            replace(each, source=f"{PROPOSED}:{number}")
            for number, each in enumerate(chain(*stated), 1)
        ]
        self.rules = []
        if not statements:
            return objections
        findings = check_rules([tuple(statements)], played)
        by_text: dict[str, list[tuple[Statement, RuleFinding]]] = {}
        for statement, found in zip(statements, findings.rules, strict=True):
            by_text.setdefault(statement.text, []).append((statement, found))
        for text, pairs in by_text.items():
            said = stated_when.get(text, when)
            if wrong := [found for _, found in pairs if found.verdict == "contradicted"]:
                objections.append(_contradicted(wrong[0]))
                refused = (each.model_copy(update={"when": said}) for each in wrong)
                self.refused = [*self.refused, *refused][-MOST:]
            else:
                facts = tuple(TestedFact(*pair) for pair in pairs)
                statements_kept = tuple(statement for statement, _ in pairs)
                self.rules.append(ProposedRule(text, statements_kept, facts, said))
        self.rules = self.rules[-MOST:]
        self._believed = self._without_conflicts(played)
        return objections

    def theory(self, blank: Theory) -> Theory:
        """The supported rules; where two disagree, the one with more support holds.

        Of a list it holds what is said of it, unless an observation contradicts that it is all.
        """
        return self._believed or blank

    def _without_conflicts(self, played: Sequence[Trajectory]) -> Theory:
        supported = [fact for rule in self.rules for fact in rule.supported]
        supported.sort(key=lambda each: -each.support)
        about = played[0].about
        blank = Theory.unknown(about.dynamics, about.adds)
        theory = _theory([each.statement for each in supported], blank)
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


def _theory(statements: Sequence[Statement], blank: Theory) -> Theory:
    return next((theory for theory, _ in smallest_theories(statements, blank)), blank)


def _unread(found: RuleProposal) -> Objection:
    return Objection(found.text, f"It cannot be read: {found.problem}", contradicted=False)


def _contradicted(found: RuleFinding) -> Objection:
    told = "; ".join(_seen(each) for each in found.counterexamples)
    times = f" ({found.contradicted} observations against it)" if found.contradicted > 1 else ""
    return Objection(found.text, f"It is contradicted{times}: {told}", contradicted=True)


def _seen(example: Counterexample) -> str:
    if example.together:
        return "; ".join(map(_seen, example.together))
    return f"{example.did}: {example.saw}"
