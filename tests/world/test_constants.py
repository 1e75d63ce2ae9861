"""Constants that a world states: read, written, told, and followed by every layer alike."""

from __future__ import annotations

import dataclasses

import jsonschema
import numpy as np
import pytest

from mars_logic.logic.facts import facts
from mars_logic.plan.world_model import WorldModel
from mars_logic.sim import Simulator
from mars_logic.world import vocabulary as vocabularies
from mars_logic.world.adds import _vocabulary_with
from mars_logic.world.constants import all_constants
from mars_logic.world.diff import beside_rules
from mars_logic.world.dump import to_yaml
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.load import load_world, parse_theory
from mars_logic.world.problems import WorldError
from mars_logic.world.schema import json_schema
from mars_logic.world.source import parse
from mars_logic.world.theory import World
from mars_logic.world.words.manual import manual


def world_of(constants: str, more: str = "") -> World:
    found = parse_theory(f"name: w\nbase: default\nconstants: {constants}\n{more}", "w.yaml")
    assert isinstance(found, World)
    return found


HALF = "{need: {food: {every: 13}}}"


def steps_to_hunger(world: World) -> int:
    simulator = Simulator(world)
    simulator.reset(seed=0)
    for step in range(1, 60):
        simulator.step([0])
        if simulator.observe().inventory[0, 1] < 9:
            return step
    raise AssertionError("it never gets hungry")


def test_half_the_interval_of_food_changes_all_layers_alike() -> None:
    usual, hungry = load_world("default"), world_of(HALF)
    for world, every in ((usual, 26), (hungry, 13)):
        assert steps_to_hunger(world) == every
        assert f"1 food less every {every} steps" in " ".join(manual(world).split())
        assert WorldModel(world).lasts["food"] == every
        assert f"above(hunger, {2 * (every - 1)}, food, -1)." in facts(world)
        assert f"spell(food, {every}, {2 * every - 1})." in facts(world)


def test_a_dialect_with_another_interval_changes_all_layers_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As if the dialect's file said so: nothing else has to be changed."""
    usual = vocabularies.vocabulary("mars")
    food = FrozenMap({**usual.need["food"], "every": 13})
    changed = dataclasses.replace(usual, need=FrozenMap({**usual.need, "food": food}))
    monkeypatch.setattr("mars_logic.world.adds.vocabulary", lambda _: changed)
    _vocabulary_with.cache_clear()
    try:
        world = load_world("default")
        assert steps_to_hunger(world) == WorldModel(world).lasts["food"] == 13
        assert "1 food less every 13 steps" in " ".join(manual(world).split())
        assert "above(hunger, 24, food, -1)." in facts(world)
    finally:
        _vocabulary_with.cache_clear()


def test_damage_and_health_decide_how_many_blows_it_takes() -> None:
    world = world_of("{damage: {wood_sword: 6}, health_at_first: {zombie: 12, skeleton: 4}}")
    model, zombie = WorldModel(world), 3
    assert model.hits(zombie, {"wood_sword": 1}) == 2
    assert model.hits(zombie, {"wood_sword": 1, "iron_sword": 1}) == 2, "the best counts first"
    assert model.hits(zombie, {}) == 12
    told = " ".join(manual(world).split())
    assert "with a wood sword 6, with a stone sword 3" in told
    assert "a cow can take 3, a skeleton 4, a zombie 12" in told
    table = model.table
    assert table["weapon_damage"].tolist() == [6, 5, 3]


def test_without_constants_nothing_is_stated() -> None:
    assert load_world("default").constants == ()
    assert world_of("{need: {food: {every: 26}}}").digest == load_world("default").digest


def test_what_is_written_is_read_as_an_equal_world() -> None:
    world = world_of("{need: {energy: {asleep: -0.5}, drink: {loss: 2}}, ripe_age: 5}")
    again = parse_theory(to_yaml(world), "again.yaml")
    assert again == world
    assert again.digest == world.digest != load_world("default").digest
    told = beside_rules(load_world("default"), world)["constants"]
    assert told == (
        "need drink loss 1, need energy asleep -1, ripe_age 30",
        "need drink loss 2, need energy asleep -0.5, ripe_age 5",
    )


def test_all_constants_are_written_and_read() -> None:
    text = to_yaml(load_world("default"), whole=True)
    stated = parse(text, "w.yaml").data["constants"]
    assert stated["need"]["food"] == {"every": 26, "asleep": 0.5, "loss": 1}
    assert stated["damage"] == {"iron_sword": 5, "stone_sword": 3, "wood_sword": 2}
    assert parse_theory(text, "w.yaml").digest == load_world("default").digest
    assert len(all_constants(load_world("default").vocabulary)) == 19


def test_constants_are_inherited(tmp_path) -> None:
    (tmp_path / "a.yaml").write_text(f"name: a\nbase: default\nconstants: {HALF}\n", "utf-8")
    heir = f"name: b\nbase: {tmp_path / 'a.yaml'}\nconstants: {{ripe_age: 9}}\n"
    words = parse_theory(heir, "b.yaml").vocabulary
    assert (words.need["food"]["every"], words.ripe_age) == (13, 9)


@pytest.mark.parametrize(
    ("constants", "said"),
    [
        ("3", "constants: 3 is not a mapping"),
        ("{nead: {}}", "unknown constant 'nead', did you mean 'need'?; allowed: need, damage"),
        ("{need: {fod: {}}}", "did you mean 'food'"),
        ("{need: {food: {evry: 3}}}", "did you mean 'every'"),
        ("{need: {food: 3}}", "3 is not a mapping; allowed: a mapping of every, asleep, loss"),
        ("{need: {food: {every: 1}}}", "1 is not possible; allowed: a whole number from 2 to 1000"),
        ("{need: {food: {every: 2.5}}}", "2.5 is not possible"),
        ("{need: {food: {every: true}}}", "true is not possible"),
        ("{need: {energy: {asleep: 1}}}", "a multiple of 0.5 from -4 to -0.5"),
        ("{damage: {axe: 3}}", "unknown constant 'axe'"),
        ("{ripe_age: many}", "'many' is not possible"),
    ],
)
def test_wrong_constants_are_refused(constants: str, said: str) -> None:
    with pytest.raises(WorldError) as error:
        world_of(constants)
    assert said in str(error.value)
    assert str(error.value).startswith("w.yaml:3: constants")


def test_the_schema_knows_constants() -> None:
    jsonschema.validate({"base": "default", "constants": {"ripe_age": 5}}, json_schema())
    for wrong in ({"ripe_age": 0}, {"need": {"food": {"every": 2.5}}}, {"needs": {}}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({"base": "default", "constants": wrong}, json_schema())


def test_the_player_sleeps_as_long_as_the_constants_say() -> None:
    def asleep(world: World) -> int:
        simulator = Simulator(world)
        simulator.reset(seed=0)
        codes = world.vocabulary.actions
        while simulator.observe().inventory[0, 3] == 9:
            simulator.step([0])
        steps = 0
        simulator.step([codes.index("sleep")])
        while simulator.observe().sleeping[0]:
            simulator.step([codes.index("sleep")])
            steps += 1
        return steps

    assert np.isclose(
        asleep(world_of("{need: {energy: {asleep: -0.5}}}")), 2 * asleep(world_of("{}")), atol=2
    )
