"""The common part of both kinds of environment: a simulator with observations and actions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mars_logic.envs.acting import ActionSet, Variant, action_set
from mars_logic.envs.choices import choose
from mars_logic.envs.viewing import Kind, Style, View, view
from mars_logic.sim import Observation, Simulator
from mars_logic.sim.codes import HEALTH
from mars_logic.world.theory import World

_SEEDS: Final = 2**31 - 1
"""Seeds drawn at random are 0 .. _SEEDS - 1, as Crafter draws them."""


class Options(TypedDict, total=False):
    """Options common to all environments.

    Attributes:
        observation: ``symbolic`` (the default), ``codes``, ``image`` or ``text``.
        length: Steps after which an episode is truncated, 1 to 10000; by default 10000 in the
            dialect crafter and 1000 in mars.
        size: Width and height of image observations in pixels; (64, 64) by default.
        style: The style of text observations: ``mars`` (the default) or ``smartplay``.
        actions: ``plain`` (the default) for the game's 17, ``split`` for 27 in which ``do`` is
            split by its effect.
    """

    observation: Kind
    length: int | None
    size: Sequence[int]
    style: Style
    actions: Variant


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """The result of the last step for each environment; empty after a reset.

    Attributes:
        reward: float64[n]: Crafter's reward.
        terminated: bool[n]: the player is dead.
        truncated: bool[n]: the player lives, and the episode has reached its length.
        reached: The achievements reached in the episode so far: bool[n, 22], or, where it is a
            share, float64.
        unlocked: bool[n, 22]: those reached for the first time in this step.
        rewards: float64[22]: the reward of each goal; None without goals of the world's own.
    """

    reward: NDArray[np.float64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    reached: NDArray[Any]
    unlocked: NDArray[np.bool_]
    rewards: NDArray[np.float64] | None = None

    @property
    def over(self) -> NDArray[np.bool_]:
        """bool[n]: the episode has ended."""
        return self.terminated | self.truncated

    @property
    def health(self) -> NDArray[np.float64]:
        """float64[n]: by how many points health changed, whole numbers.

        Crafter's reward is a tenth of it, and 1 for unlocking anything; goals have rewards.
        """
        new = self.unlocked.any(1) if self.rewards is None else self.unlocked @ self.rewards
        return np.rint(10 * (self.reward - new))

    def forget(self, where: NDArray[np.bool_]) -> StepOutcome:
        """A copy that is empty for the environments (bool[n]) reset since."""
        kept = ~where
        reached, unlocked = self.reached * kept[:, None], self.unlocked & kept[:, None]
        reward = np.where(kept, self.reward, 0.0)
        over = self.terminated & kept, self.truncated & kept
        return StepOutcome(reward, *over, reached, unlocked, self.rewards)


class BatchGame(ABC):
    """A batch of environments, whatever is played in them.

    Attributes:
        n: How many.
        length: Steps of an episode at most.
        names: The actions, in the order of their codes.
        goals: What an episode may reach, as ``StepOutcome.reached`` lists it.
        view: How observations are shown.
        outcome: What the last step brought.
    """

    n: int
    length: int
    names: tuple[str, ...]
    goals: tuple[str, ...]
    view: View
    outcome: StepOutcome

    @property
    @abstractmethod
    def seen(self) -> Any:
        """What is seen of the present state, for ``view``.

        Raises:
            RuntimeError: There was no reset yet.
        """

    @property
    @abstractmethod
    def seeds(self) -> NDArray[np.int64]:
        """int64[n]: the seeds of the present episodes."""

    @property
    @abstractmethod
    def episodes(self) -> NDArray[np.int64]:
        """int64[n]: which episodes of their seeds are played, from 1."""

    @abstractmethod
    def masks(self) -> NDArray[np.bool_]:
        """bool[n, number of actions]: actions whose effect differs from noop's."""

    @abstractmethod
    def step(self, actions: ArrayLike, restart: NDArray[np.bool_] | None = None) -> StepOutcome:
        """Carry out one action in each environment.

        Args:
            actions: Codes of the actions, of shape (n,).
            restart: bool[n]: environments that are done and begin their next episode instead.

        Raises:
            ValueError: An action is out of range, or the actions have another shape or type.
            RuntimeError: There was no reset yet.
        """

    @abstractmethod
    def restart(self, where: NDArray[np.bool_]) -> None:
        """Begin the next episode in some environments; the outcome stays that of the step."""

    @abstractmethod
    def result(self, rates: NDArray[np.float64]) -> tuple[float, float]:
        """A score in percent and a number of achievements, of means of what episodes reached."""

    @abstractmethod
    def _begin(
        self,
        seeds: list[int],
        episodes: ArrayLike,
        where: NDArray[np.bool_] | None,
    ) -> None:
        """Begin episodes of these seeds; all of them unless ``where`` tells which."""

    @property
    @abstractmethod
    def _begun(self) -> bool:
        """Whether there was a reset."""

    def reset(
        self,
        seeds: Sequence[int | None],
        draw: Callable[[], np.random.Generator],
        episode: ArrayLike | None = None,
        where: NDArray[np.bool_] | None = None,
    ) -> None:
        """Begin episodes: the first of a seed, or the next one where no seed is given.

        Args:
            seeds: One for each environment, or None.
            draw: Gives the generator from which seeds are drawn where there was none before.
            episode: Which episode of the seed, instead of the first or the next.
            where: bool[n]: which environments, all by default.

        Raises:
            ValueError: A seed or an episode is not an integer or out of range.
            RuntimeError: Only some environments were selected, and there was no reset of all yet.
        """
        if self._begun:
            old, following = self.seeds.tolist(), self.episodes + 1
        else:
            old = draw().integers(_SEEDS, size=self.n).tolist() if None in seeds else [0] * self.n
            following = np.ones(self.n, np.int64)
        given = np.array([seed is not None for seed in seeds])
        new = [mine if seed is None else seed for mine, seed in zip(old, seeds, strict=True)]
        self._begin(new, np.where(given, 1, following) if episode is None else episode, where)

    def replay(
        self,
        seeds: NDArray[np.int64],
        episodes: NDArray[np.int64],
        taken: NDArray[np.int32],
        actions: NDArray[np.uint8],
    ) -> None:
        """Play present episodes again; all end in the same step.

        Args:
            seeds: Of the episodes.
            episodes: Which of their seeds.
            taken: How many actions were taken in each; those with fewer begin later.
            actions: uint8[n, most]: the actions; of those that begin later, the last do not count.

        Raises:
            ValueError: A number is out of range, or an episode is over.
        """
        listed, everyone, most = seeds.tolist(), np.arange(self.n), actions.shape[1]
        self._begin(listed, episodes, None)
        for step in range(most):
            self._begin(listed, episodes, taken == most - step)
            column = step - (most - taken)
            self.step(np.where(column >= 0, actions[everyone, column], 0))
        over = self.outcome.over
        self._begin(listed, episodes, taken == 0)
        if (over & (taken > 0)).any():
            raise ValueError("an episode is over")
        self._forget()

    def _forget(self) -> None:
        self.outcome = self.outcome.forget(np.ones(self.n, np.bool_))


