"""Recorded play for tests: an agent that tries everything, in any world."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from random import Random

from mars_logic import load_world
from mars_logic.agents.random import RandomAgent
from mars_logic.data import Trajectory
from mars_logic.play.agent import Agent, Episode
from mars_logic.play.recording import record
from mars_logic.sim import Observation, Simulator
from mars_logic.theory import Evidence
from mars_logic.world.theory import World


class Busy:
    """Walks about and does things to whatever it meets; now and then anything else."""

    def begin(self, episode: Episode) -> None:
        self._random = Random(episode.seed)

    def act(self, observation: Observation) -> int:  # noqa: ARG002
        chance = self._random.random()
        if chance < 0.45:
            return 5
        return self._random.randrange(1, 5) if chance < 0.8 else self._random.randrange(17)

    def end(self, episode: Episode) -> None:
        pass


def play(world: World, seeds: Iterable[int], agent: Agent | None = None) -> list[Trajectory]:
    simulator = Simulator(world)
    player = agent or Busy()
    return [record(player, simulator, seed, agent_name="test")[1] for seed in seeds]


@cache
def evidence(name: str, seeds: int = 10, *, random: bool = False) -> Evidence:
    """What play in a bundled world shows."""
    agent = RandomAgent() if random else Busy()
    return Evidence.of(play(load_world(name), range(seeds), agent))
