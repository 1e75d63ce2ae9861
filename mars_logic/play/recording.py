"""Plays an episode and records it as a trajectory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mars_logic.data.recorder import Recorder
from mars_logic.data.trajectory import Trajectory
from mars_logic.play.episodes import Played, play

if TYPE_CHECKING:
    from mars_logic.play.agent import Agent
    from mars_logic.sim import Simulator


def record(
    agent: Agent,
    simulator: Simulator,
    seed: int,
    goals: Iterable[str] | None = None,
    *,
    agent_name: str,
    world_name: str = "",
    episode: int = 1,
    public: bool = False,
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
        public: Leave out what is privileged.
    """
    world = simulator.world
    recorder = Recorder(
        world,
        seed,
        agent=agent_name,
        name=world_name,
        episode=episode,
        simulator=None if public else simulator,
    )
    wanted = world.achievements if goals is None else goals
    played = play(agent, simulator, seed, wanted, episode, recorder)
    return played, recorder.trajectory()
