from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.itinerary import CandidateSites, make_itinerary, make_problem
from mars_logic.plan.task_plan import Task, TaskPlan
from mars_logic.plan.task_queue import TaskQueue, together
from mars_logic.plan.tour_search import NOWHERE, shorten
from tests.plan.scenes import at, situation, works
from tests.plan.test_itinerary import planned


def problem_for(here: BeliefState, *targets: Task) -> tuple[np.void, CandidateSites]:
    """What is to be done, each target as often as it says."""
    once = [Task(target.rule, 1, target.gain) for target in targets]
    counts = [target.times for target in targets]
    sites = CandidateSites(here, once, counts)
    problem = make_problem(here, list(zip(once, counts, strict=True)), sites, {}, {}, None)
    return problem, sites


def test_it_puts_stops_in_an_order_with_less_walking() -> None:
    here = situation("TT@.......TT")
    problem, sites = problem_for(here, Task("collect.tree", 4))
    far, near = sites.cells.index(at(10, 0)), sites.cells.index(at(1, 0))
    behind, beyond = sites.cells.index(at(0, 0)), sites.cells.index(at(11, 0))
    there_and_back = np.array([[0, near], [0, far], [0, behind], [0, beyond]], np.int64)
    stops, end = shorten(problem, there_and_back)
    assert stops[:, 1].tolist() == [near, behind, far, beyond]
    assert end < problem["now"] + 4 * 20  # twenty steps


def test_what_cannot_be_carried_out_stays_as_it_is() -> None:
    problem, _ = problem_for(situation("@..t"), Task("make.wood_pickaxe"))
    stops, end = shorten(problem, np.array([[0, 0]], np.int64))
    assert end >= NOWHERE and stops.tolist() == [[0, 0]]


@pytest.mark.parametrize(("name", "seed"), [("default", 3), ("survival", 4)])
def test_what_is_followed_is_kept_and_gets_no_longer(name: str, seed: int) -> None:
    here, plan, found = planned(name, seed)
    near = together(here.model, plan.targets)
    again = make_itinerary(here, plan, {}, near, None, found)
    assert again.whole and again.end <= found.end
    assert Counter(s.target for s in again.stops) == Counter(s.target for s in found.stops)
    assert works(TaskPlan(tuple(s.target for s in again.stops)), here.model.world, {})


def test_what_does_not_fit_any_more_is_not_followed() -> None:
    here = situation("T..@..T", ground=".")
    plan = TaskPlan((Task("collect.tree", 2),))
    found = make_itinerary(here, plan, {}, {}, None)
    gone = situation("...@..T")
    later = make_itinerary(gone, TaskPlan((Task("collect.tree"),)), {}, {}, None, found)
    assert [stop.cell for stop in later.stops] == [at(6, 0)]


def test_a_creature_that_comes_is_met_besides() -> None:
    plan = TaskPlan((Task("collect.tree"), Task("creature.cow")))
    found = make_itinerary(situation("@..T..."), plan, {}, {}, None)
    assert found.absent == {"creature.cow"} and not found.missing and not found.whole
    later = make_itinerary(situation("@..T..C"), plan, {}, {}, None, found)
    assert later.whole and len(later.stops) == 2


def making(here: BeliefState, *targets: Task) -> TaskQueue:
    """An agenda that follows a plan."""
    queue = TaskQueue(here.model.world, here.model, None)
    queue.follow(TaskPlan(targets))
    queue.update(here)
    return queue


def test_what_is_held_for_the_next_things_is_earmarked_until_more_of_it_is_collected() -> None:
    here = situation("t@T..#", wood=1, stone=2, wood_pickaxe=1)
    queue = making(
        here,
        Task("make.stone_pickaxe"),
        Task("collect.tree"),
        Task("collect.stone", 2),
        Task("place.stone", 3),
    )
    reserved = dict(queue.reserved)
    assert reserved["wood"] == 1 and 1 <= reserved["stone"] <= 4
