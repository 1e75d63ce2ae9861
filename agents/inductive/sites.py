"""Sites for placing and making: prior and posterior after some tries.

A *site* is what decides whether a recipe can be applied, besides what is held: to place something,
the ground that the player faces; to make a tool, the stations nearby. Sites that worked and sites
that failed are evidence of which sites are open.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Protocol


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


class GroundKind(NamedTuple):
    """Materials that are alike as grounds; their share that is open has a beta distribution.

    Attributes:
        materials: The materials.
        opened: The first parameter: materials taken to be open beforehand, and one.
        closed: The second parameter.
    """

    materials: frozenset[str]
    opened: float = 1.0
    closed: float = 1.0

    def likelihood(self, worked: int, failed: int) -> float:
        """The probability that some are open and some closed, whatever the others are."""
        a, b = self.opened, self.closed
        return math.exp(_log_beta(a + worked, b + failed) - _log_beta(a, b))


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


@dataclass(frozen=True)
class Grounds:
    """Grounds to place something on.

    With some probability they are one of the usual sets; otherwise they may be any that are not
    empty, of each kind of material any share.

    Attributes:
        usual: The probability of each usual set.
        free: The probability of any other.
        kinds: The materials to place something on, by kind.
    """

    usual: Mapping[tuple[str, ...], float]
    free: float
    kinds: tuple[GroundKind, ...]

    def likelihood(self, worked: Set[str], failed: Set[str]) -> float:
        """See :class:`Sites`; the sets of open grounds are summed over in closed form."""
        found = math.fsum(
            weight
            for grounds, weight in self.usual.items()
            if worked <= set(grounds) and failed.isdisjoint(grounds)
        )
        return found + self.free * self._any_set(worked, failed) if self.free else found

    def _any_set(self, worked: Set[str], failed: Set[str]) -> float:
        every = math.prod(
            kind.likelihood(len(kind.materials & worked), len(kind.materials & failed))
            for kind in self.kinds
        )
        return max(0.0, every - (0.0 if worked else self._empty)) / (1 - self._empty)

    @cached_property
    def _empty(self) -> float:
        """The probability that all are closed, if that may be."""
        return math.prod(kind.likelihood(0, len(kind.materials)) for kind in self.kinds)

    def parts(self) -> Mapping[Any, Sites]:
        """See :class:`Sites`."""
        return {
            each: Grounds({each: weight}, 0.0, self.kinds) for each, weight in self.usual.items()
        }


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
