"""Beside Craftax-Classic, the same game in JAX, on the processor's cores."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any

from mars_logic.experiments.measurement import (
    Bench,
    BenchmarkResult,
    compared,
    seconds_since,
)
from mars_logic.experiments.measurement.players import Ours
from mars_logic.system.extras import install_hint

GAME = "Craftax-Classic-Symbolic-v1"


def measure(bench: Bench) -> BenchmarkResult:
    """Steps with symbolic observations, on all cores, by the wall, without and with auto-reset.

    Craftax plays many steps in one compiled loop, which suits it best. Without auto-reset its
    environments whose episodes are over are stepped on; it makes no difference to its speed.
    """
    if not bench.peer:
        return BenchmarkResult(())
    if find_spec("craftax") is None:
        return BenchmarkResult((), notes=(f"not measured: needs {install_hint('peers')}",))
    cores = os.cpu_count() or 1
    batch = Ours(bench.size(1024, 8), threads=cores, observing=True, clock=time.perf_counter)
    steps = bench.size(200, 20)
    found = bench.interleave(
        "Craftax-Classic",
        {
            "craftax": _craftax(bench.size(1024, 4), bench.size(16, 2), auto_reset=False),
            "craftax resetting": _craftax(bench.size(256, 4), bench.size(8, 2), auto_reset=True),
            "ours": lambda: batch.steps(steps // 50 or 1),
            "ours resetting": lambda: batch.play(steps),
        },
        rounds=7,
    )
    rows = (
        compared(
            f"{what}, {cores} threads", "1/s", found[ours], found[peer], peer_name="Craftax-Classic"
        )
        for what, ours, peer in (
            ("steps with symbolic view", "ours", "craftax"),
            ("random play with view and auto-reset", "ours resetting", "craftax resetting"),
        )
    )
    return BenchmarkResult(tuple(rows))


def _craftax(n: int, steps: int, *, auto_reset: bool) -> Callable[[], float]:
    """A turn of Craftax under random actions; gives environment steps per second."""
    import jax
    from craftax.craftax_env import make_craftax_env_from_name

    game: Any = make_craftax_env_from_name(GAME, auto_reset=auto_reset)
    params = game.default_params
    step = jax.vmap(partial(game.step, params=params))

    def play(state: Any, key: Any) -> Any:
        def one(state: Any, key: Any) -> tuple[Any, Any]:
            keys = jax.random.split(key, n + 1)
            actions = jax.random.randint(keys[0], (n,), 0, game.num_actions)
            view, state, reward, done, _ = step(keys[1:], state, actions)
            return state, (view.sum(), reward.sum(), done.sum())  # so that nothing is left out

        return jax.lax.scan(one, state, jax.random.split(key, steps))

    def begin(keys: Any) -> Any:
        _, state = jax.vmap(partial(game.reset, params=params))(keys)
        # Exact types, as `play` returns them: else it would be compiled twice.
        return jax.tree.map(lambda leaf: jax.lax.convert_element_type(leaf, leaf.dtype), state)

    key = jax.random.key(0)
    state = jax.jit(begin)(jax.random.split(key, n))
    play_fast = jax.jit(play)

    def turn() -> float:
        nonlocal state, key
        key, now = jax.random.split(key)
        begun = time.perf_counter()
        state, found = play_fast(state, now)
        jax.block_until_ready((state, found))
        return n * steps / seconds_since(begun, time.perf_counter)

    return turn


if __name__ == "__main__":
    from mars_logic.cli.bench import alone

    alone(__file__)
