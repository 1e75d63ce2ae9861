"""Proofs of worlds that add materials and items."""

from __future__ import annotations

import numpy as np
import pytest

from mars_logic import World
from mars_logic.logic import Proof, explain, facts, prove
from mars_logic.logic.choices import theory_facts
from mars_logic.logic.reachability_model import OPTIMISTIC, ReachabilityModel
from mars_logic.logic.regions import map_facts
from mars_logic.world.theory import Theory
from tests.logic.checker import Player, Refused, check
from tests.logic.derived import derived
from tests.logic.own_worlds import COPPER, FOUND, SCATTERED, own, renamed

OWN = FOUND.achievements[22:]


@pytest.fixture(scope="module")
def found() -> Proof:
    return prove(FOUND)


def area(**cells: list[tuple[int, int]]) -> np.ndarray:
    """A meadow with trees, stone and, where stated, other materials."""
    codes = FOUND.vocabulary.materials
    cells = {"tree": [(30, y) for y in range(28, 36)], "water": [(36, 30)]} | cells
    cells = {"stone": [(34, y) for y in range(20, 40)]} | cells
    map_ = np.full((64, 64), codes.index("grass"), np.uint8)
    for material, some in cells.items():
        for cell in some:
            map_[cell] = codes.index(material)
    return map_


def test_facts_tell_of_added_names_in_the_terms_of_all_others() -> None:
    told = set(facts(COPPER).splitlines())
    assert {
        *("dynamics(mars).", "added(copper).", "added(kiln).", "rule(walk(copper))."),
        *("requires(collect(copper), stone_pickaxe, 1).", "puts(kiln, kiln)."),
        *("nearby(copper_pickaxe, kiln).", "uses(eat(pie), pie, 1).", "grants(eat(pie), food, 6)."),
        *("achievement(eat_pie, apply(eat(pie))).", "means(eat_pie, eat(pie))."),
        *("achievement(collect_copper, gain(copper)).", "means(place_kiln, place(kiln))."),
    } <= told


def test_everything_is_reachable_where_a_rule_brings_copper_about(found: Proof) -> None:
    assert found.all_reachable
    fewest = {name: found.achievements[name].interactions for name in OWN}
    assert fewest == {
        "collect_copper": 10,
        "place_kiln": 8,
        "make_brick": 10,
        "make_copper_pickaxe": 15,
        "make_pie": 10,
        "eat_pie": 11,
    }


@pytest.mark.parametrize("achievement", OWN)
def test_a_witness_is_carried_out_by_someone_who_knows_the_rules_alone(
    found: Proof, achievement: str
) -> None:
    check(FOUND, achievement, found.achievements[achievement].witness)


def test_everything_is_reachable_where_copper_is_scattered() -> None:
    proof = prove(SCATTERED)
    assert proof.all_reachable
    for achievement in OWN:
        check(SCATTERED, achievement, proof.achievements[achievement].witness)


def test_what_is_nowhere_is_unreachable_and_named() -> None:
    proof = prove(COPPER)
    lost = [name for name, verdict in proof.achievements.items() if verdict.verdict != "reachable"]
    assert lost == ["collect_copper", "make_copper_pickaxe"]
    for name in lost:
        verdict = proof.achievements[name]
        assert verdict.verdict == "unreachable" and verdict.explanation == ("collect.copper",)
        assert verdict.words[0].endswith(
            "but no map has any copper, and no rule places or leaves any."
        )


def test_a_chain_of_causes_ends_at_what_is_nowhere() -> None:
    told = explain(COPPER, "collect_copper")
    assert told is not None and told.rules == (("collect.copper",),)
    assert told.contrast == () and "no map has any copper" in told.chain[-1]
    made = explain(COPPER, "make_copper_pickaxe")
    assert made is not None and ("collect.copper",) in made.rules
    assert "no copper is ever obtained" in made.chain[0]
    assert made.chain[1] == told.chain[-1]
    assert "let making a copper pickaxe use no copper" in [
        repair.words for repair in made.repairs if repair
    ]


def test_a_station_that_nothing_places_is_named() -> None:
    world = own(
        "base: default\nadds: {materials: [kiln], items: [brick]}\n"
        "make: {brick: {uses: {stone: 1}, nearby: [kiln]}}\n"
    )
    verdict = prove(world).achievements["make_brick"]
    assert verdict.verdict == "unreachable" and "kiln" in verdict.words[0]


