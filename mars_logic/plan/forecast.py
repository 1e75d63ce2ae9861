"""Forecast: how long a plan still takes, and how long there is."""

from __future__ import annotations

from collections.abc import Iterable

from mars_logic.plan.abstract import Target
from mars_logic.plan.ground import Situation
from mars_logic.plan.itinerary import Itinerary
from mars_logic.plan.seen import RIPENING
from mars_logic.sim.codes import LENGTHS

_MARGIN = 20
"""Steps that a plan may take more than half as many again as is thought."""
_UNKNOWN = 3
"""So many times longer a plan takes where not all of the map is known."""
_WAITING = 100
"""Steps until a creature comes of which there is none."""


def left(here: Situation) -> int:
    """The steps that the episode has left."""
    return LENGTHS[here.lore.world.dynamics] - here.status.step


def expected(
    here: Situation,
    itinerary: Itinerary | None,
    targets: Iterable[Target],
    begun: int,
    due: int | None,
) -> int | None:
    """The steps that a plan still takes; None if nobody knows.

    Args:
        here: The situation.
        itinerary: How it is carried out.
        targets: What is left to do.
        begun: The step at which that itinerary was made.
        due: The step at which all was to be done; who is late already may get half as late again.
    """
    rules = {target.rule for target in targets}
    if itinerary is None or itinerary.missing or not rules:
        return None
    steps = itinerary.steps - (here.status.step - begun)
    if here.frontier is not None:
        steps *= _UNKNOWN
    waiting = 0 if itinerary.whole else _WAITING
    if "creature.plant" in rules:
        # Plants are lost, and planted again.
        waiting += RIPENING[here.lore.world.dynamics] // 2
    late = max(0, here.status.step - (due or here.status.step))
    return max(0, steps) * 3 // 2 + _MARGIN + waiting + late // 2
