"""Repairing rules of needs and hunting, and learning them from play."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mars_logic.theory import Evidence, check, revise
from mars_logic.theory.living_fitting import fitted_living
from mars_logic.theory.problem import CHANGE
from mars_logic.theory.rate_tests import LEVEL
from mars_logic.theory.revise import with_values
from mars_logic.world.theory import Theory, World
from mars_logic.world.uncertain import UNKNOWN
from tests.theory.own_kinds import own_kinds_play, own_kinds_world
from tests.theory.test_own_kinds import gallery, seen

FAMILIES = ("need", "hunt")


def without(world: World) -> Theory:
    """A world of which the rules of needs and hunting are open."""
    rules = [rule for rule in world.rules() if rule.family in FAMILIES]
    values = {(rule.id, name): UNKNOWN for rule in rules for name in rule.field_names()}
    return with_values(world, values, world.name)


def learned(world: World, evidence: Evidence) -> dict[tuple[str, str], Any]:
    return fitted_living(without(world), evidence, LEVEL, CHANGE)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**30))
@example(1667)  # a sprout was near only where the need was at its maximum
@example(150)  # nine pelts are held at each kill, which brings another
def test_what_is_learned_of_random_rules_is_true(seed: int) -> None:
    world = own_kinds_world(seed)
    evidence = Evidence.of(own_kinds_play(world, range(seed, seed + 2)))
    found = learned(world, evidence)
    assert {name: getattr(world[name[0]], name[1]) for name in found} == found


def test_much_is_learned_of_some() -> None:
    found: dict[tuple[str, str], Any] = {}
    for seed in range(6):
        world = own_kinds_world(seed)
        found |= {
            (f"{seed} {rule}", n): v
            for (rule, n), v in learned(
                world, Evidence.of(own_kinds_play(world, range(seed, seed + 3)))
            ).items()
        }
    assert {"every", "loss", "yields"} <= {name for _, name in found}


def test_a_need_is_learned_as_far_as_play_tells() -> None:
    """Nobody came near a campfire, or held a coat."""
    world = gallery("winter")
    found = learned(world, seen("winter"))
    told = {name: value for (rule, name), value in found.items() if rule == "need.warmth"}
    assert told == {"every": 15, "loss": 1, "rises": "never"}


@pytest.mark.parametrize(
    "fields",
    [{"every": 20}, {"every": 5}, {"loss": 3}, {"when": "night"}, {"rises": "day"}],
)
def test_a_wrong_need_is_repaired(fields: dict[str, Any]) -> None:
    world = gallery("winter")
    rule = world["need.warmth"].with_fields(fields, world.vocabulary)
    found = revise(world.with_rules(rule), seen("winter"))
    assert found.theory["need.warmth"] == world["need.warmth"]
    assert [each.id for each in found.changes] == ["need.warmth"]


def test_true_rules_are_left_alone() -> None:
    for name in ("winter", "farm"):
        assert fitted_living(gallery(name), seen(name), LEVEL, CHANGE) == {}


def test_wrong_hunting_is_repaired_where_something_was_killed() -> None:
    repaired = 0
    for seed in range(8):
        world = own_kinds_world(seed)
        evidence = Evidence.of(own_kinds_play(world, range(seed, seed + 2)))
        for rule in [each for each in world.rules() if each.family == "hunt"]:
            wrong = world.with_rules(rule.with_fields({"yields": {"coal": 7}}, world.vocabulary))
            if not check(wrong, evidence, jointly=False).conflicts:
                continue
            found = fitted_living(wrong, evidence, LEVEL, CHANGE)
            theory = with_values(wrong, found, "repaired")
            left = check(theory, evidence, jointly=False).conflicts
            repaired += bool(found) and not left
            assert all(rule.id not in each.rules for each in left) or not found
    assert repaired
