"""Test results of a hypothesised rule, independent of its form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mars_logic.display import html_table, number
from mars_logic.theory.joint import Verdict
from mars_logic.theory.rulesets.context import Context

if TYPE_CHECKING:
    from mars_logic.theory.rulesets.documents import Unreadable


@dataclass(frozen=True)
class Counterexample:
    """An observation that a rule excludes.

    Attributes:
        predicted: The rule's prediction.
        did: What the player did, in words.
        saw: What was seen, in words.
        count: How many such transitions there are.
        trajectory: Where one of them is; None for a probability.
        step: Which step of it, counted from 1; 0 for its beginning.
        action: What the player chose to do.
        before: What it saw before the step; None at the beginning.
        after: What it saw after it.
        fields: Rule fields of which at least one is wrong, such as ``collect.stone.leaves``.
        together: What else was seen, where only all of it together is excluded.
    """

    predicted: str
    did: str
    saw: str
    count: int
    trajectory: str | None = None
    step: int | None = None
    action: str | None = None
    before: Context | None = None
    after: Context | None = None
    fields: tuple[str, ...] = ()
    together: tuple[Counterexample, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "trajectory": self.trajectory,
            "step": self.step,
            "before": self.before.to_json() if self.before else None,
            "action": self.action,
            "after": self.after.to_json() if self.after else None,
            "predicted": self.predicted,
            "did": self.did,
            "saw": self.saw,
            "count": self.count,
            "fields": list(self.fields),
            "together": [each.to_json() for each in self.together],
        }


@dataclass(frozen=True, repr=False)
class RuleFinding:
    """The test result of one rule.

    Attributes:
        id: Its name: a rule's id, or what a program calls it.
        text: The rule in words.
        source: Where it is stated: file and line.
        verdict: What is to be said of it.
        support: How many transitions every theory without the rule leaves unexplained: in a whole
            theory, without the best supported of its fields. Of a program's rule, those to which
            it is applicable and that are as it says; None if it does not say where it applies.
        applicable: How many transitions would have looked otherwise if it were otherwise; None if a
            program does not say where its rule applies.
        consistent: How many of them are as it says.
        contradicted: How many are not.
        counterexamples: Examples of these.
        decide: The observation that would decide; empty if decided.
        fields: For rules of a world: verdict and support of each field that is stated.
        left: If it is undecided: the other values of fields that explain as much, in words.
        taken: Of a line that could not be read: ``confirmed`` if a person said that it means this,
            ``proposed`` if nobody did; else empty.
    """

    id: str
    text: str
    source: str
    verdict: Verdict
    support: int | None
    applicable: int | None
    consistent: int | None
    contradicted: int
    counterexamples: tuple[Counterexample, ...] = ()
    decide: str = ""
    fields: Mapping[str, tuple[Verdict, int]] = field(default_factory=dict)
    left: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    taken: str = ""

    def __repr__(self) -> str:
        return f"<RuleFinding {self}>"

    def __str__(self) -> str:
        return f"{self.id}: {self.verdict}, {self.contradicted} against"

    @property
    def guessed(self) -> tuple[str, ...]:
        """The stated fields of a supported rule that nothing seen speaks for."""
        if self.verdict != "supported":
            return ()
        return tuple(name for name, (verdict, _) in self.fields.items() if verdict != "supported")

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "id": self.id,
            "text": self.text,
            "source": self.source,
            "verdict": self.verdict,
            "support": self.support,
            "applicable": self.applicable,
            "consistent": self.consistent,
            "contradicted": self.contradicted,
            "counterexamples": [each.to_json() for each in self.counterexamples],
            "decide": self.decide,
            "fields": {
                name: {"verdict": verdict, "support": support}
                for name, (verdict, support) in self.fields.items()
            },
            "guessed": list(self.guessed),
            "left": {name: list(values) for name, values in self.left.items() if values},
            "taken": self.taken or None,
        }


@dataclass(frozen=True, repr=False)
class Findings:
    """The test results of all rules.

    Attributes:
        rules: In the order in which they are stated.
        transitions: How many transitions were read.
        signatures: How many distinct things they show of a world's rules.
        unreadable: Lines that tell no rule, and were not tested.
    """

    rules: tuple[RuleFinding, ...]
    transitions: int
    signatures: int
    unreadable: tuple[Unreadable, ...] = ()

    def __repr__(self) -> str:
        return f"<Findings: {self._summary()}>"

    def __str__(self) -> str:
        return "\n".join((*map(str, self.rules), self._summary()))

    def _repr_html_(self) -> str:
        rows = ((each.id, each.verdict, str(each.contradicted), each.text) for each in self.rules)
        return html_table(rows, ("rule", "verdict", "against", "in words"), self._summary())

    def _summary(self) -> str:
        counts = Counter(rule.verdict for rule in self.rules)
        rules = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
        return f"{rules or 'no rules'}; {number(self.transitions, 'transition')}"

    @property
    def contradicted(self) -> bool:
        """Whether any rule is surely wrong, or one of several is."""
        return any(rule.contradicted for rule in self.rules)
