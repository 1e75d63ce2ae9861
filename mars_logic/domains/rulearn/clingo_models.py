"""What clingo decides about version spaces: projected models, consequences, and costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import clingo

from mars_logic import resources
from mars_logic.interruptions import held_back

Arguments = tuple[Any, ...]
"""The arguments of an atom: whole numbers and texts."""


class Facts:
    """Facts for clingo."""

    def __init__(self) -> None:
        self._facts: list[str] = []

    def add(self, name: str, *arguments: int | str) -> None:
        """Add a fact; texts become strings of clingo's."""
        terms = [
            clingo.String(each) if isinstance(each, str) else clingo.Number(each)
            for each in arguments
        ]
        self._facts.append(f"{clingo.Function(name, terms)}.")

    def __str__(self) -> str:
        """One a line."""
        return "".join(f"{each}\n" for each in self._facts)


def projections(encoding: str, facts: str, name: str, arity: int) -> list[frozenset[Arguments]]:
    """The atoms of a predicate in each model, each set of them once.

    Args:
        encoding: A file of ``encodings/``.
        facts: What it reads.
        name: The predicate.
        arity: The number of its arguments.
    """
    options = ["0", "--project"]
    project = f"#project {name}/{arity}."
    return [frozenset(atoms) for atoms, _ in _models(encoding, facts + project, name, options)]


def certain_and_possible(
    encoding: str, facts: str, name: str, arity: int
) -> tuple[frozenset[Arguments], frozenset[Arguments]]:
    """The atoms of a predicate that are in all models, and those that are in some.

    Both are empty if there is no model.
    """
    show = f"#show {name}/{arity}."
    found = []
    for mode in ("cautious", "brave"):
        options = ["0", f"--enum-mode={mode}", "--opt-mode=ignore"]
        last: Sequence[Arguments] = ()
        for last, _ in _models(encoding, facts + show, name, options):  # noqa: B007
            pass
        found.append(frozenset(last))
    return found[0], found[1]


def costs(encoding: str, facts: str, name: str) -> list[tuple[int, tuple[Arguments, ...]]]:
    """The cost of each model with the atoms of a predicate in it, the cheapest first."""
    models = _models(encoding, facts, name, ["0", "--opt-mode=enum"])
    return sorted((sum(cost), tuple(sorted(atoms))) for atoms, cost in models)


def _models(
    encoding: str, program: str, name: str, options: Sequence[str]
) -> Iterator[tuple[list[Arguments], list[int]]]:
    control = clingo.Control(["--warn=none", *options])
    control.load(resources.encoding(encoding))
    control.add("base", [], program)
    control.ground([("base", [])])
    found = []
    with held_back(), control.solve(yield_=True) as handle:
        for model in handle:
            atoms = [each for each in model.symbols(shown=True) if each.name == name]
            found.append(([_arguments(each) for each in atoms], list(model.cost)))
    yield from found


def _arguments(atom: clingo.Symbol) -> Arguments:
    return tuple(
        each.number if each.type == clingo.SymbolType.Number else each.string
        for each in atom.arguments
    )
