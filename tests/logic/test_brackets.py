"""Verdicts never contradict each other or the game: a small part of ``fuzz_brackets``."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from mars_logic import World, load_world
from mars_logic.logic import prove
from mars_logic.world import names
from tests.logic.exhaustive import DESERT, LEFT, SIZE, search, tamed
from tests.logic.fuzz_brackets import compare_maps, compare_small, is_ordinary, small
from tests.logic.mutants import changed, mutant

ONCE_WRONG = (13, 20, 22, 51, 103, 5041, 5056, 5075, 5096, 5180, 5198, 10014, 20143, 30358)
"""Seeds of small areas on which a verdict once was wrong."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1008))
def test_verdicts_without_a_map_hold_on_maps(seed: int) -> None:
    tally: Counter[str] = Counter()
    assert not [*compare_maps(seed, range(seed, seed + 3), tally)]
    assert tally["pairs"] == 3


@pytest.mark.parametrize(("seed", "map_seed"), ((60073, 60074), (60163, 60168)))
def test_a_map_on_which_the_start_is_an_island_is_not_ordinary(seed: int, map_seed: int) -> None:
    tally: Counter[str] = Counter()
    assert not [*compare_maps(seed, range(map_seed, map_seed + 1), tally)]
    assert tally["ordinary"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", (*range(8), *ONCE_WRONG))
def test_verdicts_on_small_areas_are_what_a_search_finds(seed: int) -> None:
    tally: Counter[str] = Counter()
    assert not [*compare_small(seed, tally, most=600)]
    assert tally["areas"] == 1


def area_with(*rows: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A small area told by the first letters of materials, rows from the top."""
    area = np.full((64, 64), names.MATERIALS.index(DESERT), np.uint8)
    letters = {material[0]: code for code, material in enumerate(names.NATURAL, 1)}
    assert len(rows) == SIZE
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            area[LEFT + x, LEFT + y] = letters[letter]
    return area


@pytest.mark.slow
def test_a_search_finds_what_there_is() -> None:
    world = tamed(load_world("crafter"), random.Random(0))
    world = changed(world, "place.table", uses={"wood": 1})
    found = search(world, area_with("ggggg", "ggttg", "ggggg", "gwggg", "ggggg"), 4000)
    assert {"collect_wood", "place_table", "collect_drink"} <= found.unlocked
    assert not {"collect_stone", "collect_coal", "place_stone"} & found.unlocked


def test_a_search_is_complete_where_nothing_can_be_done() -> None:
    world = changed(tamed(load_world("crafter"), random.Random(0)), "collect.grass", yields={})
    found = search(world, area_with(*["ggggg"] * SIZE), 400)
    assert found.complete and not found.unlocked
    assert 25 <= found.states <= 100


@pytest.mark.parametrize("wood", (1, 2, 3))
@pytest.mark.parametrize(
    "rows",
    (
        ("wwwww", "wwwww", "wsssw", "wwwww", "wwwww"),
        ("wwwww", "wwwww", "sssss", "wwwww", "wwwww"),
        ("wwwww", "wwwww", "wsssw", "wwsww", "wwsww"),
    ),
)
def test_cells_that_are_taken_are_in_the_way_to_others(rows: tuple[str, ...], wood: int) -> None:
    """Taken sand leaves water, which nobody walks on; the table takes one more cell of it."""
    world = tamed(load_world("crafter"), random.Random(0))
    world = changed(world, "place.table", uses={"wood": wood}, where=["sand"])
    given = {"wood": {"amount": 1}}
    sand = {"collectable": True, "requires": {}, "yields": given, "leaves": "water"}
    world = changed(world, "collect.sand", **sand)
    area = area_with(*rows)
    found = search(world, area, 3000)
    judged = prove(world, area=area, creatures=[]).achievements
    assert found.complete
    assert judged["collect_wood"].verdict == "reachable"
    assert judged["place_table"].verdict != "reachable" or "place_table" in found.unlocked


def test_small_areas_differ() -> None:
    areas = {small(seed)[1].tobytes() for seed in range(8)}
    assert len(areas) == 8


def test_a_map_that_lacks_a_material_is_not_ordinary() -> None:
    from dataclasses import replace

    from mars_logic.logic.reachability_model import ReachabilityModel
    from mars_logic.sim import generate_map

    world = load_world("default")
    free, found = ReachabilityModel(world), generate_map(world, 2)
    assert is_ordinary(free, found)
    bare = np.where(found.materials == names.MATERIALS.index("iron"), 3, found.materials)
    assert not is_ordinary(free, replace(found, materials=bare))
    assert not is_ordinary(free, replace(found, creatures=()))
    assert mutant(1) != mutant(2)


def corridor(*rows: str) -> tuple[World, np.ndarray[tuple[int, ...], np.dtype[np.uint8]]]:
    """Sand between water, where trees and stone give something only to those who hold a sapling.

    Taken sand gives a sapling, and leaves water.
    """
    world = tamed(load_world("crafter"), random.Random(0))
    sapling = {"sapling": {"amount": 1}}
    world = changed(
        world, "collect.sand", collectable=True, requires={}, yields=sapling, leaves="water"
    )
    for material, item in (("tree", "wood"), ("stone", "stone")):
        given = {"requires": {"sapling": 1}, "yields": {item: {"amount": 1}}, "leaves": material}
        world = changed(world, f"collect.{material}", **given)
    world = changed(world, "place.table", uses={"wood": 1, "stone": 1}, where=["water"])
    area = area_with(*(row.replace("r", "s") for row in rows))
    rocks = [(x, y) for y, row in enumerate(rows) for x, at in enumerate(row) if at == "r"]
    for x, y in rocks:
        area[LEFT + x, LEFT + y] = names.MATERIALS.index("stone")
    return world, area


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "both"),
    (
        (("wwwww", "wwwww", "tsssr", "wwwww", "wwwww"), False),
        (("wwwww", "ssssw", "tsssr", "ssssw", "wwwww"), True),
    ),
)
def test_a_cell_that_is_taken_may_cut_off_all_else(rows: tuple[str, ...], both: bool) -> None:
    world, area = corridor(*rows)
    found = search(world, area, 4000)
    judged = prove(world, area=area, creatures=[]).achievements
    assert "collect_sapling" in found.unlocked
    assert judged["collect_sapling"].verdict == "reachable"
    for name in ("collect_wood", "collect_stone", "place_table"):
        assert judged[name].verdict != "reachable" or name in found.unlocked
        assert judged[name].verdict != "unreachable" or name not in found.unlocked
    assert (judged["place_table"].verdict == "reachable") == both
