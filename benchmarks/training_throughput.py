"""Steps per second of training, sampling and learning together, beside PyPI's Crafter.

Usage: python -m mars_logic.benchmarks.training_throughput [--rounds 3] [--envs 256] [-o FILE]

Needs the extras `rl` and `bench`. All candidates train by turns in one process, with one thread of
PyTorch, and are timed in processor time. `simple_ppo` learns from symbolic observations and from
images, Stable-Baselines3's PPO from the same symbolic observations with the same features; then the
same `simple_ppo` learns from images of PyPI's Crafter. Prints Markdown: the median of the rounds,
the ratio to PyPI crafter, and the shares of environments, of choosing actions and of learning.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import gymnasium
import torch
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from mars_logic.envs.vector import WorldVectorEnv
from mars_logic.system.files import write_atomically
from mars_logic.training.networks import ActorCritic
from mars_logic.training.ppo import PPO
from mars_logic.training.settings import Hyperparameters

_PEER = "simple_ppo, images of PyPI crafter"


class _Timed(gymnasium.vector.VectorWrapper[Any, Any, Any, Any, Any]):
    """Sums up the processor time of steps."""

    spent = 0.0

    def step(self, actions: Any) -> Any:
        """Carry out the actions."""
        start = time.process_time()
        result = self.env.step(actions)
        self.spent += time.process_time() - start
        return result


class Candidate:
    """Our PPO in some environments; a call makes one update and tells its times."""

    def __init__(self, envs: Any, n_steps: int) -> None:
        """Begin the first episodes."""
        self._envs = _Timed(envs)
        size = envs.num_envs * n_steps
        settings = Hyperparameters(n_steps=n_steps, batch_size=min(2048, size))
        network = ActorCritic(envs.single_observation_space, 17, settings.width)
        self._ppo, self._size = PPO(self._envs, network, settings, 0), size
        self._ppo.start(self._envs.reset(seed=0)[0])

    def __call__(self) -> tuple[int, float, float, float]:
        """Steps, and seconds in environments, of choosing and of learning."""
        self._envs.spent, start = 0.0, time.process_time()
        rollout = self._ppo.collect()
        sampled = time.process_time()
        self._ppo.learn(rollout)
        inside = self._envs.spent
        return self._size, inside, sampled - start - inside, time.process_time() - sampled


def library(n: int, n_steps: int) -> Callable[[], tuple[int, float, float, float]]:
    """Stable-Baselines3's PPO; the parts cannot be told apart there."""
    from stable_baselines3 import PPO as TheirPPO

    from mars_logic.envs.stable_baselines import StableBaselinesEnvs
    from mars_logic.training.library import Features

    policy = {
        "features_extractor_class": Features,
        "net_arch": [256],
        "activation_fn": torch.nn.ReLU,
    }
    model = TheirPPO(
        "MlpPolicy",
        StableBaselinesEnvs(ours(n, "codes")),
        n_steps=n_steps,
        batch_size=min(2048, n * n_steps),
        n_epochs=3,
        policy_kwargs=policy,
        device="cpu",
        seed=0,
    )

    def train() -> tuple[int, float, float, float]:
        start = time.process_time()
        model.learn(n * n_steps, reset_num_timesteps=False)
        return n * n_steps, 0.0, 0.0, time.process_time() - start

    return train


def ours(n: int, observation: Any) -> WorldVectorEnv:
    """The batch of mars-logic."""
    return WorldVectorEnv(
        "crafter", n, autoreset_mode=AutoresetMode.SAME_STEP, observation=observation
    )


def theirs(n: int) -> SyncVectorEnv:
    """PyPI's Crafter, one environment after the other."""
    peer = import_module("mars_logic.benchmarks.training")
    return SyncVectorEnv([peer.CrafterEnv] * n, autoreset_mode=AutoresetMode.SAME_STEP)


def main() -> None:
    """Train by turns, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--envs", type=int, default=256)
    parser.add_argument("-o", "--out", type=Path)
    given = parser.parse_args()
    torch.set_num_threads(1)
    n = given.envs
    candidates: dict[str, Callable[[], tuple[int, float, float, float]]] = {
        "simple_ppo, symbolic": Candidate(ours(n, "codes"), 64),
        "Stable-Baselines3 PPO, symbolic": library(n, 32),
        "simple_ppo, images": Candidate(ours(n, "image"), 4),
        _PEER: Candidate(theirs(n), 4),
    }
    for train in candidates.values():  # compile and warm up
        train()
    rounds = [{name: train() for name, train in candidates.items()} for _ in range(given.rounds)]
    write = [
        f"{n} environments, 3 epochs, one thread of PyTorch {torch.__version__}, processor time,",
        f"median of {given.rounds} rounds by turns; load of the machine {os.getloadavg()[0]:.0f} "
        f"on {os.cpu_count()} cores.",
        "",
        "| candidate | steps/s | ratio to PyPI crafter | environments | choosing | learning |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name in candidates:
        speeds = [each[name][0] / sum(each[name][1:]) for each in rounds]
        peer = [each[_PEER][0] / sum(each[_PEER][1:]) for each in rounds]
        ratio = statistics.median(a / b for a, b in zip(speeds, peer, strict=True))
        parts = [sum(each[name][part] for each in rounds) for part in (1, 2, 3)]
        told = [f"{part / sum(parts):.0%}" for part in parts] if parts[0] else ["", "", ""]
        cells = [name, f"{statistics.median(speeds):,.0f}", f"{ratio:.1f}×", *told]
        write.append(f"| {' | '.join(cells)} |")
    text = "\n".join(write) + "\n"
    print(text, end="")
    if given.out:
        write_atomically(given.out, text)


if __name__ == "__main__":
    main()
