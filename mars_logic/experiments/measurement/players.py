"""Random play in our simulator and in the peer's, for the simulator benchmarks."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from mars_logic import load_world
from mars_logic.experiments.measurement.interleaving import seconds_since
from mars_logic.sim import Observation, Simulator, Snapshot
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.names import ACTIONS, ITEMS

WINDOW = 50
"""Steps between two looks at who is done. Episodes of random play last 163 steps in the median."""
NUM_VITALS = 4
"""Health, food, drink and energy are the first of the items."""
NURSED = 5
"""Steps between two cures of players that are to live on: in fewer, nothing kills but lava."""
_SPREAD_OUT = 300
"""Steps after which the environments are at different times of their episodes."""


class Ours:
    """A batch of environments under random actions.

    Attributes:
        simulator: The batch.
        done: bool[n]: whose episode is over, after :meth:`steps` and :meth:`window`.
    """

    def __init__(
        self,
        n: int,
        *,
        world: str = "crafter",
        seed: int = 0,
        threads: int = 1,
        observing: bool = False,
        clock: Callable[[], float] = time.process_time,
        spread_out: int = _SPREAD_OUT,
    ) -> None:
        """Reset the environments, and play until they are at different times of their episodes.

        Args:
            n: How many environments.
            world: A bundled world.
            seed: Of environment 0, and of the actions.
            threads: Of the simulator.
            observing: Whether each step is followed by an observation.
            clock: What time is measured by: of the processor, or of the wall for threads.
            spread_out: Steps to play first.
        """
        self.simulator = Simulator(load_world(world), n, threads=threads)
        self._random = np.random.default_rng(seed)
        self._clock = clock
        self.simulator.reset(seed)
        self.done = np.zeros(n, np.bool_)
        self._observation: Observation | None = self.simulator.observe() if observing else None
        self.steps(spread_out // WINDOW)

    def steps(self, windows: int) -> float:
        """Environment steps per second; resets are not timed, and who is done does not count."""
        lived, spent = 0, 0.0
        for _ in range(windows):
            self.simulator.next_episode()
            self.done[:] = False
            more, seconds = self.window()
            lived, spent = lived + more, spent + seconds
        return lived / spent if spent else 0.0

    def window(self, steps: int = WINDOW) -> tuple[int, float]:
        """Play some steps without resets; returns steps lived, by all together, and seconds."""
        actions = self._actions(steps)
        done = np.empty((steps + 1, self.simulator.n), np.bool_)
        done[0] = self.done
        begun = self._clock()
        for i in range(steps):
            done[i + 1] = self.simulator.step(actions[i]).done
            self._observe()
        spent = self._clock() - begun
        self.done = done[-1]
        return int((~done[:-1]).sum()), spent

    def nursed(self, steps: int) -> tuple[int, float]:
        """As :meth:`window`, but players are cured every few steps, untimed, to live on."""
        return _nursed(self, steps)

    def cure(self) -> None:
        """Set health, food, drink and energy to their maximum; copies replace the dead.

        Else what a call costs would be shared by ever fewer, as lava takes its toll.
        """
        envs = self.simulator.snapshot().envs.copy()
        living = np.flatnonzero(~self.done)
        envs[self.done] = envs[np.resize(living, self.done.sum())]
        self.done = np.zeros(len(envs), np.bool_)
        envs["player"]["inventory"][:, :NUM_VITALS] = MAXIMUM
        self.simulator.restore(Snapshot(envs))

    def living(self) -> Simulator:
        """A batch of those that are not done."""
        envs = self.simulator.snapshot().envs[~self.done]
        batch = Simulator(self.simulator.world, len(envs))
        batch.restore(Snapshot(envs))
        return batch

    def play(self, steps: int) -> float:
        """Environment steps per second with auto-reset."""
        actions = self._actions(steps)
        begun = self._clock()
        for i in range(steps):
            self.simulator.step(actions[i])
            self.simulator.next_episode()
            self._observe()
        return steps * self.simulator.n / seconds_since(begun, self._clock)

    def _observe(self) -> None:
        if self._observation is not None:
            self.simulator.observe(self._observation)

    def _actions(self, steps: int) -> Any:
        return self._random.integers(len(ACTIONS), size=(steps, self.simulator.n))


class Crafter:
    """Some environments of PyPI crafter under random actions, one after the other.

    Attributes:
        games: The environments; their ``step`` draws no image.
        done: Whose episode is over, after :meth:`steps` and :meth:`window`.
    """

    def __init__(
        self,
        n: int,
        *,
        seed: int = 0,
        spread_out: int = _SPREAD_OUT,
        clock: Callable[[], float] = time.process_time,
    ) -> None:
        """Reset the games, and play until they are at different times of their episodes."""
        import crafter

        self._clock = clock
        self.games = [crafter.Env(seed=seed + i) for i in range(n)]
        self._random = np.random.default_rng(seed)
        self.done = [True] * n
        for game in self.games:
            game._obs = lambda: None  # what is left is a step as it is, with its semantic map
        self.begin()
        self.steps(spread_out // WINDOW)

    def begin(self) -> None:
        """Begin a new episode in each game that is done."""
        for i, game in enumerate(self.games):
            if self.done[i]:
                game.reset()
                self.done[i] = False

    def steps(self, windows: int) -> float:
        """Steps per second; resets are not timed."""
        lived, spent = 0, 0.0
        for _ in range(windows):
            self.begin()
            more, seconds = self.window()
            lived, spent = lived + more, spent + seconds
        return lived / spent if spent else 0.0

    def window(self, steps: int = WINDOW) -> tuple[int, float]:
        """Play some steps in each game that is not done; returns steps played and seconds."""
        lived = 0
        actions = self._random.integers(len(ACTIONS), size=(len(self.games), steps)).tolist()
        begun = self._clock()
        for i, game in enumerate(self.games):
            for action in actions[i]:
                if self.done[i]:
                    break
                self.done[i] = game.step(action)[2]
                lived += 1
        return lived, self._clock() - begun

    def nursed(self, steps: int) -> tuple[int, float]:
        """As :meth:`window`, but players are cured every few steps, untimed, to live on."""
        return _nursed(self, steps)

    def cure(self) -> None:
        """Set health, food, drink and energy to their maximum."""
        for game in self.games:
            game._player.inventory.update(dict.fromkeys(ITEMS[:NUM_VITALS], MAXIMUM))

    def play(self, steps: int) -> float:
        """Steps per second with auto-reset."""
        actions = self._random.integers(len(ACTIONS), size=(len(self.games), steps)).tolist()
        begun = self._clock()
        for i, game in enumerate(self.games):
            for action in actions[i]:
                self.done[i] = game.step(action)[2]
                if self.done[i]:
                    game.reset()
        return steps * len(self.games) / seconds_since(begun, self._clock)


def _nursed(players: Ours | Crafter, steps: int) -> tuple[int, float]:
    lived, spent = 0, 0.0
    for _ in range(steps // NURSED):
        players.cure()
        more, seconds = players.window(NURSED)
        lived, spent = lived + more, spent + seconds
    return lived, spent
