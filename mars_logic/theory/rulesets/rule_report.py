"""Rules that anyone proposed, with what is known of them, independent of their form.

:class:`Rules` is the document of all commands that propose or judge rules, in JSON or YAML.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import Field, computed_field

from mars_logic.system.display import html_table, number
from mars_logic.system.documents import DocumentPart
from mars_logic.theory.rulesets.context import Context
from mars_logic.theory.verdict import Verdict

RULES_SCHEMA: Final = "mars-logic rules 1"
SENTENCE: Final = "sentence"
Form = Literal["theory", "sentence", "program", "puzzle"]
"""How a rule is stated."""
Count = Annotated[int, Field(ge=0)]
_MOST_RULES: Final = 10_000


@dataclass(frozen=True)
class Unreadable:
    """Something among rules that is none: a line without a sentence, a wrong theory or program.

    Attributes:
        file: Where it is.
        line: Its number, from 1.
        text: The line, or the item of a list; empty for a theory or a program.
        problem: What cannot be read; of a theory or a program also what is allowed.
        nearest: A sentence of the form that comes nearest; empty where it was not sought, as for
            all but the first lines of a file.
        what: What is wrong: ``sentence``, or what a theory or a program calls it.
        proposals: Sentences that it may mean, the likeliest first; empty where none were sought.
    """

    file: str
    line: int
    text: str
    problem: str
    nearest: str = ""
    what: str = SENTENCE
    proposals: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """File and line."""
        return f"{self.file}:{self.line}"

    @property
    def is_line(self) -> bool:
        """Whether it is a line that should hold a sentence."""
        return self.what == SENTENCE

    def __str__(self) -> str:
        hint = f"; the nearest form: {self.nearest}" if self.nearest else ""
        if self.proposals:
            quoted = (f'"{each}"' for each in self.proposals)
            hint = f"; do you mean: {' or '.join(quoted)}?"
        return f"{self.place}: {self.what}: {self.problem}{hint}"

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


class Counterexample(DocumentPart):
    """An observation that a rule excludes.

    Attributes:
        trajectory: Where one of them is; None for a probability.
        step: Which step of it, counted from 1; 0 for its beginning.
        before: What the player saw before the step; None at the beginning.
        action: What it chose to do.
        after: What it saw after the step.
        predicted: The rule's prediction.
        did: What the player did, in words.
        saw: What was seen, in words.
        count: How many such transitions there are.
        fields: Rule fields of which at least one is wrong, such as ``collect.stone.leaves``.
        together: What else was seen, where only all of it together is excluded.
    """

    trajectory: str | None = None
    step: Count | None = None
    before: Context | None = None
    action: str | None = None
    after: Context | None = None
    predicted: str
    did: str
    saw: str
    count: Count
    fields: tuple[str, ...] = ()
    together: tuple[Counterexample, ...] = ()


class RuleRevision(DocumentPart):
    """How a rule came to be as it is.

    Attributes:
        before: The rule before, in words.
        after: The rule after, in words.
        because: What was seen, if anything.
        episode: In which episode, from 1; None where that is not known.
        step: After how many steps of it; None likewise.
        trajectory: Where it was seen; None likewise.
    """

    before: str
    after: str
    because: tuple[str, ...] = ()
    episode: Count | None = None
    step: Count | None = None
    trajectory: str | None = None


class StatedField(DocumentPart):
    """The test result of one field that a rule states."""

    verdict: Verdict
    support: int


class RuleFinding(DocumentPart):
    """A rule that was proposed, with what is known of it.

    Attributes:
        id: Its name: a rule's id, or what a program calls it.
        text: The rule in words.
        form: How it was stated.
        source: Where it is stated: file and line.
        by: Who said it, if that is not the file: an agent, a language model, a command.
        when: When it was said, such as ``episode 2, step 40``; empty where that is not known.
        states: The rule as data: for each field what is said of it, in the notation of facts, as
            ``{"value": 2}``, ``{"has": elements}`` or ``{"lacks": names}``; None for other forms.
        program: The program that it is part of; None for other forms.
        verdict: What recorded play says of it.
        support: How many transitions every theory without the rule leaves unexplained: in a whole
            theory, without the best supported of its fields. Of a program's rule, those to which
            it is applicable and that are as it says; None if it does not say where it applies.
        applicable: How many transitions would have looked otherwise if it were otherwise; None if a
            program does not say where its rule applies.
        consistent: How many of them are as it says.
        contradicted: How many are not.
        as_noise: How many are not, but are as many as noise explains; these do not count.
        counterexamples: Examples of these.
        decide: The observation that would decide; empty if decided.
        fields: For rules of a world: verdict and support of each field that is stated.
        left: If it is undecided: the other values of fields that explain as much, in words.
        taken: Of a line that could not be read: ``confirmed`` if a person said that it means this,
            ``chosen by model`` if a language model did, ``proposed`` if nobody did; else None.
        right: Whether all that it says is true in the world; None if they were not compared.
        confidence: How sure the learner is, from 0 to 1; None where it does not weigh its rules.
        revisions: How it came about, in order.
    """

    id: str
    text: str
    form: Form = "sentence"
    source: str = ""
    by: str = ""
    when: str = ""
    states: Mapping[str, Mapping[str, Any]] | None = None
    program: str | None = None
    verdict: Verdict = "untested"
    support: int | None = 0
    applicable: Count | None = 0
    consistent: int | None = 0
    contradicted: Count = 0
    as_noise: Count = 0
    counterexamples: tuple[Counterexample, ...] = ()
    decide: str = ""
    fields: Mapping[str, StatedField] = Field(default_factory=dict)
    left: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    taken: Literal["confirmed", "chosen by model", "proposed"] | None = None
    right: bool | None = None
    confidence: Annotated[float, Field(ge=0, le=1)] | None = None
    revisions: tuple[RuleRevision, ...] = ()

    def __repr__(self) -> str:
        return f"<RuleFinding {self}>"

    def __str__(self) -> str:
        return f"{self.id}: {self.verdict}, {self.contradicted} against"

    @computed_field  # type: ignore[prop-decorator]
    @property
    def guessed(self) -> tuple[str, ...]:
        """The stated fields of a supported rule that nothing seen speaks for."""
        if self.verdict != "supported":
            return ()
        return tuple(name for name, found in self.fields.items() if found.verdict != "supported")


class Rules(DocumentPart):
    """Rules with what is known of them: what every command that has rules reads and writes.

    Attributes:
        format: The schema's name.
        made_by: The command, or the agent, that wrote it.
        rules_from: Where the rules are from.
        dynamics: The dialect of the play that they were tested on, or of their world; None for a
            puzzle.
        adds: Names that their world adds, as under ``adds`` of a world file.
        puzzle: Of a puzzle: the theory, as its file states it.
        transitions: How many transitions were read.
        signatures: How many distinct things they show of a world's rules.
        noise: The rate of wrong observations that is reckoned with; None for none.
        rules: In the order in which they are stated.
        unreadable: Lines that tell no rule, and were not tested.
    """

    format: Literal["mars-logic rules 1"] = Field(default=RULES_SCHEMA, alias="schema")
    made_by: str = ""
    rules_from: str = ""
    dynamics: str | None = None
    adds: Mapping[str, Any] = Field(default_factory=dict)
    puzzle: Mapping[str, Any] | None = None
    transitions: Count = 0
    signatures: Count = 0
    noise: Annotated[float, Field(gt=0, lt=1)] | None = None
    rules: tuple[RuleFinding, ...] = Field(max_length=_MOST_RULES)
    unreadable: tuple[Unreadable, ...] = ()

    def __repr__(self) -> str:
        return f"<Rules: {self._summary()}>"

    def __str__(self) -> str:
        return "\n".join((*map(str, self.rules), self._summary()))

    def _repr_html_(self) -> str:
        rows = ((each.id, each.verdict, str(each.contradicted), each.text) for each in self.rules)
        return html_table(rows, ("rule", "verdict", "against", "in words"), self._summary())

    def _summary(self) -> str:
        counts = Counter(rule.verdict for rule in self.rules)
        rules = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
        return f"{rules or 'no rules'}; {number(self.transitions, 'transition')}"

    @computed_field  # type: ignore[prop-decorator]
    @property
    def contradicted(self) -> bool:
        """Whether any rule is surely wrong, or one of several is."""
        return any(rule.contradicted for rule in self.rules)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return self.model_dump(mode="json", by_alias=True)
