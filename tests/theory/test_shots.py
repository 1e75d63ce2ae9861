"""Checking and repairing rules about projectiles and shots, and play with other constants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic.agents.random import RandomAgent
from mars_logic.play.recording import record
from mars_logic.sim import Simulator
from mars_logic.theory import Evidence, check, revise
from mars_logic.theory.hits import endings
from mars_logic.theory.revise import with_values
from mars_logic.theory.shot_claims import FlightTest
from mars_logic.theory.shot_signatures import Flight, FlightCell, Shooter, Struck
from mars_logic.theory.signatures import Collecting, Harm, ShootTry
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.load import parse_theory
from mars_logic.world.theory import World
from mars_logic.world.uncertain import UNKNOWN, Alternatives
from tests.theory.own_kinds import own_kinds_world
from tests.theory.play import play
from tests.theory.shot_worlds import (
    ARCHERY,
    SLINGS,
    TO_SHAFTS,
    Archer,
    craftax,
    shot_play,
    shot_world,
)
from tests.theory.test_cells import changed
from tests.theory.test_own_kinds import gallery


@cache
def shots(text: str) -> tuple[World, Evidence]:
    world = shot_world(text)
    return world, Evidence.of(shot_play(world, range(20)))


def blamed(world: World, evidence: Evidence) -> set[tuple[str, ...]]:
    return {each.rules for each in check(world, evidence).conflicts}


@pytest.mark.parametrize("text", [ARCHERY, SLINGS])
def test_true_rules_are_never_contradicted(text: str) -> None:
    assert blamed(*shots(text)) == set()


def test_the_gallery_is_never_contradicted_by_shots_and_random_play() -> None:
    world = craftax()
    played = shot_play(world, range(1, 5), TO_SHAFTS) + play(world, range(2), RandomAgent())
    report = check(world, played)
    assert not report.conflicts
    assert {report["projectile.arrow"].verdict_on(name) for name in ("speed", "over")} == {
        "supported"
    }
    assert report["shoot.arrow"].verdict_on("uses") == "supported"


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**30))
def test_true_rules_of_any_world_are_never_contradicted_by_shots(seed: int) -> None:
    world = own_kinds_world(seed, projectiles=True)
    simulator = Simulator(world)
    played = [record(Archer(()), simulator, n, agent_name="test")[1] for n in (seed, seed + 1)]
    report = check(world, played)
    assert [(each.rules, str(each), str(each.where)) for each in report.conflicts] == []


def test_the_evidence_is_of_all_kinds_and_each_row_is_another_signature() -> None:
    evidence = shots(ARCHERY)[1]
    assert {*map(type, evidence.signatures)} >= {Flight, Shooter, Struck, ShootTry, Harm}
    assert len(evidence.signatures) == len(evidence.rows)


def test_true_rules_are_supported_field_by_field() -> None:
    report = check(*shots(ARCHERY))
    for rule, fields in (
        ("projectile.bolt", ("speed", "range", "harm", "over", "breaks")),
        ("projectile.arrow", ("speed", "range", "damage", "over", "breaks")),
        ("shoot.arrow", ("requires", "uses")),
        ("shoot.bolt", ("requires", "uses")),
    ):
        assert {report[rule].verdict_on(name) for name in fields} == {"supported"}, rule


def test_a_projectile_without_a_rule_is_never_to_blame() -> None:
    text = "\n".join(line for line in SLINGS.splitlines() if not line.startswith("  arrow: {"))
    world = shot_world(text)
    evidence = Evidence.of(shot_play(world, range(12)))
    assert blamed(world, evidence) == set()
    several = Alternatives.of([(-3, 1.0), (-4, 1.0)])
    shooters = [f"creature.{being}" for being in world.vocabulary.creatures]
    values = {(rule, "arrow_health_factor"): several for rule in shooters}
    theory = with_values(world, values, "wrong")
    found = check(theory, evidence, jointly=False).conflicts
    assert found
    assert not any("projectile.arrow" in each.rules for each in found)


WRONG = [
    (ARCHERY, "projectile.arrow", {"speed": 1}),
    (ARCHERY, "projectile.bolt", {"speed": 2}),
    (ARCHERY, "projectile.bolt", {"range": 3}),
    (ARCHERY, "projectile.bolt", {"range": 5}),
    (ARCHERY, "projectile.bolt", {"range": None}),
    (ARCHERY, "projectile.arrow", {"damage": 2}),
    (ARCHERY, "projectile.arrow", {"damage": 6}),
    (ARCHERY, "projectile.arrow", {"over": []}),
    (ARCHERY, "projectile.bolt", {"over": ["water"]}),
    (ARCHERY, "projectile.arrow", {"breaks": {"glass": "sand", "tree": "path"}}),
    (ARCHERY, "projectile.bolt", {"breaks": {"table": "path", "stone": "path"}}),
    (ARCHERY, "shoot.arrow", {"uses": {"shaft": 2}}),
    (ARCHERY, "shoot.arrow", {"uses": {}}),
    (ARCHERY, "shoot.bolt", {"requires": {"coal": 1}}),
    (SLINGS, "projectile.arrow", {"speed": 2}),
    (SLINGS, "projectile.arrow", {"range": 3}),
    (SLINGS, "projectile.arrow", {"damage": 3}),
    (SLINGS, "projectile.bolt", {"damage": 5}),
    (SLINGS, "projectile.arrow", {"over": []}),
    (SLINGS, "projectile.arrow", {"breaks": {"tree": "moss", "stone": "path"}}),
    (SLINGS, "shoot.bolt", {"uses": {"shaft": 1}}),
]


@pytest.mark.parametrize(("text", "rule", "fields"), WRONG)
def test_a_wrong_field_is_contradicted_with_a_counterexample(
    text: str, rule: str, fields: dict[str, Any]
) -> None:
    world, evidence = shots(text)
    report = check(changed(world, rule, fields), evidence)
    assert report[rule].verdict == "contradicted"
    assert all(each.where is not None for each in report.conflicts)
    assert all(rule in each.rules for each in report.conflicts)
    assert report[rule].verdict_on(next(iter(fields))) == "contradicted"


@pytest.mark.parametrize("harm", [-3, -1, 0, 1])
def test_wrong_harm_is_contradicted(harm: int) -> None:
    world, evidence = shots(ARCHERY)
    found = blamed(changed(world, "projectile.bolt", {"harm": harm}), evidence)
    assert found and all("projectile.bolt" in rules for rules in found)


@pytest.mark.parametrize(
    "cases", [[{"act": "wander"}], [{"act": "shoot"}, {"act": "wander", "chance": 0.5}]]
)
def test_a_creature_that_shot_has_a_case_for_that(cases: list[dict[str, Any]]) -> None:
    world, evidence = shots(ARCHERY)
    wrong = changed(world, "behaviour.archer", {"cases": cases})
    assert ("behaviour.archer",) in blamed(wrong, evidence)


def test_what_no_player_may_know_makes_no_difference() -> None:
    world = shot_world(ARCHERY)
    played = shot_play(world, range(4))
    public = [replace(each, privileged=None) for each in played]
    wrong = changed(world, "projectile.arrow", {"speed": 1})
    assert str(check(wrong, played)) == str(check(wrong, public))


def test_a_theory_without_the_rules_leaves_them_open() -> None:
    lines = ARCHERY.splitlines()
    less = "\n".join(lines[: lines.index("projectile:")])
    report = check(parse_theory(less, "less.yaml"), shots(ARCHERY)[1], jointly=False)
    rules = ("projectile.arrow", "shoot.arrow", "shoot.bolt")
    assert {report[rule].verdict for rule in rules} == {"untested"}


@pytest.mark.parametrize(("text", "rule", "fields"), WRONG)
def test_a_wrong_field_is_repaired_or_left_open(
    text: str, rule: str, fields: dict[str, Any]
) -> None:
    """Whatever is decided is as in the world; what is not may still be as in it."""
    world, evidence = shots(text)
    found = revise(changed(world, rule, fields), evidence)
    assert {each.id for each in found.changes} == {rule}
    assert not check(found.theory, evidence, jointly=False).conflicts
    for name in world[rule].field_names():
        true, value = getattr(world[rule], name), getattr(found.theory[rule], name)
        possible = value.values if isinstance(value, Alternatives) else (value,)
        assert true in possible or value is UNKNOWN


def test_fields_that_play_decides_are_repaired() -> None:
    world, evidence = shots(ARCHERY)
    for rule, fields in (
        ("projectile.arrow", {"speed": 1}),
        ("projectile.bolt", {"range": None}),
        ("projectile.bolt", {"over": ["water"]}),
        ("projectile.bolt", {"breaks": {"table": "path", "stone": "path"}}),
        ("shoot.arrow", {"uses": {"shaft": 2}}),
    ):
        found = revise(changed(world, rule, fields), evidence)
        assert found.theory[rule] == world[rule], rule
        assert found.changes[0].because


def test_two_wrong_fields_of_a_rule_are_repaired() -> None:
    world, evidence = shots(ARCHERY)
    wrong = changed(world, "projectile.bolt", {"range": 9, "over": ["water"]})
    assert revise(wrong, evidence).theory["projectile.bolt"] == world["projectile.bolt"]


def test_a_number_that_nothing_bounds_is_left_open() -> None:
    world, evidence = shots(SLINGS)
    found = revise(changed(world, "projectile.arrow", {"range": 2}), evidence)
    assert found.theory["projectile.arrow"].range is UNKNOWN


def test_true_rules_are_left_alone() -> None:
    world, evidence = shots(ARCHERY)
    assert not revise(world, evidence).changes


PATH, WALL = FlightCell("path", "path", False), FlightCell("stone", "stone", False)
BROKEN, WATER = FlightCell("glass", "moss", False), FlightCell("water", "water", False)
PLAYER = FlightCell("none", "", True)


@pytest.mark.parametrize(
    ("flown", "way", "went", "fields", "fits"),
    [
        ((0, 0), (PATH, PATH), 2, {}, True),
        ((0, 0), (PATH, PATH), 1, {}, False),
        ((0, 0), (PATH, None), 1, {"speed": 1}, True),
        ((0, 0), (PATH, PATH), 0, {}, False),
        ((4, 4), (PATH, PATH), 0, {}, True),
        ((0, 4), (PATH, PATH), 0, {}, True),
        ((5, 9), (PATH, None), 1, {"speed": 1}, False),
        ((3, 3), (PATH, PATH), 0, {}, True),
        ((2, 2), (PATH, PATH), 0, {}, False),
        ((0, 0), (WALL, None), 0, {}, True),
        ((0, 0), (WALL, None), 0, {"breaks": {"stone": "path"}}, False),
        ((0, 0), (BROKEN, None), 0, {}, True),
        ((0, 0), (BROKEN, None), 0, {"breaks": {}}, False),
        ((0, 0), (WATER, PATH), 2, {}, True),
        ((0, 0), (WATER, PATH), 2, {"over": ()}, False),
        ((0, 0), (BROKEN, None), 0, {"over": ("glass",)}, False),
        ((0, 0), (PATH, PLAYER), 0, {}, True),
        ((0, 0), (PATH, PLAYER), 0, {"speed": 1}, False),
        ((0, 0), (PATH, None), 0, {}, True),
    ],
)
def test_where_a_projectile_may_be(
    flown: tuple[int, int],
    way: tuple[FlightCell | None, ...],
    went: int,
    fields: Mapping[str, Any],
    fits: bool,
) -> None:
    """It flies two cells a step, five at most, over water, and turns glass into moss."""
    rule = {"speed": 2, "range": 5, "over": ("water",), "breaks": {"glass": "moss"}, **fields}
    test = FlightTest(Flight("arrow", flown, way, went))
    values = [*rule.values(), *(name[0] == "walk.path" for name in test.ground)]
    assert test(*values) is fits


@given(
    st.integers(0, MAXIMUM),
    st.lists(st.integers(-3, 3), max_size=2),
    st.lists(st.integers(-3, 3), max_size=2),
)
def test_sure_hits_happen_exactly_once_in_any_order(
    start: int, maybe: list[int], sure: list[int]
) -> None:
    expected = set()
    for count in range(len(maybe) + 1):
        for some in combinations(maybe, count):
            for order in permutations([*some, *sure]):
                health = start
                for points in order:
                    health = max(0, health + points)
                expected.add(min(MAXIMUM, health))
    found = endings([start], [(points,) for points in maybe], [(points,) for points in sure])
    assert found == expected


CONSTANTS = """
name: other
base: default
constants:
  need: {food: {every: 4}, drink: {every: 7, loss: 2}, energy: {every: 5}, health: {every: 3}}
  damage: {wood_sword: 9}
  health_at_first: {cow: 9, zombie: 1}
"""


def test_true_rules_are_never_contradicted_where_a_world_states_constants() -> None:
    world = parse_theory(CONSTANTS, "other.yaml").to_world()
    evidence = Evidence.of(play(world, range(6)))
    report = check(world, evidence)
    assert not report.conflicts
    assert report["walk.grass"].verdict_on("walkable") == "supported"
    assert len(evidence.signatures) == len(evidence.rows)
    assert Collecting in set(map(type, evidence.signatures))


def test_sokoban_is_judged() -> None:
    world = gallery("sokoban")
    evidence = Evidence.of(play(world, range(9), RandomAgent()))
    report = check(world, evidence)
    assert not report.conflicts
    assert report["push.box"].verdict == "supported"
    wrong = changed(world, "push.box", {"leaves": "target"})
    assert blamed(wrong, evidence) == {("push.box",)}
    assert revise(wrong, evidence).theory["push.box"] == world["push.box"]
