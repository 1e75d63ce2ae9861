"""Candidate values of effects on health, where usual ones do not explain the evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mars_logic.theory.claims import Field
from mars_logic.theory.evidence import Evidence
from mars_logic.theory.extremes import Suggestion
from mars_logic.theory.health_claims import attack_points, is_harm
from mars_logic.theory.relevance import claims_of
from mars_logic.theory.signatures import (
    Collecting,
    Health,
    Hitting,
    Signature,
    Standing,
    Tread,
)
from mars_logic.world import names
from mars_logic.world.dialect import ARROW_POINTS, EATEN_POINTS, MAXIMUM


def unexplained_health(
    evidence: Evidence, values: Mapping[Field, Sequence[Any]]
) -> Iterator[Suggestion]:
    """The least effects that explain changes of health that no given values explain.

    Args:
        evidence: What was seen.
        values: The candidate values of fields so far.
    """
    for signature in evidence.signatures:
        for claim in claims_of(signature, evidence.dynamics):
            if is_harm(claim) and next(iter(claim.options(values)), None) is None:
                yield from _of_action(signature)
                yield from _of_hits(_health(signature))


def points(health: Health) -> int:
    """The smallest effect of an action on health, if it alone changed health."""
    found = health.after - health.before - health.recovery
    return found if health.after < MAXIMUM else max(0, found)


def _health(signature: Signature) -> Health:
    assert isinstance(signature, Tread | Collecting | Hitting | Standing)
    assert signature.health
    return signature.health


def _of_action(signature: Signature) -> Iterator[Suggestion]:
    """The effect of the action, if nothing hit."""
    found = points(_health(signature))
    if isinstance(signature, Hitting):
        unit = EATEN_POINTS["plant" if signature.being == "plant" else "creature"]["health"]
        factor = -(-abs(found) // unit)
        field = f"creature.{signature.being}", "eaten_health_factor"
        if factor <= MAXIMUM:
            yield field, factor if found > 0 else -factor
    elif abs(found) <= MAXIMUM:
        if isinstance(signature, Tread):
            yield (f"walk.{signature.ground}", "health"), found
        elif isinstance(signature, Collecting):
            yield (f"drink.{signature.material}", "health"), found


def _of_hits(health: Health) -> Iterator[Suggestion]:
    """The factors with which one kind of hits alone explains what became of health."""
    hitting = [(b, n) for b, n in zip(names.BEINGS, health.near, strict=True) if n]
    if len(hitting) == 1 and not health.arrows:
        ((being, most),) = hitting
        unit = attack_points(being, 1, health.asleep)
        for factor in _factors(health, unit, most):
            yield (f"creature.{being}", "attack_health_factor"), factor
    elif health.arrows and not hitting:
        for factor in _factors(health, ARROW_POINTS, health.arrows):
            for being in names.BEINGS:
                yield (f"creature.{being}", "arrow_health_factor"), factor


def _factors(health: Health, unit: int, most: int) -> Iterator[int]:
    """A factor for each number of hits up to some; rounded up where a limit cut them short."""
    change = health.after - health.before - health.recovery
    limited = health.after in (0, MAXIMUM)
    for hits in range(1, most + 1) if change else ():
        factor = -(-abs(change) // (unit * hits))
        if factor <= MAXIMUM and (limited or factor * unit * hits == abs(change)):
            yield factor if change > 0 else -factor
