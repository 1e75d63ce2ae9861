"""Proofs about added creatures, hunting, and worlds with added needs."""

from __future__ import annotations

import pytest

from mars_logic import load_world
from mars_logic.logic import explain, prove
from mars_logic.world.load import parse_theory
from tests.paths import REPOSITORY

TEXT = """\
name: paddock
base: default
goals: [collect_pelt, kill_wolf, kill_orc, kill_deer, make_coat]
map:
  drawn: |
    ############
    #..TTT...W.#
    #.@........#
    #..D~...O..#
    #.....t....#
    ############
  legend:
    W: {material: grass, creature: wolf}
    O: {material: grass, creature: orc}
    D: {material: grass, creature: deer}
adds:
  items: [pelt, spear, coat]
  creatures:
    wolf: {ground: [grass], comes: {ground: grass, day: 1, night: 2}}
    orc: {looks: person}
    deer: {}
creature:
  wolf: {approaches: true, attacks: true, attack_health_factor: -1}
  orc: {walks: true}
behaviour: {deer: {cases: [{act: flee, within: 3}, {act: wander}]}}
hunt: {wolf: {yields: {pelt: 1}, requires: {spear: 1}}}
make: {spear: {uses: {wood: 2}, nearby: [table]}, coat: {uses: {pelt: 2}, nearby: [table]}}
"""


def verdicts(text):
    proof = prove(parse_theory(text, "paddock.yaml"))
    return {name: each.verdict for name, each in proof.achievements.items()}, proof


def test_loot_and_what_is_made_of_it_are_proved():
    found, proof = verdicts(TEXT.replace("night: 2}", "night: 2, enough: 6}"))
    assert found == {
        "collect_pelt": "reachable",
        "kill_wolf": "reachable",
        "kill_orc": "reachable",
        "kill_deer": "unknown",  # it flees, so that nobody is sure to catch it
        "make_coat": "reachable",
    }
    assert sum(step.times for step in proof.achievements["make_coat"].witness) == 6


@pytest.mark.parametrize(
    ("before", "after", "gone"),
    [
        ("{wood: 2}, nearby: [table]}", "{diamond: 1}, nearby: [table]}", "kill_wolf"),
        ("yields: {pelt: 1}, ", "", "make_coat"),
    ],
)
def test_without_the_tool_or_the_loot_there_is_none(before, after, gone):
    found, _ = verdicts(TEXT.replace(before, after, 1))
    assert found[gone] == "unreachable"
    world = parse_theory(TEXT.replace(before, after, 1), "paddock.yaml")
    assert "is ever obtained" in explain(world, gone).chain[0]


def test_a_fierce_creature_is_no_sure_prey():
    found, _ = verdicts(TEXT.replace("attack_health_factor: -1", "attack_health_factor: -4"))
    assert found["kill_wolf"] == "unknown"


def test_one_flees_only_by_chance_and_is_caught():
    found, _ = verdicts(TEXT.replace("{act: flee, within: 3}", "{act: flee, chance: 0.9}"))
    assert found["kill_deer"] == "reachable"


def test_creatures_come_during_play_where_there_is_room():
    text = TEXT.replace("T...W.#", "T.....#").replace("night: 2}", "night: 2, enough: 6}")
    assert verdicts(text)[0]["kill_wolf"] == "reachable"


def test_nobody_meets_creatures_that_never_come():
    text = TEXT.replace("#..D~...O..#", "#...~......#").replace("night: 2}", "night: 2, chance: 0}")
    found, _ = verdicts(text.replace("T...W.#", "T.....#"))
    assert (found["kill_orc"], found["kill_wolf"]) == ("unreachable", "unreachable")


def test_winter_is_proved_but_for_living_on():
    proof = prove(load_world(REPOSITORY / "worlds" / "gallery" / "winter.yaml"))
    found = {name: each.verdict for name, each in proof.achievements.items()}
    assert found.pop("survive_500") == "unknown"
    assert set(found.values()) == {"reachable"}
    assert proof.upkeep.verdict == "unknown"


def test_grazing_leaves_proofs_undecided():
    text = TEXT.replace("{act: wander}]}}", "{act: graze}], grazes: {tree: sand}}}")
    found, proof = verdicts(text)
    assert set(found.values()) == {"unknown"}
    assert "take no account of the rule behaviour.deer" in str(
        proof.achievements["kill_orc"].reason
    )


