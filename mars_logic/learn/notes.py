"""Notes of an episode while it is played: a trajectory that grows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mars_logic.agent import Episode
from mars_logic.data.trajectory import LAYOUT, About, Trajectory, assemble
from mars_logic.sim import Observation
from mars_logic.world import names

_SEEN = ("materials", "objects", "inventory", "facing", "sleeping", "daylight")


class Notes:
    """What a player saw and did in an episode so far."""

    def __init__(self, episode: Episode, number: int, observation: Observation) -> None:
        """Begin with the first view.

        Args:
            episode: What is told of the episode.
            number: Which of the player's episodes it is.
            observation: The first view (n = 1).
        """
        self._about = About("", "", episode.dynamics, episode.seed, number, "learner")
        self._codes = {name: i for i, name in enumerate(names.achievements(episode.dynamics))}
        self._source = f"episode {number}"
        self._steps = 0
        self._arrays: dict[str, NDArray[Any]] = {
            column: np.zeros(
                (episode.length + (shape[0] == "S"), *(int(n) for n in shape[1:])), dtype
            )
            for column, (dtype, shape) in LAYOUT.items()
        }
        self._see(observation)

    def __len__(self) -> int:
        return self._steps

    def add(
        self, action: int, reward: float, unlocked: Iterable[str], done: bool, after: Observation
    ) -> None:
        """Note a transition."""
        row = self._steps
        self._arrays["action"][row] = action
        self._arrays["reward"][row] = reward
        self._arrays["unlocked"][row, [self._codes[name] for name in unlocked]] = True
        self._arrays["done"][row] = done
        self._steps += 1
        self._see(after)

    def trajectory(self) -> Trajectory:
        """All of it, as arrays that are not copied."""
        parts = {
            column: self._arrays[column][: self._steps + (shape[0] == "S")]
            for column, (_, shape) in LAYOUT.items()
        }
        return assemble(self._about, parts, source=self._source)

    def _see(self, observation: Observation) -> None:
        for column in _SEEN:
            self._arrays[column][self._steps] = getattr(observation, column)[0]
