"""Intrinsic rewards by learned laws, for actions that the laws consider valid.

For a point of health gained or lost, Crafter's tenth; 1 in the first step of an episode in which
an action is chosen that can reach an achievement, by the law of it; and -0.5 the first time that
an action is chosen while nothing is met that any of its laws asks for. What the game then does
plays no part. Source: From Laws to Motivation, section 4.

Example:
    >>> import mars_logic
    >>> from mars_logic.play.agent import load_agent
    >>> from mars_logic.play.recording import record
    >>> from mars_logic.theory.action_models import Records, learn
    >>> from mars_logic.sim import Simulator
    >>> simulator = Simulator(mars_logic.load_world("default"))
    >>> _, trajectory = record(load_agent("random")(), simulator, seed=2, agent_name="random")
    >>> laws = learn(Records.of(trajectory))
    >>> env = LawRewarded(gymnasium.make("mars_logic/Default-v0"), LawReward.of(laws))
    >>> _, info = env.reset(seed=7)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Self

import gymnasium
import numpy as np
from gymnasium.utils import RecordConstructorArgs
from gymnasium.vector import AutoresetMode, VectorEnv, VectorWrapper
from numpy.typing import NDArray

from mars_logic.envs.rewards import game_of
from mars_logic.errors import InputError
from mars_logic.sim.effects import DO_EFFECTS
from mars_logic.theory.action_models import ActionModels, Predicates, States, predicates
from mars_logic.theory.action_models.action_goals import action, alias
from mars_logic.theory.action_models.predicates import Reading

_SPLIT_NAMES: Final = dict.fromkeys(DO_EFFECTS)


@dataclass(frozen=True)
class LawReward:
    """The amounts of the intrinsic reward, and the laws that determine it.

    Attributes:
        predicates: Tell where an action can reach an achievement, and where nothing of it is met.
        valid: For the first valid step of each achievement's action.
        pointless: For the first choice of each action while nothing of it is met.
        health: For a point of health.
    """

    predicates: Predicates
    valid: float = 1.0
    pointless: float = -0.5
    health: float = 0.1

    @classmethod
    def of(cls, laws: ActionModels, reading: Reading = "simplest", **amounts: float) -> Self:
        """The reward by some laws.

        Args:
            laws: The laws.
            reading: Which of the hypotheses that are left is taken.
            amounts: What is paid, by the names of the attributes.
        """
        return cls(predicates(laws, reading), **amounts)


class _Payments:
    """The rewards already paid in the current episodes of n environments."""

    def __init__(self, env: Any, reward: LawReward) -> None:
        self.game = game_of(env)
        self._reward = reward
        dynamics = self.game.simulator.world.dynamics
        known = self.game.simulator.world.achievements
        for goal in reward.predicates.goals:
            if goal not in known:
                raise InputError(
                    f"laws: this world has no achievement {goal!r}; allowed: {', '.join(known)}"
                )
        names = self.game.actions.names
        wanted = [action(goal) for goal in reward.predicates.goals]
        # bool[actions, goals]: which goals an action may be taken for.
        self._goals = np.array(
            [
                [
                    what == name or (name in _SPLIT_NAMES and alias(name, dynamics) == goal)
                    for goal, what in zip(reward.predicates.goals, wanted, strict=True)
                ]
                for name in names
            ]
        )
        n = self.game.simulator.n
        self._paid = np.zeros((n, len(reward.predicates.goals)), np.bool_)
        self._fined = np.zeros((n, len(names)), np.bool_)

    def forget(self, where: NDArray[np.bool_]) -> None:
        """Clear the records of episodes that begin."""
        self._paid[where] = False
        self._fined[where] = False

    def due(self, actions: Any) -> NDArray[np.float64]:
        """float64[n]: the reward of the chosen actions in the current states."""
        chosen = np.asarray(actions).reshape(-1)
        states = States.of(self.game.seen)
        wanted = self._goals[chosen]
        valid = wanted & self._reward.predicates.valid(states) & ~self._paid
        met = (wanted & self._reward.predicates.anything(states)).any(axis=1)
        every = np.arange(len(chosen))
        pointless = wanted.any(axis=1) & ~met & states.free & ~self._fined[every, chosen]
        self._paid |= valid
        self._fined[every, chosen] |= pointless
        total: NDArray[np.float64] = (
            self._reward.valid * valid.sum(axis=1) + self._reward.pointless * pointless
        )
        return total

    def health(self) -> NDArray[np.float64]:
        """float64[n]: the reward of the change of health in the last step."""
        return self._reward.health * self.game.outcome.health


class LawRewarded(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """One environment rewarded by laws; ``info["reward"]`` stays Crafter's."""

    def __init__(self, env: gymnasium.Env[Any, Any], reward: LawReward) -> None:
        """Wrap an environment.

        Args:
            env: A :class:`~mars_logic.envs.env.WorldEnv`, wrapped or not.
            reward: The reward.

        Raises:
            InputError: It is no such environment, or its achievements are not those of the laws.
        """
        RecordConstructorArgs.__init__(self, reward=reward)
        gymnasium.Wrapper.__init__(self, env)
        self._payments = _Payments(env.unwrapped, reward)

    def reset(self, **options: Any) -> tuple[Any, dict[str, Any]]:
        """As the environment's; everything can be earned anew."""
        self._payments.forget(np.ones(1, np.bool_))
        return self.env.reset(**options)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """As the environment's, with this reward; after the end of an episode it is 0."""
        over = self._payments.game.outcome.over[0]
        due = 0.0 if over else self._payments.due(action)[0]
        observation, _, terminated, truncated, info = self.env.step(action)
        return observation, float(due + self._payments.health()[0]), terminated, truncated, info


class VectorLawRewarded(VectorWrapper[Any, Any, Any, Any, NDArray[Any]], RecordConstructorArgs):
    """Many environments rewarded by laws; ``infos["reward"]`` stays Crafter's."""

    def __init__(self, env: VectorEnv[Any, Any, NDArray[Any]], reward: LawReward) -> None:
        """Wrap environments.

        Args:
            env: A :class:`~mars_logic.envs.vector.WorldVectorEnv`, wrapped or not.
            reward: The reward.

        Raises:
            InputError: They are no such environments, or their achievements are not those of the
                laws.
        """
        RecordConstructorArgs.__init__(self, reward=reward)
        VectorWrapper.__init__(self, env)
        self._payments = _Payments(env.unwrapped, reward)
        self._mode = env.metadata["autoreset_mode"]

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """As the environments'; where an episode begins, everything can be earned anew."""
        everyone = np.ones(self.num_envs, np.bool_)
        result = self.env.reset(seed=seed, options=options)
        self._payments.forget((options or {}).get("reset_mask", everyone))
        return result

    def step(
        self, actions: Any
    ) -> tuple[Any, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """As the environments', with this reward."""
        restarted = self._payments.game.outcome.over & (self._mode is not AutoresetMode.DISABLED)
        waiting = restarted & (self._mode is AutoresetMode.NEXT_STEP)
        self._payments.forget(restarted)
        due = np.where(waiting, 0.0, self._payments.due(actions))
        self._payments.forget(waiting)
        observations, _, terminated, truncated, infos = self.env.step(actions)
        return observations, due + self._payments.health(), terminated, truncated, infos
