"""Training PPO of Stable-Baselines3 on images, with mars-logic and with PyPI's Crafter.

Usage: python benchmarks/training.py --steps 20000 --rounds 3

Needs the extras `rl` and `test`. The same policy, settings and number of environments for both,
by turns. Prints Markdown: the time in all, and its two parts, taking steps and learning from them.
The policy's forward passes are part of taking steps, so that a last row shows what is left without
them: the time in the environments alone. There is a table of wall time and one of processor time,
which means more on a machine that has other things to do.
"""

from __future__ import annotations

import argparse
import statistics
import time
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import torch
from numpy.typing import NDArray
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv, VecEnvWrapper

import mars_logic.envs  # noqa: F401  (registers the environments)
from mars_logic.envs.stable_baselines import StableBaselinesEnvs

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    import crafter

Clocks = NDArray[np.float64]
"""float64[2]: seconds of wall time and of processor time."""


def now() -> Clocks:
    """What both clocks show."""
    return np.array([time.perf_counter(), time.process_time()])


class CrafterEnv(gymnasium.Env[Any, Any]):
    """PyPI's Crafter with Gymnasium's interface."""

    observation_space = gymnasium.spaces.Box(0, 255, (64, 64, 3), np.uint8)
    action_space = gymnasium.spaces.Discrete(17)
    render_mode = None

    def __init__(self) -> None:
        self._env = crafter.Env()

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode; a seed begins its first."""
        super().reset(seed=seed, options=options)
        if seed is not None:
            self._env = crafter.Env(seed=seed)
        return self._env.reset(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Carry out one action."""
        observation, reward, done, info = self._env.step(int(action))
        dead = info["discount"] == 0
        return observation, float(reward), bool(dead), bool(done and not dead), {}


class Timed(VecEnvWrapper):  # type: ignore[misc]  # no types without the extra
    """Sums up the time spent in environments."""

    spent = np.zeros(2)

    def reset(self) -> Any:
        """Begin an episode in all."""
        return self._timed(self.venv.reset)

    def step_wait(self) -> Any:
        """Carry out the actions."""
        return self._timed(self.venv.step_wait)

    def _timed(self, work: Callable[[], Any]) -> Any:
        start = now()
        result = work()
        self.spent = self.spent + now() - start
        return result


class Rollouts(BaseCallback):  # type: ignore[misc]  # no types without the extra
    """Sums up the time of taking steps."""

    spent = np.zeros(2)

    def _on_rollout_start(self) -> None:
        self._start = now()

    def _on_rollout_end(self) -> None:
        self.spent = self.spent + now() - self._start

    def _on_step(self) -> bool:
        return True


def ours(n: int) -> VecEnv:
    """The native batch of mars-logic."""
    return StableBaselinesEnvs(
        gymnasium.make_vec(
            "mars_logic/Crafter-v0", n, observation="image", autoreset_mode="SameStep"
        )
    )


def theirs(n: int) -> VecEnv:
    """PyPI's Crafter, one environment after the other."""
    return DummyVecEnv([CrafterEnv] * n)


def train(
    make: Callable[[int], VecEnv], n: int, steps: int, epochs: int, seed: int
) -> dict[str, Clocks]:
    """Train once, and tell where the time went."""
    envs, rollouts = Timed(make(n)), Rollouts()
    model = PPO("CnnPolicy", envs, n_steps=2048 // n, batch_size=256, n_epochs=epochs, seed=seed)
    start = now()
    model.learn(steps, callback=rollouts)
    total = now() - start
    envs.close()
    return {
        "all": total,
        "learning": total - rollouts.spent,
        "taking steps": rollouts.spent,
        "environments alone": envs.spent,
    }


def main() -> None:
    """Train by turns, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--envs", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=4, help="of learning from each step")
    given = parser.parse_args()
    makers = {"mars-logic": ours, "crafter": theirs}
    times: dict[str, list[dict[str, Clocks]]] = {name: [] for name in makers}
    for make in makers.values():  # compile, import and warm up
        train(make, given.envs, 1, 1, seed=0)
    for seed in range(given.rounds):
        for name, make in makers.items():
            times[name].append(train(make, given.envs, given.steps, given.epochs, seed))
    threads = torch.get_num_threads()
    print(f"{given.steps} steps of {given.envs} environments, {given.epochs} epochs of learning")
    print(f"from each 2048 of them, {threads} threads of PyTorch;")
    print(f"seconds, median (range) of {given.rounds} rounds.")
    for number, clock in enumerate(("wall time", "processor time")):
        print(f"\n| {clock} | mars-logic | crafter | crafter / mars-logic |")
        print("| --- | --- | --- | --- |")
        for part in times["crafter"][0]:
            columns = {name: [each[part][number] for each in rows] for name, rows in times.items()}
            shown = [
                f"{statistics.median(c):.1f} ({min(c):.1f}–{max(c):.1f})" for c in columns.values()
            ]
            pairs = zip(columns["crafter"], columns["mars-logic"], strict=True)
            ratio = statistics.median(their / own for their, own in pairs)
            print(f"| {part} | {shown[0]} | {shown[1]} | {ratio:.1f} |")


if __name__ == "__main__":
    main()
