"""Proofs of worlds, without a map."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings

from mars_logic import World, load_world
from mars_logic.logic import Proof, prove
from mars_logic.logic.reachability_model import ReachabilityModel
from tests.logic.checker import check
from tests.logic.mutants import EIGHT, NINE, PAPER, changed, mutant, mutants

ALL = NINE + PAPER


@cache
def proof(name: str) -> Proof:
    return prove(load_world(name))


def lost(proof: Proof) -> set[str]:
    return {name for name, v in proof.achievements.items() if v.verdict != "reachable"}


def at(proof: Proof, certainty: str) -> set[str]:
    return {name for name, v in proof.achievements.items() if v.certainty == certainty}


@pytest.mark.parametrize("name", ALL)
def test_everything_is_reachable_in_the_bundled_worlds(name: str) -> None:
    assert proof(name).all_reachable
    assert tuple(proof(name).achievements) == load_world(name).achievements


@pytest.mark.parametrize("name", ALL)
def test_witnesses_can_be_carried_out(name: str) -> None:
    for achievement, verdict in proof(name).achievements.items():
        check(load_world(name), achievement, verdict.witness)


def test_diamonds_that_yield_coal_lose_exactly_the_diamond() -> None:
    found = prove(changed(load_world("default"), "collect.diamond", yields={"coal": 1}))
    assert lost(found) == {"collect_diamond"}
    verdict = found.achievements["collect_diamond"]
    assert verdict.verdict == "unreachable"
    assert verdict.explanation == ("collect.diamond",)
    (words,) = verdict.words
    assert words.startswith("collect.diamond: Collecting from diamond needs an iron pickaxe")
    assert words.endswith("so no diamond is ever obtained.")


def test_trees_that_yield_stone_lose_nothing_in_all_three() -> None:
    world = changed(load_world("all_three"), "collect.tree", yields={"stone": 1})
    assert prove(world).all_reachable


@pytest.mark.parametrize(
    ("name", "doubtful"),
    [
        ("crafter", set()),
        ("default", set()),
        ("terrain", {"kill_zombie"}),
        ("survival", set()),
        ("task_dep", {"collect_sapling", "place_plant", "eat_plant"}),
        ("terr_surv", {"kill_zombie"}),
        ("terr_task", {"kill_zombie"}),
        ("surv_task", set()),
        ("all_three", set()),
    ],
)
def test_what_is_a_finite_chance(name: str, doubtful: set[str]) -> None:
    assert at(proof(name), "finite_chance") == doubtful
    assert all(proof(name).achievements[a].reason for a in doubtful)


def test_what_ripe_plants_do_besides_is_told() -> None:
    told = {name: proof(name).achievements["eat_plant"].reason or "" for name in EIGHT}
    assert "although listed as inedible, which changes nothing" in told["terr_surv"]
    assert "it wanders about" in told["survival"]
    assert "shoots arrows" in told["surv_task"] and "attacks" in told["all_three"]
    assert told["default"] == told["terrain"] == ""


def test_certainty_in_default() -> None:
    chancy = {
        "collect_sapling",
        "place_plant",
        "eat_plant",
        "kill_cow",
        "kill_zombie",
        "kill_skeleton",
    }
    assert at(proof("default"), "almost_sure") == chancy
    assert len(at(proof("default"), "sure")) == 22 - len(chancy)


@pytest.mark.parametrize("name", NINE)
def test_witnesses_in_the_released_worlds_are_proved_fewest(name: str) -> None:
    assert all(verdict.fewest for verdict in proof(name).achievements.values())


@pytest.mark.parametrize(("name", "fewest"), [("default", 37), ("task_dep", 36), ("terr_task", 39)])
def test_the_fewest_interactions_to_everything_together(name: str, fewest: int) -> None:
    reachability = ReachabilityModel(load_world(name))
    found = reachability.fewest_for_all(reachability.world.achievements, "finite_chance")
    assert found is not None and sum(found.values()) == fewest


def test_witnesses_are_short() -> None:
    found = proof("default").achievements
    assert found["collect_diamond"].interactions == 18
    assert found["make_wood_pickaxe"].interactions == 5
    assert [(s.rule, s.times) for s in found["make_wood_pickaxe"].witness] == [
        ("collect.tree", 3),
        ("place.table", 1),
        ("make.wood_pickaxe", 1),
    ]
    assert [(s.rule, s.times, s.gain) for s in found["eat_plant"].witness] == [
        ("collect.grass", 1, "sapling"),
        ("place.plant", 1, None),
        ("creature.plant", 1, None),
    ]


def test_held_items_that_are_used_up_as_well_are_brought_twice() -> None:
    world = changed(load_world("terrain"), "collect.diamond", requires={"wood": 6})
    verdict = prove(world).achievements["collect_diamond"]
    check(world, "collect_diamond", verdict.witness)
    assert {s.rule: s.times for s in verdict.witness}["collect.tree"] == 9
    assert verdict.at_least == 11 and not verdict.fewest, "it is 13 that an order is found for"


def test_the_cap_is_kept() -> None:
    uses = {"wood": 8, "wood_pickaxe": 9, "wood_sword": 9}
    world = changed(load_world("default"), "make.iron_pickaxe", uses=uses)
    verdict = prove(world).achievements["make_iron_pickaxe"]
    assert verdict.interactions > 40
    assert (verdict.at_least, verdict.fewest) == (40, False), "longer plans may be lost to limits"
    check(world, "make_iron_pickaxe", verdict.witness)


def test_an_order_is_found_where_an_item_must_be_held_before_it_is_spent() -> None:
    verdicts = proof("surv_task").achievements
    steps = [step.rule for step in verdicts["collect_drink"].witness]
    assert steps == ["collect.sand", "collect.water"]


def test_what_is_needed_to_make_a_tool_must_be_different_from_it() -> None:
    world = changed(load_world("default"), "make.wood_sword", uses={"wood_sword": 1})
    assert lost(prove(world)) == {"make_wood_sword"}


def test_json() -> None:
    text = json.dumps(proof("task_dep").to_json())
    data = json.loads(text)
    assert list(data) == [
        "world",
        "digest",
        "map_seed",
        "achievements",
        "upkeep",
        "rules",
        "scarce",
    ]
    assert (data["world"], data["map_seed"]) == ("task_dep", None)
    assert data["digest"] == load_world("task_dep").digest
    assert len(data["achievements"]) == 22
    keys = [
        "verdict",
        "reason",
        "certainty",
        "probability",
        "estimate",
        "witness",
        "interactions",
        "at_least",
        "fewest",
        "explanation",
        "words",
    ]
    for verdict in data["achievements"].values():
        assert list(verdict) == keys
        assert verdict["interactions"] == sum(step["times"] for step in verdict["witness"])
    sapling = data["achievements"]["collect_sapling"]
    assert list(sapling["probability"]) == ["low", "high", "method"]
    assert data["achievements"]["wake_up"]["witness"] == [
        {"rule": "sleep", "times": 1, "gain": None}
    ]
    assert data["achievements"]["wake_up"]["at_least"] == 1


@pytest.mark.slow
def test_what_is_scarce_on_maps_is_told() -> None:
    users = {source.material: source for source in proof("terr_surv").scarce}
    assert set(users) == {"iron", "grass"}
    assert set(users["grass"].achievements) == {
        *("collect_sapling", "place_plant", "eat_plant", "kill_zombie")
    }
    assert (users["grass"].low, users["grass"].high) == (9, 66)
    # Where ordinary maps hold more of it, or nothing needs it, it is not told.
    world = load_world("terr_surv")
    common = prove(changed(world, "neighbour.tree", material="grass"))
    assert "grass" not in {source.material for source in common.scarce}
    unneeded = prove(changed(world, "collect.tree", yields={"sapling": 1, "wood": 1}))
    (grass,) = (source for source in unneeded.scarce if source.material == "grass")
    assert grass.achievements == ("kill_zombie",)


CODE = """
import json, mars_logic
from mars_logic.logic import prove
world = mars_logic.load_world("surv_task")
rule = world["make.wood_pickaxe"]
world = world.with_rules(type(rule)(**rule.model_dump() | {"nearby": ["furnace", "tree", "sand"]}))
rule = world["collect.coal"]
world = world.with_rules(type(rule)(**rule.model_dump() | {"requires": {"iron_sword": 1}}))
print(json.dumps(prove(world).to_json()))
"""


@pytest.mark.slow
def test_results_do_not_depend_on_the_hash_seed() -> None:
    results = {
        subprocess.run(
            [sys.executable, "-c", CODE],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "31337")
    }
    assert len(results) == 1


def test_no_heavy_library_is_imported() -> None:
    code = (
        "import sys, mars_logic; from mars_logic.logic import prove;"
        "prove(mars_logic.load_world('all_three'));"
        "print([m for m in ('numba', 'numpy', 'networkx', 'mars_logic.sim') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.slow
@pytest.mark.parametrize("name", EIGHT[:3])
def test_past_the_limit_nothing_is_claimed(name: str) -> None:
    world = changed(load_world(name), "collect.tree", requires={"wood_pickaxe": 1})
    unlimited = prove(world)
    limited = prove(world, conflicts=1)
    unknown = 0
    for achievement, verdict in limited.achievements.items():
        if verdict.verdict == "unknown":
            unknown += 1
            assert verdict.reason
        else:
            assert verdict.verdict == unlimited.achievements[achievement].verdict
    assert unknown >= sum(v.verdict == "unknown" for v in unlimited.achievements.values())


def test_a_search_can_be_interrupted() -> None:
    code = """
