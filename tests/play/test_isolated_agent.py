"""An agent in a process of its own, when things go wrong."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from multiprocessing import Pipe

import pytest

import mars_logic
from mars_logic.errors import InputError
from mars_logic.play.isolated_agent import IsolatedAgent, _serve


def test_it_ends_quietly_with_an_asker_that_left_its_answer() -> None:
    """As when the asker is killed: a pipe that is closed with an answer in it is *reset*."""
    ours, theirs = Pipe()
    with ThreadPoolExecutor(1) as other:
        served = other.submit(_serve, theirs, "inductive", {})
        ours.send(("freeze", ()))
        assert ours.poll(60)
        ours.close()
        served.result(60)


@pytest.mark.slow
def test_an_agent_that_cannot_be_made_tells_why() -> None:
    with (
        IsolatedAgent("random", prior="crafter") as agent,
        pytest.raises(RuntimeError, match=r"TypeError.*prior"),
    ):
        agent.freeze()


@pytest.mark.parametrize("name", ["ifr_verified", "oracle"])
def test_what_tells_no_belief_is_no_learner(name: str) -> None:
    with pytest.raises(InputError, match=f"'{name}' does not tell what it learned; allowed: induc"):
        mars_logic.learn("default", episodes=1, length=5, agent=name)
