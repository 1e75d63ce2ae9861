"""Scarcity: what will run out, and what it takes to get more."""

from __future__ import annotations

from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.outlook import outlasts
from mars_logic.plan.sources import grown_only, tools_for
from mars_logic.world.dialect import DIALECTS


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
    return 2 * ahead + DIALECTS[here.model.world.dynamics].ripening
