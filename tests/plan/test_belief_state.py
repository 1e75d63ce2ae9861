from __future__ import annotations

from dataclasses import replace

from mars_logic import load_world
from mars_logic.plan.routes import STEP
from mars_logic.plan.skills import collecting
from mars_logic.plan.world_model import ACTION
from mars_logic.world.rules import Collect, Walk, Yield
from mars_logic.world.theory import World
from tests.plan.scenes import at, only, situation


def stone_that_turns_to_diamond() -> World:
    """Stone can be walked on, and collecting it leaves something that can't be."""
    world = load_world("terr_task")
    rule = world.collect["stone"]
    return world.with_rules(rule.model_copy(update={"leaves": "diamond", "requires": {}}))


def test_nobody_shuts_themselves_in() -> None:
    world = stone_that_turns_to_diamond()
    rows = "LLLLLLLLLL\n" + "L@########\n" + "LLLLLLLLL#\n" + "##########\n" * 8
    here = situation(rows, world, facing=(1, 0), ground="#")
    assert here.trap == at(2, 1)
    (task,) = collecting(here, world.collect["stone"])
    assert task.facing is not None and not task.facing[at(2, 1)] and task.facing[at(3, 1)]


def test_what_can_be_collected_again_and_again_shuts_in_as_well() -> None:
    rows = "LLLLLLLLLL\n" + "L@########\n" + "LLLLLLLLL#\n" + "##########\n" * 8
    for leaves, closes in (("diamond", True), ("path", False)):
        diamond = Collect(subject="diamond", yields={"diamond": Yield()}, leaves=leaves)
        world = stone_that_turns_to_diamond().with_rules(diamond)
        here = situation(rows, world, facing=(1, 0), ground="#")
        assert (here.trap == at(2, 1)) is closes, leaves


def test_with_room_elsewhere_it_is_no_trap() -> None:
    world = stone_that_turns_to_diamond()
    rows = "##########\n" * 6
    here = situation("#@########\n" + rows, world, facing=(1, 0), ground="#")
    assert here.trap is None


def test_what_leaves_ground_to_walk_on_is_no_trap() -> None:
    here = situation("###\n#@#\n###", facing=(1, 0), wood_pickaxe=1)
    assert here.trap is None


def test_ground_that_kills_shuts_in_as_walls_do() -> None:
    leaves = Collect(subject="sand", yields={"sapling": Yield(amount=1)}, leaves="path")
    for deadly in (False, True):
        path = Walk(subject="path", walkable=True, deadly=deadly)
        world = load_world("default").with_rules(leaves, path)
        rows = "~~~.......\n~@:.......\n~~~.......\n" + "..........\n" * 6
        here = situation(rows, world, facing=(1, 0))
        assert (here.trap is not None) is deadly
        assert bool(collecting(here, leaves)[0].facing[at(2, 1)]) is not deadly  # type: ignore[index]


def test_a_creature_in_the_way_costs_what_killing_it_takes() -> None:
    def cost(world: World) -> int:
        here = situation("#####\n#@S_~\n#####", world, facing=(1, 0), ground="_")
        return here.routes.reach(here.of_material("water"), None).cost

    default = load_world("default")
    skeleton = default.creature["skeleton"].model_copy(
        update={"eatable": True, "eaten_food_factor": -1}
    )
    assert cost(default.with_rules(skeleton)) == cost(default) + 6 * 8 * STEP


def test_what_is_kept_for_something_else_is_used_up_on_a_way_only_if_little_else_helps() -> None:
    around = "@~..\n.~..\n.~..\n...."
    here = situation(around, stone=1, wood_pickaxe=1, facing=(1, 0))
    assert here.routes.reach(None, only(2, 0)).first == ACTION["place_stone"]
    kept = replace(here, kept=(("stone", 1),))
    assert kept.routes.reach(None, only(2, 0)).first == ACTION["move_down"]
    nothing_else = replace(
        situation("@~..", stone=1, wood_pickaxe=1, facing=(1, 0)), kept=(("stone", 1),)
    )
    assert nothing_else.routes.reach(None, only(2, 0)).first == ACTION["place_stone"]


def test_blocks_that_run_out_are_no_way_out() -> None:
    rows = "~~~~~~~~~\n~@.......\n~~~......\n" + ".........\n" * 6
    for stone in (0, 2):
        here = situation(rows, wood_pickaxe=1, stone=stone, facing=(1, 0))
        assert here.way_out == at(2, 1)
    dug = situation(rows.replace("~", "#"), wood_pickaxe=1, facing=(1, 0))
    assert dug.way_out is None
