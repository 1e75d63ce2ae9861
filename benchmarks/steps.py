"""Steps per second under random actions; nothing but steps of living players is timed."""

from __future__ import annotations

import time
from collections.abc import Callable

from mars_logic.experiments.measurement import Bench, BenchmarkResult, Goal, compared
from mars_logic.experiments.measurement.players import Crafter, Ours

BATCHES = (256, 1024)


def measure(bench: Bench) -> BenchmarkResult:
    """Without and with observations beside crafter; two threads and the other dialect beside one.

    The peer is the same with and without observations: its step makes a semantic map in any case,
    and it has no symbolic view.
    """
    windows = bench.size(4, 1)
    games = Crafter(bench.size(8, 1)) if bench.peer else None
    batches = bench.size(BATCHES, (4, 8))
    plain = {n: Ours(n) for n in batches}
    seeing = {n: Ours(n, observing=True) for n in batches}
    found = bench.interleave(
        "steps",
        {
            "crafter": (lambda: games.steps(windows)) if games else None,
            **{f"plain {n}": _turn(batch, windows) for n, batch in plain.items()},
            **{f"seeing {n}": _turn(batch, windows) for n, batch in seeing.items()},
        },
    )
    peer = found["crafter"]
    rows = [
        compared(f"steps, n = {n:,}", "1/s", found[f"plain {n}"], peer, goal=Goal(400, 800))
        for n in batches
    ]
    rows += [
        compared(
            f"steps with symbolic view, n = {n:,}",
            "1/s",
            found[f"seeing {n}"],
            peer,
            goal=Goal(300, 650),
        )
        for n in batches
    ]
    n = batches[-1]
    clock = time.perf_counter
    mars, one = Ours(n, world="default"), Ours(n, clock=clock)
    two = Ours(n, threads=2, clock=clock)
    found = bench.interleave(
        "dialects and threads",
        {
            "crafter": _turn(plain[n], windows),
            "mars": _turn(mars, windows),
            "one": _turn(one, windows),
            "two": _turn(two, windows),
        },
    )
    rows.append(
        compared(
            f"steps, mars dialect, n = {n:,}",
            "1/s",
            found["mars"],
            found["crafter"],
            peer_name="our crafter dialect",
            goal=Goal(0.85),
        )
    )
    rows.append(
        compared(
            f"steps, two threads, n = {n:,}",
            "1/s",
            found["two"],
            found["one"],
            peer_name="our one thread",
        )
    )
    return BenchmarkResult(tuple(rows))


def _turn(batch: Ours, windows: int) -> Callable[[], float]:
    """A turn takes about as long in any batch, so that the noise is the same."""
    rounds = max(1, windows * BATCHES[-1] // batch.simulator.n)
    return lambda: batch.steps(rounds)


if __name__ == "__main__":
    from mars_logic.cli.bench import alone

    alone(__file__)
