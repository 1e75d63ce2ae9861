"""Sentences about names that a world adds: written as nouns, and read back."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.world.families import OWN_FAMILIES
from mars_logic.world.load import parse_theory
from mars_logic.world.rules import FAMILIES
from mars_logic.world.theory import World
from mars_logic.world.uncertain import UNKNOWN
from mars_logic.world.words import (
    ParseError,
    cheat_sheet,
    manual,
    parse,
    parse_facts,
    parse_part,
    tell,
    tell_part,
)
from mars_logic.world.words.proposing import proposals
from tests.paths import REPOSITORY
from tests.world.own_names import rules_with, vocabularies
from tests.world.proposed import stated

COPPER = load_world(REPOSITORY / "worlds" / "gallery" / "copper.yaml")


RULES_OF_A_VOCABULARY = 4
FAMILIES_ARE_MET = 10_000
"""Rules among which there are some of each family."""
ALL_FAMILIES = {kind.family for kind in (*FAMILIES, *OWN_FAMILIES)}


@pytest.mark.parametrize("number", [100, pytest.param(10_000, marks=pytest.mark.long)])
def test_every_rule_of_any_vocabulary_survives_telling(number: int) -> None:
    """So many rules, of all families: once a few, and at length ten thousand."""
    examples = number // RULES_OF_A_VOCABULARY

    @settings(deadline=None, max_examples=examples, suppress_health_check=[HealthCheck.too_slow])
    @given(st.data())
    def survives_telling(data: st.DataObject) -> None:
        words = data.draw(vocabularies())
        for _ in range(RULES_OF_A_VOCABULARY):
            rule = data.draw(rules_with(words))
            sentence = tell(rule, words)
            assert parse(sentence, words) == rule, sentence
            assert sentence.isascii() and sentence.isprintable() and "  " not in sentence
            told[rule.family] += 1

    told = Counter[str]()
    survives_telling()
    assert told.total() >= number
    assert number < FAMILIES_ARE_MET or {*told} == ALL_FAMILIES, told


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_every_part_of_a_rule_of_any_vocabulary_survives_telling(data: st.DataObject) -> None:
    words = data.draw(vocabularies())
    rule = data.draw(rules_with(words))
    kept = data.draw(st.sets(st.sampled_from(rule.field_names()), min_size=1))
    part = rule.model_copy(update=dict.fromkeys(set(rule.field_names()) - kept, UNKNOWN))
    sentence = tell_part(part, words)
    assert sentence is not None and parse_part(sentence, words) == part, sentence


def own(text: str) -> World:
    world = parse_theory(f"base: default\n{text}", "own.yaml")
    assert isinstance(world, World)
    return world


PANTRY = own(
    """
adds:
  materials: {oven: {looks: station}, cactus: {looks: plant}, mud: {looks: ground}}
  items: [axe, berry, torch, wheat, knife, bread, stew, bowl, pickled_herring]
collect:
  cactus: {yields: {berry: 3, wheat: {amount: 2, probability: 0.25}}, leaves: mud}
  mud: {requires: {axe: 1, torch: 2}, yields: {torch: 1}}
place: {oven: {uses: {stone: 2}, where: [grass, mud]}}
make:
  axe: {uses: {berry: 1, wheat: 1}, nearby: [cactus, oven], gives: 2}
  bread: {uses: {wheat: 2}, nearby: [oven]}
  stew: {uses: {bread: 2, pickled_herring: 3}, nearby: []}
  bowl: {uses: {wood: 1}, nearby: [table]}
eat:
  stew: {food: 6, health: -1, leaves: bowl}
  berry: {}
  bread: {food: 2, drink: 1}
"""
)


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        (
            "collect.cactus",
            "Collecting from a cactus needs nothing, yields 3 berries plus 2 wheat with a 25% "
            "chance, and leaves mud.",
        ),
        (
            "collect.mud",
            "Collecting from mud needs an axe and 2 torches, yields 1 torch, and leaves it as "
            "it is.",
        ),
        ("walk.oven", "An oven cannot be walked on."),
        ("place.oven", "Placing an oven uses 2 stone and works on grass or mud."),
        (
            "make.axe",
            "Making 2 axes uses 1 berry and 1 wheat, and needs an oven and a cactus nearby.",
        ),
        ("make.bread", "Making bread uses 2 wheat and needs an oven nearby."),
        (
            "make.stew",
            "Making a stew uses 2 bread and 3 pickled herrings, and needs nothing nearby.",
        ),
        ("eat.stew", "Eating a stew gives 6 food but costs 1 health, and leaves a bowl."),
        ("eat.berry", "Eating a berry changes nothing."),
        ("eat.bread", "Eating bread gives 2 food and 1 drink."),
    ],
)
def test_names_are_nouns(rule: str, sentence: str) -> None:
    words = PANTRY.vocabulary
    assert tell(PANTRY[rule], words) == sentence
    assert parse(sentence, words) == PANTRY[rule]


def test_names_like_words_of_the_grammar_stand_in_accents() -> None:
    world = own(
        """
