from __future__ import annotations

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from mars_logic.errors import InputError

MODES = [mode.value for mode in AutoresetMode]
N = 4


def one_by_one(world, mode, num_envs=N, **kwargs):
    """Gymnasium's own batch of single environments."""
    return gymnasium.make_vec(
        f"mars_logic/{world}-v0",
        num_envs,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": mode},
        **kwargs,
    )


def assert_infos_agree(infos, theirs, achievements):
    """Ours are arrays where theirs are dictionaries of one number for each environment."""
    who = infos["_inventory"]
    assert who.tolist() == theirs["_inventory"].tolist()
    for key, names in (("inventory", None), ("achievements", achievements)):
        rows = np.stack([theirs[key][name] for name in names or list(theirs[key])[::2]], axis=1)
        np.testing.assert_array_equal(infos[key][who], rows[who])
    for key in ("player_pos", "semantic", "discount", "reward", "action_mask"):
        np.testing.assert_array_equal(infos[key][who], theirs[key][who])
        assert infos[key].dtype == theirs[key].dtype
        assert infos[f"_{key}"].tolist() == who.tolist()
    for env in np.flatnonzero(who):
        names = [
            name for name, new in zip(achievements, infos["unlocked"][env], strict=True) if new
        ]
        assert names == theirs["unlocked"][env]


def assert_steps_agree(step, other, achievements):
    *arrays, infos = step
    *their_arrays, theirs = other
    np.testing.assert_equal(arrays, their_arrays)
    assert_infos_agree(infos, theirs, achievements)
    assert ("final_obs" in infos) == ("final_obs" in theirs)
    if "final_obs" in infos:
        np.testing.assert_array_equal(infos["_final_obs"], theirs["_final_obs"])
        np.testing.assert_array_equal(infos["_final_info"], theirs["_final_info"])
        for own, their in zip(infos["final_obs"], theirs["final_obs"], strict=True):
            np.testing.assert_equal(own, their)
        assert_infos_agree(infos["final_info"], theirs["final_info"], achievements)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("observation", ["symbolic", "codes", "image", "text"])
@pytest.mark.parametrize("mode", MODES)
def test_a_batch_does_what_single_environments_do(mode, observation, threads, make_vec):
    kwargs = {"observation": observation, "length": 45}
    envs = make_vec(
        "AllThree",
        N,
        autoreset_mode=mode,
        threads=threads,
        extras=("semantic", "action_mask"),
        **kwargs,
    )
    others = one_by_one("AllThree", mode, **kwargs)
    achievements = envs.unwrapped.game.simulator.world.achievements
    assert envs.observation_space == others.observation_space
    assert envs.action_space == others.action_space
    assert envs.metadata["autoreset_mode"] is others.metadata["autoreset_mode"]
    start, theirs = envs.reset(seed=21), others.reset(seed=21)
    np.testing.assert_equal(start[0], theirs[0])
    assert_infos_agree(start[1], theirs[1], achievements)
    rng = np.random.default_rng(3)
    ends = 0
    for _ in range(200):
        actions = rng.integers(0, 17, N)
        step, other = envs.step(actions), others.step(actions)
        assert_steps_agree(step, other, achievements)
        over = step[2] | step[3]
        ends += int(over.sum())
        if mode == "Disabled" and over.any():
            start = envs.reset(options={"reset_mask": over})
            theirs = others.reset(options={"reset_mask": over.copy()})
            np.testing.assert_equal(start[0], theirs[0])
            assert_infos_agree(start[1], theirs[1], achievements)
    assert ends >= 10


def test_seeds_one_for_each_or_one_for_all(make_vec):
    envs = make_vec("Crafter", 3)
    simulator = envs.unwrapped.game.simulator

    def playing():
        return list(zip(simulator.seeds.tolist(), simulator.episodes.tolist(), strict=True))

    envs.reset(seed=5)
    assert playing() == [(5, 1), (6, 1), (7, 1)]
    envs.reset()
    assert playing() == [(5, 2), (6, 2), (7, 2)]
    envs.reset(seed=[9, None, 5])
    assert playing() == [(9, 1), (6, 3), (5, 1)]
    envs.reset(options={"episode": 4})
    assert playing() == [(9, 4), (6, 4), (5, 4)]
    envs.reset(
        options={"episode": np.array([1, 2, 3]), "reset_mask": np.array([True, False, True])}
    )
    assert playing() == [(9, 1), (6, 4), (5, 3)]
    envs.reset(seed=[1, 2, 3], options={"reset_mask": np.array([False, False, True])})
    assert playing() == [(9, 1), (6, 4), (3, 1)]


def test_without_a_seed_all_are_drawn(make_vec):
    drawn = []
    for _ in range(2):
        envs = make_vec("Crafter", 3)
        envs.reset()
        drawn += envs.unwrapped.game.simulator.seeds.tolist()
    assert len(set(drawn)) == 6


