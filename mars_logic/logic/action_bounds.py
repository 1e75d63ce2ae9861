"""Upper bounds on the useful number of applications of each rule.

A play may apply rules more often; its counts can then be reduced to these bounds while every item
used or held is still obtained and every cell collected from is still on the map or laid:

* A reduced rule still brings as much of each item as all other rules within their bounds use up or
  have to hold, and lays as many cells of a material as are collected from at all.
* Placing stone is the exception, since stone is collected again to be placed. Where it exceeds
  its bound and every laid cell is needed, each placement is removed together with one collecting of
  the laid cell. That loses nothing except items of which collecting brings more than placing uses,
  and one cell of the remaining material. The bound keeps as many placements as these can need.

docs/bounds.md has the whole proof.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from mars_logic.logic.spending import amounts_held, bringing, spending
from mars_logic.world.rules import Collect, Place
from mars_logic.world.theory import World

PLAIN = "plain"
"""The outcome of a deterministic rule, or the default outcome."""
MOST = 40
"""Cap of the counts; a count at ``MOST`` may be too low."""
_BLOWS = 5
"""The health of the dialects' toughest creature."""

Way = tuple[str, str]
"""The id of a rule, and an outcome."""


def ways(rule: Collect, dynamics: str) -> dict[str, dict[str, int]]:
    """The best outcomes of collecting, each with its yields.

    In mars at most one random yield occurs at a time; in crafter all occur together.
    """
    sure: dict[str, int] = {}
    by_chance: dict[str, int] = {}
    for item, given in rule.yields.items():
        if given.probability is None:
            sure[item] = given.amount
        elif given.probability:
            by_chance[item] = given.amount
    if dynamics != "mars" or not by_chance:
        return {PLAIN: sure | by_chance}
    return {item: sure | {item: amount} for item, amount in by_chance.items()}


def action_bounds(world: World) -> dict[Way, int]:
    """By rule and outcome: a sufficient number of applications, unless it is :data:`MOST`."""
    numbers = _Numbers(world)
    found: dict[Way, int] = {}
    while (more := numbers.after(found)) != found:
        found = more
    return found


class _Numbers:
    """Monotone fixpoint iteration; each round computes counts from those of the previous one."""

    def __init__(self, world: World):
        self._world = world
        self._collect = {m: rule for m, rule in world.collect.items() if rule.collectable}
        self._ways = {m: ways(rule, world.dynamics) for m, rule in self._collect.items()}
        self._used_up = {m for m, rule in self._collect.items() if rule.leaves != m}
        self._held: Counter[str] = Counter(amounts_held(world))

    def after(self, found: Mapping[Way, int]) -> dict[Way, int]:
        demand = self._demand(found)
        new: dict[Way, int] = {}
        for material, rule in self._collect.items():
            laid = self._collected(found, rule.leaves) if rule.leaves != material else 0
            for outcome, brings in self._ways[material].items():
                new[rule.id, outcome] = max(1, laid, _brought(brings, demand))
        for place in self._world.place.values():
            new[place.id, PLAIN] = max(1, self._placed_again(place, found, demand))
        for make in self._world.make.values():
            new[make.id, PLAIN] = max(1, _brought({make.subject: make.gives}, demand))
        words = self._world.vocabulary
        blows = max(_BLOWS, *(words.health_at_first[being] for being in words.creatures))
        new |= {(f"creature.{being}", PLAIN): blows for being in words.creatures}
        new |= {(rule.id, PLAIN): 1 for rule in self._world.eat.values()}
        new |= {(rule.id, PLAIN): 1 for rule in self._world.shoot.values()}
        for killing_or_eating, given in bringing(self._world).items():
            this = killing_or_eating, PLAIN
            new[this] = max(new[this], _brought(given, demand))
        return {way: min(MOST, number) for way, number in new.items()}

    def _demand(self, found: Mapping[Way, int]) -> Mapping[str, int]:
        """By item: an upper bound on the number used up or held."""
        used: Counter[str] = Counter()
        for rule, uses in spending(self._world).items():
            times = self._times(found, rule)
            for item, amount in uses.items():
                used[item] += amount * times
        return used | self._held

    def _times(self, found: Mapping[Way, int], rule: str) -> int:
        """Number of applications of a rule, with all of its outcomes."""
        family, _, subject = rule.partition(".")
        outcomes = self._ways[subject] if family == "collect" else (PLAIN,)
        return sum(found.get((rule, outcome), 1) for outcome in outcomes)

    def _collected(self, found: Mapping[Way, int], material: str) -> int:
        """Number of collections from a material that remove a cell."""
        if material not in self._used_up:
            return 0
        return self._times(found, self._collect[material].id)

    def _placed_again(
        self, place: Place, found: Mapping[Way, int], demand: Mapping[str, int]
    ) -> int:
        """Useful number of placements for collecting the placed object again."""
        if place.subject not in self._used_up:
            return 0
        outcomes = self._ways[place.subject].values()
        uses = {str(item): amount for item, amount in place.uses.items()}
        kept = 0
        amounts = {item: amount for brings in outcomes for item, amount in brings.items()}
        for item, amount in amounts.items():  # the same in all outcomes that bring it
            wanted = demand.get(item, 0) if amount > uses.get(item, 0) else self._held[item]
            kept += max(1, -(-wanted // amount))
        return max(kept, self._collected(found, self._collect[place.subject].leaves))


def _brought(brings: Mapping[str, int], demand: Mapping[str, int]) -> int:
    """Number of applications that meet the demand for each item."""
    return max((-(-demand.get(item, 0) // amount) for item, amount in brings.items()), default=0)
