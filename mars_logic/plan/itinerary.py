"""Itineraries: in which order, and at which sites, a plan is carried out with little walking.

From an abstract plan, whose order only works, a beam search makes one that is also short: sites are
the cells worth going to, and what lies between them is priced once for all pairs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from mars_logic.plan import beam
from mars_logic.plan.abstract import AbstractPlan, Target
from mars_logic.plan.beam import MOST_TARGETS
from mars_logic.plan.errand import make_errand
from mars_logic.plan.ground import Situation
from mars_logic.plan.route import STEP
from mars_logic.plan.seen import Cell
from mars_logic.plan.sites import Sites
from mars_logic.world import names


@dataclass(frozen=True, slots=True)
class Stop:
    """One thing to do.

    Attributes:
        target: What.
        cell: Where; None if it doesn't matter, or is not known yet.
    """

    target: Target
    cell: Cell | None


@dataclass(frozen=True)
class Itinerary:
    """Stops in the order in which to make them.

    Attributes:
        stops: What to do.
        steps: When all is done, in steps from now; a guess.
        missing: What the plan wants and it does not do, but for creatures of which there are none.
        whole: Whether it does all that the plan wants.
    """

    stops: tuple[Stop, ...]
    steps: int
    missing: frozenset[str]
    whole: bool

    def without(self, rule: str, gain: str | None) -> Itinerary:
        """The rest, once a rule was applied with this outcome."""
        for index, stop in enumerate(self.stops):
            if (stop.target.rule, stop.target.gain) == (rule, gain):
                return replace(self, stops=self.stops[:index] + self.stops[index + 1 :])
        return self


def make_itinerary(
    here: Situation,
    plan: AbstractPlan,
    held: Mapping[str, int],
    together: Mapping[str, frozenset[str]],
    planted: int | None,
) -> Itinerary:
    """A short way to carry out a plan.

    Args:
        here: The situation.
        plan: What to do.
        held: The items that may be used.
        together: For each thing to be placed, what has to stand close to it.
        planted: The step at which the plant that stands was planted; None if none stands.
    """
    each = dict.fromkeys(replace(target, times=1) for target in plan.targets)
    targets = list(each)[:MOST_TARGETS]
    if not targets:
        return Itinerary((), 0, frozenset(), True)
    counts = [
        sum(t.times for t in plan.targets if (t.rule, t.gain) == (one.rule, one.gain))
        for one in targets
    ]
    sites = Sites(here, targets, counts)
    errand = make_errand(
        here, list(zip(targets, counts, strict=True)), sites, held, together, planted
    )
    stops, end = beam.search(errand)
    found = tuple(
        Stop(targets[target], sites.cells[site] if _placed_there(targets[target]) else None)
        for target, site in stops.tolist()
    )
    left = {
        target.rule
        for target, count in zip(targets, counts, strict=True)
        if sum(stop.target == target for stop in found) < count
    }
    absent = {f"creature.{being}" for being in names.CREATURES if not here.seen.of_kind(being)}
    steps = int(end) // STEP - here.status.step
    return Itinerary(_luck_last(here, found), steps, frozenset(left - absent), not left)


def _luck_last(here: Situation, stops: tuple[Stop, ...]) -> tuple[Stop, ...]:
    """Luck that may never come is tried when nothing else is left to do but to wait."""
    lucky = [stop for stop in stops if stop.target.gain in names.CREATURES]
    others = [stop for stop in stops if stop.target.gain not in names.CREATURES]
    waits = all(_is_waited_for(here, stop.target) for stop in others)
    return stops if waits else (*others, *lucky)


def _is_waited_for(here: Situation, target: Target) -> bool:
    family, _, being = target.rule.partition(".")
    if being == "plant":
        return bool(here.seen.of_kind("plant"))
    return family == "sleep" or (family == "creature" and not here.seen.of_kind(being))


def _placed_there(target: Target) -> bool:
    return target.rule.startswith(("collect.", "creature."))
