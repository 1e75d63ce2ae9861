import doctest
import re
from itertools import pairwise
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.errors import InputError
from mars_logic.world import names
from mars_logic.world.load import bundled_worlds
from mars_logic.world.rules import FAMILIES, Collect, Creature, Make, Neighbour, Rename, Rule, Walk
from mars_logic.world.theory import World
from mars_logic.world.words import WHOLE_RULES, ParseError, manual, parse, tell
from mars_logic.world.words.manual import says_nothing
from tests.paths import REPOSITORY
from tests.world.strategies import rules, worlds

# --- Round trips --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", bundled_worlds())
def test_every_rule_of_every_world_survives_telling(name: str) -> None:
    for rule in load_world(name).rules():
        sentence = tell(rule)
        assert parse(sentence) == rule, sentence
        assert re.fullmatch(r"[A-Z][\x20-\x7e]*[^ ]\.", sentence), sentence


@pytest.mark.parametrize("kind", FAMILIES)
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_rule_survives_telling(kind: type[Rule], data: st.DataObject) -> None:
    rule = data.draw(rules(kind))
    sentence = tell(rule)
    assert parse(sentence) == rule
    assert sentence.isascii() and sentence.isprintable() and "  " not in sentence


@settings(deadline=None)
@given(st.lists(rules(), min_size=2, max_size=8))
def test_different_rules_have_different_sentences(some: list[Rule]) -> None:
    for one, other in pairwise(some):
        assert (tell(one) == tell(other)) == (one == other)


def test_sentences_of_the_bundled_worlds_are_as_many_as_their_rules() -> None:
    told = {rule for name in bundled_worlds() for rule in load_world(name).rules()}
    assert len({tell(rule) for rule in told}) == len(told)


@settings(deadline=None)
@given(rules(), st.randoms(use_true_random=True))
def test_writing_may_be_careless(rule: Rule, random: Random) -> None:
    sentence = tell(rule).rstrip(".")
    words = sentence.replace("(", "( ").split(" ")
    careless = "".join(
        random.choice([word, word.upper(), word.lower()]) + random.choice([" ", "  ", "\n", " _"])
        for word in words
    )
    assert parse(careless) == rule
    assert parse(re.sub(r"[,;()]|\b(a|an|the) ", "", sentence)) == rule


# --- What is said -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        (Neighbour(subject="coal"), "Coal is surrounded by nothing special."),
        (Rename(subject="tree", material="path"), "Where the map would have trees, it has path."),
        (
            Walk(subject="lava", walkable=True, health=-2, deadly=True),
            "Lava can be walked on; any move on it kills the player "
            "(and would cost 2 health if it did not).",
        ),
        (
            Creature(subject="cow", eatable=False, eaten_food_factor=1, attack_health_factor=-1),
            "A cow can be killed but not eaten (that would give 6 food); it stays where it is; "
            "each hit would cost 2 health (7 if the player sleeps).",
        ),
        (
            Creature(subject="plant", eatable=False, walks=True, shoots=True),
            "A ripe plant can be eaten, although listed as inedible, which changes nothing; "
            "it wanders about and shoots arrows; each arrow does nothing.",
        ),
        (
            Collect(
                subject="tree",
                requires={"iron_pickaxe": 1, "diamond": 2},
                yields={
                    "wood": 1,
                    "coal": 1,
                    "iron": {"amount": 2, "probability": 0.08},
                    "stone": {"amount": 1, "probability": 1e-300},
                },
                spawns={"zombie": 0.125},
            ),
            "Collecting from a tree needs 2 diamonds and an iron pickaxe, yields 1 wood and 1 coal "
            "plus 2 iron with an 8% chance or 1 stone with probability 1e-300, leaves it as it is, "
            "and lets a zombie appear with a 12.5% chance.",
        ),
        (
            Collect(subject="sand", collectable=False, leaves="path"),
            "Nothing can be collected from sand "
            "(if it could, that would need nothing, yield nothing and leave a path).",
        ),
        (
            Make(subject="iron_sword", uses={}, nearby=[], gives=2),
            "Making 2 iron swords uses nothing and needs nothing nearby.",
        ),
    ],
)
def test_telling(rule: Rule, sentence: str) -> None:
    assert tell(rule) == sentence
    assert parse(sentence) == rule


