"""Batches with Gymnasium's interface, beside Gymnasium's own batches of PyPI crafter."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import SyncVectorEnv, VectorEnv

import mars_logic.envs  # registers the environments
from mars_logic.experiments.measurement import (
    Bench,
    BenchmarkResult,
    compared,
    seconds_since,
)
from mars_logic.world.names import ACTIONS

WORLD = mars_logic.envs.environment_id("crafter")


def measure(bench: Bench) -> BenchmarkResult:
    """Random play with auto-reset, with infos and all, one thread.

    The peer has no symbolic view: beside ours it gives the semantic map that its step makes.
    """
    n, games = bench.size(256, 4), bench.size(8, 1)
    turns: dict[str, Callable[[], float] | None] = {}
    for kind in ("symbolic", "image"):
        batch = gymnasium.make_vec(WORLD, num_envs=n, observation=kind)
        turns[kind] = _turn(batch, bench.size(100, 10))
        peer = _crafter(games, kind) if bench.peer else None
        turns[f"crafter {kind}"] = _turn(peer, bench.size(100, 10)) if peer else None
    found = bench.interleave("Gymnasium", turns)
    rows = (
        compared(
            f"Gymnasium's vector interface, {what}, n = {n}",
            "1/s",
            found[kind],
            found[f"crafter {kind}"],
        )
        for kind, what in (("symbolic", "symbolic view"), ("image", "images"))
    )
    return BenchmarkResult(tuple(rows))


def _turn(batch: VectorEnv[Any, Any, Any], steps: int) -> Callable[[], float]:
    """A turn gives steps per second of all environments together."""
    random = np.random.default_rng(0)
    batch.reset(seed=0)

    def turn() -> float:
        actions = random.integers(len(ACTIONS), size=(steps, batch.num_envs))
        begun = time.process_time()
        for row in actions:
            batch.step(row)
        return steps * batch.num_envs / seconds_since(begun)

    for _ in range(3):  # until the environments are at different times of their episodes
        turn()
    return turn


def _crafter(n: int, kind: str) -> SyncVectorEnv[Any, Any]:
    """A batch of PyPI crafter, whose environments speak the interface of Gym before 0.26."""
    import crafter

    class Crafter(gymnasium.Env[Any, Any]):
        action_space = gymnasium.spaces.Discrete(len(ACTIONS))

        def __init__(self, seed: int) -> None:
            self.game = crafter.Env(seed=seed)
            if kind == "symbolic":
                self.game._obs = self.game._sem_view
            shape = (64, 64, 3) if kind == "image" else (64, 64)
            self.observation_space = gymnasium.spaces.Box(0, 255, shape, np.uint8)

        def reset(self, **_: Any) -> tuple[Any, dict[str, Any]]:
            return self.game.reset(), {}

        def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
            observation, reward, done, info = self.game.step(action)
            return observation, reward, info["discount"] == 0, done, info

    return SyncVectorEnv([partial(Crafter, seed) for seed in range(n)])


if __name__ == "__main__":
    from mars_logic.cli.bench import alone

    alone(__file__)
