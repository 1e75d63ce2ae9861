"""Beside Craftax-Classic, the same game in JAX, on the processor's cores."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, Final

from mars_logic.experiments.measurement import (
    Bench,
    BenchmarkResult,
    BenchmarkRow,
    compared,
    seconds_since,
)
from mars_logic.experiments.measurement.players import Crafter, Ours
from mars_logic.system.extras import install_hint

GAME = "Craftax-Classic-Symbolic-v1"
BATCHES: Final = (1, 256, 1024)
MOST_RESETTING: Final = 256
"""Environments with which Craftax resets: it makes a map for each in each step, so that a step of
1,024 takes seconds."""
STEPS: Final = 51_200
"""Steps of all environments in a turn of ours, at least; an eighth in one of Craftax, a fiftieth
where it resets."""


def measure(bench: Bench) -> BenchmarkResult:
    """Steps with symbolic observations, on all cores, by the wall, without and with auto-reset.

    Craftax plays many steps in one compiled loop, which suits it best. Without auto-reset its
    environments whose episodes are over are stepped on; it makes no difference to its speed. PyPI
    crafter is one environment on one core in all of this.
    """
    if not bench.peer:
        return BenchmarkResult(())
    if find_spec("craftax") is None:
        return BenchmarkResult((), notes=(f"not measured: needs {install_hint('peers')}",))
    rows = [row for n in bench.size(BATCHES, (4,)) for row in _rows(bench, n)]
    peers = ", ".join(f"{name} {version(name)}" for name in ("craftax", "jax", "crafter"))
    return BenchmarkResult(tuple(rows), notes=(f"{peers}; by the wall, {os.cpu_count()} cores",))


def _rows(bench: Bench, n: int) -> Iterator[BenchmarkRow]:
    cores = os.cpu_count() or 1
    clock = time.perf_counter
    batch = Ours(n, threads=cores, observing=True, clock=clock)
    games = Crafter(bench.size(8, 1), clock=clock)
    steps, theirs = bench.size(max(200, STEPS // n), 20), bench.size(max(16, STEPS // 8 // n), 2)
    fewer = bench.size(max(2, STEPS // 50 // n), 2)
    found = bench.interleave(
        f"Craftax-Classic, n = {n:,}",
        {
            "craftax": _craftax(n, theirs, auto_reset=False),
            "craftax resetting": (
                _craftax(n, fewer, auto_reset=True) if n <= MOST_RESETTING else None
            ),
            "crafter": lambda: games.steps(1),
            "ours": lambda: batch.steps(steps // 50 or 1),
            "ours resetting": lambda: batch.play(steps),
        },
        rounds=7,
    )
    plain, resetting = "steps with symbolic view", "random play with view and auto-reset"
    for what, ours, peer, name in (
        (plain, "ours", "craftax", "Craftax-Classic"),
        (resetting, "ours resetting", "craftax resetting", "Craftax-Classic"),
        (plain, "ours", "crafter", "crafter"),
    ):
        title = f"{what}, {cores} threads, n = {n:,}"
        if name == "crafter":
            title += " beside one game"
        yield compared(title, "1/s", found[ours], found[peer], peer_name=name)


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
