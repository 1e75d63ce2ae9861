import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from mars_logic import load_world
from mars_logic.world.diff import diff
from mars_logic.world.dump import to_yaml
from mars_logic.world.load import bundled_worlds
from mars_logic.world.rules import Collect
from mars_logic.world.schema import json_schema
from mars_logic.world.tree import tech_tree


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
