"""Values that differ only in a probability of a yield or a spawn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from typing import Any, Final

from mars_logic.world.frozen import FrozenMap
from mars_logic.world.rules import Yield

from .weights import Weights

RATED: Final = ("yields", "spawns")
"""The fields of collect rules that state probabilities."""
_STATED: Final = tuple(n / 10 for n in range(1, 10))
RATES: Final = len(_STATED)
"""The probabilities that one thing is thought to come with."""


def variants(value: Mapping[str, Any]) -> Iterator[FrozenMap[str, Any]]:
    """The same with other probabilities, if one thing alone comes by chance.

    Args:
        value: The yields, or the creatures that appear, of a collect rule.
    """
    chances = [key for key, each in value.items() if _probability(each) is not None]
    if len(chances) == 1:
        (key,) = chances
        for rate in _STATED:
            given = value[key]
            single = not isinstance(given, Yield)
            other = rate if single else Yield(amount=given.amount, probability=rate)
            yield FrozenMap({**value, key: other})


def is_by_chance(value: Mapping[str, Any]) -> bool:
    """Whether something of it comes with some probability."""
    return any(_probability(each) is not None for each in value.values())


def pooled(weights: Weights) -> tuple[Any, float]:
    """The likeliest value once those that differ in probabilities alone are put together.

    Returns:
        Of the likeliest of these groups the likeliest value, and the weight of its group.
    """
    groups: defaultdict[Hashable, float] = defaultdict(float)
    for value, weight in weights.items():
        groups[_shape(value)] += weight
    best = max(groups, key=lambda group: groups[group])
    value = max((v for v in weights if _shape(v) == best), key=lambda v: weights[v])
    return value, groups[best]


def _shape(value: Mapping[str, Any]) -> Hashable:
    return frozenset(
        (key, _amount(each), _probability(each) is not None) for key, each in value.items()
    )


def _amount(given: Yield | float) -> int:
    return given.amount if isinstance(given, Yield) else int(given)


def _probability(given: Yield | float) -> float | None:
    if isinstance(given, Yield):
        return given.probability
    return given if isinstance(given, float) else None
