"""Sentences that tell a part of a rule: what they do not mention is open, in every family."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.world.load import bundled_worlds
from mars_logic.world.rules import FAMILIES, Creature, Rule, Yield
from mars_logic.world.uncertain import UNKNOWN
from mars_logic.world.words import ParseError, parse, parse_part, tell, tell_part
from mars_logic.world.words.grammar import grammar_of
from mars_logic.world.words.nouns import CRAFTER
from mars_logic.world.words.scan import Scan
from mars_logic.world.words.vocabulary import CANONICAL
from tests.paths import REPOSITORY
from tests.world.strategies import rules


def part_of(rule: Rule, fields: Iterable[str]) -> Rule:
    """The rule with all but some fields unknown."""
    unknown = dict.fromkeys(set(rule.field_names()) - set(fields), UNKNOWN)
    return rule.model_copy(update=unknown)


def subsets(kind: type[Rule]) -> Iterator[tuple[str, ...]]:
    """Every set of fields of a family that is not empty."""
    names = kind.field_names()
    for size in range(1, len(names) + 1):
        yield from combinations(names, size)


def stated(rule: Rule) -> dict[str, Any]:
    return {n: getattr(rule, n) for n in rule.field_names() if getattr(rule, n) is not UNKNOWN}


# --- Every part of every rule -------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=[pytest.mark.slow] * (kind is Creature)) for kind in FAMILIES],
)
def test_every_part_of_every_rule_of_every_world_reads_back(kind: type[Rule]) -> None:
    whole = {rule for name in bundled_worlds() for rule in rules_of_family(name, kind)}
    parts = {part_of(rule, fields) for rule in whole for fields in subsets(kind)}
    assert len(parts) >= len(whole) > 0
    for part in parts:
        sentence = tell_part(part)
        assert sentence is not None, part
        assert parse_part(sentence) == part, sentence


def rules_of_family(world: str, kind: type[Rule]) -> Iterable[Rule]:
    return [rule for rule in load_world(world).rules() if isinstance(rule, kind)]


@pytest.mark.parametrize("kind", FAMILIES)
@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_part_of_any_rule_reads_back(kind: type[Rule], data: st.DataObject) -> None:
    rule = data.draw(rules(kind))
    part = part_of(rule, data.draw(st.sets(st.sampled_from(kind.field_names()), min_size=1)))
    sentence = tell_part(part)
    assert sentence is not None
    assert parse_part(sentence) == part, sentence
    assert sentence.isascii() and sentence.isprintable() and "  " not in sentence


def test_a_material_beside_a_station_is_not_taken_for_an_item() -> None:
    make = load_world("default").make["wood_pickaxe"]
    part = part_of(make.model_copy(update={"nearby": ("stone", "table")}), ["nearby"])
    sentence = "Making a wood pickaxe needs a table and stone nearby."
    assert tell_part(part) == sentence and parse_part(sentence) == part


def meanings(sentence: str) -> Iterator[tuple[type[Rule], dict[str, Any]]]:
    """Every way to read a sentence to its end, the one that counts first."""
    words = CANONICAL.words_of(sentence)
    for form in grammar_of(CRAFTER):
        for fields, end in form.part.read(Scan(words), 0, {}):
            if end == len(words):
                yield form.kind, dict(fields)


@pytest.mark.slow
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_no_sentence_has_two_meanings(data: st.DataObject) -> None:
    rule = data.draw(rules())
    fields = data.draw(st.sets(st.sampled_from(rule.field_names()), min_size=1))
    words = (tell_part(part_of(rule, fields)) or "").split()
    for _ in range(data.draw(st.integers(0, 2))):  # what a careless writer leaves out
        del words[data.draw(st.integers(0, len(words) - 1))]
    found = list(meanings(" ".join(words)))
    assert all(each == found[0] for each in found)


@pytest.mark.parametrize("kind", FAMILIES)
@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_silence_leaves_fields_open(kind: type[Rule], data: st.DataObject) -> None:
    """A manual's sentence alone: no field but what it mentions, and that as the rule has it."""
    rule = data.draw(rules(kind))
    found = parse_part(tell(rule))
    said = stated(found)
    assert said and said.items() <= dict(rule).items()
    silent = set(rule.field_names()) - set(said)
    assert parse(tell(rule)) == rule
    usual = {name: value for name, value in dict(parse(tell(rule))).items() if name in silent}
    for name, value in usual.items():
        assert value in (0, False, {}, 1 if name == "gives" else 0, rule.subject), name


def test_nothing_certain_has_no_sentence() -> None:
    for rule in load_world("default").rules():
        assert tell_part(part_of(rule, ())) is None


