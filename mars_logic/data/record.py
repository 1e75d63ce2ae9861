"""Recording: plays an episode and keeps what its agent could see."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mars_logic.data.trajectory import LAYOUT, About, Trajectory, assemble
from mars_logic.world import names
from mars_logic.world.world import World

if TYPE_CHECKING:
    from mars_logic.agent import Agent
    from mars_logic.episodes import Played
    from mars_logic.sim import Observation, Simulator

_SEEN = ("materials", "objects", "inventory", "facing", "sleeping", "daylight")


class Recorder:
    """Watches an episode (an ``episodes.Observer``) and makes its trajectory."""

    def __init__(self, world: World, seed: int, *, agent: str, name: str = "", episode: int = 1):
        """Prepare.

        Args:
            world: Where the episode is played.
            seed: The seed of the environment.
            agent: Who plays.
            name: How the world can be loaded again; by default its name.
            episode: Which episode of that seed.
        """
        versions = {package: version(package) for package in ("mars-logic", "numpy")}
        self._about = About(
            name or world.name, world.digest, world.dynamics, seed, episode, agent, versions
        )
        self._codes = {what: code for code, what in enumerate(world.achievements)}
        self._columns: dict[str, list[Any]] = {column: [] for column in LAYOUT}

    def begin(self, observation: Observation) -> None:
        """The first view."""
        for rows in self._columns.values():
            rows.clear()
        self._see(observation)

    def note(
        self, action: int, reward: float, unlocked: Iterable[str], done: bool, after: Observation
    ) -> None:
        """One transition."""
        flags = np.zeros(len(self._codes), np.bool_)
        flags[[self._codes[what] for what in unlocked]] = True
        row = {"action": action, "reward": reward, "unlocked": flags, "done": done}
        for column, value in row.items():
            self._columns[column].append(value)
        self._see(after)

    def _see(self, observation: Observation) -> None:
        for column in _SEEN:
            self._columns[column].append(getattr(observation, column)[0].copy())

    def trajectory(self) -> Trajectory:
        """What was recorded so far."""
        steps = len(self._columns["action"])
        arrays: dict[str, NDArray[Any]] = {}
        for column, (dtype, shape) in LAYOUT.items():
            length = steps + (shape[0] == "S")
            rest = tuple(int(n) for n in shape[1:])
            arrays[column] = np.array(self._columns[column], dtype).reshape(length, *rest)
        return assemble(self._about, arrays)


def record(
    agent: Agent,
    simulator: Simulator,
    seed: int,
    goals: Iterable[str] | None = None,
    *,
    agent_name: str,
    world_name: str = "",
    episode: int = 1,
) -> tuple[Played, Trajectory]:
    """Play an episode as ``episodes.play`` does, and record it.

    Args:
        agent: Who plays.
        simulator: One environment (n = 1); it is reset.
        seed: The environment's seed.
        goals: The achievements after which the episode ends; by default all 22.
        agent_name: As it is called in the recording.
        world_name: How the world can be loaded again; by default its name.
        episode: Which episode of that seed.
    """
    from mars_logic.episodes import play

    world = simulator.world
    recorder = Recorder(world, seed, agent=agent_name, name=world_name, episode=episode)
    wanted = names.achievements(world.dynamics) if goals is None else goals
    played = play(agent, simulator, seed, wanted, episode, recorder)
    return played, recorder.trajectory()
