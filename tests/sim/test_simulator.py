from __future__ import annotations

import copy
import dataclasses
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.sim import Simulator, generate_map
from mars_logic.sim.stream import peek_words
from mars_logic.world import names
from mars_logic.world.load import RELEASED_WORLDS


def actions_of(steps, n=1, seed=0):
    return np.random.default_rng(seed).integers(0, len(names.ACTIONS), (steps, n))


def play(simulator, actions):
    """The rewards and whether done, step by step, and the state at the end."""
    results = [simulator.step(row) for row in actions]
    rewards = np.array([reward for reward, _ in results])
    dones = np.array([done for _, done in results])
    return rewards, dones, simulator.snapshot().envs


@pytest.mark.parametrize("name", RELEASED_WORLDS)
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


def bytes_of(simulator):
    return [env.tobytes() for env in simulator.snapshot().envs]


def mask_of(indices, n):
    mask = np.zeros(n, np.bool_)
    mask[list(indices)] = True
    return mask


@settings(max_examples=20, deadline=None)
@given(
    name=st.sampled_from(["crafter", "all_three"]),
    threads=st.integers(1, 3),
    seeds=st.lists(st.integers(-(2**60), 2**60), min_size=5, max_size=5),
    chosen=st.sets(st.integers(0, 4)),
    episode=st.integers(1, 2**31 - 2),
    before=st.integers(0, 30),
)
def test_resetting_some_is_resetting_each_alone(name, threads, seeds, chosen, episode, before):
    world = load_world(name)
    batch = Simulator(world, n=5, threads=threads)
    batch.reset(seed=9)
    actions = actions_of(before + 20, 5)
    play(batch, actions[:before])
    untouched = bytes_of(batch)
    batch.reset(seeds, np.full(5, episode), where=mask_of(chosen, 5))
    for i in set(range(5)) - chosen:
        assert bytes_of(batch)[i] == untouched[i]
    rewards, _, _ = play(batch, actions[before:])
    for i in chosen:
        single = Simulator(world)
        single.reset(seeds[i], episode)
        own_rewards, _, _ = play(single, actions[before:, i : i + 1])
        np.testing.assert_array_equal(own_rewards[:, 0], rewards[:, i])
        assert_same_state(single.state(), batch.state(i))


def assert_same_state(one, two):
    for field in dataclasses.fields(one):
        np.testing.assert_array_equal(getattr(one, field.name), getattr(two, field.name))


@pytest.mark.parametrize("name", ["crafter", "all_three"])
def test_the_next_episode_is_the_one_after(name):
    """Playing on with auto-reset gives the same as resetting each environment by hand."""
    world = load_world(name)
    n = 16
    batch = Simulator(world, n=n, threads=2)
    batch.reset(seed=3)
    ended = np.zeros(n, np.int64)
    for row in actions_of(900, n):
        _, done = batch.step(row)
        batch.next_episode()
        ended += done
        np.testing.assert_array_equal(batch.episodes, 1 + ended)
        np.testing.assert_array_equal(batch.steps == 0, done)
        for i in np.flatnonzero(done)[:2]:
            fresh = Simulator(world)
            fresh.reset(3 + int(i), int(batch.episodes[i]))
            assert_same_state(fresh.state(), batch.state(i))
            assert peek_words(fresh.snapshot().envs) == peek_words(batch.snapshot().envs)[i]
    assert ended.sum() > n
    np.testing.assert_array_equal(batch.seeds, 3 + np.arange(n))


def test_the_next_episode_of_chosen_environments():
    simulator = Simulator(load_world("crafter"), n=3)
    simulator.reset([5, 5, 7], [2, 2, 1])
    simulator.next_episode([True, False, True])
    assert simulator.episodes.tolist() == [3, 2, 2]
    assert simulator.seeds.tolist() == [5, 5, 7]
    before = simulator.snapshot().envs.tobytes()
    simulator.next_episode()  # none is done
    assert simulator.snapshot().envs.tobytes() == before


