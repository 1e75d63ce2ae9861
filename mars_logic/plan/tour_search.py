"""Beam search for a short way to do all that a plan wants: in which order, and where."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.kernel import inline_kernel, kernel
from mars_logic.plan.itinerary_state import (
    COLLECT,
    HUNT,
    NOWHERE,
    SLEEP,
    Errand,
    affords,
    begin,
    carry_out,
    distances,
    finished,
    place_for,
    toll,
)

_BEAM: Final = 192
_CHOICES: Final = 3
"""Sites of one material that are tried from one state."""
_FAR_ENOUGH: Final = 400
"""No way is guessed to be longer."""
STEP_DTYPE: Final = np.dtype(
    [(name, np.int64) for name in ("source", "target", "site", "done", "rank", "key")], align=True
)
"""Something that can be done next in a state."""


def search(errand: Errand) -> tuple[NDArray[np.int64], int]:
    """A short way to do everything, or as much of it as is found possible.

    Args:
        errand: What to do.

    Returns:
        int64[n, 2]: target and site of each thing to do, in order; and the time when all is done.
    """
    found: tuple[NDArray[np.int64], int] = _search(
        errand.record, errand.rows(_BEAM), errand.rows(_BEAM)
    )
    return found


@inline_kernel
def _nearest_sites(
    made_of: Any, distance: Any, at: int, material: int, among: Any, nearest: Any
) -> None:
    """Fill ``nearest`` with the nearest sites of a material, -1 where there are no more."""
    nearest[:] = -1
    for site in among:
        if site < 0:
            break
        far = distance[at, site]
        if made_of[site] != material or far >= NOWHERE:
            continue
        for rank in range(nearest.size):
            if nearest[rank] < 0 or far < distance[at, nearest[rank]]:
                for later in range(nearest.size - 1, rank, -1):
                    nearest[later] = nearest[later - 1]
                nearest[rank] = site
                break


@kernel
def _candidates(errand: Any) -> Any:
    """int64[T, S]: for each target, the sites that are or may get what it needs, then -1."""
    targets, sites = errand.targets, errand.sites
    found = np.full((targets, sites), -1, np.int64)
    for target in range(targets):
        wanted = {errand.subject[target]}
        for _ in range(targets):
            for other in range(targets):
                if errand.kind[other] == COLLECT and errand.leaves[other] in wanted:
                    wanted.add(errand.subject[other])
        count = 0
        for site in range(1, sites):
            if errand.made_of[site] in wanted:
                found[target, count] = site
                count += 1
    return found


@inline_kernel
def _ahead(
    errand: Any, nearest: Any, row: Any, left: Any, done: int, at: Any, distance: Any
) -> int:
    """A guess at the ways still to go: the farthest to what is left to do, some of the others."""
    farthest, total = 0, 0
    for target in left:
        if target == done:
            continue
        far = nearest[at, target]
        for station in range(row.standing.size):
            if errand.stations[target, station] and row.standing[station] >= 0:
                far = max(far, min(distance[at, row.standing[station]], _FAR_ENOUGH))
        farthest = max(farthest, far)
        total += far
    return farthest + total // 6


@kernel
def _nearest_of_each(errand: Any) -> Any:
    """int64[S, T]: what it costs to get from each site to the nearest for each target."""
    targets, sites = errand.targets, errand.sites
    closest = np.zeros((sites, targets), np.int64)
    for target in range(targets):
        kind = errand.kind[target]
        if kind != COLLECT and kind != HUNT:
            continue
        for at in range(sites):
            lowest = _FAR_ENOUGH
            for site in range(1, sites):
                if errand.made_of[site] == errand.subject[target]:
                    lowest = min(lowest, errand.later[at, site])
            closest[at, target] = lowest
    return closest


@kernel
def _weights(targets: int) -> Any:
    """int64[T + 1]: what a state's key counts each target, and the site, with; sums wrap around."""
    weights = np.ones(targets + 1, np.int64)
    for target in range(targets):
        weights[target + 1] = weights[target] * 1000003
    return weights


