"""Potential-based shaping of rewards over the tech tree, which leaves optimal policies unchanged.

The potential of a state is the mean over all achievements of the largest share of conditions of its
law that are met; 1 once the achievement is reached. A step earns gamma times the new potential
minus the old one; the potential at the end of an episode is 0. Source: Ng, Harada and Russell,
Policy invariance under reward transformations, 1999.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium.utils import RecordConstructorArgs
from gymnasium.vector import AutoresetMode, VectorEnv
from numpy.typing import NDArray

from mars_logic.envs.law_kernel import BatchLaws
from mars_logic.envs.rewards import game_of
from mars_logic.envs.vector import AnyVectorWrapper
from mars_logic.errors import InputError
from mars_logic.theory.action_models import Predicates


@dataclass(frozen=True)
class Shaping:
    """The amount of the shaping.

    Attributes:
        predicates: The laws of achievements.
        scale: The reward for the whole potential, from 0 to 1.
        gamma: The discount of the learning algorithm.
    """

    predicates: Predicates
    scale: float = 10.0
    gamma: float = 0.99


class VectorShaped(AnyVectorWrapper, RecordConstructorArgs):
    """Many environments whose rewards are shaped; ``infos["reward"]`` stays Crafter's."""

    def __init__(self, env: VectorEnv[Any, Any, NDArray[Any]], shaping: Shaping) -> None:
        """Wrap environments.

        Args:
            env: A :class:`~mars_logic.envs.vector.WorldVectorEnv` that resets in the same step,
                wrapped or not.
            shaping: The amount, and the laws.

        Raises:
            InputError: They are no such environments, or their achievements are not those of the
                laws.
        """
        RecordConstructorArgs.__init__(self, shaping=shaping)
        AnyVectorWrapper.__init__(self, env)
        self._game = game_of(env.unwrapped)
        if env.metadata["autoreset_mode"] is not AutoresetMode.SAME_STEP:
            raise InputError("envs: autoreset_mode must be SameStep for shaped rewards")
        known = self._game.simulator.world.achievements
        for goal in shaping.predicates.goals:
            if goal not in known:
                raise InputError(
                    f"laws: this world has no achievement {goal!r}; allowed: {', '.join(known)}"
                )
        self._columns = [known.index(goal) for goal in shaping.predicates.goals]
        self._shaping = shaping
        self._laws = BatchLaws(shaping.predicates, self.num_envs)
        self._before = np.zeros(self.num_envs)

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """As the environments'."""
        result = self.env.reset(seed=seed, options=options)
        self._before = self._potential()
        return result

    def step(
        self, actions: Any
    ) -> tuple[Any, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """As the environments', with the difference of potentials added to the rewards."""
        observations, rewards, terminated, truncated, infos = self.env.step(actions)
        now = self._potential()
        ended = np.where(terminated | truncated, 0.0, now)
        shaped = rewards + self._shaping.scale * (self._shaping.gamma * ended - self._before)
        self._before = now
        return observations, shaped, terminated, truncated, infos

    def memory(self) -> dict[str, NDArray[Any]]:
        """Nothing: the potential follows from the state."""
        return {}

    def recall(self, memory: dict[str, NDArray[Any]]) -> None:  # noqa: ARG002
        """Continue in environments that were restored."""
        self._before = self._potential()

    def _potential(self) -> NDArray[np.float64]:
        """float64[n]: the potential of the present states."""
        self._laws.judge(self._game.seen)
        reached = self._game.simulator.unlocked[:, self._columns]
        found: NDArray[np.float64] = np.where(reached, 1.0, self._laws.progress).mean(axis=1)
        return found
