"""Hits on the player's health: which healths they may leave, and which hits explain a health.

Each hit happens at most once, in any order. None lets health fall below 0; a surplus above the
maximum is cut off after all of them.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial, reduce
from itertools import product
from operator import ge, or_
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mars_logic.world.dialect import MAXIMUM

Points = tuple[int, ...]
"""Possible effects of one hit on health."""
Bits = NDArray[np.uint64]
"""Sets of healths: a bit for each health."""
_HIGHEST: Final = 63
"""Healths above this one count as it."""
_MOST: Final = 1 << 22
"""Where more combinations of points are possible, any health counts as explained."""
_AT_ONCE: Final = 1 << 20
"""Combinations of points that are tried in one array."""


def endings(
    starts: Iterable[int], hits: Iterable[Points], sure: Iterable[Points] = ()
) -> frozenset[int]:
    """The healths there may be in the end.

    Args:
        starts: Healths before any hit.
        hits: For each hit that there may be, the points that it may have.
        sure: Likewise for each that there surely was.
    """
    return _endings(
        frozenset(starts), tuple(sorted(hit for hit in hits if hit)), tuple(sorted(sure))
    )


@lru_cache(maxsize=1 << 16)
def _endings(
    starts: frozenset[int], hits: tuple[Points, ...], sure: tuple[Points, ...]
) -> frozenset[int]:
    least = Counter(sure)
    kinds = Counter(hits) + least
    ways = [[partial(_after_hit, points=points) for points in kind] for kind in kinds]
    every = _reached(_bits(starts), ways, [*kinds.values()], [least[kind] for kind in kinds])
    found = {health for health in range(MAXIMUM) if every >> health & 1}
    return frozenset(found | {MAXIMUM} if every >> MAXIMUM else found)


def _bits(healths: Iterable[int]) -> int:
    return sum(1 << health for health in healths)


def _reached(
    first: Any,
    kinds: Sequence[Sequence[Callable[[Any], Any]]],
    times: Sequence[int],
    least: Sequence[int] = (),
) -> Any:
    """The healths after all, some or none of the hits, as bits.

    Args:
        first: The healths before.
        kinds: For each kind of hit, the ways in which one of them may change healths.
        times: How many hits of each kind there may be.
        least: How many there surely were; by default none.
    """
    reached = {(0,) * len(times): first}
    for done in product(*(range(count + 1) for count in times)):
        if done not in reached:
            reached[done] = reduce(
                or_,
                (
                    way(reached[(*done[:place], done[place] - 1, *done[place + 1 :])])
                    for place, ways in enumerate(kinds)
                    if done[place]
                    for way in ways
                ),
            )
    sure = least or [0] * len(times)
    return reduce(or_, (found for done, found in reached.items() if all(map(ge, done, sure))))


def _after_hit(healths: int, points: int) -> int:
    if points >= 0:
        return healths << points
    dead = healths & (1 << -points) - 1
    return healths >> -points | (dead > 0)


def _after_hits(healths: Bits, points: NDArray[np.int64]) -> Bits:
    """Healths after a hit, for each of some points."""
    one, highest = np.uint64(1), np.uint64(_HIGHEST)
    loss = np.clip(-points, 0, _HIGHEST).astype(np.uint64)
    gain = np.clip(points, 0, _HIGHEST).astype(np.uint64)
    dead = (healths & ((one << loss) - one)) != 0
    left = healths >> loss | dead.astype(np.uint64)
    above = (left >> (highest - gain) != 0) & (gain > 0)
    return np.asarray(left << gain | above.astype(np.uint64) << highest)


class HitKind(NamedTuple):
    """A kind of hit that may have happened.

    Attributes:
        points: The points, other than 0, that each of its hits may have.
        times: How many such hits there may be at most.
        is_arrow: Whether it is an arrow; all arrows together are ``times`` at most.
    """

    points: Points
    times: int
    is_arrow: bool = False


Needed = tuple[tuple[int, frozenset[int]], ...]
"""Kinds of hits by number, each with the points that its hits may have."""


@lru_cache(maxsize=1 << 14)
def explanations(
    starts: frozenset[int], after: int, kinds: tuple[HitKind, ...]
) -> tuple[Needed, ...]:
    """The kinds of hits, with their points, that explain a health; without any superfluous kind.

    Args:
        starts: Healths before any hit.
        after: The health in the end.
        kinds: What may have hit; arrows come last, and are alike.
    """
    if not kinds:
        return ((),) if after in endings(starts, ()) else ()
    shape = tuple(1 + len(kind.points) for kind in kinds)
    size = math.prod(shape)
    if size > _MOST:
        return ((),)
    found = np.zeros(shape, np.bool_)
    for part in np.array_split(np.arange(size), 1 + size // _AT_ONCE):
        found.flat[part] = _explained(starts, after, kinds, np.unravel_index(part, shape))
    least = found.copy()
    for axis, kind in enumerate(kinds):
        rest: list[Any] = [slice(None)] * axis
        least[(*rest, slice(1, None))] &= ~found[(*rest, slice(0, 1))]
        if axis and kind.is_arrow and kinds[axis - 1].is_arrow:
            least[(*rest[1:], 0, slice(1, None))] = False  # the first arrows are used first
    return _grouped(least, kinds, 0)


def _explained(
    starts: frozenset[int],
    after: int,
    kinds: tuple[HitKind, ...],
    chosen: tuple[NDArray[np.intp], ...],
) -> NDArray[np.bool_]:
    """For each choice of points, of which the first means no hit, whether hits explain a health."""
    ways = [
        partial(_after_hits, points=np.array((0, *kind.points))[which])
        for kind, which in zip(kinds, chosen, strict=True)
    ]
    near = [n for n, kind in enumerate(kinds) if not kind.is_arrow]
    hits, times = [[ways[n]] for n in near], [kinds[n].times for n in near]
    if arrows := [n for n, kind in enumerate(kinds) if kind.is_arrow]:
        hits.append([ways[n] for n in arrows])
        times.append(kinds[arrows[0]].times)
    every = _reached(np.full(chosen[0].shape, _bits(starts), np.uint64), hits, times)
    wanted = every >> np.uint64(after)
    if after < MAXIMUM:
        wanted = wanted & np.uint64(1)
    return np.asarray(wanted != 0)


def _grouped(
    least: NDArray[np.bool_], kinds: tuple[HitKind, ...], place: int
) -> tuple[Needed, ...]:
    """The choices of points that are true in an array; those with equal others form one set."""
    if place == len(kinds):
        return ((),) if least else ()
    alike: defaultdict[bytes, list[int]] = defaultdict(list)
    some: NDArray[np.bool_] = np.asarray(least.reshape(len(least), -1).any(axis=1))
    for n in np.flatnonzero(some[1:]).tolist():
        alike[least[n + 1].tobytes()].append(n)
    found = [*_grouped(least[0], kinds, place + 1)] if some[0] else []
    for numbers in alike.values():
        points = frozenset(kinds[place].points[n] for n in numbers)
        rests = _grouped(least[numbers[0] + 1], kinds, place + 1)
        found += [((place, points), *rest) for rest in rests]
    return tuple(found)
