"""The prior of rule fields: usual values, and simplicity where nothing is known."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Final

from mars_logic.theory.claims import Field
from mars_logic.theory.signatures import Held, Signature
from mars_logic.world import names
from mars_logic.world.field_values import domain, materials_nearby
from mars_logic.world.vocabulary import Vocabulary

from .rates import is_by_chance
from .sites import Nearby
from .weights import by_size, normal

KINDS: Final = {
    "walk": "terrain",
    "drink": "survival",
    "eat": "survival",
    "collect": "task",
    "place": "task",
    "make": "task",
}
"""The families of rules with which experiments can be made, by the part of the game."""


@cache
def usual_values(name: Field, words: Vocabulary) -> frozenset[Any]:
    """The usual values of a field."""
    return frozenset(domain(*name, words))


def kind_of(name: Field) -> str:
    """The part of the game that a field belongs to; whether a liquid can be drunk, to survival."""
    family, _, subject = name[0].partition(".")
    drinkable = name[1] == "collectable" and subject in names.LIQUIDS
    return KINDS["drink" if drinkable else family]


def had(signature: Signature) -> set[str]:
    """The items that were held after something, where that is seen."""
    held = getattr(signature, "held_after", None)
    return {item for item, n in held.named() if n} if isinstance(held, Held) else set()


def as_in_others(weights: Mapping[Any, float], others: Counter[Any]) -> dict[Any, float]:
    """The weights of values of which some are known from other rules of the family.

    How much all values together weigh that no other rule has, is estimated by how many rules have
    a value that no other has (Good, 1953), by the rule of succession.

    Args:
        weights: The weights of all values where nothing is known; their sum is 1.
        others: How many other rules have each value.
    """
    single = sum(times == 1 for times in others.values())
    new = (single + 1) / (others.total() + 2)
    share = (1 - new) / max(1, others.total())
    return {v: new * weight + share * others[v] for v, weight in weights.items()}


def as_sure(weights: Mapping[Any, float], others: Counter[Any]) -> dict[Any, float]:
    """The weights of what may come, with as much for what comes for sure as in other rules.

    Args:
        weights: The weights of all values where nothing is known.
        others: How many other rules have each value; the rule of succession.
    """
    by_chance = sum(times for value, times in others.items() if is_by_chance(value))
    share = {True: by_chance + 1, False: others.total() - by_chance + 1}
    return in_shares(weights, share, is_by_chance)


def in_shares(
    weights: Mapping[Any, float], shares: Mapping[bool, float], has: Callable[[Any], bool]
) -> dict[Any, float]:
    """The weights with these shares for all values that have some property, and for all others."""
    total = dict.fromkeys((True, False), 0.0)
    for value, weight in weights.items():
        total[has(value)] += weight
    return normal({v: w / total[has(v)] * shares[has(v)] for v, w in weights.items() if w})


def with_natural(
    stated: Mapping[Any, float], odd: float, common: Iterable[Any], words: Vocabulary
) -> Nearby:
    """Sets of stations, and sets with natural materials, which are odd even among odd ones.

    Args:
        stated: The weights of sets of stations.
        odd: The weight of all other sets together.
        common: Sets of materials that were nearby at every success.
        words: The names.
    """
    rare = dict.fromkeys((*((material,) for material in words.natural), *common))
    left = [each for each in rare if each not in stated]
    weights = {value: weight * (1 - odd) for value, weight in stated.items()}
    return Nearby(weights | dict.fromkeys(left, odd / len(left)))


def any_nearby(common: Iterable[Any], words: Vocabulary) -> Nearby:
    """Any few materials, where no stations and no natural material alone explain all tries."""
    return Nearby(by_size(dict.fromkeys((*map(tuple, materials_nearby(words)), *common), 1.0)))


def share_of_odd(stated: Mapping[Any, float], name: Field, words: Vocabulary) -> float:
    """The weight of a field's unusual values."""
    usual = usual_values(name, words)
    return math.fsum(weight for value, weight in stated.items() if value not in usual)
