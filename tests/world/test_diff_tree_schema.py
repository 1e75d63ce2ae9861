import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from mars_logic import load_world
from mars_logic.world.diff import diff
from mars_logic.world.dump import to_yaml
from mars_logic.world.load import bundled_worlds, parse_theory
from mars_logic.world.rules import Collect
from mars_logic.world.schema import json_schema
from mars_logic.world.theory import World
from mars_logic.world.tree import tech_tree
from tests.paths import REPOSITORY


def test_no_world_differs_from_itself() -> None:
    assert diff(load_world("all_three"), load_world("all_three")) == ()


def test_a_difference_names_the_rule_and_its_fields() -> None:
    default = load_world("default")
    changed = default.with_rules(Collect(subject="diamond", yields={"coal": 1}, leaves="path"))
    (found,) = diff(default, changed)
    assert found.id == "collect.diamond"
    assert found.fields == {
        "requires": ({"iron_pickaxe": 1}, {}),
        "yields": ({"diamond": 1}, {"coal": 1}),
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", bundled_worlds())
def test_bundled_files_follow_the_schema(name: str) -> None:
    world = load_world(name)
    assert world.path
    for text in (Path(world.path).read_text(encoding="utf-8"), to_yaml(world)):
        jsonschema.validate(yaml.safe_load(text), json_schema())


@pytest.mark.parametrize(
    "text",
    ["wlak: {}", "walk: {sand: {health: 10}}", "collect: {tree: {yields: {wood: {amout: 1}}}}"],
)
def test_the_schema_refuses_mistakes(text: str) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(yaml.safe_load(text), json_schema())


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(json_schema())
    assert json.loads(json.dumps(json_schema()))["title"] == "mars-logic world 1"


@pytest.mark.parametrize("name", bundled_worlds())
def test_the_tech_tree_holds_every_achievement(name: str) -> None:
    text = tech_tree(load_world(name))
    assert all(f"  {achievement} " in text for achievement in load_world(name).achievements)
    assert "never" not in text


def test_levels_follow_from_needs() -> None:
    levels = tech_tree(load_world("default")).split("level ")
    of = {
        line.split()[0]: i
        for i, level in enumerate(levels)
        for line in level.splitlines()[1:]
        if line
    }
    assert of["collect_wood"] < of["place_table"] < of["make_wood_pickaxe"] < of["collect_stone"]
    assert of["collect_iron"] < of["make_iron_pickaxe"] < of["collect_diamond"]


def test_what_nothing_gives_is_said_to_be_lost() -> None:
    lost = load_world("default").with_rules(Collect(subject="diamond", yields={"coal": 1}))
    assert tech_tree(lost).endswith("never, by items and tools alone\n  collect_diamond\n")


# --- Worlds with added names ----------------------------------------------------------------------

COPPER = REPOSITORY / "worlds" / "gallery" / "copper.yaml"
OWN = (
    "adds: {materials: {ash: {}, kiln: {}}, items: [pie, bowl]}\n"
    "collect: {ash: {yields: {pie: 1}}}\n"
    "make: {bowl: {uses: {wood: 1}, nearby: [kiln]}}\n"
)


def own(text: str) -> World:
    world = parse_theory(f"base: default\n{OWN}{text}", "own.yaml")
    assert isinstance(world, World)
    return world


def test_rules_about_added_names_differ_from_their_absence() -> None:
    default, copper = load_world("default"), load_world(COPPER)
    found = {each.id: each for each in diff(default, copper)}
    assert found["make.pie"].before is None and found["eat.pie"].after == copper["eat.pie"]
    assert [each.id for each in diff(copper, default)] == list(found)
    assert set(found) == {rule.id for rule in copper.rules()} - {r.id for r in default.rules()}


@pytest.mark.parametrize(
    ("more", "levels"),
    [
        ("place: {kiln: {uses: {wood: 1}, where: [grass]}}", {"place_kiln": 2, "make_bowl": 3}),
        ("", {"make_bowl": 2}),  # what nobody places stands on the map
        ("eat: {pie: {food: 1, leaves: bowl}}", {"eat_pie": 2, "make_bowl": 2}),
        ("eat: {bowl: {food: 1}}", {"make_bowl": 2, "eat_bowl": 3}),
    ],
)
def test_the_tree_holds_added_names(more: str, levels: dict[str, int]) -> None:
    told = tech_tree(own(more)).split("level ")
    for achievement, level in levels.items():
        assert f"  {achievement} " in told[level], (achievement, level)


def test_a_station_that_something_leaves_need_not_be_placed() -> None:
    placed = "place: {kiln: {uses: {diamond: 9}, where: [grass]}}\n"
    left = own(placed).with_rules(
        Collect.model_validate(
            {"subject": "tree", "yields": {"wood": 1}, "leaves": "kiln"},
            context=own(placed).vocabulary,
        )
    )
    assert "  make_bowl " in tech_tree(left).split("level ")[2]


def test_a_file_with_added_names_follows_the_schema() -> None:
    for text in (
        COPPER.read_text(encoding="utf-8"),
        to_yaml(load_world(COPPER)),
        f"base: default\n{OWN}eat: {{pie: {{food: 1, leaves: bowl}}}}",
        f"base: {COPPER}\nmake: {{pie: {{uses: {{copper: 2}}}}}}",
    ):
        jsonschema.validate(yaml.safe_load(text), json_schema())


@pytest.mark.parametrize(
    "text",
    [
        "base: default\nmake: {pie: {}}",
        "base: default\neat: {pie: {food: 1}}",
        "adds: {items: [Pie]}",
        "adds: {items: [pie, pie]}",
        "adds: {things: [pie]}",
        "adds: {materials: {ash: {looks: oar}}}",
        "adds: {materials: {ash: {colour: red}}}",
        "adds: {items: [pie]}\nmake: {pie: {uses: {wood: 10}}}",
        "adds: {items: [pie]}\nrename: {pie: sand}",
        "adds: {items: [pie]}\nplace: {stone: {where: [Sand]}}",
    ],
)
def test_the_schema_refuses_mistakes_with_added_names(text: str) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(yaml.safe_load(text), json_schema())
