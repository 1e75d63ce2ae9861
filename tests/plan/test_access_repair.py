from __future__ import annotations

from collections.abc import Iterator

from mars_logic import load_world
from mars_logic.plan.access_repair import bridging
from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.skills import Skill
from mars_logic.plan.world_model import DO
from mars_logic.world.rules import Collect, Yield
from tests.plan.scenes import situation


def zombies(here: BeliefState) -> Iterator[Skill]:
    yield Skill("creature.zombie", DO, here.kinds == 3)


ISLAND = "~~~~~~~~\n~#@~~Z.~\n~~~~~~~~"


def test_what_makes_a_way_over_water_is_collected() -> None:
    here = situation(ISLAND, wood_pickaxe=1, facing=(-1, 0))
    assert bridging(here, zombies(here)) == ("a way by collect.stone", DO)


def test_nothing_is_collected_where_there_is_a_way_or_what_makes_one_is_held() -> None:
    for rows, held in ((ISLAND, 1), (ISLAND.replace("~~Z", "..Z"), 0)):
        here = situation(rows, wood_pickaxe=1, stone=held, facing=(-1, 0))
        assert bridging(here, zombies(here)) is None


def test_nothing_is_collected_in_vain() -> None:
    no_tool = situation(ISLAND, facing=(-1, 0))
    assert bridging(no_tool, zombies(no_tool)) is None
    nobody = situation(ISLAND.replace("Z", "."), wood_pickaxe=1, facing=(-1, 0))
    assert bridging(nobody, zombies(nobody)) is None


def test_what_makes_a_way_through_what_it_opens_is_collected() -> None:
    digs = Collect(subject="coal", requires={"sapling": 1}, yields={}, leaves="path")
    sapling = Collect(subject="grass", yields={"sapling": Yield(amount=1)}, leaves="grass")
    world = load_world("default").with_rules(digs, sapling)
    yard = "cccccccc\nc.@ccZ.c\ncccccccc"
    here = situation(yard, world, facing=(-1, 0))
    assert bridging(here, zombies(here)) == ("a way by collect.grass", DO)
    held = situation(yard, world, facing=(-1, 0), sapling=1)
    assert bridging(held, zombies(held)) is None
