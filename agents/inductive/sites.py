"""Sites for placing and making: prior and posterior after some tries.

A *site* is what decides whether a recipe can be applied, besides what is held: to place something,
the ground that the player faces; to make a tool, the stations nearby. Sites that worked and sites
that failed are evidence of which sites are open.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Set
from dataclasses import dataclass, field
from typing import Any, Protocol


class Sites(Protocol):
    """A distribution over which sites are open."""

    def likelihood(self, worked: Set[Any], failed: Set[Any]) -> float:
        """The probability that all of some sites are open and all of some others closed."""

    def parts(self) -> Mapping[Any, Sites]:
        """The values of ``where`` or ``nearby`` that have a probability of their own."""


def probability(sites: Sites, site: Hashable, worked: Set[Any], failed: Set[Any]) -> float:
    """How probable it is that a site is open, given those that worked and those that failed."""
    if site in worked or site in failed:
        return float(site in worked)
    before = sites.likelihood(worked, failed)
    return sites.likelihood({*worked, site}, failed) / before if before else 0.0


@dataclass(frozen=True)
class Grounds:
    """Grounds to place something on.

    With some probability they are one of the usual sets; otherwise they may be any that are not
    empty, of any size with the same probability, and any of a size with the same.

    Attributes:
        usual: The probability of each usual set.
        free: The probability of any other.
        count: How many materials there are to place something on.
    """

    usual: Mapping[tuple[str, ...], float]
    free: float
    count: int

    def likelihood(self, worked: Set[str], failed: Set[str]) -> float:
        """See :class:`Sites`; the number of open grounds is summed over in closed form."""
        found = math.fsum(
            weight
            for grounds, weight in self.usual.items()
            if worked <= set(grounds) and failed.isdisjoint(grounds)
        )
        return found + self.free * _any_set(len(worked), len(failed), self.count)

    def parts(self) -> Mapping[Any, Sites]:
        """See :class:`Sites`."""
        return {
            each: Grounds({each: weight}, 0.0, self.count) for each, weight in self.usual.items()
        }


def _any_set(worked: int, failed: int, count: int) -> float:
    """The probability of some open and some closed grounds, if any set but the empty may be."""
    every = math.exp(
        math.lgamma(worked + 1) + math.lgamma(failed + 1) - math.lgamma(worked + failed + 2)
    )
    empty = 0.0 if worked else 1 / (count + 1)
    return max(0.0, every - empty) * (count + 1) / count


@dataclass(frozen=True)
class Nearby:
    """Stations that have to be nearby to make a tool.

    Attributes:
        needed: The probability of each set of materials that may be needed.
    """

    needed: Mapping[tuple[str, ...], float]
    _left: dict[frozenset[Any], list[tuple[tuple[str, ...], float]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def likelihood(self, worked: Set[Any], failed: Set[Any]) -> float:
        """See :class:`Sites`; a site is what is nearby."""
        failed = frozenset(failed)
        if failed not in self._left:
            self._left[failed] = [
                (needed, weight)
                for needed, weight in self.needed.items()
                if not any(near.issuperset(needed) for near in failed)
            ]
        return math.fsum(
            weight
            for needed, weight in self._left[failed]
            if all(near.issuperset(needed) for near in worked)
        )

    def parts(self) -> Mapping[Any, Sites]:
        """See :class:`Sites`."""
        return {each: Nearby({each: weight}) for each, weight in self.needed.items()}
