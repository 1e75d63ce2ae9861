"""Beside Griddly, in Sokoban; one thread.

Griddly needs numpy 1 and Python 3.11, and so an environment of its own, whose interpreter the
environment variable ``GRIDDLY_PYTHON`` names::

    python3.11 -m venv griddly && griddly/bin/pip install griddly==1.6.7 "numpy<2" pyyaml
    GRIDDLY_PYTHON=griddly/bin/python mars-logic bench griddly

Both play the levels of ``worlds/gallery/sokoban.yaml`` by random moves; that they do the same is
tested. Griddly plays one level at a time, and shows its view as numbers after each move.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from mars_logic import load_world
from mars_logic.errors import InputError
from mars_logic.experiments.measurement import (
    Bench,
    BenchmarkResult,
    compared,
    seconds_since,
)
from mars_logic.sim import Simulator
from mars_logic.system import resources
from mars_logic.world.theory import World

INTERPRETER = "GRIDDLY_PYTHON"
_MOVES = ("move_left", "move_right", "move_up", "move_down")


def measure(bench: Bench) -> BenchmarkResult:
    """Random moves with resets of levels that are solved or over, by processor time."""
    if not bench.peer:
        return BenchmarkResult(())
    python = os.environ.get(INTERPRETER)
    if not python:
        return BenchmarkResult((), notes=(f"not measured: {INTERPRETER} names no interpreter",))
    file = str(resources.folder("worlds") / "gallery" / "sokoban.yaml")
    world = load_world(file)
    moves = bench.size(100_000, 1000)
    turns: dict[str, Callable[[], float] | None] = {}
    for n in (1, 256, 1024):
        for view in (False, True):
            turns[_name(n, view=view)] = _ours(world, n, max(10, moves // n), view=view)
    with _griddly(python, file, moves) as turn:
        found = bench.interleave("Sokoban", {"griddly": turn, **turns})
    rows = (
        compared(name, "1/s", found[name], found["griddly"], peer_name="Griddly") for name in turns
    )
    return BenchmarkResult(tuple(rows))


def _name(n: int, *, view: bool) -> str:
    return f"moves in Sokoban{' with symbolic view' if view else ''}, n = {n:,}"


def _ours(world: World, n: int, steps: int, *, view: bool) -> Callable[[], float]:
    """A turn of ours; gives moves per second."""
    simulator, random = Simulator(world, n), np.random.default_rng(1)
    simulator.reset(0)
    codes = [world.vocabulary.actions.index(move) for move in _MOVES]
    observation = simulator.observe() if view else None

    def turn() -> float:
        actions = random.choice(codes, (steps, n))
        begun = time.process_time()
        for row in actions:
            simulator.step(row)
            simulator.next_episode()
            if observation is not None:
                simulator.observe(observation)
        return steps * n / seconds_since(begun)

    return turn


@contextmanager
def _griddly(python: str, file: str, moves: int) -> Iterator[Callable[[], float]]:
    """A turn of Griddly; gives moves per second."""
    worker = Path(__file__).with_name("griddly_worker.py")
    try:
        process = subprocess.Popen(
            [python, "-P", str(worker), file],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # Gym tells there that it is not maintained
            text=True,
            encoding="utf-8",
        )
    except OSError as error:
        raise _refused(f"{python} cannot be run ({error})") from None
    with process:
        asked, answers = process.stdin, process.stdout
        assert asked and answers
        if answers.readline() != "ready\n":
            raise _refused(f"{python} has no Griddly")

        def turn() -> float:
            asked.write(f"{moves}\n")
            asked.flush()
            return moves / float(answers.readline())

        yield turn
        asked.close()


def _refused(problem: str) -> InputError:
    return InputError(f"{INTERPRETER}: {problem}; allowed: an interpreter with griddly 1.6.7")


if __name__ == "__main__":
    from mars_logic.cli.bench import alone

    alone(__file__)