@pytest.mark.parametrize(
    ("kwargs", "error", "message"),
    [
        ({"seed": [1, 2]}, ValueError, "seed must hold 3 seeds, not 2"),
        ({"seed": "abc"}, ValueError, "seed must be an integer .*, not 'abc'"),
        ({"seed": "a"}, ValueError, "seed must be an integer .*, not 'a'"),
        ({"seed": 1.5}, ValueError, "seed must be an integer .*, not 1.5"),
        ({"seed": True}, ValueError, "seed must be an integer .*, not True"),
        ({"options": {"mask": 1}}, InputError, "allowed: episode, reset_mask"),
        ({"options": {"reset_mask": [True] * 3}}, InputError, r"array bool\[3\]"),
        ({"options": {"reset_mask": np.ones(2, bool)}}, InputError, r"array bool\[3\]"),
        ({"options": {"reset_mask": np.ones(3)}}, InputError, r"array bool\[3\]"),
        ({"options": {"reset_mask": np.zeros(3, bool)}}, InputError, "at least one"),
        ({"options": {"episode": [1, 2]}}, ValueError, "episode must have shape"),
    ],
)
def test_resets_that_are_refused(make_vec, kwargs, error, message):
    envs = make_vec("Crafter", 3)
    envs.reset(seed=1)
    before = envs.unwrapped.game.simulator.snapshot().envs
    with pytest.raises(error, match=message):
        envs.reset(**kwargs)
    assert (envs.unwrapped.game.simulator.snapshot().envs == before).all()


def test_some_cannot_be_reset_before_all(make_vec):
    with pytest.raises(RuntimeError, match="call reset"):
        make_vec("Crafter", 2).reset(seed=1, options={"reset_mask": np.array([True, False])})


def test_what_is_over_has_to_be_reset_if_nothing_else_does_it(make_vec):
    envs = make_vec("Default", 2, length=3, autoreset_mode="Disabled")
    envs.reset(seed=1)
    for _ in range(3):
        envs.step([0, 0])
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"\[0, 1\]"):
        envs.step([0, 0])
    envs.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"\[1\]"):
        envs.step([0, 0])


def comparable(returned):
    """The same with final observations as a list: numpy cannot compare an array of arrays."""
    *arrays, infos = returned
    return [*arrays, infos | {"final_obs": list(infos.get("final_obs", ()))}]


@pytest.mark.parametrize("observation", ["symbolic", "image"])
@pytest.mark.parametrize("mode", MODES[:2])
def test_new_arrays_each_time_or_the_same(make_vec, mode, observation):
    """With copies, nothing returned ever changes; without, observations are overwritten."""
    kwargs = {"autoreset_mode": mode, "observation": observation, "length": 20}
    fresh, reused = make_vec("Default", 3, **kwargs), make_vec("Default", 3, copy=False, **kwargs)
    returned = [fresh.reset(seed=1)]
    kept = [copy.deepcopy(returned[0])]
    first, _ = reused.reset(seed=1)
    rng = np.random.default_rng(0)
    for _ in range(60):
        actions = rng.integers(0, 17, 3)
        returned.append(fresh.step(actions))
        kept.append(copy.deepcopy(returned[-1]))
        step = reused.step(actions)
        np.testing.assert_equal(comparable(step), comparable(returned[-1]))
        step[1][:] = 99  # rewards may be changed in place, as some wrappers do
        array, again = (
            (first, step[0]) if observation == "image" else (first["objects"], step[0]["objects"])
        )
        assert np.shares_memory(array, again)
    np.testing.assert_equal(list(map(comparable, returned)), list(map(comparable, kept)))


def test_masks_of_a_batch(make_vec):
    envs = make_vec("Default", 5, actions="split", extras=("action_mask",))
    _, infos = envs.reset(seed=1)
    masks = envs.unwrapped.action_masks()
    assert (masks.dtype, masks.shape) == (np.bool_, (5, 27))
    np.testing.assert_array_equal(infos["action_mask"], masks)


def test_rendering(make_vec):
    envs = make_vec("Default", 2, render_mode="rgb_array", render_size=(90, 90))
    envs.reset(seed=1)
    frames = envs.render()
    assert isinstance(frames, tuple)
    assert [frame.shape for frame in frames] == [(90, 90, 3)] * 2
    assert all(isinstance(text, str) for text in rendered(make_vec, "ansi"))
    with pytest.warns(UserWarning, match="no render_mode"):
        assert rendered(make_vec, None) is None


def rendered(make_vec, mode):
    envs = make_vec("Default", 2, render_mode=mode)
    envs.reset(seed=1)
    return envs.render()


@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_can_be_pickled(make_vec, threads):
    envs = make_vec("Default", 3, threads=threads, length=10)
    envs.reset(seed=1)
    envs.step([1, 2, 3])
    other = pickle.loads(pickle.dumps(envs))
    for _ in range(30):
        np.testing.assert_equal(envs.step([1, 5, 2]), other.step([1, 5, 2]))


@pytest.mark.parametrize("mode", MODES[:2])
def test_gymnasiums_statistics_of_episodes(make_vec, mode):
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(
        make_vec("Default", 3, length=10, autoreset_mode=mode)
    )
    envs.reset(seed=1)
    for _ in range(10):
        infos = envs.step([0, 0, 0])[-1]
    told = infos["final_info"] if "episode" not in infos else infos
    assert told["episode"]["l"].tolist() == [10, 10, 10]
