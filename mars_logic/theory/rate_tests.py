"""Tests of stated probabilities against evidence.

The absence of an outcome refutes a probability, at a stated level, and no possibility: a
probability is rejected if the likelihood ratio of a mixture of all probabilities to it exceeds
1/level. The test is anytime-valid, since that ratio ever exceeds 1/level for the true probability
with a probability of at most the level (Ville's inequality).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from mars_logic.theory.evidence import Evidence, SeenSignature
from mars_logic.theory.outcomes import Outcome, outcomes
from mars_logic.theory.signature_claims import collecting_gates, matches
from mars_logic.theory.signatures import Collecting
from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM

LEVEL: Final = 1e-6
"""A true probability is given up with at most this probability."""

Attempts = list[tuple[Collecting, SeenSignature]]
"""The signatures of collecting from one material."""


class Rate(NamedTuple):
    """Frequency of an outcome with a stated probability.

    Attributes:
        what: The item or creature.
        probability: As stated.
        times: Number of occurrences.
        of: Number of tries.
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
    """The observed collections from a material."""
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
    stated = held_chances(yields)
    if not stated:
        return
    possible = held_outcomes(yields, dynamics)
    times, of = dict.fromkeys(stated, 0), 0
    for signature, seen in successes:
        if has_room(signature, stated):
            came = which(signature, possible)
            if came >= 0:
                of += seen.count
                for item in times.keys() & possible[came].gains:
                    times[item] += seen.count
    for item, (_, probability) in stated.items():
        yield Rate(item, probability, times[item], of)


def held_chances(yields: Mapping[Any, Any]) -> dict[str, tuple[int, float]]:
    """The amount and the probability of each item that can be held and comes by chance."""
    return {
        item: (given.amount, given.probability)
        for item, given in yields.items()
        if given.probability is not None and item not in names.VITALS
    }


def held_outcomes(yields: Mapping[Any, Any], dynamics: str) -> list[Outcome]:
    """The outcomes over items; outcomes that differ in drink alone are merged."""
    found: dict[frozenset[tuple[str, int]], float] = {}
    for gains, probability in outcomes(yields, dynamics):
        held = frozenset(gain for gain in gains.items() if gain[0] not in names.VITALS)
        found[held] = found.get(held, 0.0) + probability
    return [Outcome(dict(held), probability) for held, probability in found.items()]


def has_room(signature: Collecting, stated: Mapping[str, tuple[int, float]]) -> bool:
    """Whether there was room for all that might have come by chance."""
    return all(signature.held.amount(item) + n <= MAXIMUM for item, (n, _) in stated.items())


def which(signature: Collecting, possible: Sequence[Outcome]) -> int:
    """The number of the first outcome that explains what was held afterwards; -1 if none does."""
    unseen = signature._replace(drink=(-(10**6), 10**6), got_drink=None)
    matching = (k for k, (gains, _) in enumerate(possible) if matches(unseen, gains))
    return next(matching, -1)


def spawn_rates(successes: Attempts, spawns: Mapping[Any, float]) -> Iterator[Rate]:
    """How often the creature appeared, where it is certain whether it did."""
    for creature, probability in spawns.items():
        sure = [(s, seen.count) for s, seen in successes if s.clear]
        times = sum(count for s, count in sure if s.appeared == creature)
        yield Rate(creature, probability, times, sum(count for _, count in sure))


def refuted(rates: Iterable[Rate], level: float = LEVEL) -> list[Rate]:
    """The rates whose stated probability is given up."""
    return [rate for rate in rates if rate.refuted(level)]
