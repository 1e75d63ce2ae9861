"""Smallest hitting sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_MOST_STEPS: Final = 20_000
"""A search that takes more steps is given up."""


def hitting_set(sets: Sequence[frozenset[int]], order: Sequence[int]) -> list[int] | None:
    """A smallest set that has an element in common with each of some sets; early ones first.

    Args:
        sets: The sets to hit; none is empty.
        order: All elements, those preferred first.

    Returns:
        The set, in that order; None if the search was given up.
    """
    rank = {each: n for n, each in enumerate(order)}
    steps = 0

    def extend(chosen: tuple[int, ...], size: int) -> tuple[int, ...] | None:
        nonlocal steps
        steps += 1
        missed = [each for each in sets if not each.intersection(chosen)]
        if not missed:
            return chosen
        if len(chosen) == size or steps > _MOST_STEPS:
            return None
        shortest = min(missed, key=len)
        for each in sorted(shortest, key=rank.__getitem__):
            found = extend((*chosen, each), size)
            if found is not None:
                return found
        return None

    for size in range(len(sets) + 1):
        found = extend((), size)
        if found is not None or steps > _MOST_STEPS:
            return sorted(found, key=rank.__getitem__) if found is not None else None
    raise ValueError("an empty set cannot be hit")
