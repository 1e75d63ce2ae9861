"""What proofs cost: verdicts, explanations, plans, and the same on maps, beside their budgets.

Usage: python benchmarks/logic.py [--quick]

Prints Markdown. Times are of the processor, in milliseconds: of each world the least of several
repeats, as what else the machine does only adds to it; then the median and the worst of all worlds.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from mars_logic import load_world
from mars_logic.logic import explain, map_facts, prove
from mars_logic.logic.explain import Explanations
from mars_logic.logic.judge import Judge
from mars_logic.logic.order import Ground, Order
from mars_logic.logic.upkeep import upkeep
from mars_logic.sim import generate_map
from mars_logic.world.world import World

WORLDS = (
    "crafter",
    "default",
    "terrain",
    "survival",
    "task_dep",
    "terr_surv",
    "terr_task",
    "surv_task",
    "all_three",
)
GOAL = "collect_diamond"
MAP = 3


@dataclass(frozen=True)
class Quantity:
    """What is measured.

    Attributes:
        name: For people.
        budget: At most so many milliseconds, on 2 cores; None for none.
        prepare: Makes, for a world, what is timed.
    """

    name: str
    budget: float | None
    prepare: Callable[[World], Callable[[], object]]


def _verdict(world: World) -> Callable[[], object]:
    return lambda: Judge(world).certainties


def _proof(world: World) -> Callable[[], object]:
    return lambda: prove(world)


def _broken(world: World) -> World:
    """The world without a way to the goal: diamonds need what only they are used for."""
    rule = world.collect["tree"]
    return world.with_rules(type(rule)(**rule.model_dump() | {"requires": {"wood_pickaxe": 1}}))


def _lost(world: World) -> str:
    from mars_logic.logic.judge import OPTIMISTIC

    possible = Judge(world).unlocked(OPTIMISTIC)
    return next((name for name in world.achievements if name not in possible), GOAL)


def _explanation(world: World) -> Callable[[], object]:
    judge = Judge(_broken(world))
    achievement = _lost(judge.world)
    return lambda: Explanations(judge).repair(achievement)


def _whole_explanation(world: World) -> Callable[[], object]:
    broken = _broken(world)
    return partial(explain, broken, _lost(broken))


def _counts(world: World) -> Callable[[], object]:
    judge = _prepared(world)
    return lambda: judge.fewest(GOAL, judge.certainties[GOAL])


def _order(world: World) -> Callable[[], object]:
    judge = _prepared(world)
    level = judge.certainties[GOAL]
    plan = judge.fewest(GOAL, level)
    assert plan is not None
    return lambda: Order(Ground(judge.relations, level), plan).find()


def _prepared(world: World) -> Judge:
    judge = Judge(world)
    assert judge.relations
    return judge


def _map_verdict(world: World) -> Callable[[], object]:
    found = generate_map(world, MAP)
    return lambda: Judge(world, map_facts(found.materials, found.creatures)).certainties


def _map_proof(world: World) -> Callable[[], object]:
    found = generate_map(world, MAP)
    return partial(prove, world, area=found.materials, creatures=found.creatures)


def _upkeep(world: World) -> Callable[[], object]:
    return lambda: upkeep(Judge(world))


QUANTITIES = (
    Quantity("verdicts on all achievements", 10, _verdict),
    Quantity("an explanation: the fewest rules to give up", 25, _explanation),
    Quantity("the fewest interactions to a diamond, counted", 10, _counts),
    Quantity("these in an order that works", 500, _order),
    Quantity("verdicts on all achievements, on a map", 100, _map_verdict),
    Quantity("living on", None, _upkeep),
    Quantity("a whole proof, with witnesses and living on", None, _proof),
    Quantity("a whole proof, on a map", None, _map_proof),
    Quantity("explain: chain of causes, proved repairs, contrast", None, _whole_explanation),
)


def milliseconds(work: Callable[[], object], repeats: int) -> float:
    """The least of some repeats in milliseconds, after one that does not count."""
    work()
    times = []
    for _ in range(repeats):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return 1000 * min(times)


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="two worlds, one repeat")
    quick = parser.parse_args().quick
    worlds = [load_world(name) for name in (WORLDS[:2] if quick else WORLDS)]
    print("| | median world, ms | worst world, ms | budget, ms |")
    print("| --- | --- | --- | --- |")
    for quantity in QUANTITIES:
        found = {
            world.name: milliseconds(quantity.prepare(world), 1 if quick else 7) for world in worlds
        }
        worst = max(found, key=found.__getitem__)
        budget = "" if quantity.budget is None else f"{quantity.budget:g}"
        median = statistics.median(found.values())
        print(f"| {quantity.name} | {median:.1f} | {found[worst]:.1f} ({worst}) | {budget} |")


if __name__ == "__main__":
    main()
