"""What a theory in JSON may be: its open fields filled with each of their alternatives."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from mars_logic.world.uncertain import UNKNOWN

MOST: Final = 10_000
"""Completions that are looked at."""


def completions(stated: Any) -> Iterator[tuple[Any, float]]:
    """What a rule in JSON may be, each with the product of its alternatives' weights.

    Raises:
        LookupError: Nothing is known of a field.
    """
    if stated == UNKNOWN.value:
        raise LookupError(stated)
    if isinstance(stated, Mapping) and set(stated) == {"one_of"}:
        for option in stated["one_of"]:
            for value, weight in completions(option["value"]):
                yield value, weight * option["weight"]
    elif isinstance(stated, Mapping):
        for values, weight in _chosen([*stated.values()]):
            yield dict(zip(stated, values, strict=True)), weight
    elif isinstance(stated, list):
        for values, weight in _chosen(stated):
            yield [*values], weight
    else:
        yield stated, 1.0


def _chosen(parts: list[Any]) -> Iterator[tuple[tuple[Any, ...], float]]:
    """The completions of several parts together, of each at most one more than are looked at."""
    each = [[*itertools.islice(completions(part), MOST + 1)] for part in parts]
    for chosen in itertools.product(*each):
        values, weights = tuple(zip(*chosen, strict=True)) or ((), ())
        yield values, math.prod(weights)


def completed(stated: Any, make: Callable[[Any], Any]) -> tuple[Any, ...] | None:
    """All that a part of a rule may be; None if a field is unknown, or there are too many.

    Args:
        stated: The part in JSON.
        make: Makes of a completion what it stands for; None if it cannot be.
    """
    try:
        found = [*itertools.islice(completions(stated), MOST + 1)]
    except LookupError:
        return None
    made = (make(each) for each, _ in found)
    return tuple(each for each in made if each is not None) if len(found) <= MOST else None


def likeliest(stated: Any) -> Any:
    """A rule in JSON, its open fields filled with their likeliest alternatives.

    Raises:
        LookupError: Nothing is known of a field.
    """
    if stated == UNKNOWN.value:
        raise LookupError(stated)
    if isinstance(stated, Mapping) and set(stated) == {"one_of"}:
        return likeliest(max(stated["one_of"], key=lambda each: each["weight"])["value"])
    if isinstance(stated, Mapping):
        return {key: likeliest(value) for key, value in stated.items()}
    return [likeliest(each) for each in stated] if isinstance(stated, list) else stated
