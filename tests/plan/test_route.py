from __future__ import annotations

from typing import Any

import pytest

from mars_logic import load_world
from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.observed_map import ObservedMap
from mars_logic.plan.routes import FAR, STEP
from mars_logic.plan.world_model import ACTION, DO
from mars_logic.world.rules import Collect, Walk, Yield
from tests.plan.scenes import at, only, situation

LEFT, RIGHT, DOWN = 1, 2, 4


def to(here: BeliefState, column: int, row: int) -> tuple[int, int]:
    """The way to a cell."""
    return here.routes.reach(None, only(column, row))[:2]


def test_walking_is_a_step_a_cell() -> None:
    here = situation("@....\n.....")
    assert to(here, 4, 0) == (4 * STEP, RIGHT)
    assert to(here, 0, 1) == (STEP, DOWN)


def test_it_goes_around_what_it_cannot_mine_and_through_what_it_can() -> None:
    rows = "@#..\n.#.~\n...~"
    assert to(situation(rows), 2, 0) == (6 * STEP, DOWN)
    cost, first = to(situation(rows, wood_pickaxe=1), 2, 0)
    assert (cost, first) == (4 * STEP, RIGHT)  # turn, mine, two steps
    facing = situation(rows, wood_pickaxe=1, facing=(1, 0))
    assert to(facing, 2, 0) == (3 * STEP, DO)


def test_unseen_cells_are_no_way() -> None:
    here = situation("@.\n..")
    cost, *_ = here.routes.reach(None, only(2, 0))
    assert cost == FAR


def test_it_bridges_with_what_it_holds_and_mines_the_bridge() -> None:
    rows = "@~.\n~~~"
    assert to(situation(rows), 2, 0)[0] == FAR
    assert to(situation(rows, stone=1), 2, 0)[0] == FAR  # a stone that cannot be mined away
    cost, first = to(situation(rows, stone=1, wood_pickaxe=1, facing=(1, 0)), 2, 0)
    assert cost < FAR and first == ACTION["place_stone"]


def test_it_never_steps_on_deadly_ground() -> None:
    assert to(situation("@L."), 2, 0)[0] == FAR
    here = situation("@L.\n...")
    assert to(here, 2, 0) == (4 * STEP, DOWN)
    assert here.routes.terrain.walk[at(1, 0)] == 0


def test_deadly_ground_cannot_be_turned_to_but_covered_when_faced() -> None:
    held: dict[str, Any] = {"stone": 3, "wood_pickaxe": 1}
    assert to(situation("@L.", **held), 2, 0)[0] == FAR  # turning would be walking into it
    cost, first = to(situation("@L.", facing=(1, 0), **held), 2, 0)
    assert cost < FAR and first == ACTION["place_stone"]


def test_ground_that_can_be_walked_on_is_faced_by_walking_towards_it() -> None:
    here = situation("...\n.@.\n...", facing=(0, 1))
    assert here.routes.reach(only(1, 2), None)[:2] == (0, -1)
    cost, first, *_ = here.routes.reach(only(2, 1), only(1, 1))
    assert (cost, first) == (2 * STEP, LEFT)  # a step to the left, and back again
    assert here.routes.reach(only(2, 1), None)[0] == 2 * STEP


def test_harmful_ground_is_avoided_the_more_the_less_health_is_left() -> None:
    world = load_world("default").with_rules(Walk(subject="sand", walkable=True, health=-1))
    rows = "@:.\n.~.\n.~.\n..."
    healthy = situation(rows, world)
    assert to(healthy, 2, 0)[1] == DOWN
    short = "@:.\n" + ".~.\n" * 10 + "..."
    assert to(situation(short, world), 2, 0)[1] == RIGHT
    assert to(situation(short, world, health=4), 2, 0)[1] == DOWN
    assert to(situation("@:.", world, health=1), 2, 0)[0] == FAR


def test_a_way_tells_how_much_health_it_takes() -> None:
    rules = (
        Walk(subject="sand", walkable=True, health=-1),
        Walk(subject="path", walkable=True, health=1),
    )
    here = situation("@:::_.", load_world("default").with_rules(*rules))
    assert here.routes.reach(None, only(2, 0)).harm == 2
    assert here.routes.reach(None, only(5, 0)).harm == 2
    assert here.routes.reach(None, only(0, 0)).harm == 0


@pytest.mark.parametrize("thing", ["Z", "S"])
def test_it_prefers_the_way_that_is_safe(thing: str) -> None:
    rows = f"..#...\n@.....\n..#{thing}..\n......"
    safe = situation(rows.replace(thing, "."))
    risky = situation(rows)
    assert to(risky, 5, 1)[0] > to(safe, 5, 1)[0]


def test_plants_are_not_walked_through_and_fences_stay() -> None:
    assert to(situation("@p."), 2, 0)[0] == FAR
    here = situation("@#p", wood_pickaxe=1)
    assert here.fences[at(1, 0)]
    assert to(here, 1, 0)[0] == FAR
    assert to(situation("@#P", wood_pickaxe=1), 1, 0)[0] < FAR


def test_places_on_the_edge_of_the_map() -> None:
    from mars_logic.plan.world_model import WorldModel
    from mars_logic.sim import Simulator
    from tests.plan.scenes import status

    simulator = Simulator(load_world("terr_surv"))
    simulator.reset(1)
    state = simulator.state()
    for corner in ((0, 0), (63, 63), (0, 63), (63, 0)):
        seen = ObservedMap(state.materials, (), corner, (1, 0))
        here = BeliefState(WorldModel(simulator.world), seen, status())
        assert here.routes.cost.min() == 0
        assert not here.near("grass")[0].any()


def test_a_way_counts_what_the_ground_takes_that_it_opens() -> None:
    rules = (
        Walk(subject="sand", walkable=True, health=-1),
        Collect(subject="tree", yields={"wood": Yield(amount=1)}, leaves="sand"),
    )
    here = situation("@T_", load_world("default").with_rules(*rules))
    assert here.routes.reach(None, only(2, 0)).harm == 1


def test_ground_that_takes_health_is_covered_where_that_is_cheaper() -> None:
    world = load_world("default").with_rules(Walk(subject="sand", walkable=True, health=-1))
    stone = {"stone": 1, "wood_pickaxe": 1}
    for held, first, harm in (({}, RIGHT, 3), (stone, ACTION["place_stone"], 0)):
        here = situation("@:::_", world, facing=(1, 0), **held)
        way = here.routes.reach(None, only(4, 0))
        assert (way.first, way.harm) == (first, harm)
    aside = situation("@:_", world, facing=(0, 1), **stone)
    assert aside.routes.reach(None, only(2, 0)).first == RIGHT  # nobody can turn to such ground
