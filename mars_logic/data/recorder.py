"""Records an agent's observations of an episode while it is played."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mars_logic.data.trajectory import (
    DONE,
    HIDDEN,
    SEEN,
    About,
    Privileged,
    Trajectory,
    Views,
    freeze,
    layout_for,
)
from mars_logic.world.theory import World

if TYPE_CHECKING:
    from mars_logic.data.trajectory import Layout
    from mars_logic.sim import Observation, Simulator

_FIRST_ROOM = 256
"""Rows that there is room for at first; room doubles when it is used up."""


def versions(*packages: str) -> dict[str, str]:
    """The versions of mars-logic, numpy and more packages, for the description of a trajectory."""
    return {package: _version(package) for package in ("mars-logic", "numpy", *packages)}


@cache
def _version(package: str) -> str:
    """As installed; looking it up takes as long as a dozen steps of play."""
    return version(package)


class Rows:
    """Arrays that grow row by row."""

    def __init__(self, layout: Layout):
        self.arrays = {
            name: np.zeros((_FIRST_ROOM, *shape), dtype) for name, (dtype, shape) in layout.items()
        }

    def require(self, row: int) -> dict[str, NDArray[Any]]:
        """The arrays, with room for this row."""
        if row >= len(next(iter(self.arrays.values()))):
            for name, array in self.arrays.items():
                self.arrays[name] = np.concatenate([array, np.zeros_like(array)])
        return self.arrays

    def first(self, rows: int) -> dict[str, NDArray[Any]]:
        """Read-only copies of the first rows."""
        return freeze({name: array[:rows].copy() for name, array in self.arrays.items()})


class Recorder:
    """Watches an episode (an ``episodes.Observer``) and makes its trajectory."""

    def __init__(
        self,
        world: World,
        seed: int,
        *,
        agent: str,
        name: str = "",
        episode: int = 1,
        simulator: Simulator | None = None,
    ):
        """Prepare.

        Args:
            world: Where the episode is played.
            seed: The seed of the environment.
            agent: Who plays.
            name: How the world can be loaded again; by default its name.
            episode: Which episode of that seed.
            simulator: Where to look up what is privileged: one environment (n = 1), in which the
                episode is played. Without, nothing privileged is recorded.
        """
        self._about = About(
            name or world.name,
            world.digest,
            world.dynamics,
            seed,
            episode,
            agent,
            versions(),
            world.adds,
            bool(world.map),
            tuple(goal.name for goal in world.goals),
            bool(world.constants),
        )
        self._codes = {what: code for code, what in enumerate(self._about.words.achievements)}
        self._simulator = simulator
        self._clear()

    def _clear(self) -> None:
        self._steps = 0
        words = self._about.words
        self._seen, self._done = Rows(layout_for(SEEN, words)), Rows(layout_for(DONE, words))
        if self._simulator is not None:
            from mars_logic.sim.privileged import HIDDEN_DTYPE

            self._truth = np.zeros(_FIRST_ROOM, HIDDEN_DTYPE)

    def begin(self, observation: Observation) -> None:
        """The first view."""
        self._clear()
        self._see(observation)

    def note(
        self, action: int, reward: float, unlocked: Iterable[str], done: bool, after: Observation
    ) -> None:
        """One transition."""
        row = self._steps
        arrays = self._done.require(row)
        arrays["action"][row] = action
        arrays["reward"][row] = reward
        for what in unlocked:
            arrays["unlocked"][row, self._codes[what]] = True
        if done:
            dead = after.inventory[0, 0] <= 0
            arrays["terminated"][row] = dead
            arrays["truncated"][row] = not dead
        self._steps += 1
        self._see(after)

    def _see(self, observation: Observation) -> None:
        row = self._steps
        arrays = self._seen.require(row)
        arrays["materials"][row] = observation.materials[0]
        arrays["objects"][row] = observation.objects[0]
        arrays["inventory"][row] = observation.inventory[0]
        arrays["facing"][row] = observation.facing[0]
        arrays["sleeping"][row] = observation.sleeping[0]
        arrays["daylight"][row] = observation.daylight[0]
        if self._simulator is not None:
            if row >= len(self._truth):
                self._truth = np.concatenate([self._truth, np.zeros_like(self._truth)])
            self._simulator.hidden(self._truth, row)

    def trajectory(self) -> Trajectory:
        """The trajectory recorded so far."""
        steps = self._steps
        return Trajectory(
            about=self._about,
            views=Views(**self._seen.first(steps + 1)),
            privileged=self._privileged(),
            source="",
            **self._done.first(steps),
        )

    def _privileged(self) -> Privileged | None:
        if self._simulator is None:
            return None
        rows = self._truth[: self._steps]
        return Privileged(**freeze({name: rows[name].copy() for name in HIDDEN}))
