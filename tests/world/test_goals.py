"""Goals that a world states: reading, writing, words, schema."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest

import mars_logic
from mars_logic.world.diff import beside_rules
from mars_logic.world.dump import to_yaml
from mars_logic.world.goals import Condition, condition_of
from mars_logic.world.load import load_world, parse_theory
from mars_logic.world.problems import WorldError
from mars_logic.world.schema import json_schema
from mars_logic.world.source import parse
from mars_logic.world.theory import Theory
from mars_logic.world.tree import tech_tree
from mars_logic.world.words.manual import manual

YARD = """
map:
  drawn: |
    #####
    #.@T#
    #####
"""


def world_of(goals: str, more: str = "", base: str = "default") -> Theory:
    return parse_theory(f"name: w\nbase: {base}\ngoals: {goals}\n{more}", "w.yaml")


def problem(goals: str, more: str = "", base: str = "default") -> str:
    with pytest.raises(WorldError) as error:
        world_of(goals, more, base)
    return str(error.value)


def test_goals_are_the_achievements_of_a_world() -> None:
    world = world_of("{make_wood_pickaxe: 2, have_3_wood: 0.5}")
    assert world.achievements == ("make_wood_pickaxe", "have_3_wood")
    assert [goal.reward for goal in world.goals] == [2.0, 0.5]
    usual = load_world("default").vocabulary.achievements
    assert world.vocabulary.achievements == (*usual, "have_3_wood")


def test_a_list_of_goals_rewards_each_with_one_point() -> None:
    assert {goal.reward for goal in world_of("[wake_up, reach_sand]").goals} == {1.0}


def test_without_goals_everything_is_as_before() -> None:
    world = load_world("default")
    assert world.goals == ()
    assert not world.vocabulary.wide
    assert world.achievements == world.vocabulary.achievements


def test_goals_are_inherited_and_replaced(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("name: a\nbase: default\ngoals: [wake_up]\n", "utf-8")
    heir = f"name: b\nbase: {tmp_path / 'a.yaml'}\n"
    assert parse_theory(heir, "b.yaml").achievements == ("wake_up",)
    assert parse_theory(heir + "goals: [eat_plant]\n", "b.yaml").achievements == ("eat_plant",)


def test_inherited_goals_have_to_be_possible(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("name: a\nbase: default\ngoals: [survive_300]\n", "utf-8")
    with pytest.raises(WorldError, match="an episode has 200 steps"):
        parse_theory(f"name: b\nbase: {tmp_path / 'a.yaml'}\nlength: 200\n", "b.yaml")


@pytest.mark.parametrize("more", ["", YARD])
def test_what_is_written_is_read_as_an_equal_world(more: str) -> None:
    cell = ", reach_1_1" if more else ""
    world = world_of(f"[collect_coal, have_9_wood, reach_sand, survive_30{cell}]", more)
    again = parse_theory(to_yaml(world), "again.yaml")
    assert again == world
    assert again.digest == world.digest != load_world("default").digest


def test_rewards_are_part_of_the_digest() -> None:
    assert world_of("{wake_up: 1}").digest != world_of("{wake_up: 2}").digest


@pytest.mark.parametrize(
    ("goals", "said"),
    [
        ("3", "3 is not a list or a mapping"),
        ("[]", "0 goals are not possible"),
        ("[3]", "3 is no goal"),
        ("[wake_up, wake_up]", "'wake_up' is listed twice"),
        ("[colect_iron]", "did you mean 'collect_iron'"),
        ("[have_0_wood]", "unknown goal 'have_0_wood'"),
        ("[have_3_wod]", "unknown item 'wod', did you mean 'wood'"),
        ("[have_3_health]", "unknown item 'health'"),
        ("[reach_snad]", "unknown material 'snad', did you mean 'sand'"),
        ("[reach_none]", "unknown material 'none'"),
        ("[reach_1_1]", "there are 0 drawings"),
        ("[survive_1001]", "an episode has 1000 steps"),
        ("{wake_up: true}", "true is not a number"),
        ("{wake_up: .nan}", "out of range"),
        ("{wake_up: 1001}", "out of range"),
    ],
)
def test_wrong_goals_are_refused(goals: str, said: str) -> None:
    message = problem(goals)
    assert message.startswith("w.yaml:3: goals")
    assert said in message
    assert "allowed: " in message


def test_a_cell_outside_the_drawing_is_refused() -> None:
    assert "reach_0_0 to reach_4_2" in problem("[reach_5_1]", YARD)


def test_worlds_with_traces_state_no_goals() -> None:
    assert "worlds of conan state no goals" in problem("[wake_up]", base="conan")


def test_names_of_conditions() -> None:
    assert condition_of("have_3_iron_sword") == Condition("have", "iron_sword", 3)
    assert condition_of("reach_red_door") == Condition("reach", "red_door")
    assert condition_of("reach_4_12") == Condition("at", cell=(4, 12))
    assert condition_of("survive_300") == Condition("survive", number=300)
    assert condition_of("collect_wood") is None


def test_words_tell_goals_with_their_rewards() -> None:
    world = world_of("{wake_up: 1, have_2_diamond: 2.5, reach_path: -1, survive_30: 0}")
    told = " ".join(manual(world).split())
    assert (
        "There are 4 goals: wake up (1 point), hold 2 diamonds at once (2.5 points), "
        "stand on a path (-1 points), live for 30 steps (0 points)." in told
    )
    assert "Each goal is worth its points the first time" in told
    assert beside_rules(load_world("default"), world)["goals"][0] == "All achievements count."


def test_the_tech_tree_has_conditions_where_they_open() -> None:
    tree = tech_tree(world_of("[have_2_diamond, reach_water]"))
    assert tree.index("collect_diamond") < tree.index("have_2_diamond       hold 2 diamonds")
    assert tree.endswith("never, by items and tools alone\n  reach_water\n")


@pytest.mark.parametrize("goals", ["[wake_up]", "{wake_up: 2, reach_sand: 0.5}"])
def test_the_schema_knows_goals(goals: str) -> None:
    jsonschema.validate(parse(f"base: default\ngoals: {goals}\n", "w.yaml").data, json_schema())


@pytest.mark.parametrize("goals", ["3", "[]", "{wake_up: many}", "[Wake Up]"])
def test_the_schema_refuses_what_is_no_list_of_goals(goals: str) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(parse(f"base: default\ngoals: {goals}\n", "w.yaml").data, json_schema())


def test_the_package_proves_the_goals() -> None:
    proof = mars_logic.prove(world_of("[collect_wood]"))
    assert list(proof.achievements) == ["collect_wood"]
