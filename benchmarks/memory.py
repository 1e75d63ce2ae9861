"""Memory of an environment: how much a process grows with their number."""

from __future__ import annotations

from mars_logic.measure import Bench, Goal, Result, compared
from mars_logic.measure.process import fresh

PEAK = """
import resource, sys
unit = 1 if sys.platform == "darwin" else 1024
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit)
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


def measure(bench: Bench) -> Result:
    """The slope of the largest resident set over the number of environments, each in a process."""
    few, many = bench.size((512, 4096), (2, 64))
    some, more = bench.size((4, 24), (1, 3))

    def slope(program: str, first: int, last: int) -> float:
        return (_peak(program.format(n=last)) - _peak(program.format(n=first))) / (last - first)

    def theirs() -> float:
        return slope(CRAFTER, some, more) / 1000

    found = bench.interleave(
        "memory",
        {
            "crafter": theirs if bench.peer else None,
            "ours": lambda: slope(OURS, few, many) / 1000,
            "shared": lambda: (_peak(OURS.format(n=1)) - _peak(IMPORTS)) / 1e6,
        },
        rounds=3,
    )
    each = compared(
        "memory of an environment",
        "kB",
        found["ours"],
        found["crafter"],
        goal=Goal(16, 9, of="ours"),
        smaller_is_better=True,
    )
    shared = compared("memory shared by all", "MB", found["shared"], [])
    return Result((each, shared))


def _peak(program: str) -> float:
    """The largest resident set of a process that runs this program, in bytes."""
    return float(fresh(program + PEAK).output)


if __name__ == "__main__":
    from mars_logic.cli.bench import alone

    alone(__file__)
