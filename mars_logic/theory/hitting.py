"""Smallest hitting sets."""

from __future__ import annotations

from collections.abc import Sequence


def hitting_set(sets: Sequence[frozenset[int]], order: Sequence[int]) -> list[int]:
    """A smallest set that has an element in common with each of some sets; early ones first.

    Args:
        sets: The sets to hit; none is empty.
        order: All elements, those preferred first.
    """
    rank = {each: n for n, each in enumerate(order)}

    def extend(chosen: tuple[int, ...], size: int) -> tuple[int, ...] | None:
        missed = [each for each in sets if not each.intersection(chosen)]
        if not missed:
            return chosen
        if len(chosen) == size:
            return None
        shortest = min(missed, key=len)
        for each in sorted(shortest, key=rank.__getitem__):
            found = extend((*chosen, each), size)
            if found is not None:
                return found
        return None

    for size in range(len(sets) + 1):
        if (found := extend((), size)) is not None:
            return sorted(found, key=rank.__getitem__)
    raise AssertionError("all elements together hit every set")
