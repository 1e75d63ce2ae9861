"""Play with a counterfactual trial of every action in every visited state."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mars_logic.play.attempts import Attempts, attempts
from mars_logic.play.counterfactuals import counterfactuals
from mars_logic.play.episodes import play as play_episode
from mars_logic.sim import Simulator
from mars_logic.sim.snapshot import Snapshot
from mars_logic.theory.action_models.records import Records
from mars_logic.world.theory import World

if TYPE_CHECKING:
    from mars_logic.play.agent import Agent


def play(
    world: World,
    make_agent: Callable[[], Agent],
    seeds: Iterable[int],
    steps: int | None = None,
    *,
    vary: bool = False,
) -> Iterable[Attempts]:
    """Let an agent play episodes, and try every action in every visited state.

    Args:
        world: Where it plays.
        make_agent: Makes the agent.
        seeds: A seed for each episode.
        steps: Steps after which an episode is left; by default it is played until all
            achievements are reached, or to its end.
        vary: Whether to add the records of
            :func:`~mars_logic.play.counterfactuals.counterfactuals`.
    """
    simulator = Simulator(world)
    for seed in seeds:
        watcher = _Watcher(simulator)
        goals = world.achievements
        play_episode(make_agent(), simulator, seed, goals, observer=watcher, limit=steps)
        met = watcher.snapshot()
        found = attempts(world, met)
        if vary:
            less = counterfactuals(world, met, found.possible)
            found = replace(found, records=Records.join([found.records, *less]))
        yield found


class _Watcher:
    """Keeps every state of an episode (an ``episodes.Observer``)."""

    def __init__(self, simulator: Simulator) -> None:
        self._simulator = simulator
        self._envs: list[NDArray[np.void]] = []

    def begin(self, observation: Any) -> None:  # noqa: ARG002
        self._keep()

    def note(self, action: int, reward: float, unlocked: Any, done: bool, after: Any) -> None:  # noqa: ARG002
        if not done:
            self._keep()

    def _keep(self) -> None:
        self._envs.append(self._simulator.snapshot().envs)

    def snapshot(self) -> Snapshot:
        """All states, one environment each."""
        widest = max(self._envs, key=lambda envs: envs.dtype.itemsize).dtype
        alike = [envs for envs in self._envs if envs.dtype == widest]  # capacities rarely differ
        return Snapshot(np.concatenate(alike))
