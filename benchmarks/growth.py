"""Cost of a step by length of the episode and by size of the batch."""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Callable

from mars_logic.experiments.measurement import (
    Bench,
    BenchmarkResult,
    BenchmarkRow,
    Chart,
    Line,
    Spread,
)
from mars_logic.experiments.measurement.players import NURSED, WINDOW, Crafter, Ours

DAY = 300
"""Steps between two mornings: bins of whole days, since nights have more zombies."""
OURS, MARS, PEER = "mars-logic, crafter dialect", "mars-logic, mars dialect", "PyPI crafter"
PLAIN = "step"


def measure(bench: Bench) -> BenchmarkResult:
    """Two charts, and what they come to in numbers."""
    taken, size = _by_steps_taken(bench), _by_size(bench)
    lines = {line.label: line for line in taken.lines}
    peer = lines.get(PEER)
    late = BenchmarkRow(
        "cost of a step, after 8,000 steps against before 2,000",
        "×",
        _late(lines[OURS]),
        _late(peer) if peer else None,
        "crafter" if peer else "",
        smaller_is_better=True,
    )
    (plain,) = (line for line in size.lines if line.label == PLAIN)
    costs = dict(zip(plain.x, plain.y, strict=True))
    last = max(costs)
    first = min(256.0, last)
    many = [cost / costs[first].median for cost in dataclasses.astuple(costs[last])]
    quantity = f"cost of a step, n = {last:,.0f} against {first:,.0f}"
    batch = BenchmarkRow(quantity, "×", Spread(*many), smaller_is_better=True)
    return BenchmarkResult((late, batch), (taken, size))


def _late(line: Line) -> Spread:
    """The costs of the last fifth of a curve, in units of the median of its first fifth."""
    costs = [cost.median for cost in line.y]
    fifth = max(1, len(costs) // 5)
    early = statistics.median(costs[:fifth])
    return Spread.of([cost / early for cost in costs[-fifth:]])


def _by_steps_taken(bench: Bench) -> Chart:
    """Players are cured every few steps so that they live on."""
    n, games, repeats, days = bench.size((64, 3, 3, 33), (2, 1, 1, 1))
    last_day = {OURS: days, MARS: min(days, 3), PEER: days}  # mars ends at 1,000 steps
    costs: dict[str, list[list[float]]] = {}
    for repeat in range(repeats):
        seed = 1000 * repeat
        players: dict[str, Ours | Crafter] = {
            OURS: Ours(n, seed=seed, spread_out=0),
            MARS: Ours(n, world="default", seed=seed, spread_out=0),
        }
        if bench.peer:
            players[PEER] = Crafter(games, seed=seed, spread_out=0)
        for some in players.values():
            some.nursed(NURSED)  # loads the compiled code
        for day in range(days):
            bench.progress("steps taken", repeat * days + day, repeats * days)
            for who, some in players.items():
                lived, seconds = some.nursed(DAY) if day < last_day[who] else (0, 0.0)
                if lived:
                    bins = costs.setdefault(who, [[] for _ in range(days)])
                    bins[day].append(1e6 * seconds / lived)
    lines = tuple(_line(who, bins) for who, bins in costs.items())
    title = "Time of a step by the age of the episode"
    return Chart("steps_taken", title, "steps taken in the episode", "µs per step", lines)


def _line(who: str, costs: list[list[float]]) -> Line:
    points = [(DAY * (day + 0.5), some) for day, some in enumerate(costs) if some]
    return Line(who, tuple(x for x, _ in points), tuple(Spread.of(some) for _, some in points))


def _by_size(bench: Bench) -> Chart:
    """The same number of steps in all, in batches of one to thousands of environments."""
    sizes = bench.size((1, 4, 16, 64, 256, 1024, 4096), (1, 4))
    total = bench.size(2**16, 2**7)
    kinds: dict[str, Callable[[int], Ours]] = {
        PLAIN: Ours,
        "step and symbolic view": lambda n: Ours(n, observing=True),
        "step, mars dialect": lambda n: Ours(n, world="default"),
    }
    turns: dict[str, Callable[[], float] | None] = {
        f"{kind} {n}": _cost(make(n), max(1, total // n // WINDOW))
        for kind, make in kinds.items()
        for n in sizes
    }
    found = bench.interleave("size of the batch", turns, rounds=7)
    lines = tuple(
        Line(kind, tuple(map(float, sizes)), tuple(Spread.of(found[f"{kind} {n}"]) for n in sizes))
        for kind in kinds
    )
    title = "Time of a step by the size of the batch"
    return Chart("batch_size", title, "environments, n", "µs per step", lines, log_x=True)


def _cost(batch: Ours, windows: int) -> Callable[[], float]:
    """A turn that measures microseconds per step."""
    return lambda: 1e6 / batch.steps(windows)


if __name__ == "__main__":
    from mars_logic.cli.bench import alone

    alone(__file__)
