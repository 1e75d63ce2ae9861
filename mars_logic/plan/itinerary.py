"""Itineraries: from a task plan, which is in an order that works, to a short tour of cells.

1. The routing problem: tasks, sites (``sites``) and costs as arrays.
2. Beam and local search (``tour_search``). Tasks that need a rare random outcome come last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.plan import tour_problem, tour_search
from mars_logic.plan.belief_state import BeliefState, Mask, is_dark, widened
from mars_logic.plan.observed_map import KINDS, Cell
from mars_logic.plan.risk import RATE
from mars_logic.plan.routes import POINTS, STEP
from mars_logic.plan.sites import BEING, CandidateSites, TravelCosts, distances_between, footing
from mars_logic.plan.task_plan import (
    Task,
    TaskPlan,
    brought_by,
    given_by,
    left_to_luck,
    tries,
    used_up_by,
    uses_up,
)
from mars_logic.plan.tour_problem import MOST_TARGETS, NOWHERE, ProblemColumns
from mars_logic.plan.tour_search import shorten
from mars_logic.world.dialect import DAY, MAXIMUM
from mars_logic.world.rules import Collect, Make, Place
from mars_logic.world.trace_rules import Eat

_GONE: Final = -2
_NIGHTS = np.array([is_dark(step + DAY) for step in range(DAY)])
"""bool[DAY]: whether it is dark at each step of a day."""
_CHASE = 3 * STEP
"""Additional cost of following a creature beyond the way to its current cell."""
_ARMED = 10 * STEP
"""Bonus for an early sword."""
_GROWN = 4 * STEP
"""Bonus for early planting: by day, fewer creatures spawn that eat saplings."""


def make_problem(
    here: BeliefState,
    wanted: Sequence[tuple[Task, int]],
    sites: CandidateSites,
    held: Mapping[str, int],
    together: Mapping[str, frozenset[str]],
    planted: int | None,
) -> np.void:
    """The routing problem of a plan, for the search.

    Args:
        here: The situation.
        wanted: Each target, and how often it is to be done.
        sites: The cells worth going to.
        held: The items that may be used.
        together: For each thing to be placed, what has to stand close to it.
        planted: The step at which the plant that stands was planted; None if none stands.
    """
    targets = [target for target, _ in wanted]
    columns = ProblemColumns.of(here, targets)
    problem = tour_problem.empty_problem(len(targets), len(sites.cells), columns.size)
    _fill_targets(problem, here, wanted, sites, together, columns)
    now = footing(here)
    tools = {t.rule.partition(".")[2]: 1 for t in targets if t.rule.startswith("make.")}
    then = footing(here, tools)
    near = distances_between(now, sites.cells)
    later = near if (now.enter == then.enter).all() else distances_between(then, sites.cells)
    n = len(sites.cells)
    problem["near"][:n, :n], problem["later"][:n, :n] = near, later
    problem["opener"] = columns.amounts(_opener(here, tools, now, then))
    problem["made_of"][:n], problem["close"][:n, :n] = sites.made_of, _close(sites.cells)
    problem["held"], problem["standing"] = columns.amounts(held), _standing(here, columns, sites)
    problem["now"] = here.status.step * STEP
    problem["ripening"] = here.model.world.vocabulary.ripening * STEP
    problem["planted_at"], problem["plant_site"] = _plant(here, sites, planted)
    lasts = here.model.lasts["energy"]
    problem["next_energy_loss"] = (here.status.step // lasts + 1) * lasts * STEP
    problem["energy_lasts"] = lasts * STEP
    problem["energy_missing"] = MAXIMUM - here.status.amount("energy")
    problem["sleep_per_energy"] = here.model.sleep_per_energy * STEP
    problem["night_rate"][:n], problem["dark"] = _night_rate(here, sites.cells), _NIGHTS
    return problem


def _night_rate(here: BeliefState, cells: list[Cell]) -> NDArray[np.int64]:
    """int64[S]: the cost of darkness near each site, in thousandths of the time there."""
    blow = here.model.blow(KINDS.index("zombie")) if here.model.zombies_attack else 0
    shares = np.array([here.grass_share[cell] for cell in cells])
    return np.asarray(1000 * RATE * shares * blow * POINTS[-1] / STEP, np.int64)


def _fill_targets(
    problem: np.void,
    here: BeliefState,
    wanted: Sequence[tuple[Task, int]],
    sites: CandidateSites,
    together: Mapping[str, frozenset[str]],
    columns: ProblemColumns,
) -> None:
    """Fill in the targets and their costs; see ``tour_problem`` for the fields."""
    problem["subject"] = problem["leaves"] = problem["beside"] = problem["items"] = -1
    for row, (target, times) in enumerate(wanted):
        family, _, name = target.rule.partition(".")
        rule = target.rule_in(here.model.world)
        kind, subject, cost, bonus, leaves = tour_problem.MAKE, -1, STEP, 0, -1
        needs: Mapping[Any, int] = {}
        change: Counter[str] = Counter()
        near: Iterable[str] = ()
        if isinstance(rule, Place | Make | Eat):
            needs = used_up_by(rule)
            change.update(given_by(rule))
            change.subtract(needs)
        if isinstance(rule, Collect):
            kind, subject, leaves = tour_problem.COLLECT, here.code[name], here.code[rule.leaves]
            needs = rule.requires
            change.update(brought_by(rule, target.gain))
            loss = max(0, -here.model.collect_effect(name).health) * here.point
            cost = int(STEP * tries(rule, target.gain)) + int(loss)
        elif isinstance(rule, Place):
            kind, cost, near = tour_problem.PLACE, 2 * STEP, sorted(together.get(name, ()))
            problem["ground"][row, : len(sites.cells)] = _ground(here, rule, sites)
            subject = columns.station(name) if name in here.code else -1
            bonus = 0 if name in here.code else _GROWN
        elif isinstance(rule, Make):
            bonus, near = _ARMED if name in here.model.words.damage else 0, rule.nearby
        elif family == "sleep":
            kind, cost = tour_problem.SLEEP, 0
        elif name == "plant" and not isinstance(rule, Eat):
            kind = tour_problem.HARVEST
        elif family == "creature":
            being = here.model.kinds.index(name)
            kind, subject, leaves = tour_problem.HUNT, BEING + being, _GONE
            cost = here.model.hits(being, here.held) * STEP + _CHASE
        problem["kind"][row], problem["times"][row], problem["subject"][row] = kind, times, subject
        problem["cost"][row], problem["bonus"][row], problem["leaves"][row] = cost, bonus, leaves
        problem["needs"][row] = columns.amounts(needs)
        problem["change"][row] = columns.amounts(change)
        touched = np.flatnonzero((problem["needs"][row] != 0) | (problem["change"][row] != 0))
        problem["items"][row, : touched.size] = touched
        for material in near:
            if station := columns.station(material):
                problem["stations"][row, station] = True
            else:
                problem["beside"][row] = here.code[material]


def _plant(here: BeliefState, sites: CandidateSites, planted: int | None) -> tuple[int, int]:
    """When the plant that stands was planted, in quarters of a step, and its site; -1 for none."""
    plants = here.seen.of_kind("plant", "ripe_plant")
    if not plants:
        return -1, -1
    ripe = any(KINDS[plant.kind] == "ripe_plant" for plant in plants)
    begun = here.status.step if planted is None else planted
    begun -= here.model.world.vocabulary.ripening if ripe else 0
    return begun * STEP, sites.cells.index((plants[0].x, plants[0].y))


def _standing(
    here: BeliefState, columns: ProblemColumns, sites: CandidateSites
) -> NDArray[np.int64]:
    """int64[P]: the site at which the nearest of each station stands, -1 for none."""
    standing = np.full(columns.size[1], -1, np.int64)
    for column, thing in enumerate(columns.stations):
        if thing and here.code[thing] in sites.made_of:
            standing[column] = sites.made_of.index(here.code[thing])
    return standing


def _ground(here: BeliefState, rule: Place, sites: CandidateSites) -> Mask:
    """bool[S]: the sites within two cells of ground on which something can be placed."""
    close = widened(here.made_of(*rule.where), 2)
    return np.array([close[cell] for cell in sites.cells], np.bool_)


def _close(cells: list[Cell]) -> Mask:
    """bool[S, S]: pairs of sites near one cell, diagonals included."""
    places = np.array(cells)
    apart = np.abs(places[:, None] - places[None, :]).max(axis=2)
    return np.asarray(apart <= 2)


def _opener(
    here: BeliefState, tools: Mapping[str, int], now: TravelCosts, then: TravelCosts
) -> Mapping[str, int]:
    """The items that open most of the cells that tools open."""
    opened = (now.enter == 0) & (then.enter > 0)
    codes, counts = np.unique(here.seen.materials[opened], return_counts=True)
    if not codes.size:
        return {}
    material = here.model.words.materials[int(codes[counts.argmax()])]
    rule = here.model.world.collect.get(material)
    if rule is None:
        return {}
    return {item: n for item, n in rule.requires.items() if item in tools}


_REMOTE = 6 * STEP
"""Cost of the way back to a station beyond which placing another one is considered."""
_SLACK = 5
"""Delay in steps after which an itinerary is searched for anew."""
_TRYING = 40
"""Expected steps of a rare random outcome that uses up a site per try."""


@dataclass(frozen=True, slots=True)
class ScheduledTask:
    """One thing to do.

    Attributes:
        target: What.
        cell: Where; None if it doesn't matter, or is not known yet.
    """

    target: Task
    cell: Cell | None


@dataclass(frozen=True)
class Itinerary:
    """Stops in the order in which to make them.

    Attributes:
        stops: What to do.
        steps: When all is done, in steps from now; a guess.
        end: The step of the episode at which all is done; a guess.
        missing: What the plan wants and it does not do, but for creatures of which there are none.
        absent: What the plan wants of creatures of which there are none.
        remote: Stations that are gone back to over more than a few steps.
        whole: Whether it does all that the plan wants.
    """

    stops: tuple[ScheduledTask, ...]
    steps: int
    end: int
    missing: frozenset[str]
    absent: frozenset[str]
    remote: frozenset[str]
    whole: bool

    def without(self, rule: str, gain: str | None) -> Itinerary:
        """The rest, once a rule was applied with this outcome."""
        for index, stop in enumerate(self.stops):
            if (stop.target.rule, stop.target.gain) == (rule, gain):
                return replace(self, stops=self.stops[:index] + self.stops[index + 1 :])
        return self


def make_itinerary(
    here: BeliefState,
    plan: TaskPlan,
    held: Mapping[str, int],
    together: Mapping[str, frozenset[str]],
    planted: int | None,
    before: Itinerary | None = None,
) -> Itinerary:
    """A short way to carry out a plan.

    Args:
        here: The situation.
        plan: What to do.
        held: The items that may be used.
        together: For each thing to be placed, what has to stand close to it.
        planted: The step at which the plant that stands was planted; None if none stands.
        before: The current itinerary; nothing longer replaces it while it works.
    """
    lucky = left_to_luck(here.model.world, plan)
    if lucky:
        certain = replace(plan, targets=tuple(t for t in plan.targets if t not in lucky))
        kept = before and replace(before, stops=_without(before.stops, lucky))
        first = make_itinerary(here, certain, held, together, planted, kept)
        last = tuple(
            ScheduledTask(replace(t, times=1), None) for t in lucky for _ in range(t.times)
        )
        return replace(first, stops=(*first.stops, *last), steps=first.steps + _TRYING)
    each = dict.fromkeys(replace(target, times=1) for target in plan.targets)
    targets = list(each)[:MOST_TARGETS]
    if not targets:
        return Itinerary((), 0, here.status.step, frozenset(), frozenset(), frozenset(), True)
    counts = [
        sum(t.times for t in plan.targets if (t.rule, t.gain) == (one.rule, one.gain))
        for one in targets
    ]
    sites = CandidateSites(
        here, targets, counts, [stop.cell for stop in before.stops] if before else []
    )
    problem = make_problem(
        here, list(zip(targets, counts, strict=True)), sites, held, together, planted
    )
    chancy = any(uses_up(here.model.world, target) for target in targets)
    if chancy:
        stops, end = tour_search.search(problem)
    else:
        due = before.end + _SLACK if before else 0
        stops, end = _shortest(problem, _again(before, targets, list(counts), sites), due * STEP)
    found = tuple(
        ScheduledTask(
            targets[target], sites.cells[site] if _placed_there(targets[target]) else None
        )
        for target, site in stops.tolist()
    )
    left = {
        target.rule
        for target, count in zip(targets, counts, strict=True)
        if sum(stop.target == target for stop in found) < count
    }
    absent = {f"creature.{being}" for being in here.model.creatures if not here.things_of(being)}
    until = int(end) // STEP
    steps = until - here.status.step
    return Itinerary(
        found,
        steps,
        until,
        frozenset(left - absent),
        frozenset(left & absent),
        frozenset() if chancy else _remote(here, targets, problem, stops),
        not left,
    )


def _remote(
    here: BeliefState, targets: list[Task], problem: np.void, stops: NDArray[np.int64]
) -> frozenset[str]:
    """The stations beside which something is made far from the previous stop."""
    remote: set[str] = set()
    at = 0
    for target, site in stops.tolist():
        rule = here.model.world.make.get(targets[target].rule.removeprefix("make."))
        if rule is not None and problem["later"][at, site] > _REMOTE:
            remote |= set(rule.nearby)
        at = site
    return frozenset(remote)


def _without(
    stops: tuple[ScheduledTask, ...], targets: tuple[Task, ...]
) -> tuple[ScheduledTask, ...]:
    others = {(target.rule, target.gain) for target in targets}
    return tuple(s for s in stops if (s.target.rule, s.target.gain) not in others)


def _shortest(
    problem: np.void, before: NDArray[np.int64] | None, due: int
) -> tuple[NDArray[np.int64], int]:
    """Stops and the time of their end: the current ones, shortened, unless they get too late."""
    kept = None if before is None else shorten(problem, before)
    if kept is not None and kept[1] <= due:
        return kept
    stops, _ = tour_search.search(problem)
    if kept is not None and len(stops) < len(kept[0]) and kept[1] < NOWHERE:
        return kept
    other = shorten(problem, stops)
    return kept if kept is not None and kept[1] <= other[1] else other


def _again(
    before: Itinerary | None, targets: list[Task], counts: list[int], sites: CandidateSites
) -> NDArray[np.int64] | None:
    """int64[n, 2]: the stops of an itinerary if they still match the targets; else None.

    A creature that was not there before is met last, to begin with.
    """
    if before is None:
        return None
    number = {target: index for index, target in enumerate(targets)}
    stops = [(number.get(stop.target, -1), stop) for stop in before.stops]
    rows = [(row, sites.index_of(stop.target, stop.cell)) for row, stop in stops]
    for row, (target, count) in enumerate(zip(targets, counts, strict=True)):
        met = sites.beings(target)
        if met and not any(row == other for other, _ in rows):
            rows += [(row, site) for site in met[:count]]
        elif target.rule in before.absent and not met:
            counts[row] = 0
    wanted = [row for row, count in enumerate(counts) for _ in range(count)]
    if sorted(row for row, _ in rows) != wanted:
        return None
    return np.array(rows, np.int64).reshape(-1, 2)


def _placed_there(target: Task) -> bool:
    return target.rule.startswith(("collect.", "creature."))
