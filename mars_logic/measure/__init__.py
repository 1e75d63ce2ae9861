"""The apparatus of the benchmarks: rounds, spreads, rows, tables and plots.

What is measured lies in the folder ``benchmarks`` (``mars_logic.benchmarks``), one module for each
benchmark; this package measures nothing itself. ``docs/benchmarks.md`` says how numbers are taken.
"""

from mars_logic.measure.report import Chart, Goal, Line, Report, Result, Row, Spread, compared
from mars_logic.measure.rounds import Bench, processor_seconds

__all__ = [
    "Bench",
    "Chart",
    "Goal",
    "Line",
    "Report",
    "Result",
    "Row",
    "Spread",
    "compared",
    "processor_seconds",
]