def test_what_the_families_leave_open() -> None:
    for sentence, fields in {
        "The player starts in an area of sand.": {"material"},
        "Where the map would have sand, it has iron": {"material"},
        "Water can be walked on": {"walkable"},
        "Any move on water gives 1 health": {"health"},
        "A zombie can be killed but not eaten; it attacks": {"eatable", "attacks"},
        "A cow can be eaten, which gives 6 food": {"eatable", "eaten_food_factor"},
        "Drinking lava costs 1 health besides what it yields": {"health"},
        "Mining stone yields 1 stone": {"collectable", "yields"},
        "Nothing can be collected from sand": {"collectable"},
        "Placing a table uses 2 wood": {"uses"},
        "Making a wood pickaxe needs a table nearby": {"nearby"},
        "Making 1 wood pickaxe needs a table nearby": {"nearby", "gives"},
    }.items():
        assert set(stated(parse_part(sentence))) == fields, sentence


# --- Ways to say something ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentence", "rule", "fields"),
    [
        (
            "A cow gives 6 food when eaten",
            "creature.cow",
            {"eatable": True, "eaten_food_factor": 1},
        ),
        (
            "Eating cows gives you 6 food but costs 2 health",
            "creature.cow",
            {"eatable": True, "eaten_food_factor": 1, "eaten_health_factor": -1},
        ),
        ("A cow would give no food if eaten", "creature.cow", {"eaten_food_factor": 0}),
        ("Zombies don't attack!", "creature.zombie", {"attacks": False}),
        ("zombies never attack.", "creature.zombie", {"attacks": False}),
        ("Zombies can\u2019t be eaten", "creature.zombie", {"eatable": False}),
        (
            "**Skeletons** chase you, and shoot arrows",
            "creature.skeleton",
            {"approaches": True, "shoots": True},
        ),
        (
            "Zombies attack. Each hit costs 2 health.",
            "creature.zombie",
            {"attacks": True, "attack_health_factor": -1},
        ),
        (
            "Cows stay where they are and can be eaten",
            "creature.cow",
            {"walks": False, "approaches": False, "eatable": True},
        ),
        (
            "Eating a plant gives 4 food",
            "creature.plant",
            {"eatable": True, "eaten_food_factor": 1},
        ),
        ("water is walkable", "walk.water", {"walkable": True}),
        ("Lava is deadly", "walk.lava", {"deadly": True}),
        ("You cannot walk on water", "walk.water", {"walkable": False}),
        ("Walking on lava kills you", "walk.lava", {"deadly": True}),
        (
            "Sand can be walked on, but moves on it cost 1 health",
            "walk.sand",
            {"walkable": True, "health": -1},
        ),
        ("Trees are surrounded by sand", "neighbour.tree", {"material": "sand"}),
        ("Drinking water gives 1 food", "drink.water", {"food": 1}),
        (
            "Stone can be mined with a wooden pickaxe",
            "collect.stone",
            {"collectable": True, "requires": {"wood_pickaxe": 1}},
        ),
        (
            "Mining `stone` requires one stone_pickaxe, and turns it into a path.",
            "collect.stone",
            {"collectable": True, "requires": {"stone_pickaxe": 1}, "leaves": "path"},
        ),
        (
            "Collecting from trees will always yield wood 10% of the time",
            "collect.tree",
            {"collectable": True, "yields": {"wood": Yield(amount=1, probability=0.1)}},
        ),
        ("Collecting from sand would need nothing", "collect.sand", {"requires": {}}),
        ("A sapling can be placed on grass and sand", "place.plant", {"where": ("grass", "sand")}),
        (
            "To mine iron, you need a stone pickaxe",
            "collect.iron",
            {"collectable": True, "requires": {"stone_pickaxe": 1}},
        ),
        (
            "Grass yields a sapling with a 10% chance",
            "collect.grass",
            {"collectable": True, "yields": {"sapling": Yield(amount=1, probability=0.1)}},
        ),
        ("A table requires 2 wood", "place.table", {"uses": {"wood": 2}}),
        (
            "To craft an iron sword, you need 1 wood, 1 coal, 1 iron and a nearby table",
            "make.iron_sword",
            {"uses": {"wood": 1, "coal": 1, "iron": 1}, "nearby": ("table",)},
        ),
        ("A wood pickaxe needs a table nearby", "make.wood_pickaxe", {"nearby": ("table",)}),
        ("Placing a table requires two diamonds", "place.table", {"uses": {"diamond": 2}}),
        (
            "Making a stone sword needs 1 wood, 1 stone and a nearby table",
            "make.stone_sword",
            {"uses": {"wood": 1, "stone": 1}, "nearby": ("table",)},
        ),
        ("Crafting wood swords needs nothing", "make.wood_sword", {"uses": {}, "nearby": ()}),
        ("Making a wood sword needs nothing nearby", "make.wood_sword", {"nearby": ()}),
        (
            "Making iron swords needs wood, coal, and iron, and a table and furnace nearby",
            "make.iron_sword",
            {"uses": {"wood": 1, "coal": 1, "iron": 1}, "nearby": ("table", "furnace")},
        ),
    ],
)
def test_other_ways_to_say_a_part(sentence: str, rule: str, fields: dict[str, Any]) -> None:
    found = parse_part(sentence)
    assert found.id == rule and stated(found) == fields


