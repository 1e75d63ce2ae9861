"""Rules about cells that are pushed or change by themselves, as data and in words."""

from __future__ import annotations

import random
from dataclasses import asdict

import jsonschema
import pytest
import yaml

from mars_logic import load_world
from mars_logic.errors import InputError
from mars_logic.logic import explain, prove
from mars_logic.logic.solve import NotJudgedError
from mars_logic.world.adds import Adds
from mars_logic.world.diff import diff
from mars_logic.world.dump import to_yaml
from mars_logic.world.known_names import cell_rule, require_crafter_names, require_known_kinds
from mars_logic.world.load import load_theory, parse_theory
from mars_logic.world.problems import WorldError
from mars_logic.world.schema import json_schema
from mars_logic.world.words import manual, parse, tell
from mars_logic.world.words.sentences import parse_part, tell_part
from tests.agreement.worlds import own_world
from tests.paths import REPOSITORY

GALLERY = REPOSITORY / "worlds" / "gallery"
TEXT = """\
name: garden
base: default
adds: {materials: [crate, sprout]}
push:
  crate: {onto: [grass, sand], leaves: grass, becomes: {sand: stone}}
  stone: {onto: [water], leaves: path}
beside:
  sprout: {becomes: {water: tree, lava: sand}, chance: 0.5}
timer:
  sprout: {becomes: crate, after: 9, chance: 0.25, when: night, near: [water, sand]}
"""
CELL_FAMILIES = ("push", "beside", "timer")


def of(text=TEXT):
    return parse_theory(text, "garden.yaml")


def cell_rules(world):
    return [rule for family in CELL_FAMILIES for rule in getattr(world, family).values()]


def test_they_are_rules_like_others():
    world = of()
    assert [rule.id for rule in cell_rules(world)] == [
        *("push.crate", "push.stone", "beside.sprout", "timer.sprout")
    ]
    assert world["push.stone"].becomes == {}
    assert set(cell_rules(world)) <= {*world.rules()}
    assert parse_theory(to_yaml(world), "again.yaml") == world
    changed = world.with_rules(world["timer.sprout"].with_fields({"after": 10}, world.vocabulary))
    assert [each.id for each in diff(world, changed)] == ["timer.sprout"]
    assert changed.digest != world.digest
    assert cell_rule(load_world("default")) is None


def test_a_world_inherits_them(tmp_path):
    (tmp_path / "garden.yaml").write_text(TEXT, "utf-8")
    pushed = "push: {stone: {onto: [path]}, tree: {onto: [sand], leaves: sand}}"
    (tmp_path / "heir.yaml").write_text(f"name: heir\nbase: garden.yaml\n{pushed}\n", "utf-8")
    world = load_world(tmp_path / "heir.yaml")
    assert (*world.push,) == ("crate", "stone", "tree")
    assert (world.push["stone"].onto, world.push["stone"].leaves) == (("path",), "path")
    assert world["timer.sprout"] == of()["timer.sprout"]


def test_no_names_need_be_added():
    world = of("name: rolling\nbase: crafter\npush: {stone: {onto: [grass], leaves: grass}}\n")
    assert world.vocabulary.wide
    assert world.vocabulary.materials == load_world("crafter").vocabulary.materials


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("  crate: {onto", "  crat: {onto", ":5: push.crat: unknown material 'crat', did you mean"),
        ("push:", "pusch:", ":4: pusch: unknown key 'pusch', did you mean 'push'?"),
        ("[grass, sand], l", "[gras], l", ":5: push.crate.onto[0]: unknown material 'gras', did"),
        ("{sand: stone}", "{path: stone}", ":5: push.crate: 'path' is no material onto which"),
        ("{sand: stone}", "[stone]", ":5: push.crate.becomes: a list is not a mapping of"),
        (", leaves: path}", "}", ":6: push.stone.leaves: this field is missing"),
        ("chance: 0.5", "chance: 2", ":8: beside.sprout.chance: 2 is out of range"),
        ("chance: 0.5", "chanse: 0.5", "unknown field 'chanse', did you mean 'chance'?"),
        ("{water: tree, lava: sand}", "{}", ":8: beside.sprout.becomes: this is empty; allowed"),
        ("after: 9", "after: 251", "after: 251 is out of range; allowed: a whole number from 1 to"),
        ("when: night", "when: nigth", "unknown time 'nigth', did you mean 'night'?; allowed: alw"),
        ("becomes: crate", "becomes: none", ":10: timer.sprout.becomes: unknown material 'none'"),
        ("near: [water", "near: [water, water", "'water' is listed twice"),
        ("beside:\n", "beside: 5\nx:\n", "beside: 5 is not a mapping; allowed: a mapping such as"),
    ],
)
def test_mistakes_have_a_message(before, after, problem):
    assert before in TEXT
    with pytest.raises(WorldError) as raised:
        of(TEXT.replace(before, after, 1))
    assert problem in str(raised.value)


@pytest.mark.parametrize("file", ["sokoban.yaml", "fire.yaml"])
def test_the_schema_accepts_them(file):
    validator = jsonschema.Draft202012Validator(json_schema())
    stated = yaml.safe_load((GALLERY / file).read_text(encoding="utf-8"))
    validator.validate(stated)
    stated["push"] = {"box": {"ontto": []}}
    assert not validator.is_valid(stated)
    plain = {"name": "a", "base": "default", "push": {"stone": {"onto": ["sand"], "leaves": "x"}}}
    assert not validator.is_valid(plain)
    validator.validate(plain | {"push": {"stone": {"onto": ["sand"], "leaves": "sand"}}})


def test_words_are_read_back():
    told = set()
    for seed in range(30):
        world = own_world(random.Random(seed))
        for rule in cell_rules(world):
            text = tell(rule, world.vocabulary)
            assert parse(text, world.vocabulary) == rule, text
            part = tell_part(rule, world.vocabulary)
            assert parse_part(part, world.vocabulary) == rule, part
            told.add(rule.family)
            assert text in manual(world)
    assert told == {*CELL_FAMILIES}


def test_part_of_a_rule_is_told(tmp_path):
    file = tmp_path / "belief.yaml"
    opened = "timer:\n  sprout: {becomes: unknown, after: 9}\n"
    file.write_text(TEXT.partition("timer:")[0] + opened, "utf-8")
    theory = load_theory(file)
    rule, words = theory["timer.sprout"], theory.vocabulary
    part = tell_part(rule, words)
    assert part.startswith("Sprout turns by itself after 9 steps")
    assert parse_part(part, words) == rule


def test_who_does_not_know_them_says_so():
    world = load_world(GALLERY / "sokoban.yaml")
    for refuse in (require_known_kinds, require_crafter_names):
        with pytest.raises(
            InputError, match=r"^plan: the planner does not know the rule push\.box"
        ):
            refuse(world, "plan", "the planner")


@pytest.mark.parametrize("file", ["sokoban.yaml", "fire.yaml"])
def test_proofs_leave_them_undecided(file):
    world = load_world(GALLERY / file)
    proof = prove(world)
    assert {verdict.verdict for verdict in proof.achievements.values()} == {"unknown"}
    assert set(proof.rules.values()) == {"unknown"}
    assert all(verdict.reason for verdict in proof.achievements.values())
    with pytest.raises(NotJudgedError):
        explain(world, world.achievements[0])


def test_added_names_tell_of_them():
    adds = of().adds
    assert adds.changing == {
        "push": ("crate", "stone"), "beside": ("sprout",), "timer": ("sprout",)
    }  # fmt: skip
    assert adds and Adds(pushed=("stone",)) and not Adds()
    assert asdict(adds)["timed"] == ("sprout",)