def test_what_can_be_asked_of_a_batch():
    simulator = Simulator(load_world("survival"), n=6)
    simulator.reset(seed=4)
    play(simulator, actions_of(150, 6))
    assert simulator.positions.dtype == np.int16
    assert simulator.steps.dtype == np.int32
    assert simulator.seeds.dtype == simulator.episodes.dtype == np.int64
    assert simulator.unlocked.dtype == np.bool_
    np.testing.assert_array_equal(simulator.unlocked, simulator.achievements > 0)
    for i in range(6):
        state = simulator.state(i)
        assert tuple(simulator.positions[i]) == (state.x, state.y)
        assert simulator.steps[i] == state.step


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
        (2**64, "must be integers of 64 bits, not 18446744073709551616"),
        (None, "must be integers of 64 bits, not None"),
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
        ({"seed": [1, 2]}, r"seed must have shape \(1,\), not \(2,\)"),
        ({"seed": [1.0]}, "seed must be integers, not float64"),
        ({"seed": [2**61]}, "seed must be .* not 2305843009213693952"),
        ({"seed": [2**64]}, "seed must be .* not 18446744073709551616"),
        ({"seed": 1, "episode": [0]}, "episode must be 1 to 2147483647, not 0"),
        ({"seed": 1, "where": [1]}, "where must hold truth values, not int64"),
        ({"seed": 1, "where": [True, True]}, r"where must have shape \(1,\), not \(2,\)"),
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
    calls = (
        lambda: simulator.step(0),
        lambda: simulator.reset(1, where=[False]),
        lambda: simulator.positions,
        lambda: simulator.seeds,
        lambda: simulator.unlocked,
        simulator.next_episode,
        simulator.observe,
        simulator.semantic,
        simulator.state,
    )
    for call in calls:
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


@pytest.mark.parametrize(("world", "kind"), [("crafter", "str"), (None, "NoneType")])
def test_what_is_no_world_is_refused(world, kind):
    with pytest.raises(TypeError, match=f"a World, as load_world returns it, not a {kind}"):
        Simulator(world)


def test_the_length_of_episodes_can_be_chosen():
    simulator = Simulator(load_world("all_three"), 2, length=7)
    assert simulator.length == 7
    simulator.reset(3)
    done = [simulator.step([0, 0]).done.tolist() for _ in range(7)]
    assert done == [[False, False]] * 6 + [[True, True]]
    assert Simulator(load_world("all_three"), length=10_000).length == 10_000


@pytest.mark.parametrize("length", [0, -1, 10_001, 2.5, True])
def test_other_lengths_are_refused(length):
    with pytest.raises(ValueError, match="length must be"):
        Simulator(load_world("all_three"), length=length)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))])
def test_a_copy_goes_on_by_itself(threads, duplicate):
    simulator = Simulator(load_world("all_three"), 3, threads=threads)
    simulator.reset(3)
    simulator.step([5, 1, 2])
    copied = duplicate(simulator)
    before = copied.snapshot().envs
    assert (before == simulator.snapshot().envs).all()
    rewards = [simulator.step([1, 2, 3]).reward.tolist() for _ in range(20)]
    assert (copied.snapshot().envs == before).all()
    assert not (simulator.snapshot().envs == before).any()
    assert [copied.step([1, 2, 3]).reward.tolist() for _ in range(20)] == rewards
    assert (copied.snapshot().envs == simulator.snapshot().envs).all()


def test_ended_episodes_that_are_restored_or_copied_go_on():
    simulator = Simulator(load_world("default"), 2, length=3)
    simulator.reset(0)
    for _ in range(3):
        simulator.step([0, 0])
    ended = simulator.snapshot()
    simulator.next_episode()
    assert simulator.episodes.tolist() == [2, 2]
    simulator.next_episode()
    assert simulator.episodes.tolist() == [2, 2]
    simulator.restore(ended)
    for each in (copy.deepcopy(simulator), simulator):
        each.next_episode()
        assert each.episodes.tolist() == [2, 2]
