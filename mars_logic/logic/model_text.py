"""Atoms of clingo as text: the relations of a model, and single rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from itertools import islice

import clingo

Row = tuple[str, ...]
"""The arguments of an atom, as text."""

_MANY = 200
"""Symbols that become text at once."""


class ModelRelations(dict[str, list[Row]]):
    """The relations of a model, which hold no strings; one is parsed when it is first asked for.

    Args:
        model: A model.
        shown: The predicates that its program shows, if not all.
    """

    def __init__(self, model: clingo.Model, shown: Collection[str] = ()):
        super().__init__()
        self._shown = shown
        self._texts: defaultdict[str, list[str]] = defaultdict(list)
        for text in _texts(model.symbols(shown=True)):
            self._texts[text.partition("(")[0]].append(text)

    def __missing__(self, name: str) -> list[Row]:
        if self._shown and name not in self._shown:
            raise KeyError(f"{name} is not shown")
        self[name] = rows = [_arguments(text) for text in self._texts.get(name, ())]
        return rows


def _texts(symbols: Iterable[clingo.Symbol]) -> Iterator[str]:
    """Symbols as text, many by each call of clingo, which takes as long for one.

    Were they all alive at once, Python's garbage collector would run.
    """
    between = clingo.String("")
    left = iter(symbols)
    while some := [part for symbol in islice(left, _MANY) for part in (symbol, between)]:
        yield from str(clingo.Function("", some))[1 : -len(f",{between})")].split(f",{between},")


def row_of(symbol: clingo.Symbol) -> Row:
    """The arguments of an atom."""
    text = str(symbol)
    return tuple(map(str, symbol.arguments)) if '"' in text else _arguments(text)


def _arguments(atom: str) -> Row:
    """The arguments of an atom: what stands between its commas outside of inner parentheses."""
    inner = atom.partition("(")[2][:-1]
    parts = inner.split(",") if inner else []
    if "(" not in inner:
        return tuple(parts)
    found: list[str] = []
    depth = 0
    for part in parts:
        if depth:
            found[-1] += f",{part}"
        else:
            found.append(part)
        depth += part.count("(") - part.count(")")
    return tuple(found)
