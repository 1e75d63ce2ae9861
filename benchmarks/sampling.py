"""Speed of sampling worlds, and distance of their field distributions from rejection sampling."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from mars_logic.benchmarks.spaces import (
    SMALL,
    distance,
    everything,
    marginals,
    small,
    weight,
)
from mars_logic.experiments.measurement import (
    Bench,
    BenchmarkResult,
    BenchmarkRow,
    Chart,
    Goal,
    Line,
    Spread,
    processor_seconds,
)
from mars_logic.logic.sampling import Request, Sampler
from mars_logic.logic.sampling.chain import Chain
from mars_logic.logic.sampling.sampler import MOVES

ALL_CHANGES = "terrain, survival, task"
FEW_RULES = f"{ALL_CHANGES}, 5 to 15 rules changed"
LIVABLE = f"{ALL_CHANGES}, livable"
FEW_RULES_LIVABLE = f"{FEW_RULES}, livable"
REQUESTS = {
    ALL_CHANGES: Request.of(livable=False),
    FEW_RULES: Request.of(difficulty=(5, 15), livable=False),
    LIVABLE: Request.of(),
    FEW_RULES_LIVABLE: Request.of(difficulty=(5, 15)),
    "terrain": Request.of(["terrain"], livable=False),
    "survival": Request.of(["survival"], livable=False),
    "task": Request.of(["task"], livable=False),
}
WITH_PROOFS = f"{ALL_CHANGES}, each with its whole proof"
_WORLDS_A_SECOND = Goal(20, of="ours")
_LIVABLE_WORLDS_A_SECOND = Goal(15, of="ours")
GOALS = {
    ALL_CHANGES: _WORLDS_A_SECOND,
    FEW_RULES: _WORLDS_A_SECOND,
    LIVABLE: _LIVABLE_WORLDS_A_SECOND,
    FEW_RULES_LIVABLE: _LIVABLE_WORLDS_A_SECOND,
}
"""With everything open to change."""
DISTANCE = Goal(0.1, of="ours")
"""Of any field, as total variation."""


def measure(bench: Bench) -> BenchmarkResult:
    """Worlds a second of one process; and how the worlds are distributed.

    All are work of one thread, timed by the processor. No peer does the same.
    """
    chart = diversity(bench)
    return BenchmarkResult((*speed(bench), *_distances(chart)), (chart,))


def speed(bench: Bench) -> list[BenchmarkRow]:
    """One row for each request, and one with the proofs that `mars-logic sample` adds.

    The turn that does not count grounds what is needed. Worlds with proofs have no budget.
    """
    worlds = bench.size(60, 2)
    turns = {name: _turn(Sampler(request), worlds) for name, request in REQUESTS.items()}
    turns[WITH_PROOFS] = _turn(Sampler(REQUESTS[ALL_CHANGES]), worlds, proved=True)
    found = bench.interleave("worlds", turns, rounds=3)
    return [
        BenchmarkRow(
            f"sampled worlds, {name}",
            "1/s",
            Spread.of(rates),
            goal=GOALS.get(name),
        )
        for name, rates in found.items()
    ]


def _turn(sampler: Sampler, worlds: int, *, proved: bool = False) -> Callable[[], float]:
    def draw() -> None:
        for number in range(worlds):
            sampler.draw(0, number, proved=proved)

    return lambda: worlds / processor_seconds(draw)


def diversity(bench: Bench) -> Chart:
    """One curve for each space that is small enough to look at every world, by moves."""
    steps, samples = (0, MOVES // 2, MOVES, 4 * MOVES), bench.size(2000, 10)
    lines = []
    for i, name in enumerate(SMALL):
        bench.progress("diversity", i, len(SMALL))
        problem = small(name)
        valid = [state for state in everything(problem) if problem.works(state, None)]
        wanted = marginals(problem, [(state, weight(problem, state)) for state in valid])
        found = []
        for moves in steps:
            drawn = []
            for number in range(samples):
                chain = Chain(problem, None, Random(f"{moves} {number}"))
                for _ in range(moves):
                    chain.move()
                drawn.append((chain.state, 1.0))
            shares = marginals(problem, drawn)
            found.append(max(distance(wanted[field], shares[field]) for field in wanted))
        lines.append(Line(name, steps, tuple(Spread(far, far, far) for far in found)))
    return Chart(
        "diversity",
        "Distance of sampled worlds from exact rejection sampling",
        f"moves of the chain (a world is taken after {MOVES})",
        "largest total variation distance of a field",
        tuple(lines),
    )


def _distances(chart: Chart) -> list[BenchmarkRow]:
    """The points of the chart at which worlds are taken."""
    return [
        BenchmarkRow(
            f"greatest distance of a field from exact rejection, {line.label}",
            "",
            line.y[line.x.index(MOVES)],
            goal=DISTANCE,
            smaller_is_better=True,
        )
        for line in chart.lines
    ]


if __name__ == "__main__":
    from mars_logic.cli.bench import alone

    alone(__file__)
