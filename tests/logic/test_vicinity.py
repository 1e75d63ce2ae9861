"""What lies or comes near the player: things nearby, and creatures at the edge of a zone."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from mars_logic import World, load_world
from mars_logic.logic import prove
from mars_logic.logic.layout import MapLayout, patches_of
from mars_logic.logic.zone_view import ZoneView
from mars_logic.sim import Scene, Simulator, generate_map
from mars_logic.sim.snapshot import Snapshot
from mars_logic.world import names
from tests.logic.derived import derived
from tests.logic.exhaustive import drawn_area
from tests.logic.fuzz_brackets import compare_maps, compare_small
from tests.logic.generate import zones
from tests.logic.mutants import changed
from tests.logic.unusual import unusual
from tests.logic.vistas import arrived, beside, settled, shifted

MATERIALS = names.MATERIALS


def needing(world: World, *nearby: str) -> World:
    """The world with a sword of nothing that takes some things nearby."""
    return changed(world, "make.wood_sword", uses={}, nearby=list(nearby))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("nearby", "reachable"),
    (
        (("grass", "tree"), True),
        (("grass", "water"), True),
        (("sand", "water"), True),
        (("grass", "tree", "sand"), True),
        (("grass", "tree", "table"), True),
        (("sand", "water", "table"), True),
        (("grass", "table", "furnace"), True),
        (("grass", "lava"), False),
        (("diamond", "iron", "coal"), False),
    ),
)
def test_zones_that_lie_together_make_tools_possible(
    nearby: tuple[str, ...], reachable: bool
) -> None:
    world = needing(load_world("default"), *nearby)
    verdict = prove(world).achievements["make_wood_sword"]
    assert (verdict.verdict == "reachable") == reachable
    found = generate_map(world, 3)
    given = prove(world, area=found.materials, creatures=found.creatures)
    assert given.achievements["make_wood_sword"].verdict != "unreachable" or not reachable


def test_trees_of_two_materials_are_not_counted_on_together() -> None:
    from mars_logic.logic.reachability_model import ReachabilityModel

    plain = ReachabilityModel(load_world("crafter"))
    shared = ReachabilityModel(load_world("crafter"))
    shared.facts += "also(tree, iron, 500000).\n"
    found = [derived(model, "in_view", "whole") for model in (plain, shared)]
    views = [{row[1] for row in each["in_view"]} for each in found]
    whole = [
        {row[0] for row in each["whole"]} & {row[0] for row in each["in_view"] if row[1] == "trees"}
        for each in found
    ]
    assert "trees" in views[1]
    assert whole[0] and not whole[1]


def test_the_sights_of_a_map_are_what_lies_around_its_cells() -> None:
    area = drawn_area(random.Random(5))
    area[0, :5] = MATERIALS.index("sand")
    around = ZoneView(area)
    patches = patches_of(around)
    MapLayout(area).add_sights(patches)
    for number, patch in patches.items():
        own = MATERIALS.index(patch.material)
        cells = {(x, y) for x, y in around.cells[around.patch == number].tolist()}
        expected = {"sights": set(), "sights_ahead": set(), "sights_dug": set()}
        for x, y in cells:
            if x == 0 or y == 0:
                continue
            ring = {
                (x + dx, y + dy): int(area[x + dx, y + dy])
                for dx in (-1, 0, 1)
                for dy in (-1, 0, 1)
                if (dx or dy) and x + dx < 64 and y + dy < 64
            }
            expected["sights"].add(frozenset({*ring.values(), own}))
            few = list(ring.values()).count(own) < 3
            expected["sights_dug"].add(frozenset(set(ring.values()) - ({own} if few else set())))
            for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                if {(x + dx, y + dy), (x - dx, y - dy)} <= cells:
                    rest = {code for at, code in ring.items() if at != (x + dx, y + dy)}
                    expected["sights_ahead"].add(frozenset({*rest, own}))
        for kind, sets in expected.items():
            greatest = {one for one in sets if not any(one < other for other in sets)}
            bits = {sum(1 << code for code in some) for some in greatest}
            assert getattr(patch, kind) == bits, (patch.material, kind)


@pytest.mark.parametrize("dynamics", names.DYNAMICS)
def test_vistas_are_there_on_other_maps(dynamics: str) -> None:
    """The table was made from the maps of seeds 0 to 999; these are 60 later ones."""
    from mars_logic.logic.reachability_model import ReachabilityModel

    world = load_world({"mars": "default"}.get(dynamics, dynamics))
    relations = derived(ReachabilityModel(world), "vista")
    vistas: dict[tuple[str, str, str], set[str]] = {}
    for dialect, kind, zone, number, other in relations["vista"]:
        if dialect == dynamics and kind == "stand":
            vistas.setdefault((kind, zone, number), set()).add(other)
    found, _ = settled({zone: cells[1000:] for zone, cells in zones(dynamics, 1060).items()})
    parts = arrived(found)
    around = {
        zone: np.logical_or.reduce(
            [shifted(cells, dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        )
        for zone, cells in found.items()
    }
    assert vistas
    for (_, zone, _), others in vistas.items():
        for part in parts[zone]:
            seen = np.logical_and.reduce([part, *(around[other] for other in others)])
            assert seen.any(axis=(1, 2)).mean() >= 0.9, (zone, others)
    assert beside(found["open"]).any()


@pytest.mark.slow
def test_a_creature_comes_to_a_player_that_cannot_get_to_it() -> None:
    world = changed(load_world("default"), "walk.grass", walkable=False)
    verdict = prove(world).achievements["kill_cow"]
    assert (verdict.verdict, verdict.certainty) == ("reachable", "finite_chance")
    simulator = Simulator(world, 32)
    simulator.reset(list(range(32)))
    begun = simulator.snapshot()
    scenes = [
        Scene(begun, env).clear("grass").player(at=(32, 32), facing=(0, 1)).put("cow", 32, 35)
        for env in range(32)
    ]
    simulator.restore(Snapshot(np.concatenate([scene.snapshot().envs for scene in scenes])))
    actions = [names.ACTIONS.index(name) for name in ("do", "move_down")]
    for step in range(200):
        simulator.step([actions[step % 2]] * 32)
    assert simulator.unlocked[:, world.achievements.index("kill_cow")].any()


@pytest.mark.slow
def test_a_creature_that_does_not_move_comes_to_nobody() -> None:
    still = {"walks": False, "approaches": False, "shoots": False}
    world = changed(load_world("default"), "walk.grass", walkable=False)
    world = changed(world, "creature.cow", **still)
    assert prove(world).achievements["kill_cow"].verdict != "reachable"


@pytest.mark.parametrize("seed", range(4))
def test_verdicts_on_unusual_worlds_hold_on_maps(seed: int) -> None:
    tally: Counter[str] = Counter()
    assert not [*compare_maps(seed, range(seed, seed + 2), tally, unusual, players=8)]
    assert tally["pairs"] == 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_verdicts_on_small_areas_of_unusual_worlds_are_what_a_search_finds(seed: int) -> None:
    assert not [*compare_small(seed, Counter(), 400, unusual)]
