from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.agents.oracle import OracleAgent
from mars_logic.agents.random import RandomAgent
from mars_logic.play.agent import Episode, knowledge, load_agent
from mars_logic.play.episodes import Played, play
from mars_logic.sim import Observation, Simulator, State
from mars_logic.world.load import bundled_worlds
from mars_logic.world.theory import World
from tests.world.strategies import worlds


def played(world: World, seed: int, limit: int | None = None) -> Played:
    return play(OracleAgent(), Simulator(world), seed, world.achievements, limit=limit)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["default", "all_three"])
@pytest.mark.parametrize("seed", [1, 2])
def test_it_reaches_nearly_everything(name: str, seed: int) -> None:
    assert len(played(load_world(name), seed).unlocked) >= 19


@pytest.mark.slow
def test_the_same_seed_gives_the_same_episode() -> None:
    world = load_world("surv_task")
    assert played(world, 4, limit=150) == played(world, 4, limit=150)


@pytest.mark.parametrize("name", bundled_worlds())
def test_it_plays_every_bundled_world(name: str) -> None:
    episode = played(load_world(name), 7, limit=80)
    assert len(episode.unlocked) >= 2


@pytest.mark.slow
@given(worlds(), st.integers(0, 50))
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
def test_it_never_raises_in_any_world(world: World, seed: int) -> None:
    played(world, seed, limit=60)


def test_it_is_found_by_name_and_declares_what_it_has_to_know() -> None:
    assert load_agent("oracle") is OracleAgent
    assert knowledge(OracleAgent()) == "rules and state"
    assert knowledge(RandomAgent()) == "nothing"


def test_only_who_declares_it_is_told_the_rules_and_the_state() -> None:
    class Learner:
        def begin(self, episode: Episode) -> None:
            assert episode.world is None and episode.state is None

        def act(self, observation: Observation) -> int:  # noqa: ARG002
            return 0

        def end(self, episode: Episode) -> None: ...

    class Knowing(Learner):
        knows = "rules and state"

        def begin(self, episode: Episode) -> None:
            assert episode.world is world
            assert episode.state is not None and isinstance(episode.state(), State)

    world = load_world("default")
    for agent in (Learner(), Knowing()):
        assert play(agent, Simulator(world), 1, ["wake_up"], limit=3).steps == 3


def test_an_oracle_that_is_told_nothing_says_so() -> None:
    agent = OracleAgent()
    with pytest.raises(ValueError, match="needs an episode with a world and a state"):
        agent.begin(Episode(1, "mars", 1000))
    simulator = Simulator(load_world("default"))
    simulator.reset(1)
    with pytest.raises(ValueError, match="begin an episode first"):
        agent.act(simulator.observe())
