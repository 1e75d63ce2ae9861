from __future__ import annotations

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.plan.skills import tasks_for
from mars_logic.plan.task_plan import Task, TaskPlan
from mars_logic.plan.task_queue import TaskQueue, footholds, needless, required, together
from mars_logic.plan.world_model import WorldModel
from mars_logic.world.rules import Creature
from tests.plan.scenes import at, situation

FURNACE, TABLE = Task("place.furnace"), Task("place.table")
SWORD = Task("make.iron_sword")


def test_what_is_placed_later_comes_to_what_is_placed_before() -> None:
    model = WorldModel(load_world("default"))
    assert together(model, (TABLE, FURNACE, SWORD)) == {"table": frozenset(), "furnace": {"table"}}
    assert together(model, (FURNACE, TABLE, SWORD)) == {
        "table": {"furnace"},
        "furnace": frozenset(),
    }


def test_where_no_order_is_known_nothing_waits_for_what_may_have_to_wait_for_it() -> None:
    model = WorldModel(load_world("default"))
    for placed in ((TABLE, FURNACE), (FURNACE, TABLE)):
        free = together(model, (*placed, SWORD), ordered=False)
        assert free == {"table": frozenset(), "furnace": frozenset()}
    assert together(model, (FURNACE, SWORD), ordered=False) == {"furnace": {"table"}}


def test_what_killing_takes_is_to_be_had_before() -> None:
    sour = Creature(subject="cow", eatable=True, eaten_food_factor=-1)
    model = WorldModel(load_world("default").with_rules(sour))
    assert required(model, (Task("creature.cow"), Task("collect.tree"))) == {"food": 7}
    assert required(model, ()) == {}


def test_what_is_full_already_is_not_collected_unless_it_runs_out_later() -> None:
    model = WorldModel(load_world("default"))
    stone, furnace = Task("collect.stone", 2), Task("place.furnace", 1)
    assert needless(model, TaskPlan((stone, furnace)), {"stone": 9}) == [stone]
    assert needless(model, TaskPlan((stone, furnace)), {"stone": 8}) == []
    every = TaskPlan((stone, *[furnace] * 10))
    assert needless(model, every, {"stone": 9}) == []


@pytest.mark.parametrize(("drawing", "kept"), [("t.~@..", 0), ("t.i@..", 1), ("tii@..", 1)])
def test_the_only_place_to_make_something_from_is_not_dug_up(drawing: str, kept: int) -> None:
    world = load_world("default")
    iron = world.walk["iron"].model_copy(update={"walkable": True})
    here = situation(drawing, world.with_rules(iron), wood=1)
    pickaxe = Task("make.wood_pickaxe")
    assert footholds(here, [pickaxe]).sum() == kept
    assert not footholds(here, [Task("collect.tree")]).any()


def test_what_is_collected_leaves_the_only_place_to_make_something_from() -> None:
    world = load_world("default")
    iron = world.walk["iron"].model_copy(update={"walkable": True})
    digs = world.collect["iron"].model_copy(update={"leaves": "stone"})
    here = situation("ti@i", world.with_rules(iron, digs), wood=1, stone_pickaxe=1)
    queue = TaskQueue(here.model.world, here.model, None)
    queue.follow(TaskPlan((Task("collect.iron"), Task("make.wood_pickaxe"))))
    queue.update(here)
    (task,) = (t for t in tasks_for(here, Task("collect.iron"), {}))
    (left,) = queue._lasting(here, Task("collect.iron"), [task])
    assert left.facing is not None and task.facing is not None
    assert [tuple(cell) for cell in np.argwhere(task.facing & ~left.facing)] == [at(1, 0)]


def test_what_is_collected_leaves_the_only_way_to_the_stations() -> None:
    world = load_world("default")
    iron = world.walk["iron"].model_copy(update={"walkable": True})
    pickaxe = [Task("make.wood_pickaxe")]
    for rows, way in (("t:i@\n::##", 2), ("t:i@\n::::", None)):
        here = situation(rows, world.with_rules(iron), ground=":", facing=(-1, 0), wood=1)
        kept = [(int(x), int(y)) for x, y in np.argwhere(footholds(here, pickaxe))]
        assert kept == ([] if way is None else [at(way, 0)])
    away = situation("t:i@\n::##", world.with_rules(iron), ground=":", facing=(1, 0), wood=1)
    assert not footholds(away, pickaxe).any()  # only what is faced is collected
