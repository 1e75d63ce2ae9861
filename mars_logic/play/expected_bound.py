"""Lower bound on the expected steps of any play: luck in collecting, and when zombies come.

The bound of ``play.bound`` takes luck as the best case and assumes that creatures are there. Here
failed tries count with their chances, and a zombie can only be killed where one is left of those on
the initial map, or after dusk, when new ones come. docs/bounds.md has the argument and its one
assumption.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.play.bound import Cell, bounds_of
from mars_logic.sim import generate_map
from mars_logic.sim.daylight import daylight
from mars_logic.world.dialect import (
    ACTIVE_DISTANCE,
    APPROACH_DISTANCE,
    BALANCE,
    BALANCE_PERIOD,
    CHUNK,
    ZOMBIES_AT_NIGHT,
    ZOMBIES_BY_DAY,
)
from mars_logic.world.theory import World

_ZOMBIE: Final = "zombie"
_NEGLIGIBLE: Final = 1e-9
"""Tails of probability below this are cut off, which only lowers the bound."""

Tail = NDArray[np.float64]
"""For t = 0, 1, …: the least probability that more than t steps are needed; 0 after its end."""


@dataclass(frozen=True)
class ExpectedBound:
    """A lower bound on the expected number of steps to some achievements.

    Attributes:
        steps: The bound.
        certain: The bound that holds for every play; at most ``steps``.
        zombie: A lower bound on the expected step in which a zombie is killed; None if none has to
            be killed, or in worlds in which zombies also come or act in other ways than Crafter's.
    """

    steps: float
    certain: int
    zombie: float | None


def expected_bound(
    world: World, seed: int, episode: int, achievements: Iterable[str]
) -> ExpectedBound | None:
    """A lower bound on the expected steps of any play of an episode to some achievements.

    The expectation is over the random numbers after the map was made; episodes are taken to go on
    until all is unlocked.

    Returns:
        The bound; None if no play unlocks them, or if bounds take no account of some rule.

    Raises:
        ValueError: The seed or the episode is out of range, or the world has no such achievement.
    """
    bounds = bounds_of(world, seed, episode)
    if bounds is None:
        return None
    wanted = frozenset(achievements)
    parts = bounds.parts(wanted)
    if parts is None:
        return None
    tails = [_after(part.steps, part.chances) for part in parts]
    certain = max((part.steps for part in parts), default=0)
    zombie = None
    if _comes_by_night(world) and bounds.is_needed(wanted, f"creature({_ZOMBIE})"):
        found = generate_map(world, seed, episode)
        zombies = [(x, y) for name, x, y in found.creatures if name == _ZOMBIE]
        tails.append(until_killed(found.start, zombies, bounds.blows(_ZOMBIE)))
        zombie = float(tails[-1].sum())
    return ExpectedBound(float(_longest(tails).sum()), certain, zombie)


def _after(steps: int, chances: Sequence[float]) -> Tail:
    """Steps that are certain, and failed tries of rules that succeed with these chances."""
    failures = np.ones(1)
    for chance in chances:
        if chance < 1:
            most = math.ceil(math.log(_NEGLIGIBLE) / math.log1p(-chance))
            failures = np.convolve(failures, chance * (1 - chance) ** np.arange(most + 1))
    return np.concatenate([np.ones(steps), 1 - np.minimum(1, np.cumsum(failures))])


def _longest(tails: Sequence[Tail]) -> Tail:
    """The tail of the maximum, whatever the dependence between these."""
    longest = np.zeros(max(map(len, tails), default=0))
    for tail in tails:
        longest[: len(tail)] = np.maximum(longest[: len(tail)], tail)
    return longest


def _comes_by_night(world: World) -> bool:
    """Whether zombies come only by the balance of chunks, and move as the dialects have it."""
    return (
        world.vocabulary.balance
        and _ZOMBIE not in world.behaviour
        and not any(_ZOMBIE in rule.spawns for rule in world.collect.values())
    )


def until_killed(start: Cell, zombies: Iterable[Cell], blows: int) -> Tail:
    """For t = 0, 1, …: the least probability that no zombie was killed in the first t steps.

    Args:
        start: The player's cell.
        zombies: The cells of the zombies on the initial map.
        blows: The fewest hits that kill one.

    Returns:
        float64, up to the first step in which one may be killed that came at dusk.
    """
    last = _first_at_dusk(blows)
    by_chunk: defaultdict[Cell, list[int]] = defaultdict(list)
    for x, y in zombies:
        distance = abs(x - start[0]) + abs(y - start[1])
        by_chunk[x // CHUNK, y // CHUNK].append(distance)
    none = np.ones(last)
    for distances in by_chunk.values():
        stays = 1 - BALANCE[_ZOMBIE].going_chance / len(distances)
        killed = sum(_killed_by(distance, blows, last, stays) for distance in distances)
        none *= 1 - np.minimum(1, killed)
    return none


def _first_at_dusk(blows: int) -> int:
    """The first step in which a zombie may be killed that came after the start."""
    balances = (BALANCE_PERIOD * number for number in count(1))
    came = next(s for s in balances if int(ZOMBIES_AT_NIGHT - ZOMBIES_BY_DAY * daylight(s)) >= 1)
    return came + _meeting(BALANCE[_ZOMBIE].coming_distance) + blows


def _meeting(distance: int) -> int:
    """The fewest steps after which two that approach each other are side by side."""
    return max(0, math.ceil((distance - 1) / 2))


def _killed_by(distance: int, blows: int, last: int, stays: float) -> NDArray[np.float64]:
    """By step: the largest probability that a zombie of the initial map was killed by then.

    The player walks straight to it. A zombie beyond its distance of approach moves at random, so it
    comes nearer in at most half of its steps; where it is not active it does not move.

    Args:
        distance: The player's distance to it in the beginning.
        blows: The fewest hits that kill it.
        last: Number of steps.
        stays: The largest probability that a balance of its chunk does not remove it.

    Returns:
        float64[last]: at index t, for the first t steps.
    """
    near, active = APPROACH_DISTANCE + 1, ACTIVE_DISTANCE + 1  # the player moves first
    killed = np.zeros(last)
    away = {distance: 1.0}  # the distribution of the distance, while it is beyond `near`
    for step in range(last):
        for gap in [gap for gap in away if gap <= near]:
            kill, share = step + _meeting(gap) + blows, away.pop(gap)
            if kill < last:
                killed[kill] += share * stays ** ((kill - 1) // BALANCE_PERIOD)
        moved: defaultdict[int, float] = defaultdict(float)
        for gap, share in away.items():
            closer = 0.5 if gap <= active else 0.0
            moved[gap - 2] += share * closer
            moved[gap - 1] += share * (1 - closer)
        away = {gap: share for gap, share in moved.items() if share}
    return np.cumsum(killed)
