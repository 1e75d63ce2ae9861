"""Random play with auto-reset, end to end."""

from __future__ import annotations

from mars_logic.experiments.measurement import Bench, BenchmarkResult, Goal, compared
from mars_logic.experiments.measurement.players import Crafter, Ours


def measure(bench: Bench) -> BenchmarkResult:
    """Steps per second where whoever dies begins a new episode, with all that it costs."""
    n, steps = bench.size(256, 4), bench.size(200, 20)
    batch = Ours(n)
    games = Crafter(bench.size(8, 1)) if bench.peer else None
    found = bench.interleave(
        "random play",
        {
            "crafter": (lambda: games.play(steps)) if games else None,
            "ours": lambda: batch.play(steps),
        },
    )
    quantity = f"random play with auto-reset, n = {n}"
    return BenchmarkResult(
        (compared(quantity, "1/s", found["ours"], found["crafter"], goal=Goal(200, 500)),)
    )


if __name__ == "__main__":
    from mars_logic.cli.bench import alone

    alone(__file__)
