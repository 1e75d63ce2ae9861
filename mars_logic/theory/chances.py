"""Stated probabilities against what was seen.

That something did not happen refutes no possibility, only a probability, and that at a stated
level: a probability is given up where seeing what was seen is less likely under it, by that factor,
than under a mixture of all other probabilities. The test is valid however often one looks, since
the ratio of a mixture's likelihood to the true one exceeds 1/level at any time with a probability
of at most the level (Ville's inequality).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from mars_logic.theory.demands import collecting_gates, matches
from mars_logic.theory.evidence import MOST, Evidence, Seen
from mars_logic.theory.outcomes import outcomes
from mars_logic.theory.signatures import Collecting
from mars_logic.world import names

LEVEL: Final = 1e-6
"""A true probability is given up with at most this probability."""
_PLACE = {item: place for place, item in enumerate(names.HOLDABLE)}

Attempts = list[tuple[Collecting, Seen]]
"""The signatures of collecting from one material."""


class Rate(NamedTuple):
    """How often something happened that has a stated probability.

    Attributes:
        what: The item or creature.
        probability: As stated.
        times: How often it happened.
        of: Out of how many.
    """

    what: str
    probability: float
    times: int
    of: int

    def refuted(self, level: float = LEVEL) -> bool:
        """Whether the probability is given up."""
        return log_evidence(self.probability, self.times, self.of) > -math.log(level)


def log_evidence(probability: float, times: int, of: int) -> float:
    """The logarithm of how much likelier the mixture makes what was seen than a probability does.

    The mixture has Jeffreys' weights, Beta(1/2, 1/2).
    """
    mixture = _log_beta(times + 0.5, of - times + 0.5) - _log_beta(0.5, 0.5)
    return mixture - log_likelihood(probability, times, of)


def log_likelihood(probability: float, times: int, of: int) -> float:
    """The logarithm of the likelihood of one order of events; -inf for what cannot be."""
    return sum(
        n * (math.log(p) if p > 0 else -math.inf)
        for n, p in ((times, probability), (of - times, 1 - probability))
        if n
    )


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def attempts(evidence: Evidence, material: str) -> Attempts:
    """What was seen of collecting from a material."""
    return [
        (signature, seen)
        for signature, seen in evidence.signatures.items()
        if isinstance(signature, Collecting) and signature.material == material
    ]


def collected(found: Attempts, collectable: bool, requires: Mapping[Any, int]) -> Attempts:
    """The attempts that succeed if these gates are true."""
    values = (collectable, requires)
    return [
        (signature, seen)
        for signature, seen in found
        if all(p(v) for (_, p), v in zip(collecting_gates(signature), values, strict=True))
    ]


def yield_rates(successes: Attempts, yields: Mapping[Any, Any], dynamics: str) -> Iterator[Rate]:
    """How often each chance of a rule came; only where there was room for all of them.

    (Chances of drink are left out: what is drunk may be hidden by a full stomach.)
    """
    chances = {
        item: given.probability
        for item, given in yields.items()
        if given.probability is not None and item in _PLACE
    }
    if not chances:
        return
    possible = [  # what of them is held; outcomes that differ in drink alone are one
        {item: n for item, n in outcome.gains.items() if item in _PLACE}
        for outcome in outcomes(yields, dynamics)
    ]
    times, of = dict.fromkeys(chances, 0), 0
    for signature, seen in successes:
        if all(signature.held[_PLACE[item]] + yields[item].amount <= MOST for item in chances):
            came = next((gains for gains in possible if _held_as(signature, gains)), None)
            if came is not None:
                of += seen.count
                for item in times.keys() & came:
                    times[item] += seen.count
    for item, probability in chances.items():
        yield Rate(item, probability, times[item], of)


def _held_as(signature: Collecting, gains: Mapping[str, int]) -> bool:
    """As ``matches``, for what is held alone."""
    unseen = signature._replace(drink=(-(10**6), 10**6), got_drink=None)
    return matches(unseen, gains)


def spawn_rates(successes: Attempts, spawns: Mapping[Any, float]) -> Iterator[Rate]:
    """How often the creature appeared, where it is certain whether it did."""
    for creature, probability in spawns.items():
        sure = [(s, seen.count) for s, seen in successes if s.clear]
        times = sum(count for s, count in sure if s.appeared == creature)
        yield Rate(creature, probability, times, sum(count for _, count in sure))


def refuted(rates: Iterable[Rate], level: float = LEVEL) -> list[Rate]:
    """The rates whose stated probability is given up."""
    return [rate for rate in rates if rate.refuted(level)]
