"""Field values in words: single, certain and remaining ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, Final

from mars_logic.theory.claims import Field
from mars_logic.theory.consequences import Remaining
from mars_logic.world.words.kinds import spaced

_LISTED: Final = 6
"""More values than these are counted."""


def worded(value: Any) -> str:
    """A value of a field, in short.

    Example:
        >>> worded({"wood": 1, "stone": 2})
        '1 wood, 2 stone'
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:+d}" if value else "0"
    if hasattr(value, "items"):
        return ", ".join(_amount(name, given) for name, given in value.items()) or "nothing"
    if isinstance(value, str):
        return spaced(value)
    if value is None:
        return "nothing"
    return ", ".join(map(spaced, value)) or "nothing"


def _amount(name: str, given: Any) -> str:
    amount = given if isinstance(given, int | float) else given.amount
    probability = None if isinstance(given, int | float) else given.probability
    if isinstance(amount, float):
        return f"{spaced(name)} with {amount:.0%}"
    return f"{amount} {spaced(name)}" + ("" if probability is None else f" with {probability:.0%}")


def tell_certain(fields: Mapping[Field, Any]) -> Iterator[str]:
    """A line for each rule with certain fields.

    Example:
        >>> [*tell_certain({("walk.sand", "walkable"): True, ("walk.sand", "health"): 0})]
        ['walk.sand: walkable yes; health 0']
    """
    return _by_rule((name, worded(value)) for name, value in fields.items())


def tell_open(fields: Mapping[Field, Remaining]) -> Iterator[str]:
    """A line for each rule with fields that are reduced but still open.

    Example:
        >>> needed = Remaining(({}, {"sapling": 1}, {"wood": 1}), ({}, {"sapling": 1}), ({},))
        >>> [*tell_open({("collect.iron", "requires"): needed})]
        ['collect.iron: requires nothing | 1 sapling']
    """
    return _by_rule((name, _left(each)) for name, each in fields.items() if each.excluded)


def _left(remaining: Remaining) -> str:
    """The values that remain, or how many if they are too many to read."""
    if len(remaining.possible) > _LISTED:
        return f"one of {len(remaining.possible)} values of {len(remaining.candidates)}"
    return " | ".join(map(worded, remaining.possible))


def _by_rule(fields: Iterable[tuple[Field, str]]) -> Iterator[str]:
    for rule, told in groupby(fields, key=lambda each: each[0][0]):
        yield f"{rule}: {'; '.join(f'{name} {text}' for (_, name), text in told)}"
