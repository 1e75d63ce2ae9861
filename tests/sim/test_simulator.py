from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.sim import Simulator, generate_map
from mars_logic.world import names

BUNDLED = (
    "crafter",
    "default",
    "terrain",
    "survival",
    "task_dep",
    "terr_surv",
    "terr_task",
    "surv_task",
    "all_three",
)


def actions_of(steps, n=1, seed=0):
    return np.random.default_rng(seed).integers(0, len(names.ACTIONS), (steps, n))


def play(simulator, actions):
    """The rewards and whether done, step by step, and the state at the end."""
    results = [simulator.step(row) for row in actions]
    rewards = np.array([reward for reward, _ in results])
    dones = np.array([done for _, done in results])
    return rewards, dones, simulator.snapshot().envs


@pytest.mark.parametrize("name", BUNDLED)
def test_every_bundled_world_plays(name):
    world = load_world(name)
    simulator = Simulator(world, n=8)
    simulator.reset(seed=100)
    play(simulator, actions_of(200, 8))
    assert simulator.achievements.shape == (8, len(world.achievements))
    assert simulator.achievements.any()


@pytest.mark.parametrize("name", ["crafter", "all_three"])
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_an_episode_is_the_same_in_any_batch_and_any_number_of_threads(name, threads):
    world = load_world(name)
    actions = actions_of(150, 64)
    batch = Simulator(world, n=64, threads=threads)
    batch.reset(seed=40)
    rewards, dones, envs = play(batch, actions)
    for i in (0, 1, 31, 63):
        single = Simulator(world)
        single.reset(seed=40 + i)
        own_rewards, own_dones, own_envs = play(single, actions[:, i : i + 1])
        np.testing.assert_array_equal(own_rewards[:, 0], rewards[:, i])
        np.testing.assert_array_equal(own_dones[:, 0], dones[:, i])
        assert own_envs[0].tobytes() == envs[i].tobytes()


@settings(max_examples=25, deadline=None)
@given(
    name=st.sampled_from(["crafter", "survival", "all_three"]),
    seed=st.integers(-(2**40), 2**40),
    before=st.integers(0, 120),
    after=st.integers(1, 120),
    choice=st.integers(0, 2**32 - 1),
)
def test_a_restored_snapshot_has_the_same_future(name, seed, before, after, choice):
    world = load_world(name)
    simulator = Simulator(world, n=2)
    simulator.reset(seed)
    actions = actions_of(before + after, 2, choice)
    play(simulator, actions[:before])
    snapshot = simulator.snapshot()
    kept = snapshot.envs.tobytes()
    first = play(simulator, actions[before:])
    assert snapshot.envs.tobytes() == kept
    other = Simulator(world, n=2)
    for again in (simulator, other):
        again.restore(snapshot)
        for one, two in zip(first, play(again, actions[before:]), strict=True):
            assert one.tobytes() == two.tobytes()


def test_resetting_leaves_nothing_of_the_past():
    world = load_world("crafter")
    used, new = Simulator(world, n=3), Simulator(world, n=3)
    used.reset(seed=1)
    play(used, actions_of(300, 3))
    for simulator in (used, new):
        simulator.reset(seed=5, episode=2)
    actions = actions_of(100, 3, seed=8)
    rewards = [play(simulator, actions)[0] for simulator in (used, new)]
    np.testing.assert_array_equal(*rewards)
    for i in range(3):
        one, two = used.state(i), new.state(i)
        np.testing.assert_array_equal(one.materials, two.materials)
        np.testing.assert_array_equal(one.objects, two.objects)
        assert one.inventory.tolist() == two.inventory.tolist()


def test_a_changed_world_takes_effect_in_the_same_process():
    """Rules are arguments of the kernels; none of them is compiled in."""
    world = load_world("crafter")
    grass = world.collect["grass"]
    changed = world.with_rules(grass.model_copy(update={"leaves": "sand"}))
    for rules, ground in ((world, "grass"), (changed, "sand"), (world, "grass")):
        simulator = Simulator(rules)
        simulator.reset(seed=1)
        simulator.step(names.ACTIONS.index("do"))
        state = simulator.state()
        x, y = state.x + state.facing[0], state.y + state.facing[1]
        assert names.MATERIALS[state.materials[x, y]] == ground


