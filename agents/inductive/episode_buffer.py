"""Notes of an episode while it is played: a trajectory that grows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mars_logic.data.trajectory import DONE, SEEN, About, Trajectory, assemble, layout_for
from mars_logic.play.agent import Episode
from mars_logic.sim import Observation


class EpisodeBuffer:
    """The observations and actions of an episode so far."""

    def __init__(self, episode: Episode, number: int, observation: Observation) -> None:
        """Begin with the first view.

        Args:
            episode: What is told of the episode.
            number: Which of the player's episodes it is.
            observation: The first view (n = 1).
        """
        self._about = About(
            *("", "", episode.dialect, episode.seed, number, "learner"),
            adds=episode.adds,
            own_map=episode.own_map,
        )
        words = self._about.words
        self._codes = {name: i for i, name in enumerate(words.achievements)}
        self._source = f"episode {number}"
        self._steps = 0
        self._seen = _empty(layout_for(SEEN, words), episode.length + 1)
        self._done = _empty(layout_for(DONE, words), episode.length)
        self._see(observation)

    def __len__(self) -> int:
        return self._steps

    def add(
        self, action: int, reward: float, unlocked: Iterable[str], done: bool, after: Observation
    ) -> None:
        """Note a transition."""
        row, arrays = self._steps, self._done
        arrays["action"][row] = action
        arrays["reward"][row] = reward
        arrays["unlocked"][row, [self._codes[n] for n in unlocked if n in self._codes]] = True
        arrays["terminated" if after.inventory[0, 0] <= 0 else "truncated"][row] = done
        self._steps += 1
        self._see(after)

    def trajectory(self) -> Trajectory:
        """All of it; the arrays are parts of larger ones, and not copied."""
        seen = {name: array[: self._steps + 1] for name, array in self._seen.items()}
        done = {name: array[: self._steps] for name, array in self._done.items()}
        return assemble(self._about, seen | done, self._source)

    def _see(self, observation: Observation) -> None:
        for name, array in self._seen.items():
            array[self._steps] = getattr(observation, name)[0]


def _empty(layout: Any, rows: int) -> dict[str, NDArray[Any]]:
    return {name: np.zeros((rows, *shape), dtype) for name, (dtype, shape) in layout.items()}
