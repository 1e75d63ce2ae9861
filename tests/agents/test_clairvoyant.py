from __future__ import annotations

import pytest

from mars_logic import load_world
from mars_logic.agents.clairvoyant import ClairvoyantAgent
from mars_logic.agents.foresight import Play, SimulatorForesight
from mars_logic.agents.oracle import OracleAgent
from mars_logic.play.agent import Episode, knowledge, load_agent
from mars_logic.play.episodes import Played, play
from mars_logic.sim import Observation, Simulator

DEFAULT = load_world("default")


def played(agent: OracleAgent | ClairvoyantAgent, goals: tuple[str, ...], limit: int) -> Played:
    return play(agent, Simulator(DEFAULT), 0, goals, limit=limit)


def test_it_is_found_by_name_and_declares_what_it_has_to_know() -> None:
    assert load_agent("clairvoyant") is ClairvoyantAgent
    assert knowledge(ClairvoyantAgent()) == "simulator"


def test_without_a_budget_it_plays_as_the_oracle_does() -> None:
    goals = DEFAULT.achievements
    assert played(ClairvoyantAgent(0), goals, 60) == played(OracleAgent(), goals, 60)


@pytest.mark.long
def test_it_finds_what_the_oracle_has_no_time_for() -> None:
    """The oracle wants everything; within 80 steps, one has to go for a zombie at once."""
    goals = ("kill_zombie",)
    assert played(OracleAgent(), goals, 80).ended == "length"
    found = played(ClairvoyantAgent(600, shorten=False), goals, 80)
    assert found.ended == "complete" and found.steps < 80
    assert found == played(ClairvoyantAgent(600, shorten=False), goals, 80), "the same again"


@pytest.mark.long
def test_it_shortens_what_is_complete_and_is_never_worse() -> None:
    goals = ("make_wood_pickaxe", "collect_drink")
    oracle = played(OracleAgent(), goals, 200)
    assert oracle.ended == "complete"
    values = [played(ClairvoyantAgent(budget), goals, 200).steps for budget in (0, 100, 300)]
    assert values[0] == oracle.steps and values == sorted(values, reverse=True)


@pytest.mark.slow
def test_its_plays_come_true() -> None:
    """What was played ahead is what then happens, and the simulator itself is left alone."""
    simulator = Simulator(DEFAULT)
    told: list[Episode] = []

    class Noting(ClairvoyantAgent):
        def begin(self, episode: Episode) -> None:
            told.append(episode)
            before = simulator.snapshot().envs.tobytes()
            super().begin(episode)
            assert simulator.snapshot().envs.tobytes() == before

    found = play(Noting(150), simulator, 3, ("collect_wood", "place_table"), limit=60)
    simulator.reset(3)
    ahead: Play = SimulatorForesight(told[0]).search(150, shorten=True)
    assert ahead.actions == found.actions and ahead.complete
    assert ahead.unlocked == {name: found.unlocked[name] for name in ahead.unlocked}


def test_only_who_declares_it_gets_the_simulator() -> None:
    class Knowing:
        knows = "rules and state"

        def begin(self, episode: Episode) -> None:
            assert episode.world is not None and episode.simulator is None
            assert episode.goals == ("collect_wood", "wake_up") and episode.length == 5

        def act(self, observation: Observation) -> int:  # noqa: ARG002
            return 0

        def end(self, episode: Episode) -> None: ...

    play(Knowing(), Simulator(DEFAULT), 1, ("wake_up", "collect_wood"), limit=5)


def test_a_clairvoyant_that_is_told_nothing_says_so() -> None:
    with pytest.raises(ValueError, match="needs an episode with a world and a simulator"):
        ClairvoyantAgent().begin(Episode(1, "mars", 1000))
