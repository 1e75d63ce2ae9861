"""Speed of sampling worlds, and distance of their field distributions from rejection sampling."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from itertools import product
from random import Random
from typing import Any

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
from mars_logic.logic.sampling.modifications import MODIFICATIONS, Field
from mars_logic.logic.sampling.problem import SamplingProblem
from mars_logic.logic.sampling.sampler import MOVES
from mars_logic.logic.sampling.space import Space, Variant, theory
from mars_logic.world.load import load_world

State = Mapping[str, Variant]
Marginals = dict[Field, dict[int, float]]

TOOLS = ("wood_pickaxe", "stone_pickaxe", "iron_pickaxe", "wood_sword", "stone_sword", "iron_sword")

SMALL: dict[str, tuple[list[str], list[str]]] = {
    "terrain": (
        ["neighbours", "effects"],
        ["neighbour.player", "neighbour.tree", "walk.sand", "walk.stone"],
    ),
    "collecting": (
        ["misleading", "tools", "leaves"],
        [
            "collect.tree.yields",
            "collect.tree.requires",
            "collect.grass.yields",
            "collect.stone.requires",
            "collect.stone.leaves",
        ],
    ),
    "crafting": (
        ["placing", "crafting"],
        ["place.table", "place.furnace", *(f"make.{tool}" for tool in TOOLS)],
    ),
}
"""Modifications, and the rules or fields to which they are restricted."""


def small(name: str) -> SamplingProblem:
    """The problem of sampling from one of :data:`SMALL`, with any number of rules changed.

    The player need not be able to live on, of which so few rules leave nothing to choose.
    """
    modifications, kept = SMALL[name]
    base = load_world("default")
    domains: dict[Field, list[Any]] = {}
    for modification in modifications:
        for field, values in MODIFICATIONS[modification].domains():
            if field[0] in kept or ".".join(field) in kept:
                domains.setdefault(field, []).extend(values)
    request = Request(livable=False)
    return SamplingProblem(Space(base, theory(base, domains), tuple(modifications)), request)


def everything(problem: SamplingProblem) -> list[State]:
    """Every world of the space, valid or not."""
    rules = list(problem.variants)
    return [dict(zip(rules, found, strict=True)) for found in product(*problem.variants.values())]


def weight(problem: SamplingProblem, state: State) -> float:
    """How likely a world is drawn, before the invalid ones are rejected."""
    likely = 1.0
    for rule, variant in state.items():
        usual, *others = problem.variants[rule]
        likely *= 0.5 if variant == usual else 0.5 / len(others)
    return likely


def marginals(problem: SamplingProblem, weighted: Iterable[tuple[State, float]]) -> Marginals:
    """For each field, the share of each of its values."""
    found: dict[Field, Counter[int]] = defaultdict(Counter)
    for state, share in weighted:
        for rule, variant in state.items():
            names = problem.space.open_rules[rule].uncertain_fields
            for name, number in zip(names, variant, strict=True):
                found[rule, name][number] += share  # type: ignore[assignment]
    totals = {field: sum(shares.values()) for field, shares in found.items()}
    return {
        field: {number: share / totals[field] for number, share in shares.items()}
        for field, shares in found.items()
    }


def distance(one: Mapping[int, float], other: Mapping[int, float]) -> float:
    """The total variation of two distributions."""
    return sum(abs(one.get(n, 0.0) - other.get(n, 0.0)) for n in {*one, *other}) / 2


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
