"""Checking rules of kinds that Crafter lacks."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.agents.random import RandomAgent
from mars_logic.data import Trajectory
from mars_logic.errors import InputError
from mars_logic.system.resources import folder
from mars_logic.theory import Evidence, check, revise
from mars_logic.theory.atoms import atoms
from mars_logic.theory.signatures import Harm, Hunting, NeedChange
from mars_logic.world.field_values import domain
from mars_logic.world.load import parse_theory
from mars_logic.world.theory import World
from mars_logic.world.uncertain import UNKNOWN
from tests.theory.own_kinds import own_kinds_play, own_kinds_world
from tests.theory.play import play

GALLERY = ("winter", "farm", "fire")


def gallery(name: str) -> World:
    return load_world(str(folder("worlds") / "gallery" / f"{name}.yaml"))


@cache
def seen(name: str) -> Evidence:
    return Evidence.of(play(gallery(name), range(6), RandomAgent()))


@cache
def own_seen(seed: int) -> tuple[World, list[Trajectory]]:
    world = own_kinds_world(seed)
    return world, own_kinds_play(world, range(seed, seed + 2))


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**30))
def test_true_rules_of_new_kinds_are_never_contradicted(seed: int) -> None:
    world = own_kinds_world(seed)
    report = check(world, own_kinds_play(world, range(seed, seed + 2)))
    assert [(each.rules, str(each), str(each.where)) for each in report.conflicts] == []


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**30))
def test_true_rules_are_never_contradicted_where_projectiles_fly(seed: int) -> None:
    world = own_kinds_world(seed, projectiles=True)
    report = check(world, own_kinds_play(world, range(seed, seed + 2)))
    assert [(each.rules, str(each), str(each.where)) for each in report.conflicts] == []


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**30))
def test_true_rules_of_many_worlds_are_never_contradicted(seed: int) -> None:
    world = own_kinds_world(seed)
    assert not check(world, own_kinds_play(world, range(seed, seed + 3))).conflicts


def test_the_evidence_is_of_all_kinds_and_each_row_is_another_signature() -> None:
    kinds: set[type] = set()
    for seed in range(6):
        evidence = Evidence.of(own_seen(seed)[1])
        kinds |= set(map(type, evidence.signatures))
        assert len(evidence.signatures) == len(evidence.rows)
    assert kinds >= {Harm, Hunting, NeedChange}


@pytest.mark.parametrize("name", GALLERY)
def test_the_gallery_is_never_contradicted(name: str) -> None:
    report = check(gallery(name), seen(name))
    assert not report.conflicts
    if name == "winter":
        assert report["need.warmth"].verdict_on("every") == "supported"
        assert report["creature.wolf"].verdict_on("attacks") == "supported"


@pytest.mark.parametrize(
    ("rule", "fields"),
    [
        ("need.warmth", {"every": 20}),
        ("need.warmth", {"loss": 3}),
        ("need.warmth", {"when": "night"}),
        ("need.warmth", {"rises": "day"}),
        ("need.warmth", {"gains_on": {"grass": 1}}),
        ("creature.wolf", {"attacks": False}),
        ("creature.wolf", {"attack_health_factor": -3}),
        ("walk.snow", {"walkable": False}),
        ("walk.snow", {"health": -2}),
    ],
)
def test_a_changed_rule_is_contradicted_with_a_counterexample(
    rule: str, fields: dict[str, Any]
) -> None:
    world = gallery("winter")
    wrong = world.with_rules(world[rule].with_fields(fields, world.vocabulary))
    blamed = [each for each in check(wrong, seen("winter")).conflicts if rule in each.rules]
    assert blamed
    assert blamed[0].where is not None


@pytest.mark.parametrize(
    ("family", "field", "value"),
    [
        ("hunt", "yields", {"coal": 7}),
        ("hunt", "requires", {"diamond": 9}),
        ("hunt", "touch", 5),
        ("need", "empty", 5),
        ("need", "gains_near", {"grass": 8}),
    ],
)
def test_a_wrong_field_is_contradicted_where_it_was_tried(
    family: str, field: str, value: Any
) -> None:
    """In some of a few worlds; and no other rule is blamed without this one."""
    found = 0
    for seed in range(8):
        world, played = own_seen(seed)
        for rule in (each for each in world.rules() if each.family == family):
            wrong = world.with_rules(rule.with_fields({field: value}, world.vocabulary))
            blamed = [each.rules for each in check(wrong, played).conflicts]
            found += bool(blamed)
            assert all(rule.id in rules for rules in blamed)
    assert found


def test_revision_leaves_open_what_play_contradicts() -> None:
    world, played = own_seen(2)
    rule = next(each for each in world.rules() if each.family == "hunt")
    wrong = world.with_rules(rule.with_fields({"touch": 5}, world.vocabulary))
    evidence = Evidence.of(played)
    assert check(wrong, evidence, jointly=False).conflicts
    found = revise(wrong, evidence)
    assert not check(found.theory, evidence, jointly=False).conflicts
    assert UNKNOWN in [getattr(found.theory[name], field) for name, field in found.inexpressible]


def test_atoms_tell_such_rules() -> None:
    told = atoms(gallery("winter"))
    assert "need(warmth, every, 15)" in told
    assert "hunt(wolf, yields, pelt, 1)" in told
    assert "timer(sprout, after, 40)" in atoms(gallery("farm"))


def test_cases_of_a_creature_that_acts_by_flags_in_play_are_refused() -> None:
    text = "name: odd\nbase: default\nbehaviour: {cow: {cases: [{act: stay}]}}\n"
    with pytest.raises(InputError, match=r"behaviour\.cow: in the world of the trajectories"):
        check(parse_theory(text, "odd.yaml"), play(load_world("default"), range(1)))


def test_a_belief_of_the_dialect_crafter_takes_play_with_added_creatures() -> None:
    """Nothing is known of what it lacks; what nothing is known of does nothing."""
    found = revise(load_world("crafter"), seen("winter"))
    assert found.theory["creature.wolf"].uncertain_fields
    world = found.theory.most_likely()
    assert not world.creature["wolf"].attacks and world.hunt["wolf"].yields == {}
    assert found.theory["need.warmth"].every == 15, "play tells this"


def test_what_a_world_adds_may_lie_on_ground_that_it_adds() -> None:
    where = domain("place.campfire", "where", gallery("winter").vocabulary)
    assert where[0] == ("grass", "path", "sand", "snow")
