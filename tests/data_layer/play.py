"""Recorded episodes for tests."""

from __future__ import annotations

from functools import cache

import numpy as np

from mars_logic import load_world
from mars_logic.data import Trajectory
from mars_logic.data.trajectory import columns
from mars_logic.play.agent import Episode
from mars_logic.play.recording import record
from mars_logic.sim import Observation, Simulator

WORLD = load_world("all_three")


class Scripted:
    """Plays a script over and over, and scribbles over everything that it is given."""

    def __init__(self, *actions: int) -> None:
        self.actions = actions
        self.step = 0

    def begin(self, episode: Episode) -> None:  # noqa: ARG002
        self.step = 0

    def act(self, observation: Observation) -> int:
        for name in ("materials", "objects", "inventory", "facing", "sleeping", "daylight"):
            getattr(observation, name)[:] = 1
        self.step += 1
        return self.actions[self.step % len(self.actions)]

    def end(self, episode: Episode) -> None:
        pass


@cache
def recorded(seed: int = 0) -> Trajectory:
    """An episode in which a script is played."""
    return record(Scripted(1, 5, 3, 5, 2, 5, 4), Simulator(WORLD), seed, agent_name="script")[1]


def equal(one: Trajectory, other: Trajectory) -> bool:
    """Whether all arrays are the same, to the bit, and of the same types."""
    left, right = columns(one), columns(other)
    return set(left) == set(right) and all(
        np.array_equal(left[name], right[name]) and left[name].dtype == right[name].dtype
        for name in left
    )
