from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.itinerary import Itinerary, distances_between, footing, make_itinerary
from mars_logic.plan.observed_map import ObservedMap, Status
from mars_logic.plan.routes import STEP
from mars_logic.plan.task_plan import Task, TaskPlan, make_plan
from mars_logic.plan.task_queue import together
from mars_logic.plan.world_model import WorldModel
from mars_logic.sim import Simulator
from mars_logic.world.dialect import AREA
from mars_logic.world.load import RELEASED_WORLDS
from mars_logic.world.rules import Collect, Walk, Yield
from tests.plan.scenes import CORNER, at, situation, works


def planned(name: str, seed: int) -> tuple[BeliefState, TaskPlan, Itinerary]:
    """The plan and the itinerary at the beginning of an episode."""
    world = load_world(name)
    simulator = Simulator(world)
    simulator.reset(seed)
    state = simulator.state()
    seen = ObservedMap.from_state(state, world.dynamics)
    here = BeliefState(WorldModel(world), seen, Status.from_state(state, world.achievements))
    plan = make_plan(world, seen, {})
    apart = together(here.model, plan.targets)
    return here, plan, make_itinerary(here, plan, {}, apart, None)


@pytest.mark.parametrize("name", RELEASED_WORLDS)
def test_it_does_all_that_the_plan_wants_in_an_order_that_works(name: str) -> None:
    here, plan, found = planned(name, 2)
    assert found.whole
    wanted: Counter[Task] = Counter()
    for target in plan.targets:
        wanted[Task(target.rule, 1, target.gain)] += target.times
    assert Counter(stop.target for stop in found.stops) == wanted
    again = TaskPlan(tuple(stop.target for stop in found.stops))
    assert works(again, here.model.world, {})


def test_it_is_shorter_than_going_by_the_order_of_the_plan() -> None:
    here, plan, found = planned("default", 1)
    one_by_one = 0
    for target in plan.targets:
        alone = make_itinerary(here, TaskPlan((target,)), {"wood": 9, "stone": 9}, {}, None)
        one_by_one += alone.steps
    assert found.steps < 250 and found.steps > 60  # 37 interactions and a nap
    assert found.steps < 2 * one_by_one


def test_what_hangs_on_luck_that_uses_up_sites_comes_last() -> None:
    _, plan, found = planned("task_dep", 2)
    lucky = [stop.target.rule for stop in found.stops[-3:]]
    assert lucky == ["collect.iron", "place.plant", "creature.plant"]
    assert found.stops[-3].cell is None and found.stops[-4].target.gain is None
    assert len(found.stops) == sum(target.times for target in plan.targets)


def test_near_things_come_first_and_the_cell_is_named() -> None:
    here = situation("T....@.T\n........")
    plan = TaskPlan((Task("collect.tree", 2),))
    stops = make_itinerary(here, plan, {}, {}, None).stops
    assert [stop.cell for stop in stops] == [(CORNER + 7, CORNER), (CORNER, CORNER)]


def test_what_is_required_comes_before_what_requires_it() -> None:
    here = situation("#@....t\n......T")
    targets = (Task("collect.stone"), Task("make.wood_pickaxe"), Task("collect.tree"))
    stops = make_itinerary(here, TaskPlan(targets), {}, {}, None).stops
    assert [stop.target.rule for stop in stops] == [
        "collect.tree",
        "make.wood_pickaxe",
        "collect.stone",
    ]


def test_as_much_as_possible_is_done_of_what_cannot_be_done() -> None:
    here = situation("@..T")
    plan = TaskPlan((Task("collect.diamond"), Task("collect.tree")))
    found = make_itinerary(here, plan, {}, {}, None)
    assert not found.whole and [stop.target.rule for stop in found.stops] == ["collect.tree"]


def test_a_plant_is_waited_for() -> None:
    here = situation("@p..")
    plan = TaskPlan((Task("creature.plant"),))
    found = make_itinerary(here, plan, {}, {}, here.status.step - 10)
    assert 20 <= found.steps <= 24  # ripe 31 steps after it was planted


def test_crossing_off() -> None:
    here = situation("@.TT.~")
    plan = TaskPlan((Task("collect.tree", 2), Task("collect.water")))
    found = make_itinerary(here, plan, {}, {}, None)
    rest = found.without("collect.tree", None)
    assert len(rest.stops) == 2 and rest.without("collect.iron", None) == rest


def test_nothing_to_do() -> None:
    here = situation("@..")
    assert make_itinerary(here, TaskPlan(()), {}, {}, None).stops == ()


@pytest.mark.slow
def test_no_memory_is_read_that_is_given_back() -> None:
    """Large arrays go back to the system at once with this setting, which Dask's workers have."""
    code = """
from mars_logic import load_world
from mars_logic.play.agent import load_agent
from mars_logic.play.episodes import play
from mars_logic.sim import Simulator
world = load_world("default")
print(play(load_agent("oracle")(), Simulator(world), 0, world.achievements, limit=2).steps)
"""
    environment = os.environ | {"MALLOC_TRIM_THRESHOLD_": "65536"}
    command = [sys.executable, "-c", code]
    found = subprocess.run(
        command, env=environment, capture_output=True, text=True, encoding="utf-8"
    )
    assert (found.returncode, found.stdout) == (0, "2\n"), found.stderr


def test_luck_that_may_never_come_is_tried_last() -> None:
    pond = Collect(subject="water", yields={"drink": Yield()}, spawns={"skeleton": 0.1})
    here = situation("@~......T", load_world("default").with_rules(pond))
    luck, sure = Task("collect.water", 1, "skeleton"), Task("collect.tree")
    stops = make_itinerary(here, TaskPlan((luck, sure)), {}, {}, None).stops
    assert [stop.target for stop in stops] == [sure, luck]
    asleep = make_itinerary(here, TaskPlan((luck, Task("sleep"))), {}, {}, None).stops
    assert asleep[0].target == luck  # sleep is only waited for


def test_ground_is_only_faced_by_a_step_and_what_that_takes_of_health() -> None:
    cells = [at(0, 0), at(2, 0), at(4, 0), at(9, 0)]  # two cells of grass, and a tree
    for health, more in ((0, 0), (-1, 10 * STEP)):
        grass = Walk(subject="grass", walkable=True, health=health)
        here = situation("@:.:.....T", load_world("default").with_rules(grass), facing=(-1, 0))
        ways = distances_between(footing(here), cells)
        assert ways[1, 2] >= STEP
        assert ways[2, 3] - ways[1, 2] > more


def test_a_way_between_two_sites_costs_the_same_there_and_back() -> None:
    here = situation("@.:#T\n.L:..\n:c.~i\n..d..")
    cells = [at(0, 0), at(4, 0), at(1, 2), at(4, 2), at(2, 3)]
    ground = replace(footing(here), facing=np.zeros((AREA, AREA), np.int64))
    ways = distances_between(ground, cells)
    assert (ways[1:, 1:] == ways[1:, 1:].T).all()
    assert (ways[0, 1:] == ways[1:, 0] + STEP).all()  # the player stands on its cell, not beside
    alone = [distances_between(ground, [cells[i], cells[j]])[0, 1] for i, j in ((1, 3), (3, 1))]
    assert alone[0] == alone[1] == ways[1, 3] + STEP
