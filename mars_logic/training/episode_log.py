"""The results of the episodes of a training run, as they end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from gymnasium.vector import VectorEnv
from numpy.typing import NDArray

from mars_logic.envs.vector import AnyVectorWrapper, BatchVectorEnv

WINDOW: Final = 200
"""Episodes that recent results are the means of."""

_MOST: Final = 1e9
"""More than any reward of an episode."""


@dataclass(frozen=True)
class Recent:
    """The means of the last episodes that ended, at most :data:`WINDOW`.

    Attributes:
        episodes: How many.
        reward: Crafter's reward of an episode.
        trained: The reward of an episode that is trained for.
        length: Steps of an episode.
        score: The score in percent: the geometric mean of the success rates, as Crafter defines it;
            of detectives the share of traces seen.
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


class EpisodeLog(AnyVectorWrapper):
    """Adds up what each environment's episode brings; to be the outermost wrapper.

    It keeps the actions of the present episodes, so that they can be played again to the same
    states: a checkpoint then holds no state that would have to be believed.

    Attributes:
        ended: The number of episodes that have ended.
        goals: What an episode may reach.
        actions: The number of actions.
    """

    def __init__(self, env: VectorEnv[Any, Any, NDArray[Any]]) -> None:
        """Wrap environments.

        Args:
            env: A :class:`~mars_logic.envs.vector.BatchVectorEnv` that resets in the same step,
                wrapped or not.
        """
        super().__init__(env)
        inner = env.unwrapped
        assert isinstance(inner, BatchVectorEnv)
        self._game = inner.game
        self.goals, self.actions = self._game.goals, len(self._game.names)
        n, goals = self.num_envs, len(self.goals)
        self._sums = np.zeros((n, 3))
        self._rows = np.zeros((WINDOW, 3 + goals))
        self._taken = np.zeros(n, np.int32)  # steps of the present episodes
        self._actions = np.zeros((n, self._game.length), np.uint8)
        self._everyone = np.arange(n)
        self.ended = 0

    def step(
        self, actions: Any
    ) -> tuple[Any, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """As the environments'."""
        self._actions[self._everyone, self._taken] = actions
        self._taken += 1
        result = self.env.step(actions)
        outcome, sums = self._game.outcome, self._sums
        sums[:, 0] += outcome.reward
        sums[:, 1] += result[1]
        sums[:, 2] += 1
        for env in np.flatnonzero(outcome.over).tolist():
            row = self._rows[self.ended % WINDOW]
            row[:3], row[3:] = sums[env], outcome.reached[env]
            sums[env] = 0
            self._taken[env] = 0
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
        score, unlocked = self._game.result(rates)
        return Recent(
            episodes=len(rows),
            reward=reward,
            trained=trained,
            length=length,
            score=score,
            unlocked=unlocked,
            rates=tuple(rates.tolist()),
        )

    def memory(self) -> dict[str, NDArray[Any]]:
        """What is needed to continue, for :meth:`recall`."""
        most = int(self._taken.max())
        kept = {
            "sums": self._sums,
            "rows": self._rows,
            "ended": np.array(self.ended),
            "seeds": self._game.seeds,
            "episodes": self._game.episodes,
            "taken": self._taken,
            "actions": self._actions[:, :most],
        }
        return {name: array.copy() for name, array in kept.items()}

    def recall(self, memory: dict[str, NDArray[Any]]) -> None:
        """Continue from what :meth:`memory` gave, in environments in which it was played again.

        Raises:
            ValueError: An array is of another type or shape, or its values are not possible.
            KeyError: An array is missing.
        """
        mine = {"sums": self._sums, "rows": self._rows, "ended": np.array(0)}
        require_like(memory, mine)
        ended, sums, rows = int(memory["ended"]), memory["sums"], memory["rows"]
        if ended < 0 or not np.array_equal(sums[:, 2], memory["taken"]):
            raise ValueError("the numbers of episodes or of steps are not possible")
        most = max(np.abs(sums).max(), np.abs(rows).max())
        if most > _MOST or rows[:, 3:].min() < 0 or rows[:, 3:].max() > 1:
            raise ValueError("the rewards or the rates are not possible")
        self._sums[:], self._rows[:], self.ended = sums, rows, ended
        self._taken[:] = memory["taken"]
        self._actions[:, : memory["actions"].shape[1]] = memory["actions"]


def require_like(found: Mapping[str, NDArray[Any]], mine: Mapping[str, NDArray[Any]]) -> None:
    """Refuse arrays that are of other types or shapes than those that they are to replace.

    Raises:
        ValueError: One is.
        KeyError: One is missing.
    """
    for name, array in mine.items():
        other = found[name]
        if (other.shape, other.dtype) != (array.shape, array.dtype):
            raise ValueError(
                f"{name} is {other.dtype}{list(other.shape)}, not {array.dtype}{list(array.shape)}"
            )
