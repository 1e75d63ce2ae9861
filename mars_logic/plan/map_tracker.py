"""Map tracker: the seen map and the status of a player, from its observations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mars_logic.plan.observed_map import START, Cell, ObservedMap, Status
from mars_logic.plan.world_model import SLEEP
from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM

if TYPE_CHECKING:
    from mars_logic.sim import Observation


class MapTracker:
    """Updated by observations alone, independent of the environment's hidden state.

    Attributes:
        seen: The map as far as it was in view.
        status: What the player knows of itself, as of the last observation.
    """

    def __init__(
        self,
        observation: Observation,
        start: Cell = START,
        items: tuple[str, ...] = names.ITEMS,
    ) -> None:
        """Begin.

        Args:
            observation: The first one of an episode (n = 1).
            start: The player's first cell.
            items: The items of the inventory, Crafter's by default.
        """
        self.seen = ObservedMap.begin(observation, start)
        self._items = items
        self._steps = 0
        self._unlocked: frozenset[str] = frozenset()
        self.status = self._status(observation)

    def note(self, action: int, unlocked: Iterable[str], after: Observation) -> None:
        """Take in one step.

        Args:
            action: The code of the action that was chosen; a player that sleeps and is tired sleeps
                on, whatever it chose.
            unlocked: The achievements that were reached by it for the first time.
            after: What is seen now (n = 1).
        """
        asleep = self.status.sleeping and self.status.amount("energy") < MAXIMUM
        self._steps += 1
        self._unlocked |= set(unlocked)
        self.seen = self.seen.after(after, SLEEP if asleep else action)
        self.status = self._status(after)

    def _status(self, observation: Observation) -> Status:
        return Status(
            tuple(observation.inventory[0].tolist()),
            bool(observation.sleeping[0]),
            float(observation.daylight[0]),
            self._steps,
            self._unlocked,
            self._items,
        )
