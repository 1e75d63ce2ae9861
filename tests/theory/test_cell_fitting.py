"""Repairing rules about cells and pushes, and learning them from play."""

from __future__ import annotations

from typing import Any

import pytest

from mars_logic import load_world
from mars_logic.theory import Evidence, check, revise, score
from mars_logic.theory.cell_fitting import fitted
from mars_logic.theory.problem import CHANGE
from mars_logic.theory.rate_tests import LEVEL
from mars_logic.theory.revise import with_values
from mars_logic.world.rules import Rule
from mars_logic.world.theory import Theory, World
from mars_logic.world.uncertain import UNKNOWN
from tests.theory.cell_worlds import WRONG, cell_play, cell_world
from tests.theory.test_cells import changed, pen
from tests.theory.test_own_kinds import gallery, seen

FAMILIES = ("push", "beside", "timer")


def without(world: World) -> Theory:
    """A world of which the rules about cells are open."""
    rules = [rule for rule in world.rules() if rule.family in FAMILIES]
    values = {(rule.id, name): UNKNOWN for rule in rules for name in rule.field_names()}
    return with_values(world, values, world.name)


def close(found: Rule, true: Rule) -> bool:
    """Whether rules differ by a tenth in their chance, if at all."""
    chances = [getattr(rule, "chance", 1.0) for rule in (found, true)]
    rest = [rule.model_dump(exclude={"chance"}) for rule in (found, true)]
    return rest[0] == rest[1] and abs(chances[0] - chances[1]) <= 0.1


@pytest.mark.parametrize(
    ("rule", "fields"),
    WRONG,
)
def test_a_wrong_rule_is_repaired(rule: str, fields: dict[str, Any]) -> None:
    world, evidence = pen()
    found = revise(changed(world, rule, fields), evidence)
    assert found.theory[rule] == world[rule]
    assert [each.id for each in found.changes] == [rule]
    assert found.changes[0].because


@pytest.mark.parametrize(
    ("rule", "fields"),
    [
        ("beside.tree", {"chance": 0.5}),
        ("beside.tree", {"becomes": {"fire": "ash"}}),
        ("timer.fire", {"after": 90}),
        ("timer.fire", {"becomes": "grass"}),
    ],
)
def test_a_chance_is_repaired_to_what_was_seen(rule: str, fields: dict[str, Any]) -> None:
    world = gallery("fire")
    found = revise(changed(world, rule, fields), seen("fire"))
    assert close(found.theory[rule], world[rule])


def test_rules_of_which_nothing_is_known_are_learned_as_far_as_play_tells() -> None:
    """It was day all the time."""
    world, evidence = pen()
    found = revise(load_world("default"), evidence).theory
    assert found["push.crate"] == world["push.crate"]
    assert found["beside.mud"] == world["beside.mud"]
    assert found["timer.plank"].uncertain_fields == ("when",)
    assert (
        found["timer.plank"].with_fields({"when": "always"}, world.vocabulary)
        == world["timer.plank"]
    )


@pytest.mark.parametrize("seed", range(5))
def test_what_is_learned_is_not_contradicted_by_the_same_play(seed: int) -> None:
    world, evidence = cell_world(seed), Evidence.of(cell_play(seed))
    theory = without(world)
    found = fitted(theory, evidence, LEVEL, CHANGE)
    learned = with_values(theory, found, "learned")
    assert found
    assert not check(learned, evidence, jointly=False).conflicts


def test_true_rules_are_left_alone() -> None:
    world, evidence = pen()
    assert fitted(world, evidence, LEVEL, CHANGE) == {}
    assert fitted(gallery("fire"), seen("fire"), LEVEL, CHANGE) == {}


def test_fixed_fields_keep_their_values() -> None:
    world, evidence = pen()
    wrong = changed(changed(world, "timer.plank", {"after": 5}), "push.crate", {"leaves": "grass"})
    found = revise(wrong, evidence, fixed=[("timer.plank", "after")])
    assert [each.id for each in found.changes] == ["push.crate"]


def test_a_chance_near_the_true_one_is_right() -> None:
    world = gallery("fire")
    for chance, right in ((0.15, True), (0.5, False)):
        near = changed(world, "timer.fire", {"chance": chance})
        assert (score(near, world).overall.precision == 1) is right
