from __future__ import annotations

import math
import time

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.agents.random import RandomAgent
from mars_logic.errors import InputError
from mars_logic.play.agent import Episode, agent_names, load_agent
from mars_logic.play.episodes import play, summarise
from mars_logic.sim import Observation, Simulator


class Scripted:
    """Plays the same actions over and over, and remembers what it was told."""

    def __init__(self, *actions: int) -> None:
        self.actions = actions
        self.told: list[tuple[str, Episode]] = []
        self.seen = 0

    def begin(self, episode: Episode) -> None:
        self.told.append(("begin", episode))

    def act(self, observation: Observation) -> int:
        assert observation.materials.shape == (1, 9, 7)
        self.seen += 1
        return self.actions[(self.seen - 1) % len(self.actions)]

    def end(self, episode: Episode) -> None:
        self.told.append(("end", episode))


def test_an_agent_is_told_the_beginning_and_the_end() -> None:
    agent = Scripted(0)
    played = play(agent, Simulator(load_world("default")), seed=3, goals=["collect_diamond"])
    episode = Episode(seed=3, dynamics="mars", length=1000)
    assert agent.told == [("begin", episode), ("end", episode)]
    assert agent.seen == played.steps == len(played.actions)
    assert played.ended in ("death", "length")


def test_an_episode_ends_when_nothing_is_left_to_achieve() -> None:
    agent = Scripted(6)  # sleeping at once does nothing: the energy is full
    played = play(agent, Simulator(load_world("crafter")), seed=1, goals=["wake_up"])
    assert played.ended == "complete"
    assert played.unlocked == {"wake_up": played.steps}


def test_an_episode_that_runs_out_of_time() -> None:
    # A thousand steps without food cannot be survived, so let the ground heal.
    from mars_logic.world.rules import Creature, Walk

    default = load_world("default")
    grass = Walk(subject="grass", walkable=True, health=9)
    harmless = [Creature(subject=name, eatable=False) for name in ("cow", "zombie", "skeleton")]
    world = default.with_rules(grass, *harmless)
    played = play(Scripted(1, 2), Simulator(world), seed=1, goals=["collect_diamond"])
    assert (played.ended, played.steps) == ("length", 1000)


def test_the_random_agent_is_the_same_for_the_same_seed_and_uses_every_action() -> None:
    def choices(seed: int) -> list[int]:
        agent = RandomAgent()
        agent.begin(Episode(seed, "mars", 1000))
        simulator = Simulator(load_world("default"))
        simulator.reset(0)
        observation = simulator.observe()
        return [agent.act(observation) for _ in range(500)]

    assert choices(1) == choices(1) != choices(2)
    assert set(choices(1)) == set(range(17))
    assert np.ptp(np.bincount(choices(1))) < 40


def test_agents_are_found_by_name() -> None:
    assert "random" in agent_names()
    assert load_agent("random") is RandomAgent


def test_an_unknown_agent_is_answered_with_the_nearest() -> None:
    with pytest.raises(InputError, match=r"no agent 'randon', did you mean 'random'\?; allowed: "):
        load_agent("randon")


def test_score_is_the_papers_geometric_mean() -> None:
    names = ("a", "b", "c")
    found = summarise([1.0, 2.0, 3.0, 6.0], [["a"], ["a", "b"], ["a"], ["a", "b"]], names)
    assert found.success == {"a": 1.0, "b": 0.5, "c": 0.0}
    expected = math.exp((math.log(101) + math.log(51) + math.log(1)) / 3) - 1
    assert found.score == pytest.approx(expected)
    assert found.reward_mean == 3.0
    assert found.reward_std == pytest.approx(math.sqrt(14 / 3))


def test_what_is_unreachable_does_not_count_against_the_rate() -> None:
    names = ("a", "b", "c")
    found = summarise([1, 1], [["a"], ["a"]], names, [["c"], ["b", "c"]])
    assert found.success == {"a": 1.0, "b": 0.0, "c": None}
    expected = math.exp((math.log(101) + math.log(1)) / 2) - 1
    assert found.score == pytest.approx(expected)


def test_decisions_are_timed_and_times_are_not_compared() -> None:
    simulator = Simulator(load_world("default"))
    one, other = (play(Scripted(0), simulator, 3, ["wake_up"], limit=9) for _ in range(2))
    assert len(one.seconds) == one.steps == 9 and min(one.seconds) > 0
    assert one == other


def test_learning_from_a_step_counts_as_time_taken_for_it() -> None:
    class Slow(Scripted):
        def note(self, *_: object) -> None:
            time.sleep(0.01)

    found = play(Slow(0), Simulator(load_world("default")), 3, ["wake_up"], limit=3)
    assert len(found.seconds) == 3 and min(found.seconds) >= 0.01


def test_a_single_episode_has_no_spread_and_none_no_summary() -> None:
    assert summarise([1.5], [[]], ("a",)).reward_std == 0.0
    with pytest.raises(ValueError, match="0 rewards and 0 episodes"):
        summarise([], [], ("a",))
