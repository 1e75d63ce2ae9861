"""Steps per second inside one call of the planner's rollouts, by the number of futures."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import numpy as np

from mars_logic.experiments.measurement import Bench, BenchmarkResult, compared, processor_seconds
from mars_logic.plan.foresight import RolloutBatch
from mars_logic.plan.world_model import NOOP
from mars_logic.sim import Simulator, Snapshot
from mars_logic.sim.imagined_state import stream_table
from mars_logic.world.load import load_world

_FUTURES = (64, 256, 1024)
_STEPS = 20
_STREAMS = 256
_NAME = "default"


def measure(bench: Bench) -> BenchmarkResult:
    """One state, one first action, and many futures, beside as many environments stepped at once.

    Each future is of its own random stream, up to the number of streams there are. A future that
    ends before its last step counts as far as it went: health that is left tells of that, so that
    only states are taken in which nobody dies.
    """
    sizes = bench.size(_FUTURES, (4, 8))
    world = load_world(_NAME)
    rollouts = RolloutBatch(world)
    attacked = import_module("mars_logic.benchmarks.foresight").attacked
    state = next(
        state
        for state in attacked(world)
        if rollouts.health(state, [NOOP], _STEPS, futures=sizes[-1]).min() > 0
    )

    def fused(n: int) -> Callable[[], float]:
        def turn() -> float:
            again = max(1, sizes[-1] // n)
            seconds = processor_seconds(
                lambda: [rollouts.health(state, [NOOP], _STEPS, futures=n) for _ in range(again)]
            )
            return again * n * _STEPS / seconds

        return turn

    def stepped(n: int) -> Callable[[], float]:
        simulator = Simulator(world, n)
        envs = np.repeat(state, n)
        envs["stream"] = np.resize(stream_table(_STREAMS), n)
        start = Snapshot(envs)
        actions = np.full(n, NOOP)

        def turn() -> float:
            simulator.restore(start)
            seconds = processor_seconds(lambda: [simulator.step(actions) for _ in range(_STEPS)])
            return n * _STEPS / seconds

        return turn

    found = bench.interleave(
        "rollouts",
        {f"fused {n}": fused(n) for n in sizes} | {f"stepped {n}": stepped(n) for n in sizes},
    )
    return BenchmarkResult(
        tuple(
            compared(
                f"steps inside one call, {n:,} futures",
                "1/s",
                found[f"fused {n}"],
                found[f"stepped {n}"],
                peer_name="the simulator, step by step",
            )
            for n in sizes
        )
    )


if __name__ == "__main__":
    from mars_logic.cli.bench import alone

    alone(__file__)
