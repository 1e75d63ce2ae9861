"""Plans and play in worlds that add creatures and needs, and in which things grow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.agents.oracle import OracleAgent
from mars_logic.errors import InputError
from mars_logic.logic.growth import with_growth
from mars_logic.plan.belief_state import BeliefState, terrain_of
from mars_logic.plan.observed_map import ObservedMap, Status
from mars_logic.plan.planner import Planner
from mars_logic.plan.risk import counterattack
from mars_logic.plan.shelter import supplies
from mars_logic.plan.skills import ripening, tasks_for
from mars_logic.plan.survive import Survival
from mars_logic.plan.task_plan import Task, make_plan
from mars_logic.plan.task_queue import is_done
from mars_logic.plan.world_model import NOOP, WorldModel
from mars_logic.play.episodes import play
from mars_logic.sim import Simulator
from mars_logic.system.resources import folder
from mars_logic.world.theory import World
from tests.plan.test_own_worlds import begun

GALLERY = folder("worlds") / "gallery"
WINTER, FARM = (load_world(str(GALLERY / f"{name}.yaml")) for name in ("winter", "farm"))


def in_winter(**held: int) -> BeliefState:
    return begun(WINTER, **held)


def with_material(here: BeliefState, material: str, dx: int, dy: int) -> BeliefState:
    """The situation with a cell, away from the player, of some material."""
    x, y = here.seen.position
    materials = here.seen.materials.copy()
    materials[x + dx, y + dy] = here.model.code[material]
    return replace(here, seen=replace(here.seen, materials=materials))


def test_added_creatures_are_kinds_like_others() -> None:
    here = in_winter()
    wolf = here.model.kinds.index("wolf")
    (thing,) = here.things_of("wolf")
    assert thing.kind == wolf and here.hostile(thing) and thing in here.creatures
    assert here.model.blow(wolf) == 2 and here.model.approaches(wolf)
    assert here.model.hits(wolf, {}) == 4 and here.model.hits(wolf, {"spear": 1}) == 1
    assert (here.model.walked_by(wolf) == here.model.walked_by(wolf)).all()
    assert set(np.flatnonzero(here.model.walked_by(wolf))) == {
        here.code["grass"],
        here.code["snow"],
    }


def test_a_view_shows_them_as_the_state_does() -> None:
    simulator = Simulator(WINTER)
    simulator.reset(1)
    observation = simulator.observe()
    state = simulator.state()
    seen = ObservedMap.begin(observation, (state.x, state.y))
    there = {(t.kind, t.x, t.y) for t in ObservedMap.from_state(state, "mars").things}
    assert {(t.kind, t.x, t.y) for t in seen.things} <= there


def test_what_hunting_requires_is_held_first() -> None:
    rule = WINTER.hunt["wolf"].with_fields({"requires": {"spear": 1}}, WINTER.vocabulary)
    world = WINTER.with_rules(rule)
    assert not tasks_for(begun(world), Task("creature.wolf"), {})
    assert tasks_for(begun(world, spear=1), Task("creature.wolf"), {})
    plan = make_plan(world, begun(world).seen, {}, (), ("kill_wolf",))
    rules = [target.rule for target in plan.targets]
    assert rules.index("make.spear") < rules.index("creature.wolf")


def test_loot_is_planned_for() -> None:
    plan = make_plan(WINTER, in_winter().seen, {}, (), ("make_coat",))
    assert plan.amounts["creature.wolf", None] == 2


def test_an_added_need_is_refilled_by_what_the_rules_say() -> None:
    cold = in_winter(warmth=2)
    chosen = Survival().needs(with_material(cold, "campfire", 0, 1))
    assert chosen == ("warmth: need.warmth", NOOP)
    held = Survival().needs(in_winter(warmth=1, wood=2))
    assert held is not None and held[1] == cold.actions["place_campfire"]
    fetched = Survival().needs(in_winter(warmth=1))
    assert fetched is not None and fetched[0].startswith("warmth: ")
    assert Survival().needs(in_winter(warmth=1, coat=1)) is None


def test_what_strikes_is_struck_back() -> None:
    here = in_winter(health=6)
    x, y = here.seen.position
    wolf = replace(here.things_of("wolf")[0], x=x, y=y + 1)
    beset = replace(here, seen=replace(here.seen, things=(wolf,)))
    chosen = counterattack(beset)
    assert chosen is not None and chosen[0] == "fight wolf"


def test_what_grows_is_planned_for() -> None:
    plan = make_plan(FARM, begun(FARM).seen, {}, (), ("make_bread",))
    rules = [target.rule for target in plan.targets]
    assert rules.index("place.sprout") < rules.index("collect.wheat") < rules.index("make.bread")
    assert "wheat" in with_growth(FARM).place and with_growth(WINTER) is WINTER


def test_cells_that_are_pushed_or_spread_are_refused() -> None:
    for name, rule in (("sokoban", r"push\.box"), ("fire", r"beside\.tree")):
        world = load_world(str(GALLERY / f"{name}.yaml"))
        with pytest.raises(InputError, match=f"the planner does not know the rule {rule}"):
            WorldModel(world)


def test_what_blows_do_not_harm_is_not_struck() -> None:
    rule = WINTER.hunt["wolf"].with_fields({"requires": {"spear": 1}}, WINTER.vocabulary)
    world = WINTER.with_rules(rule)
    for held, struck in (({}, False), ({"spear": 1}, True)):
        here = begun(world, health=6, **held)
        x, y = here.seen.position
        wolf = replace(here.things_of("wolf")[0], x=x, y=y + 1)
        beset = replace(here, seen=replace(here.seen, things=(wolf,)))
        assert (counterattack(beset) is not None) == struck


def test_no_way_leads_through_what_blows_do_not_harm() -> None:
    rule = WINTER.hunt["wolf"].with_fields({"requires": {"spear": 1}}, WINTER.vocabulary)
    for held, open_ in (({}, False), ({"spear": 1}, True)):
        here = begun(WINTER.with_rules(rule), **held)
        x, y = here.seen.position
        wolf = replace(here.things_of("wolf")[0], x=x, y=y - 1)
        costs = terrain_of(replace(here, seen=replace(here.seen, things=(wolf,))))
        assert (costs.open_cost[x, y - 1] > 0) == open_


def test_the_player_waits_where_what_it_placed_grows() -> None:
    here = with_material(begun(FARM), "sprout", 3, 0)
    x, y = here.seen.position
    cells = ripening(here, {"collect.wheat"})
    assert cells is not None and cells[x, y] and cells[x + 19, y] and not cells[x + 20, y]
    assert ripening(here, {"collect.iron"}) is None
    assert ripening(begun(FARM), {"collect.wheat"}) is None


@pytest.mark.slow
@pytest.mark.parametrize("world", [WINTER, FARM], ids=lambda world: world.name)
def test_the_oracle_plays_them(world: World) -> None:
    """Some of four episodes are complete."""
    simulator, wanted = Simulator(world), set(world.achievements)
    played = [play(OracleAgent(), simulator, seed, wanted) for seed in range(4)]
    assert any(wanted <= set(each.unlocked) for each in played)


def test_blocks_of_a_shelter_are_those_that_stay_and_can_be_taken_up_again() -> None:
    assert list(supplies(WorldModel(WINTER))) == ["have_8_stone"]
    assert list(supplies(WorldModel(FARM))) == ["have_8_stone", "have_8_wood"]  # of fence


def test_with_nothing_left_to_do_the_planner_collects_the_blocks_of_a_shelter() -> None:
    simulator = Simulator(WINTER)
    simulator.reset(1)
    state = simulator.state()
    words = WINTER.vocabulary
    status = Status.from_state(state, words.achievements, words.items)
    done = frozenset(WINTER.achievements) - {"survive_500"}
    decision = Planner(WINTER).decide(
        ObservedMap.from_state(state, "mars"), replace(status, unlocked=done)
    )
    assert (decision.layer, decision.about) == ("plan", "collect.tree")  # for a pickaxe


def test_a_hunt_is_over_when_it_has_brought_what_it_yields() -> None:
    model, hunt = WorldModel(WINTER), Task("creature.wolf")
    assert is_done(model, hunt, {"pelt": 1}, set(), frozenset())
    assert not is_done(model, hunt, {"wood": 1}, set(), frozenset())
