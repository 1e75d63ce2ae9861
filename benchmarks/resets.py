"""Resets of a full map with its creatures."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import count

import numpy as np

from mars_logic import load_world
from mars_logic.experiments.measurement import (
    Bench,
    BenchmarkResult,
    Goal,
    compared,
    seconds_since,
)
from mars_logic.experiments.measurement.players import Crafter
from mars_logic.experiments.measurement.process import fresh
from mars_logic.experiments.series import BenchmarkRow
from mars_logic.experiments.tables import number
from mars_logic.sim import Simulator
from mars_logic.world.names import ACTIONS

CRAFTER = """
import crafter, time
game = crafter.Env(seed=0)
game.reset()
begun = time.process_time()
game.reset()
print(time.process_time() - begun)
"""


def measure(bench: Bench) -> BenchmarkResult:
    """A new map in each reset; ours in a batch, as auto-reset has it, and one at a time."""
    n = bench.size(64, 2)
    games = Crafter(bench.size(4, 1), spread_out=0) if bench.peer else None
    batch, single = Simulator(load_world("crafter"), n), Simulator(load_world("crafter"))
    seeds, single_seeds = count(0, n), count(10**6)

    def ours() -> float:
        begun = time.process_time()
        batch.reset(next(seeds))
        return seconds_since(begun) / n

    def one_by_one() -> float:
        begun = time.process_time()
        for _ in range(n):
            single.reset(next(single_seeds))
        return seconds_since(begun) / n

    def theirs() -> float:
        assert games is not None
        begun = time.process_time()
        for game in games.games:
            game.reset()
        return seconds_since(begun) / len(games.games)

    turns = {"crafter": theirs if games else None, "batch": ours, "single": one_by_one}
    found = bench.interleave("resets", turns)
    what = {"batch": f"reset, {n} together", "single": "reset, alone"}
    rows = tuple(
        compared(
            quantity,
            "s",
            found[who],
            found["crafter"],
            goal=Goal(150, 450) if who == "batch" else None,
            smaller_is_better=True,
        )
        for who, quantity in what.items()
    )
    rows += (_ahead(bench),)
    return BenchmarkResult(rows, notes=_without_numba(bench) if games else ())


def _ahead(bench: Bench) -> BenchmarkRow:
    """Random play with auto-reset, by the wall: maps generated ahead beside maps in between."""
    n, steps = bench.size((256, 400), (4, 20))
    found = bench.interleave(
        "maps generated ahead",
        {"ahead": _random_play(n, steps, n), "between": _random_play(n, steps, 0)},
    )
    return compared(
        f"random play with auto-reset, maps generated ahead, n = {n}",
        "1/s",
        found["ahead"],
        found["between"],
        peer_name="maps in between",
    )


def _random_play(n: int, steps: int, reset_pool: int) -> Callable[[], float]:
    """A turn gives steps per second of all environments together."""
    simulator = Simulator(load_world("crafter"), n, reset_pool=reset_pool)
    random = np.random.default_rng(0)
    simulator.reset(0)

    def turn() -> float:
        begun = time.perf_counter()
        for actions in random.integers(len(ACTIONS), size=(steps, n)):
            simulator.step(actions)
            simulator.next_episode()
        return steps * n / seconds_since(begun, time.perf_counter)

    turn()  # until the environments are at different times of their episodes
    return turn


def _without_numba(bench: Bench) -> tuple[str, ...]:
    """How much numba does for the peer: its noise is written for both cases."""
    bench.progress("crafter without numba", 0, 1)
    seconds = {
        how: float(fresh(hide + CRAFTER).output)
        for how, hide in {
            "with": "",
            "without": 'import sys; sys.modules["numba"] = None\n',
        }.items()
    }
    times = seconds["without"] / seconds["with"]
    return (f"without numba, a reset of crafter takes {number(times)} times as long as with it",)


if __name__ == "__main__":
    from mars_logic.cli.bench import alone

    alone(__file__)
