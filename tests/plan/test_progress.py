from __future__ import annotations

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.plan.abstract import AbstractPlan, Target
from mars_logic.plan.agenda import Agenda
from mars_logic.plan.lore import Lore
from mars_logic.plan.progress import footholds, needless, required, together
from mars_logic.plan.tasks import tasks_for
from mars_logic.world.rules import Creature
from tests.plan.scenes import at, situation

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


@pytest.mark.parametrize(("drawing", "kept"), [("t.~@..", 0), ("t.i@..", 1), ("tii@..", 1)])
def test_the_only_place_to_make_something_from_is_not_dug_up(drawing: str, kept: int) -> None:
    world = load_world("default")
    iron = world.walk["iron"].model_copy(update={"walkable": True})
    here = situation(drawing, world.with_rules(iron), wood=1)
    pickaxe = Target("make.wood_pickaxe")
    assert footholds(here, [pickaxe]).sum() == kept
    assert not footholds(here, [Target("collect.tree")]).any()


def test_what_is_collected_leaves_the_only_place_to_make_something_from() -> None:
    world = load_world("default")
    iron = world.walk["iron"].model_copy(update={"walkable": True})
    digs = world.collect["iron"].model_copy(update={"leaves": "stone"})
    here = situation("ti@i", world.with_rules(iron, digs), wood=1, stone_pickaxe=1)
    agenda = Agenda(here.lore.world, here.lore, None)
    agenda.follow(AbstractPlan((Target("collect.iron"), Target("make.wood_pickaxe"))))
    agenda.update(here)
    (task,) = (t for t in tasks_for(here, Target("collect.iron"), {}))
    (left,) = agenda._lasting(here, Target("collect.iron"), [task])
    assert left.facing is not None and task.facing is not None
    assert [tuple(cell) for cell in np.argwhere(task.facing & ~left.facing)] == [at(1, 0)]


def test_what_is_collected_leaves_the_only_way_to_the_stations() -> None:
    world = load_world("default")
    iron = world.walk["iron"].model_copy(update={"walkable": True})
    pickaxe = [Target("make.wood_pickaxe")]
    for rows, way in (("t:i@\n::##", 2), ("t:i@\n::::", None)):
        here = situation(rows, world.with_rules(iron), ground=":", facing=(-1, 0), wood=1)
        kept = [(int(x), int(y)) for x, y in np.argwhere(footholds(here, pickaxe))]
        assert kept == ([] if way is None else [at(way, 0)])
    away = situation("t:i@\n::##", world.with_rules(iron), ground=":", facing=(1, 0), wood=1)
    assert not footholds(away, pickaxe).any()  # only what is faced is collected
