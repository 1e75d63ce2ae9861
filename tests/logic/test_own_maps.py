"""Proofs of worlds that draw their maps, or scatter materials over generated ones."""

from __future__ import annotations

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.experiments.proving import prove as prove_on
from mars_logic.logic import explain, prove
from mars_logic.logic.pddl import planning_task
from mars_logic.logic.reachability_model import ReachabilityModel
from mars_logic.play.bound import lower_bounds
from mars_logic.sim import generate_map
from mars_logic.world.load import parse_theory
from mars_logic.world.maps import DrawnMap, Scattered, WorldMap
from mars_logic.world.theory import World

DEFAULT = load_world("default")
ISLET = "~~~~~~~~\n~.T.T..~\n~.@#c..~\n~.T.T..~\n~~~~~~~~\n"


def drawn(*texts: str) -> World:
    blocks = "".join(
        "    - |\n" + "".join(f"      {row}\n" for row in text.splitlines()) for text in texts
    )
    world = parse_theory(f"base: default\nmap:\n  drawn:\n{blocks}", "own.yaml")
    assert isinstance(world, World)
    return world


def scattered(*some: Scattered) -> World:
    return World.from_rules("mars", DEFAULT.rules(), name="own", map=WorldMap(some))


def verdicts(world: World, seed: int | None = None) -> dict[str, str]:
    found = prove_on(world, seed).achievements
    return {name: verdict.verdict for name, verdict in found.items()}


@pytest.mark.slow
def test_without_a_map_the_drawing_is_judged() -> None:
    world = drawn(ISLET)
    found = generate_map(world, 0)
    area = {"area": found.materials, "creatures": found.creatures, "start": found.start}
    on_map = prove(world, map_seed=0, **area)
    assert prove(world) == on_map == prove_on(world) == prove_on(world, 0)
    assert on_map.achievements["collect_coal"].verdict == "reachable"
    assert on_map.achievements["collect_iron"].verdict == "unreachable"
    assert explain(world, "collect_iron") == explain(world, "collect_iron", **area)
    # The generator's zones would have it reachable.
    assert verdicts(DEFAULT)["collect_iron"] == "reachable"


@pytest.mark.slow
def test_a_proof_is_about_the_drawing_of_its_seed() -> None:
    stones = "#####\n#TTT#\n#T@T#\n#TTT#\n#####\n"
    world = drawn(ISLET, stones)
    assert verdicts(world) == verdicts(world, 0) == verdicts(world, 2)
    assert verdicts(world, 1) != verdicts(world, 0)
    assert verdicts(world, 1)["collect_drink"] == "unreachable"


@pytest.mark.parametrize("corner", [False, True])
def test_the_start_counts_wherever_it_lies(corner: bool) -> None:
    """Only from the left part of the map, which a wall of water cuts off, is there a tree."""
    rows = ["T......~" + "." * 56 for _ in range(40)]
    rows[20] = "T.@....~" + "." * 56 if corner else "T......~" + "." * 30 + "@" + "." * 25
    world = drawn("\n".join(rows))
    (drawing,) = world.map.drawings
    assert drawing.start == ((2, 32) if corner else (38, 32))
    found = verdicts(world)
    assert found["collect_wood"] == ("reachable" if corner else "unreachable")
    steps = lower_bounds(world, seed=0)
    assert ("collect_wood" in steps.reachable) is corner


def test_plans_are_about_the_drawing() -> None:
    task = planning_task(drawn(ISLET))
    assert task.map_seed == 0 and "collect_coal" in task.goal
    assert "collect_iron" not in task.goal


@pytest.mark.slow
def test_what_is_scattered_is_found_on_ordinary_maps() -> None:
    no_iron = DEFAULT.with_rules(
        DEFAULT["rename.iron"].with_fields({"material": "stone"}, DEFAULT.vocabulary)
    )
    bare = World.from_rules("mars", no_iron.rules(), name="bare")
    assert verdicts(bare)["collect_iron"] != "reachable"
    own = World.from_rules(
        "mars", bare.rules(), name="own", map=WorldMap((Scattered("iron", "grass", 0.05),))
    )
    told = verdicts(own)
    assert told["collect_iron"] == told["make_iron_pickaxe"] == "reachable"
    for seed in (1, 2):
        on_map = verdicts(own, seed)
        assert {name for name in told if told[name] == "reachable"} <= {
            name for name in on_map if on_map[name] == "reachable"
        }


@pytest.mark.slow
def test_a_material_that_is_replaced_everywhere_is_on_no_map() -> None:
    dry = scattered(Scattered("sand", "water", 1.0))
    assert verdicts(dry)["collect_drink"] == verdicts(dry, 4)["collect_drink"] == "unreachable"
    nearly = scattered(Scattered("sand", "water", 0.9999999))
    assert verdicts(nearly)["collect_drink"] == "unknown"


@pytest.mark.slow
def test_where_much_is_replaced_nothing_is_called_reachable_without_a_map() -> None:
    found = verdicts(scattered(Scattered("water", "grass", 0.3)))
    assert "reachable" not in found.values() and "depends" not in found.values()
    assert "reachable" in verdicts(scattered(Scattered("water", "grass", 0.3)), 1).values()
    assert "reachable" in verdicts(scattered(Scattered("water", "grass", 0.2))).values()


def test_maps_hold_as_many_scattered_cells_as_facts_say() -> None:
    world = scattered(Scattered("lava", "grass", 0.04), Scattered("coal", "sand", 0.1))
    rows = {row[0]: row[1:] for row in ReachabilityModel(world).relations["abundant"]}
    codes = {name: code for code, name in enumerate(world.vocabulary.materials)}
    within = dict.fromkeys(("strewn_lava", "strewn_coal"), 0)
    for seed in range(20):
        usual, own = (generate_map(each, seed).materials for each in (DEFAULT, world))
        for zone, material in (("strewn_lava", "lava"), ("strewn_coal", "coal")):
            count = int(np.sum((own != usual) & (own == codes[material])))
            within[zone] += int(rows[zone][0]) <= count <= int(rows[zone][1])
    assert all(count >= 17 for count in within.values()), within


def test_drawings_are_no_part_of_a_world_that_generates() -> None:
    world = drawn(ISLET)
    assert isinstance(world.map.drawings[0], DrawnMap) and DEFAULT.map.drawings == ()
    assert verdicts(World.from_rules("mars", world.rules(), name="plain")) == verdicts(DEFAULT)
