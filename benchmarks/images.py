"""Image observations, 64×64×3, of states by day and by night."""

from __future__ import annotations

import time

from mars_logic.experiments.measurement import (
    Bench,
    BenchmarkResult,
    BenchmarkRow,
    Goal,
    compared,
    seconds_since,
)
from mars_logic.experiments.measurement.players import Crafter, Ours
from mars_logic.views.image import render

TIMES = {"day": 60, "night": 210}
"""Steps after which the sun is highest and lowest."""


def measure(bench: Bench) -> BenchmarkResult:
    """Images of states at noon and at midnight, one thread."""
    return BenchmarkResult(tuple(_images(bench, when, steps) for when, steps in TIMES.items()))


def _images(bench: Bench, when: str, steps: int) -> BenchmarkRow:
    """Nothing steps: each turn draws the same states, as observations from the simulator on."""
    batch = Ours(bench.size(256, 8), spread_out=0)
    batch.nursed(steps)
    simulator, repeats = batch.living(), bench.size(20, 1)
    observation = simulator.observe()
    images = render(observation)

    def ours() -> float:
        begun = time.process_time()
        for _ in range(repeats):
            render(simulator.observe(observation), out=images)
        return repeats * simulator.n / seconds_since(begun)

    def theirs() -> float:
        begun = time.process_time()
        for game in living:
            game.render()
        return len(living) / seconds_since(begun)

    living = []
    if bench.peer:
        games = Crafter(bench.size(64, 2), spread_out=0)
        games.nursed(steps)
        living = [game for game, done in zip(games.games, games.done, strict=True) if not done]
    found = bench.interleave(when, {"crafter": theirs if living else None, "ours": ours})
    quantity = f"images, 64×64×3, by {when}"
    return compared(quantity, "1/s", found["ours"], found["crafter"], goal=Goal(400, 1000))


if __name__ == "__main__":
    from mars_logic.cli.bench import alone

    alone(__file__)
