from __future__ import annotations

from mars_logic import load_world
from mars_logic.plan.plan_changes import together
from mars_logic.plan.task_plan import Task
from mars_logic.plan.world_model import WorldModel

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
