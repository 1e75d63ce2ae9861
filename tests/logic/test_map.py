"""Proofs on a given map: hand-made ones, and generated ones."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from mars_logic import World, load_world
from mars_logic.logic import map_facts, prove, regions
from mars_logic.logic.pddl import planning_task
from mars_logic.logic.reachability_model import OPTIMISTIC, ReachabilityModel
from mars_logic.logic.regions import Resident
from mars_logic.sim import Simulator, generate_map
from mars_logic.world import names
from tests.logic.checker import check
from tests.logic.derived import derived
from tests.logic.mutants import NINE, changed, mutant

DEFAULT = load_world("default")
CODE = {name: code for code, name in enumerate(names.MATERIALS)}
Area = NDArray[np.uint8]


def plain(material: str = "grass") -> Area:
    return np.full((64, 64), CODE[material], np.uint8)


def put(area: Area, material: str, *cells: tuple[int, int]) -> Area:
    for x, y in cells:
        area[x, y] = CODE[material]
    return area


def island(*trees: tuple[int, int]) -> Area:
    """Three by three cells of grass in the middle of a lake, and a mountain beyond."""
    area = plain("water")
    area[31:34, 31:34] = CODE["grass"]
    area[40:60, 20:40] = CODE["stone"]
    return put(area, "tree", *trees)


def verdicts(
    area: Area, world: World = DEFAULT, creatures: list[Resident] | None = None
) -> dict[str, str]:
    proof = prove(world, area=area, creatures=creatures, map_seed=7)
    assert proof.map_seed == 7
    for achievement, verdict in proof.achievements.items():
        if verdict.verdict == "reachable":
            check(world, achievement, verdict.witness)
    return {name: verdict.verdict for name, verdict in proof.achievements.items()}


def test_an_island_without_trees_is_a_prison() -> None:
    found = verdicts(island(), creatures=[])
    reachable = {name for name, verdict in found.items() if verdict == "reachable"}
    assert reachable == {"collect_drink", "collect_sapling", "place_plant", "eat_plant", "wake_up"}
    proof = prove(DEFAULT, area=island(), creatures=[])
    stone = proof.achievements["collect_stone"]
    assert stone.verdict == "unreachable"
    assert stone.explanation == ("collect.stone", "place.stone")
    wood = proof.achievements["collect_wood"]
    assert (wood.verdict, wood.explanation) == ("unreachable", ())
    assert wood.reason == "no change of the rules makes it reachable on this map"


def test_trees_alone_do_not_get_one_off_an_island() -> None:
    found = verdicts(island((31, 31), (31, 33), (33, 31), (33, 33)), creatures=[])
    assert found["make_wood_pickaxe"] == "reachable"
    assert found["collect_stone"] == "unreachable"


def test_a_stone_bridges_a_lake_because_it_comes_back() -> None:
    area = put(island((31, 31), (31, 33), (33, 31)), "stone", (33, 33))
    found = verdicts(area, creatures=[])
    assert found["place_stone"] == "reachable"
    assert found["place_furnace"] == "reachable"
    assert found["collect_diamond"] == "unreachable"


def test_trees_that_leave_grass_run_out() -> None:
    area = put(plain(), "tree", (10, 10), (12, 12))
    assert verdicts(area)["place_table"] == "reachable"
    proof = prove(DEFAULT, area=area)
    pickaxe = proof.achievements["make_wood_pickaxe"]
    assert (pickaxe.verdict, pickaxe.explanation) == ("unreachable", ("make.wood_pickaxe",))
    lacking = "that takes 3 cells of tree, which are used up, and only 2 are within reach"
    assert lacking in pickaxe.words[0]


def test_walls_of_what_cannot_be_mined() -> None:
    area = put(plain(), "water", (31, 32), (33, 32), (32, 31), (32, 33))
    area[50:, 50:] = CODE["tree"]
    found = verdicts(area, creatures=[])
    assert found["collect_drink"] == "reachable"
    assert found["collect_wood"] == "unreachable"
    proof = prove(DEFAULT, area=area)
    assert proof.achievements["collect_wood"].explanation == ("walk.water",)


def test_deadly_ground_at_the_start_lets_one_act_only_straight_ahead() -> None:
    lava = put(plain("lava"), "tree", (31, 32))
    assert verdicts(lava)["collect_wood"] == "unknown"
    ahead = put(plain("lava"), "tree", (32, 33))
    assert verdicts(ahead)["collect_wood"] == "reachable"


def test_deadly_ground_is_mined_straight_ahead_and_not_around_corners() -> None:
    """Stone lies off the line on which lava can be faced: whoever turns to it walks onto it."""
    world = changed(DEFAULT, "collect.lava", collectable=True, requires={}, leaves="path")
    world = changed(world, "collect.stone", requires={})
    world = changed(world, "place.stone", where=("water",))
    area = put(plain("table"), "grass", (32, 32), (32, 31))
    put(area, "lava", (32, 33), (32, 34), (33, 34))
    around = verdicts(put(area.copy(), "stone", (34, 34)), world, [])
    assert around["collect_stone"] == "unknown"
    assert verdicts(put(area.copy(), "stone", (31, 32)), world, [])["collect_stone"] == "reachable"
    walled = changed(world, "walk.lava", walkable=False, deadly=False)
    assert verdicts(put(area, "stone", (34, 34)), walled, [])["collect_stone"] == "reachable"


def test_deadly_ground_can_be_survived() -> None:
    """The step in which health recovers makes up for the ground: it cannot be called impossible."""
    world = changed(DEFAULT, "walk.grass", deadly=True)
    noop, right = names.ACTIONS.index("noop"), names.ACTIONS.index("move_right")
    hasty, patient = Simulator(world), Simulator(world)
    for simulator in (hasty, patient):
        simulator.reset(seed=3)
    assert hasty.step([right]).done[0]
    for _ in range(25):
        assert not patient.step([noop]).done[0]
    assert not patient.step([right]).done[0]


def test_what_is_nearby_need_not_be_in_reach() -> None:
    # Water behind a corner is in the three by three cells around the player.
    world = changed(DEFAULT, "make.wood_sword", uses={}, nearby=("water",))
    area = put(plain(), "tree", (31, 32), (33, 32), (32, 31), (32, 33))
    put(area, "water", (33, 33))
    world = changed(world, "collect.tree", collectable=False)
    assert verdicts(area, world)["make_wood_sword"] == "unknown"


def test_ground_that_one_walks_onto_is_faced_with_a_run_up() -> None:
    """Whoever turns towards ground that can be walked on walks onto it, and it lies behind."""
    wet = changed(DEFAULT, "walk.water", walkable=True)
    area = put(plain("table"), "water", (33, 32))
    assert verdicts(area, wet, [])["collect_drink"] == "unknown"
    reason = prove(wet, area=area, creatures=[]).achievements["collect_drink"].reason
    assert reason is not None and "faced" in reason
    put(area, "water", (34, 32), (35, 32))
    assert verdicts(area, wet, [])["collect_drink"] == "reachable"
    straight = put(plain("table"), "water", (32, 33))  # the player faces it at the beginning
    assert verdicts(straight, wet, [])["collect_drink"] == "reachable"
    approach = put(plain("table"), "grass", (33, 32), (34, 32))
    assert verdicts(put(approach, "water", (35, 32)), wet, [])["collect_drink"] == "reachable"


def test_two_stations_need_ground_for_both() -> None:
    world = changed(DEFAULT, "place.table", where=("sand",))
    world = changed(world, "place.furnace", where=("path",))
    area = plain()
    area[10:20, 10:20] = CODE["tree"]
    area[40:60, 40:60] = CODE["stone"]
    put(area, "sand", (5, 5))
    put(area, "iron", (39, 50), (39, 52))
    put(area, "coal", (39, 51), (39, 53))
    found = verdicts(area, world)
    assert found["place_table"] == "reachable"
    assert found["place_furnace"] == "reachable"
    assert found["make_iron_pickaxe"] == "unknown"


def test_creatures_count_where_they_are() -> None:
    area = plain("sand")
    assert verdicts(area, creatures=[])["kill_cow"] == "unreachable"
    assert verdicts(area, creatures=[("cow", 5, 5)])["kill_cow"] == "reachable"
    # Unless they are known, there may be cows wherever the generator puts them.
    on_pasture = changed(DEFAULT, "neighbour.tree", material="sand")
    assert verdicts(area, on_pasture)["kill_cow"] == "unknown"


def test_zombies_need_fields_of_grass() -> None:
    few = put(plain("sand"), "grass", *((x, 5) for x in range(12)))
    assert verdicts(few, creatures=[])["kill_zombie"] == "unreachable"
    first = prove(DEFAULT, area=few, creatures=[("zombie", 20, 20)])
    verdict = first.achievements["kill_zombie"]
    assert verdict.certainty == "finite_chance"
    assert "daylight" in (verdict.reason or "")
    assert prove(DEFAULT, area=plain()).achievements["kill_zombie"].certainty == "almost_sure"


def sparse_iron() -> Area:
    """Ten cells of iron, and plenty of all that is needed to mine them in task_dep."""
    area = plain()
    area[40:60, 40:60] = CODE["stone"]
    area[5:8, 5:8] = CODE["tree"]
    area[12:22, 12] = CODE["coal"]
    put(area, "diamond", *((40, y) for y in range(40, 50)))
    return put(area, "iron", *((20 + 2 * i, 20) for i in range(10)))


def test_the_chance_of_a_map_is_told() -> None:
    world, area = load_world("task_dep"), sparse_iron()
    verdict = prove(world, area=area).achievements["collect_sapling"]
    assert verdict.certainty == "finite_chance"
    assert verdict.probability is not None
    assert verdict.probability.low == pytest.approx(1 - 0.9**10)
    assert verdict.probability.high == pytest.approx(1 - 0.9**10)
    assert "10 cells within reach, 10 on the map" in verdict.probability.method
    area[20:50, 20:30] = CODE["iron"]
    rich = prove(world, area=area).achievements["collect_sapling"]
    assert (rich.certainty, rich.probability) == ("almost_sure", None)


def test_luck_is_not_counted_on_to_reach_what_it_is_tried_on() -> None:
    # Trees give wood by a small chance; all but two of them stand behind a lake to be bridged with
    # what only wood gives.
    once = {"wood": {"amount": 1, "probability": 0.1}}
    world = changed(DEFAULT, "collect.tree", yields=once)
    world = changed(world, "place.stone", uses={"wood": 1})
    world = changed(world, "collect.stone", requires={}, yields={"wood": 1})
    area = put(island((31, 31), (33, 31)), "tree", *((5, y) for y in range(64)))
    verdict = prove(world, area=area, creatures=[]).achievements["collect_wood"]
    assert verdict.probability is not None
    assert verdict.probability.low == pytest.approx(1 - 0.9**2)


def test_a_deadly_drink_can_be_tried_once() -> None:
    world = changed(DEFAULT, "drink.water", health=-9)
    world = changed(world, "collect.water", yields={"coal": {"amount": 1, "probability": 0.25}})
    world = changed(world, "collect.coal", collectable=False)
    area = plain()
    area[40:50, 40:50] = CODE["water"]
    verdict = prove(world, area=area, creatures=[]).achievements["collect_coal"]
    assert verdict.certainty == "finite_chance"
    assert verdict.probability is not None
    assert verdict.probability.low == pytest.approx(0.25)


def test_luck_that_may_not_be_needed_has_no_upper_bound() -> None:
    # Sand gives saplings for sure, but lies behind lava.
    world = changed(load_world("task_dep"), "place.stone", where=("water",))
    world = changed(world, "collect.sand", collectable=True, yields={"sapling": 1})
    area = sparse_iron()
    area[1, :] = CODE["lava"]
    area[0, :] = CODE["sand"]
    found = prove(world, area=area, creatures=[]).achievements["collect_sapling"]
    assert found.probability is not None
    assert found.probability.low == pytest.approx(1 - 0.9**10)
    assert found.probability.high == 1
    assert found.probability.method.endswith("10 cells within reach")


@pytest.mark.parametrize("shape", [(64, 63), (9, 7), (63, 64)])
def test_maps_of_another_size_are_refused(shape: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="64 by 64"):
        prove(DEFAULT, area=np.full(shape, 2, np.uint8))


@pytest.mark.parametrize("code", [13, 255])
def test_maps_of_other_codes_are_refused(code: int) -> None:
    area = plain()
    area[3, 3] = code
    with pytest.raises(ValueError, match="material codes"):
        prove(DEFAULT, area=area)


def test_the_player_starts_on_a_cell() -> None:
    area = plain()
    area[32, 32] = 0
    with pytest.raises(ValueError, match="no cell where the player starts"):
        prove(DEFAULT, area=area)


@pytest.mark.slow
@pytest.mark.parametrize("name", NINE)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_everything_is_reachable_on_generated_maps(name: str, seed: int) -> None:
    world = load_world(name)
    generated = generate_map(world, seed)
    found = verdicts(generated.materials, world, list(generated.creatures))
    absent = {"collect_diamond"} if CODE["diamond"] not in generated.materials else set()
    assert {a for a, verdict in found.items() if verdict != "reachable"} <= absent


def judged(reachability: ReachabilityModel) -> dict[str, set[str]]:
    levels = ("sure", "almost_sure", "finite_chance", OPTIMISTIC)
    return {level: reachability.at(level, "unlock") for level in levels}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_brackets_hold_on_generated_maps(seed: int) -> None:
    world = mutant(seed)
    generated = generate_map(world, seed)
    creatures = list(generated.creatures)
    free = judged(ReachabilityModel(world))
    given = judged(ReachabilityModel(world, map_facts(generated.materials, creatures)))
    unpeopled = judged(ReachabilityModel(world, map_facts(generated.materials)))
    # What is impossible on every map is impossible on this one.
    assert given[OPTIMISTIC] <= free[OPTIMISTIC]
    assert given[OPTIMISTIC] <= unpeopled[OPTIMISTIC]
    # What is reachable on ordinary maps is possible on this one, if there are creatures for it.
    kinds = {kind for kind, _, _ in creatures}
    lacking = {f"kill_{kind}" for kind in names.CREATURES if kind not in kinds}
    assert free["finite_chance"] - lacking <= given[OPTIMISTIC]
    for found in (free, given, unpeopled):
        assert found["sure"] <= found["almost_sure"] <= found["finite_chance"]
        assert found["finite_chance"] <= found[OPTIMISTIC]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 112))
def test_telling_patches_as_one_loses_nothing(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    world = mutant(seed)
    generated = generate_map(world, seed)
    creatures = list(generated.creatures)
    simple = map_facts(generated.materials, creatures)
    monkeypatch.setattr(regions, "simplified", lambda found: found)
    full = map_facts(generated.materials, creatures)
    assert len(simple) < len(full)
    assert judged(ReachabilityModel(world, simple)) == judged(ReachabilityModel(world, full))


def demands(world: World, dice_seed: int) -> list[World]:
    """The world with one demand less, in several ways."""
    rules = [rule for rule in world.rules() if getattr(rule, "requires", None)]
    rules += [rule for rule in world.rules() if getattr(rule, "uses", None)]
    rule = rules[dice_seed % len(rules)]
    name = "requires" if rule.family == "collect" else "uses"
    fewer = dict(getattr(rule, name))
    fewer.pop(next(iter(fewer)))
    return [changed(world, rule.id, **{name: fewer})]


@pytest.mark.parametrize("seed", range(25))
def test_dropping_a_demand_never_loses_anything(seed: int) -> None:
    world = mutant(seed)
    before = judged(ReachabilityModel(world))
    for easier in demands(world, seed):
        after = judged(ReachabilityModel(easier))
        assert all(before[level] <= after[level] for level in before)


def sandbank() -> tuple[World, Area]:
    """Three cells of sand in a row, which give something once; of these, one can be taken.

    To face the end of the row takes a run-up over both others; and what was sand is water then.
    """
    sand = {"collectable": True, "requires": {}, "leaves": "water"}
    lucky = {"sapling": {"amount": 1, "probability": 0.1}}
    world = changed(DEFAULT, "collect.sand", yields=lucky, **sand)
    return world, put(plain("water"), "sand", (31, 32), (32, 32), (33, 32))


def test_luck_is_tried_on_cells_that_can_be_faced() -> None:
    world, area = sandbank()
    verdict = prove(world, area=area, creatures=[]).achievements["collect_sapling"]
    assert verdict.certainty == "finite_chance" and verdict.probability is not None
    assert verdict.probability.low == pytest.approx(0.1)
    assert "1 cells within reach, 3 on the map" in verdict.probability.method


def test_upkeep_draws_on_cells_that_can_be_faced() -> None:
    world, area = sandbank()
    reachability = ReachabilityModel(world, map_facts(area, []))
    assert ("finite_chance", "sand", "1") in derived(reachability, "within_reach")["within_reach"]


def test_a_task_counts_cells_that_can_be_faced() -> None:
    world, area = sandbank()
    world = changed(world, "place.plant", uses={"sapling": 2})
    task = planning_task(world, ["collect_sapling"], area=area, creatures=[])
    assert task.start.amounts["cells", "sand-cell"] == 1


def test_what_lies_beside_a_first_cell_in_water_is_out_of_reach_from_then_on() -> None:
    area = plain("water")
    area[33:40, 30:33] = CODE["sand"]
    area[40:46, 30:33] = CODE["tree"]
    put(area, "stone", (31, 32))
    found = verdicts(area, creatures=[])
    assert found["make_wood_pickaxe"] == "reachable"
    assert found["collect_stone"] == "unknown"  # the pickaxe is made when the start is left
    bare_hands = changed(DEFAULT, "collect.stone", requires={})
    assert verdicts(area, bare_hands, [])["collect_stone"] == "reachable"
    assert verdicts(area, bare_hands, [])["make_stone_pickaxe"] == "reachable"
    ashore = put(area.copy(), "stone", (36, 33))
    assert verdicts(ashore, creatures=[])["collect_stone"] == "reachable"
