"""Projectiles that a world describes: Crafter's arrow as one of them, and each field."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.sim import Simulator
from mars_logic.world.load import parse_theory

AS_RULE = "name: as_rule\nbase: default\nprojectile: {arrow: {}}\n"


def test_crafters_arrow_is_a_projectile_like_others():
    """Whole episodes are the same as without the rule, and so is every draw."""
    usual, world = load_world("default"), parse_theory(AS_RULE, "as_rule.yaml")
    both = [Simulator(each, 16) for each in (usual, world)]
    for simulator in both:
        simulator.reset(np.arange(16))
    dice = np.random.default_rng(4)
    flown = 0
    for _ in range(400):
        actions = dice.integers(0, 7, 16)
        results = [simulator.step(actions) for simulator in both]
        assert np.array_equal(results[0].reward, results[1].reward)
        flown += sum((simulator.state(3).objects["kind"] == 5).sum() for simulator in both)
    for env in range(16):
        one, other = (simulator.state(env) for simulator in both)
        assert np.array_equal(one.objects, other.objects)
        assert np.array_equal(one.materials, other.materials)
        assert np.array_equal(one.inventory, other.inventory[: len(one.inventory)])
    words = [simulator.snapshot().envs["stream"] for simulator in both]
    assert np.array_equal(words[0], words[1])


RANGE = """\
name: range
base: default
length: 60
map:
  drawn: |
    ###############
    #@............#
    ###############
  legend: {{"@": {{material: path, player: true}}, ".": path, b: {{material: path, creature: boar}},
           "~": water}}
adds:
  items: [bow, shaft, hide]
  creatures: {{boar: {{health: 3, ground: [path]}}}}
  projectiles: [bolt]
projectile: {{bolt: {{{flight}}}}}
shoot: {{bolt: {{requires: {{bow: 1}}, uses: {{shaft: 1}}}}}}
behaviour: {{boar: {{cases: [{case}]}}}}
hunt: {{boar: {{yields: {{hide: 2}}}}}}
"""


def gallery(row="@............", flight="", case="{act: stay}"):
    text = RANGE.format(flight=flight, case=case).replace("#@............#", f"#{row}#")
    return parse_theory(text, "range.yaml")


def start(world, **held):
    """A simulator of a world in which the player holds something and looks to the right."""
    simulator = Simulator(world)
    simulator.reset(1)
    snapshot = simulator.snapshot()
    envs = snapshot.envs.copy()
    player = envs["player"]
    player["facing_x"], player["facing_y"] = 1, 0
    for item, amount in held.items():
        player["inventory"][0, world.vocabulary.items.index(item)] = amount
    simulator.restore(replace(snapshot, envs=envs))
    return simulator


def do(simulator, action="shoot_bolt", times=1):
    for _ in range(times):
        simulator.step(simulator.world.vocabulary.actions.index(action))
    return simulator.state()


def bolts(state, world):
    kind = world.vocabulary.objects.index("bolt")
    return [int(thing["x"]) - state.x for thing in state.objects if thing["kind"] == kind]


def held(state, world, item):
    return int(state.inventory[world.vocabulary.items.index(item)])


def count(state, world, achievement):
    return int(state.achievements[world.vocabulary.achievements.index(achievement)])


def test_shooting_needs_and_uses_items():
    world = gallery()
    for items, shoots in (({"bow": 1, "shaft": 2}, 1), ({"shaft": 2}, 0), ({"bow": 1}, 0)):
        simulator = start(world, **items)
        action = world.vocabulary.actions.index("shoot_bolt")
        assert simulator.action_mask()[0, action] == bool(shoots)
        state = do(simulator)
        assert bolts(state, world) == [1] * shoots
        assert count(state, world, "shoot_bolt") == shoots
        assert held(state, world, "shaft") == items.get("shaft", 0) - shoots
        assert held(state, world, "bow") == items.get("bow", 0)


@pytest.mark.parametrize(("speed", "reach"), [(1, 4), (2, 7)])
def test_speed_is_cells_in_a_step(speed, reach):
    world = gallery(flight=f"speed: {speed}")
    simulator = start(world, bow=1, shaft=1)
    do(simulator)
    assert bolts(do(simulator, "noop", 3), world) == [reach]


@pytest.mark.parametrize("speed", [1, 2])
def test_it_is_gone_after_its_range(speed):
    world = gallery(flight=f"speed: {speed}, range: 4")
    simulator = start(world, bow=1, shaft=1)
    do(simulator)
    assert bolts(do(simulator, "noop", 4 // speed - 1), world) == [5 - speed]
    assert bolts(do(simulator, "noop"), world) == []


def test_the_players_shots_kill_with_all_that_this_brings():
    world = gallery("@....b.......", "damage: 2")
    simulator = start(world, bow=1, shaft=2)
    do(simulator)
    state = do(simulator, times=5)
    assert count(state, world, "kill_boar") == 0
    state = do(simulator, "noop", 6)
    assert count(state, world, "kill_boar") == count(state, world, "collect_hide") == 1
    assert held(state, world, "hide") == 2
    assert not len(state.objects)


@pytest.mark.parametrize(
    ("flight", "loss"), [("harm: -3", 3), ("harm: 0", 0), ("", 4), ("harm: -3, range: 2", 0)]
)
def test_creatures_shoot_it_and_it_harms_the_player(flight, loss):
    text = RANGE.format(flight=flight, case="{act: shoot, projectile: bolt}")
    text = text.replace("#@............#", "#@....b.......#")
    text += "creature: {boar: {arrow_health_factor: -2}}\n"
    world = parse_theory(text, "range.yaml")
    simulator = start(world)
    assert bolts(do(simulator, "noop"), world) == [4]
    state = do(simulator, "noop", 4)
    assert 9 - int(state.inventory[0]) == loss


def test_what_it_flies_over_and_what_it_breaks():
    world = gallery("@..~..T......", "over: [water], breaks: {tree: sand}")
    simulator = start(world, bow=1, shaft=2)
    do(simulator)
    assert bolts(do(simulator, "noop", 2), world) == [3]
    state = do(simulator, "noop", 3)
    assert bolts(state, world) == []
    assert state.materials[state.x + 6, state.y] == world.vocabulary.materials.index("sand")
    world = gallery("@..~.........", "over: []")
    simulator = start(world, bow=1, shaft=1)
    do(simulator)
    assert bolts(do(simulator, "noop", 2), world) == []


def test_the_player_cannot_hit_it():
    world = gallery(flight="speed: 1")
    simulator = start(world, bow=1, shaft=1)
    do(simulator)
    before = simulator.snapshot()
    assert not simulator.action_mask()[0, 5]
    assert bolts(do(simulator, "do"), world) == [2]
    assert before.envs["num_things"][0] == 1
