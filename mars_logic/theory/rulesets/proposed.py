"""Unread lines that a person has confirmed to mean a proposal, or that are taken for one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal

import yaml

from mars_logic.errors import InputError
from mars_logic.system.files import read_text
from mars_logic.theory.rulesets.documents import (
    MAX_BYTES,
    RuleSource,
    statements_of,
)
from mars_logic.theory.rulesets.rule_report import Rules, Unreadable
from mars_logic.theory.rulesets.stated import Statement
from mars_logic.world.problems import Document, WorldError
from mars_logic.world.source import parse
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words import parse_facts
from mars_logic.world.words.contract import UnreadError
from mars_logic.world.words.proposing import Proposer

How = Literal["confirmed", "chosen by model", "proposed"]
"""Whether a person said what a line means, a language model chose among its proposals, or one was
taken that nothing comes near."""

NONE_OF_THESE: Final = "none of these"
"""In a file of proposals, what has to be deleted, too, for one of them to be confirmed."""
_WHAT: Final = "a file of proposals in YAML, as --propose writes it"
_ENTRY: Final = "a mapping with line, text and means"
_HEADER: Final = f"""\
# Lines that could not be read, and what each may mean. Delete under "means" all that is wrong,
# "{NONE_OF_THESE}" as well: a line counts as confirmed if one sentence is left. You may write
# another sentence instead. Then: mars-logic check RULES TRAJECTORY --confirmed THIS_FILE
"""


@dataclass(frozen=True)
class TakenLine:
    """What an unread line is taken to mean.

    Attributes:
        sentence: A sentence that is read.
        how: By whom.
    """

    sentence: str
    how: How


def with_proposals(
    sources: Sequence[RuleSource], proposer: Proposer, most: int | None = None
) -> list[RuleSource]:
    """The same rules, unread lines with what they may mean.

    Args:
        sources: The rules.
        proposer: What proposes.
        most: How many lines get proposals; None for all.
    """
    found: list[RuleSource] = []
    given = 0
    for each in sources:
        if isinstance(each, Unreadable) and each.is_line and (most is None or given < most):
            given += 1
            told = tuple(proposal.sentence for proposal in proposer.proposals(each.text))
            found.append(replace(each, proposals=told))
        else:
            found.append(each)
    return found


def unread_lines(sources: Iterable[RuleSource]) -> Iterator[Unreadable]:
    """The lines among rules that should hold a sentence."""
    for each in sources:
        if isinstance(each, Unreadable) and each.is_line:
            yield each


def alone(lines: Iterable[Unreadable], proposer: Proposer) -> dict[str, TakenLine]:
    """By place: of lines with a proposal that nothing comes near, that proposal."""
    found: dict[str, TakenLine] = {}
    for line in lines:
        first = next(iter(proposer.proposals(line.text)), None)
        if first and first.alone:
            found[line.place] = TakenLine(first.sentence, "proposed")
    return found


def taken(
    sources: Sequence[RuleSource], meant: Mapping[str, TakenLine], words: Vocabulary
) -> list[RuleSource]:
    """Rules in which some unread lines are what they are taken to mean.

    What a person confirmed belongs to the other sentences of its file. What was taken without being
    confirmed stands alone, so that it changes no verdict on another sentence.

    Args:
        sources: The rules.
        meant: By place, what a line means.
        words: The vocabulary of the play.
    """
    confirmed: dict[str, list[Statement]] = {}
    others: list[RuleSource] = []
    for each in sources:
        line = meant.get(each.place) if isinstance(each, Unreadable) and each.is_line else None
        if line is None or not isinstance(each, Unreadable):
            others.append(each)
            continue
        facts = parse_facts(line.sentence, words)
        stated = [*statements_of(line.sentence, each.place, facts, words)]
        if line.how == "confirmed":
            confirmed.setdefault(each.file, []).extend(stated)
        else:
            others.append(tuple(stated))
    found: list[RuleSource] = []
    for one in others:
        if isinstance(one, tuple) and (more := confirmed.pop(_file(one), None)):
            one = tuple(sorted((*one, *more), key=_line))
        found.append(one)
    return [*map(tuple, confirmed.values()), *found]


def _file(statements: tuple[Statement, ...]) -> str:
    return statements[0].source.rpartition(":")[0]


def _line(statement: Statement) -> int:
    return int(statement.source.rpartition(":")[2])


def marked(found: Rules, meant: Mapping[str, TakenLine]) -> Rules:
    """Rules in which rules of unread lines tell how it was decided what these mean."""
    rules = (
        each.model_copy(update={"taken": meant[each.source].how}) if each.source in meant else each
        for each in found.rules
    )
    return found.model_copy(update={"rules": tuple(rules)})


def proposals_file(lines: Iterable[Unreadable]) -> str:
    """Unread lines with what they may mean, as a file in which one deletes what is wrong."""
    entries = [
        {"line": each.line, "text": each.text, "means": [NONE_OF_THESE, *each.proposals]}
        for each in lines
    ]
    held = yaml.safe_dump(
        {"lines": entries}, sort_keys=False, allow_unicode=True, width=float("inf")
    )
    return f"{_HEADER}{held}"


def read_confirmed(
    path: Path, lines: Iterable[Unreadable], proposer: Proposer
) -> dict[str, TakenLine]:
    """By place: what a person confirmed in a file of proposals.

    Args:
        path: The file.
        lines: The unread lines; each entry is about one of them, by its text.
        proposer: What proposed.

    Raises:
        InputError: The file is missing or wrong, an entry is about no unread line, or a sentence
            cannot be read.
    """
    document = parse(read_text(path, _WHAT, MAX_BYTES), str(path), _WHAT)
    entries = document.data.get("lines")
    if not isinstance(entries, list) or document.data.keys() != {"lines"}:
        raise WorldError(document.problem(("lines",), "this is no list of lines", _WHAT))
    by_text: dict[str, list[Unreadable]] = {}
    for line in lines:
        by_text.setdefault(line.text, []).append(line)
    found: dict[str, TakenLine] = {}
    for number, entry in enumerate(entries):
        sentence = _confirmed(document, number, entry, proposer)
        about = by_text.get(entry["text"])
        if about is None:
            place = ("lines", number, "text")
            message, allowed = "no unread line of the rules is so", "the text of an unread line"
            raise WorldError(document.problem(place, message, allowed))
        if sentence is not None:
            found |= {line.place: TakenLine(sentence, "confirmed") for line in about}
    return found


def _confirmed(document: Document, number: int, entry: Any, proposer: Proposer) -> str | None:
    """The sentence that an entry leaves; None if it leaves none, or has "none of these"."""
    place = ("lines", number)
    whole = isinstance(entry, dict) and entry.keys() == {"line", "text", "means"}
    if not whole or not isinstance(entry["text"], str):
        raise WorldError(document.problem(place, "this is no entry", _ENTRY))
    means = entry["means"] if entry["means"] is not None else []
    if not isinstance(means, list) or not all(isinstance(each, str) for each in means):
        raise WorldError(document.problem((*place, "means"), "this is no list", "sentences"))
    if NONE_OF_THESE in means or not means:
        return None
    if len(means) > 1:
        message = f"{len(means)} sentences are left"
        allowed = f"one of them, or '{NONE_OF_THESE}'"
        raise WorldError(document.problem((*place, "means"), message, allowed))
    (sentence,) = means
    try:
        proposer.require_read(sentence)
    except UnreadError as error:
        problem = document.problem((*place, "means", 0), error.problem, "a sentence that is read")
        raise WorldError(problem) from None
    return str(sentence)


def require_lines(lines: Sequence[Unreadable], option: str) -> None:
    """Refuse to settle what nothing is to be settled of.

    Raises:
        InputError: No line is unread.
    """
    if not lines:
        raise InputError(f"{option}: every line is read; allowed: rules with an unread line")
