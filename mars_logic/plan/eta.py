"""Estimated time of a plan's completion, and remaining time."""

from __future__ import annotations

from collections.abc import Iterable

from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.itinerary import Itinerary
from mars_logic.plan.observed_map import UNSEEN
from mars_logic.plan.task_plan import Task

_MARGIN = 20
"""Steps that a plan may take more than half as many again as is thought."""
_UNKNOWN = 3
"""Factor on a plan's duration on a partly known map."""
_WAITING = 100
"""Steps until a creature comes of which there is none."""


def left(here: BeliefState) -> int:
    """The steps that the episode has left."""
    return here.model.length - here.status.step


def expected(
    here: BeliefState,
    itinerary: Itinerary | None,
    targets: Iterable[Task],
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
    if (here.seen.materials == UNSEEN).any():
        steps *= _UNKNOWN
    waiting = 0 if itinerary.whole else _WAITING
    if "creature.plant" in rules:
        # Plants are lost, and planted again.
        waiting += here.model.world.vocabulary.ripening // 2
    late = max(0, here.status.step - (due or here.status.step))
    return max(0, steps) * 3 // 2 + _MARGIN + waiting + late // 2
