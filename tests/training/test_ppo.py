"""The PPO of one file: advantages by definition, an update against Stable-Baselines3's."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra rl is not installed")

from mars_logic.envs import codes  # noqa: E402
from mars_logic.training.networks import (  # noqa: E402
    ActorCritic,
    EmbeddingSum,
    features,
)
from mars_logic.training.ppo import PPO, Rollout, advantages  # noqa: E402
from mars_logic.training.settings import Hyperparameters  # noqa: E402


def carts(n):
    kwargs = {"autoreset_mode": "SameStep"}
    return gymnasium.make_vec("CartPole-v1", n, vectorization_mode="sync", vector_kwargs=kwargs)


def test_a_sum_of_embeddings_is_pytorchs():
    torch.manual_seed(0)
    layer, bag = EmbeddingSum(30, 8, 5), torch.nn.EmbeddingBag(30, 8, mode="sum", padding_idx=0)
    bag.weight.data[:] = layer.table.data
    given = torch.randint(0, 30, (50, 12), dtype=torch.int16)
    weights = torch.randn(50, 8)
    (layer(given) * weights).sum().backward()
    (bag(given.int()) * weights).sum().backward()
    torch.testing.assert_close(layer(given), bag(given.int()))
    bag.weight.grad[0] = 0
    torch.testing.assert_close(layer.table.grad, bag.weight.grad)


def test_features_of_each_space():
    image = gymnasium.spaces.Box(0, 255, (64, 64, 3), np.uint8)
    for space in (codes.SPACE, image):
        seen = torch.from_numpy(np.stack([space.sample() for _ in range(3)]))
        assert features(space, 16)(seen).shape == (3, 16)


def test_advantages_by_definition():
    rng = np.random.default_rng(0)
    T, n, gamma, decay = 7, 3, 0.9, 0.8
    rewards, values = rng.normal(size=(T, n)), rng.normal(size=(T + 1, n))
    ended = rng.random((T, n)) < 0.2
    tensors = [torch.tensor(each, dtype=torch.float32) for each in (values[:-1], rewards, ended)]
    nothing = torch.zeros(T, n)
    last = torch.tensor(values[-1], dtype=torch.float32)
    found = advantages(Rollout(nothing, nothing, nothing, *tensors, last), gamma, decay)
    for env in range(n):
        for t in range(T):
            total, factor = 0.0, 1.0
            for later in range(t, T):
                going = 0.0 if ended[later, env] else 1.0
                error = rewards[later, env] + gamma * going * values[later + 1, env]
                total += factor * (error - values[later, env])
                if not going:
                    break
                factor *= gamma * decay
            assert found[t, env].item() == pytest.approx(total, abs=1e-4)


class _Theirs(torch.nn.Module):
    """The policy of Stable-Baselines3 as a network of ours."""

    def __init__(self, policy):
        super().__init__()
        self.policy = policy

    def forward(self, observations):
        policy = self.policy
        actor, critic = policy.mlp_extractor(policy.extract_features(observations))
        return policy.action_net(actor), policy.value_net(critic).squeeze(-1)


def test_an_update_is_that_of_stable_baselines():
    """The same weights and rollout on CartPole, one minibatch an epoch: the same weights after."""
    library = pytest.importorskip("stable_baselines3")
    n, steps = 4, 64
    made = library.PPO(
        "MlpPolicy", library.common.env_util.make_vec_env("CartPole-v1", n), n_steps=steps,
        batch_size=n * steps, n_epochs=3, ent_coef=0.01, seed=0, device="cpu",
    )  # fmt: skip
    settings = Hyperparameters(
        n_steps=steps, batch_size=n * steps, epochs=3, learning_rate=3e-4, gamma=0.99,
        gae_lambda=0.95, entropy=0.01,
    )  # fmt: skip
    import copy

    ours = PPO(carts(n), _Theirs(copy.deepcopy(made.policy)), settings, seed=0)
    ours.start(ours.envs.reset(seed=0)[0])
    rollout = ours.collect()
    assert rollout.ended.any(), "some episode ended"
    made.rollout_buffer.reset()
    starts = np.ones(n)
    for t in range(steps):
        made.rollout_buffer.add(
            rollout.observations[t].numpy(), rollout.actions[t].numpy(), rollout.rewards[t].numpy(),
            starts, rollout.values[t], rollout.log_probabilities[t],
        )  # fmt: skip
        starts = rollout.ended[t].numpy()
    made.rollout_buffer.compute_returns_and_advantage(rollout.last_values, starts)
    made._logger = library.common.logger.Logger(None, [])
    before = [p.clone() for p in made.policy.parameters()]
    made.train()
    ours.learn(rollout)
    moved = 0.0
    pairs = zip(before, made.policy.parameters(), ours.network.policy.parameters(), strict=True)
    for old, theirs, mine in pairs:
        torch.testing.assert_close(mine, theirs, atol=2e-6, rtol=1e-4)
        moved += (theirs - old).abs().sum().item()
    assert moved > 1


@pytest.mark.long
def test_it_learns_to_balance_a_pole():
    torch.manual_seed(0)
    envs = carts(16)
    network = ActorCritic(envs.single_observation_space, 2, 64)
    settings = Hyperparameters(
        n_steps=32, batch_size=128, epochs=6, learning_rate=2e-3, gamma=0.98, entropy=0.0
    )
    ppo = PPO(envs, network, settings, seed=0)
    ppo.start(envs.reset(seed=0)[0])
    first = ppo.collect().ended.sum().item()
    while ppo.steps < 25_000:
        ppo.update()
    last = ppo.collect().ended.sum().item()
    assert first > 15, "untrained, a pole falls after some 20 steps"
    assert last <= 6