@inline_kernel
def _work(errand: Any, target: int, times: int) -> Any:
    """The remaining cost of a target after this many repetitions, minus its bonus."""
    if times == 0:
        return -errand.bonus[target]
    return times * errand.cost[target] + (errand.nap if errand.kind[target] == SLEEP else 0)


@kernel
def _expand(errand: Any, guide: Any, row: Any, number: int, steps: Any, count: int) -> int:
    """Note all that can be done next in one state; return how many steps are noted by then."""
    closest, candidates, weights = guide
    targets, sites = errand.targets, errand.sites
    distance = distances(errand, row.held)
    made_of, left = row.made_of[:sites], row.left[:targets]
    nearest, still = np.empty(_CHOICES, np.int64), np.empty(targets, np.int64)
    all_work, all_left, many = 0, 0, 0
    for target in range(targets):
        if left[target] > 0:
            still[many] = target
            many += 1
        all_work += _work(errand, target, left[target])
        all_left += left[target] * weights[target]
    for target in range(targets):
        if left[target] <= 0 or not affords(errand, row.held, target):
            continue
        kind = errand.kind[target]
        nearest[:] = -1
        if kind in (COLLECT, HUNT):
            subject = errand.subject[target]
            _nearest_sites(made_of, distance, row.at, subject, candidates[target], nearest)
        else:
            nearest[0] = place_for(errand, row, distance, target)
        once_more = left[target] - 1
        work = all_work + _work(errand, target, once_more) - _work(errand, target, left[target])
        done = target if once_more == 0 else -1
        for site in nearest:
            if site < 0 or distance[row.at, site] >= NOWHERE:
                break
            step = steps[count]
            step.source, step.target, step.site = number, target, site
            step.done = finished(errand, row, distance, target, site)
            # What like states share: what is left to do, and where the player is.
            step.key = all_left - weights[target] + site * weights[targets]
            rest = work + _ahead(errand, closest, row, still[:many], done, site, distance)
            step.rank = step.done + rest + row.toll + toll(errand, row, site, step.done)
            count += 1
    return count


@kernel
def _search(errand: Any, rows: Any, before: Any) -> Any:
    targets = errand.targets
    depth = errand.times.sum()
    guide = (_nearest_of_each(errand), _candidates(errand), _weights(targets))
    begin(errand, rows[0])
    steps = np.zeros(_BEAM * targets * _CHOICES, STEP_DTYPE)
    parents = np.zeros((depth + 1, _BEAM), np.int64)
    did = np.zeros((depth + 1, _BEAM), np.int64)
    where = np.zeros((depth + 1, _BEAM), np.int64)
    size, level = 1, 0
    while level < depth:
        count = 0
        for number in range(size):
            count = _expand(errand, guide, rows[number], number, steps, count)
        if count == 0:
            break
        level += 1
        rows, before = before, rows
        seen = {np.int64(-1)}
        size = 0
        for index in np.argsort(steps["rank"][:count], kind="mergesort"):
            step = steps[index]
            if step.key in seen:
                continue
            seen.add(step.key)
            rows[size] = before[step.source]
            carry_out(errand, rows[size], step.target, step.site, step.done)
            parents[level, size] = step.source
            did[level, size], where[level, size] = step.target, step.site
            size += 1
            if size == _BEAM:
                break
    # Not rows[best].time: numba frees an array after its last use, before the record of it is read.
    times = rows["time"]
    best = int(np.argmin(times[:size] + rows["toll"][:size]))
    end = times[best]
    stops = np.empty((level, 2), np.int64)
    for step_number in range(level, 0, -1):
        stops[step_number - 1, 0] = did[step_number, best]
        stops[step_number - 1, 1] = where[step_number, best]
        best = parents[step_number, best]
    return stops, end
