"""The part of a logic program that is relevant to a query; encodings are parsed once.

A statement is irrelevant if no queried predicate depends on it, or if its body needs an undefined
predicate. The remaining program has the same models, projected to the query.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import clingo
from clingo import ast

from mars_logic import resources

Names = frozenset[str]
"""Names of predicates."""

_NAME = re.compile(r"[a-z_]\w*")
_IDLE = (
    ast.ASTType.Comment,
    ast.ASTType.Defined,
    ast.ASTType.Program,
    ast.ASTType.ShowSignature,
)


@dataclass(frozen=True)
class ProgramStatement:
    """A statement of an encoding.

    Attributes:
        node: The syntax tree for clingo.
        defines: The predicates of its head; empty for constraints and directives.
        reads: All predicates that its body and its conditions mention.
        takes: The positive ones, which must be derivable for it to apply.
    """

    node: ast.AST
    defines: Names
    reads: Names
    takes: Names


@dataclass(frozen=True)
class Program:
    """The part of some encodings that is relevant to a query.

    Attributes:
        nodes: Its statements.
        reads: Predicates that they mention, and the queried ones.
    """

    nodes: tuple[ast.AST, ...]
    reads: Names

    def add_to(self, control: clingo.Control) -> None:
        """Add the statements to what a control grounds."""
        with ast.ProgramBuilder(control) as builder:
            for node in self.nodes:
                builder.add(node)


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
    statements = _statements(files)
    nothing: Names = frozenset()
    names = nothing.union(*(each.defines | each.reads for each in statements))
    return Program(tuple(each.node for each in statements), names)


@cache
def _part(files: tuple[str, ...], told: Names, wanted: Names) -> Program:
    statements = _possible(_statements(files), told)
    reads = wanted
    while True:
        matter = [each for each in statements if not each.defines or each.defines & reads]
        more = reads.union(*(each.reads for each in matter))
        if more == reads:
            return Program(tuple(each.node for each in matter), reads)
        reads = more


def _possible(
    statements: tuple[ProgramStatement, ...], told: Names
) -> tuple[ProgramStatement, ...]:
    """The statements that may apply: least fixpoint over their positive bodies."""
    derived = told
    while True:
        possible = tuple(each for each in statements if each.takes <= derived)
        more = derived.union(*(each.defines for each in possible))
        if more == derived:
            return possible
        derived = more


@cache
def _undefined(files: tuple[str, ...]) -> Names:
    """The predicates that encodings read and do not define."""
    statements = _statements(files)
    nothing: Names = frozenset()
    defined = nothing.union(*(each.defines for each in statements))
    return nothing.union(*(each.reads for each in statements)) - defined


@cache
def _statements(files: tuple[str, ...]) -> tuple[ProgramStatement, ...]:
    return tuple(statement for file in files for statement in _read(file))


@cache
def _read(file: str) -> tuple[ProgramStatement, ...]:
    nodes: list[ast.AST] = []
    ast.parse_files([resources.encoding(file)], nodes.append)
    return tuple(_statement(node) for node in nodes if node.ast_type not in _IDLE)


def _statement(node: ast.AST) -> ProgramStatement:
    nothing: Names = frozenset()
    if node.ast_type != ast.ASTType.Rule:
        return ProgramStatement(node, nothing, _names(node), nothing)
    takes = {name for part in node.body if _is_taken(part) for name in _names(part)}
    defines, reads = _head(node.head)
    reads = reads.union(*(_names(part) for part in node.body))
    return ProgramStatement(node, defines, reads, frozenset(takes))


def _head(head: ast.AST) -> tuple[Names, Names]:
    """The predicates that a head defines and reads."""
    if head.ast_type == ast.ASTType.Literal:
        return _names(head), frozenset()
    if head.ast_type != ast.ASTType.Aggregate:
        return _names(head), _names(head)
    nothing: Names = frozenset()
    defines = nothing.union(*(_names(each.literal) for each in head.elements))
    return defines, nothing.union(*(_names(c) for each in head.elements for c in each.condition))


def _is_taken(part: ast.AST) -> bool:
    """Whether a body literal is a positive atom."""
    return (
        part.ast_type == ast.ASTType.Literal
        and part.sign == ast.Sign.NoSign
        and part.atom.ast_type == ast.ASTType.SymbolicAtom
    )


def _names(node: ast.AST) -> Names:
    """The names of all predicates in a part of a statement."""
    collector = _Collector()
    collector.visit(node)
    return frozenset(collector.names)


class _Collector(ast.Transformer):
    """Collects the names of predicates."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_SymbolicAtom(self, atom: ast.AST) -> ast.AST:
        """Look at an atom."""
        term = atom.symbol
        while term.ast_type != ast.ASTType.Function:
            term = term.arguments[0] if term.ast_type == ast.ASTType.Pool else term.argument
        self.names.add(term.name)
        return atom
