"""Facts of puzzles for clingo: texts are quoted, and of what is open all that is possible."""

from __future__ import annotations

from typing import Any

from mars_logic.domains.game import options
from mars_logic.domains.rulearn.puzzle import Puzzle


def fact(name: str, *arguments: int | str) -> str:
    """A fact.

    Example:
        >>> fact("value", "a", 3)
        'value("a", 3).'
    """
    told = (str(each) if isinstance(each, int) else f'"{_escaped(each)}"' for each in arguments)
    return f"{name}({', '.join(told)})."


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def possible(name: str, *arguments: int | str, field: Any) -> list[str]:
    """Facts that a field may hold these values, its last argument; none if it is unknown."""
    return [fact(name, *arguments, each) for each in options(field) or ()]


def puzzle_facts(puzzle: Puzzle, more: list[str]) -> str:
    """The facts that all puzzles have, and others, one a line."""
    about = [fact("length", puzzle.length), fact("dialect", puzzle.dialect)]
    return "\n".join([*about, *more]) + "\n"
