"""The agent that is told nothing: what reaches it, what surprises it, what it learns."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.agent import Episode, load_agent
from mars_logic.episodes import play
from mars_logic.learn.apart import AgentApart
from mars_logic.learn.belief import Belief
from mars_logic.learn.experiments import Experiments
from mars_logic.learn.study import journal, study
from mars_logic.sim import Observation, Simulator
from mars_logic.theory import check
from mars_logic.world.rules import Collect
from mars_logic.world.world import World
from tests.theory.play import Busy, evidence
from tests.theory.play import play as record

DEFAULT = load_world("default")
ALL_THREE = load_world("all_three")


def flat(thing: Any) -> list[Any]:
    """Everything that a message consists of."""
    if isinstance(thing, tuple | list | frozenset):
        return [part for each in thing for part in flat(each)]
    return [thing]


def test_only_what_a_player_sees_crosses_to_the_agent() -> None:
    sent: list[Any] = []
    simulator = Simulator(ALL_THREE)
    with AgentApart("inductive") as agent:
        agent.watch = sent.append
        played = play(agent, simulator, 5, ALL_THREE.achievements, limit=25)
    assert len(sent) == 2 * played.steps + 2
    for what, arguments in sent:
        for part in flat(arguments):
            assert isinstance(part, int | float | str | bool | Episode | Observation | np.generic)
            if isinstance(part, Episode):
                assert (part.world, part.state, part.goals, part.simulator) == (
                    None,
                    None,
                    (),
                    None,
                )
            if isinstance(part, str):
                assert part in ALL_THREE.achievements
            if isinstance(part, Observation):
                assert all(len(array) == 1 for array in part.arrays)
        assert b"World" not in pickle.dumps(arguments), what


def test_an_agent_apart_plays_as_one_at_hand() -> None:
    simulator = Simulator(DEFAULT)
    at_hand = play(load_agent("inductive")(), simulator, 3, DEFAULT.achievements, limit=40)
    with AgentApart("inductive") as agent:
        apart = play(agent, simulator, 3, DEFAULT.achievements, limit=40)
    assert apart == at_hand


def test_a_failure_of_the_agent_is_told() -> None:
    simulator = Simulator(DEFAULT)
    simulator.reset(0)
    with AgentApart("inductive") as agent, pytest.raises(RuntimeError, match="the agent failed"):
        agent.act(simulator.observe())


def test_a_belief_is_revised_when_it_is_contradicted_and_not_before() -> None:
    (trajectory,) = record(ALL_THREE, [3], Busy())
    belief = Belief.begin(DEFAULT, "mars")
    found = belief.look(trajectory, 1)
    assert belief.surprises
    assert not check(belief.theory, found).conflicts
    changed = {change.id for surprise in belief.surprises for change in surprise.changes}
    assert changed <= {rule.id for rule in DEFAULT.rules() if belief.theory[rule.id] != rule}
    before = belief.theory
    assert len(belief.look(trajectory, 1).rows) == 0, "nothing is new"
    assert belief.theory is before
    true = Belief.begin(ALL_THREE, "mars")
    true.look(trajectory, 1)
    assert true.surprises == [] and true.theory is ALL_THREE


def test_what_never_comes_is_doubted_though_nothing_contradicts_it() -> None:
    truth = DEFAULT.with_rules(Collect(subject="grass", leaves="grass"))
    seen = evidence_of(truth)
    belief = Belief.begin(DEFAULT, "mars")
    belief.doubt(seen)
    assert belief.doubts == {("grass", "sapling")}
    assert "sapling" in belief.theory.collect["grass"].yields
    assert "sapling" not in belief.practical.collect["grass"].yields
    belief.doubt(evidence("default", 10))
    assert belief.doubts == frozenset() and belief.practical is belief.theory


def evidence_of(world: World) -> Any:
    from mars_logic.theory import Evidence

    return Evidence.of(record(world, range(6)))


def test_experiments_are_what_nothing_seen_foretells() -> None:
    experiments = Experiments()
    held = (0,) * 12
    wood = (0, 3, *held[2:])
    assert not experiments.known("collect", "tree", held)
    experiments.learn(evidence("default", 10))
    assert experiments.known("collect", "tree", held), "it works"
    assert experiments.known("walk", "grass", ())
    assert not experiments.known("make.iron_sword", "table+furnace", wood)


def test_a_study_learns_and_its_journal_tells_of_it() -> None:
    found = study(ALL_THREE, 100, 2, 1, limit=60)
    again = study(ALL_THREE, 100, 2, 1, limit=60)
    assert found.lessons == again.lessons and found.tests == again.tests
    first, last = found.lessons
    assert last.score.changes and last.score.changes.right > 0
    assert first.played.steps <= 60 and len(found.tests) == 1
    text = "\n".join(journal(found))
    assert "## Episode 2" in text and "`walk.diamond`" in text
    assert "Believed: Diamond cannot be walked on." in text
    assert "Believe now: Diamond can be walked on." in text
