"""Access repair (bridging): collecting items to place where no path exists.

Whoever collects and builds may cut itself off from all that is left to do. What can be placed on
the cells between, and be collected on this side, opens a way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from mars_logic.plan.belief_state import BeliefState, Mask
from mars_logic.plan.itinerary import footing
from mars_logic.plan.routes import FAR
from mars_logic.plan.skills import Skill, collecting
from mars_logic.plan.tour_search import NOWHERE
from mars_logic.world.dialect import AREA, MAXIMUM

_PLENTY = MAXIMUM


def bridging(here: BeliefState, goals: Iterable[Skill]) -> tuple[str, int] | None:
    """The items to collect for a way to unreachable goals, and the action to take now.

    Args:
        here: The situation.
        goals: What is to be got to.

    Returns:
        None if no way is lacking, or nothing that is at hand would make one.
    """
    wanted = np.zeros((AREA, AREA), np.bool_)
    for goal in goals:
        if goal.facing is not None:
            wanted |= goal.facing
    if not wanted.any() or (footing(here).nearest[wanted] < NOWHERE).any():
        return None
    found = [(*task.price(here), task.name) for task in _materials(here, wanted)]
    cost, action, name = min(found, default=(FAR, 0, ""))
    return (f"a way by {name}", action) if cost < FAR else None


def _materials(here: BeliefState, wanted: Mask) -> Iterator[Skill]:
    """Collecting items that are used by one thing to be placed, and lead to what is wanted."""
    world = here.model.world
    ways: list[Mapping[Any, int]] = [place.uses for place in world.place.values()]
    ways += [rule.requires for rule in world.collect.values()]
    for takes in ways:
        lacking = {item for item, n in takes.items() if here.held.get(item, 0) < n}
        if not lacking:
            continue
        enough = footing(here, dict.fromkeys(takes, _PLENTY))
        if not (enough.nearest[wanted] < NOWHERE).any():
            continue
        for rule in here.model.world.collect.values():
            given = {item for item, much in rule.yields.items() if much.probability != 0}
            if rule.collectable and lacking & given:
                yield from collecting(here, rule)
