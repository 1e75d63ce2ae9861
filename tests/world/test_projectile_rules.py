"""Projectiles that a world adds, and rules about them, as data, in words and in proofs."""

from __future__ import annotations

import jsonschema
import pytest
import yaml

from mars_logic import load_world
from mars_logic.errors import InputError
from mars_logic.logic.facts import facts
from mars_logic.world.dump import to_yaml
from mars_logic.world.known_names import require_plannable, unjudged_rule, unusual_rule
from mars_logic.world.load import parse_theory
from mars_logic.world.problems import WorldError
from mars_logic.world.schema import json_schema
from mars_logic.world.words import manual, parse, tell

TEXT = """\
name: archers
base: default
adds:
  items: [bow, shaft]
  projectiles: {bolt: {colour: "#d0d0d0"}, pebble: {}}
projectile:
  bolt: {speed: 2, harm: -1, damage: 3, range: 6, over: [water, table], breaks: {}}
  arrow: {damage: 4, breaks: {}}
shoot:
  arrow: {requires: {bow: 1}, uses: {shaft: 1}}
behaviour:
  zombie: {cases: [{act: shoot, within: 5, projectile: bolt}, {act: wander}]}
"""


def of(text=TEXT):
    return parse_theory(text, "archers.yaml")


def test_added_projectiles_are_objects_actions_and_achievements():
    world = of()
    words = world.vocabulary
    assert words.objects[-2:] == ("bolt", "pebble") and words.projectiles[0] == "arrow"
    assert words.actions[-1] == words.achievements[-1] == "shoot_arrow"
    assert (*world.projectile,) == ("bolt", "pebble", "arrow") and (*world.shoot,) == ("arrow",)
    assert world.projectile["pebble"].breaks == {"table": "path", "furnace": "path"}
    assert unusual_rule(load_world("default")) is None
    assert "shot_harm(bolt, -1)." in facts(world.to_world())


def test_files_are_written_and_read_back():
    world = of()
    assert of(to_yaml(world)) == world
    assert of(TEXT.replace("range: 6", "range: 7")).digest != world.digest
    jsonschema.validate(yaml.safe_load(TEXT), json_schema())
    heir = f"{TEXT}map: {{scatter: {{tree: {{in: sand, share: 0.1}}}}}}\n"
    assert (*of(heir).projectile,) == (*world.projectile,)


def test_sentences_are_read_back():
    world = of()
    for rule in world.rules():
        if rule.family in ("projectile", "shoot", "behaviour"):
            told = tell(rule, world.vocabulary)
            assert parse(told, world.vocabulary) == rule
            assert told in manual(world)
    assert tell(world.shoot["arrow"], world.vocabulary) == (
        "Shooting an arrow needs 1 bow and uses 1 shaft."
    )


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("speed: 2", "speed: 3", r"bolt.speed: 3 is out of range; allowed: a whole number from"),
        ("  arrow: {damage", "  arow: {damage", r"unknown projectile 'arow', did you mean 'arrow'"),
        (
            "projectile: bolt",
            "projectile: stone",
            r"unknown projectile 'stone'; allowed: arrow, b",
        ),
        ("act: shoot, within", "act: flee, within", r"'bolt' is shot by a case to shoot only"),
        ("pebble: {}", "pebble: {looks: x}", r"pebble.looks: unknown field 'looks'; allowed: col"),
        ("pebble: {}", "pebble: 3", r"adds.projectiles.pebble: 3 is not a mapping"),
        ("pebble: {}", "arrow: {}", r"'arrow' is a name already"),
        ("base: default", "base: crafter", r"projectiles are fixed in worlds of dynamics crafter"),
    ],
)
def test_what_is_wrong_is_said(before, after, message):
    assert before in TEXT
    with pytest.raises(WorldError, match=message):
        of(TEXT.replace(before, after))


def test_at_most_nine_creatures_and_projectiles():
    more = "  creatures: [" + ", ".join(f"c{n}" for n in range(8)) + "]\n  projectiles:"
    with pytest.raises(WorldError, match="10 creatures and projectiles; allowed: at most 9"):
        of(TEXT.replace("  projectiles:", more))


def test_layers_that_do_not_know_them_say_so():
    world = of()
    with pytest.raises(InputError, match=r"planner does not know the rule projectile.bolt, of p"):
        require_plannable(world, "plan", "the planner")
    assert unjudged_rule(world) is None
    assert unjudged_rule(of(TEXT.replace("4, breaks: {}", "4"))) == "shoot.arrow"
    broken = TEXT.replace("[water, table], breaks: {}", "[water], breaks: {tree: sand}")
    assert unjudged_rule(of(broken)) == "projectile.bolt"
