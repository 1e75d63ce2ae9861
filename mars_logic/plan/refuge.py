"""The way back: what it takes of health to get from anywhere to ground that heals."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.kernel import kernel
from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.move_costs import ALIVE
from mars_logic.plan.outlook import starves
from mars_logic.plan.route import Route
from mars_logic.plan.sources import healing_ground
from mars_logic.world.dialect import MAXIMUM

LOST: Final = 99
"""More health than anybody has: there is no way back."""


def harm_back(here: BeliefState) -> NDArray[np.int32] | None:
    """int32[64, 64]: the least health that a way from each cell to ground that heals takes.

    :data:`LOST` where there is no way; None if no ground heals.
    """
    ground = healing_ground(here)
    if ground is None:
        return None
    terrain = here.routes.terrain
    entered = np.where(terrain.walk > 0, terrain.harm, terrain.open_harm)
    passable = (terrain.walk > 0) | (terrain.open_cost > 0)
    passable[here.seen.position] = True
    harm = np.where(passable, np.maximum(entered, 0), LOST).astype(np.int32)
    back: NDArray[np.int32] = _spread(harm, ground & passable)
    return back


def returns(here: BeliefState, way: Route) -> bool:
    """Whether who has all its health gets back from a way to ground that heals, if there is any."""
    if way.harm == 0 or way.end is None:
        return True
    back = harm_back(here)
    return back is None or MAXIMUM - way.harm - int(back[way.end]) >= ALIVE


def bears(here: BeliefState, way: Route, *, more: int = 0) -> bool:
    """Whether a way, and from its end that to ground that heals, leave enough health.

    Args:
        here: The situation.
        way: The way.
        more: Health that may be lost besides.
    """
    if way.end is None or (back := harm_back(here)) is None:
        return False
    off = sum(abs(a - b) for a, b in zip(way.end, here.seen.position, strict=True))
    lost = off // here.model.wasting if starves(here) else 0
    taken = max(way.worst, way.harm + int(back[way.end])) + lost + more
    return here.status.amount("health") - taken >= ALIVE


@kernel
def _spread(harm: Any, ground: Any) -> Any:
    """int32[64, 64]: the least sum of the harm of the cells entered, until one is on the ground."""
    width, height = harm.shape
    back = np.where(ground, np.int32(0), np.int32(LOST))
    changed = True
    while changed:
        changed = False
        for sweep in range(2):
            for i in range(width * height):
                cell = i if sweep == 0 else width * height - 1 - i
                x = cell // height
                y = cell - x * height
                for side in range(4):
                    nx = x + (side == 1) - (side == 0)
                    ny = y + (side == 3) - (side == 2)
                    if nx < 0 or ny < 0 or nx >= width or ny >= height:
                        continue
                    through = back[nx, ny] + harm[nx, ny]
                    if through < back[x, y]:
                        back[x, y] = through
                        changed = True
    return back
