"""The rule of a puzzle that a text states: a theory, open where the text says nothing.

Sentences are read as :mod:`mars_logic.world.words.contract` says: whole, or not at all.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Final, Generic, Protocol, Self, TypeVar

from pydantic import ValidationError

from mars_logic.domains.rulearn.escape_room.reading import PasswordReader
from mars_logic.domains.rulearn.function_operator.reading import FunctionsReader
from mars_logic.domains.rulearn.language import SentenceError, parts
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.domains.rulearn.reactor.reading import ProgramReader
from mars_logic.system.display import number
from mars_logic.world.mistakes import mistakes
from mars_logic.world.words.contract import UnreadError, without_lead

P = TypeVar("P", bound=Puzzle)
_MARKS: Final = (". ", "! ", "? ")
"""Ends of a sentence inside a line."""


class RuleReader(Protocol):
    """What the sentences of a text state about the rule of one family; sentences are added.

    Attributes:
        whole_only: Whether a part of a rule states nothing by itself.
    """

    whole_only: ClassVar[bool]

    @classmethod
    def of(cls, theory: Any) -> Self:
        """A reader for a puzzle."""
        ...

    @staticmethod
    def forms(theory: Any) -> list[str]:
        """Examples of sentences that are read."""
        ...

    def plus(self, sentence: str) -> Self:
        """The same with one more sentence.

        Raises:
            UnreadError: The sentence cannot be read, or does not agree with those before.
        """
        ...

    def stated(self) -> dict[str, Any]:
        """The fields of the puzzle by these sentences, as a file states them.

        Raises:
            SentenceError: They do not state a rule together.
        """
        ...


@dataclass(frozen=True)
class UnreadSentence:
    """A sentence that is not read.

    Attributes:
        line: Its line, from 1.
        text: The sentence.
        problem: Why, in words.
        unread: The words that stopped the reader; empty if the sentence ends too early, or states
            what cannot be.
    """

    line: int
    text: str
    problem: str
    unread: str


@dataclass(frozen=True)
class RuleReading(Generic[P]):
    """What was read of a text.

    Attributes:
        theory: What the sentences state that are read; the rest is open. Cases of a reactor's rule
            depend on each other, so that it is open where any sentence is unread.
        read: How many sentences are read.
        unread: The sentences that are not.
    """

    theory: P
    read: int
    unread: tuple[UnreadSentence, ...]


def rule_reading(
    text: str, theory: P, meant: Mapping[str, str] = MappingProxyType({})
) -> RuleReading[P]:
    """Read each sentence of a text about a puzzle.

    Sentences that mars-logic tells are read, and other common ways to say the same. Lines that
    begin with ``#`` are left out.

    Args:
        text: The text.
        theory: What the manual tells; its rule is replaced.
        meant: Sentences that are read in the place of others.
    """
    reader, found, read = _READERS[theory.domain].of(theory), theory, 0
    unread: list[UnreadSentence] = []
    last = (1, "")
    for line, sentence in _sentences(text):
        try:
            longer = reader.plus(meant.get(sentence, sentence))
            if not longer.whole_only:
                found = _validated(longer, theory)
        except UnreadError as error:
            unread.append(UnreadSentence(line, sentence, error.problem, error.unread))
        else:
            reader, read, last = longer, read + 1, (line, sentence)
    if reader.whole_only and read and not unread:
        try:
            found = _validated(reader, theory)
        except SentenceError as error:
            return RuleReading(theory, read - 1, (UnreadSentence(*last, error.problem, ""),))
    return RuleReading(found, read, tuple(unread))


def require_read(sentence: str, theory: Puzzle) -> None:
    """Refuse a sentence about a puzzle that cannot be read.

    Raises:
        UnreadError: It is one.
    """
    reader = _READERS[theory.domain].of(theory)
    try:
        reader.plus(sentence)
    except UnreadError:
        if not reader.whole_only:
            raise
        _, case = next(_sentences(forms(theory)[1]))  # before which a last case may stand
        reader.plus(case).plus(sentence)


def read_rule(text: str, theory: P) -> P:
    """The theory that a text states about a puzzle, of which every sentence is read.

    Args:
        text: The text.
        theory: What the manual tells; its rule is replaced.

    Raises:
        SentenceError: It states nothing of the rule, or a sentence cannot be read.
    """
    found = rule_reading(text, theory)
    if found.unread:
        first, *more = found.unread
        others = f"; and {number(len(more), 'more sentence')} cannot be read" if more else ""
        raise SentenceError(first.problem + others, first.text, first.unread)
    if not found.read:
        raise SentenceError(f"there is no sentence; allowed: '{forms(theory)[0]}'")
    return found.theory


def rule_schema(theory: Puzzle) -> dict[str, Any]:
    """The JSON schema of the rule of a puzzle, as :func:`rule_of_data` reads it.

    Args:
        theory: What the manual tells.
    """
    whole = type(theory).model_json_schema()
    rule = _terse(whole["properties"][theory.rule_field])
    parts_used, left = {}, [rule]
    while left:
        text = json.dumps(left.pop())
        for name, part in whole["$defs"].items():
            if name not in parts_used and f'"#/$defs/{name}"' in text:
                parts_used[name] = _terse(part)
                left.append(parts_used[name])
    return {**rule, "$defs": parts_used}


def _terse(schema: Any) -> Any:
    """A schema without titles and defaults, and with one line on each part."""
    if isinstance(schema, list):
        return [_terse(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _terse(value) for key, value in schema.items() if key not in ("title", "default")}
    if isinstance(told := found.get("description"), str):
        found["description"] = told.partition("\n")[0]
    return found


def rule_of_data(rule: Any, theory: P) -> P:
    """The theory that plain data states about a puzzle.

    Args:
        rule: The rule, as a file states it; what is unknown in it is open.
        theory: What the manual tells; its rule is replaced.

    Raises:
        SentenceError: It is of another form, or the manual excludes it.
    """
    return _stating({theory.rule_field: rule}, theory)


def _validated(reader: RuleReader, theory: P) -> P:
    return _stating(reader.stated(), theory)


def _stating(fields: Mapping[str, Any], theory: P) -> P:
    try:
        return type(theory).model_validate(theory.model_dump(mode="json") | dict(fields))
    except ValidationError as error:
        found = mistakes(error)[0]
        allowed = found.allowed or "what the manual tells"
        raise SentenceError(f"{found.message}; allowed: {allowed}") from None
    except RecursionError:
        raise SentenceError("it is nested too deep; allowed: what the manual tells") from None


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    """The sentences of a text, each with its line; none is cut inside parentheses or brackets."""
    for at, line in enumerate(text.splitlines(), 1):
        said = without_lead(line).strip()
        if said.startswith("#"):
            continue
        for mark in _MARKS:
            said = f"{mark.strip()}\n".join(parts(said, mark))
        yield from ((at, each.strip()) for each in said.split("\n") if each.strip())


def forms(theory: Puzzle) -> list[str]:
    """Examples of sentences that :func:`read_rule` reads, for whoever writes a hypothesis."""
    return _READERS[theory.domain].forms(theory)


def rule_examples(theory: Puzzle) -> list[str]:
    """Examples of rules as :func:`rule_of_data` reads them, in JSON."""
    found = []
    for text in forms(theory):
        reading = rule_reading(text, theory)
        if reading.read and not reading.unread:
            stated = reading.theory.model_dump(mode="json")[theory.rule_field]
            found.append(json.dumps(stated))
    return found


_READERS: Final[Mapping[str, type[RuleReader]]] = {
    "function_operator": FunctionsReader,
    "escape_room": PasswordReader,
    "reactor": ProgramReader,
}
