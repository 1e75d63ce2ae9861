"""What a player knows of an episode by its observations: the map it has seen, and its status."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mars_logic.plan.lore import SLEEP
from mars_logic.plan.seen import SeenMap, Status

if TYPE_CHECKING:
    from mars_logic.sim import Observation


class Observed:
    """Grows with each observation; nothing of the environment's state reaches it.

    Attributes:
        seen: The map as far as it was in view.
        status: What the player knows of itself, as of the last observation.
    """

    def __init__(self, observation: Observation) -> None:
        """Begin with the first observation of an episode (n = 1)."""
        self.seen = SeenMap.begin(observation)
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
        asleep = self.status.sleeping and self.status.amount("energy") < 9
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
        )