class WorldGame(BatchGame):
    """A batch of environments of one world.

    Attributes:
        simulator: The simulator.
    """

    def __init__(
        self,
        world: World,
        n: int,
        *,
        observation: Kind = "symbolic",
        length: int | None = None,
        size: Sequence[int] = (64, 64),
        style: Style = "mars",
        actions: Variant = "plain",
        threads: int = 1,
        reuse: bool = False,
        reset_pool: int = 0,
    ) -> None:
        """Prepare the environments.

        Args:
            world: The rules.
            n: Number of environments.
            observation: See :class:`Options`, as for the next four.
            length: See there.
            size: See there.
            style: See there.
            actions: See there.
            threads: Number of threads that step the environments.
            reuse: Whether observations may be handed out in the same arrays again and again.
            reset_pool: Number of next episodes whose maps are generated ahead.

        Raises:
            InputError: An argument is none of what is allowed.
            ValueError: A number is out of range.
        """
        words = world.vocabulary
        self.simulator = Simulator(world, n, threads=threads, length=length, reset_pool=reset_pool)
        self.n, self.length, self.goals = n, self.simulator.length, world.achievements
        self.view = view(
            observation, size, style, n, reuse=reuse, words=words, simulator=self.simulator
        )
        self._variant: Variant = choose("actions", actions, Variant)
        self._actions = action_set(self._variant, words)
        self.names = self._actions.names
        self._buffer = Observation.empty(n, words) if reuse or observation != "symbolic" else None
        self._seen: Observation | None = None
        self._rewards = np.array([goal.reward for goal in world.goals]) if world.goals else None
        self.outcome = self._nothing()
        self._reached = self.outcome.reached

    @property
    def seen(self) -> Observation:
        """The observation of the present state.

        Raises:
            RuntimeError: There was no reset yet.
        """
        if self._seen is None:
            raise RuntimeError("call reset() first")
        return self._seen

    @property
    def actions(self) -> ActionSet:
        """The actions."""
        return self._actions

    def masks(self) -> NDArray[np.bool_]:
        """bool[n, number of actions]: actions whose effect differs from noop's."""
        return self.actions.masks(self.simulator)

    def result(self, rates: NDArray[np.float64]) -> tuple[float, float]:
        """Crafter's score, the geometric mean of the success rates (Hafner 2021, section 3.2)."""
        return float(np.exp(np.log1p(100 * rates).mean()) - 1), float(rates.sum())

    @property
    def seeds(self) -> NDArray[np.int64]:
        """int64[n]: the seeds of the present episodes."""
        return self.simulator.seeds

    @property
    def episodes(self) -> NDArray[np.int64]:
        """int64[n]: which episodes of their seeds are played, from 1."""
        return self.simulator.episodes

    @property
    def _begun(self) -> bool:
        return self._seen is not None

    def _begin(
        self,
        seeds: list[int],
        episodes: ArrayLike,
        where: NDArray[np.bool_] | None,
    ) -> None:
        self.simulator.reset(seeds, episodes, where)
        self._look()
        self.outcome = self._nothing()

    def step(self, actions: ArrayLike, restart: NDArray[np.bool_] | None = None) -> StepOutcome:
        """Carry out one action in each environment."""
        before = self._reached
        reward, done = self.simulator.step(self.actions.plain(self.simulator, actions))
        if restart is not None and restart.any():
            self.simulator.next_episode(restart)  # the step has left them as they were
            done &= ~restart
        self._look()
        dead = self.seen.inventory[:, HEALTH] <= 0
        reached = self._reached
        found = reward, done & dead, done & ~dead, reached, reached & ~before
        self.outcome = StepOutcome(*found, self._rewards)
        return self.outcome

    def restart(self, where: NDArray[np.bool_]) -> None:
        """Begin the next episode in some environments; the outcome stays that of the step."""
        self.simulator.next_episode(where)
        self._look()

    def _look(self) -> None:
        self._seen = self.simulator.observe(self._buffer)
        self._reached = self.simulator.unlocked

    def _nothing(self) -> StepOutcome:
        n = self.simulator.n
        no = np.zeros(n, np.bool_)
        none = np.zeros((n, len(self.simulator.world.achievements)), np.bool_)
        return StepOutcome(np.zeros(n), no, no, none, none, self._rewards)
