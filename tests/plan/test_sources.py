"""Sources of food and drink: what they take, and the tools for it."""

from __future__ import annotations

from mars_logic import load_world
from mars_logic.plan.sources import grown_only, healing_task, keeps, tools_for
from mars_logic.plan.survive import Survival, tools_lacking
from mars_logic.plan.world_model import DO, VitalEffect, WorldModel
from mars_logic.world.rules import Collect, Creature, Drink, Walk, Yield
from mars_logic.world.theory import World
from tests.plan.scenes import heals, situation


def test_it_gets_first_what_drinking_requires() -> None:
    # In surv_task, water and lava take a held sapling, which sand yields.
    choice = Survival().needs(situation("@:..L", "surv_task", facing=(1, 0), drink=1))
    assert choice == ("drink: collect.lava by collect.sand", DO)
    assert keeps(WorldModel(load_world("surv_task"))) == {"sapling": 1}
    assert keeps(WorldModel(load_world("default"))) == {}


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


def test_a_tool_is_never_used_up_and_need_not_be_kept() -> None:
    assert keeps(WorldModel(drawn_by("iron_pickaxe"))) == {}
    assert keeps(WorldModel(drawn_by("sapling"))) == {"sapling": 1}


def test_what_drinking_takes_is_made_before_the_player_is_thirsty() -> None:
    world = drawn_by("iron_pickaxe")
    dry = situation("@....~", world, drink=6, health=6)
    assert tools_for(dry, "drink") == {"iron_pickaxe"}
    assert tools_for(situation("@....~", world, iron_pickaxe=1), "drink") == frozenset()
    assert tools_for(situation("@....~"), "drink") == frozenset()
    assert tools_lacking(dry, ahead=500) == {"iron_pickaxe"}
    assert tools_lacking(dry, ahead=100) == frozenset()


def fed_by_plants() -> World:
    """Default, but for cows that feed nobody."""
    return load_world("default").with_rules(Creature(subject="cow", eatable=True))


def test_where_only_plants_feed_the_first_sapling_is_fetched_in_good_time() -> None:
    world = fed_by_plants()
    assert grown_only(WorldModel(world), "food")
    assert not grown_only(WorldModel(world), "drink")
    assert not grown_only(WorldModel(load_world("default")), "food")
    for food, ahead, fetches in ((9, 100, False), (9, 200, True), (3, 100, True)):
        here = situation("@....C", world, food=food)
        assert tools_lacking(here, ahead) == ({"sapling"} if fetches else frozenset())
        assert tools_lacking(situation("@....C", food=food), ahead) == frozenset()
    had = situation("@....C", world, food=3, unlocked=("collect_sapling",))
    assert tools_lacking(had, 200) == frozenset()


def test_a_lake_far_away_is_worth_more_than_its_first_cell() -> None:
    world = drawn_by("wood_pickaxe").with_rules(Drink(subject="water"))
    way = "@" + "." * 30
    for rows, worth in ((way + "~", False), (way + "~~~~~~", True)):
        here = situation(rows, world, drink=1, wood_pickaxe=1)
        assert (Survival().needs(here) is not None) is worth, rows


def test_the_tool_is_chosen_that_takes_the_least() -> None:
    world = load_world("default").with_rules(
        Collect(subject="water", requires={"wood_pickaxe": 1}, yields={"drink": Yield(amount=1)}),
        Collect(subject="lava", requires={"iron_pickaxe": 1}, yields={"drink": Yield(amount=1)}),
    )
    here = situation("T#ci\n@L.~\n....", world)
    assert tools_for(here, "drink") == {"wood_pickaxe"}


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


def test_what_drinking_takes_is_collected_before_the_player_is_thirsty() -> None:
    world = drawn_by("sapling")
    assert tools_for(situation("@....~", world), "drink") == {"sapling"}
    had = situation("@....~", world, unlocked=("collect_sapling",))
    assert tools_for(had, "drink") == frozenset()


def test_who_can_drink_only_at_the_cost_of_food_makes_what_other_drink_takes() -> None:
    for food, tools in ((0, frozenset()), (-1, {"iron_pickaxe"})):
        cow = Creature(subject="cow", eatable=True, eaten_drink_factor=1, eaten_food_factor=food)
        here = situation("@....~", drawn_by("iron_pickaxe").with_rules(cow))
        assert tools_for(here, "drink") == tools


def test_one_cell_of_ground_that_heals_is_paced_to_and_fro() -> None:
    for beside, lasts in ((".", True), (":", False)):
        world = heals("path").with_rules(Walk(subject="sand", walkable=True, health=-1))
        ring = beside * 3
        here = situation(f"{ring}\n{beside}@{beside}\n{ring}", world, ground="_")
        task = healing_task(here)
        assert task is not None and task.standing is not None
        assert task.standing[here.seen.position] == lasts
        assert 1 <= task.action <= 4
