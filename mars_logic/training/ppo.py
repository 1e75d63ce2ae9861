"""Proximal policy optimisation in one file.

Source: Schulman et al. 2017; details as in Stable-Baselines3, with which the tests compare an
update.

Example:
    >>> import gymnasium
    >>> from mars_logic.training.networks import ActorCritic
    >>> from mars_logic.training.settings import Hyperparameters
    >>> envs = gymnasium.make_vec(
    ...     "CartPole-v1", 8, vectorization_mode="sync",
    ...     vector_kwargs={"autoreset_mode": "SameStep"},
    ... )
    >>> network = ActorCritic(envs.single_observation_space, 2, 64)
    >>> ppo = PPO(envs, network, Hyperparameters(n_steps=16, batch_size=64), seed=0)
    >>> ppo.start(envs.reset(seed=0)[0])
    >>> losses = ppo.update()
    >>> ppo.steps
    128
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from gymnasium.vector import VectorEnv
from numpy.typing import NDArray
from torch import Tensor, nn

from mars_logic.training.checkpoint import (
    arrays_of,
    optimiser_state,
    restore_optimiser,
    tensors_of,
)
from mars_logic.training.settings import Hyperparameters


@dataclass(frozen=True)
class Rollout:
    """T steps of n environments. Tensors are indexed [step, env, ...].

    Attributes:
        observations: What was seen before each step.
        actions: int64: what was done.
        log_probabilities: float32: of these actions.
        values: float32: as estimated before each step.
        rewards: float32: of each step; where an episode was truncated, with the discounted value of
            its last observation.
        ended: float32: 1 where the step ended an episode.
        last_values: float32[n]: the values after the last step.
    """

    observations: Tensor
    actions: Tensor
    log_probabilities: Tensor
    values: Tensor
    rewards: Tensor
    ended: Tensor
    last_values: Tensor


_RECORDED = ("observations", "actions", "log_probabilities", "values", "rewards", "ended")


def advantages(rollout: Rollout, gamma: float, decay: float) -> Tensor:
    """Generalised advantage estimates: float32[T, n]. Source: Schulman et al. 2016."""
    found = torch.zeros_like(rollout.rewards)
    following, later = rollout.last_values, torch.zeros_like(rollout.last_values)
    for t in reversed(range(len(found))):
        goes_on = 1 - rollout.ended[t]
        error = rollout.rewards[t] + gamma * following * goes_on - rollout.values[t]
        later = error + gamma * decay * goes_on * later
        found[t], following = later, rollout.values[t]
    return found


class PPO:
    """Trains a network in a batch of environments.

    Attributes:
        network: Maps observations to logits (float32[n, actions]) and values (float32[n]).
        steps: Steps taken in all environments together.
    """

    def __init__(
        self,
        envs: VectorEnv[Any, Any, NDArray[Any]],
        network: nn.Module,
        settings: Hyperparameters,
        seed: int,
        device: str = "cpu",
    ) -> None:
        """Prepare.

        Args:
            envs: Environments with discrete actions that reset in the same step.
            network: The network.
            settings: The hyperparameters.
            seed: Of the choice of actions and of the order of steps in updates.
            device: Where the network computes.
        """
        self.envs, self.settings, self.device = envs, settings, device
        self.network = network.to(device)
        self.optimiser = torch.optim.Adam(network.parameters(), settings.learning_rate, eps=1e-5)
        self.chance = torch.Generator().manual_seed(seed)
        self.steps = 0
        self._seen: Tensor | None = None

    def start(self, observations: NDArray[Any]) -> None:
        """Go on from what is seen now in the environments."""
        self._seen = self._tensor(observations)

    def update(self) -> dict[str, float]:
        """Take some steps, and learn from them; returns the means of the losses."""
        return self.learn(self.collect())

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def collect(self) -> Rollout:
        """Take ``n_steps`` steps in all environments with the present policy."""
        if self._seen is None:
            raise RuntimeError("call start first")
        kept: list[tuple[Tensor, ...]] = []
        for _ in range(self.settings.n_steps):
            seen = self._seen
            logits, values = self.network(seen)
            log = torch.log_softmax(logits, dim=-1).cpu()
            actions = torch.multinomial(log.exp(), 1, generator=self.chance)
            found, rewards, terminated, truncated, infos = self.envs.step(actions[:, 0].numpy())
            rewards = np.asarray(rewards, np.float32).copy()
            cut = np.flatnonzero(truncated & ~terminated)
            if len(cut):
                last = self._tensor(np.stack([infos["final_obs"][env] for env in cut]))
                rewards[cut] += self.settings.gamma * self.network(last)[1].cpu().numpy()
            ended = torch.from_numpy((terminated | truncated).astype(np.float32))
            chosen = log.gather(1, actions)[:, 0]
            mine = seen, actions[:, 0], chosen, values.cpu(), torch.from_numpy(rewards), ended
            kept.append(mine)
            self._seen = self._tensor(found)
        self.steps += self.settings.n_steps * self.envs.num_envs
        columns = [torch.stack(column) for column in zip(*kept, strict=True)]
        last_values = self.network(self._seen)[1].cpu()
        return Rollout(**dict(zip(_RECORDED, columns, strict=True)), last_values=last_values)

    def learn(self, rollout: Rollout) -> dict[str, float]:
        """Improve the policy by a rollout; returns the means of the losses."""
        settings = self.settings
        found = advantages(rollout, settings.gamma, settings.gae_lambda)
        observations = rollout.observations.flatten(0, 1)
        columns = [rollout.actions, rollout.log_probabilities, found, found + rollout.values]
        flat = [column.flatten().to(self.device) for column in columns]
        totals: dict[str, list[float]] = {"policy": [], "value": [], "entropy": []}
        for _ in range(settings.epochs):
            order = torch.randperm(len(observations), generator=self.chance)
            for chosen in order.split(settings.batch_size):
                mine = chosen.to(self.device)
                losses = self._losses(observations[mine], *(column[mine] for column in flat))
                total = (
                    losses["policy"]
                    + settings.value * losses["value"]
                    - settings.entropy * losses["entropy"]
                )
                self.optimiser.zero_grad()
                total.backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), settings.max_gradient)
                self.optimiser.step()
                for name, loss in losses.items():
                    totals[name].append(loss.item())
        return {name: float(np.mean(each)) for name, each in totals.items()}

    def _losses(
        self, observations: Tensor, actions: Tensor, before: Tensor, gain: Tensor, returns: Tensor
    ) -> dict[str, Tensor]:
        logits, values = self.network(observations)
        log = torch.log_softmax(logits, dim=-1)
        ratio = (log.gather(1, actions[:, None])[:, 0] - before).exp()
        if len(gain) > 1:
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
        clipped = ratio.clamp(1 - self.settings.clip, 1 + self.settings.clip)
        return {
            "policy": -torch.minimum(ratio * gain, clipped * gain).mean(),
            "value": nn.functional.mse_loss(values, returns),
            "entropy": -(log.exp() * log).sum(dim=-1).mean(),
        }

    def state(self) -> dict[str, Any]:
        """What is needed to continue, but for the environments; for :meth:`restore`."""
        return {
            "network": arrays_of(self.network.state_dict()),
            "optimiser": optimiser_state(self.optimiser),
            "chance": self.chance.get_state().numpy(),
            "steps": self.steps,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state; the environments have to be restored, and :meth:`start` called.

        Raises:
            KeyError: A value is missing.
            TypeError: A value is of another type.
            ValueError: A value is not possible.
            RuntimeError: The state is of another network.
        """
        self.network.load_state_dict(tensors_of(state["network"]))
        restore_optimiser(self.optimiser, state["optimiser"])
        self.chance.set_state(torch.from_numpy(state["chance"]))
        self.steps = state["steps"]

    def _tensor(self, observations: NDArray[Any]) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(observations)).to(self.device)