@pytest.mark.parametrize(
    ("sentence", "same"),
    [
        (
            "placing table consumes 2 diamonds, works on grass",
            "Placing a table uses 2 diamonds and works on grass.",
        ),
        (
            "CRAFTING WOOD_PICKAXE NEEDS TABLE NEARBY, USES WOOD",
            "Making a wood pickaxe uses 1 wood and needs a table nearby.",
        ),
        (
            "mining diamond gives one coal",
            "Collecting from diamond needs nothing, yields 1 coal and leaves it as it is.",
        ),
        (
            "- Collecting from trees leaves the grass and yields woods with probability 0.5 ...",
            "Collecting from a tree needs nothing, yields 1 wood with a 50% chance and leaves "
            "grass.",
        ),
        (
            "Sand can be walked on, any move on it restores 1 health",
            "Sand can be walked on; any move on it gives 1 health.",
        ),
    ],
)
def test_other_ways_to_say_the_same(sentence: str, same: str) -> None:
    assert tell(parse(sentence)) == same


# --- What cannot be read ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentence", "unread", "suggestion", "nearest"),
    [
        ("Collecting from stnoe yields 1 coal.", "stnoe", "stone", "Collecting from stone"),
        ("Colecting from stone yields 1 wood", "Colecting", "collecting", "Collecting from stone"),
        ("Making a wood axe uses 1 wood", "axe", "pickaxe", "Making a wood pickaxe"),
        ("Placing a table on grass.", "on grass", None, "Placing a table"),
        ("Placing a table uses 2 wood", "", None, "Placing a table"),
        ("Grass can be walked on. Really.", "Really", None, "Grass can be walked on"),
        (
            "Grass can be walked on; any move on it gives 10 health",
            "10 health",
            None,
            "Grass can be",
        ),
        ("Grass can be walked on; any move on it gives x health", "x health", None, "Grass can be"),
        (
            "A cow can be eaten, which gives 5 food; it wanders about",
            "5 food",
            None,
            "A cow can be eaten, which gives 6 food",
        ),
        (
            "A cow can be killed but not eaten; it attacks and stays where it is and wanders about",
            "wanders about",
            None,
            "A cow can be eaten",
        ),
        (
            "A cow can be killed but not eaten; it attacks; each hit costs 2 health (14 if the "
            "player sleeps)",
            "14",
            None,
            "A cow can be eaten",
        ),
        ("Collecting from iron yields 12 coal", "12 coal", None, "Collecting from iron"),
        ("Collecting from iron yields 1 coal and 2 coal", "2 coal", None, "Collecting from iron"),
        ("Collecting from iron yields 1 coal with a 101% chance", "101% chance", None, "Coll"),
        ("Collecting from iron yields 1 coal with probability x", "x", None, "Collecting from"),
        ("Collecting from iron yields 1 coal with 10% chnce", "chnce", "chance", "Collecting"),
        ("Quux expects this", "Quux expects this", None, ""),
        ("", "", None, ""),
        ("?" * 10_000_000, "?" * 10_000_000, None, ""),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else None,
)
def test_what_cannot_be_read_is_named_with_the_nearest_form(
    sentence: str, unread: str, suggestion: str | None, nearest: str
) -> None:
    with pytest.raises(ParseError) as caught:
        parse(sentence)
    error = caught.value
    assert isinstance(error, InputError)
    assert (error.sentence, error.unread, error.suggestion) == (sentence, unread, suggestion)
    assert error.nearest.startswith(nearest)
    assert tell(parse(error.nearest)) == error.nearest
    assert error.nearest in str(error)
    assert len(str(error)) < 700 and "\n" not in str(error)


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("Collecting from iron yields 1 coal with 60% chance or 1 iron with 60% chance", "above 1"),
        ("Water is surrounded by nothing special", "a material is needed here"),
    ],
)
def test_what_validation_refuses_is_refused(sentence: str, why: str) -> None:
    with pytest.raises(ParseError, match=why):
        parse(sentence)


