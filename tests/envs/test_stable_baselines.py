"""Runs where the extra `rl` is installed."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest

from mars_logic.envs.rewards import ACHIEVEMENTS_ONLY, VectorRewarded
from mars_logic.errors import InputError

stable_baselines3 = pytest.importorskip("stable_baselines3")

from stable_baselines3 import PPO  # noqa: E402
from stable_baselines3.common.env_checker import check_env  # noqa: E402
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor  # noqa: E402

from mars_logic.envs.stable_baselines import StableBaselinesEnvs  # noqa: E402


def adapted(num_envs=4, name="Default", **kwargs):
    envs = gymnasium.make_vec(
        f"mars_logic/{name}-v0", num_envs, autoreset_mode="SameStep", **kwargs
    )
    return StableBaselinesEnvs(envs)


def test_the_checker_accepts_images(make):
    check_env(make("TaskDep", observation="image"))


def test_the_checker_accepts_symbols(make):
    """It recommends to flatten grids, and its MultiInputPolicy does so."""
    with warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", message=r"Your observation \w+ has an unconventional shape"
        )
        check_env(make("TaskDep", observation="symbolic"))


@pytest.mark.parametrize("observation", ["symbolic", "image"])
def test_the_adapter_does_what_stable_baselines_does_itself(observation):
    """Its own batch of single environments gives the same."""
    kwargs = {"observation": observation, "length": 40}
    envs = adapted(3, **kwargs)
    others = DummyVecEnv(
        [lambda: gymnasium.make("mars_logic/Default-v0", **kwargs) for _ in range(3)]
    )
    assert envs.observation_space == others.observation_space
    assert envs.action_space == others.action_space
    for each in (envs, others):
        each.seed(3)
    np.testing.assert_equal(envs.reset(), others.reset())
    rng = np.random.default_rng(0)
    ends = 0
    for _ in range(150):
        actions = rng.integers(0, 17, 3)
        *arrays, infos = envs.step(actions)
        *their_arrays, theirs = others.step(actions)
        np.testing.assert_equal(arrays, their_arrays)
        assert [each.dtype for each in arrays[1:]] == [each.dtype for each in their_arrays[1:]]
        for own, their, done in zip(infos, theirs, arrays[2], strict=True):
            ends += int(done)
            if done:
                for key in ("terminal_observation", "TimeLimit.truncated", "discount", "reward"):
                    np.testing.assert_equal(own[key], their[key])
                assert own["achievements"].tolist() == list(their["achievements"].values())
            else:
                assert own == {}
    assert ends > 5


def test_seeds_and_options():
    envs = adapted(2)
    envs.seed(5)
    envs.set_options({"episode": 3})
    envs.reset()
    simulator = envs.envs.unwrapped.game.simulator
    assert (simulator.seeds.tolist(), simulator.episodes.tolist()) == ([5, 6], [3, 3])
    envs.reset()
    assert (simulator.seeds.tolist(), simulator.episodes.tolist()) == ([5, 6], [4, 4])


def test_what_else_stable_baselines_asks_for():
    envs = adapted(3, render_mode="rgb_array", render_size=(18, 18))
    envs.reset()
    assert envs.render().shape == (36, 36, 3)
    masks = envs.env_method("action_masks")
    assert [mask.shape for mask in masks] == [(17,)] * 3
    assert len(envs.env_method("action_masks", indices=[1])) == 1
    assert envs.has_attr("action_masks")
    assert not envs.has_attr("something_else")
    assert envs.get_attr("num_envs", 0) == [3]
    assert envs.env_is_wrapped(gymnasium.Wrapper) == [False] * 3
    with pytest.raises(AttributeError):
        envs.set_attr("num_envs", 4)


def test_environments_that_are_refused():
    with pytest.raises(InputError, match="must be SameStep"):
        StableBaselinesEnvs(gymnasium.make_vec("mars_logic/Default-v0", 2))
    with pytest.raises(InputError, match="not text"):
        adapted(observation="text")


def test_maskable_ppo_learns():
    sb3_contrib = pytest.importorskip("sb3_contrib")
    model = sb3_contrib.MaskablePPO("MultiInputPolicy", adapted(8), n_steps=16, batch_size=64)
    model.learn(256)
    assert model.num_timesteps == 256


def mean_return(policy, envs, steps):
    """The mean return of the episodes that end within so many steps of each environment."""
    envs.seed(10_000)
    observation = envs.reset()
    total, returns = np.zeros(envs.num_envs), []
    for _ in range(steps):
        observation, rewards, dones, _ = envs.step(policy(observation))
        total += rewards
        returns += total[dones].tolist()
        total[dones] = 0
    return np.mean(returns)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("policy", "observation"), [("CnnPolicy", "image"), ("MultiInputPolicy", "symbolic")]
)
def test_ppo_learns(policy, observation):
    """20480 steps: all are taken, nothing diverges, and it does better than chance."""
    envs = gymnasium.make_vec(
        "mars_logic/Crafter-v0", 16, observation=observation, length=200, autoreset_mode="SameStep"
    )
    envs = VecMonitor(StableBaselinesEnvs(VectorRewarded(envs, ACHIEVEMENTS_ONLY)))
    model = PPO(policy, envs, n_steps=128, batch_size=256, n_epochs=4, seed=0, ent_coef=0.01)
    model.learn(20_000)
    assert model.num_timesteps == 20_480  # whole rollouts of 128 * 16
    losses = {k: v for k, v in model.logger.name_to_value.items() if k.startswith("train/")}
    assert losses and all(np.isfinite(value) for value in losses.values())
    rng = np.random.default_rng(0)
    chance = mean_return(lambda _: rng.integers(0, 17, 16), envs, 1000)
    learned = mean_return(lambda seen: model.predict(seen)[0], envs, 1000)
    print(f"{policy}: {learned:.2f} by what was learned, {chance:.2f} by chance")
    assert learned > chance
