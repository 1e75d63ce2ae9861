"""Maps generated ahead change nothing but the time of a reset."""

from __future__ import annotations

import pickle
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mars_logic
from mars_logic.sim import Simulator
from mars_logic.sim.drawn_map import first_states
from mars_logic.sim.layout import CAPACITY, env_dtype
from mars_logic.sim.map_pool import EpisodeOfSeed, MapPool
from mars_logic.sim.tables import compile_rules

WORLD = mars_logic.load_world("default")
LENGTH = 5


def contents(simulator: Simulator) -> list[list]:
    """The records without what earlier episodes left behind the things and the known chunks."""
    envs = simulator.snapshot().envs
    used = {"things": "num_things", "thing_x": "num_things", "thing_y": "num_things"}
    used["known"] = "num_known"
    return [
        [
            plain(env[name][: env[used[name]]] if name in used else env[name])
            for name in env.dtype.names
        ]
        for env in envs
    ]


def plain(value) -> list:
    if names := value.dtype.names:
        return [plain(value[name]) for name in names]
    return value.tolist()


def wait_until_ready(pool: MapPool, number: int) -> None:
    give_up = time.monotonic() + 60
    while len(pool._ready) < number and time.monotonic() < give_up:
        time.sleep(0.001)
    assert len(pool._ready) == number


@settings(max_examples=15)
@given(
    size=st.integers(1, 5),
    seed=st.integers(0, 10**6),
    moves=st.lists(
        st.sampled_from(["step", "step", "next", "some", "reset", "copy", "restore"]), max_size=25
    ),
)
def test_episodes_are_the_same_with_and_without(size, seed, moves):
    plain = Simulator(WORLD, 3, length=LENGTH)
    pooled = Simulator(WORLD, 3, length=LENGTH, reset_pool=size)
    random = np.random.default_rng(seed)
    for simulator in (plain, pooled):
        simulator.reset(seed)
    kept = [simulator.snapshot() for simulator in (plain, pooled)]
    for move in moves:
        actions, some = random.integers(0, 17, 3), random.random(3) < 0.5
        if move == "copy":
            pooled = pickle.loads(pickle.dumps(pooled))
        for simulator, snapshot in zip((plain, pooled), kept, strict=True):
            if move == "step":
                simulator.step(actions)
                simulator.next_episode()
            elif move == "next":
                simulator.next_episode([True] * 3)
            elif move == "some":
                simulator.next_episode(some)
            elif move == "reset":
                simulator.reset(actions, where=some)
            elif move == "restore":
                simulator.restore(snapshot)
        assert contents(plain) == contents(pooled)


def test_what_is_prepared_is_taken():
    rules = compile_rules(WORLD, LENGTH)
    pool = MapPool(2, rules, env_dtype(CAPACITY, WORLD.vocabulary), first_states(WORLD))
    pool.prepare((env, EpisodeOfSeed(7 + env, 2)) for env in range(3))
    wait_until_ready(pool, 2)
    simulator = Simulator(WORLD, 3, length=LENGTH)
    simulator.reset(7, 2)
    expected = simulator.snapshot().envs
    simulator.reset(7)
    envs = simulator.snapshot().envs.copy()
    envs["episode"] = 2
    left = pool.take(envs, np.array([True, False, True]))
    assert left.tolist() == [False, False, True]  # the third found no room
    assert envs[0].tobytes() == expected[0].tobytes()
    envs["episode"][1] = 3
    assert pool.take(envs, np.array([False, True, False]))[1]  # another episode is asked for


def test_a_wider_record_has_a_pool_of_its_own():
    simulator = Simulator(WORLD, 1, length=LENGTH, reset_pool=1)
    simulator.reset(3)
    simulator._widen()
    simulator.next_episode([True])
    other = Simulator(WORLD, 1, length=LENGTH)
    other.reset(3, 2)
    assert np.array_equal(simulator.semantic(), other.semantic())


@pytest.mark.parametrize("size", [-1, 1.5, "2"])
def test_its_size_is_a_number(size):
    with pytest.raises(ValueError, match="reset_pool must be"):
        Simulator(WORLD, reset_pool=size)
