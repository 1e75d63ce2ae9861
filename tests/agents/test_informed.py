"""The agent that is given the rules: what it is told, and that it sees no more than a player."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.agents.informed import InformedAgent
from mars_logic.agents.oracle import OracleAgent
from mars_logic.errors import InputError
from mars_logic.play.agent import Episode, knowledge, own_seed, player_name, registered_name
from mars_logic.play.episodes import play
from mars_logic.sim import Observation, Simulator, State
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import UNKNOWN

DEFAULT, ALL_THREE = load_world("default"), load_world("all_three")
SEED = 5


class Spy(InformedAgent):
    """Keeps what it is told and shown, and what it chose."""

    def begin(self, episode: Episode) -> None:
        self.told = episode
        self.shown: list[Observation] = []
        self.came: list[tuple[int, tuple[str, ...]]] = []
        super().begin(episode)

    def act(self, observation: Observation) -> int:
        self.shown.append(observation)
        return super().act(observation)

    def note(
        self, action: int, reward: float, unlocked: Iterable[str], done: bool, after: Observation
    ) -> None:
        self.came.append((action, tuple(unlocked)))
        super().note(action, reward, unlocked, done, after)


@pytest.fixture(scope="module")
def simulator() -> Simulator:
    return Simulator(ALL_THREE)


@pytest.fixture(scope="module")
def spy(simulator: Simulator) -> Spy:
    """An agent that has played 150 steps."""
    agent = Spy()
    play(agent, simulator, SEED, ALL_THREE.achievements, limit=150)
    return agent


def reachable(thing: Any) -> Iterator[Any]:
    """All data that is held by an object, and by what that holds."""
    code = (type, ModuleType, FunctionType, BuiltinFunctionType)
    seen, left = {id(thing)}, [thing]
    while left:
        each = left.pop()
        yield each
        for part in gc.get_referents(each):
            if id(part) not in seen and not isinstance(part, code):
                seen.add(id(part))
                left.append(part)


@pytest.mark.slow
def test_it_is_told_the_rules_and_nothing_of_the_map(spy: Spy, simulator: Simulator) -> None:
    assert spy.told == Episode(own_seed(SEED), "mars", 150, world=ALL_THREE)
    assert spy.told.seed != SEED, "rules and seed would tell the map"
    assert (spy.told.state, spy.told.simulator, spy.told.goals) == (None, None, ())
    held = [*reachable(spy)]
    assert not any(each is simulator or isinstance(each, State) for each in held)
    oracle = OracleAgent()
    play(oracle, simulator, SEED, ALL_THREE.achievements, limit=1)
    assert any(each is simulator for each in reachable(oracle)), "which an oracle does hold"


def test_what_it_knows_of_the_map_was_in_view(spy: Spy) -> None:
    simulator = Simulator(ALL_THREE)
    simulator.reset(SEED)
    materials = simulator.state().materials
    maps = [a for a in reachable(spy) if isinstance(a, np.ndarray) and a.shape == materials.shape]
    assert maps and not any(np.array_equal(each, materials) for each in maps)


@pytest.mark.slow
def test_observations_alone_decide_what_it_does(spy: Spy) -> None:
    again = InformedAgent()
    again.begin(Episode(1, "mars", 150, world=ALL_THREE))
    chosen = []
    for now, after, came in zip(spy.shown, spy.shown[1:], spy.came, strict=False):
        chosen.append(again.act(now))
        again.note(came[0], 0.0, came[1], False, after)
    assert chosen == [action for action, _ in spy.came][:149]
    assert len(set(chosen)) > 4


@pytest.mark.slow
def test_with_a_belief_it_is_told_nothing_of_the_truth() -> None:
    told = Spy(belief=ALL_THREE)
    assert knowledge(InformedAgent()) == "rules" and knowledge(told) == "nothing"
    played = play(told, Simulator(ALL_THREE), SEED, ALL_THREE.achievements, limit=60)
    assert told.told.world is None
    same = play(InformedAgent(), Simulator(ALL_THREE), SEED, ALL_THREE.achievements, limit=60)
    assert played == same, "a true belief is as good as the truth"
    wrong = play(InformedAgent(DEFAULT), Simulator(ALL_THREE), SEED, ["wake_up"], limit=60)
    assert wrong.actions != played.actions


@pytest.mark.slow
def test_what_a_belief_leaves_open_is_as_likely_as_not() -> None:
    stone = ALL_THREE.collect["stone"]
    rule = type(stone).model_validate(stone.model_dump() | {"leaves": UNKNOWN})
    belief = Theory.from_world(ALL_THREE).with_rules(rule)
    assert belief.uncertain == (("collect.stone", "leaves"),)
    assert belief.most_likely().collect["stone"].leaves == "path", "as in Crafter"

    def played(given: Theory) -> tuple[int, ...]:
        agent = InformedAgent(given)
        return play(agent, Simulator(ALL_THREE), SEED, ["wake_up"], limit=40).actions

    assert played(belief) == played(belief.most_likely())


def test_what_it_refuses() -> None:
    with pytest.raises(ValueError, match="needs an episode with a world"):
        InformedAgent().begin(Episode(1, "mars", 1000))
    with pytest.raises(InputError, match=r"dynamics: this belief is about crafter; allowed: mars"):
        InformedAgent(load_world("crafter")).begin(Episode(1, "mars", 1000))
    simulator = Simulator(DEFAULT)
    simulator.reset(1)
    with pytest.raises(ValueError, match="begin an episode first"):
        InformedAgent().act(simulator.observe())


def test_what_is_kept_is_named_by_agent_and_belief() -> None:
    name = player_name("informed", ALL_THREE)
    assert name == f"informed_with_belief_{ALL_THREE.digest[:8]}"
    assert registered_name(name) == registered_name(player_name("informed")) == "informed"
