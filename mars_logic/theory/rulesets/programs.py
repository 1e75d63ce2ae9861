"""Analysis of a rule program: its rules, and the predicates of transitions that it uses.

This is read in a process of its own (:mod:`mars_logic.logic.sandbox`), so this module imports
little.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import clingo
from clingo import ast

from mars_logic.errors import InputError
from mars_logic.logic.sandbox import close_files, parsed, solve
from mars_logic.logic.source import Source
from mars_logic.theory.rulesets.vocabulary import (
    ARITY,
    BY_FLUENT,
    VERDICTS,
    Atoms,
    Names,
    require_known,
)
from mars_logic.world.fields import shown

ENCODING: Final = "facts/transitions.lp"
_FORBIDDEN: Final = {
    ast.ASTType.Script: "a script",
    ast.ASTType.Program: "a part of its own",
    ast.ASTType.External: "an external atom",
}
_MOST: Final = 5_000
"""Statements of a program; these are read in some seconds."""
_LANGUAGE: Final = "rules of clingo's language, without scripts, files and externals"


@dataclass(frozen=True)
class Constraint:
    """One rule of a program.

    Attributes:
        id: What the program calls it.
        line: Where it is first stated.
        text: Its name if that is a sentence, else the source of the rule that derives it.
    """

    id: str
    line: int
    text: str


@dataclass
class RuleProgram:
    """A program, made ready to run.

    Attributes:
        name: The file.
        text: The program, with transitions in the heads.
        asked: The predicates of transitions that it mentions.
        constraints: The rules whose names it states, by these.
        judged: The rules of which it says where they apply; None if these are of any name.
    """

    name: str
    text: str
    asked: dict[str, frozenset[str] | None]
    constraints: dict[str, Constraint] = field(default_factory=dict)
    judged: set[str] | None = field(default_factory=set)


Told = tuple[str, str, int | None]
"""A verdict: its predicate, the rule's name, and the transition that it is about, if it is one."""


def understood(source: Source, allowed: Names) -> RuleProgram:
    """Read a program of constraints, in this process, which can open no file afterwards.

    Args:
        source: The program.
        allowed: The names that it may use.

    Raises:
        InputError: It is no program, does what such a program may not, or names what there is not.
        MemoryError: It takes too much.
        RecursionError: It is nested too deeply.
    """
    close_files()
    statements = _statements(source)
    name = source.name
    require_known(statements, name, allowed)
    kinds = _argument_kinds(statements)
    program = RuleProgram(name, "", _asked(statements))
    text, lines = source.text.splitlines(), dict[int, list[str]]()
    for statement in statements:
        line = statement.location.begin.line
        told = statement
        if statement.ast_type == ast.ASTType.Rule:
            head = _function(statement.head)
            if head and head.name in VERDICTS:
                told = _with_transition(statement, head, kinds)
                _note(program, head, statement, text)
        lines.setdefault(line, []).append(str(told))
    count = max(lines, default=0)
    program.text = "\n".join(" ".join(lines.get(line, ())) for line in range(1, count + 1))
    return program


def verdicts(program: RuleProgram, facts: str) -> list[Told]:
    """The verdicts that a program derives from transitions, in this process.

    Args:
        program: The rules.
        facts: The transitions.

    Raises:
        InputError: The program is wrong, or has no or several models.
        MemoryError: It takes too much.
    """
    show = "\n".join(f"#show {name}/{arity}." for name in VERDICTS for arity in (1, 2))
    source = Source(f"{program.text}\n{show}", ((1, program.name),))
    answer = solve(source, facts, (ENCODING,), 2)
    if len(answer.models) != 1:
        number = "no model" if not answer.models else "several models"
        raise InputError(
            f"{program.name}:1: program: it has {number}; allowed: a program with exactly one, "
            "which says what is wrong by violated(Id)"
        )
    return [_verdict(clingo.parse_term(atom), program.name) for atom in answer.models[0]]


def _verdict(atom: clingo.Symbol, name: str) -> Told:
    about, *rest = atom.arguments
    if rest and rest[0].type != clingo.SymbolType.Number:
        found = f"{atom.name}: {shown(str(rest[0]))} is no transition"
        raise InputError(f"{name}:1: program: {found}; allowed: a transition, as T in did(T, A)")
    return atom.name, _name(about), rest[0].number if rest else None


