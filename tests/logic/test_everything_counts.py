"""What proofs often forget: each of these rules decides a verdict, without a map and on one."""

from __future__ import annotations

import numpy as np
import pytest

from mars_logic import World, load_world
from mars_logic.logic import Verdict, prove
from mars_logic.world import names
from tests.logic.checker import check
from tests.logic.mutants import changed

CODE = {name: code for code, name in enumerate(names.MATERIALS)}
DEFAULT = load_world("default")


def verdict(world: World, achievement: str) -> Verdict:
    found = prove(world).achievements[achievement]
    if found.verdict == "reachable":
        check(world, achievement, found.witness)
    return found


def test_no_more_than_the_cap_can_be_held() -> None:
    nine = changed(DEFAULT, "place.table", uses={"wood": 9})
    assert verdict(nine, "place_table").certainty == "sure"
    # Nine pickaxes can be held, and are brought one by one, each of wood that is brought anew.
    many = changed(DEFAULT, "make.stone_pickaxe", uses={"wood_pickaxe": 9, "wood": 9, "stone": 9})
    found = verdict(many, "make_stone_pickaxe")
    assert {step.rule: step.times for step in found.witness}["make.wood_pickaxe"] >= 9


@pytest.mark.slow
def test_what_is_held_is_not_used_up() -> None:
    world = changed(DEFAULT, "collect.diamond", requires={"wood": 1, "coal": 1, "iron_pickaxe": 1})
    steps = {step.rule: step.times for step in verdict(world, "collect_diamond").witness}
    plain = {step.rule: step.times for step in verdict(DEFAULT, "collect_diamond").witness}
    assert steps["collect.tree"] <= plain["collect.tree"] + 1
    assert steps["collect.coal"] <= plain["collect.coal"] + 1
    assert verdict(
        changed(DEFAULT, "collect.tree", requires={"wood": 1}), "collect_wood"
    ).verdict == ("unreachable")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "expected"),
    [(("grass",), "reachable"), (("tunnel",), None), (("table",), "unreachable")],
)
def test_the_ground_that_things_are_placed_on(where: tuple[str, ...], expected: str | None) -> None:
    if expected is None:
        with pytest.raises(ValueError):
            changed(DEFAULT, "place.table", where=where)
        return
    assert verdict(changed(DEFAULT, "place.table", where=where), "place_table").verdict == expected


@pytest.mark.slow
def test_the_ground_may_have_to_be_laid_first() -> None:
    # A table stands on path only; the generator makes none, but mined stone leaves it.
    world = changed(DEFAULT, "place.table", where=("path",))
    world = changed(world, "rename.path", material="stone")
    world = changed(world, "collect.stone", requires={})
    for material in ("coal", "iron", "diamond", "grass", "water", "lava", "sand", "tree"):
        if world.collect[material].leaves == "path":
            world = changed(world, f"collect.{material}", collectable=False)
    found = verdict(world, "place_table")
    assert "collect.stone" in [step.rule for step in found.witness]
    world = changed(world, "collect.stone", leaves="stone")
    found = verdict(world, "place_table")
    assert found.verdict == "unknown" and "an arrow" in (
        found.reason or ""
    )  # that leaves path, too


def test_at_the_beginning_the_ground_need_not_be_walkable() -> None:
    """Whoever stands on ground that nobody can walk on turns, and acts on what lies beside."""
    area = np.full((64, 64), CODE["water"], np.uint8)
    area[31, 32] = CODE["tree"]
    found = prove(DEFAULT, area=area, creatures=[]).achievements
    assert found["collect_wood"].verdict == found["collect_drink"].verdict == "reachable"
    # Nothing is within reach but what lies beside the start.
    area[31, 32], area[29, 32] = CODE["water"], CODE["tree"]
    assert prove(DEFAULT, area=area, creatures=[]).achievements["collect_wood"].verdict == (
        "unreachable"
    )
    island = changed(DEFAULT, "neighbour.player", material="water")
    assert prove(island).achievements["collect_drink"].verdict == "reachable"


def test_chains_of_what_collecting_leaves() -> None:
    # Diamonds come only from where lava was, which water leaves, which sand leaves.
    world = changed(
        DEFAULT, "collect.sand", collectable=True, yields={}, leaves="water", requires={}
    )
    world = changed(world, "collect.water", leaves="tree", requires={})
    world = changed(world, "collect.tree", requires={}, leaves="iron")
    area = np.full((64, 64), CODE["sand"], np.uint8)
    found = prove(world, area=area, creatures=[]).achievements
    assert found["collect_drink"].verdict == "reachable"
    wood = found["collect_wood"]
    assert [step.rule for step in wood.witness] == ["collect.sand", "collect.water", "collect.tree"]
    check(world, "collect_wood", wood.witness)
    closed = changed(world, "collect.sand", leaves="sand")
    lost = prove(closed, area=area, creatures=[]).achievements
    assert lost["collect_wood"].verdict == lost["collect_drink"].verdict == "unreachable"


@pytest.mark.slow
def test_creatures_that_only_come_out_of_what_is_collected() -> None:
    area = np.full((64, 64), CODE["sand"], np.uint8)
    area[40:44, 40:44] = CODE["tree"]
    never = changed(DEFAULT, "collect.tree", leaves="tree")  # else grass would grow, and cows come
    assert prove(never, area=area, creatures=[]).achievements["kill_cow"].verdict == "unreachable"
    always = changed(never, "collect.tree", spawns={"cow": 1.0})
    cow = prove(always, area=area, creatures=[]).achievements["kill_cow"]
    assert (cow.verdict, cow.certainty) == ("reachable", "sure")
    assert [step.rule for step in cow.witness] == ["collect.tree", "creature.cow"]
    at_times = changed(DEFAULT, "collect.tree", spawns={"cow": 0.1}, leaves="path")
    cow = prove(at_times, area=area, creatures=[]).achievements["kill_cow"]
    assert cow.certainty == "finite_chance" and cow.probability is not None
    assert cow.probability.low == pytest.approx(1 - 0.9**16)


@pytest.mark.parametrize("eatable", [True, False])
def test_a_ripe_plant_is_eaten_whatever_its_rule_says(eatable: bool) -> None:
    world = changed(DEFAULT, "creature.plant", eatable=eatable)
    found = verdict(world, "eat_plant")
    assert found.verdict == "reachable"
    assert found.witness[-1].rule == "creature.plant"
