"""Strength: the health with which a way that takes some is set out on."""

from __future__ import annotations

from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.move_costs import ALIVE
from mars_logic.plan.observed_map import Cell
from mars_logic.plan.outlook import WEAK, lacks
from mars_logic.plan.refuge import harm_back
from mars_logic.plan.route import STEP
from mars_logic.plan.sources import nearest_healing
from mars_logic.plan.threats import may_doze, quiet, safe, worst_blow
from mars_logic.plan.world_model import NOOP, SLEEP
from mars_logic.world.dialect import MAXIMUM

_TIME = 26 * STEP
"""The cost of waiting for a point of health."""


class Strength:
    """It remembers with what it set out."""

    def __init__(self) -> None:
        """Begin an episode."""
        self._spare = MAXIMUM
        self._one_way: Cell | None = None

    def gather(
        self, here: BeliefState, harm: int, end: Cell | None = None, worst: int = 0
    ) -> int | None:
        """An action to get the health with that a way takes; None to go at once.

        Args:
            here: The situation.
            harm: What the way takes of health.
            end: The cell on which it ends: from there ground that heals has still to be got to.
            worst: What it takes before it comes to ground that heals, if that is more.
        """
        health, energy = here.status.amount("health"), here.status.amount("energy")
        enough = WEAK + worst_blow(here)
        if harm and end is not None and (back := self._back_first(here, harm, end)) is not None:
            return back
        harm = max(harm, worst)
        spare = health - harm
        if harm == 0 or spare >= enough or health == MAXIMUM:
            self._spare = min(spare, enough) if harm else enough
            return None
        if spare + lacks(here) >= self._spare:
            return None  # it set out with no more
        self._spare = enough
        missing = min(MAXIMUM, harm + enough) - health
        healed = nearest_healing(here)
        if healed is not None and healed[0] < missing * _TIME:
            return healed[1]
        if lacks(here) or not (quiet(here) or health - harm < WEAK):
            return None
        lulled = energy < MAXIMUM and safe(here) and may_doze(here)
        return SLEEP if lulled else NOOP

    def _back_first(self, here: BeliefState, harm: int, end: Cell) -> int | None:
        """An action towards ground that heals, if it could not be got to from the end of a way.

        Who is there with full health takes its chance, and goes on.
        """
        back = harm_back(here)
        if back is None:
            return None
        health, nearest = here.status.amount("health"), int(back[here.seen.position])
        going, self._one_way = self._one_way == end, None
        if health - harm - int(back[end]) >= ALIVE:
            return None
        if going or (nearest == 0 and health == MAXIMUM):
            self._one_way = end
            return None
        healed = nearest_healing(here)
        return None if healed is None else healed[1]