# --- What cannot be read ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentence", "unread", "nearest"),
    [
        ("Cows are harmless", "are harmless", "A cow can be eaten"),
        ("A zombie attacks and does not attack", "attack", "A zombie"),
        ("A cow can be eaten and cannot be eaten", "cannot be eaten", "A cow"),
        ("A cow attacks or shoots arrows", "or shoots arrows", "A cow"),
        ("Collecting from trees yields wood or stone", "or stone", "Collecting from a tree"),
        ("Collecting from stone needs a wood pickaxe or a stone pickaxe", "or a stone pickaxe", ""),
        ("Making a wood sword needs a table or a furnace nearby", "or a furnace", "Making a wood"),
        ("Drinking water gives 1 drink", "", "Drinking water gives 1 drink besides"),
        ("Coal needs a wood pickaxe", "needs a wood pickaxe", "Collecting from coal"),
        ("To mine stone you need a pickaxe", "pickaxe", "Collecting from stone"),
        ("To get stone you need a pickaxe", "To get stone you need a pickaxe", ""),
        ("Each hit of a zombie gives 2 damage", "damage", "A zombie"),
        ("Water can be walked on; moves on it give 1 health and no health", "no health", "Water"),
    ],
)
def test_what_is_doubtful_is_not_guessed(sentence: str, unread: str, nearest: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_part(sentence)
    assert caught.value.unread == unread
    assert caught.value.nearest.startswith(nearest)
    assert parse_part(caught.value.nearest)


def test_a_whole_rule_has_to_be_told() -> None:
    for sentence, missing in {
        "Placing a table uses 2 wood": "where",
        "Making a wood sword uses 1 wood": "nearby",
        "Any move on water gives 1 health": "walkable",
        "A zombie attacks": "eatable",
    }.items():
        assert parse_part(sentence)
        with pytest.raises(ParseError, match=f"says nothing of {missing}"):
            parse(sentence)


def test_what_is_unreadable_is_refused_quickly() -> None:
    random = Random(0)
    told = [tell(rule).split() for rule in load_world("all_three").rules()]
    lines = []
    for number in range(1_000):
        words = list(random.choice(told))
        words[random.randrange(len(words))] = f"word{number}"
        lines.append(" ".join(words))
    begin = time.process_time()
    for line in lines:
        with pytest.raises(ParseError):
            parse_part(line)
    assert time.process_time() - begin < 10  # it takes about 1.5 s


@settings(deadline=None, max_examples=25)
@given(rules(Creature), st.data())
def test_mutilated_sentences_are_refused_or_read(rule: Creature, data: st.DataObject) -> None:
    words = tell(rule).split()
    del words[data.draw(st.integers(0, len(words) - 1))]
    try:
        found = parse_part(" ".join(words))
    except ParseError as error:
        assert parse_part(error.nearest)
    else:
        assert stated(found)


# --- The page of the documentation ---------------------------------------------------------------

PAGE = (REPOSITORY / "docs" / "rules.md").read_text(encoding="utf-8")


def section(heading: str) -> str:
    return PAGE.partition(f"### {heading}\n")[2].partition("\n#")[0]


def test_the_page_tells_other_ways_that_can_be_read() -> None:
    rows = [row for row in section("What can be read").splitlines() if row.startswith("|")]
    sentences = re.findall(r'"([A-Z][^"]+)"', "\n".join(rows))
    assert len(sentences) > 20
    for sentence in sentences:
        assert stated(parse_part(sentence)), sentence


def test_the_page_compares_whole_rules_and_parts() -> None:
    rows = re.findall(
        r"^\| ([A-Z][^|]+) \|", section("Whole rules and parts of rules"), re.MULTILINE
    )
    assert len(rows) == 5
    for sentence in rows:
        assert parse_part(sentence).uncertain_fields, sentence
