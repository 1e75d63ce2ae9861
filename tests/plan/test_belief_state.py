from __future__ import annotations

from dataclasses import replace

from mars_logic import load_world
from mars_logic.plan.routes import STEP
from mars_logic.plan.world_model import ACTION
from mars_logic.world.theory import World
from tests.plan.scenes import only, situation


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
