"""Check of a program's names: a rule with a misspelt name would never be contradicted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from clingo import ast

from mars_logic.errors import InputError
from mars_logic.world import names
from mars_logic.world.fields import nearest
from mars_logic.world.vocabulary import Vocabulary, vocabulary

STATES: Final = ("sleeping", "daylight", "ground", "facing")
"""Fluents that are no items."""
KINDS: Final = tuple(look for look in names.LOOKS[:8] if look not in ("none", "player"))
"""Objects as programs call them."""
ARITY: Final = {
    "transition": 1,
    "did": 2,
    "chose": 2,
    "faces": 2,
    "ahead": 2,
    "becomes": 2,
    "before": 3,
    "after": 3,
    "gained": 3,
    "lost": 3,
    "near": 2,
    "sees": 2,
    "moved": 1,
    "stayed": 1,
    "need": 3,
    "threat": 2,
    "unlocked": 2,
    "rewarded": 2,
    "ends": 1,
}
"""The predicates of transitions, each with the number of its arguments."""
BY_FLUENT: Final = ("before", "after", "gained", "lost", "need")
"""Those whose second argument is a fluent."""
VERDICTS: Final = ("violated", "applicable")
"""Predicates that a program derives: see :mod:`mars_logic.theory.rulesets.constraints`."""
Names = Mapping[str, tuple[str, ...]]
"""Allowed names in the second argument of predicates of transitions."""


def names_in(words: Vocabulary) -> Names:
    """The names that programs may use about play with a vocabulary.

    Achievements are those of all dialects and of the vocabulary: a program is often written for
    worlds of several.
    """
    dialects = [vocabulary(dynamics).achievements for dynamics in names.DYNAMICS]
    achievements = [name for each in (*dialects, words.achievements) for name in each]
    return {
        **dict.fromkeys(("did", "chose"), words.actions),
        **dict.fromkeys(("faces", "becomes", "near", "sees"), (*words.materials, *KINDS)),
        "ahead": words.materials,
        **dict.fromkeys(("before", "after"), (*words.items, *STATES)),
        **dict.fromkeys(("gained", "lost"), words.items),
        "need": ("food", "drink", "health"),
        "threat": (*names.BEINGS, "arrow"),
        "unlocked": tuple(dict.fromkeys(achievements)),
    }


class Atoms(ast.Transformer):
    """Collects all atoms, wherever they stand."""

    def __init__(self) -> None:
        self.found: list[Any] = []

    def visit_SymbolicAtom(self, node: Any) -> Any:
        """Note an atom."""
        if node.symbol.ast_type == ast.ASTType.Function:
            self.found.append(node.symbol)
        return node

    @classmethod
    def of(cls, nodes: Iterable[Any]) -> list[Any]:
        """All atoms in some parts of a program, such as ``did(T, do)``."""
        atoms = cls()
        for node in nodes:
            atoms.visit(node)
        return atoms.found


def require_known(statements: list[Any], name: str, allowed: Names) -> None:
    """Make sure that a program asks for nothing that there is not, and says what is wrong.

    Args:
        statements: The program.
        name: The file, for messages.
        allowed: The names that it may use.

    Raises:
        InputError: It names a predicate or a thing that does not exist, or has no verdict.
    """
    rules = [each for each in statements if each.ast_type == ast.ASTType.Rule]
    heads = Atoms.of(literal for rule in rules for literal in _derived(rule.head))
    constants = {each.name for each in statements if each.ast_type == ast.ASTType.Definition}
    derived = {(each.name, len(each.arguments)) for each in heads}
    derived |= {(s.name, s.arity) for s in statements if s.ast_type == ast.ASTType.Defined}
    for atom in heads:
        if ARITY.get(atom.name) == len(atom.arguments):
            raise _refusal(name, atom, f"{atom.name} is an observation", "other names in heads")
    for atom in Atoms.of(statements):
        if (atom.name, len(atom.arguments)) not in derived:
            _require_predicate(atom, derived, name)
            known = allowed.get(atom.name, ())
            for told in _named(atom) if known else ():
                if told not in (*known, *constants):
                    found = f"{atom.name}: {told} is unknown{nearest(told, known)}"
                    raise _refusal(name, atom, found, ", ".join(known))
    if not any(each.name == "violated" for each in heads):
        raise InputError(
            f"{name}:1: program: nothing derives violated(Id); allowed: at least one rule that does"
        )


def _derived(head: Any) -> Iterator[Any]:
    """The literals that a head makes true, or may, without their conditions."""
    for element in getattr(head, "elements", (head,)):
        aggregated = element.ast_type == ast.ASTType.HeadAggregateElement
        each = element.condition if aggregated else element
        yield each.literal if each.ast_type == ast.ASTType.ConditionalLiteral else each


def _require_predicate(atom: Any, derived: set[tuple[str, int]], name: str) -> None:
    """An atom that the program does not derive has to be of what was seen."""
    arity = len(atom.arguments)
    if ARITY.get(atom.name) == arity:
        return
    known = [*ARITY, *(each for each, _ in derived)]
    arities = sorted(n for each, n in (*ARITY.items(), *derived) if each == atom.name)
    if arities:
        allowed = " or ".join(f"{atom.name}/{n}" for n in arities)
    else:
        allowed = f"{', '.join(f'{each}/{n}' for each, n in ARITY.items())}, and what it derives"
    found = f"nothing derives {atom.name}/{arity}{'' if arities else nearest(atom.name, known)}"
    raise _refusal(name, atom, found, allowed)


def _named(atom: Any) -> Iterator[str]:
    """The names in the second argument of an atom, if it is no variable."""
    second = atom.arguments[1]
    for each in second.arguments if second.ast_type == ast.ASTType.Pool else [second]:
        if each.ast_type == ast.ASTType.SymbolicTerm:
            yield str(each.symbol)


def _refusal(name: str, atom: Any, found: str, allowed: str) -> InputError:
    return InputError(f"{name}:{atom.location.begin.line}: program: {found}; allowed: {allowed}")
