"""Scarcity: what will run out, and what it takes to get more."""

from __future__ import annotations

from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.outlook import outlasts
from mars_logic.plan.sources import grown_only, tools_for
from mars_logic.world.dialect import DIALECTS

_LITTLE = 4
"""With no more of a vital than that, a source is looked for that was not seen yet."""


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


def scarce(here: BeliefState, vital: str) -> bool:
    """Whether there is little left of a vital, and nothing in sight that would give more."""
    if here.status.amount(vital) > _LITTLE:
        return False
    model = here.model
    if any(model.eat_effect(thing.kind).of(vital) > 0 for thing in here.creatures):
        return False
    gives = [
        material
        for material, rule in model.world.collect.items()
        if rule.collectable and model.collect_effect(material).of(vital) > 0
    ]
    return not here.seen.made_of(*gives).any()
