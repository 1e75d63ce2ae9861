"""Added creatures and needs, and rules about them, as data and in words."""

from __future__ import annotations

import jsonschema
import pytest
import yaml

from mars_logic import load_world
from mars_logic.errors import InputError
from mars_logic.world.diff import beside_rules, diff
from mars_logic.world.dump import to_yaml
from mars_logic.world.known_names import require_crafter_names, require_known_kinds, unusual_rule
from mars_logic.world.load import parse_theory
from mars_logic.world.problems import WorldError
from mars_logic.world.schema import json_schema
from mars_logic.world.tree import tech_tree
from mars_logic.world.words import manual, parse, tell
from tests.paths import REPOSITORY

WINTER = REPOSITORY / "worlds" / "gallery" / "winter.yaml"
TEXT = """\
name: heath
base: default
adds:
  items: [pelt, spear]
  creatures:
    wolf: {looks: animal, health: 4, ground: [grass], comes: {ground: grass, night: 2}}
    orc: {looks: person}
  needs: [warmth]
behaviour:
  wolf: {cases: [{act: flee, health: 1, chance: 0.5}, {act: graze}], grazes: {tree: sand}}
  cow: {cases: [{act: approach, held: sapling}, {act: wander}]}
hunt:
  wolf: {yields: {pelt: 1}, damage: {spear: 4}}
need:
  warmth: {every: 15, gains_near: {furnace: 2}}
"""


def of(text=TEXT):
    return parse_theory(text, "heath.yaml")


def test_added_creatures_are_creatures_like_others():
    world = of()
    words = world.vocabulary
    assert words.objects[-2:] == words.creatures[-2:] == ("wolf", "orc")
    assert words.achievements[-2:] == ("kill_wolf", "kill_orc")
    assert words.health_at_first["wolf"] == 4
    assert words.items[-1] == "warmth" and "warmth" not in words.holdable
    assert (*world.creature,) == ("cow", "zombie", "skeleton", "plant", "wolf", "orc")
    assert unusual_rule(world) == "creature.wolf" and unusual_rule(load_world("default")) is None


def test_flags_follow_the_cases():
    world = of()
    assert not world.creature["wolf"].walks and not world.creature["wolf"].approaches
    assert world.creature["cow"].approaches and world.creature["cow"].walks
    stated = TEXT + "creature: {cow: {walks: false}}\n"
    with pytest.raises(WorldError, match=r"creature.cow.walks: the cases of behaviour.cow say oth"):
        of(stated)


