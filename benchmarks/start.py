"""From the start of a process to the end of its first step, import included."""

from __future__ import annotations

import tempfile
from pathlib import Path

from mars_logic.experiments.measurement import Bench, BenchmarkResult, BenchmarkRow, Goal, compared
from mars_logic.experiments.measurement.process import Fresh, fresh

OURS = """
import mars_logic
from mars_logic.sim import Simulator
simulator = Simulator(mars_logic.load_world("crafter"))
simulator.reset(0)
simulator.step(0)
"""
CRAFTER = """
import crafter
game = crafter.Env(seed=0)
game.reset()
game.step(0)
"""


def measure(bench: Bench) -> BenchmarkResult:
    """Cold (nothing compiled before) and warm (all compiled code on disk), by the wall.

    A quick run measures warm starts only.
    """
    programs = {"ours": OURS} | ({"crafter": CRAFTER} if bench.peer else {})
    cold: list[dict[str, Fresh]] = []
    warm: list[dict[str, Fresh]] = []
    for i in range(rounds := bench.size(3, 1)):
        with tempfile.TemporaryDirectory() as folder:
            # A quick run takes what is compiled already, in the usual folder.
            cache = bench.size(Path(folder), None)
            bench.progress("cold start", i, rounds)
            cold.append({who: fresh(program, cache) for who, program in programs.items()})
            bench.progress("warm start", i, rounds)
            for _ in range(bench.size(3, 1)):
                warm.append({who: fresh(program, cache) for who, program in programs.items()})
    rows = _rows("warm", warm, Goal(1.5, 0.8, of="ours"))
    return BenchmarkResult(
        rows if bench.quick else _rows("cold", cold, Goal(45, 15, of="ours")) + rows
    )


def _rows(how: str, runs: list[dict[str, Fresh]], goal: Goal) -> tuple[BenchmarkRow, BenchmarkRow]:
    """The time by the wall, to which the goal applies, and that of the processor."""
    ours = [run["ours"] for run in runs]
    theirs = [run["crafter"] for run in runs if "crafter" in run]
    quantity = f"{how} start to first step"
    return (
        compared(
            quantity,
            "s",
            [run.seconds for run in ours],
            [run.seconds for run in theirs],
            goal=goal,
            smaller_is_better=True,
        ),
        compared(
            f"{quantity}, processor time",
            "s",
            [run.processor for run in ours],
            [run.processor for run in theirs],
            smaller_is_better=True,
        ),
    )


if __name__ == "__main__":
    from mars_logic.cli.bench import alone

    alone(__file__)
