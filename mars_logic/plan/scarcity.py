"""Scarcity: what will run out, what it takes to get more, and when to look for it."""

from __future__ import annotations

import math

from mars_logic.plan.belief_state import BeliefState, is_dark
from mars_logic.plan.outlook import DEATH, outlasts, presses
from mars_logic.plan.route import STEP
from mars_logic.plan.sources import Source, grown_only, tools_for
from mars_logic.world.dialect import MAXIMUM

Need = tuple[float, str, float, str, int]
"""Urgency, vital, cost of its source, the source's name, and the action to take now."""


def tools_lacking(here: BeliefState, ahead: int) -> frozenset[str]:
    """The tools that have to be made before a vital runs out, because its sources take them.

    Args:
        here: The situation.
        ahead: The steps for which the vital would have to last.
    """
    short = (v for v in ("drink", "food") if not outlasts(here, v, _until(here, v, ahead)))
    return next((tools for v in short if (tools := tools_for(here, v))), frozenset())


def _until(here: BeliefState, vital: str, ahead: int) -> int:
    """The steps for which a vital has to last; who has to grow it first begins in good time."""
    if not grown_only(here.model, vital):
        return ahead
    return 2 * ahead + here.model.world.vocabulary.ripening


def seeks(
    here: BeliefState, vital: str, cost: float, gain: float, ahead: int, *, weak: bool
) -> bool:
    """Whether to search for a source now; weak or in the dark only if there is no choice.

    Args:
        here: The situation.
        vital: What is sought.
        cost: The expected cost of the search, in quarters of a step.
        gain: How much of it is found.
        ahead: The steps for which it has to last.
        weak: Whether the player has little health.
    """
    if outlasts(here, vital, ahead):
        return False
    waits = weak or here.haunted
    return presses(here, vital) if waits else _wait_costs(here, vital, cost, gain)


def spares_search(
    here: BeliefState, vital: str, found: Source, later: Source | None, ahead: int
) -> bool:
    """Whether a point costs less of a creature in sight, now, than by a search later.

    Args:
        here: The situation.
        vital: What is lacking.
        found: The nearest source.
        later: The search for another one; None if there is none.
        ahead: The steps for which it has to last.
    """
    if (
        later is None
        or vital not in here.model.lasts
        or here.haunted
        or not found[2].startswith("creature.")
    ):
        return False
    lacking = min(found[1], MAXIMUM - here.status.amount(vital))
    cheaper = found[0] * min(later[1], MAXIMUM) < later[0] * lacking
    return cheaper and not outlasts(here, vital, ahead)


def in_order(here: BeliefState, wanted: list[Need], pursued: str | None) -> list[Need]:
    """Needs in the order in which to meet them, the most urgent first.

    Under partial sight ways are long, and what is more urgent changes on the way. Of food and drink
    the one that is pursued already, or else the nearer one, is then first, unless the other one
    would be too late after it.

    Args:
        here: The situation.
        wanted: The needs.
        pursued: The vital that was pursued in the last step.
    """
    order = sorted(wanted, key=lambda one: one[0])
    if here.expected is None or len(order) < 2 or order[0][0] < 0:
        return order
    first, second = order[:2]
    nearer = min(first, second, key=lambda one: (one[1] != pursued, one[2]))
    if "health" in (first[1], second[1]) or nearer == first:
        return order
    both = int((first[2] + second[2]) / STEP)
    return [second, first, *order[2:]] if outlasts(here, first[1], both) else order


def _wait_costs(here: BeliefState, vital: str, search: float, gain: float) -> bool:
    """Whether to search for a source now costs less than after one more point is used up.

    The time that a search takes is exponential, as far as this knows, and nobody searches in the
    dark. To wait makes death likelier, and saves a part of a search where what is found now would
    be more than the player can take.
    """
    level, lasts = here.status.amount(vital), here.model.lasts[vital]
    steps = level * lasts + (here.status.amount("health") - 1) * here.model.wasting
    if here.model.prowled:
        steps -= 5 * sum(is_dark(here.status.step + n) for n in range(0, steps, 5))
    risk = math.exp(-steps * STEP / search) * math.expm1(lasts * STEP / search)
    lacking = MAXIMUM - level
    if lacking == 0:
        return False
    saved = gain * (1 / min(gain, lacking) - 1 / min(gain, lacking + 1))
    return DEATH * risk >= saved * search
