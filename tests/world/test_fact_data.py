"""Facts as data: the schema, what it admits, and how it is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema
import pytest

from mars_logic.theory.rulesets.rule_data import facts_of_states
from mars_logic.world.families import families_of
from mars_logic.world.load import bundled_worlds, load_world
from mars_logic.world.rules import Rule
from mars_logic.world.theory import Theory, World
from mars_logic.world.vocabulary import vocabulary
from mars_logic.world.words import parse_facts
from mars_logic.world.words.fact_data import (
    FactError,
    data_of,
    fact_sheet,
    facts_schema,
    read_fact,
)
from mars_logic.world.words.fact_sentences import fact_text
from mars_logic.world.words.facts import Exactly, Excluding, Fact, Signed, facts_of

OWN = "worlds/gallery/workshops.yaml"
MARS = vocabulary("mars")


def entry_of(rule: Rule, field: str) -> dict[str, Any]:
    """A field's whole value as an entry."""
    value = getattr(rule, field)
    about: dict[str, Any] = {"rule": rule.id, "field": field}
    if not isinstance(value, Mapping | tuple):
        return {**about, "value": value}
    return {**about, "has": [*_elements(field, value)], "lacks": [], "complete": True}


def _elements(field: str, value: Any) -> Iterator[Any]:
    for name in value:
        if field in ("where", "nearby"):
            yield name
        elif field == "spawns":
            yield {"name": name, "probability": value[name]}
        elif field == "yields":
            yield {"name": name, **value[name].model_dump()}
        else:
            yield {"name": name, "amount": value[name]}


def entries(world: World) -> Iterator[tuple[Rule, str, dict[str, Any]]]:
    for rule in world.rules():
        for field in rule.field_names():
            yield rule, field, entry_of(rule, field)


@pytest.mark.parametrize("name", [*bundled_worlds(), OWN])
def test_every_field_of_every_world_can_be_stated(name: str) -> None:
    world = load_world(name)
    words = world.vocabulary
    validator = jsonschema.Draft202012Validator(facts_schema(words))
    found = [*entries(world)]
    assert not [*validator.iter_errors([entry for _, _, entry in found])]
    for rule, field, entry in found:
        (fact,) = read_fact(entry, words)
        assert fact == Fact(rule.id, field, Exactly(getattr(rule, field)))
        assert fact.holds_in(world)


def test_all_fields_are_required_and_none_is_added() -> None:
    """Endpoints with strict structured output ask for that."""

    def objects(schema: Any) -> Iterator[Mapping[str, Any]]:
        if isinstance(schema, dict):
            if schema.get("type") == "object":
                yield schema
            for each in schema.values():
                yield from objects(each)
        elif isinstance(schema, list):
            for each in schema:
                yield from objects(each)

    found = [*objects(facts_schema(MARS))]
    assert len(found) > 15
    for each in found:
        assert each["additionalProperties"] is False
        assert each["required"] == [*each["properties"]]


def test_the_page_names_every_rule_and_field() -> None:
    words = load_world(OWN).vocabulary
    lines = fact_sheet(words).splitlines()
    for kind, line in zip(families_of(words), lines, strict=True):
        assert line.startswith(f"- {kind.family}.{{{'|'.join(words.subjects[kind.family])}}}: ")
        assert all(f" {field} (" in line for field in kind.field_names())


