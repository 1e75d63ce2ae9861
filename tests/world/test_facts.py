"""Facts: what sentences state, and which lines have to stay unread."""

from __future__ import annotations

import doctest
import re
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.world.load import bundled_worlds
from mars_logic.world.rules import Creature, Rule
from mars_logic.world.uncertain import UNKNOWN
from mars_logic.world.words import (
    ParseError,
    cheat_sheet,
    parse_facts,
    parse_part,
    tell,
    tell_part,
)
from mars_logic.world.words.facts import (
    Element,
    Exactly,
    Fact,
    Including,
    Signed,
    rule_of,
)
from tests.paths import REPOSITORY
from tests.world.free_text import FOLDER, examples, read
from tests.world.strategies import rules

OWN = list(examples(FOLDER))
HELD_OUT = list(examples(FOLDER / "held_out"))
LATER = list(examples(FOLDER / "held_out_later"))
THIRD = list(examples(FOLDER / "held_out_third"))
FOURTH = list(examples(FOLDER / "held_out_fourth"))
PAGE = (REPOSITORY / "docs" / "sentences.md").read_text(encoding="utf-8")


def test_no_line_of_a_writer_is_read_wrong() -> None:
    """Few lines that people and models write are read; others get proposals."""
    every = [*OWN, *HELD_OUT, *LATER, *THIRD, *FOURTH]
    assert len({each.text for each in every}) >= 300
    assert sum(each.facts is None for each in every) >= 100
    found = {each.text: read(each.text) for each in every}
    wrong = [e.text for e in every if found[e.text] is not None and found[e.text] != e.facts]
    assert wrong == []
    assert sum(each is not None for each in found.values()) >= 90


@pytest.mark.parametrize("world", bundled_worlds())
def test_canonical_sentences_state_what_the_rules_say(world: str) -> None:
    theory = load_world(world)
    for rule in theory.rules():
        found = parse_facts(tell(rule))
        assert found and all(fact.holds_in(theory) for fact in found), tell(rule)


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_what_a_rule_says_is_true_of_it(data: st.DataObject) -> None:
    rule = data.draw(rules())
    world = load_world("default").with_rules(rule)
    assert all(fact.holds_in(world) for fact in parse_facts(tell(rule)))


@pytest.mark.slow
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_a_part_of_a_rule_is_true_of_it(data: st.DataObject) -> None:
    rule = data.draw(rules())
    fields = data.draw(st.sets(st.sampled_from(rule.field_names()), min_size=1))
    sentence = tell_part(rule.model_copy(update=_unknown(rule, fields)))
    assert sentence
    world = load_world("default").with_rules(rule)
    for fact in parse_facts(sentence):
        if fact.field in fields:
            assert fact.holds_in(world), sentence


def _unknown(rule: Rule, fields: set[str]) -> dict[str, object]:
    return dict.fromkeys(set(rule.field_names()) - fields, UNKNOWN)


def test_a_true_partial_sentence_holds_and_a_false_one_does_not() -> None:
    world = load_world("default")
    for sentence, true in {
        "Making an iron pickaxe requires 1 wood.": True,
        "Making an iron pickaxe requires wood.": True,
        "Making an iron pickaxe requires 2 wood.": False,
        "A table can be placed on grass.": True,
        "A table can only be placed on grass.": False,
        "A table cannot be placed on water.": True,
        "Eating a cow restores food.": True,
        "Eating a cow costs food.": False,
        "Grass yields a sapling with a 50% chance.": True,
        "Grass yields a sapling.": False,
    }.items():
        facts = parse_facts(sentence)
        assert all(fact.holds_in(world) for fact in facts) is true, sentence


def test_what_is_about_two_rules_or_may_be_stays_unread() -> None:
    for sentence in (
        "Stone needs a wood pickaxe, and zombies attack.",
        "You can walk on sand or grass.",
        "A table and a furnace need 6 stone.",
        "A zombie attacks and does not attack.",
        "A zombie attacks; each hit costs health (7 if the player sleeps)",
    ):
        with pytest.raises(ParseError):
            parse_facts(sentence)


def test_a_part_of_a_rule_is_the_smallest_rule_with_which_its_sentence_is_true() -> None:
    rule = parse_part("- Making a stone pickaxe uses wood.")
    assert dict(rule.uses) == {"wood": 1} and rule.nearby is UNKNOWN  # type: ignore[attr-defined]
    assert parse_part("A skeleton stays where it is.").shoots is UNKNOWN  # type: ignore[attr-defined]


def test_an_unread_sentence_is_reported_with_the_nearest_form() -> None:
    with pytest.raises(ParseError) as caught:
        parse_facts("3. Collecting from stnoe yields 1 wood.")
    assert caught.value.suggestion == "stone"
    assert parse_facts(caught.value.nearest)


def test_long_unreadable_text_is_refused_quickly() -> None:
    begin = time.process_time()
    for text in (
        "Zombies attack and " * 100,
        "sand, grass, stone and " * 80,
        "Mining stone needs wood, " + "wood and " * 200,
        "it " * 600,
    ):
        assert read(text) is None
    assert time.process_time() - begin < 10


def test_a_fact_makes_the_smallest_rule() -> None:
    facts = [
        Fact("make.iron_pickaxe", "uses", Including({"wood": Element(1)})),
        Fact("make.iron_pickaxe", "nearby", Exactly(())),
    ]
    rule = rule_of(facts)
    assert dict(rule.uses) == {"wood": 1} and rule.nearby == ()  # type: ignore[attr-defined]
    damage = rule_of([Fact("creature.cow", "attack_health_factor", Signed(-1))])
    assert isinstance(damage, Creature) and damage.attack_health_factor == -1


def test_the_cheat_sheet_is_read_and_published() -> None:
    sentences = [line for line in cheat_sheet().splitlines() if line.startswith("- ")]
    assert len(sentences) > 20
    families = {fact.rule.partition(".")[0] for each in sentences for fact in parse_facts(each)}
    assert families == {"neighbour", "walk", "creature", "drink", "collect", "place", "make"}
    assert f"```text\n{cheat_sheet()}```\n" in PAGE


def test_the_page_tells_what_sentences_state() -> None:
    for number, block in enumerate(re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)):
        test = doctest.DocTestParser().get_doctest(block, {}, f"block {number}", None, None)
        assert doctest.DocTestRunner().run(test).failed == 0
    rows = re.findall(r"^\| ([A-Z][^|]+) \| `(\w+\.[^`]+)` \|", PAGE, re.MULTILINE)
    assert len(rows) >= 8
    for sentence, fact in rows:
        begin = fact.removesuffix("\u2026")
        assert any(each.startswith(begin) for each in read(sentence) or ()), sentence


def test_the_page_tells_what_stays_unread() -> None:
    section = PAGE.partition("## What stays unread")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| [^|]+ \| ([A-Z][^|]+) \|", section, re.MULTILINE)
    sentences = [each for row in rows for each in re.split(r"(?<=[.?]) (?=[A-Z])", row)]
    assert len(sentences) >= 12
    assert [each for each in sentences if read(each) is not None] == []
