"""Rule libraries: sentences compared with the true rules, exactly.

A rule is one sentence. It is right if everything that it says is true in the world, whatever it
leaves open. Precision is over the sentences that can be read; recall is over the atoms of the world
(theory/atoms.py), of which a library states those that its true facts determine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from mars_logic.system.display import number, percent
from mars_logic.theory.atoms import KINDS, Kind, atoms_with_fields, kind_of
from mars_logic.theory.claims import Field
from mars_logic.theory.rulesets.rule_report import Unreadable
from mars_logic.theory.rulesets.stated import Statement
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.theory import World
from mars_logic.world.words import Fact
from mars_logic.world.words.facts import Excluding, Including

_KIND_OF_FAMILY: Final[Mapping[str, Kind]] = {
    **dict.fromkeys(("neighbour", "rename", "walk"), "terrain"),
    **dict.fromkeys(("creature", "drink"), "survival"),
    **dict.fromkeys(("collect", "place", "make"), "task"),
}
_GATES: Final = ("collectable", "eatable")
"""Fields that only say whether others have an effect."""


@dataclass(frozen=True)
class Share:
    """A number of a total.

    Attributes:
        part: The number.
        of: The total.
    """

    part: int
    of: int

    @property
    def value(self) -> float | None:
        """The share; None of nothing."""
        return self.part / self.of if self.of else None

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"part": self.part, "of": self.of, "share": self.value}


@dataclass(frozen=True)
class JudgedSentence:
    """A sentence with what it says of the world.

    Attributes:
        text: The sentence.
        source: File and line.
        facts: What it says, each with whether it is true.
    """

    text: str
    source: str
    facts: tuple[tuple[Fact, bool], ...]

    @property
    def right(self) -> bool:
        """Whether all that it says is true."""
        return all(true for _, true in self.facts)

    def about(self, kind: Kind) -> JudgedSentence:
        """What it says of one kind of rules."""
        some = tuple(each for each in self.facts if kind_of_rule(each[0].rule) == kind)
        return JudgedSentence(self.text, self.source, some)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        facts = [{"fact": str(fact), "true": true} for fact, true in self.facts]
        return {"text": self.text, "source": self.source, "right": self.right, "facts": facts}


@dataclass(frozen=True, repr=False)
class LibraryScore:
    """A rule library compared with the true rules.

    Attributes:
        sentences: The sentences that could be read.
        unread: How many could not.
        stated: The atoms of the truth that its true facts determine.
        mentioned: These, and the atoms of which a true fact states a part, such as an item without
            its amount or the sign of an effect.
        true: All atoms of the truth.
    """

    sentences: tuple[JudgedSentence, ...]
    unread: int
    stated: frozenset[str]
    mentioned: frozenset[str]
    true: frozenset[str]

    def __repr__(self) -> str:
        told = f"{number(len(self.sentences), 'sentence')} read, {self.unread} unread"
        shares = f"precision {percent(self.precision.value)}, recall {percent(self.recall.value)}"
        return f"<LibraryScore: {told}; {shares}>"

    @property
    def precision(self) -> Share:
        """Sentences that are right, of those that could be read."""
        return Share(sum(each.right for each in self.sentences), len(self.sentences))

    @property
    def facts(self) -> Share:
        """Different facts that are true, of those stated."""
        told = {fact: true for each in self.sentences for fact, true in each.facts}
        return Share(sum(told.values()), len(told))

    @property
    def recall(self) -> Share:
        """Atoms of the truth that are stated."""
        return Share(len(self.stated), len(self.true))

    @property
    def recall_in_part(self) -> Share:
        """Atoms of the truth that are stated at least in part."""
        return Share(len(self.mentioned), len(self.true))

    @cached_property
    def by_kind(self) -> dict[Kind, LibraryScore]:
        """The score for terrain, survival and task dependencies, each by itself."""
        found = {}
        for kind in KINDS:
            about = (each.about(kind) for each in self.sentences)
            sets = (self.stated, self.mentioned, self.true)
            own = (frozenset(atom for atom in some if kind_of(atom) == kind) for some in sets)
            found[kind] = LibraryScore(tuple(each for each in about if each.facts), 0, *own)
        return found

    def to_json(self) -> dict[str, Any]:
        """As plain data, without the sentences."""
        shares = ("precision", "facts", "recall", "recall_in_part")
        return {name: getattr(self, name).to_json() for name in shares} | {"unread": self.unread}


def kind_of_rule(rule_id: str) -> Kind:
    """The part of the game that a rule describes."""
    return _KIND_OF_FAMILY[rule_id.partition(".")[0]]


def score_library(
    rules: Iterable[tuple[Statement, ...] | Unreadable], truth: World
) -> LibraryScore:
    """Compare sentences with the true rules.

    Args:
        rules: Sentences as :func:`mars_logic.theory.rulesets.read_rules` gives them.
        truth: The true world.
    """
    told: dict[tuple[str, str], list[Fact]] = {}
    unread = 0
    for each in rules:
        if isinstance(each, Unreadable):
            unread += 1
            continue
        for statement in each:
            told.setdefault((statement.text, statement.source), []).extend(statement.facts)
    sentences = tuple(
        JudgedSentence(*key, tuple((fact, bool(fact.holds_in(truth))) for fact in facts))
        for key, facts in told.items()
    )
    right = [fact for each in sentences for fact, true in each.facts if true]
    true = frozenset(atom for atom, _ in atoms_with_fields(truth))
    stated = true & _determined([fact for fact in right if fact.settled], truth)
    return LibraryScore(sentences, unread, stated, stated | (true & _touched(right, truth)), true)


def by_file(
    rules: Sequence[tuple[Statement, ...] | Unreadable], truth: World
) -> dict[str, LibraryScore]:
    """The score of each file by itself, such as the library after each episode."""
    files: dict[str, list[tuple[Statement, ...] | Unreadable]] = {}
    for each in rules:
        file = each.file if isinstance(each, Unreadable) else each[0].source.rpartition(":")[0]
        files.setdefault(file, []).append(each)
    return {file: score_library(some, truth) for file, some in files.items()}


def _determined(facts: Sequence[Fact], truth: World) -> set[str]:
    """The atoms of the truth that some true facts determine."""
    fields = {(fact.rule, fact.field) for fact in facts}
    told = atoms_with_fields(_restricted(facts, truth))
    return {atom for atom, needed in told if _own(needed) <= fields}


def _touched(facts: Sequence[Fact], truth: World) -> set[str]:
    """The atoms of the truth of which some true facts state something."""
    said = [fact for fact in facts if not isinstance(fact.said, Excluding)]
    fields = {(fact.rule, fact.field) for fact in said if fact.field not in _GATES}
    told = atoms_with_fields(_restricted(said, truth))
    return {atom for atom, needed in told if _own(needed) & fields}


def _own(fields: Iterable[Field]) -> set[Field]:
    """The fields of an atom but for those of the map's other names of materials."""
    found = set(fields)
    rest = {field for field in found if not field[0].startswith("rename.")}
    return rest or found


def _restricted(facts: Iterable[Fact], truth: World) -> World:
    """The truth with no elements of lists but those that some facts state.

    A list of which nothing is said stays as it is.
    """
    listed: dict[str, dict[str, set[str]]] = {}
    for fact in facts:
        if isinstance(fact.said, Including):
            names = listed.setdefault(fact.rule, {}).setdefault(fact.field, set())
            names.update(fact.said.parts)
    rules = []
    for rule_id, fields in listed.items():
        rule = truth[rule_id]
        kept = {name: _only(getattr(rule, name), names) for name, names in fields.items()}
        rules.append(rule.model_copy(update=kept))
    return truth.with_rules(*rules)


def _only(value: Any, names: set[str]) -> Any:
    """A list or mapping with some of its elements alone."""
    if isinstance(value, Mapping):
        return FrozenMap({name: each for name, each in value.items() if name in names})
    return tuple(name for name in value if name in names)
