"""Upper bounds on each rule's applications in a plan with the fewest interactions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import ceil

from mars_logic.logic.rule_atoms import CAP, term
from mars_logic.logic.spending import amounts_held, bringing, spending
from mars_logic.world.theory import World

MOST = 200
"""Maximum bound; a plan that needs more is not found, and the verdict is then unknown."""

MOST_LAID = 20
"""Maximum number of cells laid in order to collect from them."""

CONSIDERED = 2 * MOST_LAID
"""Number of interactions up to which these bounds preserve every plan.

Beyond them, more than ``MOST_LAID`` cells are laid, and collected from: two interactions each.
"""

_ROUNDS = 40


def plan_bounds(world: World) -> str:
    """Facts ``limit(Rule, Outcome, N)``: N times are enough in any plan with fewest interactions.

    Each item is brought only as often as something uses it up or holds it, each ground is laid
    only as often as something is collected from it, each creature brought only as often as it is
    killed for an item; everything else is needed once.
    """
    return "".join(
        f"limit({term(rule)}, {outcome}, {bound}).\n"
        for (rule, outcome), bound in bounds(world).items()
    )


def bounds(world: World) -> dict[tuple[str, str], int]:
    """By rule and outcome: bound on its applications in a plan with the fewest interactions."""
    times = Counter(spending(world).keys())
    found: dict[tuple[str, str], int] = {}
    for _ in range(_ROUNDS):  # to the fixpoint; MOST ensures termination
        new = dict(_bounds(world, _demand(world, times), times))
        if new == found:
            break
        found = new
        times = Counter()
        for (rule, _), bound in found.items():
            times[rule] = min(MOST, times[rule] + bound)
    return found


def useful_amounts(world: World) -> dict[str, int]:
    """By item: the largest useful amount held at once, in a plan with the fewest interactions."""
    times: Counter[str] = Counter()
    for (rule, _), bound in bounds(world).items():
        times[rule] += bound
    return {item: min(CAP, amount) for item, amount in _demand(world, times).items()}


def _demand(world: World, times: Counter[str]) -> Counter[str]:
    """Upper bounds on the amount of each item used up, and held at once."""
    demand: Counter[str] = Counter()
    held: Counter[str] = Counter(amounts_held(world))
    for rule, uses in spending(world).items():
        for item, amount in uses.items():
            demand[item] += amount * times[rule]
    return demand + held


def _bounds(
    world: World, demand: Counter[str], times: Counter[str]
) -> Iterator[tuple[tuple[str, str], int]]:
    eaten = {rule.id for rule in world.eat.values()}
    for collect in world.collect.values():
        this = f"collect.{collect.subject}"
        plain = 1 + _laid_for(world, times, collect.leaves)
        for item, given in collect.yields.items():
            needed = 1 + ceil(demand[item] / given.amount)
            if given.probability is None or given.probability == 1:
                plain += needed
            else:
                yield (this, item), min(MOST, needed)
        for creature, probability in collect.spawns.items():
            needed = times[f"creature.{creature}"]  # 0 for one whose death brings nothing
            if probability == 1:
                plain += needed
            elif needed:
                yield (this, creature), min(MOST, needed)
        yield (this, "plain"), min(MOST, plain)
    for place in world.place.values():
        yield (
            (f"place.{place.subject}", "plain"),
            min(MOST, 1 + _laid_for(world, times, place.subject)),
        )
    for make in world.make.values():
        needed = 1 + ceil(demand[make.subject] / make.gives)
        yield (f"make.{make.subject}", "plain"), min(MOST, needed)
    for shoot in world.shoot.values():
        yield (shoot.id, "plain"), 1
    for rule, brings in bringing(world).items():
        needed = sum(ceil(demand[item] / amount) for item, amount in brings.items())
        # What eating leaves has been used up before, to fill it: two interactions each.
        most = MOST_LAID if rule in eaten else MOST
        yield (rule, "plain"), min(most, 1 + needed)


def _laid_for(world: World, times: Counter[str], material: str) -> int:
    """Upper bound on the cells of a material laid in order to collect from them.

    Most materials are found in numbers, so that this is cut off early.
    """
    rule = world.collect.get(material)
    if rule is None or rule.leaves == material:
        return 0
    return min(MOST_LAID, times[f"collect.{material}"])
