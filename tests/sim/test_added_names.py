"""The simulator in worlds that add names."""

from __future__ import annotations

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.sim import Scene, Simulator
from mars_logic.world.load import parse_theory
from mars_logic.world.theory import World
from tests.paths import REPOSITORY

COPPER = load_world(REPOSITORY / "worlds" / "gallery" / "copper.yaml")
WORDS = COPPER.vocabulary


def act(simulator: Simulator, *names: str) -> None:
    for name in names:
        simulator.step([simulator.world.vocabulary.actions.index(name)])


def begun(world: World) -> Simulator:
    simulator = Simulator(world)
    simulator.reset(1)
    return simulator


def held(simulator: Simulator) -> dict[str, int]:
    words = simulator.world.vocabulary
    amounts = simulator.observe().inventory[0, len(words.vitals) :]
    return {
        item: int(n)
        for item, n in zip(words.holdable, amounts, strict=True)
        if n and item in WORDS.items[16:]
    }


def test_rules_about_added_names_are_carried_out() -> None:
    simulator = begun(COPPER)
    scene = Scene(simulator.snapshot(), words=WORDS).clear("grass").fill("copper", 33, 32)
    scene = scene.fill("table", 31, 31)
    simulator.restore(scene.player(at=(32, 32), facing=(1, 0)).snapshot())
    act(simulator, "do")
    assert held(simulator) == {}  # it needs a stone pickaxe
    items = {"stone_pickaxe": 1, "stone": 5, "wood": 2, "sapling": 1}
    scene = Scene(simulator.snapshot(), words=WORDS)
    simulator.restore(scene.player(inventory=items, facing=(1, 0)).snapshot())
    act(simulator, "do")
    assert held(simulator) == {"copper": 1}
    view = simulator.observe().materials[0]
    assert WORDS.materials[view[5, 3]] == "path"
    act(simulator, "make_copper_pickaxe")
    assert held(simulator) == {"copper": 1}  # a kiln is missing
    act(simulator, "place_kiln", "make_brick")  # on the path that the copper left
    view = simulator.observe().materials[0]
    assert WORDS.materials[view[5, 3]] == "kiln"
    act(simulator, "make_copper_pickaxe", "make_pie")
    assert held(simulator) == {"brick": 1, "copper_pickaxe": 1, "pie": 1}
    scene = Scene(simulator.snapshot(), words=WORDS)
    simulator.restore(scene.player(inventory={"food": 3}).snapshot())
    act(simulator, "eat_pie", "eat_pie")
    assert held(simulator) == {"brick": 1, "copper_pickaxe": 1}
    assert simulator.observe().status[0, 1] == 9
    unlocked = {
        name for name, got in zip(WORDS.achievements, simulator.counters[0], strict=True) if got
    }
    assert unlocked == {
        *("collect_copper", "place_kiln", "make_brick", "make_copper_pickaxe"),
        *("make_pie", "eat_pie"),
    }
    state = simulator.state()
    assert WORDS.materials[state.materials[33, 32]] == "kiln"
    assert WORDS.materials[simulator.semantic()[0, 33, 32]] == "kiln"


def test_names_that_are_not_used_change_nothing() -> None:
    world = parse_theory("base: default\nadds: {materials: [ash], items: [ash, pie]}\n", "own.yaml")
    assert isinstance(world, World)
    own, usual = begun(world), begun(load_world("default"))
    draws = np.random.default_rng(0)
    for action in draws.integers(0, 17, 250):
        assert own.step([action]).reward == usual.step([action]).reward
        seen, wanted = own.observe(), usual.observe()
        assert (seen.materials == wanted.materials).all()
        assert (seen.objects == wanted.objects).all()
        assert (seen.inventory[:, :16] == wanted.inventory).all()
    assert (own.semantic()[own.semantic() < 13] == usual.semantic()[own.semantic() < 13]).all()


def test_the_most_names_that_there_can_be() -> None:
    materials, items = [f"m{n}" for n in range(51)], [f"i{n}" for n in range(48)]
    rules = "".join(f"  i{n}: {{uses: {{wood: 1}}, nearby: [m{n}]}}\n" for n in range(48))
    text = f"base: default\nadds: {{materials: {materials}, items: {items}}}\nmake:\n{rules}"
    world = parse_theory(text + "walk: {m50: {walkable: true}}\n", "most.yaml")
    assert isinstance(world, World)
    words = world.vocabulary
    assert len(words.materials) == len(words.items) == 64
    simulator = begun(world)
    scene = Scene(simulator.snapshot(), words=words).clear("m50").fill("m47", 31, 31)
    simulator.restore(scene.player(at=(32, 32), inventory={"wood": 9}).snapshot())
    act(simulator, "make_i46", "make_i47", "move_right")
    assert simulator.positions.tolist() == [[33, 32]]
    amounts = dict(zip(words.items, simulator.observe().inventory[0], strict=True))
    assert (amounts["i46"], amounts["i47"], amounts["wood"]) == (0, 1, 8)


@pytest.mark.slow
def test_masks_of_actions_and_snapshots_have_the_size_of_the_world() -> None:
    simulator = begun(COPPER)
    assert simulator.action_mask().shape == (1, len(WORDS.actions))
    before = simulator.snapshot()
    act(simulator, "move_left", "do")
    simulator.restore(before)
    assert simulator.steps.tolist() == [0]
    with pytest.raises(ValueError, match="the snapshot is of a dialect"):
        begun(load_world("default")).restore(before)