adds: {materials: {nothing: {looks: ore}}, items: [needs, leaves_path, health_potion]}
collect: {nothing: {requires: {needs: 1}, yields: {leaves_path: 2}, leaves: path}}
make: {health_potion: {uses: {wood: 1}, nearby: []}}
"""
    )
    sentence = tell(world["collect.nothing"], world.vocabulary)
    assert sentence == (
        "Collecting from `nothing` needs 1 `needs`, yields 2 `leaves_path` and leaves a path."
    )
    assert parse(sentence, world.vocabulary) == world["collect.nothing"]
    potion = tell(world["make.health_potion"], world.vocabulary)
    assert potion == "Making a health potion uses 1 wood and needs nothing nearby."
    for rule in world.rules():
        assert parse(tell(rule, world.vocabulary), world.vocabulary) == rule


def test_names_like_words_of_forms_that_crafter_lacks_stand_in_accents() -> None:
    world = own(
        """
adds: {items: [chance_near, steps_when]}
timer: {grass: {becomes: sand, after: 3, chance: 0.5, near: [water]}}
make: {chance_near: {uses: {wood: 1}, nearby: []}, steps_when: {uses: {chance_near: 2}, nearby: []}}
"""
    )
    for rule in world.rules():
        assert parse(tell(rule, world.vocabulary), world.vocabulary) == rule
    assert "2 `chance_near`" in tell(world["make.steps_when"], world.vocabulary)


def test_a_sentence_that_would_be_read_otherwise_has_its_names_in_accents() -> None:
    world = own(
        "adds: {materials: [brick, slab, brick_slab]}\n"
        "place: {stone: {where: [brick, slab, sand, brick_slab]}}"
    )
    sentence = tell(world["place.stone"], world.vocabulary)
    assert "on sand, `brick`, `slab` or `brick_slab`." in sentence
    assert parse(sentence, world.vocabulary) == world["place.stone"]


def test_words_of_one_world_are_unknown_in_another() -> None:
    sentence = tell(COPPER["make.copper_pickaxe"], COPPER.vocabulary)
    with pytest.raises(ParseError, match="copper"):
        parse(sentence)
    with pytest.raises(ParseError, match='did you mean "copper"'):
        parse(sentence.replace("1 copper", "1 coppr"), COPPER.vocabulary)


def test_a_refused_sentence_shows_the_nearest_one_about_added_names() -> None:
    with pytest.raises(ParseError) as caught:
        parse("Making a copper pickaxe is fun", COPPER.vocabulary)
    assert caught.value.nearest.startswith("Making a copper pickaxe uses")


def test_the_manual_has_every_added_rule() -> None:
    text = manual(COPPER)
    for rule in COPPER.rules():
        if set(rule.subject.split("_")) & {"copper", "kiln", "brick", "pie"}:
            assert f"- {tell(rule, COPPER.vocabulary)}" in text.splitlines()
    assert "collect copper" in text


def test_one_step_is_told_in_the_singular() -> None:
    theory = parse_theory(
        "base: default\nadds: {creatures: {deer: {}}, needs: [warmth]}\n"
        "behaviour: {deer: {cases: [{act: flee, within: 1}, {act: wander, beyond: 1}]}}\n"
        "need: {warmth: {every: 1}}\ntimer: {grass: {becomes: sand, after: 1, chance: 0.5}}",
        "own.yaml",
    )
    words = theory.vocabulary
    for rule, sentence in {
        "behaviour.deer": "Each step a deer flees from the player within 1 step, else wanders "
        "about beyond 1 step.",
        "need.warmth": "Warmth falls by 1 every step and at 0 costs 1 health.",
    }.items():
        assert tell(theory[rule], words) == sentence
        assert parse(sentence, words) == theory[rule]


def test_uncertain_rules_about_added_names_are_told() -> None:
    theory = parse_theory(
        "base: default\nadds: {items: [pie, plum]}\n"
        "make: {pie: {uses: unknown, nearby: {one_of: [{value: [table], weight: 3}, "
        "{value: [], weight: 1}]}}}\neat: {pie: unknown}",
        "own.yaml",
    )
    assert tell(theory["make.pie"], theory.vocabulary) == (
        "Making a pie uses 1 wood and needs a table nearby, as a guess: "
        "uses is unknown; nearby is [table] (75%) or [] (25%)."
    )
    assert "nothing of it is known" in tell(theory["eat.pie"], theory.vocabulary)
    assert manual(theory)


@pytest.mark.parametrize(
    ("sentence", "facts"),
    [
        (
            "To mine copper, you need a stone pickaxe",
            ["collect.copper.collectable = true", "collect.copper.requires has stone_pickaxe 1"],
        ),
        ("Kilns can be placed on sand.", ["place.kiln.where has sand"]),
        ("A kiln needs 2 stones", ["place.kiln.uses has stone 2"]),
        (
            "To craft a copper pickaxe you need copper, wood and a kiln nearby.",
            ["make.copper_pickaxe.nearby has kiln", "make.copper_pickaxe.uses has copper, wood"],
        ),
        ("Eating pies increases food by 6", ["eat.pie.food = 6"]),
        ("Copper cannot be walked on", ["walk.copper.walkable = false"]),
        ("Mining stone does not yield copper", ["collect.stone.yields lacks copper"]),
    ],
)
def test_facts_about_added_names(sentence: str, facts: list[str]) -> None:
    found = [str(fact) for fact in parse_facts(sentence, COPPER.vocabulary)]
    assert set(facts) <= set(found), found
    assert all(fact.holds_in(COPPER) for fact in parse_facts(sentence, COPPER.vocabulary))


def test_every_told_rule_of_a_world_states_facts_that_hold() -> None:
    for world in (COPPER, PANTRY):
        for rule in world.rules():
            for fact in parse_facts(tell(rule, world.vocabulary), world.vocabulary):
                assert fact.holds_in(world), (fact, tell(rule, world.vocabulary))


def test_the_cheat_sheet_lists_added_names() -> None:
    page = cheat_sheet(COPPER.vocabulary)
    assert "table, furnace,\n    copper, kiln\n" in page
    assert "    copper, brick, copper pickaxe, pie\n" in page
    assert (
        page.replace(",\n    copper, kiln", "").replace(
            ",\n    copper, brick, copper pickaxe, pie", ""
        )
        == cheat_sheet()
    )


def test_the_page_shows_the_world_of_the_gallery() -> None:
    page = (REPOSITORY / "docs" / "worlds.md").read_text(encoding="utf-8")
    shown = page.partition("```yaml\nname: copper\n")[2].partition("```")[0]
    assert shown and COPPER.path
    assert Path(COPPER.path).read_text(encoding="utf-8").endswith(f"\nname: copper\n{shown}")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("Copper: stone pick tier.", "Collecting from copper needs a stone pickaxe."),
        ("Kiln: 2 stones, put it on sand", "Placing a kiln uses 2 stone and works on sand."),
        ("pie +6 food", "Eating a pie gives 6 food."),
        ("no walking through copper", "Copper cannot be walked on."),
        (
            "copper pickaxe recipe: wood x1 + copper x1, stand by the kiln",
            "Making a copper pickaxe uses 1 wood and 1 copper, and needs a kiln nearby.",
        ),
    ],
)
def test_lines_about_added_names_get_proposals(line: str, sentence: str) -> None:
    first, *_ = proposals(line, COPPER.vocabulary)
    assert first.sentence == sentence
    assert parse_facts(sentence, COPPER.vocabulary) == first.facts
    assert all(each.sentence != sentence for each in proposals(line)), "there are no such names"


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_what_is_proposed_about_added_names_is_read_as_it_was_ranked(data: st.DataObject) -> None:
    words = data.draw(vocabularies())
    rule = data.draw(rules_with(words))
    line = tell(rule, words).replace("`", "").removesuffix(".") + " indeed"
    for each in proposals(line, words):
        assert stated(map(str, parse_facts(each.sentence, words))) == stated(map(str, each.facts))
