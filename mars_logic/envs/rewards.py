"""Other rewards than Crafter's, for one environment or for many.

A reward is a small object that computes rewards from what a step brought; two wrappers, one for
each kind of environment, put it in the place of Crafter's.

Example:
    >>> env = Rewarded(gymnasium.make("mars_logic/Crafter-v0"), Sparse(("collect_diamond",)))
    >>> envs = VectorRewarded(gymnasium.make_vec("mars_logic/Crafter-v0", 8), ACHIEVEMENTS_ONLY)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import gymnasium
import numpy as np
from gymnasium.utils import RecordConstructorArgs
from gymnasium.vector import VectorEnv
from numpy.typing import NDArray

from mars_logic.envs.choices import known
from mars_logic.envs.env import WorldEnv
from mars_logic.envs.game import StepOutcome, WorldGame
from mars_logic.envs.vector import AnyVectorWrapper, WorldVectorEnv
from mars_logic.errors import InputError

Columns = NDArray[np.float64]
"""float64[22]: a number for each achievement."""


class Reward(Protocol):
    """Computes rewards."""

    def columns(self, achievements: tuple[str, ...]) -> Columns:
        """The weight of each of a world's achievements.

        Raises:
            InputError: It names one that the world does not have.
        """

    def of(self, outcome: StepOutcome, columns: Columns) -> NDArray[np.float64]:
        """float64[n]: the rewards of a step."""


@dataclass(frozen=True)
class Weighted:
    """A weight for each achievement when it is first reached, and one for health.

    Attributes:
        achievements: The weight by name of those that count, or one weight for all.
        health: Reward per point of health gained; a lost point gives its negative. Crafter: 0.1.
    """

    achievements: Mapping[str, float] | float = 1.0
    health: float = 0.1

    def columns(self, achievements: tuple[str, ...]) -> Columns:
        """The weight of each achievement."""
        if not isinstance(self.achievements, Mapping):
            return np.full(len(achievements), float(self.achievements))
        known("achievements", self.achievements, achievements)
        return np.array([float(self.achievements.get(name, 0.0)) for name in achievements])

    def of(self, outcome: StepOutcome, columns: Columns) -> NDArray[np.float64]:
        """The weights of what was unlocked, and of the change of health."""
        rewards: NDArray[np.float64] = outcome.unlocked @ columns + self.health * outcome.health
        return rewards


ACHIEVEMENTS_ONLY: Final = Weighted(achievements=1.0, health=0.0)
"""1 for each achievement at its first time in the episode; 0 otherwise."""


@dataclass(frozen=True)
class Sparse:
    """1 in the step that reaches the last of the goals; 0 otherwise.

    Attributes:
        goals: Names of achievements; all of them by default.
    """

    goals: tuple[str, ...] = field(default=())

    def columns(self, achievements: tuple[str, ...]) -> Columns:
        """1 for each goal."""
        known("goals", self.goals, achievements)
        return np.array([float(name in (self.goals or achievements)) for name in achievements])

    def of(self, outcome: StepOutcome, columns: Columns) -> NDArray[np.float64]:
        """1 where the last remaining goal was reached in this step."""
        nothing_left = outcome.reached @ columns == columns.sum()
        return np.where(nothing_left & (outcome.unlocked @ columns > 0), 1.0, 0.0)


class Rewarded(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """One environment with another reward; ``info["reward"]`` stays Crafter's."""

    def __init__(self, env: gymnasium.Env[Any, Any], reward: Reward) -> None:
        """Wrap an environment.

        Args:
            env: A :class:`~mars_logic.envs.env.WorldEnv`, wrapped or not.
            reward: The reward.

        Raises:
            InputError: It is no such environment, or the reward does not fit its world.
        """
        RecordConstructorArgs.__init__(self, reward=reward)
        gymnasium.Wrapper.__init__(self, env)
        self._game = game_of(env.unwrapped)
        self._reward = reward
        self._columns = reward.columns(self._game.simulator.world.achievements)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """As the environment's, with this reward."""
        observation, _, terminated, truncated, info = self.env.step(action)
        reward = self._reward.of(self._game.outcome, self._columns)[0]
        return observation, float(reward), terminated, truncated, info


class VectorRewarded(AnyVectorWrapper, RecordConstructorArgs):
    """Many environments with another reward; ``infos["reward"]`` stays Crafter's."""

    def __init__(self, env: VectorEnv[Any, Any, NDArray[Any]], reward: Reward) -> None:
        """Wrap environments.

        Args:
            env: A :class:`~mars_logic.envs.vector.WorldVectorEnv`, wrapped or not.
            reward: The reward.

        Raises:
            InputError: They are no such environments, or the reward does not fit their world.
        """
        RecordConstructorArgs.__init__(self, reward=reward)
        AnyVectorWrapper.__init__(self, env)
        self._game = game_of(env.unwrapped)
        self._reward = reward
        self._columns = reward.columns(self._game.simulator.world.achievements)

    def step(
        self, actions: Any
    ) -> tuple[Any, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """As the environments', with this reward."""
        observations, _, terminated, truncated, infos = self.env.step(actions)
        rewards = self._reward.of(self._game.outcome, self._columns)
        return observations, rewards, terminated, truncated, infos


def game_of(env: Any) -> WorldGame:
    """The simulator of an environment, and what the last step brought.

    Raises:
        InputError: It is none of this project's environments.
    """
    if not isinstance(env, WorldEnv | WorldVectorEnv):
        raise InputError(f"env: {env!r} is no environment of mars_logic; it has other rewards")
    return env.game
