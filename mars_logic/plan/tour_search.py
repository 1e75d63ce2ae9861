"""Short itineraries: beam search over abstract states, then local search.

A state holds the items, the tasks left, the player's site, what the sites are made of, and where
stations and a plant stand. Beam search (192 states) finds an order with sites; local search then
moves up to four stops at a time as long as that makes the itinerary shorter. Costs are in quarters
of a step. Kernels take the routing problem as one record and are copied into their callers: a tuple
of arrays would cost more to hand on than the work itself.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.compiled.kernel import inline_kernel, kernel
from mars_logic.plan.routes import STEP
from mars_logic.world import names
from mars_logic.world.dialect import DAY, MAXIMUM

COLLECT, PLACE, MAKE, HUNT, HARVEST, SLEEP = range(6)
"""Kinds of targets."""
NOWHERE: Final = 1 << 28
"""The distance of unreachable sites."""
MOST_TARGETS, MOST_SITES, MOST_HELD = 48, 160, MAXIMUM
SIZES: Final = ((len(names.HOLDABLE), 3), (24, 8), (60, 64))
"""Numbers of items, and of things to be placed that may have to be nearby, for which kernels are
compiled; the first pair serves worlds without added names."""


@cache
def _row_dtype(items: int, stations: int) -> np.dtype[np.void]:
    """A state of the search; kept small, as copying states is much of the work."""
    return np.dtype(
        [
            ("time", np.int64),
            ("at", np.int64),  # a site
            ("planted_at", np.int64),  # when; -1 if no plant stands
            ("plant_site", np.int64),  # the site of the plant
            ("energy_missing", np.int64),  # points of energy that are missing
            ("next_energy_loss", np.int64),  # when the next one is lost
            ("night_cost", np.int64),  # what the dark is likely to have cost
            ("standing", np.int64, (stations,)),  # sites
            ("held", np.int8, (items,)),
            ("left", np.int16, (MOST_TARGETS,)),  # how often each target has still to be done
            ("made_of", np.int16, (MOST_SITES,)),
        ],
        align=True,
    )


@cache
def _problem_dtype(items: int, stations: int) -> np.dtype[np.void]:
    """The routing problem: T targets, S sites, I items and P stations, of which site 0 is here."""
    i64, t, s = np.int64, MOST_TARGETS, MOST_SITES
    return np.dtype(
        [
            ("targets", i64),  # T
            ("sites", i64),  # S
            ("kind", i64, (t,)),  # [T] one of the kinds above
            ("times", i64, (t,)),  # [T] how often
            ("subject", i64, (t,)),  # [T] material of its sites, -1: none; or the station placed
            ("leaves", i64, (t,)),  # [T] material of the site afterwards
            ("cost", i64, (t,)),  # [T] of doing it, at the site
            ("bonus", i64, (t,)),  # [T] for doing it early
            ("items", i64, (t, items)),  # [T, n] the items that are needed or change, then -1
            ("needs", i64, (t, items)),  # [T, I] amounts to be held
            ("change", i64, (t, items)),  # [T, I] amounts gained; negative: used up
            ("stations", np.uint8, (t, stations)),  # [T, P] whether it has to be nearby
            ("beside", i64, (t,)),  # [T] another material that has to be nearby, -1: none
            ("ground", np.uint8, (t, s)),  # [T, S] whether it can be placed at a site
            ("made_of", i64, (s,)),  # [S] material of each site
            ("near", i64, (s, s)),  # [S, S] cost of the way from site to site at first
            ("later", i64, (s, s)),  # [S, S] the same, once the opener is held
            ("opener", i64, (items,)),  # [I] items that open the ways of later
            ("close", np.uint8, (s, s)),  # [S, S] whether one cell is near both
            ("held", i64, (items,)),  # [I] amounts held
            ("standing", i64, (stations,)),  # [P] site of each station, -1: none
            ("now", i64),  # the time; all times are in quarters of a step
            ("planted_at", i64),  # time of planting, -1: no plant
            ("plant_site", i64),
            ("ripening", i64),  # time from planting to a ripe plant
            ("next_energy_loss", i64),
            ("energy_lasts", i64),  # time in which a point of energy is lost
            ("energy_missing", i64),  # points
            ("sleep_per_energy", i64),  # time of sleep for a point of energy
            ("night_rate", i64, (s,)),  # [S] cost of darkness in thousandths of the time there
            ("dark", np.uint8, (DAY,)),  # whether it is dark at each step of a day
            ("step", i64),  # the length of a step
        ],
        align=True,
    )


def empty_problem(targets: int, sites: int, size: tuple[int, int]) -> np.void:
    """A routing problem to be filled, of one of :data:`SIZES`."""
    problem: np.void = np.zeros(1, _problem_dtype(*size))[0]
    problem["targets"], problem["sites"], problem["step"] = targets, sites, STEP
    return problem


def _rows(problem: np.void, count: int) -> NDArray[np.void]:
    """Empty states of the search."""
    return np.zeros(count, _row_dtype(len(problem["held"]), len(problem["standing"])))


@inline_kernel
def _nearest_site(made_of: Any, distance: Any, at: int, material: int) -> int:
    """The nearest site of a material; -1 if there is none."""
    best, lowest = -1, NOWHERE
    for site in range(1, made_of.size):
        if made_of[site] == material and distance[at, site] < lowest:
            best, lowest = site, distance[at, site]
    return best


@inline_kernel
def has_items(problem: Any, held: Any, target: int) -> bool:
    """Whether all that a target needs is held."""
    for place in range(held.size):
        item = problem.items[target, place]
        if item < 0:
            break
        if held[item] < problem.needs[target, item]:
            return False
    return True


@inline_kernel
def _where_stations_meet(
    problem: Any, made_of: Any, standing: Any, distance: Any, at: int, target: int
) -> int:
    """The site at which all that a target needs nearby is found; -1 if there is none."""
    place = at
    found = False
    for station in range(standing.size):
        if problem.stations[target, station]:
            if standing[station] < 0:
                return -1
            if found and not problem.close[place, standing[station]]:
                return -1
            place = standing[station]
            found = True
    if problem.beside[target] >= 0:
        other = _nearest_site(made_of, distance, place, problem.beside[target])
        if other < 0 or (found and not problem.close[place, other]):
            return -1
        place = place if found else other
    return place


@inline_kernel
def _placeable(problem: Any, distance: Any, at: int, target: int) -> int:
    """The nearest site at which something can be placed; -1 if there is none."""
    if problem.ground[target, at]:
        return at
    best, lowest = -1, NOWHERE
    for site in range(problem.sites):
        if problem.ground[target, site] and distance[at, site] < lowest:
            best, lowest = site, distance[at, site]
    return best


@inline_kernel
def place_for(problem: Any, row: Any, distance: Any, target: int) -> Any:
    """The site for anything but collecting and hunting; -1 if there is none."""
    kind = problem.kind[target]
    if kind == HARVEST:
        return row.plant_site if row.planted_at >= 0 else -1
    if kind == SLEEP:
        return row.at
    made_of = row.made_of[: problem.sites]
    site = _where_stations_meet(problem, made_of, row.standing, distance, row.at, target)
    if site >= 0 and kind == PLACE:
        return _placeable(problem, distance, site, target)
    return site


@inline_kernel
def finished(problem: Any, row: Any, distance: Any, target: int, site: Any) -> Any:
    """When a target is done, if it is the next thing."""
    done = row.time + distance[row.at, site]
    kind = problem.kind[target]
    if kind == HARVEST:
        done = max(done, row.planted_at + problem.ripening)
    elif kind == SLEEP:
        missing = row.energy_missing
        if done >= row.next_energy_loss:
            missing += 1 + (done - row.next_energy_loss) // problem.energy_lasts
        elif missing == 0:
            done = row.next_energy_loss
            missing = 1
        done += missing * problem.sleep_per_energy
    return done + problem.cost[target]


@inline_kernel
def distances(problem: Any, held: Any) -> Any:
    """int64[S, S]: what it costs to get from site to site, with what is held."""
    for item in range(held.size):
        if held[item] < problem.opener[item]:
            return problem.near
    return problem.later


@inline_kernel
def begin(problem: Any, row: Any) -> None:
    """Set a state to the initial one."""
    row.time, row.at, row.planted_at, row.plant_site = (
        problem.now,
        0,
        problem.planted_at,
        problem.plant_site,
    )
    row.energy_missing, row.next_energy_loss, row.night_cost = (
        problem.energy_missing,
        problem.next_energy_loss,
        0,
    )
    row.held[:] = problem.held
    row.left[:] = problem.times
    row.made_of[:] = problem.made_of
    row.standing[:] = problem.standing


@inline_kernel
def night_cost(problem: Any, row: Any, site: Any, done: Any) -> Any:
    """Expected cost of darkness on the way to a site, and there."""
    half = (row.time + done) // (2 * problem.step)
    if not problem.dark[half % DAY]:
        return 0
    return (done - row.time) * (problem.night_rate[row.at] + problem.night_rate[site]) // 2000


@inline_kernel
def carry_out(problem: Any, row: Any, target: int, site: int, done: int) -> None:
    """Change a state by doing a target."""
    row.night_cost += night_cost(problem, row, site, done)
    row.time, row.at = done, site
    row.left[target] -= 1
    for place in range(problem.held.size):
        item = problem.items[target, place]
        if item < 0:
            break
        row.held[item] = min(MOST_HELD, row.held[item] + problem.change[target, item])
    kind = problem.kind[target]
    if kind in (COLLECT, HUNT):
        row.made_of[site] = problem.leaves[target]
    elif kind == PLACE and problem.subject[target] >= 0:
        row.standing[problem.subject[target]] = site
    elif kind == PLACE:
        row.planted_at, row.plant_site = done, site
    elif kind == SLEEP:
        row.energy_missing, row.next_energy_loss = 0, done + problem.energy_lasts


_BEAM: Final = 192
_CHOICES: Final = 3
"""Sites of one material that are tried from one state."""
_FAR_ENOUGH: Final = 400
"""No way is guessed to be longer."""
STEP_DTYPE: Final = np.dtype(
    [(name, np.int64) for name in ("source", "target", "site", "done", "rank", "key")], align=True
)
"""Something that can be done next in a state."""


def search(problem: np.void) -> tuple[NDArray[np.int64], int]:
    """A short way to do everything, or as much of it as is found possible.

    Args:
        problem: What to do.

    Returns:
        int64[n, 2]: target and site of each thing to do, in order; and the time when all is done.
    """
    found: tuple[NDArray[np.int64], int] = _search(
        problem, _rows(problem, _BEAM), _rows(problem, _BEAM)
    )
    return found


@inline_kernel
def _keep_nearest(distance: Any, at: Any, site: int, nearest: Any) -> None:
    """Insert a site into those that are nearest, in their order, if it is one of them."""
    for rank in range(nearest.size):
        if nearest[rank] < 0 or distance[at, site] < distance[at, nearest[rank]]:
            for later in range(nearest.size - 1, rank, -1):
                nearest[later] = nearest[later - 1]
            nearest[rank] = site
            break


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
        if made_of[site] == material and far < NOWHERE:
            _keep_nearest(distance, at, site, nearest)


@kernel
def _candidates(problem: Any) -> Any:
    """int64[T, S]: for each target, the sites that are or may get what it needs, then -1."""
    targets, sites = problem.targets, problem.sites
    found = np.full((targets, sites), -1, np.int64)
    for target in range(targets):
        wanted = {problem.subject[target]}
        for _ in range(targets):
            for other in range(targets):
                if problem.kind[other] == COLLECT and problem.leaves[other] in wanted:
                    wanted.add(problem.subject[other])
        count = 0
        for site in range(1, sites):
            if problem.made_of[site] in wanted:
                found[target, count] = site
                count += 1
    return found


@inline_kernel
def _ahead(
    problem: Any, nearest: Any, row: Any, left: Any, done: int, at: Any, distance: Any
) -> int:
    """A guess at the ways still to go: the farthest to what is left to do, some of the others."""
    farthest, total = 0, 0
    for target in left:
        if target == done:
            continue
        far = nearest[at, target]
        for station in range(row.standing.size):
            if problem.stations[target, station] and row.standing[station] >= 0:
                far = max(far, min(distance[at, row.standing[station]], _FAR_ENOUGH))
        farthest = max(farthest, far)
        total += far
    return farthest + total // 6


@kernel
def _nearest_of_each(problem: Any) -> Any:
    """int64[S, T]: what it costs to get from each site to the nearest for each target."""
    targets, sites = problem.targets, problem.sites
    closest = np.zeros((sites, targets), np.int64)
    for target in range(targets):
        kind = problem.kind[target]
        if kind != COLLECT and kind != HUNT:
            continue
        for at in range(sites):
            lowest = _FAR_ENOUGH
            for site in range(1, sites):
                if problem.made_of[site] == problem.subject[target]:
                    lowest = min(lowest, problem.later[at, site])
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
def _work(problem: Any, target: int, times: int) -> Any:
    """The remaining cost of a target after this many repetitions, minus its bonus."""
    if times == 0:
        return -problem.bonus[target]
    return times * problem.cost[target] + (
        problem.sleep_per_energy if problem.kind[target] == SLEEP else 0
    )


@kernel
def _expand(problem: Any, guide: Any, row: Any, number: int, steps: Any, count: int) -> int:
    """Note all that can be done next in one state; return how many steps are noted by then."""
    closest, candidates, weights = guide
    targets, sites = problem.targets, problem.sites
    distance = distances(problem, row.held)
    made_of, left = row.made_of[:sites], row.left[:targets]
    nearest, still = np.empty(_CHOICES, np.int64), np.empty(targets, np.int64)
    all_work, all_left, many = 0, 0, 0
    for target in range(targets):
        if left[target] > 0:
            still[many] = target
            many += 1
        all_work += _work(problem, target, left[target])
        all_left += left[target] * weights[target]
    for target in range(targets):
        if left[target] <= 0 or not has_items(problem, row.held, target):
            continue
        kind = problem.kind[target]
        nearest[:] = -1
        if kind in (COLLECT, HUNT):
            subject = problem.subject[target]
            _nearest_sites(made_of, distance, row.at, subject, candidates[target], nearest)
        else:
            nearest[0] = place_for(problem, row, distance, target)
        once_more = left[target] - 1
        work = all_work + _work(problem, target, once_more) - _work(problem, target, left[target])
        done = target if once_more == 0 else -1
        for site in nearest:
            if site < 0 or distance[row.at, site] >= NOWHERE:
                break
            step = steps[count]
            step.source, step.target, step.site = number, target, site
            step.done = finished(problem, row, distance, target, site)
            # What like states share: what is left to do, and where the player is.
            step.key = all_left - weights[target] + site * weights[targets]
            rest = work + _ahead(problem, closest, row, still[:many], done, site, distance)
            step.rank = (
                step.done + rest + row.night_cost + night_cost(problem, row, site, step.done)
            )
            count += 1
    return count


@kernel
def _search(problem: Any, rows: Any, before: Any) -> Any:
    targets = problem.targets
    depth = problem.times.sum()
    guide = (_nearest_of_each(problem), _candidates(problem), _weights(targets))
    begin(problem, rows[0])
    steps = np.zeros(_BEAM * targets * _CHOICES, STEP_DTYPE)
    parents = np.zeros((depth + 1, _BEAM), np.int64)
    did = np.zeros((depth + 1, _BEAM), np.int64)
    where = np.zeros((depth + 1, _BEAM), np.int64)
    size, level = 1, 0
    while level < depth:
        count = 0
        for number in range(size):
            count = _expand(problem, guide, rows[number], number, steps, count)
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
            carry_out(problem, rows[size], step.target, step.site, step.done)
            parents[level, size] = step.source
            did[level, size], where[level, size] = step.target, step.site
            size += 1
            if size == _BEAM:
                break
    # Not rows[best].time: numba frees an array after its last use, before the record of it is read.
    times = rows["time"]
    best = int(np.argmin(times[:size] + rows["night_cost"][:size]))
    end = times[best]
    stops = np.empty((level, 2), np.int64)
    for step_number in range(level, 0, -1):
        stops[step_number - 1, 0] = did[step_number, best]
        stops[step_number - 1, 1] = where[step_number, best]
        best = parents[step_number, best]
    return stops, end


_LONGEST: Final = 4
"""Maximum number of stops moved together."""
_TRIALS: Final = 4_000
"""Itineraries that are compared."""
_HASTE: Final = 400
"""A bonus is lost by so long a delay, in quarters of a step."""


def shorten(problem: np.void, stops: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """An itinerary that does the same and takes no longer.

    Args:
        problem: What to do.
        stops: int64[n, 2]: target and site of each thing to do, in order.

    Returns:
        Stops of that form, and the time when all is done;
        :data:`~mars_logic.plan.tour_search.NOWHERE` if it cannot be done, with the stops as
        they were.
    """
    if not len(stops):
        return stops, int(problem["now"])
    found: tuple[NDArray[np.int64], int] = _shorten(
        problem, stops.copy(), _rows(problem, len(stops) + 1), _rows(problem, len(stops) + 1)
    )
    return found


@inline_kernel
def _value(problem: Any, rows: Any, stops: Any, first: int, limit: int) -> Any:
    """The cost of an itinerary: its end, the dark, and delays of early bonuses.

    It is NOWHERE if it cannot be carried out, or costs no less than the limit.

    Args:
        problem: What to do.
        rows: The states before each stop and at the end; those before the first are given.
        stops: The stops; sites of what is done at no site of its own are filled in.
        first: The first stop to be looked at.
        limit: What the value has to be below.
    """
    late = 0
    for number in range(first):
        late += _delay(problem, stops[number, 0], rows[number + 1].time)
    for number in range(first, len(stops)):
        row = rows[number]
        target = stops[number, 0]
        if not has_items(problem, row.held, target):
            return NOWHERE
        distance = distances(problem, row.held)
        kind = problem.kind[target]
        if kind in (COLLECT, HUNT):
            site = stops[number, 1]
            if row.made_of[site] != problem.subject[target]:
                return NOWHERE
        else:
            site = place_for(problem, row, distance, target)
            if site < 0:
                return NOWHERE
        if distance[row.at, site] >= NOWHERE:
            return NOWHERE
        done = finished(problem, row, distance, target, site)
        late += _delay(problem, target, done)
        if done + row.night_cost + late >= limit:
            return NOWHERE
        stops[number, 1] = site
        rows[number + 1] = row
        carry_out(problem, rows[number + 1], target, site, done)
    value = rows[len(stops)].time + rows[len(stops)].night_cost + late
    return value if value < limit else NOWHERE


@inline_kernel
def _delay(problem: Any, target: int, done: int) -> Any:
    """The cost of a target's delay."""
    return problem.bonus[target] * (done - problem.now) // _HASTE


