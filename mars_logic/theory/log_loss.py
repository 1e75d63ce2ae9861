"""Log-loss of a theory's probabilities of random yields and spawns."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from mars_logic.world.rules import Collect
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import UNKNOWN, Alternatives

LEAST: Final = 1e-6
"""Clip: probability used for an impossible outcome; 1 minus it for a certain one."""
_OPEN: Final = 0.5
"""Probability of an unknown outcome."""


@dataclass(frozen=True)
class LogLoss:
    """Expected log-loss on random outcomes, in nats per possible outcome.

    Attributes:
        mean: Log-loss of the theory; None if the true world is deterministic.
        least: Log-loss of the true world (its entropy): the lower bound.
        of: Number of random outcomes in the true world.
    """

    mean: float | None
    least: float | None
    of: int

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"mean": self.mean, "least": self.least, "of": self.of}


def log_loss(theory: Theory, truth: Theory) -> LogLoss:
    """The log-loss of a theory's probabilities under the true ones.

    Only what the truth gives a probability above 0 and below 1 counts. What the theory leaves
    unknown counts as even odds; of alternatives, the mean probability counts.

    Args:
        theory: The theory.
        truth: The true world.
    """
    believed, losses, least = dict(_chances(theory)), [], []
    for what, probability in _chances(truth):
        if probability is not None and 0 < probability < 1:
            stated = believed.get(what, believed.get(what[:2], 0.0))
            losses.append(_cross_entropy(probability, _OPEN if stated is None else stated))
            least.append(_cross_entropy(probability, probability))
    count = len(losses)
    if not count:
        return LogLoss(None, None, 0)
    return LogLoss(math.fsum(losses) / count, math.fsum(least) / count, count)


def _cross_entropy(true: float, stated: float) -> float:
    bounded = min(max(stated, LEAST), 1 - LEAST)
    return -(true * math.log(bounded) + (1 - true) * math.log(1 - bounded))


_What = tuple[str, ...]
"""A rule, a field, and a thing; without the thing: everything that the field may bring."""


def _chances(theory: Theory) -> Iterator[tuple[_What, float | None]]:
    """The possible outcomes of collecting with their probabilities; None if unknown."""
    for rule in theory.collect.values():
        if rule.collectable is not False:
            for field in ("yields", "spawns"):
                for things, weight in _options(rule, field):
                    if things is None:
                        yield (rule.id, field), None
                    elif weight == 1:
                        yield from (((rule.id, field, thing), p) for thing, p in things.items())
                if isinstance(getattr(rule, field), Alternatives):
                    yield from _means(rule, field)


def _options(rule: Collect, field: str) -> Iterator[tuple[Mapping[str, float] | None, float]]:
    value = getattr(rule, field)
    if value is UNKNOWN:
        yield None, 1.0
    elif isinstance(value, Alternatives):
        yield from ((_probabilities(each), weight) for each, weight in value.options)
    else:
        yield _probabilities(value), 1.0


def _means(rule: Collect, field: str) -> Iterator[tuple[_What, float]]:
    found: dict[str, float] = {}
    for things, weight in _options(rule, field):
        for thing, probability in (things or {}).items():
            found[thing] = found.get(thing, 0.0) + weight * probability
    yield from (((rule.id, field, thing), p) for thing, p in found.items())


def _probabilities(value: Mapping[str, Any]) -> dict[str, float]:
    """Of yields or of spawns: how likely each thing comes."""
    return {
        thing: given if isinstance(given, float | int) else _or_certain(given.probability)
        for thing, given in value.items()
    }


def _or_certain(probability: float | None) -> float:
    return 1.0 if probability is None else probability
