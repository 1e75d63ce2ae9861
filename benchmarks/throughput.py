"""Episodes of an experiment per hour, by the number of processes."""

from __future__ import annotations

import tempfile
import time
from functools import partial
from pathlib import Path

from mars_logic.experiments.cluster import in_processes
from mars_logic.experiments.folder import ResultsFolder
from mars_logic.experiments.measurement import (
    Bench,
    BenchmarkResult,
    BenchmarkRow,
    Chart,
    Line,
    Spread,
    seconds_since,
)
from mars_logic.experiments.spec import Spec
from mars_logic.experiments.units import Unit, units_of
from mars_logic.experiments.worlds import places_of
from mars_logic.system.processes import cores

_HOUR = 3600


def measure(bench: Bench) -> BenchmarkResult:
    """A chart over 1, 2, 4… processes, up to the number of cores, and what doubling brings."""
    numbers = _numbers(1 if bench.quick else cores())
    found = bench.interleave(
        "processes",
        {str(number): partial(_rate, bench, number) for number in numbers},
        rounds=3,
    )
    spreads = tuple(Spread.of(found[str(number)]) for number in numbers)
    rows = [
        BenchmarkRow(f"episodes of the oracle, {number} process{'es' * (number > 1)}", "/h", spread)
        for number, spread in zip(numbers, spreads, strict=True)
    ]
    across = tuple(map(float, numbers))
    alone = spreads[0].median
    lines = (
        Line("oracle, episodes of 300 steps", across, spreads),
        Line(
            "linear scaling from one process", across, tuple(Spread.of([x * alone]) for x in across)
        ),
    )
    title = "Episodes of an experiment per hour"
    chart = Chart("throughput", title, "processes", "episodes per hour", lines, log_y=False)
    note = "includes the start of the processes, proofs of maps and writing of results"
    return BenchmarkResult(tuple(rows), (chart,), (note,))


def _numbers(most: int) -> list[int]:
    """Powers of two, and the greatest number itself."""
    powers = [2**k for k in range(most.bit_length()) if 2**k <= most]
    return [*dict.fromkeys([*powers, most])]


def _rate(bench: Bench, processes: int) -> float:
    """Episodes an hour, from nothing to a file of results."""
    spec = Spec.model_validate(
        {
            "agents": ("oracle",),
            "worlds": ("default", "all_three"),
            "seeds": list(range(bench.size(6, 1))),
            "length": bench.size(300, 20),
        }
    )
    with tempfile.TemporaryDirectory() as name:
        out = Path(name)
        units = units_of(spec, places_of(spec, out, out))
        begun = time.perf_counter()
        _run(out, spec, units, processes)
        return _HOUR * len(units) / seconds_since(begun, time.perf_counter)


def _run(out: Path, spec: Spec, units: tuple[Unit, ...], processes: int) -> None:
    with ResultsFolder(out) as folder:
        for unit, outcome in in_processes(folder.begin(spec, units), processes):
            assert isinstance(outcome, dict), outcome
            folder.keep(unit, outcome)
        folder.collect(units)


if __name__ == "__main__":
    from mars_logic.cli.bench import alone

    alone(__file__)