def test_cells_of_added_materials_count_on_a_map() -> None:
    without = prove(COPPER, area=area()).achievements["collect_copper"]
    assert without.verdict == "unreachable"
    assert without.words[0].endswith(
        "but this map has no copper, and no rule places or leaves any."
    )
    two = area(copper=[(33, 25), (33, 27)])
    proof = prove(COPPER, area=two)
    assert proof.achievements["make_copper_pickaxe"].verdict == "reachable"
    dear = COPPER.with_rules(
        COPPER.make["copper_pickaxe"].with_fields({"uses": {"copper": 3}}, COPPER.vocabulary)
    )
    short = prove(dear, area=two).achievements["make_copper_pickaxe"]
    assert short.verdict == "unreachable"
    assert "3 cells of copper, which are used up, and only 2 are within reach" in short.words[0]


def test_what_is_eaten_keeps_the_player_alive() -> None:
    hungry = FOUND.with_rules(
        *(
            rule.with_fields({"eaten_food_factor": 0}, FOUND.vocabulary)
            for rule in FOUND.creature.values()
        )
    )
    lives = prove(hungry).upkeep
    assert lives.verdict == "sustainable" and lives.times["eat.pie"] >= 6
    assert lives.brought["eat.pie"] == {"food": 6.0 * lives.times["eat.pie"]}
    bitter = hungry.with_rules(hungry.eat["pie"].with_fields({"food": -1}, hungry.vocabulary))
    assert prove(bitter).upkeep.lacking == ("food",)


def verdicts(proof: Proof) -> list[tuple[object, ...]]:
    return [
        (found.verdict, found.certainty, found.interactions, found.explanation)
        for found in proof.achievements.values()
    ]


@pytest.mark.parametrize(
    "names",
    [
        {"copper": "zinc", "kiln": "altar", "brick": "a", "pie": "start"},
        {"copper": "open", "kiln": "sure", "brick": "wanted", "pie": "bare"},
        {"copper": "collect", "kiln": "level", "brick": "place", "pie": "rule"},
    ],
)
def test_names_have_no_meaning(found: Proof, names: dict[str, str]) -> None:
    assert verdicts(prove(renamed(**names))) == verdicts(found)


def test_names_that_logic_programs_need_are_refused() -> None:
    with pytest.raises(Exception, match="'not' is a name already"):
        own("base: default\nadds: {materials: ['not']}\n")
    with pytest.raises(Exception, match="'plain' is a name already"):
        own("base: default\nadds: {items: [plain]}\n")


def test_open_fields_of_added_rules_are_choices() -> None:
    text = theory_facts(Theory.unknown("mars", FOUND.adds))
    assert "uses(make(brick), copper, 1) :- holds(make(brick), uses, " in text
    assert "nearby(brick, kiln) :- holds(make(brick), nearby, " in text


def test_maps_may_hold_the_most_materials_that_there_can_be() -> None:
    many = [f"m{number}" for number in range(51)]
    text = f"base: default\nadds: {{materials: {many}, items: [last]}}\n"
    world = own(text + "collect: {m50: {yields: {last: 1}, leaves: path}}\n")
    codes = np.full((64, 64), world.vocabulary.materials.index("grass"), np.uint8)
    for place in range(51):
        codes[40 + place % 8, 30 + place // 8] = 13 + place
    on_map = ReachabilityModel(world, map_facts(codes, None, world.vocabulary.materials))
    seen = {material for _, material in derived(on_map, "seen")["seen"]}
    assert {"m0", "m50", "grass"} <= seen
    assert "collect_last" in on_map.at(OPTIMISTIC, "unlock")


def test_the_checker_refuses_what_is_not_there(found: Proof) -> None:
    with pytest.raises(Refused, match="1 of pie are needed"):
        Player(FOUND).carry_out(found.achievements["eat_pie"].witness[-1:])


def test_a_world_may_stand_on_one_that_adds_names() -> None:
    more: World = FOUND.with_rules(
        FOUND.collect["copper"].with_fields({"requires": {"iron_pickaxe": 1}}, FOUND.vocabulary)
    )
    told = prove(more).achievements["collect_copper"]
    assert told.verdict == "reachable" and told.interactions == 18