def test_expected_words_are_listed_if_they_are_few() -> None:
    with pytest.raises(ParseError, match=r"\(expected does not, needs, uses, with or works\)"):
        parse("Placing a table on grass")
    with pytest.raises(ParseError, match=r"\(expected trees or a name\)"):
        parse("Where the map would have")
    with pytest.raises(ParseError, match=r"food from 6 to 54 in steps of 6"):
        parse("A cow can be eaten, which gives 5 food")


@pytest.mark.slow
@settings(deadline=None)
@given(rules(), st.data())
def test_no_mutilated_sentence_ends_in_another_error(rule: Rule, data: st.DataObject) -> None:
    words = tell(rule).split()
    words[data.draw(st.integers(0, len(words) - 1))] = data.draw(st.text(max_size=6))
    try:
        parse(" ".join(words))
    except ParseError as error:
        parse(error.nearest)


# --- The manual ---------------------------------------------------------------------------------


def _items(text: str) -> list[str]:
    return [line.removeprefix("- ") for line in text.splitlines() if line.startswith("- ")]


def _told(world: World) -> list[Rule]:
    return [rule for rule in world.rules() if not says_nothing(rule)]


@pytest.mark.parametrize("name", bundled_worlds())
def test_the_manual_tells_every_rule_that_says_something(name: str) -> None:
    world = load_world(name)
    text = manual(world)
    assert [parse(sentence) for sentence in _items(text)] == _told(world)
    assert text.isascii() and text.startswith(f"# The world {name}: ") and text.endswith(".\n")
    for achievement in world.achievements:
        assert achievement.replace("_", " ") in text.replace("\n", " ")


def test_the_manual_says_that_its_sentences_tell_whole_rules() -> None:
    assert manual(load_world("default")).splitlines()[2] == WHOLE_RULES


@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(worlds())
def test_the_manual_of_any_world_parses_back(world: World) -> None:
    assert [parse(sentence) for sentence in _items(manual(world))] == _told(world)


def test_the_manual_is_grouped_and_leaves_out_what_is_empty() -> None:
    headings = re.findall(r"^#+ .*", manual(load_world("crafter")), re.MULTILINE)
    assert headings[1:] == [
        "## What is always so",
        "## Terrain",
        "### What lies where",
        "### Walking",
        "## Survival",
        "### Creatures",
        "## Task",
        "### Collecting",
        "### Placing",
        "### Making",
        "## Achievements",
    ]
    assert "### Drinking" in manual(load_world("default"))


def test_the_manual_knows_the_dialect() -> None:
    assert "after 10000 steps" in manual(load_world("crafter")).replace("\n", " ")
    assert "after 1000 steps" in manual(load_world("default")).replace("\n", " ")


def test_rules_that_say_nothing() -> None:
    quiet = [rule.id for rule in load_world("crafter").rules() if says_nothing(rule)]
    assert quiet == [*(f"rename.{m}" for m in names.NATURAL), "drink.water", "drink.lava"]
    assert says_nothing(Neighbour(subject="lava"))


# --- The page of the documentation ---------------------------------------------------------------

PAGE = (REPOSITORY / "docs" / "rules.md").read_text(encoding="utf-8")


def test_the_page_shows_true_sentences_of_every_family() -> None:
    rows = re.findall(r"^\| `(\w+)` \|.*\| `([\w.]+)` \| (.+?) \|$", PAGE, re.MULTILINE)
    assert [family for family, _id, _sentence in rows] == [kind.family for kind in FAMILIES]
    world = load_world("all_three")
    for _family, rule_id, sentence in rows:
        assert tell(world[rule_id]) == sentence


def test_the_page_runs() -> None:
    results = doctest.testfile(
        str(REPOSITORY / "docs" / "rules.md"),
        module_relative=False,
        optionflags=doctest.ELLIPSIS,
        parser=_Fenced(),
    )
    assert results.attempted and not results.failed


class _Fenced(doctest.DocTestParser):
    """Reads the examples of a Markdown page; the end of a block of code ends an output."""

    def parse(self, string: str, name: str = "<string>") -> list:
        return super().parse(string.replace("```", ""), name)
