"""Rules as logic programs over transitions, such as ``violated("never") :- did(T, do), ...``.

Every ``violated(Id)`` is a rule, and what derives it are its counterexamples; ``applicable(Id, T)``
tells where it could have been violated, so that silence can be told from support. A head need not
name the transition: it is the one that the rule's body speaks of first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import clingo
from clingo import ast

from mars_logic.data.trajectory import Trajectory
from mars_logic.errors import InputError
from mars_logic.hypotheses.transitions import ARITY, BY_FLUENT, Group, Transitions
from mars_logic.hypotheses.vocabulary import VERDICTS, Atoms, require_known
from mars_logic.logic.child import MEGABYTES, SECONDS, run_program

ENCODING: Final = "transitions.lp"
_STRING: Final = "<string>"
"""What clingo calls text that is from no file."""
_FORBIDDEN: Final = {
    ast.ASTType.Script: "a script",
    ast.ASTType.Program: "a part of its own",
    ast.ASTType.External: "an external atom",
}
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
class Program:
    """A program, made ready to run.

    Attributes:
        name: The file.
        text: The program, with transitions in the heads.
        asked: The predicates of transitions that it mentions.
        constraints: The rules whose names it states.
        judged: The rules of which it says where they apply; None if these are of any name.
    """

    name: str
    text: str
    asked: dict[str, frozenset[str] | None]
    constraints: list[Constraint] = field(default_factory=list)
    judged: set[str] | None = field(default_factory=set)


@dataclass(frozen=True)
class Judged:
    """What a record says of a constraint.

    Attributes:
        constraint: The rule.
        applicable: How many transitions it could be violated by; None if the program does not say.
        violations: The groups of transitions that violate it.
        everywhere: Whether it is violated by the record as a whole.
    """

    constraint: Constraint
    applicable: int | None
    violations: tuple[Group, ...]
    everywhere: bool = False


def read_program(text: str, name: str) -> Program:
    """Read a program of constraints.

    Args:
        text: The program.
        name: The file, for messages.

    Raises:
        InputError: It is no program, does what such a program may not, or names what there is not.
    """
    statements = _parsed(text, name)
    require_known(statements, name)
    kinds = _argument_kinds(statements)
    program = Program(name, "", _asked(statements))
    lines: dict[int, list[str]] = {}
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


def run(
    program: Program,
    trajectories: Iterable[Trajectory],
    *,
    megabytes: int = MEGABYTES,
    seconds: float = SECONDS,
) -> tuple[Judged, ...]:
    """Judge every rule of a program by trajectories.

    It is grounded and solved in a process of its own.

    Args:
        program: The rules.
        trajectories: Recorded episodes.
        megabytes: How much memory it may take.
        seconds: How much time it may take.

    Raises:
        InputError: The program is wrong, has no or several models, or takes too much.
    """
    transitions = Transitions(program.asked)
    for trajectory in trajectories:
        transitions.add(trajectory)
    shown = "\n".join(f"#show {name}/{arity}." for name in VERDICTS for arity in (1, 2))
    answer = run_program(
        f"{program.text}\n{shown}",
        "\n".join(transitions.facts),
        (ENCODING,),
        name=program.name,
        models=2,
        megabytes=megabytes,
        seconds=seconds,
    )
    if len(answer.models) != 1:
        number = "no model" if not answer.models else "several models"
        raise InputError(
            f"{program.name}:1: program: it has {number}; allowed: a program with exactly one, "
            "which says what is wrong by violated(Id)"
        )
    return tuple(_judged(program, transitions.groups, answer.models[0]))


# --- Reading ------------------------------------------------------------------------------------


def _parsed(text: str, name: str) -> list[Any]:
    messages: list[str] = []
    found: list[Any] = []
    try:
        ast.parse_string(text, found.append, logger=lambda _, message: messages.append(message))
    except RuntimeError:
        told = messages[0] if messages else "<string>:1:1: error: unreadable"
        place, _, what = told.partition("error: ")
        line = place.split(":")[1] if place.count(":") > 1 else "1"
        message = " ".join(what.split()) or "unreadable"
        raise InputError(f"{name}:{line}: program: {message}; allowed: {_LANGUAGE}") from None
    statements = [each for each in found if str(each) != "#program base."]
    for each in statements:
        forbidden = _FORBIDDEN.get(each.ast_type)
        if each.location.begin.filename != _STRING:
            raise InputError(f"{name}:1: program: a file is included; allowed: {_LANGUAGE}")
        if forbidden:
            line = each.location.begin.line
            raise InputError(
                f"{name}:{line}: program: {forbidden} is not allowed; allowed: {_LANGUAGE}"
            )
    shows = (ast.ASTType.ShowSignature, ast.ASTType.ShowTerm)
    return [each for each in statements if each.ast_type not in shows]


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
    changed = True
    while changed:
        changed = False
        for statement in statements:
            head = _function(statement.head) if statement.ast_type == ast.ASTType.Rule else None
            if head is None:
                continue
            variables = set(_transitions_of(statement, kinds))
            known = kinds.setdefault((head.name, len(head.arguments)), set())
            for place, argument in enumerate(head.arguments):
                if str(argument) in variables and place not in known:
                    known.add(place)
                    changed = True
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


def _note(program: Program, head: Any, rule: Any, text: str) -> None:
    """Note the rule that a head names."""
    named = head.arguments and head.arguments[0].ast_type == ast.ASTType.SymbolicTerm
    name = _name(head.arguments[0].symbol) if named else None
    if head.name == "applicable":
        known = program.judged
        program.judged = None if known is None or name is None else known | {name}
    elif name is not None and name not in {known.id for known in program.constraints}:
        begin, end = rule.location.begin.line, rule.location.end.line
        source = " ".join(" ".join(text.splitlines()[begin - 1 : end]).split())
        is_sentence = head.arguments[0].symbol.type == clingo.SymbolType.String
        program.constraints.append(Constraint(name, begin, name if is_sentence else source))


def _name(symbol: clingo.Symbol) -> str:
    return symbol.string if symbol.type == clingo.SymbolType.String else str(symbol)


# --- Judging ------------------------------------------------------------------------------------


def _judged(program: Program, groups: list[Group], model: Iterable[str]) -> Iterator[Judged]:
    found: dict[str, dict[str, set[int]]] = {name: {} for name in VERDICTS}
    everywhere: set[str] = set()
    for atom in map(clingo.parse_term, model):
        name = _name(atom.arguments[0])
        numbers = found[atom.name].setdefault(name, set())
        if len(atom.arguments) == 1:
            everywhere |= {name} if atom.name == "violated" else set()
        elif atom.arguments[1].type == clingo.SymbolType.Number:
            numbers.add(atom.arguments[1].number)
    stated = {each.id: each for each in program.constraints}
    for name in (*found["violated"], *found["applicable"]):
        stated.setdefault(name, Constraint(name, 1, name))
    for name, constraint in stated.items():
        violations = found["violated"].get(name, set())
        applicable = found["applicable"].get(name, set()) | violations
        known = program.judged is None or name in program.judged
        yield Judged(
            constraint,
            sum(groups[number].count for number in applicable) if known else None,
            tuple(groups[number] for number in sorted(violations)),
            name in everywhere,
        )
