"""Sources of food and drink: what they take, and the tools for it."""

from __future__ import annotations

from mars_logic import load_world
from mars_logic.plan.sources import healing_task
from mars_logic.plan.survive import Survival
from mars_logic.plan.world_model import VitalEffect, WorldModel
from mars_logic.world.rules import Collect, Creature, Drink, Walk, Yield
from mars_logic.world.theory import World
from tests.plan.scenes import heals, situation


def test_effects_follow_the_rules() -> None:
    model = WorldModel(load_world("all_three"))
    assert model.collect_effect("lava") == VitalEffect(food=1, drink=2)
    assert model.collect_effect("water") == VitalEffect(food=-1, drink=2)
    default = WorldModel(load_world("default"))
    assert default.collect_effect("water") == VitalEffect(drink=2)
    assert default.eat_effect(2) == VitalEffect(food=6)
    assert not default.can_collect("stone", {})
    assert default.can_collect("stone", {"wood_pickaxe": 1})
    assert not default.can_collect("path", {})
    assert default.hits(3, {}) == 5 and default.hits(3, {"iron_sword": 1}) == 1


def drawn_by(tool: str) -> World:
    """Default, but for water that takes something held and is gone once it was drunk."""
    drink = {"drink": Yield(amount=1)}
    return load_world("default").with_rules(
        Collect(subject="water", requires={tool: 1}, yields=drink, leaves="path")
    )


def test_a_lake_far_away_is_worth_more_than_its_first_cell() -> None:
    world = drawn_by("wood_pickaxe").with_rules(Drink(subject="water"))
    way = "@" + "." * 30
    for rows, worth in ((way + "~", False), (way + "~~~~~~", True)):
        here = situation(rows, world, drink=1, wood_pickaxe=1)
        assert (Survival().needs(here) is not None) is worth, rows


def test_what_may_bring_a_zombie_is_the_dearer_source() -> None:
    rows = "~.@...L"
    world = load_world("task_dep")
    here = situation(rows, world, drink=3, health=5)
    found = Survival().needs(here)
    assert found is not None and found[0] == "drink: collect.lava"
    calm = world.with_rules(world.collect["water"].model_copy(update={"spawns": {}}))
    found = Survival().needs(situation(rows, calm, drink=3, health=5))
    assert found is not None and found[0] == "drink: collect.water"


def test_what_a_source_takes_of_other_vitals_is_part_of_its_price() -> None:
    for food, worth in ((0, True), (-1, False)):
        cow = Creature(subject="cow", eatable=True, eaten_drink_factor=1, eaten_food_factor=food)
        here = situation("@...C", load_world("default").with_rules(cow), drink=2, food=8)
        assert (Survival().needs(here) is not None) is worth


def test_one_cell_of_ground_that_heals_is_paced_to_and_fro() -> None:
    for beside, lasts in ((".", True), (":", False)):
        world = heals("path").with_rules(Walk(subject="sand", walkable=True, health=-1))
        ring = beside * 3
        here = situation(f"{ring}\n{beside}@{beside}\n{ring}", world, ground="_")
        task = healing_task(here)
        assert task is not None and task.standing is not None
        assert task.standing[here.seen.position] == lasts
        assert 1 <= task.action <= 4
