"""The routing problem of an itinerary: its record, and the states of its search.

A state holds the items, the tasks left, the player's site, what the sites are made of, and where
stations and a plant stand. Costs are in quarters of a step. Kernels take the problem as one record
and are copied into callers: a tuple of arrays would cost more to hand on than the work itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mars_logic.compiled.kernel import inline_kernel
from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.routes import STEP
from mars_logic.plan.task_plan import Task, given_by, used_up_by
from mars_logic.world import names
from mars_logic.world.dialect import DAY, MAXIMUM
from mars_logic.world.rules import Collect, Make, Place
from mars_logic.world.theory import World
from mars_logic.world.trace_rules import Eat

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


def rows(problem: np.void, count: int) -> NDArray[np.void]:
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


@inline_kernel
def keep_nearest(distance: Any, at: Any, site: int, nearest: Any) -> None:
    """Insert a site into those that are nearest, in their order, if it is one of them."""
    for rank in range(nearest.size):
        if nearest[rank] < 0 or distance[at, site] < distance[at, nearest[rank]]:
            for later in range(nearest.size - 1, rank, -1):
                nearest[later] = nearest[later - 1]
            nearest[rank] = site
            break


@inline_kernel
def nearest_sites(
    made_of: Any, distance: Any, at: int, material: int, among: Any, nearest: Any
) -> None:
    """Fill ``nearest`` with the nearest sites of a material, -1 where there are no more."""
    nearest[:] = -1
    for site in among:
        if site < 0:
            break
        far = distance[at, site]
        if made_of[site] == material and far < NOWHERE:
            keep_nearest(distance, at, site, nearest)


class ProblemColumns(NamedTuple):
    """What stands in the columns of a routing problem.

    Attributes:
        items: The items.
        stations: Things to be placed that may have to be nearby, after one place for all that is
            placed and never has to be.
        size: The numbers of columns, one of :data:`SIZES`.
    """

    items: tuple[str, ...]
    stations: tuple[str, ...]
    size: tuple[int, int]

    @classmethod
    def of(cls, here: BeliefState, targets: Iterable[Task]) -> ProblemColumns:
        """The columns for some targets; in worlds without added names always the same."""
        words, world = here.model.words, here.model.world
        items = words.holdable
        placed = [thing for thing in world.place if thing in here.code]
        stations = tuple(thing for thing in placed if thing not in words.natural)
        if words.wide:
            items, stations = _touched_by(world, targets, items, stations)
        fits = ((i, s) for i, s in SIZES if i >= len(items) and s > len(stations))
        return cls(items, ("", *stations), next(fits))

    def station(self, thing: str) -> int:
        """The column of a thing that is placed."""
        return self.stations.index(thing) if thing in self.stations else 0

    def amounts(self, held: Mapping[str, int]) -> NDArray[np.int64]:
        """int64[I]: amounts of items by column."""
        row = np.zeros(self.size[0], np.int64)
        row[: len(self.items)] = [held.get(item, 0) for item in self.items]
        return row


def _touched_by(
    world: World, targets: Iterable[Task], items: Iterable[str], stations: Iterable[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The items and stations that the rules of some targets are about, in their order."""
    touched: set[str] = set()
    near: set[str] = set()
    for target in targets:
        rule = target.rule_in(world)
        if isinstance(rule, Collect):
            touched |= {*rule.requires, *rule.yields}
        elif isinstance(rule, Place | Make | Eat):
            touched |= {*used_up_by(rule), *given_by(rule)}
            near |= {*rule.nearby} if isinstance(rule, Make) else {rule.subject}
    return (
        tuple(item for item in items if item in touched),
        tuple(thing for thing in stations if thing in near),
    )
