"""Fields of games in words and as facts, open ones included."""

from __future__ import annotations

from typing import Any

from mars_logic.domains.game import options


def value(field: Any) -> str:
    """A field's value: as it is, ``unknown``, or alternatives with their probabilities."""
    found = options(field)
    if found is None:
        return "unknown"
    if len(found) == 1:
        return plain(next(iter(found)))
    return " or ".join(f"{plain(each)} ({weight:.0%})" for each, weight in found.items())


def plain(each: Any) -> str:
    """A number without needless digits, or a word."""
    return f"{each:g}" if isinstance(each, float) else str(each)


def holding(head: str, field: Any) -> list[str]:
    """Facts that a field may hold these values; none if nothing is known of it.

    Args:
        head: The beginning of the fact: ``name(`` or ``name(argument``.
        field: The field. Numbers that are not whole are told as text, since ASP has none.
    """
    start = head if head.endswith("(") else f"{head}, "
    return [f"{start}{_term(each)})." for each in options(field) or {}]


def _term(each: Any) -> str:
    if isinstance(each, int):
        return str(each)
    return f'"{plain(each)}"' if isinstance(each, float) else str(each).lower()
