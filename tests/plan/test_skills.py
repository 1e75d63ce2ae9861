from __future__ import annotations

from dataclasses import replace

from mars_logic import load_world
from mars_logic.plan.routes import FAR, STEP
from mars_logic.plan.skills import collecting, removable, tasks_for
from mars_logic.plan.task_plan import Task
from mars_logic.plan.world_model import ACTION, DO
from mars_logic.world.dialect import AREA
from mars_logic.world.rules import Collect, Yield
from tests.plan.scenes import at, situation


def test_a_creature_that_cannot_be_got_to_is_called_elsewhere() -> None:
    sand = Collect(subject="sand", yields={"sapling": Yield(amount=1)}, spawns={"zombie": 0.1})
    world = load_world("default").with_rules(sand)
    for rows, called in (("@.:\n...\n..Z", False), ("@.:####\n...#Z#.\n...###.", True)):
        tasks = tasks_for(situation(rows, world), Task("creature.zombie"), {})
        ways = [task.way(situation(rows, world)).cost for task in tasks]
        assert (len(ways) == 2) is called, rows
        assert (ways[0] >= FAR) is called and ways[-1] < FAR
        assert all(task.action == DO for task in tasks)


def test_what_stays_as_it_is_when_it_is_collected_cannot_be_made_way() -> None:
    assert removable(situation("@.", wood_pickaxe=1), "stone")
    assert not removable(situation("@."), "stone")
    lasting = Collect(subject="stone", requires={}, yields={"stone": Yield(amount=1)})
    world = load_world("default").with_rules(lasting)
    assert not removable(situation("@.", world, wood_pickaxe=1), "stone")


def test_nothing_is_placed_beyond_the_map() -> None:
    here = situation("....\n.@..", wood=9)
    for position, facing in (((AREA - 1, 9), (1, 0)), ((9, 0), (0, -1))):
        edge = replace(here, seen=replace(here.seen, position=position, facing=facing))
        (table,) = tasks_for(edge, Task("place.table"), {})
        assert table.facing is not None and table.facing.any()


def test_what_the_player_stands_on_is_collected_from_beside() -> None:
    world = load_world("all_three")
    here = situation("..d@..\n......", world, ground="d", wood_pickaxe=1, stone_pickaxe=1)
    (task,) = collecting(here, world.collect["diamond"])
    assert task.facing is not None and task.facing[at(3, 0)]
    alone = situation("@.......", world, ground="d", stone_pickaxe=1, facing=(1, 0))
    (task,) = collecting(alone, world.collect["diamond"])
    cost, action = task.price(alone)
    assert cost < 5 * STEP and action == ACTION["move_right"]
