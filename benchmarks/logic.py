"""Cost of proofs: verdicts, explanations and plans, with and without maps, beside their budgets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

from mars_logic import load_world
from mars_logic.experiments.measurement import (
    Bench,
    BenchmarkResult,
    BenchmarkRow,
    Goal,
    Spread,
    processor_seconds,
)
from mars_logic.experiments.tables import amount
from mars_logic.logic import explain, map_facts, prove
from mars_logic.logic.certainty import CERTAINTIES
from mars_logic.logic.explain import Explanations
from mars_logic.logic.ground import Ground
from mars_logic.logic.order import Order
from mars_logic.logic.reachability_model import OPTIMISTIC, ReachabilityModel
from mars_logic.logic.sustainability import upkeep
from mars_logic.sim import generate_map
from mars_logic.world.load import RELEASED_WORLDS
from mars_logic.world.theory import World

GOAL = "collect_diamond"
MAP = 3
Work = Callable[[], object]


@dataclass(frozen=True)
class Quantity:
    """A measured quantity.

    Attributes:
        name: For people.
        prepare: Makes, for a world, what is timed; it is made anew for each turn, so that no
            solver has learned from an earlier one.
        budget: At most so many seconds, on 2 cores; None for none.
    """

    name: str
    prepare: Callable[[World], Work]
    budget: float | None = None


def _verdicts(world: World) -> Work:
    return lambda: ReachabilityModel(world).certainties


def _explanation(world: World) -> Work:
    reachability = ReachabilityModel(_without_diamonds(world))
    return lambda: Explanations(reachability).repair(GOAL)


def _counts(world: World) -> Work:
    reachability = _solved(world)
    return lambda: reachability.fewest(GOAL, reachability.certainties[GOAL])


def _counts_for_all(world: World) -> Work:
    reachability = _solved(world)
    level = max(reachability.certainties.values(), key=CERTAINTIES.index)
    return lambda: reachability.fewest_for_all(world.achievements, level)


def _order(world: World) -> Work:
    reachability = _solved(world)
    level = reachability.certainties[GOAL]
    plan = reachability.fewest(GOAL, level)
    assert plan is not None
    return lambda: Order(Ground(reachability.relations, level), plan).find()


def _map_verdicts(world: World) -> Work:
    found = generate_map(world, MAP)
    return lambda: ReachabilityModel(world, map_facts(found.materials, found.creatures)).certainties


def _living_on(world: World) -> Work:
    return lambda: upkeep(ReachabilityModel(world))


def _proof(world: World) -> Work:
    return lambda: prove(world)


def _map_proof(world: World) -> Work:
    found = generate_map(world, MAP)
    return partial(prove, world, area=found.materials, creatures=found.creatures)


def _whole_explanation(world: World) -> Work:
    return partial(explain, _without_diamonds(world), GOAL)


def _solved(world: World) -> ReachabilityModel:
    """A judge that has grounded the program of plans, and knows the verdicts."""
    reachability = ReachabilityModel(world)
    assert reachability.relations["unlock"]
    return reachability


@cache
def _without_diamonds(world: World) -> World:
    """The world with a rule on the way to diamonds needing a pickaxe that cannot be had then."""
    changes = (
        world.with_rules(type(rule)(**rule.model_dump() | {"requires": {"wood_pickaxe": 1}}))
        for rule in world.collect.values()
    )
    return next(
        broken for broken in changes if GOAL not in ReachabilityModel(broken).unlocked(OPTIMISTIC)
    )


QUANTITIES = (
    Quantity("verdicts on all achievements", _verdicts, 0.01),
    Quantity("explanation: the fewest rules to give up", _explanation, 0.025),
    Quantity("fewest interactions to a diamond, counted", _counts, 0.01),
    Quantity("fewest interactions to all 22 goals together, counted", _counts_for_all, 0.01),
    Quantity("those to a diamond, in an order that works", _order, 0.5),
    Quantity("verdicts on all achievements, on a map", _map_verdicts, 0.1),
    Quantity("living on", _living_on),
    Quantity("whole proof, with witnesses and living on", _proof),
    Quantity("whole proof, on a map", _map_proof),
    Quantity("whole explanation: causes, proved repairs, contrast", _whole_explanation),
)


def measure(bench: Bench) -> BenchmarkResult:
    """Each quantity in the world in which it takes longest; a note tells of the others.

    All are work of one thread, timed by the processor. No peer does the same.
    """
    worlds = [load_world(name) for name in bench.size(RELEASED_WORLDS, RELEASED_WORLDS[:1])]
    rows, medians = [], []
    for quantity in QUANTITIES:
        turns = {world.name: partial(_turn, quantity, world) for world in worlds}
        found = bench.interleave(quantity.name, turns, rounds=7)
        times = {name: Spread.of(samples) for name, samples in found.items()}
        rows.append(_slowest(quantity, times))
        median = Spread.of([time.median for time in times.values()]).median
        medians.append(f"{quantity.name} {amount(median, 's')}")
    note = f"the median of {len(worlds)} worlds: {'; '.join(medians)}"
    return BenchmarkResult(tuple(rows), notes=(note,))


def _turn(quantity: Quantity, world: World) -> float:
    return processor_seconds(quantity.prepare(world))


def _slowest(quantity: Quantity, times: dict[str, Spread]) -> BenchmarkRow:
    """The budget is for the slowest world."""
    name = max(times, key=lambda name: times[name].median)
    goal = None if quantity.budget is None else Goal(quantity.budget, of="ours")
    what = f"{quantity.name} (slowest: {name})"
    return BenchmarkRow(what, "s", times[name], goal=goal, smaller_is_better=True)


if __name__ == "__main__":
    from mars_logic.cli.bench import alone

    alone(__file__)
