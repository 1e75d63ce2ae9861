"""What the oracle does for a plant that is to get ripe."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.observed_map import UNSEEN
from mars_logic.plan.planner import Planner
from mars_logic.plan.routes import STEP
from mars_logic.plan.skills import aside, fencing, gaps, growing, open_sides, patience
from mars_logic.plan.survive import Survival
from mars_logic.plan.task_plan import Task, TaskPlan
from mars_logic.plan.world_model import ACTION, CODE, DO
from mars_logic.world.dialect import AREA
from mars_logic.world.load import load_world
from tests.plan.scenes import at, situation

PICKAXE = {"wood_pickaxe": 1}
ROWS = ".......\n...#...\n..#p..@\n...#...\n......."


def test_a_plant_that_takes_longer_is_lost_more_often() -> None:
    slow, quick = patience(situation("@p", "crafter")), patience(situation("@p"))
    assert quick < 20 * STEP < 1000 * STEP < slow


def test_sides_are_open_where_creatures_walk() -> None:
    here = situation(ROWS, "crafter")
    (plant,) = here.seen.of_kind("plant")
    assert gaps(here, plant) == [at(4, 2)]
    assert open_sides(here)[at(3, 2)] == 1
    assert open_sides(here)[at(5, 2)] == 4


def test_the_last_side_is_closed_or_what_that_takes_is_collected() -> None:
    (fence,) = fencing(situation(ROWS, "crafter", stone=1, facing=(-1, 0), **PICKAXE))
    assert fence.action == ACTION["place_stone"]
    assert fence.facing is not None and np.argwhere(fence.facing).tolist() == [list(at(4, 2))]
    # Stones that protect the plant already are left where they are.
    assert not list(fencing(situation(ROWS, "crafter", **PICKAXE)))
    (stone,) = fencing(situation(ROWS.replace("#...", "#..#"), "crafter", **PICKAXE))
    assert stone.action == DO
    assert not list(fencing(situation(ROWS, "crafter")))


def test_a_fence_costs_no_more_than_it_saves() -> None:
    open_ = "........\n...p...@\n........"
    assert list(fencing(situation(open_, "crafter", stone=1, **PICKAXE)))
    assert not list(fencing(situation(open_, stone=1, **PICKAXE)))
    assert list(fencing(situation(open_, stone=1, **PICKAXE), spare=20 * STEP))


def test_nothing_grows_from_far_off() -> None:
    here = situation("p" + "." * 30 + "@", "crafter")
    near = growing(here)
    assert near is not None and near[at(16, 0)] and not near[at(17, 0)]
    eaten = replace(here, status=replace(here.status, unlocked=frozenset({"eat_plant"})))
    assert growing(eaten) is None


def test_it_sleeps_where_a_plant_grows_if_that_is_not_far() -> None:
    def shelter(rows: str, world: str) -> int:
        here = situation(rows, world, facing=(1, 0), step=200, **PICKAXE)
        here = replace(here, status=replace(here.status, daylight=0.1))
        chosen = Survival().rest(here, wanted=False, stays=True)
        assert chosen is not None and chosen[0] == "burrow"
        return chosen[1]

    rock, row = "#" * 6, "." * 19
    rows = "\n".join(f"{rock}{middle}{rock}" for middle in (row, "." * 13 + "@" + "." * 5, row))
    plant = "p" + rows[1:]
    assert shelter(rows, "crafter") == ACTION["move_right"]
    assert shelter(plant, "crafter") == ACTION["move_left"]
    assert shelter(plant, "default") == ACTION["move_right"]


def test_a_plant_is_protected_before_the_plan_goes_on() -> None:
    def meant(here: BeliefState) -> str:
        planner = Planner(load_world("crafter"), goals=["eat_plant", "collect_coal"])
        return planner.decide(here.seen, here.status).about

    rows = ROWS.replace("\n", "cc\n", 1)
    assert meant(situation(rows, "crafter", stone=1, facing=(-1, 0), **PICKAXE)) == "fence"


def test_who_waits_for_a_plant_is_off_from_it_but_lets_it_grow() -> None:
    plants = situation("p" + "." * 30 + "@\n" + "." * 8 + "p").seen.of_kind("plant")
    mask = aside(plants)
    assert mask[at(16, 0)] and not mask[at(4, 0)] and not mask[at(8, 3)]
    for x, y in np.argwhere(mask).tolist():
        away = [(abs(x - plant.x), abs(y - plant.y)) for plant in plants]
        assert min(map(sum, away)) <= 16 and min(map(max, away)) > 4


def test_who_waits_for_a_plant_hides_only_where_it_grows() -> None:
    hut = "####\n#@##\n####"
    here = situation(hut, "crafter", **PICKAXE)
    assert Survival().wait_in_shelter(here) == ("rest", 0)
    assert Survival().wait_in_shelter(here, np.zeros((AREA, AREA), np.bool_)) is None


def test_who_waits_for_a_plant_waits_where_it_grows() -> None:
    rows = "p" + "." * 14 + ("\n" + "." * 15) * 9
    far = situation(rows[:-1] + "@")
    (plant,) = far.seen.of_kind("plant")
    places = aside([plant])
    assert places[at(12, 4)] and not places[at(4, 4)]  # there it would be trampled
    assert not places[at(12, 9)]
    planner = Planner(far.model.world, follows=TaskPlan((Task("creature.plant"),)))
    rock = np.where(far.seen.materials == UNSEEN, CODE["stone"], far.seen.materials)
    seen = replace(far.seen, materials=rock.astype(np.uint8))
    decision = planner.decide(seen, far.status)
    assert (decision.layer, decision.about) == ("wait", "creature.plant")
    assert decision.action in (ACTION["move_left"], ACTION["move_up"])
