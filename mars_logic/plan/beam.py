"""Beam search for a short way to do all that a plan wants: in which order, and where.

The state is abstract: what is held, what is left to do, which site the player is at, what the sites
are made of, where stations and a plant stand. Costs are in quarters of a step, as in ``route``.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mars_logic.kernel import kernel

COLLECT, PLACE, MAKE, HUNT, HARVEST, SLEEP = range(6)
"""Kinds of targets."""
NOWHERE: Final = 1 << 28
"""The distance of what cannot be got to."""
_BEAM: Final = 192
_CHOICES: Final = 3
"""Sites of one material that are tried from one state."""


class Errand(NamedTuple):
    """What is to be done, as arrays; T targets, S sites, I items, P stations.

    Site 0 is where the player is.

    Attributes:
        kind: int64[T]: one of the kinds above.
        count: int64[T]: how often.
        subject: int64[T]: what a site has to be made of, -1 for none; or the station placed.
        requires: int64[T, I]: what has to be held.
        uses: int64[T, I]: what is used up.
        brings: int64[T, I]: what is gained.
        leaves: int64[T]: what the site is made of afterwards.
        cost: int64[T]: what doing it costs, at the site.
        stations: bool[T, P]: the stations that have to be nearby.
        beside: int64[T]: another material that has to be nearby, -1 for none.
        ground: bool[T, S]: whether something can be placed at a site.
        made_of: int64[S]: what each site is made of.
        near: int64[S, S]: what it costs to get from site to site at first.
        later: int64[S, S]: the same, once ``opener`` is held.
        opener: int64[I]: what opens the ways of ``later``.
        held: int64[I]: what is held.
        standing: int64[P]: the site at which each station stands, -1 for none.
        now: The time, in quarters of a step.
        planted: When the plant was planted, -1 if none stands.
        garden: The site of the plant.
        ripening: How long a plant takes to get ripe.
        tired: When energy is lost next.
        tiring: How long a point of energy lasts.
        weary: Points of energy that are missing.
        nap: How long a point of energy takes to come back.
    """

    kind: NDArray[np.int64]
    count: NDArray[np.int64]
    subject: NDArray[np.int64]
    requires: NDArray[np.int64]
    uses: NDArray[np.int64]
    brings: NDArray[np.int64]
    leaves: NDArray[np.int64]
    cost: NDArray[np.int64]
    stations: NDArray[np.bool_]
    beside: NDArray[np.int64]
    ground: NDArray[np.bool_]
    made_of: NDArray[np.int64]
    near: NDArray[np.int64]
    later: NDArray[np.int64]
    opener: NDArray[np.int64]
    held: NDArray[np.int64]
    standing: NDArray[np.int64]
    now: int
    planted: int
    garden: int
    ripening: int
    tired: int
    tiring: int
    weary: int
    nap: int


def search(errand: Errand) -> tuple[NDArray[np.int64], int]:
    """A short way to do everything, or as much of it as is found possible.

    Args:
        errand: What to do.

    Returns:
        int64[n, 2]: target and site of each thing to do, in order; and the time when all is done.
    """
    found: tuple[NDArray[np.int64], int] = _search(errand)
    return found


@kernel
def _nearest_site(made_of: Any, distance: Any, at: int, material: int) -> int:
    """The nearest site of a material; -1 if there is none."""
    best, lowest = -1, NOWHERE
    for site in range(1, made_of.size):
        if made_of[site] == material and distance[at, site] < lowest:
            best, lowest = site, distance[at, site]
    return best


@kernel
def _nearest_sites(made_of: Any, distance: Any, at: int, material: int, among: Any, nearest: Any) -> None:
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
    targets, sites = errand.kind.size, errand.made_of.size
    found = np.full((targets, sites), -1, np.int64)
    for target in range(targets):
        wanted = set([errand.subject[target]])
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


@kernel
def _enough(held: Any, wanted: Any) -> bool:
    for item in range(held.size):
        if held[item] < wanted[item]:
            return False
    return True


@kernel
def _meeting(
    errand: Any, made_of: Any, standing: Any, distance: Any, at: int, target: int
) -> int:
    """The site at which all that a target needs nearby is found; -1 if there is none."""
    place = at
    found = False
    for station in range(standing.size):
        if errand.stations[target, station]:
            if standing[station] < 0:
                return -1
            if found and distance[place, standing[station]] > 0:
                return -1
            place = standing[station]
            found = True
    if errand.beside[target] >= 0:
        other = _nearest_site(made_of, distance, place, errand.beside[target])
        if other < 0 or (found and distance[place, other] > 8):
            return -1
        place = place if found else other
    return place


@kernel
def _placeable(errand: Any, distance: Any, at: int, target: int) -> int:
    """The nearest site at which something can be placed; -1 if there is none."""
    if errand.ground[target, at]:
        return at
    best, lowest = -1, NOWHERE
    for site in range(errand.made_of.size):
        if errand.ground[target, site] and distance[at, site] < lowest:
            best, lowest = site, distance[at, site]
    return best


@kernel
def _ahead(errand: Any, closest: Any, left: Any, at: int) -> int:
    """A guess at what is still to go: the farthest of what is left, and some of the rest."""
    farthest, total = 0, 0
    for target in range(left.size):
        if left[target] > 0:
            far = closest[target, at]
            farthest = max(farthest, far)
            total += far
    return farthest + total // 6


@kernel
def _nearest_of_each(errand: Any) -> Any:
    """int64[T, S]: what it costs to get from each site to the nearest for each target."""
    targets, sites = errand.kind.size, errand.made_of.size
    closest = np.zeros((targets, sites), np.int64)
    for target in range(targets):
        kind = errand.kind[target]
        if kind != COLLECT and kind != HUNT:
            continue
        for at in range(sites):
            lowest = 400
            for site in range(1, sites):
                if errand.made_of[site] == errand.subject[target]:
                    lowest = min(lowest, errand.later[at, site])
            closest[target, at] = lowest
    return closest


@kernel
def _search(errand: Any) -> Any:
    targets, sites, items = errand.kind.size, errand.made_of.size, errand.held.size
    stations = errand.standing.size
    depth = errand.count.sum()
    closest, candidates = _nearest_of_each(errand), _candidates(errand)
    nearest = np.empty(_CHOICES, np.int64)
    weights = np.empty((targets, 2), np.int64)
    for target in range(targets):
        weights[target, 0] = 0x9E3779B97F4A7C1 * (target + 1) ^ (target * 0x5851F42D4C957F2)
        weights[target, 1] = 0
    # The beam: one row for each state.
    time = np.zeros(_BEAM, np.int64)
    at = np.zeros(_BEAM, np.int64)
    held = np.zeros((_BEAM, items), np.int64)
    left = np.zeros((_BEAM, targets), np.int64)
    made_of = np.zeros((_BEAM, sites), np.int64)
    standing = np.zeros((_BEAM, stations), np.int64)
    planted = np.zeros(_BEAM, np.int64)
    garden = np.zeros(_BEAM, np.int64)
    weary = np.zeros(_BEAM, np.int64)
    tired = np.zeros(_BEAM, np.int64)
    time[0], planted[0], garden[0] = errand.now, errand.planted, errand.garden
    weary[0], tired[0] = errand.weary, errand.tired
    held[0], left[0], made_of[0], standing[0] = (
        errand.held,
        errand.count,
        errand.made_of,
        errand.standing,
    )
    size = 1
    room = _BEAM * targets * _CHOICES
    new_time = np.empty(room, np.int64)
    new_rank = np.empty(room, np.int64)
    new_key = np.empty(room, np.int64)
    new_from = np.empty(room, np.int64)
    new_target = np.empty(room, np.int64)
    new_site = np.empty(room, np.int64)
    parents = np.zeros((depth + 1, _BEAM), np.int64)
    did = np.zeros((depth + 1, _BEAM), np.int64)
    where = np.zeros((depth + 1, _BEAM), np.int64)
    level = 0
    while level < depth:
        count = 0
        for row in range(size):
            open_now = _enough(held[row], errand.opener)
            distance = errand.later if open_now else errand.near
            key = np.int64(0)
            for target in range(targets):
                key = key * 1000003 + left[row, target]
            for target in range(targets):
                if left[row, target] <= 0:
                    continue
                if not _enough(held[row], errand.requires[target]):
                    continue
                if not _enough(held[row], errand.uses[target]):
                    continue
                kind = errand.kind[target]
                choices = 1
                if kind == COLLECT or kind == HUNT:
                    choices = _CHOICES
                    _nearest_sites(
                        made_of[row],
                        distance,
                        at[row],
                        errand.subject[target],
                        candidates[target],
                        nearest,
                    )
                for rank in range(choices):
                    done = time[row]
                    site = at[row]
                    if kind == COLLECT or kind == HUNT:
                        site = nearest[rank]
                    elif kind == HARVEST:
                        if planted[row] < 0:
                            break
                        site = garden[row]
                    elif kind == PLACE or kind == MAKE:
                        site = _meeting(
                            errand, made_of[row], standing[row], distance, at[row], target
                        )
                        if site >= 0 and kind == PLACE:
                            site = _placeable(errand, distance, site, target)
                    if site < 0 or distance[at[row], site] >= NOWHERE:
                        break
                    done += distance[at[row], site]
                    if kind == HARVEST:
                        done = max(done, planted[row] + errand.ripening)
                    if kind == SLEEP:
                        missing = weary[row]
                        if done >= tired[row]:
                            missing += 1 + (done - tired[row]) // errand.tiring
                        if missing == 0:
                            done = tired[row]
                            missing = 1
                        done += missing * errand.nap
                    done += errand.cost[target]
                    new_time[count] = done
                    new_from[count] = row
                    new_target[count] = target
                    new_site[count] = site
                    left[row, target] -= 1
                    new_rank[count] = done + _ahead(errand, closest, left[row], site)
                    left[row, target] += 1
                    new_key[count] = (key + weights[target, 0]) * 8191 + site
                    count += 1
        if count == 0:
            break
        order = np.argsort(new_rank[:count], kind="mergesort")
        seen = set([np.int64(-1)])
        old_held, old_left = held[:size].copy(), left[:size].copy()
        old_made, old_standing = made_of[:size].copy(), standing[:size].copy()
        old_planted, old_garden = planted[:size].copy(), garden[:size].copy()
        old_weary, old_tired = weary[:size].copy(), tired[:size].copy()
        size = 0
        level += 1
        for index in order:
            if size >= _BEAM:
                break
            row, target, site = new_from[index], new_target[index], new_site[index]
            key = np.int64(0)
            for other in range(targets):
                key = key * 1000003 + old_left[row, other] - (1 if other == target else 0)
            key = key * 8191 + site
            if key in seen:
                continue
            seen.add(key)
            time[size], at[size] = new_time[index], site
            parents[level, size], did[level, size], where[level, size] = row, target, site
            left[size] = old_left[row]
            left[size, target] -= 1
            made_of[size] = old_made[row]
            standing[size] = old_standing[row]
            planted[size], garden[size] = old_planted[row], old_garden[row]
            weary[size], tired[size] = old_weary[row], old_tired[row]
            kind = errand.kind[target]
            for item in range(items):
                more = errand.brings[target, item] - errand.uses[target, item]
                held[size, item] = min(9, old_held[row, item] + more)
            if kind == COLLECT or kind == HUNT:
                made_of[size, site] = errand.leaves[target]
            elif kind == PLACE and errand.subject[target] >= 0:
                standing[size, errand.subject[target]] = site
            elif kind == PLACE:
                planted[size], garden[size] = new_time[index], site
            elif kind == SLEEP:
                weary[size], tired[size] = 0, new_time[index] + errand.tiring
            size += 1
    best = 0
    for row in range(size):
        if time[row] < time[best]:
            best = row
    end = time[best]
    stops = np.empty((level, 2), np.int64)
    for step in range(level, 0, -1):
        stops[step - 1, 0] = did[step, best]
        stops[step - 1, 1] = where[step, best]
        best = parents[step, best]
    return stops, end
