from __future__ import annotations

from random import Random

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.plan.observed_map import KINDS, START, UNSEEN, Entity, ObservedMap
from mars_logic.sim import Scene, Simulator
from mars_logic.world.names import ACTIONS


def test_an_oracles_map_is_complete() -> None:
    simulator = Simulator(load_world("default"))
    simulator.reset(3)
    state = simulator.state()
    seen = ObservedMap.from_state(state, "mars")
    assert (seen.materials == state.materials).all()
    assert seen.position == START
    assert seen.facing == (0, 1) and seen.ahead == (32, 33)
    assert len(seen.things) == len(state.objects)
    assert all(thing.ago == 0 for thing in seen.things)


@pytest.mark.parametrize(
    ("dynamics", "age", "kind"),
    [
        ("mars", 30, "plant"),
        ("mars", 31, "ripe_plant"),
        ("crafter", 300, "plant"),
        ("crafter", 301, "ripe_plant"),
    ],
)
def test_ripe_plants_are_told_apart(dynamics: str, age: int, kind: str) -> None:
    world = load_world("default" if dynamics == "mars" else "crafter")
    simulator = Simulator(world)
    simulator.reset(1)
    scene = Scene(simulator.snapshot()).clear("grass").put("plant", 30, 30, grown=age)
    simulator.restore(scene.snapshot())
    seen = ObservedMap.from_state(simulator.state(), world.dynamics)
    assert [KINDS[thing.kind] for thing in seen.things] == [kind]


@pytest.mark.parametrize("name", ["default", "all_three", "terrain"])
@pytest.mark.parametrize("seed", [1, 2])
def test_what_a_learner_sees_agrees_with_the_truth(name: str, seed: int) -> None:
    simulator = Simulator(load_world(name))
    simulator.reset(seed)
    random = Random(seed)
    seen = ObservedMap.begin(simulator.observe())
    for _ in range(200):
        action = random.choice((1, 1, 2, 3, 3, 4, 5))
        _, done = simulator.step(action)
        seen = seen.after(simulator.observe(), action)
        state = simulator.state()
        assert seen.position == (state.x, state.y)
        assert seen.facing == state.facing
        known = seen.materials != UNSEEN
        # What is out of view may have changed only by arrows; these worlds' maps stay.
        view = np.zeros_like(known)
        view[max(0, state.x - 4) : state.x + 5, max(0, state.y - 3) : state.y + 4] = True
        assert known[view].all()
        assert (seen.materials[view] == state.materials[view]).all()
        if done[0]:
            break


def test_things_out_of_view_are_remembered_until_their_place_is_seen_again() -> None:
    simulator = Simulator(load_world("default"))
    simulator.reset(1)
    scene = Scene(simulator.snapshot()).clear("stone").put("cow", 36, 32).put("plant", 36, 33)
    scene = scene.fill("path", 20, 32, width=14)
    simulator.restore(scene.snapshot())
    seen = ObservedMap.begin(simulator.observe())
    assert {KINDS[thing.kind] for thing in seen.things} == {"cow", "plant"}
    for _ in range(10):
        simulator.step(1)
        seen = seen.after(simulator.observe(), 1)
    assert seen.position == (22, 32)
    cow = Entity(KINDS.index("cow"), 36, 32, 10)
    assert cow in seen.things
    simulator.restore(Scene(simulator.snapshot()).take(36, 32).snapshot())
    for _ in range(10):
        simulator.step(2)
        seen = seen.after(simulator.observe(), 2)
    assert {KINDS[thing.kind] for thing in seen.things} == {"plant"}


def test_uniform_ground_tells_nothing_but_what_stands_there_does() -> None:
    simulator = Simulator(load_world("default"))
    simulator.reset(1)
    scene = Scene(simulator.snapshot()).clear("path").put("plant", 33, 32)
    simulator.restore(scene.snapshot())
    seen = ObservedMap.begin(simulator.observe())
    for action, place in ((2, (32, 32)), (1, (31, 32)), (3, (31, 31))):
        simulator.step(action)
        seen = seen.after(simulator.observe(), action)
        assert seen.position == place == (simulator.state().x, simulator.state().y)


def test_status_words() -> None:
    from tests.plan.scenes import status

    known = status(wood=3, health=4)
    assert known.held == {"wood": 3}
    assert known.amount("health") == 4 and known.amount("stone") == 0
    assert len(known.inventory) == 16 and len(ACTIONS) == 17


def test_an_arrow_of_any_direction_is_an_arrow() -> None:
    simulator = Simulator(load_world("default"))
    simulator.reset(1)
    scene = Scene(simulator.snapshot()).clear("path")
    scene.put("arrow", 30, 30, facing_x=1).put("arrow", 33, 34, facing_y=-1)
    simulator.restore(scene.snapshot())
    things = ObservedMap.begin(simulator.observe()).things
    assert [KINDS[thing.kind] for thing in things] == ["arrow", "arrow"]
    assert things == ObservedMap.from_state(simulator.state(), "mars").things
