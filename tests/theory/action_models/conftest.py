"""A little play in which everything was tried, made once."""

from __future__ import annotations

from functools import cache

import pytest

from mars_logic import load_world
from mars_logic.play.agent import load_agent
from mars_logic.play.attempted_play import play
from mars_logic.play.attempts import Attempts
from mars_logic.theory.action_models import ActionModels, Records, learn
from mars_logic.theory.action_models.choose import choose


@cache
def attempts(world: str, seed: int, *, vary: bool = False) -> tuple[Attempts, ...]:
    """What was tried in an episode of the oracle and one at random."""
    agents = (("oracle", 500), ("random", 150))
    return tuple(
        found
        for agent, steps in agents
        for found in play(load_world(world), load_agent(agent), [seed], steps, vary=vary)
    )


@pytest.fixture(scope="session")
def tried() -> Records:
    return Records.join([found.records for found in attempts("default", 1, vary=True)])


@pytest.fixture(scope="session")
def chosen(tried: Records) -> Records:
    return choose(tried, 10)


@pytest.fixture(scope="session")
def laws(chosen: Records) -> ActionModels:
    return learn(chosen)