def test_an_episode_that_is_done_stays_as_it_is():
    world = load_world("default")
    simulator = Simulator(world, n=2)
    simulator.reset(seed=3)
    noop = np.zeros(2, int)
    for _ in range(simulator.length):
        _, done = simulator.step(noop)
    assert done.all()
    before = simulator.snapshot().envs.tobytes()
    reward, done = simulator.step([1, 5])
    assert reward.tolist() == [0, 0]
    assert done.all()
    assert simulator.snapshot().envs.tobytes() == before
    simulator.reset(seed=3)
    assert not simulator.step(noop).done.any()


def test_the_map_of_a_seed():
    world = load_world("terrain")
    generated = generate_map(world, 12)
    simulator = Simulator(world)
    simulator.reset(12)
    state = simulator.state()
    np.testing.assert_array_equal(generated.materials, state.materials)
    assert generated.materials.dtype == np.uint8
    assert generated.materials.shape == (64, 64)
    assert generated.start == (state.x, state.y) == (32, 32)
    assert len(generated.creatures) == len(state.objects)
    assert {name for name, _, _ in generated.creatures} <= set(names.CREATURES)
    assert not np.array_equal(generate_map(world, 12, episode=2).materials, generated.materials)


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (17, "0 to 16, not 17"),
        (-1, "0 to 16, not -1"),
        (np.uint64(2**64 - 1), "0 to 16"),
        (1.0, "must be integers"),
        (True, "must be integers"),
        ("noop", "must be integers"),
        ([0, 0], r"shape \(1,\), not \(2,\)"),
        ([[0]], r"shape \(1,\), not \(1, 1\)"),
        ([], "must be integers"),
    ],
)
def test_wrong_actions(actions, message):
    simulator = Simulator(load_world("crafter"))
    simulator.reset(1)
    before = simulator.snapshot().envs.tobytes()
    with pytest.raises(ValueError, match=message):
        simulator.step(actions)
    assert simulator.snapshot().envs.tobytes() == before


def test_one_number_is_not_enough_for_two_environments():
    simulator = Simulator(load_world("crafter"), n=2)
    simulator.reset(1)
    with pytest.raises(ValueError, match=r"shape \(2,\), not \(\)"):
        simulator.step(0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": 1.5}, "seed must be an integer, not 1.5"),
        ({"seed": None}, "seed must be an integer"),
        ({"seed": True}, "seed must be an integer"),
        ({"seed": 2**61}, "seed must lie between"),
        ({"seed": -(2**61)}, "seed must lie between"),
        ({"seed": 1, "episode": 0}, "episode must be a positive integer"),
        ({"seed": 1, "episode": "1"}, "episode must be an integer"),
    ],
)
def test_wrong_seeds(arguments, message):
    simulator = Simulator(load_world("crafter"))
    with pytest.raises(ValueError, match=message):
        simulator.reset(**arguments)


@pytest.mark.parametrize("arguments", [{"n": 0}, {"n": -1}, {"n": 1.0}, {"threads": 0}])
def test_wrong_sizes(arguments):
    with pytest.raises(ValueError, match="must be"):
        Simulator(load_world("crafter"), **arguments)


def test_nothing_works_before_the_first_reset():
    simulator = Simulator(load_world("crafter"))
    for call in (lambda: simulator.step(0), simulator.observe, simulator.state):
        with pytest.raises(RuntimeError, match="reset"):
            call()
    with pytest.raises(RuntimeError, match="reset"):
        simulator.snapshot()


def test_a_snapshot_of_another_size():
    one, two = (Simulator(load_world("crafter"), n) for n in (1, 2))
    two.reset(1)
    with pytest.raises(ValueError, match="holds 2 environments, not 1"):
        one.restore(two.snapshot())


def test_memory():
    simulator = Simulator(load_world("crafter"), 4)
    simulator.reset(1)
    assert simulator.snapshot().envs.itemsize < 16 * 1024
