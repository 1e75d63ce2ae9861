"""From the start of a process to the end of its first step."""

from __future__ import annotations

import tempfile
from pathlib import Path

from mars_logic.measure import Bench, Goal, Result, compared
from mars_logic.measure.process import Fresh, fresh

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


def measure(bench: Bench) -> Result:
    """Cold (nothing compiled before) and warm (all compiled code on disk), by the wall."""
    programs = {"ours": OURS} | ({"crafter": CRAFTER} if bench.peer else {})
    runs: dict[tuple[str, str], list[Fresh]] = {}
    cold, warm = bench.size(3, 1), bench.size(9, 1)
    for i in range(cold):
        bench.progress("cold start", i, cold)
        with tempfile.TemporaryDirectory() as folder:
            for who, program in programs.items():
                runs.setdefault((who, "cold"), []).append(fresh(program, Path(folder)))
            bench.progress("warm start", i, cold)
            for _ in range(warm // cold):
                for who, program in programs.items():
                    runs.setdefault((who, "warm"), []).append(fresh(program, Path(folder)))
    goals = {"cold": Goal(45, 15, of="ours"), "warm": Goal(1.5, 0.8, of="ours")}
    rows = []
    for how, goal in goals.items():
        mine, theirs = runs["ours", how], runs.get(("crafter", how), [])
        quantity = f"{how} start to first step"
        rows.append(
            compared(
                quantity,
                "s",
                [run.seconds for run in mine],
                [run.seconds for run in theirs],
                goal=goal,
                smaller_is_better=True,
            )
        )
        rows.append(
            compared(
                f"{quantity}, processor time",
                "s",
                [run.processor for run in mine],
                [run.processor for run in theirs],
                smaller_is_better=True,
            )
        )
    return Result(tuple(rows))


if __name__ == "__main__":
    from mars_logic.cli.bench import alone

    alone(__file__)
