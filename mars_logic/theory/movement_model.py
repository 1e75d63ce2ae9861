"""Creature movement: the likelihood of observed motions under each movement type.

See docs/semantics.md, "Creatures", A and B. A creature's way of going follows from three fields:
one that shoots goes as shooters do, which step back in crafter; any other that approaches does
that, and else it walks or stays.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import product
from typing import Final, Literal

from mars_logic.theory.claims import Field
from mars_logic.theory.evidence import Evidence
from mars_logic.theory.rate_tests import LEVEL
from mars_logic.theory.signatures import Motion, Passage, Signature, Tread
from mars_logic.world.dialect import (
    APPROACH_CHANCE,
    APPROACH_DISTANCE,
    APPROACH_LONG_AXIS,
    RETREAT_DISTANCE,
    SHOOTER_APPROACH_CHANCE,
    SHOOTER_LONG_AXIS,
    SHOOTER_WALK_CHANCE,
    SHOT_CHANCE,
    SHOT_DISTANCE,
    WALK_CHANCE,
)
from mars_logic.world.vocabulary import vocabulary

Gait = Literal["shoots", "approaches", "walks", "stays"]
GAITS: Final[tuple[Gait, ...]] = ("shoots", "approaches", "walks", "stays")
WAYS: Final = ("walks", "approaches", "shoots")
"""The fields that decide."""
_NOWHERE = 4
_STEPS: Final = {(-1, 0): 0, (1, 0): 1, (0, -1): 2, (0, 1): 3, (0, 0): _NOWHERE}

Seen = Counter[tuple[tuple[int, int], int]]
"""How often a creature went (left, right, up, down, nowhere) with the player in a direction."""


def gait_of(walks: bool, approaches: bool, shoots: bool) -> Gait:
    """The movement type of a creature with these fields."""
    if shoots:
        return "shoots"
    return "approaches" if approaches else "walks" if walks else "stays"


def fields_of(being: str) -> tuple[Field, ...]:
    """The fields that decide how a creature goes."""
    return tuple((f"creature.{being}", way) for way in WAYS)


def tells_ground(signature: Signature, dynamics: str) -> bool:
    """Whether a signature tells something about where creatures can walk."""
    if isinstance(signature, Tread) and dynamics == "crafter":
        return signature.health.undisturbed and signature.health.after > 0
    return isinstance(signature, Passage) and signature.moved


def walkable(signatures: Iterable[Signature], dynamics: str) -> set[str]:
    """The ground on which creatures can walk, as far as the player was seen to walk there.

    In crafter they keep off what kills the player; so it must have been seen to live there, too.
    """
    telling = [signature for signature in signatures if tells_ground(signature, dynamics)]
    passed = {signature.material for signature in telling if isinstance(signature, Passage)}
    if dynamics == "crafter":
        passed &= {signature.ground for signature in telling if isinstance(signature, Tread)}
    return passed


def motions(evidence: Evidence) -> dict[str, Seen]:
    """The observed moves of each creature, on ground that it can walk on."""
    grounds = walkable(evidence.signatures, evidence.dynamics)
    found: dict[str, Seen] = {}
    for signature, seen in evidence.signatures.items():
        if isinstance(signature, Motion) and signature.ground in grounds:
            found.setdefault(signature.being, Counter())[signature.way, signature.went] += (
                seen.count
            )
    return found


@cache
def probabilities(gait: Gait, way: tuple[int, int], dynamics: str) -> tuple[float, ...]:
    """The probabilities of going left, right, up, down and nowhere, if all four are free.

    Args:
        gait: How the creature goes.
        way: The way to the player (dx, dy).
        dynamics: The dialect.
    """
    found = [0.0] * 5
    for step, probability in _steps(gait, way, dynamics):
        found[_STEPS[step]] += probability
    found[_NOWHERE] += 1.0 - math.fsum(found)
    return tuple(found)


def _steps(
    gait: Gait, way: tuple[int, int], dynamics: str
) -> Iterator[tuple[tuple[int, int], float]]:
    far = abs(way[0]) + abs(way[1])
    if gait == "walks":
        yield from _anywhere(WALK_CHANCE)
    elif gait == "approaches":
        near = APPROACH_CHANCE if far <= APPROACH_DISTANCE else 0.0
        yield from _toward(way, near, APPROACH_LONG_AXIS)
        yield from _anywhere(1 - near)
    elif gait == "shoots":
        back = [*_back(way)] if vocabulary(dynamics).retreating and far <= RETREAT_DISTANCE else []
        yield from back
        shoots = SHOT_CHANCE if far <= SHOT_DISTANCE else 0.0
        goes = (1.0 - sum(p for _, p in back)) * (1.0 - shoots)
        near = SHOOTER_APPROACH_CHANCE if far <= APPROACH_DISTANCE else 0.0
        yield from _toward(way, goes * near, SHOOTER_LONG_AXIS)
        yield from _anywhere(goes * (1 - near) * SHOOTER_WALK_CHANCE)


def _anywhere(probability: float) -> Iterator[tuple[tuple[int, int], float]]:
    yield from ((step, probability / 4) for step in _STEPS if step != (0, 0))


def _toward(
    way: tuple[int, int], probability: float, long: float
) -> Iterator[tuple[tuple[int, int], float]]:
    """Along the longer axis with the probability ``long``, else along the shorter."""
    signs = [(d > 0) - (d < 0) for d in way]
    along_x, along_y = (signs[0], 0), (0, signs[1])
    longer_is_x = abs(way[0]) > abs(way[1])
    yield (along_x if longer_is_x else along_y), probability * long
    yield (along_y if longer_is_x else along_x), probability * (1 - long)


def _back(way: tuple[int, int]) -> Iterator[tuple[tuple[int, int], float]]:
    """Away from the player; where that is no step at all, something else comes instead."""
    for (dx, dy), probability in _toward(way, 1.0, SHOOTER_LONG_AXIS):
        if dx or dy:
            yield (-dx, -dy), probability


def log_likelihood(
    seen: Mapping[tuple[tuple[int, int], int], int], gait: Gait, dynamics: str
) -> float:
    """Log-likelihood of the observed motions; -inf for impossible ones."""
    total = 0.0
    for (way, went), count in seen.items():
        probability = probabilities(gait, way, dynamics)[went]
        if probability <= 0:
            return -math.inf
        total += count * math.log(probability)
    return total


def refuted(
    seen: Mapping[tuple[tuple[int, int], int], int], dynamics: str, level: float = LEVEL
) -> set[Gait]:
    """The rejected movement types: a uniform mixture of all is likelier by 1 / level."""
    fits = {gait: log_likelihood(seen, gait, dynamics) for gait in GAITS}
    best = max(fits.values())
    if best == -math.inf:
        return set()
    mixture = best + math.log(sum(math.exp(fit - best) for fit in fits.values()) / len(GAITS))
    return {gait for gait, fit in fits.items() if mixture - fit > -math.log(level)}


def allowed(
    seen: Mapping[tuple[tuple[int, int], int], int], dynamics: str, level: float = LEVEL
) -> Iterator[tuple[bool, ...]]:
    """The values of the three fields that are not given up."""
    gone = refuted(seen, dynamics, level)
    for values in product((False, True), repeat=3):
        if gait_of(*values) not in gone:
            yield values


def counts(seen: Mapping[tuple[tuple[int, int], int], int]) -> tuple[int, int]:
    """How often a creature went somewhere, and how often it could be watched."""
    stayed = sum(count for (_, went), count in seen.items() if went == _NOWHERE)
    of = sum(seen.values())
    return of - stayed, of
