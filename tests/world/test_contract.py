"""Every word of a sentence about a world is read, or the sentence is unread."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.world.load import parse_theory
from mars_logic.world.words import ParseError, parse_facts, parse_part, tell
from mars_logic.world.words.facts import Fact
from tests.world.free_text import FOLDER, examples

FOLDERS = ("", "held_out", "held_out_later", "held_out_third", "held_out_fourth")
INSERTED = (
    *("only if it is longer than three", "nobody knows whether", "maybe", "I think", "probably"),
    *("I will try", "unless", "sometimes", "may", "some", "is it true that"),
)
NEGATIONS = ("not", "never", "cannot", "no", "does not")
TRAILING = ("It is wrong.", "Only at night.", "Is it?", "I will try it.", "But not always.")


def read(text: str) -> frozenset[Fact] | None:
    try:
        return frozenset(parse_facts(text))
    except ParseError:
        return None


TOLD = [tell(rule) for rule in load_world("terr_surv").rules()]
READ = [each.text for one in FOLDERS for each in examples(FOLDER / one) if read(each.text)]
UNKNOWN_WORDS = st.text("bcdfghjklmnpqrtvwz", min_size=4, max_size=9)


def with_words(text: str, place: int, words: str) -> str:
    found = text.split(" ")
    place %= len(found) + 1
    return " ".join((*found[:place], words, *found[place:]))


@pytest.mark.slow
@settings(max_examples=300)
@given(
    st.sampled_from(TOLD + READ),
    st.one_of(st.sampled_from(INSERTED), UNKNOWN_WORDS),
    st.integers(0, 100),
)
def test_words_anywhere_in_a_sentence_make_it_unread(text: str, words: str, place: int) -> None:
    assert read(with_words(text, place, words)) is None


@pytest.mark.slow
@settings(max_examples=300)
@given(st.sampled_from(TOLD + READ), st.sampled_from(NEGATIONS), st.integers(0, 100))
def test_a_negation_is_read_as_one_or_not_at_all(text: str, words: str, place: int) -> None:
    was, now = read(text), read(with_words(text, place, words))
    if was is None or now is None:
        return
    assert now != was, with_words(text, place, words)
    for fact in now - was:
        before = [each for each in was if (each.rule, each.field) == (fact.rule, fact.field)]
        assert not any(each.said.admits_with(fact.said) for each in before), (text, words, place)


@pytest.mark.slow
@settings(max_examples=100)
@given(st.sampled_from(TOLD + READ), st.sampled_from(TRAILING))
def test_an_unread_sentence_behind_another_keeps_the_line_unread(text: str, more: str) -> None:
    assert read(f"{text.rstrip('.')}. {more}") is None


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Collecting from grass never yields a sapling.", "collect.grass.yields lacks sapling"),
        ("Collecting from grass does not yield a sapling.", "collect.grass.yields lacks sapling"),
        ("Collecting from grass yields no saplings.", "collect.grass.yields lacks sapling"),
        ("Walking on sand costs 0 health.", "walk.sand.health = 0"),
        ("Walking on sand costs no health.", "walk.sand.health = 0"),
        ("Eating a cow gives 0 food.", "creature.cow.eaten_food_factor = 0"),
        ("Drinking water costs no food.", "drink.water.food = 0"),
    ],
)
def test_nothing_is_gained_or_lost(text: str, fact: str) -> None:
    assert fact in map(str, parse_facts(text))


def test_a_yield_that_is_denied_leaves_the_rest_open() -> None:
    (never,) = parse_facts("Collecting from grass never yields a sapling.")
    yields = {
        "{}": True,
        "{wood: 1}": True,
        "{sapling: 1}": False,
        "{sapling: {amount: 1, probability: 0.1}}": False,
        "{sapling: {amount: 1, probability: 0}}": True,
    }
    for stated, holds in yields.items():
        for collectable in ("true", "false"):
            grass = f"{{yields: {stated}, collectable: {collectable}}}"
            world = parse_theory(f"name: w\nbase: default\ncollect: {{grass: {grass}}}", "w.yaml")
            assert never.holds_in(world) == holds, grass
            chance = parse_facts("Grass yields a sapling with a 0% chance.")
            said = next(each for each in chance if each.field == "yields")
            assert said.holds_in(world) == holds


@pytest.mark.parametrize(
    ("denied", "verb"),
    [
        ("A zombie does not wander about and attacks the player.", "attack"),
        ("Walking on sand does not kill you and costs 1 health.", "cost"),
    ],
)
def test_a_negation_reaches_as_far_as_verbs_have_no_ending(denied: str, verb: str) -> None:
    bare = denied.replace(f"and {verb}s", f"and {verb}")
    assert read(denied) is not None and bare != denied
    with pytest.raises(ParseError, match="the negation may be about"):
        parse_facts(bare)
    with pytest.raises(ParseError, match="the negation may be about"):
        parse_part(bare)
    assert read(denied.replace(" and ", ", but ")) is not None


@pytest.mark.parametrize(
    "text",
    [
        "Making a stone pickaxe does not need 2 wood.",
        "Making a stone pickaxe does not need wood and stone.",
        "Making a stone pickaxe does not need a table and a furnace nearby.",
        "Collecting from grass never yields 2 saplings.",
        "Collecting from grass never yields a sapling and wood.",
        "Water never gives a drink.",
        "Walking on sand does not cost health.",
        "Placing a table uses 0 wood.",
    ],
)
def test_what_cannot_be_stated_stays_unread(text: str) -> None:
    """Another amount may be needed or gained, and what does not cost health may give some."""
    assert read(text) is None
