"""The results of the episodes of a training run, as they end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from gymnasium.vector import VectorEnv, VectorWrapper
from numpy.typing import NDArray

from mars_logic.envs.rewards import game_of

WINDOW: Final = 200
"""Episodes that recent results are the means of."""


@dataclass(frozen=True)
class Recent:
    """The means of the last episodes that ended, at most :data:`WINDOW`.

    Attributes:
        episodes: How many.
        reward: Crafter's reward of an episode.
        trained: The reward of an episode that is trained for.
        length: Steps of an episode.
        score: The score in percent: the geometric mean of the success rates, as Crafter defines it.
        unlocked: The mean number of achievements of an episode.
        rates: The success rate of each achievement, 0 to 1.
    """

    episodes: int
    reward: float
    trained: float
    length: float
    score: float
    unlocked: float
    rates: tuple[float, ...]


def score(rates: NDArray[np.float64]) -> float:
    """Crafter's score in percent, of success rates from 0 to 1 (Hafner 2021, section 3.2)."""
    return float(np.exp(np.log1p(100 * rates).mean()) - 1)


class EpisodeLog(VectorWrapper[Any, Any, Any, Any, NDArray[Any]]):
    """Adds up what each environment's episode brings; to be the outermost wrapper.

    Attributes:
        ended: The number of episodes that have ended.
    """

    def __init__(self, env: VectorEnv[Any, Any, NDArray[Any]]) -> None:
        """Wrap environments.

        Args:
            env: A :class:`~mars_logic.envs.vector.WorldVectorEnv` that resets in the same step,
                wrapped or not.
        """
        super().__init__(env)
        self._game = game_of(env.unwrapped)
        n, goals = self.num_envs, len(self._game.simulator.world.achievements)
        self._sums = np.zeros((n, 3))
        self._rows = np.zeros((WINDOW, 3 + goals))
        self.ended = 0

    def step(
        self, actions: Any
    ) -> tuple[Any, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """As the environments'."""
        result = self.env.step(actions)
        outcome, sums = self._game.outcome, self._sums
        sums[:, 0] += outcome.reward
        sums[:, 1] += result[1]
        sums[:, 2] += 1
        for env in np.flatnonzero(outcome.over).tolist():
            row = self._rows[self.ended % WINDOW]
            row[:3], row[3:] = sums[env], outcome.reached[env]
            sums[env] = 0
            self.ended += 1
        return result

    @property
    def recent(self) -> Recent | None:
        """The means of the last episodes; None before the first has ended."""
        if not self.ended:
            return None
        rows = self._rows[: self.ended]
        reward, trained, length = rows[:, :3].mean(axis=0).tolist()
        rates = rows[:, 3:].mean(axis=0)
        return Recent(
            episodes=len(rows),
            reward=reward,
            trained=trained,
            length=length,
            score=score(rates),
            unlocked=float(rates.sum()),
            rates=tuple(rates.tolist()),
        )

    def memory(self) -> dict[str, NDArray[Any]]:
        """What is needed to continue, for :meth:`recall`."""
        kept = {"sums": self._sums, "rows": self._rows, "ended": np.array(self.ended)}
        return {name: array.copy() for name, array in kept.items()}

    def recall(self, memory: dict[str, NDArray[Any]]) -> None:
        """Continue from what :meth:`memory` gave."""
        self._sums[:], self._rows[:] = memory["sums"], memory["rows"]
        self.ended = int(memory["ended"])