@kernel
def _shift(stops: Any, trial: Any, first: int, length: int, to: int) -> None:
    """Fill ``trial`` with the stops, of which a block is moved to another position."""
    for number in range(len(stops)):
        source = first + number - to
        if not to <= number < to + length:
            source = number if number < to else number - length
            source += length if source >= first else 0
        trial[number] = stops[source]


@kernel
def _sites_near(problem: Any, trial: Any, to: int, nearest: Any) -> None:
    """Fill ``nearest`` with the sites for a stop that are the nearest to the stop before it."""
    nearest[:] = -1
    kind = problem.kind[trial[to, 0]]
    if kind != COLLECT and kind != HUNT:
        return
    at = trial[to - 1, 1] if to > 0 else 0
    for site in range(1, problem.sites):
        far = problem.later[at, site]
        fits = problem.made_of[site] == problem.subject[trial[to, 0]] and far < NOWHERE
        if fits and site != trial[to, 1]:
            _keep_nearest(problem.later, at, site, nearest)


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
def _shorten(problem: Any, stops: Any, rows: Any, other_rows: Any) -> Any:
    """Shorten an itinerary; ``rows`` are to hold the states of the best one."""
    count = len(stops)
    begin(problem, rows[0])
    best = _value(problem, rows, stops, 0, NOWHERE)
    if best >= NOWHERE:
        return stops, best
    other_rows[:] = rows
    moved, other = np.empty_like(stops), np.empty_like(stops)
    nearest = np.empty(_CHOICES, np.int64)
    trials, idle, length = 0, 0, 1
    first = problem.now * 7 // 4 % count  # not always the same stops are moved first
    while trials < _TRIALS and idle < count * _LONGEST:
        idle += 1
        valid = 0  # number of states of other_rows that equal those of rows
        for to in range(count - length + 1):
            if to == first and length > 1:
                continue
            _shift(stops, moved, first, length, to)
            nearest[:] = -1
            if length == 1:
                _sites_near(problem, moved, to, nearest)
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
                value = _value(problem, other_rows, other, changed, best)
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