def test_files_are_written_and_read_back(tmp_path):
    world = of()
    assert of(to_yaml(world)) == world
    assert of(to_yaml(world)).digest == world.digest
    for before, after in (("health: 4", "health: 5"), ("night: 2", "night: 3"), ("[warmth]", "[]")):
        if after == "[]":
            text = TEXT.replace("needs: [warmth]", "needs: []").partition("need:\n")[0]
        else:
            text = TEXT.replace(before, after)
        assert of(text).digest != world.digest
    told = beside_rules(world, of(TEXT.replace("health: 4", "health: 5")))
    assert "has 5 health" in told["creatures"][1] and "has 4 health" in told["creatures"][0]
    (tmp_path / "heath.yaml").write_text(TEXT, "utf-8")
    heir = (
        "name: heir\nbase: heath.yaml\nhunt: {orc: {yields: {wood: 1}}}\nadds: {creatures: [elk]}\n"
    )
    (tmp_path / "heir.yaml").write_text(heir, "utf-8")
    found = load_world(tmp_path / "heir.yaml")
    assert (*found.hunt,) == ("wolf", "orc")
    assert found.vocabulary.creatures[-3:] == ("wolf", "orc", "elk")
    assert [each.id for each in diff(world, found)] == ["creature.elk", "hunt.orc"]


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("looks: animal", "looks: beast", ":6: adds.creatures.wolf.looks: unknown shape 'beast'"),
        (
            "health: 4",
            "health: 31",
            "health: 31 is not possible; allowed: a whole number from 1 to",
        ),
        ("ground: [grass]", "ground: []", "a list is no list of materials; allowed: such as"),
        ("ground: [grass]", "ground: [gras]", "unknown material 'gras', did you mean 'grass'?"),
        ("{ground: grass, night", "{night", "adds.creatures.wolf.comes: 'ground' is missing"),
        ("night: 2", "nite: 2", "comes.nite: unknown field 'nite', did you mean 'night'?"),
        ("orc: {", "zombie: {", "adds.creatures.zombie: 'zombie' is a name already"),
        ("orc: {", "pelt: {", "adds.creatures.pelt: 'pelt' is a name already"),
        ("act: flee", "act: flea", ":10: behaviour.wolf.cases[0].act: unknown deed 'flea', did y"),
        ("health: 1,", "helth: 1,", "cases[0].helth: unknown field 'helth', did you mean 'health'"),
        ("held: sapling", "held: sampling", "unknown item 'sampling', did you mean 'sapling'?"),
        (", grazes: {tree: sand}", "", "behaviour.wolf: nothing is said of what it grazes; allow"),
        (
            "[{act: approach, held: sapling}, {act: wander}]",
            "[]",
            "0 cases are not possible; allow",
        ),
        ("  wolf: {cases", "  wulf: {cases", "behaviour.wulf: unknown creature 'wulf', did you me"),
        ("damage: {spear: 4}", "damage: {spear: 0}", "damage.spear: 0 is out of range; allowed: a"),
        ("every: 15, ", "", "need.warmth.every: this field is missing"),
        ("needs: [warmth]", "needs: [warmth, food]", "adds.needs[1]: 'food' is a name already"),
        ("  warmth: {every", "  warm: {every", "need.warm: unknown need 'warm', did you mean 'war"),
        ("base: default", "base: crafter", ":5: adds.creatures: creatures are fixed in worlds of"),
    ],
)
def test_mistakes_have_a_message(before, after, problem):
    assert before in TEXT
    with pytest.raises(WorldError) as raised:
        of(TEXT.replace(before, after, 1))
    assert problem in str(raised.value)


def test_there_is_room_for_nine_creatures_and_eight_needs():
    names = [f"kind_{number}" for number in range(10)]
    base = {"name": "crowd", "base": "default"}
    of(yaml.safe_dump(base | {"adds": {"creatures": names[:9]}}))
    with pytest.raises(WorldError, match="the world adds 10 creatures; allowed: at most 9"):
        of(yaml.safe_dump(base | {"adds": {"creatures": names}}))
    needs = {name: {"every": 5} for name in names}
    with pytest.raises(WorldError, match="the world adds 10 needs; allowed: at most 8"):
        of(yaml.safe_dump(base | {"adds": {"needs": names}, "need": needs}))


def test_the_schema_accepts_them():
    validator = jsonschema.Draft202012Validator(json_schema())
    stated = yaml.safe_load(WINTER.read_text(encoding="utf-8"))
    validator.validate(stated)
    stated["behaviour"]["wolf"]["cases"][0]["within"] = 99
    assert not validator.is_valid(stated)
    plain = {"name": "a", "base": "default", "behaviour": {"cow": {"cases": [{"act": "flee"}]}}}
    validator.validate(plain)
    assert not validator.is_valid(plain | {"behaviour": {"wolf": {"cases": [{"act": "flee"}]}}})


def test_words_are_read_back():
    world = of()
    told = manual(world)
    for rule in (*world.creature.values(), *world.behaviour.values(), *world.hunt.values()):
        text = tell(rule, world.vocabulary)
        assert parse(text, world.vocabulary) == rule, text
        assert text in told
    need = tell(world.need["warmth"], world.vocabulary)
    assert (
        need
        == "Warmth falls by 1 every 15 steps, rises by 2 near a furnace and at 0 costs 1 health."
    )
    assert need in told and parse(need, world.vocabulary) == world.need["warmth"]
    assert "A wolf has 4 health and walks on grass" in told.replace("\n", " ")


def test_who_does_not_know_them_says_so():
    world = load_world(WINTER)
    for refuse in (require_known_kinds, require_crafter_names):
        with pytest.raises(InputError, match=r"^plan: the planner does not know the rule creature"):
            refuse(world, "plan", "the planner")


def test_the_tree_knows_what_hunting_yields():
    text = tech_tree(load_world(WINTER))
    assert "kill_wolf            kill a wolf" in text
    assert "never" not in text
    assert text.index("kill_wolf") < text.index("make_coat")
