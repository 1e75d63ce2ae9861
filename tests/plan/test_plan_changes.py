"""Changes of a plan without a new one: what is needless, and stations that are placed once more."""

from __future__ import annotations

from functools import partial

import pytest

from mars_logic.plan import plan_changes
from mars_logic.plan.plan_changes import needless, without_useless_stations
from mars_logic.plan.task_plan import Task, TaskPlan
from mars_logic.plan.task_queue import TaskQueue
from tests.plan.scenes import situation

TABLE_AGAIN = TaskPlan((Task("place.table"), Task("make.wood_pickaxe")))


def test_what_is_full_already_is_not_collected_unless_it_runs_out_later() -> None:
    stone, furnace = Task("collect.stone", 2), Task("place.furnace", 1)
    full, fewer = situation("@..#", stone=9), situation("@..#", stone=8)
    assert list(needless(full, TaskPlan((stone, furnace)))) == [stone]
    assert list(needless(fewer, TaskPlan((stone, furnace)))) == []
    assert list(needless(full, TaskPlan((stone, *[furnace] * 10)))) == []


@pytest.mark.parametrize(("drawing", "called"), [("~@..Z", False), ("~@...", True)])
def test_no_creature_is_called_that_is_there(drawing: str, called: bool) -> None:
    here = situation(drawing, "surv_task", sapling=2)
    lucky = Task("collect.lava", 1, "zombie")
    queue = TaskQueue(here.model.world, here.model, None)
    queue.follow(TaskPlan((lucky, Task("creature.zombie"))))
    queue.update(here)
    assert (lucky in queue.targets) is called


def test_more_stations_take_what_they_use() -> None:
    world = situation("@..T").model.world
    plan = TaskPlan((Task("collect.tree", 2), Task("make.wood_pickaxe")))
    more = plan_changes._once_more(world, plan, {"table"}, {})
    assert more is not None
    assert sum(t.times for t in more.targets if t.rule == "collect.tree") == 3
    rich = plan_changes._once_more(world, plan, {"table"}, {"wood": 9})
    assert rich is not None and len(rich.targets) == len(plan.targets) + 1
    assert plan_changes._once_more(world, plan, {"furnace"}, {}) is None  # no pickaxe


def test_a_second_table_that_saves_nothing_is_not_placed() -> None:
    here = situation("t.@T..", wood=6, unlocked=("place_table",))
    queue = TaskQueue(here.model.world, here.model, None)
    queue.follow(TABLE_AGAIN)
    queue.update(here)
    assert [target.rule for target in queue.targets] == ["make.wood_pickaxe"]


def test_a_first_table_is_placed() -> None:
    here = situation("..@T..", wood=6)
    queue = TaskQueue(here.model.world, here.model, None)
    queue.follow(TABLE_AGAIN)
    queue.update(here)
    find = partial(queue._found, here)
    plan, _ = without_useless_stations(here, TABLE_AGAIN, find(TABLE_AGAIN, None), here.seen, find)
    assert plan == TABLE_AGAIN