def _statements(source: Source) -> list[Any]:
    """The statements of a program without ``#show``."""
    idle = (ast.ASTType.Program, ast.ASTType.ShowSignature, ast.ASTType.ShowTerm)
    parts = parsed(source, _FORBIDDEN, _LANGUAGE)
    found = [each for each in parts if each.ast_type not in idle]
    if len(found) > _MOST:
        told = f"it has {len(found):,} statements; allowed: at most {_MOST:,}"
        raise InputError(f"{source.name}:1: program: {told}")
    return found


def _function(node: Any) -> Any:
    """The atom that a literal consists of, such as ``did(T, do)``; None for anything else."""
    if node.ast_type == ast.ASTType.Literal and node.atom.ast_type == ast.ASTType.SymbolicAtom:
        symbol = node.atom.symbol
        return symbol if symbol.ast_type == ast.ASTType.Function else None
    return None


def _asked(statements: list[Any]) -> dict[str, frozenset[str] | None]:
    """Which predicates of transitions a program mentions, and with which fluents."""
    asked: dict[str, frozenset[str] | None] = {}
    for atom in Atoms.of(statements):
        if len(atom.arguments) != ARITY.get(atom.name):
            continue
        fluent = atom.arguments[1] if atom.name in BY_FLUENT else None
        known = asked.get(atom.name, frozenset())
        if known is None or fluent is None or fluent.ast_type != ast.ASTType.SymbolicTerm:
            asked[atom.name] = None
        else:
            asked[atom.name] = known | {str(fluent.symbol)}
    return asked


_Kinds = dict[tuple[str, int], set[int]]
"""For each predicate: which of its arguments are transitions."""


def _argument_kinds(statements: list[Any]) -> _Kinds:
    kinds: _Kinds = {signature: {0} for signature in ARITY.items()}
    rules = [
        (rule, head)
        for rule in statements
        if rule.ast_type == ast.ASTType.Rule and (head := _function(rule.head))
    ]
    reading = defaultdict[tuple[str, int], list[int]](list)
    for number, (rule, _) in enumerate(rules):
        for atom in filter(None, map(_function, rule.body)):
            reading[atom.name, len(atom.arguments)].append(number)
    waiting = deque(range(len(rules)))
    while waiting:
        rule, head = rules[waiting.popleft()]
        variables = set(_transitions_of(rule, kinds))
        signature = head.name, len(head.arguments)
        known = kinds.setdefault(signature, set())
        new = {n for n, each in enumerate(head.arguments) if str(each) in variables} - known
        if new:
            known |= new
            waiting.extend(reading[signature])
    return kinds


def _transitions_of(rule: Any, kinds: _Kinds) -> Iterator[str]:
    """The variables of a rule's body that stand for transitions, in order."""
    for literal in rule.body:
        atom = _function(literal)
        if atom is not None:
            for place in sorted(kinds.get((atom.name, len(atom.arguments)), ())):
                if atom.arguments[place].ast_type == ast.ASTType.Variable:
                    yield str(atom.arguments[place])


def _with_transition(rule: Any, head: Any, kinds: _Kinds) -> Any:
    """The rule with the transition in its head, where it only has a name."""
    variable = next(_transitions_of(rule, kinds), None)
    if len(head.arguments) != 1 or variable is None:
        return rule
    arguments = [*head.arguments, ast.Variable(head.location, variable)]
    symbol = ast.Function(head.location, head.name, arguments, 0)
    atom = ast.SymbolicAtom(symbol)
    return rule.update(head=rule.head.update(atom=atom))


def _note(program: RuleProgram, head: Any, rule: Any, lines: Sequence[str]) -> None:
    named = head.arguments and head.arguments[0].ast_type == ast.ASTType.SymbolicTerm
    name = _name(head.arguments[0].symbol) if named else None
    if head.name == "applicable":
        known = program.judged
        program.judged = None if known is None or name is None else known | {name}
    elif name is not None and name not in program.constraints:
        begin, end = rule.location.begin.line, rule.location.end.line
        source = " ".join(" ".join(lines[begin - 1 : end]).split())
        is_sentence = head.arguments[0].symbol.type == clingo.SymbolType.String
        program.constraints[name] = Constraint(name, begin, name if is_sentence else source)


def _name(symbol: clingo.Symbol) -> str:
    return symbol.string if symbol.type == clingo.SymbolType.String else str(symbol)
