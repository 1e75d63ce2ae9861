"""Traps: worlds and maps whose verdicts depend on supply, room for two things, or a way out."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from mars_logic import World, load_world
from mars_logic.logic import explain, prove
from mars_logic.logic.layouts import example_maps
from mars_logic.logic.proof import Verdict
from mars_logic.logic.reachability_model import ReachabilityModel
from mars_logic.sim import Simulator, generate_map
from mars_logic.world import names
from tests.logic.exhaustive import search, tamed
from tests.logic.generate import SEEDS
from tests.logic.mutants import changed, mutant
from tests.logic.test_brackets import area_with

CODE = {name: code for code, name in enumerate(names.MATERIALS)}
DEFAULT = load_world("default")
Area = NDArray[np.uint8]
Cell = tuple[int, int]


def plain(material: str, **cells: list[Cell]) -> Area:
    area = np.full((64, 64), CODE[material], np.uint8)
    for name, some in cells.items():
        for x, y in some:
            area[x, y] = CODE[name]
    return area


def on(world: World, area: Area, achievement: str) -> Verdict:
    return prove(world, area=area, creatures=[]).achievements[achievement]


# --- Supply -------------------------------------------------------------------------------------


def wood_from_lava(**lava: object) -> World:
    """A table takes nine wood, and only lava gives wood."""
    world = changed(DEFAULT, "place.table", uses={"wood": 9})
    world = changed(world, "collect.tree", yields={})
    rule = {"collectable": True, "requires": {}, "yields": {"wood": 1}, "leaves": "path"}
    return changed(world, "collect.lava", **(rule | lava))


def lava(number: int) -> list[Cell]:
    return [(20 + 2 * i, 20) for i in range(number)]


@pytest.mark.parametrize(
    ("number", "expected"), ((0, "unreachable"), (5, "unreachable"), (8, "unreachable"))
)
def test_too_few_cells_that_are_used_up(number: int, expected: str) -> None:
    assert (
        on(wood_from_lava(), plain("grass", lava=lava(number)), "place_table").verdict == expected
    )


def test_cells_beyond_reach_supply_nothing() -> None:
    """Twenty more cells of lava lie behind water, which cannot be crossed without stone."""
    area = plain("grass", lava=lava(5))
    area[:, 50] = CODE["water"]
    area[10:30, 60] = CODE["lava"]
    found = on(wood_from_lava(), area, "place_table")
    assert found.verdict == "unreachable"
    assert "only 5 are within reach" in found.words[0]
    assert on(
        changed(wood_from_lava(), "walk.water", walkable=True), area, "place_table"
    ).verdict == ("reachable")


def test_enough_cells_confirm() -> None:
    found = on(wood_from_lava(), plain("grass", lava=lava(9)), "place_table")
    assert (found.verdict, found.interactions) == ("reachable", 10)


@pytest.mark.parametrize(
    "change",
    (
        {"leaves": "lava"},
        {"yields": {"wood": 2}},
        {"yields": {"wood": {"amount": 2, "probability": 0.1}}},
    ),
)
def test_a_source_that_suffices_is_not_refuted(change: dict[str, object]) -> None:
    world = wood_from_lava(**change)
    assert on(world, plain("grass", lava=lava(5)), "place_table").verdict != "unreachable"


@pytest.mark.slow
def test_cells_that_come_back_supply_as_well() -> None:
    """Lava leaves sand, and sand leaves lava; or grass leaves lava."""
    world = wood_from_lava(leaves="sand")
    area = plain("grass", lava=lava(5))
    assert on(world, area, "place_table").verdict == "unreachable"
    back = changed(world, "collect.sand", collectable=True, requires={}, yields={}, leaves="lava")
    assert on(back, area, "place_table").verdict == "reachable"
    grown = changed(world, "collect.grass", requires={}, yields={}, leaves="lava")
    assert on(grown, area, "place_table").verdict != "unreachable"


def test_what_is_placed_and_collected_again_can_supply() -> None:
    """Each stone that is placed gives two back, and stones are what the table is made of."""
    world = changed(DEFAULT, "place.table", uses={"stone": 9})
    world = changed(world, "collect.stone", requires={}, yields={"stone": {"amount": 2}})
    area = plain("grass", stone=[(20, 20)])
    assert on(world, area, "place_table").verdict == "reachable"
    once = changed(world, "collect.stone", yields={"stone": {"amount": 1}})
    found = on(once, area, "place_table")
    assert (found.verdict, found.explanation) == ("unreachable", ("place.table",))


def test_what_is_lacking_is_told() -> None:
    found = on(wood_from_lava(), plain("grass", lava=lava(5)), "place_table")
    assert found.explanation == ("place.table",)
    assert found.words == (
        "place.table: Placing a table uses 9 wood and works on grass, path or sand, but that takes "
        "9 cells of lava, which are used up, and only 5 are within reach.",
    )
    told = explain(wood_from_lava(), "place_table", area=plain("grass", lava=lava(5)), creatures=[])
    assert told is not None
    assert told.rules == (("place.table",),) and told.chain == found.words and told.complete
    assert told.repairs[0] is not None
    assert told.repairs[0].words == "let placing a table use no wood"


def test_a_map_with_enough_needs_no_explanation() -> None:
    area = plain("grass", lava=lava(9))
    assert explain(wood_from_lava(), "place_table", area=area, creatures=[]) is None


# --- Two things on two grounds ------------------------------------------------------------------


def two_grounds() -> World:
    """A table on water, a furnace on sand, both for a sword; all of them cost nothing."""
    world = tamed(load_world("crafter"), random.Random(0))
    for material in names.COLLECTABLE:
        world = changed(world, f"collect.{material}", collectable=False)
    for tool in names.TOOLS:
        world = changed(world, f"make.{tool}", uses={"diamond": 9})
    world = changed(world, "place.table", uses={}, where=("water",))
    world = changed(world, "place.furnace", uses={}, where=("sand",))
    return changed(world, "make.wood_sword", uses={}, nearby=("table", "furnace"))


@pytest.mark.parametrize(
    ("rows", "expected"),
    (
        (("ttttt", "twttt", "tssst", "ttttt", "ttttt"), "reachable"),
        (("ttttt", "twwwt", "tsssw", "ttttt", "ttttt"), None),
        (("ttttt", "ttttt", "tssst", "ttttw", "ttttt"), "unreachable"),
        (("ttttt", "ttttt", "twsst", "ttttt", "ttttt"), None),
        (("ttttt", "ttttt", "tsssw", "ttttt", "ttttt"), None),
        (("ttttt", "ttstt", "tsstt", "tttwt", "ttttt"), "unreachable"),
    ),
)
def test_a_table_on_water_beside_a_furnace_on_the_shore(
    rows: tuple[str, ...], expected: str | None
) -> None:
    """Sand under the player and around it, among trees and water."""
    world, area = two_grounds(), area_with(*rows)
    found = search(world, area, 4000)
    judged = on(world, area, "make_wood_sword").verdict
    assert found.complete
    assert judged != "reachable" or "make_wood_sword" in found.unlocked
    assert judged != "unreachable" or "make_wood_sword" not in found.unlocked
    assert expected in (None, judged)


def test_a_shore_with_room_for_both_is_enough() -> None:
    world = changed(DEFAULT, "place.table", where=("water",))
    world = changed(world, "place.furnace", where=("sand",))
    assert prove(world).achievements["make_iron_pickaxe"].verdict == "reachable"
    on_map = generate_map(world, 1)
    proof = prove(world, area=on_map.materials, creatures=on_map.creatures)
    assert proof.achievements["make_iron_pickaxe"].verdict == "reachable"


def test_a_corridor_has_no_room_for_two_on_its_own_ground() -> None:
    """In a row of sand, whoever has placed one thing ahead cannot face sand behind."""
    world = changed(two_grounds(), "place.table", where=("sand",))
    area = area_with("ttttt", "ttttt", "sssss", "ttttt", "ttttt")
    found = search(world, area, 4000)
    assert found.complete and "make_wood_sword" not in found.unlocked
    assert on(world, area, "make_wood_sword").verdict != "reachable"


# --- Out of harm --------------------------------------------------------------------------------


def in_lava(**lava: object) -> World:
    world = changed(DEFAULT, "neighbour.player", material="lava")
    rule = {"collectable": True, "requires": {}, "leaves": "path"}
    return changed(world, "collect.lava", **(rule | lava))


@pytest.mark.parametrize("seed", (None, 1, 2))
def test_a_start_disc_of_lava_is_left(seed: int | None) -> None:
    world = in_lava()
    found = generate_map(world, seed) if seed else None
    given = {} if found is None else {"area": found.materials, "creatures": found.creatures}
    verdicts = prove(world, **given).achievements
    assert {verdict.verdict for verdict in verdicts.values()} == {"reachable"}


def test_harmful_ground_is_dug_through_straight_ahead() -> None:
    """Ten cells of lava in a row are too far to wait for; whoever digs them comes past a tree."""
    area = plain("table", lava=[(32, y) for y in range(32, 42)], tree=[(31, 40)])
    assert on(in_lava(), area, "collect_wood").verdict == "reachable"
    kept = in_lava(leaves="lava")
    assert on(kept, area, "collect_wood").verdict == "unknown"
    beside = plain("table", lava=[(32, y) for y in range(32, 42)], tree=[(31, 32)])
    assert on(in_lava(), beside, "collect_wood").verdict == "unknown"


@pytest.mark.parametrize(("cells", "expected"), ((7, "reachable"), (8, "unknown")))
def test_as_many_moves_end_on_harmful_ground_as_health_recovers(cells: int, expected: str) -> None:
    """Behind so many cells of lava, the one under the player aside, lies a meadow with a tree."""
    world = changed(DEFAULT, "collect.lava", collectable=False)
    area = plain("table", lava=[(32, 32 + i) for i in range(cells + 1)])
    area[20:45, 33 + cells :] = CODE["grass"]
    area[32, 60] = CODE["tree"]
    found = prove(world, area=area, creatures=[]).achievements["collect_sapling"]
    assert found.verdict == expected


def test_a_patient_player_lives_through_seven_moves_on_lava() -> None:
    world = changed(DEFAULT, "neighbour.player", material="lava")
    noop, down = names.ACTIONS.index("noop"), names.ACTIONS.index("move_down")
    simulator = Simulator(world)
    simulator.reset(3)
    moves = 0
    for step in range(1, 183):
        done = bool(simulator.step([down if step % 26 == 0 and moves < 7 else noop]).done[0])
        moves += step % 26 == 0
        assert not done
    assert moves == 7


# --- Where creatures come from ------------------------------------------------------------------


@pytest.mark.slow
def test_zombies_never_start_in_the_start_disc() -> None:
    """Only the ground of the start disc can be walked on, and it is not grass."""
    world = changed(DEFAULT, "neighbour.player", material="sand")
    world = changed(world, "neighbour.water", material="water")
    for material in ("grass", "path", "lava"):
        world = changed(world, f"walk.{material}", walkable=False)
    world = changed(world, "rename.grass", material="iron")
    for material in names.COLLECTABLE:
        world = changed(world, f"collect.{material}", collectable=False)
    assert prove(world).achievements["kill_zombie"].verdict == "unreachable"
    far = changed(world, "neighbour.water", material="sand")
    assert prove(far).achievements["kill_zombie"].verdict != "unreachable"


def test_zombies_start_more_than_ten_cells_away_on_a_map() -> None:
    near = plain("table", sand=[(x, 32) for x in range(32, 43)])
    assert prove(DEFAULT, area=near).achievements["kill_zombie"].verdict == "unreachable"
    far = plain("table", sand=[(x, 32) for x in range(32, 44)])
    assert prove(DEFAULT, area=far).achievements["kill_zombie"].verdict == "unknown"


def test_creatures_behind_water_do_not_come() -> None:
    area = plain("water", sand=[(32, 32), (33, 32), (50, 50), (51, 50)])
    cow = [("cow", 50, 50)]
    found = prove(DEFAULT, area=area, creatures=cow).achievements["kill_cow"]
    assert found.verdict == "unreachable"
    for x, y in [*((x, 32) for x in range(34, 51)), *((50, y) for y in range(32, 50))]:
        area[x, y] = CODE["sand"]
    found = prove(DEFAULT, area=area, creatures=cow).achievements["kill_cow"]
    assert found.verdict == "reachable"


# --- What depends on the map --------------------------------------------------------------------


@pytest.mark.parametrize("world", (DEFAULT, load_world("crafter"), mutant(3), mutant(7)))
def test_layouts_are_those_of_the_generator(world: World) -> None:
    found = list(example_maps(ReachabilityModel(world)))
    assert len(found) == len(SEEDS)
    for seed, area in found:
        assert (generate_map(world, seed).materials == area).all()


@pytest.mark.slow
def test_a_start_that_is_cut_off_on_most_maps() -> None:
    """Iron, which the player cannot cross, lies around the start; on some maps sand or water."""
    world = changed(DEFAULT, "neighbour.tree", material="iron")
    world = changed(world, "collect.iron", collectable=False)
    found = prove(world).achievements["collect_drink"]
    assert found.verdict == "depends"
    assert set(found.examples) == {"reachable", "unreachable"}
    for outcome, seed in found.examples.items():
        on_map = generate_map(world, seed)
        given = prove(world, area=on_map.materials, creatures=on_map.creatures)
        assert given.achievements["collect_drink"].verdict == outcome
        assert f"{outcome} on that of seed {seed}" in (found.reason or "")
    assert found.to_json()["examples"] == found.examples
