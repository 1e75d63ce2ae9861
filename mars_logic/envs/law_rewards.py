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
from typing import Any, Final, Protocol, Self

import gymnasium
import numpy as np
from gymnasium.utils import RecordConstructorArgs
from gymnasium.vector import AutoresetMode, VectorEnv
from numpy.typing import NDArray

from mars_logic.envs.game import WorldGame
from mars_logic.envs.law_kernel import BatchLaws
from mars_logic.envs.rewards import game_of
from mars_logic.envs.vector import AnyVectorWrapper
from mars_logic.errors import InputError
from mars_logic.sim.effects import DO_EFFECTS
from mars_logic.sim.split_actions import SPLIT_ACTIONS, split_mask
from mars_logic.theory.action_models import ActionModels, Predicates, predicates
from mars_logic.theory.action_models.action_goals import action, alias
from mars_logic.theory.action_models.predicates import Reading
from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM

_SPLIT_NAMES: Final = dict.fromkeys(DO_EFFECTS)
_ENERGY: Final = names.ITEMS.index("energy")


@dataclass(frozen=True)
class LawReward:
    """The amounts of the intrinsic reward, and the laws that determine it.

    Attributes:
        predicates: Tell where an action can reach an achievement, and where nothing of it is met;
            None for the world's own rules, by which nothing is met where the action is not valid.
        valid: For the first valid step of each achievement's action.
        pointless: For the first choice of each action while nothing of it is met.
        health: For a point of health.
        strict: Whether ``pointless`` is due where an action is not valid by any of its laws, even
            if something is met that they ask for.
    """

    predicates: Predicates | None
    valid: float = 1.0
    pointless: float = -0.5
    health: float = 0.1
    strict: bool = False

    @classmethod
    def of(cls, laws: ActionModels, reading: Reading = "simplest", **amounts: Any) -> Self:
        """The reward by some laws.

        Args:
            laws: The laws.
            reading: Which of the hypotheses that are left is taken.
            amounts: What is paid, by the names of the attributes.
        """
        return cls(predicates(laws, reading), **amounts)


class _Judge(Protocol):
    """Tells for n environments which goals' actions are valid.

    Attributes:
        valid: bool[n, goals], as in :class:`BatchLaws`.
        anything: bool[n, goals], as there.
    """

    valid: NDArray[np.bool_]
    anything: NDArray[np.bool_]

    def judge(self, game: WorldGame) -> None:
        """Evaluate the present states."""


class _Learned:
    """Judges by learned laws."""

    def __init__(self, laws: Predicates, n: int) -> None:
        self._laws = BatchLaws(laws, n)
        self.valid, self.anything = self._laws.valid, self._laws.anything

    def judge(self, game: WorldGame) -> None:
        self._laws.judge(game.seen)


class _True:
    """Judges by the world's rules: an action is valid if it has an effect of its goal's name."""

    def __init__(self, goals: tuple[str, ...], dynamics: names.Dynamics) -> None:
        by_goal = {alias(name, dynamics): column for column, name in enumerate(SPLIT_ACTIONS)}
        self._columns = [by_goal[goal] for goal in goals]
        self.valid = self.anything = np.zeros((0, len(goals)), np.bool_)

    def judge(self, game: WorldGame) -> None:
        self.valid = self.anything = split_mask(game.simulator)[:, self._columns]


class _Payments:
    """The rewards already paid in the current episodes of n environments."""

    def __init__(self, env: Any, reward: LawReward) -> None:
        self.game = game_of(env)
        self._reward = reward
        world, n = self.game.simulator.world, self.game.simulator.n
        dynamics, known = world.dynamics, world.achievements
        goals = known if reward.predicates is None else reward.predicates.goals
        for goal in goals:
            if goal not in known:
                raise InputError(
                    f"laws: this world has no achievement {goal!r}; allowed: {', '.join(known)}"
                )
        self._judge: _Judge = (
            _True(goals, dynamics) if reward.predicates is None else _Learned(reward.predicates, n)
        )
        actions = self.game.actions.names
        wanted = [action(goal) for goal in goals]
        # bool[actions, goals]: which goals an action may be taken for.
        self._goals = np.array(
            [
                [
                    what == name or (name in _SPLIT_NAMES and alias(name, dynamics) == goal)
                    for goal, what in zip(goals, wanted, strict=True)
                ]
                for name in actions
            ]
        )
        self.paid = np.zeros((n, len(goals)), np.bool_)
        self.fined = np.zeros((n, len(actions)), np.bool_)

    def forget(self, where: NDArray[np.bool_]) -> None:
        """Clear the records of episodes that begin."""
        self.paid[where] = False
        self.fined[where] = False

    def due(self, actions: Any) -> NDArray[np.float64]:
        """float64[n]: the reward of the chosen actions in the current states."""
        chosen = np.asarray(actions).reshape(-1)
        seen = self.game.seen
        self._judge.judge(self.game)
        wanted = self._goals[chosen]
        valid = wanted & self._judge.valid & ~self.paid
        enough = self._judge.valid if self._reward.strict else self._judge.anything
        met = (wanted & enough).any(axis=1)
        free = ~(seen.sleeping & (seen.inventory[:, _ENERGY] < MAXIMUM))
        every = np.arange(len(chosen))
        pointless = wanted.any(axis=1) & ~met & free & ~self.fined[every, chosen]
        self.paid |= valid
        self.fined[every, chosen] |= pointless
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


class VectorLawRewarded(AnyVectorWrapper, RecordConstructorArgs):
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
        AnyVectorWrapper.__init__(self, env)
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
        restarted = self._restarted()
        waiting = restarted & (self._mode is AutoresetMode.NEXT_STEP)
        self._payments.forget(restarted)
        due = np.where(waiting, 0.0, self._payments.due(actions))
        self._payments.forget(waiting)
        observations, _, terminated, truncated, infos = self.env.step(actions)
        return observations, due + self._payments.health(), terminated, truncated, infos

    def memory(self) -> dict[str, NDArray[Any]]:
        """What was paid in the current episodes, to be continued by :meth:`recall`."""
        self._payments.forget(self._restarted())
        return {"paid": self._payments.paid.copy(), "fined": self._payments.fined.copy()}

    def recall(self, memory: dict[str, NDArray[Any]]) -> None:
        """Continue from what :meth:`memory` gave; the environments have to be restored as well."""
        self._payments.paid[:] = memory["paid"]
        self._payments.fined[:] = memory["fined"]

    def _restarted(self) -> NDArray[np.bool_]:
        """bool[n]: environments whose episode ended in the last step and was replaced."""
        over: NDArray[np.bool_] = self._payments.game.outcome.over
        return over & (self._mode is not AutoresetMode.DISABLED)
