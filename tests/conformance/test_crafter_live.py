"""PyPI's Crafter and the simulator, step by step beside each other.

The game is changed in two ways, in memory: it draws no pictures, since they draw night noise from
the world's random stream; and the objects of a chunk are kept in the order in which they entered
it, where the game keeps them in sets, whose order depends on memory addresses.
"""

from __future__ import annotations

import collections
import warnings

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.play.agent import load_agent
from mars_logic.play.certificate import certify, verify
from mars_logic.play.episodes import play
from mars_logic.sim import OBJECTS, Scene, Simulator
from mars_logic.sim.conform import chunks_of
from mars_logic.sim.stream import peek_words
from mars_logic.world import names
from mars_logic.world.vocabulary import vocabulary

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    crafter = pytest.importorskip("crafter")

STEPS = 500
RICH = {"sapling": 9, "wood": 9, "stone": 9, "coal": 5, "iron": 5, "wood_pickaxe": 1}


class OrderedSet(dict):
    def add(self, item):
        self[item] = None

    def remove(self, item):
        del self[item]


@pytest.fixture(autouse=True)
def patched(monkeypatch):
    reset = crafter.engine.World.reset

    def reset_with_order(world, seed=None):
        reset(world, seed)
        world._chunks = collections.defaultdict(OrderedSet)

    monkeypatch.setattr(crafter.engine.World, "reset", reset_with_order)
    monkeypatch.setattr(crafter.Env, "_obs", lambda _: None)


def script(rng):
    """Random actions, and blocks with a purpose: walking and digging, building, sleeping."""
    actions = []
    do, sleep = names.ACTIONS.index("do"), names.ACTIONS.index("sleep")
    while len(actions) < STEPS:
        kind = rng.integers(6)
        length = int(rng.integers(5, 25))
        move = int(rng.integers(1, 5))
        if kind < 2:
            actions += rng.integers(0, len(names.ACTIONS), length).tolist()
        elif kind < 4:
            actions += [action for _ in range(length) for action in (move, do)]
        elif kind == 4:
            actions += [sleep] * (2 * length)
        else:
            actions += [move, *range(7, len(names.ACTIONS))]
    return actions[:STEPS]


def objects_of(env):
    rows = []
    for thing in env._world.objects[1:]:
        kind = OBJECTS.index(type(thing).__name__.lower())
        facing = thing.facing if kind == OBJECTS.index("arrow") else (0, 0)
        rows.append(
            (
                kind,
                *thing.pos.tolist(),
                thing.health,
                getattr(thing, "cooldown", 0),
                getattr(thing, "reload", 0),
                getattr(thing, "grown", 0),
                *map(int, facing),
            )
        )
    return rows


def compare(env, simulator):
    state = simulator.state()
    player = env._player
    np.testing.assert_array_equal(env._world._mat_map, state.materials)
    assert objects_of(env) == [row[:9] for row in state.objects.tolist()]
    assert player.pos.tolist() == [state.x, state.y]
    assert tuple(player.facing) == state.facing
    assert player.sleeping == state.sleeping
    assert list(player.inventory.items()) == list(zip(names.ITEMS, state.inventory, strict=True))
    assert player.achievements == dict(
        zip(vocabulary("crafter").achievements, state.achievements.tolist(), strict=True)
    )
    vitals = (player._hunger, player._thirst, player._fatigue, player._recover)
    assert vitals == (state.hunger, state.thirst, state.fatigue, state.recover)
    assert env._world.daylight == pytest.approx(state.daylight, rel=0, abs=1e-12)
    envs = simulator.snapshot().envs
    assert list(env._world.chunks) == chunks_of(envs[0])
    kind, words, position, *_ = env._world.random.get_state()
    copy = np.random.RandomState()
    copy.set_state((kind, words, position))
    assert copy.randint(0, 2**32, dtype=np.uint64) == peek_words(envs)[0]


@pytest.mark.parametrize("seed", range(20))
def test_the_game_and_the_simulator_do_the_same(seed):
    side_by_side(load_world("crafter"), seed)


def side_by_side(world, seed):
    """Play the same random actions in the game, as it is at the moment, and in the simulator."""
    env = crafter.Env(seed=1000 * seed + 7)
    simulator = Simulator(world)
    actions = script(np.random.default_rng(seed))
    episode = 0
    while actions:
        episode += 1
        env.reset()
        simulator.reset(1000 * seed + 7, episode)
        if seed % 2:  # every other one begins with something to build with
            env._player.inventory.update(RICH)
            simulator.restore(Scene(simulator.snapshot()).player(inventory=RICH).snapshot())
        compare(env, simulator)
        done = False
        while actions and not done:
            action = actions.pop()
            _, reward, done, _ = env.step(action)
            own_reward, own_done = simulator.step(action)
            assert (reward, done) == (own_reward[0], own_done[0])
            compare(env, simulator)


@pytest.mark.slow
def test_a_certificate_of_the_oracle_replays_in_the_game():
    world, seed = load_world("crafter"), 1
    played = play(load_agent("oracle")(), Simulator(world), seed, world.achievements, limit=1000)
    certificate = certify(played, world, "crafter", "oracle")
    assert verify(certificate, world).valid and len(certificate.unlocked) >= 15
    env = crafter.Env(seed=seed)
    env.reset()
    unlocked, rewards = {}, []
    for step, action in enumerate(certificate.actions, start=1):
        _, reward, done, info = env.step(action)
        rewards.append(reward)
        for name, count in info["achievements"].items():
            if count:
                unlocked.setdefault(name, step)
        assert not done or step == certificate.steps
    assert unlocked == certificate.unlocked
    assert sum(rewards) == pytest.approx(certificate.reward)
