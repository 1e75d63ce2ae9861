"""Memory of an environment: growth of a process with their number."""

from __future__ import annotations

from pathlib import Path

from mars_logic.errors import InputError
from mars_logic.experiments.measurement import Bench, BenchmarkResult, Goal, compared
from mars_logic.experiments.measurement.process import fresh

KILOBYTE = 1000
RESIDENT = """
import os
with open("/proc/self/statm") as statm:
    print(int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE"))
"""
IMPORTS = """
import mars_logic
from mars_logic.sim import Simulator
"""
OURS = (
    IMPORTS
    + """
simulator = Simulator(mars_logic.load_world("crafter"), {n})
simulator.reset(0)
for _ in range(20):
    simulator.step([0] * {n})
"""
)
CRAFTER = """
import crafter
games = [crafter.Env(seed=i) for i in range({n})]
for game in games:
    game.reset()
    for _ in range(20):
        game.step(0)
"""


def measure(bench: Bench) -> BenchmarkResult:
    """The slope of resident memory over the number of environments, each number in a process.

    Raises:
        InputError: The system does not tell the resident memory as Linux does.
    """
    if not Path("/proc/self/statm").exists():
        raise InputError("bench: memory can be measured on Linux only; allowed: other benchmarks")
    few, many = bench.size((512, 4096), (16, 512))
    some, more = bench.size((4, 24), (2, 10))

    def slope(program: str, first: int, last: int) -> float:
        return (_resident(program.format(n=last)) - _resident(program.format(n=first))) / (
            last - first
        )

    found: dict[str, list[float]] = {"ours": [], "shared": [], "crafter": []}
    _resident(OURS.format(n=1))  # compiles what is not compiled yet
    for i in range(rounds := bench.size(3, 1)):
        bench.progress("memory", i, rounds)
        found["ours"].append(slope(OURS, few, many) / KILOBYTE)
        beyond = _resident(OURS.format(n=1)) - _resident(IMPORTS)
        found["shared"].append(beyond / KILOBYTE**2)
        if bench.peer:
            found["crafter"].append(slope(CRAFTER, some, more) / KILOBYTE)
    each = compared(
        "memory of an environment",
        "kB",
        found["ours"],
        found["crafter"],
        goal=Goal(16, 9, of="ours"),
        smaller_is_better=True,
    )
    shared = compared("memory shared by all", "MB", found["shared"], [])
    return BenchmarkResult((each, shared))


def _resident(program: str) -> float:
    """The resident memory of a process at the end of this program, in bytes."""
    return float(fresh(program + RESIDENT).output)


if __name__ == "__main__":
    from mars_logic.cli.bench import alone

    alone(__file__)
