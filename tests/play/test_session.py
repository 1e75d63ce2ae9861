from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.cli.human import AGENTS, PlaySession, agent_name
from mars_logic.play.agent import load_agent
from mars_logic.play.episodes import play
from mars_logic.play.session import UNDOABLE
from mars_logic.sim import Simulator
from mars_logic.world import names

WORLD = load_world("default")
GOALS = set(WORLD.achievements)


def test_a_session_is_played_and_scored_as_agents_are() -> None:
    played = play(load_agent("random")(), Simulator(WORLD), 4, GOALS)
    session = PlaySession(WORLD, 4, GOALS)
    for action in played.actions:
        assert session.ended is None
        session.act(action)
    assert session.played() == played
    assert session.act(0) == () and session.steps == played.steps


def test_nothing_is_left_to_do_once_the_goals_are_reached() -> None:
    session = PlaySession(WORLD, 3, ["collect_sapling"])
    do = names.ACTIONS.index("do")
    new = [session.act(names.ACTIONS.index("move_up"))]
    while session.ended is None:
        new.append(session.act(do))
    assert session.ended == "complete"
    assert new[-1] == ("collect_sapling",) and not any(new[:-1])
    assert session.unlocked == {"collect_sapling": session.steps}


def test_a_session_may_be_shorter_than_the_world_has_it() -> None:
    session = PlaySession(WORLD, 3, GOALS, limit=2)
    assert session.length == 2 and session.ended is None
    session.act(0)
    assert session.ended is None
    session.act(0)
    assert session.ended == "length" and session.act(0) == () and session.steps == 2
    session.undo()
    assert session.ended is None
    assert PlaySession(WORLD, 3, GOALS, limit=10**6).length == Simulator(WORLD).length


@settings(max_examples=25, deadline=None)
@given(
    kept=st.lists(st.integers(0, 16), max_size=30),
    tried=st.lists(st.integers(0, 16), max_size=30),
)
def test_undone_steps_leave_no_trace(kept: list[int], tried: list[int]) -> None:
    straight, wavering = PlaySession(WORLD, 3, GOALS), PlaySession(WORLD, 3, GOALS)
    for action in kept:
        straight.act(action)
        wavering.act(action)
    before = wavering.steps
    for action in tried:
        wavering.act(action)
    while wavering.steps > before:
        wavering.undo()
    for action in tried:
        assert straight.act(action) == wavering.act(action)
    assert straight.played() == wavering.played()
    for ours, theirs in zip(straight.seen.arrays, wavering.seen.arrays, strict=True):
        assert (ours == theirs).all()


def test_even_death_can_be_taken_back() -> None:
    session = PlaySession(WORLD, 4, GOALS)
    agent = play(load_agent("random")(), Simulator(WORLD), 4, GOALS)
    assert agent.ended == "death"
    for action in agent.actions:
        session.act(action)
    assert session.ended == "death"
    session.undo()
    assert session.ended is None and session.seen.status[0, 0] > 0
    assert session.steps == agent.steps - 1


def test_undo_has_an_end() -> None:
    session = PlaySession(WORLD, 0, GOALS)
    assert not session.can_undo
    with pytest.raises(IndexError):
        session.undo()
    assert session.agent == "human"
    crafter = PlaySession(load_world("crafter"), 0, GOALS)
    while crafter.steps < UNDOABLE + 10 and crafter.ended is None:
        crafter.act(0)
    reached = crafter.steps
    while crafter.can_undo:
        crafter.undo()
    assert crafter.steps == max(0, reached - UNDOABLE)


def test_a_name_tells_the_aids() -> None:
    assert list(AGENTS) == [
        "human",
        "human_with_manual",
        "human_with_undo",
        "human_with_manual_and_undo",
    ]
    assert all(agent_name(aids) == name for name, aids in AGENTS.items())
    session = PlaySession(WORLD, 0, GOALS)
    session.act(1)
    session.undo()
    session.aids.add("manual")
    assert session.agent == "human_with_manual_and_undo"