from mars_logic.logic.solve import Session
pigeons = "1 { in(P, H) : H = 1..11 } 1 :- P = 1..12. :- in(P, H), in(Q, H), P < Q."
session = Session([], pigeons, conflicts=10**9)
print("ready", flush=True)
session.solve(["in"], [])
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert "KeyboardInterrupt" in errors


def test_a_proof_does_not_take_long() -> None:
    world = load_world("surv_task")
    started = time.process_time()
    prove(world)
    assert time.process_time() - started < 2  # it takes 0.07 s; the machine may be busy


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_witnesses_of_mutants_can_be_carried_out(seed: int) -> None:
    _check_consistent(mutant(seed))


@pytest.mark.slow
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(mutants())
def test_proofs_of_any_world_are_consistent(world: World) -> None:
    _check_consistent(world)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20, 200))
def test_witnesses_of_many_mutants_can_be_carried_out(seed: int) -> None:
    _check_consistent(mutant(seed))


def _check_consistent(world: World) -> None:
    for achievement, verdict in prove(world).achievements.items():
        if verdict.verdict == "reachable":
            check(world, achievement, verdict.witness)
            assert verdict.at_least is not None and 0 < verdict.at_least <= verdict.interactions
            assert verdict.certainty is not None
            assert not verdict.explanation
            if verdict.probability is not None:
                assert 0 <= verdict.probability.low <= verdict.probability.high <= 1
                assert verdict.certainty == "finite_chance"
        else:
            assert verdict.certainty is None
            assert not verdict.witness
            assert len(verdict.words) == len(verdict.explanation)
            assert verdict.reason or verdict.explanation
