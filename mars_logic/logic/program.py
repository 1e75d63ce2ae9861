"""The part of a logic program that is relevant to a query; encodings are read once.

A statement is irrelevant if no queried predicate depends on it, or if its body needs an undefined
predicate. The remaining program has the same models, projected to the query.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import clingo

from mars_logic.logic.statements import Names, ProgramStatement, statements

_NAME = re.compile(r"[a-z_]\w*")


@dataclass(frozen=True)
class Program:
    """The part of some encodings that is relevant to a query.

    Attributes:
        statements: The text of each of its statements.
        reads: Predicates that they mention, and the queried ones.
        shows: Predicates that they show; empty if they leave that open, so that all are shown.
    """

    statements: tuple[str, ...]
    reads: Names
    shows: Names

    def add_to(self, control: clingo.Control) -> None:
        """Add the statements to what a control grounds."""
        control.add("base", [], "\n".join(self.statements))


def program(
    files: Iterable[str], text: str, wanted: Iterable[str] | None = None
) -> tuple[Program, str]:
    """The part of a program that is relevant to some predicates.

    Args:
        files: Encodings, by file name.
        text: Facts, one a line, and rules.
        wanted: The predicates that are queried or assumed; None for all.

    Returns:
        The relevant parts of the encodings and of the text.
    """
    files = tuple(files)
    if wanted is None:
        return _whole(files), text
    facts: list[tuple[str, str]] = []
    rules: list[str] = []
    for line in text.splitlines(keepends=True):
        name = _fact(line)
        if name is None:
            rules.append(line)
        else:
            facts.append((line, name))
    inside = {name for line in rules for name in _NAME.findall(line)}
    told = inside.union(name for _, name in facts)
    part = _part(files, _undefined(files) & told, frozenset(wanted) | inside)
    return part, "".join([*rules, *(line for line, name in facts if name in part.reads)])


def _fact(line: str) -> str | None:
    """The predicate of a line that is one fact; None for any other line."""
    if ":" in line or "{" in line or "#" in line or ". " in line:
        return None
    name = line.partition("(")[0].rstrip(".\n")
    return name if name.isidentifier() else None


@cache
def _whole(files: tuple[str, ...]) -> Program:
    found = _statements(files)
    nothing: Names = frozenset()
    names = nothing.union(*(each.defines | each.reads for each in found))
    return _program(found, names)


@cache
def _part(files: tuple[str, ...], told: Names, wanted: Names) -> Program:
    possible = _possible(_statements(files), told)
    reads = wanted
    while True:
        matter = [each for each in possible if not each.defines or each.defines & reads]
        more = reads.union(*(each.reads for each in matter))
        if more == reads:
            return _program(matter, reads)
        reads = more


def _program(found: Iterable[ProgramStatement], reads: Names) -> Program:
    found = tuple(found)
    nothing: Names = frozenset()
    shows = nothing.union(*(each.shows for each in found))
    return Program(tuple(each.text for each in found), reads, shows)


def _possible(found: tuple[ProgramStatement, ...], told: Names) -> tuple[ProgramStatement, ...]:
    """The statements that may apply: least fixpoint over their positive bodies."""
    derived = told
    while True:
        possible = tuple(each for each in found if each.takes <= derived)
        more = derived.union(*(each.defines for each in possible))
        if more == derived:
            return possible
        derived = more


@cache
def _undefined(files: tuple[str, ...]) -> Names:
    """The predicates that encodings read and do not define."""
    found = _statements(files)
    nothing: Names = frozenset()
    defined = nothing.union(*(each.defines for each in found))
    return nothing.union(*(each.reads for each in found)) - defined


@cache
def _statements(files: tuple[str, ...]) -> tuple[ProgramStatement, ...]:
    return tuple(statement for file in files for statement in statements(file))
