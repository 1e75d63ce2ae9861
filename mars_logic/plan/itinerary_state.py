"""The state of an itinerary, and its transition by the next stop.

The state is abstract: what is held, what is left to do, which site the player is at, what the sites
are made of, where stations and a plant stand. Costs are in quarters of a step, as in ``route``.

Kernels take an errand as one record, and are copied into their callers: a tuple of arrays would
cost more to hand on than what is done with it.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mars_logic.kernel import inline_kernel
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
            ("planted", np.int64),  # when; -1 if no plant stands
            ("garden", np.int64),  # the site of the plant
            ("weary", np.int64),  # points of energy that are missing
            ("tired", np.int64),  # when the next one is lost
            ("toll", np.int64),  # what the dark is likely to have cost
            ("standing", np.int64, (stations,)),  # sites
            ("held", np.int8, (items,)),
            ("left", np.int16, (MOST_TARGETS,)),  # how often each target has still to be done
            ("made_of", np.int16, (MOST_SITES,)),
        ],
        align=True,
    )


class Errand(NamedTuple):
    """The routing problem as arrays; T targets, S sites, I items, P stations.

    Site 0 is where the player is. I and P are a pair of :data:`SIZES`.

    Attributes:
        kind: int64[T]: one of the kinds above.
        times: int64[T]: how often.
        subject: int64[T]: what a site has to be made of, -1 for none; or the station placed.
        items: int64[T, I]: the items that are needed or change, then -1.
        needs: int64[T, I]: what has to be held.
        change: int64[T, I]: what is gained; negative where it is used up.
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
        dark: bool[DAY]: whether it is dark at each step of a day.
        step: How long a step is.
    """

    kind: NDArray[np.int64]
    times: NDArray[np.int64]
    subject: NDArray[np.int64]
    items: NDArray[np.int64]
    needs: NDArray[np.int64]
    change: NDArray[np.int64]
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

    @property
    def record(self) -> np.void:
        """The same as one record, in which arrays are as large as they can get."""
        record: np.void = np.zeros(1, _errand_dtype(len(self.held), len(self.standing)))[0]
        record["targets"], record["sites"] = len(self.kind), len(self.made_of)
        for name, value in self._asdict().items():
            if np.ndim(value):
                record[name][tuple(slice(size) for size in np.shape(value))] = value
            else:
                record[name] = value
        return record

    def rows(self, count: int) -> NDArray[np.void]:
        """So many states of the search, to be filled."""
        return np.zeros(count, _row_dtype(len(self.held), len(self.standing)))


@cache
def _errand_dtype(items: int, stations: int) -> np.dtype[np.void]:
    """An :class:`Errand` as one record, with the numbers of its targets and sites."""
    targets, sites = MOST_TARGETS, MOST_SITES
    return np.dtype(
        [
            ("targets", np.int64),
            ("sites", np.int64),
            *((name, np.int64) for name in ("now", "planted", "garden", "ripening", "step")),
            *((name, np.int64) for name in ("tired", "tiring", "weary", "nap")),
            *(
                (name, np.int64, (targets,))
                for name in ("kind", "times", "subject", "leaves", "beside")
            ),
            *((name, np.int64, (targets,)) for name in ("cost", "bonus")),
            *((name, np.int64, (targets, items)) for name in ("items", "needs", "change")),
            ("stations", np.uint8, (targets, stations)),
            ("ground", np.uint8, (targets, sites)),
            *((name, np.int64, (sites,)) for name in ("made_of", "peril")),
            *((name, np.int64, (sites, sites)) for name in ("near", "later")),
            ("close", np.uint8, (sites, sites)),
            *((name, np.int64, (items,)) for name in ("opener", "held")),
            ("standing", np.int64, (stations,)),
            ("dark", np.uint8, (DAY,)),
        ],
        align=True,
    )


@inline_kernel
def _nearest_site(made_of: Any, distance: Any, at: int, material: int) -> int:
    """The nearest site of a material; -1 if there is none."""
    best, lowest = -1, NOWHERE
    for site in range(1, made_of.size):
        if made_of[site] == material and distance[at, site] < lowest:
            best, lowest = site, distance[at, site]
    return best


@inline_kernel
def affords(errand: Any, held: Any, target: int) -> bool:
    """Whether all that a target needs is held."""
    for place in range(held.size):
        item = errand.items[target, place]
        if item < 0:
            break
        if held[item] < errand.needs[target, item]:
            return False
    return True


@inline_kernel
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


@inline_kernel
def _placeable(errand: Any, distance: Any, at: int, target: int) -> int:
    """The nearest site at which something can be placed; -1 if there is none."""
    if errand.ground[target, at]:
        return at
    best, lowest = -1, NOWHERE
    for site in range(errand.sites):
        if errand.ground[target, site] and distance[at, site] < lowest:
            best, lowest = site, distance[at, site]
    return best


@inline_kernel
def place_for(errand: Any, row: Any, distance: Any, target: int) -> Any:
    """The site for anything but collecting and hunting; -1 if there is none."""
    kind = errand.kind[target]
    if kind == HARVEST:
        return row.garden if row.planted >= 0 else -1
    if kind == SLEEP:
        return row.at
    made_of = row.made_of[: errand.sites]
    site = _meeting(errand, made_of, row.standing, distance, row.at, target)
    if site >= 0 and kind == PLACE:
        return _placeable(errand, distance, site, target)
    return site


@inline_kernel
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


@inline_kernel
def distances(errand: Any, held: Any) -> Any:
    """int64[S, S]: what it costs to get from site to site, with what is held."""
    for item in range(held.size):
        if held[item] < errand.opener[item]:
            return errand.near
    return errand.later


@inline_kernel
def begin(errand: Any, row: Any) -> None:
    """Set a state to the initial one."""
    row.time, row.at, row.planted, row.garden = errand.now, 0, errand.planted, errand.garden
    row.weary, row.tired, row.toll = errand.weary, errand.tired, 0
    row.held[:] = errand.held
    row.left[:] = errand.times
    row.made_of[:] = errand.made_of
    row.standing[:] = errand.standing


@inline_kernel
def toll(errand: Any, row: Any, site: Any, done: Any) -> Any:
    """Expected cost of darkness on the way to a site, and there."""
    half = (row.time + done) // (2 * errand.step)
    if not errand.dark[half % DAY]:
        return 0
    return (done - row.time) * (errand.peril[row.at] + errand.peril[site]) // 2000


@inline_kernel
def carry_out(errand: Any, row: Any, target: int, site: int, done: int) -> None:
    """Change a state by doing a target."""
    row.toll += toll(errand, row, site, done)
    row.time, row.at = done, site
    row.left[target] -= 1
    for place in range(errand.held.size):
        item = errand.items[target, place]
        if item < 0:
            break
        row.held[item] = min(MOST_HELD, row.held[item] + errand.change[target, item])
    kind = errand.kind[target]
    if kind in (COLLECT, HUNT):
        row.made_of[site] = errand.leaves[target]
    elif kind == PLACE and errand.subject[target] >= 0:
        row.standing[errand.subject[target]] = site
    elif kind == PLACE:
        row.planted, row.garden = done, site
    elif kind == SLEEP:
        row.weary, row.tired = 0, done + errand.tiring
