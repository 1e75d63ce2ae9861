from __future__ import annotations

from random import Random

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.expectation import REACH, Expectation, ExpectationFilter, generator_statistics
from mars_logic.plan.observed_map import KINDS, UNSEEN, MapTracker, ObservedMap
from mars_logic.plan.skills import expected_gain, in_views, searching, wants
from mars_logic.plan.world_model import CODE, WorldModel
from mars_logic.sim import Simulator, State
from mars_logic.sim.scene import Scene
from mars_logic.world import names
from mars_logic.world.rules import Neighbour
from tests.plan.scenes import observed_map, status


def walk(name: str, seed: int, steps: int) -> tuple[MapTracker, Expectation, State]:
    """What is expected after a random walk, and the truth."""
    world = load_world(name)
    model, simulator, expectations = WorldModel(world), Simulator(world), ExpectationFilter()
    simulator.reset(seed)
    random, observed = Random(seed), MapTracker(simulator.observe())
    expected, action = expectations.update(model, observed.seen, observed.status), 1
    for _ in range(steps):
        action = random.choice((1, 2, 3, 4)) if random.random() < 0.15 else action
        simulator.step(action)
        observed.note(action, (), simulator.observe())
        expected = expectations.update(model, observed.seen, observed.status)
    assert expected is not None
    return observed, expected, simulator.state()


def test_expected_numbers_are_those_of_the_game() -> None:
    expected, true = np.zeros(2), np.zeros(2)
    for seed in range(12):
        observed, now, state = walk("default", seed, 30)
        outside = np.ones((64, 64), np.bool_)
        outside[observed.seen.in_view] = False
        cows = [thing for thing in state.objects if thing["kind"] == KINDS.index("cow")]
        expected[0] += now.of_creature("cow").sum()
        true[0] += sum(outside[cow["x"], cow["y"]] for cow in cows)
        unseen = observed.seen.materials == UNSEEN
        expected[1] += now.materials[..., CODE["water"]].sum()
        true[1] += (state.materials[unseen] == CODE["water"]).sum()
        assert now.materials[unseen].sum(axis=1) == pytest.approx(1)
        assert not now.materials[~unseen].any()
    assert expected == pytest.approx(true, rel=0.2)


def test_the_generator_is_the_believed_one() -> None:
    usual = load_world("default")
    other = usual.with_rules(Neighbour(subject="water", material="path"))
    shore = [generator_statistics(world).beside[1, CODE["water"]] for world in (usual, other)]
    assert shore[0][CODE["sand"]] > 0.05 > shore[1][CODE["sand"]]
    assert shore[1][CODE["path"]] > 0.05 > shore[0][CODE["path"]]
    assert generator_statistics(usual).beside[REACH].std(axis=0) == pytest.approx(0, abs=1e-12)


def test_a_creature_out_of_view_spreads_and_is_forgotten_when_it_has_probably_gone() -> None:
    simulator = Simulator(load_world("default"))
    simulator.reset(1)
    scene = Scene(simulator.snapshot()).clear("grass").put("cow", 35, 32)
    simulator.restore(scene.snapshot())
    observed, expectations = MapTracker(simulator.observe()), ExpectationFilter()
    model = WorldModel(load_world("default"))
    expectations.update(model, observed.seen, observed.status)
    near = np.zeros((64, 64), np.bool_)
    near[32:39, 29:36] = True
    shares, remembered = [], []
    for step in range(140):
        simulator.step(action := 1 if step < 6 else 0)
        observed.note(action, (), simulator.observe())
        expected = expectations.update(model, observed.seen, observed.status)
        assert expected is not None
        shares.append(float(expected.of_creature("cow")[near].sum()))
        remembered.append(bool(expectations.likely(observed.seen).of_kind("cow")))
    assert remembered[10] and shares[10] > 0.7
    assert not remembered[-1] and shares[-1] < shares[30] < shares[10]


def test_a_whole_map_leaves_nothing_to_be_expected() -> None:
    world = load_world("default")
    simulator = Simulator(world)
    simulator.reset(1)
    seen = ObservedMap.from_state(simulator.state(), world.dynamics)
    assert ExpectationFilter().update(WorldModel(world), seen, status()) is None


MEADOW = "#######\n#.....#\n#..@..#\n#.....#\n:::::::"
"""Sand is beside water, and stone is not."""


def expecting(rows: str, **about: int) -> BeliefState:
    """A situation with what is expected in it."""
    model, seen, now = WorldModel(load_world("default")), observed_map(rows), status(**about)
    return BeliefState(model, seen, now, expected=ExpectationFilter().update(model, seen, now))


def test_water_is_looked_for_where_sand_is() -> None:
    here = expecting(MEADOW)
    assert here.expected is not None
    water = searching(here, "water", here.expected.of_materials({"water": 1.0}))
    assert water is not None and water.price(here)[1] == 4  # down
    coal = searching(here, "coal", here.expected.of_materials({"coal": 1.0}))
    assert coal is not None and coal.way(here).end[1] < water.way(here).end[1]


def test_a_search_costs_more_than_its_way() -> None:
    here = expecting(MEADOW)
    assert here.expected is not None
    field = here.expected.of_creature("cow")
    costs = [
        search.price(here)[0]
        for part in (1.0, 0.5, 0.1)
        if (search := searching(here, "cow", part * field)) is not None
    ]
    assert costs == sorted(costs) and costs[0] < costs[-1] / 4
    assert searching(here, "cow", 0 * field) is None


def test_a_view_shows_nine_by_seven_cells() -> None:
    field = np.zeros((64, 64))
    field[10, 10] = 1
    views = in_views(field)
    assert views.sum() == pytest.approx(63)
    assert views[6:15, 7:14] == pytest.approx(1)


def test_goals_want_what_any_rule_makes_of_it() -> None:
    world = load_world("default")
    assert wants(world, ["make_wood_pickaxe"]) >= {"tree"}
    assert "iron" in wants(world, ["make_iron_sword"]) and "cow" in wants(world, ["kill_cow"])
    assert not wants(world, ["wake_up"])


def test_what_is_known_already_gains_less() -> None:
    goals = ["collect_coal", "collect_iron"]
    gains = []
    for rows in (MEADOW, MEADOW.replace("@..", "@cc")):
        here = expecting(rows)
        assert here.expected is not None
        gains.append(expected_gain(here, goals).sum() / here.expected.materials.sum())
    assert gains[1] < gains[0]
    assert set(names.CREATURES) <= wants(
        load_world("default"), ["kill_cow", "kill_zombie", "kill_skeleton"]
    )
