from __future__ import annotations

import gymnasium
import numpy as np
import pytest

from mars_logic.envs.rewards import ACHIEVEMENTS_ONLY, Rewarded, Sparse, VectorRewarded, Weighted
from mars_logic.errors import InputError

EARLY = ("collect_wood", "collect_sapling", "place_plant")
REWARDS = [
    ACHIEVEMENTS_ONLY,
    Weighted(),
    Weighted(achievements={"collect_wood": 3.0, "wake_up": -1.0}, health=0.5),
    Sparse(),
    Sparse(("collect_sapling",)),
    Sparse(EARLY),
]


def expected(reward, unlocked, reached, health):
    """The reward of a step, written for one environment and from its info alone."""
    if isinstance(reward, Sparse):
        goals = set(reward.goals) or {"something that is never reached"}
        return float(goals <= reached and bool(goals & set(unlocked)))
    weights = reward.achievements
    given = [weights.get(n, 0.0) if isinstance(weights, dict) else weights for n in unlocked]
    return sum(given) + reward.health * health


@pytest.mark.parametrize("reward", REWARDS, ids=str)
@pytest.mark.parametrize("world", ["Crafter", "Default"])
def test_one_environment(world, reward):
    env = Rewarded(gymnasium.make(f"mars_logic/{world}-v0", length=400), reward)
    env.action_space.seed(0)
    paid = 0.0
    for seed in range(6):
        _, info = env.reset(seed=seed)
        reached, over = set(), False
        while not over:
            _, got, terminated, truncated, info = env.step(env.action_space.sample())
            reached |= set(info["unlocked"])
            health = round(10 * (info["reward"] - bool(info["unlocked"])))
            assert got == pytest.approx(expected(reward, info["unlocked"], reached, health))
            assert type(got) is float
            paid += abs(got)
            over = terminated or truncated
    assert (paid > 0) == (reward != Sparse())


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("reward", REWARDS, ids=str)
def test_many_are_paid_as_one_is(reward, mode):
    id = "mars_logic/Default-v0"
    envs = VectorRewarded(gymnasium.make_vec(id, 4, length=60, autoreset_mode=mode), reward)
    others = gymnasium.make_vec(
        id,
        4,
        length=60,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": mode},
        wrappers=(lambda env: Rewarded(env, reward),),
    )
    envs.reset(seed=1)
    others.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(250):
        actions = rng.integers(0, 17, 4)
        step, other = envs.step(actions), others.step(actions)
        np.testing.assert_array_equal(step[1], other[1])
        assert step[1].dtype == np.float64
        over = step[2] | step[3]
        if mode == "Disabled" and over.any():
            envs.reset(options={"reset_mask": over})
            others.reset(options={"reset_mask": over})


def test_crafters_reward_is_not_that_of_achievements():
    """Two at once are paid once by Crafter; and it pays for health."""
    envs = VectorRewarded(gymnasium.make_vec("mars_logic/Crafter-v0", 16), ACHIEVEMENTS_ONLY)
    envs.reset(seed=0)
    rng = np.random.default_rng(0)
    for _ in range(300):
        _, rewards, _, _, infos = envs.step(rng.integers(0, 17, 16))
        np.testing.assert_array_equal(rewards, infos["unlocked"].sum(1))
        np.testing.assert_allclose(
            infos["reward"], rewards.clip(max=1) + infos["reward"] - (rewards > 0)
        )


@pytest.mark.parametrize(
    ("reward", "message"),
    [
        (Sparse(("collect_gold",)), "goals: unknown 'collect_gold', did you mean 'collect_wood'"),
        (Sparse(("kill_cow",)), "allowed: .*eat_cow"),
        (Sparse("collect_wood"), "goals must be a sequence of names"),
        (Weighted({"eat_caw": 1.0}), "achievements: unknown 'eat_caw', did you mean 'eat_cow'"),
    ],
)
def test_achievements_that_are_not_there(reward, message):
    with pytest.raises(InputError, match=message):
        Rewarded(gymnasium.make("mars_logic/Crafter-v0"), reward)
    with pytest.raises(InputError, match=message):
        VectorRewarded(gymnasium.make_vec("mars_logic/Crafter-v0"), reward)


def test_other_environments_are_refused():
    with pytest.raises(InputError, match="no environment of mars_logic"):
        Rewarded(gymnasium.make("CartPole-v1"), Sparse())


def test_the_wrapper_is_part_of_the_spec():
    env = Rewarded(gymnasium.make("mars_logic/Crafter-v0"), Sparse(EARLY))
    again = gymnasium.make(env.spec)
    assert isinstance(again, Rewarded)
    assert again.spec == env.spec
