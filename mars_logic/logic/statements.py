"""The statements of an encoding, with the predicates that each defines and reads.

They are found in the text. clingo's syntax trees would tell the same, but take a tenth of a second
for the encodings of a proof, more than their grounding. Encodings need not use all of clingo's
language: theory atoms and scripts are not understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from mars_logic.system import resources

Names = frozenset[str]
"""Names of predicates."""

_COMMENT: Final = re.compile(r'("(?:[^"\\]|\\.)*")|%\*.*?\*%|%[^\n]*', re.DOTALL)
_STATEMENT: Final = re.compile(r'\s*((?:"(?:[^"\\]|\\.)*"|\.\.|[^".])+\.(?:\s*\[[^\]]*\])?)')
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_INNERMOST: Final = re.compile(r"\([^()]*\)|\[[^][]*\]")
_TOKEN: Final = re.compile(r":[-~]|\.\.|[!<>=]=|#?\w+|\S")
_NAME: Final = re.compile(r"_*[a-z]\w*")
_IDLE: Final = ("#defined", "#program")
_BEFORE_ATOMS: Final = frozenset(
    (":-", ":~", ":", ",", ";", "{", "|", "not", "#external", "#heuristic")
)
_IN_TERMS: Final = frozenset("=<>+-*/\\^?&@") | {"!=", "<=", ">=", "==", ".."}


@dataclass(frozen=True)
class ProgramStatement:
    """A statement of an encoding.

    Attributes:
        text: Its text, without comments.
        defines: The predicates of its head; empty for constraints and directives.
        reads: All predicates that its body and its conditions mention.
        takes: The positive ones, which must be derivable for it to apply.
        shows: The predicates that it shows.
    """

    text: str
    defines: Names
    reads: Names
    takes: Names
    shows: Names = frozenset()


class _Atom(NamedTuple):
    """An atom: the name of its predicate, and the place where it stands.

    Attributes:
        name: The predicate.
        alone: Whether it is a literal by itself, neither negated nor under a condition nor in an
            aggregate.
        condition: Whether it stands in a condition.
    """

    name: str
    alone: bool
    condition: bool


@cache
def statements(file: str) -> tuple[ProgramStatement, ...]:
    """The statements of a file of ``encodings/``, which may include no others."""
    return read_statements(resources.text_at(resources.folder("encodings") / file))


def read_statements(text: str) -> tuple[ProgramStatement, ...]:
    """The statements of a text, except for those that say nothing of models."""
    bare = _COMMENT.sub(lambda found: found[1] or " ", text)
    found = map(_statement, _STATEMENT.findall(bare))
    return tuple(each for each in found if each is not None)


def _statement(text: str) -> ProgramStatement | None:
    tokens = _outside_of_arguments(text)
    first = tokens[0]
    if first in _IDLE:
        return None
    nothing: Names = frozenset()
    if first == "#show":
        shown = frozenset(filter(_NAME.fullmatch, tokens[1:2]))
        return ProgramStatement(text, nothing, _names(_atoms(tokens)), nothing, shown)
    if first == ":~" or (first.startswith("#") and ":-" not in tokens):
        return ProgramStatement(text, nothing, _names(_atoms(tokens)), nothing)
    cut = tokens.index(":-") if ":-" in tokens else len(tokens)
    defines, head_reads = _head(tokens[:cut])
    body = [*_atoms(tokens[cut:])]
    takes = _names(atom for atom in body if atom.alone)
    return ProgramStatement(text, defines, head_reads | _names(body), takes)


def _outside_of_arguments(text: str) -> list[str]:
    """The tokens of a statement, without what stands in parentheses and brackets."""
    rest = _STRING.sub("0", text)
    while rest != (rest := _INNERMOST.sub(" ", rest)):
        pass
    return _TOKEN.findall(rest)


def _head(tokens: list[str]) -> tuple[Names, Names]:
    """The predicates that a head defines and reads."""
    atoms = [*_atoms(tokens)]
    if "{" in tokens:  # a choice
        conditions = _names(atom for atom in atoms if atom.condition)
        return _names(atom for atom in atoms if not atom.condition), conditions
    alternatives = not {":", ";", "|"}.isdisjoint(tokens)
    return _names(atoms), _names(atoms) if alternatives else frozenset()


def _atoms(tokens: list[str]) -> Iterator[_Atom]:
    """The atoms among the tokens of a head, a body or a directive."""
    inside = tuples = condition = False
    for before, token, after in zip(["{", *tokens], tokens, [*tokens[1:], "."], strict=False):
        if token in "{}":
            inside, tuples, condition = token == "{", before.startswith("#"), False
        elif token in ":;":
            condition = token == ":"
        elif (
            _NAME.fullmatch(token)
            and token != "not"
            and before in _BEFORE_ATOMS
            and after not in _IN_TERMS
            and (condition or not tuples)
        ):
            alone = not (inside or condition or before == "not" or after == ":")
            yield _Atom(token, alone, condition)


def _names(atoms: Iterable[_Atom]) -> Names:
    return frozenset(atom.name for atom in atoms)