STONE = {"rule": "collect.stone", "field": "requires"}
GRASS = {"rule": "collect.grass", "field": "yields"}
NEAR = {"rule": "make.stone_pickaxe", "field": "nearby"}


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({**STONE, "has": ["wood_pickaxe"]}, ["collect.stone.requires has wood_pickaxe"]),
        (
            {**STONE, "has": [{"name": "coal", "amount": 2}], "lacks": ["wood"]},
            ["collect.stone.requires has coal 2", "collect.stone.requires lacks wood"],
        ),
        ({**STONE, "complete": True}, ["collect.stone.requires = nothing"]),
        ({**STONE, "has": []}, []),
        (
            {**GRASS, "has": [{"name": "sapling", "amount": 1, "probability": 0.1}]},
            ["collect.grass.yields has sapling 1 @ 0.1"],
        ),
        ({**NEAR, "has": ["table"], "complete": True}, ["make.stone_pickaxe.nearby = table"]),
        ({"rule": "walk.sand", "field": "health", "value": "loss"}, ["walk.sand.health < 0"]),
        ({"rule": "walk.sand", "field": "health", "value": "unknown"}, []),
        ({"rule": "neighbour.coal", "field": "material", "value": None},
         ["neighbour.coal.material = None"]),
    ],
)  # fmt: skip
def test_entries_say_as_much_as_they_state(entry: dict[str, Any], told: list[str]) -> None:
    assert [str(each) for each in read_fact(entry, MARS)] == told


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (7, "7 is not an object"),
        ({}, "there is no rule null"),
        ({"rule": "collect.ston"}, "did you mean 'collect.stone'?"),
        ({"rule": "walk.sand", "field": "speed"}, "its fields are: walkable, health, deadly"),
        ({"rule": "walk.sand", "field": "health"}, "its value is missing"),
        ({"rule": "walk.sand", "field": "health", "value": 77}, "77 is out of range; allowed:"),
        ({"rule": "walk.sand", "field": "health", "value": [1]}, "a list is not a whole number"),
        ({"rule": "walk.sand", "field": "walkable", "value": 1}, "1 is neither true nor false"),
        ({"rule": "walk.sand", "field": "walkable", "value": "gain"}, "neither true nor false"),
        ({"rule": "walk.sand", "field": "deadly", "has": []}, "unknown key 'has'"),
        ({**STONE, "has": ["table"]}, "'table' cannot be in it"),
        ({**STONE, "has": "wood"}, "has and lacks are lists"),
        ({**STONE, "has": ["wood", "wood"]}, "a name is in it twice"),
        ({**STONE, "has": ["wood"], "lacks": ["wood"]}, "a name is in it twice"),
        ({**STONE, "has": ["wood"], "complete": True}, "an amount is open"),
        ({**STONE, "has": [{"name": "wood", "amount": 0}]}, "0 is no amount"),
        ({**STONE, "has": [{"name": "wood", "amount": True}]}, "true is no amount"),
        ({**STONE, "has": [{"name": "wood", "many": 1}]}, "unknown key 'many'"),
        ({**STONE, "has": [7]}, "7 is no element of it"),
        ({**STONE, "lacks": [{}]}, "a mapping cannot be in it"),
        ({**STONE, "has": [{"name": "wood", "amount": 1, "probability": 0.5}]}, "unknown key"),
        ({**GRASS, "has": [{"name": "wood", "probability": 7}]}, "7 is no probability"),
        ({**NEAR, "has": [{"name": "table"}]}, "a mapping is no element of it"),
    ],
)
def test_what_is_no_fact_is_told(entry: Any, told: str) -> None:
    with pytest.raises(FactError) as error:
        read_fact(entry, MARS)
    assert told in str(error.value)


def test_a_fact_is_told_as_a_sentence_that_says_just_that() -> None:
    sentences = 0
    for _, _, entry in entries(load_world("all_three")):
        (fact,) = read_fact(entry, MARS)
        text = fact_text(fact, MARS)
        if text != str(fact):
            sentences += 1
            assert parse_facts(text) == (fact,)
    assert sentences > 60


@pytest.mark.parametrize("name", ["all_three", OWN])
def test_what_is_written_of_any_fact_is_read_back(name: str) -> None:
    """In files of this version, and in those of earlier ones."""
    world = load_world(name)
    blank = Theory.unknown(world.dynamics, world.adds)
    facts = [fact for rule in world.rules() for fact in facts_of(rule)]
    facts += [
        Fact("walk.sand", "health", Signed(-1)),
        Fact("collect.tree", "yields", Excluding(("coal", "iron"))),
    ]
    for fact in facts:
        value = world[fact.rule].model_dump(mode="json")[fact.field]
        now = {fact.field: data_of(fact.said, fact.field, value)}
        for stated in (now, {fact.field: _earlier(now[fact.field])}):
            assert facts_of_states(fact.rule, stated, blank)[1] == (fact,), stated


def _earlier(about: dict[str, Any]) -> dict[str, Any]:
    """The same in the notation of earlier versions."""
    if about.get("value") in ("gain", "loss"):
        return {"sign": 1 if about["value"] == "gain" else -1}
    if "value" in about:
        return {"is": about["value"]}
    if "has" not in about:
        return about
    return {
        "has": {
            each if isinstance(each, str) else each["name"]: {}
            if isinstance(each, str)
            else {key: value for key, value in each.items() if key != "name"}
            for each in about["has"]
        }
    }
