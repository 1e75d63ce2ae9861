"""The apparatus of the benchmarks: rounds, spreads, rows, tables and plots.

What is measured lies in the folder ``benchmarks`` (``mars_logic.benchmarks``), one module for each
benchmark; this package measures nothing itself. ``docs/benchmarks.md`` says how numbers are taken.
"""

from mars_logic.experiments.measurement.interleaving import (
    Bench,
    processor_seconds,
    seconds_since,
)
from mars_logic.experiments.series import (
    BenchmarkReport,
    BenchmarkResult,
    BenchmarkRow,
    Chart,
    Goal,
    Line,
    Spread,
    compared,
)

__all__ = [
    "Bench",
    "BenchmarkReport",
    "BenchmarkResult",
    "BenchmarkRow",
    "Chart",
    "Goal",
    "Line",
    "Spread",
    "compared",
    "processor_seconds",
    "seconds_since",
]
