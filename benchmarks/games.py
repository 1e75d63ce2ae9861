"""What optimal play of games costs: the value of a bandit, and shortest plans for Hanoi."""

from __future__ import annotations

from functools import partial

from mars_logic.domains import load_game
from mars_logic.domains.hanoi.players import HanoiPlanner
from mars_logic.domains.hanoi.rules import Hanoi, all_on
from mars_logic.experiments.measurement import (
    Bench,
    BenchmarkResult,
    BenchmarkRow,
    Goal,
    Spread,
    processor_seconds,
)
from mars_logic.experiments.measurement.process import Fresh, fresh

BANDIT = "BanditTwoArmedHighLowFixed"
VALUE_BUDGET = 2.0
"""Seconds for the value of a bandit of 50 pulls, from the start of a process."""
PLAN_BUDGETS = {"Hanoi3Disk": 0.1, "Hanoi4Disk": 0.3, "Hanoi5Disk": 10.0}
"""Seconds for a plan from the start that is proved shortest."""
PROGRAM = """
from mars_logic.domains import domain_of, load_game
game = load_game("{bandit}")
print(domain_of(game).value(game, "{prior}").score)
"""


def measure(bench: Bench) -> BenchmarkResult:
    """Values in fresh processes; plans by the processor, each by a new planner."""
    return BenchmarkResult((*_values(bench), *_plans(bench)))


def _values(bench: Bench) -> list[BenchmarkRow]:
    """The time by the wall, to which the goal applies, and that of the processor."""
    rows = []
    for prior in ("none", "told"):
        what = f"value of {BANDIT}, prior {prior}: a process from start to end"
        runs: list[Fresh] = []
        turn = partial(_process_seconds, PROGRAM.format(bandit=BANDIT, prior=prior), runs)
        found = bench.interleave(what, {"ours": turn}, rounds=7)
        counted = [run.processor for run in runs[-len(found["ours"]) :]]
        rows.append(_row(what, found["ours"], VALUE_BUDGET))
        rows.append(
            BenchmarkRow(f"{what}, processor time", "s", Spread.of(counted), smaller_is_better=True)
        )
    return rows


def _process_seconds(program: str, runs: list[Fresh]) -> float:
    runs.append(fresh(program))
    return runs[-1].seconds


def _plans(bench: Bench) -> list[BenchmarkRow]:
    rows = []
    for name in bench.size((*PLAN_BUDGETS,), ("Hanoi3Disk", "Hanoi4Disk")):
        game = load_game(name)
        assert isinstance(game, Hanoi)
        what = f"shortest plan for {game.disks} disks, proved shortest"
        turn = partial(_plan_seconds, game)
        rows.append(
            _row(what, bench.interleave(what, {"ours": turn}, rounds=7)["ours"], PLAN_BUDGETS[name])
        )
    return rows


def _plan_seconds(game: Hanoi) -> float:
    return processor_seconds(lambda: HanoiPlanner(game).plan(all_on(game.start, game.disks)))


def _row(what: str, samples: list[float], budget: float) -> BenchmarkRow:
    goal = Goal(budget, of="ours")
    return BenchmarkRow(what, "s", Spread.of(samples), goal=goal, smaller_is_better=True)


if __name__ == "__main__":
    from mars_logic.cli.bench import alone

    alone(__file__)
