"""Gymnasium's own checker finds nothing, and what is returned is what the spaces say."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from mars_logic import bundled_worlds
from mars_logic.envs import environment_id

OBSERVATIONS = ("symbolic", "image", "text")
VARIANTS = [
    {"observation": "symbolic"},
    {"observation": "symbolic", "actions": "split"},
    {"observation": "image"},
    {"observation": "image", "size": (90, 70)},
    {"observation": "text"},
    {"observation": "text", "style": "smartplay"},
]


@pytest.mark.parametrize("observation", OBSERVATIONS)
@pytest.mark.parametrize("world", bundled_worlds())
def test_gymnasium_finds_nothing_to_complain_about(world, observation):
    env = gymnasium.make(environment_id(world), observation=observation)
    check_env(env.unwrapped)  # warnings are errors


def require_member(space, value):
    """Whether a value is exactly what a space says, types included."""
    assert space.contains(value)
    if isinstance(space, gymnasium.spaces.Dict):
        assert list(value) == list(space)
        for key, part in space.items():
            require_member(part, value[key])
    elif isinstance(space, gymnasium.spaces.Tuple):
        assert isinstance(value, tuple)
    elif isinstance(space, gymnasium.spaces.Text):
        assert type(value) is str
    else:
        assert isinstance(value, np.ndarray)
        assert (value.dtype, value.shape) == (space.dtype, space.shape)


@pytest.mark.parametrize("world", ["Crafter", "AllThree"])
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_observations_are_in_the_space(world, variant, make):
    env = make(world, **variant)
    env.action_space.seed(1)
    observation, _ = env.reset(seed=1)
    for _ in range(1500):
        require_member(env.observation_space, observation)
        observation, reward, terminated, truncated, _ = env.step(env.action_space.sample())
        assert (type(reward), type(terminated), type(truncated)) == (float, bool, bool)
        if terminated or truncated:
            require_member(env.observation_space, observation)
            observation, _ = env.reset()


@pytest.mark.parametrize("copy", [True, False])
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_batches_are_in_the_space(variant, copy, make_vec):
    envs = make_vec("SurvTask", 8, copy=copy, length=150, **variant)
    envs.action_space.seed(1)
    observations, _ = envs.reset(seed=1)
    for _ in range(400):
        require_member(envs.observation_space, observations)
        actions = envs.action_space.sample()
        require_member(envs.action_space, actions)
        observations, rewards, terminated, truncated, _ = envs.step(actions)
        assert [each.dtype for each in (rewards, terminated, truncated)] == [float, bool, bool]
        assert all(each.shape == (8,) for each in (rewards, terminated, truncated))
