"""Itineraries: order and sites for a plan's targets with little walking.

From an abstract plan, whose order only works, a beam search makes one that is also short: sites are
the cells worth going to, and what lies between them is priced once for all pairs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mars_logic.plan import tour_search
from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.candidate_sites import CandidateSites
from mars_logic.plan.itinerary_state import MOST_TARGETS, NOWHERE, Errand
from mars_logic.plan.observed_map import Cell
from mars_logic.plan.route import STEP
from mars_logic.plan.routing_problem import make_errand
from mars_logic.plan.stochastic_tasks import left_to_luck, uses_up
from mars_logic.plan.task_plan import Task, TaskPlan
from mars_logic.plan.tour_improvement import shorten
from mars_logic.world import names

_REMOTE = 6 * STEP
"""Distance beyond which placing another station is considered, in steps."""
_SLACK = 5
"""Steps that what is followed may get late before something else is looked for."""
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
        remote: Stations that are gone back to, over more than a few steps.
        absent: What the plan wants of creatures of which there are none.
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
        before: What was followed until now; nothing longer is taken instead, if it still works.
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
    errand = make_errand(
        here, list(zip(targets, counts, strict=True)), sites, held, together, planted
    )
    chancy = any(uses_up(here.model.world, target) for target in targets)
    if chancy:
        stops, end = tour_search.search(errand)
    else:
        due = before.end + _SLACK if before else 0
        stops, end = _shortest(errand, _again(before, targets, list(counts), sites), due * STEP)
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
        _luck_last(here, found),
        steps,
        until,
        frozenset(left - absent),
        frozenset(left & absent),
        frozenset() if chancy else _remote(here, targets, errand, stops),
        not left,
    )


def _without(
    stops: tuple[ScheduledTask, ...], targets: tuple[Task, ...]
) -> tuple[ScheduledTask, ...]:
    others = {(target.rule, target.gain) for target in targets}
    return tuple(s for s in stops if (s.target.rule, s.target.gain) not in others)


def _remote(
    here: BeliefState, targets: list[Task], errand: Errand, stops: NDArray[np.int64]
) -> frozenset[str]:
    """The stations required at a making site that is far from the player's previous stop."""
    remote: set[str] = set()
    at = 0
    for target, site in stops.tolist():
        rule = targets[target].rule
        if rule.startswith("make.") and errand.later[at, site] > _REMOTE:
            remote |= set(here.model.world.make[rule.partition(".")[2]].nearby)
        at = site
    return frozenset(remote)


def _shortest(
    errand: Errand, before: NDArray[np.int64] | None, due: int
) -> tuple[NDArray[np.int64], int]:
    """Stops and the time of their end: what was followed, made shorter, unless it gets too late."""
    kept = None if before is None else shorten(errand, before)
    if kept is not None and kept[1] <= due:
        return kept
    stops, _ = tour_search.search(errand)
    if kept is not None and len(stops) < len(kept[0]) and kept[1] < NOWHERE:
        return kept
    other = shorten(errand, stops)
    return kept if kept is not None and kept[1] <= other[1] else other


def _again(
    before: Itinerary | None, targets: list[Task], counts: list[int], sites: CandidateSites
) -> NDArray[np.int64] | None:
    """int64[n, 2]: the stops of an itinerary, if they are what the targets are now.

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


def _luck_last(here: BeliefState, stops: tuple[ScheduledTask, ...]) -> tuple[ScheduledTask, ...]:
    """Tasks that need a random outcome are scheduled last."""
    lucky = [stop for stop in stops if stop.target.gain in names.CREATURES]
    others = [stop for stop in stops if stop.target.gain not in names.CREATURES]
    waits = all(_is_waited_for(here, stop.target) for stop in others)
    return stops if waits else (*others, *lucky)


def _is_waited_for(here: BeliefState, target: Task) -> bool:
    family, _, being = target.rule.partition(".")
    if being == "plant":
        return bool(here.seen.of_kind("plant"))
    return family == "sleep" or (family == "creature" and not here.things_of(being))


def _placed_there(target: Task) -> bool:
    return target.rule.startswith(("collect.", "creature."))
