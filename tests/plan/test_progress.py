from __future__ import annotations

from mars_logic import load_world
from mars_logic.plan.abstract import AbstractPlan, Target
from mars_logic.plan.lore import Lore
from mars_logic.plan.progress import needless, required, together
from mars_logic.world.rules import Creature

FURNACE, TABLE = Target("place.furnace"), Target("place.table")
SWORD = Target("make.iron_sword")


def test_what_is_placed_later_comes_to_what_is_placed_before() -> None:
    lore = Lore(load_world("default"))
    assert together(lore, (TABLE, FURNACE, SWORD)) == {"table": frozenset(), "furnace": {"table"}}
    assert together(lore, (FURNACE, TABLE, SWORD)) == {"table": {"furnace"}, "furnace": frozenset()}


def test_where_no_order_is_known_nothing_waits_for_what_may_have_to_wait_for_it() -> None:
    lore = Lore(load_world("default"))
    for placed in ((TABLE, FURNACE), (FURNACE, TABLE)):
        free = together(lore, (*placed, SWORD), ordered=False)
        assert free == {"table": frozenset(), "furnace": frozenset()}
    assert together(lore, (FURNACE, SWORD), ordered=False) == {"furnace": {"table"}}


def test_what_killing_takes_is_to_be_had_before() -> None:
    sour = Creature(subject="cow", eatable=True, eaten_food_factor=-1)
    lore = Lore(load_world("default").with_rules(sour))
    assert required(lore, (Target("creature.cow"), Target("collect.tree"))) == {"food": 7}
    assert required(lore, ()) == {}


def test_what_is_full_already_is_not_collected_unless_it_runs_out_later() -> None:
    lore = Lore(load_world("default"))
    stone, furnace = Target("collect.stone", 2), Target("place.furnace", 1)
    assert needless(lore, AbstractPlan((stone, furnace)), {"stone": 9}) == [stone]
    assert needless(lore, AbstractPlan((stone, furnace)), {"stone": 8}) == []
    every = AbstractPlan((stone, *[furnace] * 10))
    assert needless(lore, every, {"stone": 9}) == []
