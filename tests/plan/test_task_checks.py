from __future__ import annotations

from mars_logic import load_world
from mars_logic.plan.task_plan import Task
from mars_logic.plan.task_queue import required, together
from mars_logic.plan.world_model import WorldModel
from mars_logic.world.rules import Creature

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
