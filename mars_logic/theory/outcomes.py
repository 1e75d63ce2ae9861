"""Outcome distribution of collecting."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

_NEVER = 1e-12
Gain = tuple[str, int]
"""An item and its amount."""


class Outcome(NamedTuple):
    """A set of items yielded together, and the probability of exactly this set."""

    gains: dict[str, int]
    probability: float


def outcomes(yields: Mapping[str, Any], dynamics: str) -> tuple[Outcome, ...]:
    """All outcomes with a probability above 0; see docs/semantics.md, "The player".

    Args:
        yields: As in a collect rule.
        dynamics: In mars at most one of the chances comes; in crafter one draw decides on all.
    """
    certain = {item: given.amount for item, given in yields.items() if given.probability is None}
    chances = {
        item: (given.amount, given.probability)
        for item, given in yields.items()
        if given.probability is not None
    }
    apart = _nested if dynamics == "crafter" else _exclusive
    return tuple(
        Outcome(certain | gains, probability)
        for gains, probability in apart(chances)
        if probability > _NEVER
    )


@lru_cache(maxsize=1 << 12)
def possible_gains(yields: Mapping[str, Any], dynamics: str) -> frozenset[frozenset[Gain]]:
    """The sets of items that may come together, whatever their probabilities."""
    return frozenset(frozenset(each.gains.items()) for each in outcomes(yields, dynamics))


Chances = Mapping[str, tuple[int, float]]


def _exclusive(chances: Chances) -> list[tuple[dict[str, int], float]]:
    found = [({item: amount}, p) for item, (amount, p) in chances.items()]
    return [*found, ({}, 1.0 - sum(p for _, p in found))]


def _nested(chances: Chances) -> list[tuple[dict[str, int], float]]:
    """An item comes if the draw is at most its probability: so with it all likelier ones come."""
    steps = sorted({0.0, 1.0, *(p for _, p in chances.values())})
    return [
        ({item: n for item, (n, p) in chances.items() if p >= up_to}, up_to - above)
        for above, up_to in pairwise(steps)
    ]