@pytest.mark.parametrize(
    "change",
    [
        ("yields: {pelt: 1}", "yields: {pelt: 1}, touch: -5"),
        ("{ground: [grass], c", "{health: 24, c"),
    ],
)
def test_what_hurts_by_touch_or_lives_long_is_no_sure_prey(change):
    assert change[0] in TEXT
    found, _ = verdicts(TEXT.replace(*change, 1))
    assert found["kill_wolf"] == "unknown"


def test_craftax_light_is_proved_with_shots_and_potions():
    proof = prove(load_world(REPOSITORY / "worlds" / "gallery" / "craftax_light.yaml"))
    assert {each.verdict for each in proof.achievements.values()} == {"reachable"}
    shot = proof.achievements["shoot_arrow"].witness
    assert [step.times for step in shot if step.rule == "shoot.arrow"] == [1]


FLEEING = """\
name: fleeing
base: default
goals: [kill_deer, shoot_arrow]
map:
  drawn: |
    ########
    #@...D.#
    ########
  legend: {"#": bedrock, D: {material: grass, creature: deer}}
adds:
  materials: [bedrock]
  items: [shaft]
  creatures: {deer: {health: 3}}
behaviour: {deer: {cases: [{act: flee}]}}
collect: {grass: {requires: {}, yields: {shaft: 1}, leaves: grass}}
projectile: {arrow: {damage: 3, breaks: {}}}
shoot: {arrow: {uses: {shaft: 1}}}
"""


def test_one_hit_kills_what_always_flees():
    verdicts = {}
    for change in ("", "damage: 2", "uses: {wood: 1}"):
        text = FLEEING
        if change.startswith("damage"):
            text = text.replace("damage: 3", change)
        elif change:
            text = text.replace("uses: {shaft: 1}", change)
        proof = prove(parse_theory(text, "fleeing.yaml").to_world())
        verdicts[change] = [each.verdict for each in proof.achievements.values()]
    assert verdicts == {
        "": ["reachable", "reachable"],
        "damage: 2": ["unknown", "reachable"],
        "uses: {wood: 1}": ["unknown", "unreachable"],
    }


NEST = """\
name: nest
base: default
goals: [make_coat]
map:
  drawn: |
    ########
    #@..TT.#
    #..D...#
    ########
  legend: {"#": bedrock, D: {material: grass, creature: deer}}
adds:
  materials: [bedrock]
  items: [pelt, coat]
  creatures: {deer: {health: 1}}
creature: {deer: {walks: true}}
hunt: {deer: {yields: {pelt: 1}}}
make: {coat: {uses: {pelt: 3}, nearby: []}}
collect: {tree: {spawns: {deer: 1.0}}}
"""


def _coat(text: str):
    return prove(parse_theory(text, "nest.yaml").to_world()).achievements["make_coat"]


def test_each_creature_is_killed_once():
    """One is there at first, and one comes out of each tree."""
    made = [step.rule for step in _coat(NEST).witness for _ in range(step.times)]
    assert sorted(made) == ["collect.tree"] * 2 + ["creature.deer"] * 3 + ["make.coat"]


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        ("{deer: 1.0}", "{}", "unknown"),
        ("{deer: 1.0}", "{deer: 0.5}", "reachable"),  # trees stay
        ("#..D...#", "#.DD.D.#", "reachable"),
    ],
)
def test_only_creatures_that_there_are_count(before: str, after: str, verdict: str) -> None:
    found = _coat(NEST.replace(before, after, 1))
    assert found.verdict == verdict
    if "DD" in after:
        assert [step.rule for step in found.witness] == ["creature.deer", "make.coat"]


def test_what_comes_out_of_a_nest_is_killed_after_it_came() -> None:
    """The tool for the nest takes the loot of what came out of it before."""
    text = NEST.replace("#..D...#", "#......#").replace(
        "items: [pelt, coat]", "items: [pelt, coat, axe]"
    )
    text = text.replace("{coat:", "{axe: {uses: {pelt: 1}, nearby: []}, coat:")
    text = text.replace(
        "tree: {",
        "coal: {requires: {axe: 1}, leaves: coal, spawns: {deer: 1.0}}, tree: {leaves: grass, ",
    )
    text = text.replace("#@..TT.#", "#@..T.C#").replace("bedrock, D", "bedrock, C: coal, D")
    found = _coat(text)
    assert found.verdict == "reachable"
    there = 0
    for step in found.witness:
        there += {"collect": step.times, "creature": -step.times}.get(
            step.rule.partition(".")[0], 0
        )
        assert there >= 0
