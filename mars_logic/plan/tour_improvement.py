"""Local search: makes an itinerary shorter by moving stops, alone or several together.

A beam search decides early, by guesses; here whole itineraries are compared. A stop that is moved
may also go to another site.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.kernel import inline_kernel, kernel
from mars_logic.plan.itinerary_state import (
    COLLECT,
    HUNT,
    NOWHERE,
    Errand,
    affords,
    begin,
    carry_out,
    distances,
    finished,
    place_for,
)

_LONGEST: Final = 4
"""So many stops are moved together at most."""
_CHOICES: Final = 3
"""Sites near where a stop is moved to that are tried for it."""
_TRIALS: Final = 4_000
"""Itineraries that are compared."""
_HASTE: Final = 400
"""A bonus is lost by so long a delay, in quarters of a step."""


def shorten(errand: Errand, stops: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """An itinerary that does the same and takes no longer.

    Args:
        errand: What to do.
        stops: int64[n, 2]: target and site of each thing to do, in order.

    Returns:
        Stops of that form, and the time when all is done;
        :data:`~mars_logic.plan.itinerary_state.NOWHERE` if it cannot be done, with the stops as
        they were.
    """
    if not len(stops):
        return stops, errand.now
    found: tuple[NDArray[np.int64], int] = _shorten(
        errand.record, stops.copy(), errand.rows(len(stops) + 1), errand.rows(len(stops) + 1)
    )
    return found


@inline_kernel
def _value(errand: Any, rows: Any, stops: Any, first: int, limit: int) -> Any:
    """The cost of an itinerary: its end, the dark, and delays of early bonuses.

    It is NOWHERE if it cannot be carried out, or costs no less than the limit.

    Args:
        errand: What to do.
        rows: The states before each stop and at the end; those before the first are given.
        stops: The stops; sites of what is done at no site of its own are filled in.
        first: The first stop to be looked at.
        limit: What the value has to be below.
    """
    late = 0
    for number in range(first):
        late += _delay(errand, stops[number, 0], rows[number + 1].time)
    for number in range(first, len(stops)):
        row = rows[number]
        target = stops[number, 0]
        if not affords(errand, row.held, target):
            return NOWHERE
        distance = distances(errand, row.held)
        kind = errand.kind[target]
        if kind in (COLLECT, HUNT):
            site = stops[number, 1]
            if row.made_of[site] != errand.subject[target]:
                return NOWHERE
        else:
            site = place_for(errand, row, distance, target)
            if site < 0:
                return NOWHERE
        if distance[row.at, site] >= NOWHERE:
            return NOWHERE
        done = finished(errand, row, distance, target, site)
        late += _delay(errand, target, done)
        if done + row.toll + late >= limit:
            return NOWHERE
        stops[number, 1] = site
        rows[number + 1] = row
        carry_out(errand, rows[number + 1], target, site, done)
    value = rows[len(stops)].time + rows[len(stops)].toll + late
    return value if value < limit else NOWHERE


@inline_kernel
def _delay(errand: Any, target: int, done: int) -> Any:
    """The cost of a target's delay."""
    return errand.bonus[target] * (done - errand.now) // _HASTE


@kernel
def _shift(stops: Any, trial: Any, first: int, length: int, to: int) -> None:
    """Fill ``trial`` with the stops, of which some are moved to another position."""
    put = 0
    for number in range(len(stops)):
        if put == to:
            for moved in range(first, first + length):
                trial[put] = stops[moved]
                put += 1
        if not first <= number < first + length:
            trial[put] = stops[number]
            put += 1
    if put == to:
        for moved in range(first, first + length):
            trial[put] = stops[moved]
            put += 1


@kernel
def _sites_near(errand: Any, trial: Any, to: int, nearest: Any) -> None:
    """Fill ``nearest`` with the sites for a stop that are the nearest to the stop before it."""
    nearest[:] = -1
    kind = errand.kind[trial[to, 0]]
    if kind != COLLECT and kind != HUNT:
        return
    at = trial[to - 1, 1] if to > 0 else 0
    for site in range(1, errand.sites):
        far = errand.later[at, site]
        if errand.made_of[site] != errand.subject[trial[to, 0]] or far >= NOWHERE:
            continue
        if site == trial[to, 1]:
            continue
        for rank in range(nearest.size):
            if nearest[rank] < 0 or far < errand.later[at, nearest[rank]]:
                for later in range(nearest.size - 1, rank, -1):
                    nearest[later] = nearest[later - 1]
                nearest[rank] = site
                break


@kernel
def _use(stops: Any, to: int, site: int) -> int:
    """Go to this site for a stop; the same thing is done there at no other.

    Returns:
        The first stop that is changed.
    """
    first = to
    for other in range(len(stops)):
        if other != to and stops[other, 1] == site and stops[other, 0] == stops[to, 0]:
            stops[other, 1] = stops[to, 1]
            first = min(first, other)
    stops[to, 1] = site
    return first


@kernel
def _shorten(errand: Any, stops: Any, rows: Any, other_rows: Any) -> Any:
    """Shorten an itinerary; ``rows`` are to hold the states of the best one."""
    count = len(stops)
    begin(errand, rows[0])
    best = _value(errand, rows, stops, 0, NOWHERE)
    if best >= NOWHERE:
        return stops, best
    other_rows[:] = rows
    moved, other = np.empty_like(stops), np.empty_like(stops)
    nearest = np.empty(_CHOICES, np.int64)
    trials, idle, length = 0, 0, 1
    first = errand.now * 7 // 4 % count  # not always the same stops are moved first
    while trials < _TRIALS and idle < count * _LONGEST:
        idle += 1
        valid = 0  # so many states of other_rows are those of rows
        for to in range(count - length + 1):
            if to == first and length > 1:
                continue
            _shift(stops, moved, first, length, to)
            nearest[:] = -1
            if length == 1:
                _sites_near(errand, moved, to, nearest)
            for choice in range(-1, _CHOICES):
                if choice >= 0 and nearest[choice] < 0:
                    break
                other[:] = moved
                changed = min(to, first)
                if choice >= 0:
                    changed = min(changed, _use(other, to, nearest[choice]))
                elif to == first:
                    continue
                trials += 1
                for number in range(min(valid, changed), changed + 1):
                    other_rows[number] = rows[number]
                valid = changed
                value = _value(errand, other_rows, other, changed, best)
                if value < best:
                    best, idle = value, 0
                    stops[:] = other
                    rows[:] = other_rows
                    break
            if idle == 0:
                break
        first -= 1
        if first + length > count or first < 0:
            length = length % _LONGEST + 1
            first = count - length
            if first < 0:
                length, first = 1, count - 1
    times = rows["time"]
    return stops, times[count]
