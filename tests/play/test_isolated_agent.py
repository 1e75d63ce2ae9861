"""An agent in a process of its own, when things go wrong."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from multiprocessing import Pipe

from mars_logic.play.isolated_agent import _serve


def test_it_ends_quietly_with_an_asker_that_left_its_answer() -> None:
    """As when the asker is killed: a pipe that is closed with an answer in it is *reset*."""
    ours, theirs = Pipe()
    with ThreadPoolExecutor(1) as other:
        served = other.submit(_serve, theirs, "inductive", {})
        ours.send(("freeze", ()))
        assert ours.poll(60)
        ours.close()
        served.result(60)
