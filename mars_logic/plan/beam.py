"""Beam search for a short way to do all that a plan wants: in which order, and where.

The state is abstract: what is held, what is left to do, which site the player is at, what the sites
are made of, where stations and a plant stand. Costs are in quarters of a step, as in ``route``.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mars_logic.kernel import kernel
from mars_logic.world import names

COLLECT, PLACE, MAKE, HUNT, HARVEST, SLEEP = range(6)
"""Kinds of targets."""
NOWHERE: Final = 1 << 28
"""The distance of what cannot be got to."""
_BEAM: Final = 192
_CHOICES: Final = 3
"""Sites of one material that are tried from one state."""
_FAR_ENOUGH: Final = 400
"""No way is guessed to be longer."""
MOST_TARGETS, MOST_SITES, MOST_HELD = 48, 160, 9
STATIONS: Final = 3
"""Things to be placed that may have to be nearby."""

ROW_DTYPE: Final = np.dtype(
    [
        ("time", np.int64),
        ("at", np.int64),  # a site
        ("planted", np.int64),  # when; -1 if no plant stands
        ("garden", np.int64),  # the site of the plant
        ("weary", np.int64),  # points of energy that are missing
        ("tired", np.int64),  # when the next one is lost
        ("toll", np.int64),  # what the dark is likely to have cost
        ("held", np.int64, (len(names.HOLDABLE),)),
        ("standing", np.int64, (STATIONS,)),  # sites
        ("left", np.int64, (MOST_TARGETS,)),  # how often each target has still to be done
        ("made_of", np.int64, (MOST_SITES,)),
    ],
    align=True,
)
"""A state of the search."""
STEP_DTYPE: Final = np.dtype(
    [(name, np.int64) for name in ("source", "target", "site", "done", "rank", "key")], align=True
)
"""Something that can be done next in a state."""


class Errand(NamedTuple):
    """What is to be done, as arrays; T targets, S sites, I items, P stations.

    Site 0 is where the player is.

    Attributes:
        kind: int64[T]: one of the kinds above.
        times: int64[T]: how often.
        subject: int64[T]: what a site has to be made of, -1 for none; or the station placed.
        requires: int64[T, I]: what has to be held.
        uses: int64[T, I]: what is used up.
        brings: int64[T, I]: what is gained.
        leaves: int64[T]: what the site is made of afterwards.
        cost: int64[T]: what doing it costs, at the site.
        bonus: int64[T]: what it is worth to have it done early.
        stations: bool[T, P]: the stations that have to be nearby.
        beside: int64[T]: another material that has to be nearby, -1 for none.
        ground: bool[T, S]: whether something can be placed at a site.
        made_of: int64[S]: what each site is made of.
        near: int64[S, S]: what it costs to get from site to site at first.
        later: int64[S, S]: the same, once ``opener`` is held.
        close: bool[S, S]: whether somebody may stand near both.
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
        peril: int64[S]: what being about near a site costs in the dark, in parts of a thousand of
            the time it takes.
        dark: bool[N]: whether it is dark at a step, of days of N steps.
        step: How long a step is.
    """

    kind: NDArray[np.int64]
    times: NDArray[np.int64]
    subject: NDArray[np.int64]
    requires: NDArray[np.int64]
    uses: NDArray[np.int64]
    brings: NDArray[np.int64]
    leaves: NDArray[np.int64]
    cost: NDArray[np.int64]
    bonus: NDArray[np.int64]
    stations: NDArray[np.bool_]
    beside: NDArray[np.int64]
    ground: NDArray[np.bool_]
    made_of: NDArray[np.int64]
    near: NDArray[np.int64]
    later: NDArray[np.int64]
    close: NDArray[np.bool_]
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
    peril: NDArray[np.int64]
    dark: NDArray[np.bool_]
    step: int


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
    targets, sites = errand.kind.size, errand.made_of.size
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


@kernel
def enough(held: Any, wanted: Any) -> bool:
    """Whether all that is wanted is held."""
    for item in range(held.size):  # noqa: SIM110 - numpy's all takes half as long again
        if held[item] < wanted[item]:
            return False
    return True


@kernel
def _meeting(errand: Any, made_of: Any, standing: Any, distance: Any, at: int, target: int) -> int:
    """The site at which all that a target needs nearby is found; -1 if there is none."""
    place = at
    found = False
    for station in range(standing.size):
        if errand.stations[target, station]:
            if standing[station] < 0:
                return -1
            if found and not errand.close[place, standing[station]]:
                return -1
            place = standing[station]
            found = True
    if errand.beside[target] >= 0:
        other = _nearest_site(made_of, distance, place, errand.beside[target])
        if other < 0 or (found and not errand.close[place, other]):
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
def _ahead(errand: Any, closest: Any, row: Any, left: Any, at: Any, distance: Any) -> int:
    """A guess at what is still to go: what is left to do, the farthest way to it, some others."""
    farthest, total, work = 0, 0, 0
    for target in range(left.size):
        if left[target] > 0:
            far = closest[target, at]
            for station in range(row.standing.size):
                if errand.stations[target, station] and row.standing[station] >= 0:
                    far = max(far, min(distance[at, row.standing[station]], _FAR_ENOUGH))
            farthest = max(farthest, far)
            total += far
            work += left[target] * errand.cost[target]
            if errand.kind[target] == SLEEP:
                work += errand.nap
    return work + farthest + total // 6


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
            lowest = _FAR_ENOUGH
            for site in range(1, sites):
                if errand.made_of[site] == errand.subject[target]:
                    lowest = min(lowest, errand.later[at, site])
            closest[target, at] = lowest
    return closest


@kernel
def _key(left: Any, target: int, site: Any) -> Any:
    """What like states share: what is left to do once a target is done, and where the player is."""
    key = site
    for other in range(left.size):
        key = key * 1000003 + left[other] - (1 if other == target else 0)
    return key


@kernel
def place_for(errand: Any, row: Any, distance: Any, target: int) -> Any:
    """The site for anything but collecting and hunting; -1 if there is none."""
    kind = errand.kind[target]
    if kind == HARVEST:
        return row.garden if row.planted >= 0 else -1
    if kind == SLEEP:
        return row.at
    made_of = row.made_of[: errand.made_of.size]
    site = _meeting(errand, made_of, row.standing, distance, row.at, target)
    if site >= 0 and kind == PLACE:
        return _placeable(errand, distance, site, target)
    return site


@kernel
def finished(errand: Any, row: Any, distance: Any, target: int, site: Any) -> Any:
    """When a target is done, if it is the next thing."""
    done = row.time + distance[row.at, site]
    kind = errand.kind[target]
    if kind == HARVEST:
        done = max(done, row.planted + errand.ripening)
    elif kind == SLEEP:
        missing = row.weary
        if done >= row.tired:
            missing += 1 + (done - row.tired) // errand.tiring
        elif missing == 0:
            done = row.tired
            missing = 1
        done += missing * errand.nap
    return done + errand.cost[target]


@kernel
def distances(errand: Any, held: Any) -> Any:
    """int64[S, S]: what it costs to get from site to site, with what is held."""
    return errand.later if enough(held, errand.opener) else errand.near


@kernel
def begin(errand: Any, row: Any) -> None:
    """Make a state the one in which nothing is done yet."""
    row.time, row.at, row.planted, row.garden = errand.now, 0, errand.planted, errand.garden
    row.weary, row.tired, row.toll = errand.weary, errand.tired, 0
    row.held[:] = errand.held
    row.left[: errand.times.size] = errand.times
    row.made_of[: errand.made_of.size] = errand.made_of
    row.standing[:] = errand.standing


@kernel
def toll(errand: Any, row: Any, site: Any, done: Any) -> Any:
    """What the dark is likely to cost on the way to a site, and there."""
    half = (row.time + done) // (2 * errand.step)
    if not errand.dark[half % errand.dark.size]:
        return 0
    return (done - row.time) * (errand.peril[row.at] + errand.peril[site]) // 2000


@kernel
def carry_out(errand: Any, row: Any, target: int, site: int, done: int) -> None:
    """Change a state by doing a target."""
    row.toll += toll(errand, row, site, done)
    row.time, row.at = done, site
    row.left[target] -= 1
    for item in range(errand.held.size):
        more = errand.brings[target, item] - errand.uses[target, item]
        row.held[item] = min(MOST_HELD, row.held[item] + more)
    kind = errand.kind[target]
    if kind in (COLLECT, HUNT):
        row.made_of[site] = errand.leaves[target]
    elif kind == PLACE and errand.subject[target] >= 0:
        row.standing[errand.subject[target]] = site
    elif kind == PLACE:
        row.planted, row.garden = done, site
    elif kind == SLEEP:
        row.weary, row.tired = 0, done + errand.tiring


@kernel
def _credit(errand: Any, left: Any) -> int:
    """What it is worth that some targets are done."""
    credit = 0
    for target in range(errand.kind.size):
        if left[target] == 0:
            credit += errand.bonus[target]
    return credit


@kernel
def _expand(errand: Any, guide: Any, row: Any, number: int, steps: Any, count: int) -> int:
    """Note all that can be done next in one state; return how many steps are noted by then."""
    closest, candidates = guide
    targets, sites = errand.kind.size, errand.made_of.size
    distance = distances(errand, row.held)
    made_of, left = row.made_of[:sites], row.left[:targets]
    nearest = np.empty(_CHOICES, np.int64)
    for target in range(targets):
        if left[target] <= 0 or not enough(row.held, errand.requires[target]):
            continue
        if not enough(row.held, errand.uses[target]):
            continue
        kind = errand.kind[target]
        nearest[:] = -1
        if kind in (COLLECT, HUNT):
            subject = errand.subject[target]
            _nearest_sites(made_of, distance, row.at, subject, candidates[target], nearest)
        else:
            nearest[0] = place_for(errand, row, distance, target)
        for site in nearest:
            if site < 0 or distance[row.at, site] >= NOWHERE:
                break
            step = steps[count]
            step.source, step.target, step.site = number, target, site
            step.done = finished(errand, row, distance, target, site)
            step.key = _key(left, target, site)
            left[target] -= 1
            rest = _ahead(errand, closest, row, left, site, distance)
            rest += row.toll + toll(errand, row, site, step.done)
            step.rank = step.done + rest - _credit(errand, left)
            left[target] += 1
            count += 1
    return count


@kernel
def _search(errand: Any) -> Any:
    targets = errand.kind.size
    depth = errand.times.sum()
    guide = (_nearest_of_each(errand), _candidates(errand))
    rows, before = np.zeros(_BEAM, ROW_DTYPE), np.zeros(_BEAM, ROW_DTYPE)
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
