"""Trajectories: size, reading speed, and recording cost for an agent."""

from __future__ import annotations

import itertools
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from mars_logic.data import Trajectories, save
from mars_logic.data.columns import arrays_of
from mars_logic.data.store import load_all
from mars_logic.experiments.measurement import (
    Bench,
    BenchmarkResult,
    BenchmarkRow,
    Goal,
    compared,
    seconds_since,
)
from mars_logic.experiments.runs import Run
from mars_logic.play.agent import load_agent
from mars_logic.play.episodes import play
from mars_logic.play.recording import record
from mars_logic.sim import Simulator
from mars_logic.world.load import load_world

WORLD = "default"
MOST_BYTES = 60
SLOWED = 1 / 1.1
"""Writing may slow an agent by a tenth."""


def measure(bench: Bench) -> BenchmarkResult:
    """Random play in one world: its episodes are the shortest, so they compress worst."""
    with _folder() as folder:
        played = _played(bench.size(1_000_000, 2_000))
        sizes = tuple(_sizes(played, folder, bench))
        reading = _reading(bench, folder)  # of the files that were written last
    note = (
        "random play; files of one episode hold "
        f"{len(played.action) / len(played):.0f} transitions on average"
    )
    return BenchmarkResult(
        (*sizes, reading, _recording(bench), _bare_recording(bench)), notes=(note,)
    )


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def _played(transitions: int) -> Trajectories:
    simulator, agent = Simulator(load_world(WORLD)), load_agent("random")()
    episodes, steps = [], 0
    for seed in itertools.count():
        episodes.append(record(agent, simulator, seed, agent_name="random")[1])
        steps += len(episodes[-1])
        if steps >= transitions:
            return Trajectories.of(episodes)
    raise AssertionError


def _sizes(played: Trajectories, folder: Path, bench: Bench) -> Iterator[BenchmarkRow]:
    """Bytes a transition: one file an episode, and then, which stays there, all in one file."""
    alone = [played[i] for i in range(min(len(played), bench.size(500, 5)))]
    cases = {
        "one episode a file": [Trajectories.of([episode]) for episode in alone],
        f"{len(played.action):,} in one file": [played],
    }
    for what, files in cases.items():
        transitions = sum(len(each.action) for each in files)
        ours, theirs = 0, 0
        for each in files:
            save(each, folder / "all.parquet")
            ours += (folder / "all.parquet").stat().st_size
            if bench.peer:
                arrays: dict[str, Any] = arrays_of(each)
                np.savez_compressed(folder / "all.npz", **arrays)
                theirs += (folder / "all.npz").stat().st_size
        yield compared(
            f"bytes a transition, {what}",
            "B",
            [ours / transitions],
            [theirs / transitions] if bench.peer else None,
            peer_name="numpy.savez_compressed",
            goal=Goal(MOST_BYTES, of="ours"),
            smaller_is_better=True,
        )


def _reading(bench: Bench, folder: Path) -> BenchmarkRow:
    """Transitions read a second, by the processor's time, checks included."""

    def ours() -> float:
        begun = time.process_time()
        found = load_all(folder / "all.parquet")
        return len(found.action) / seconds_since(begun)

    def theirs() -> float:
        begun = time.process_time()
        with np.load(folder / "all.npz") as file:
            arrays = {name: file[name] for name in file.files}
        return len(arrays["action"]) / seconds_since(begun)

    turns = {"numpy.load": theirs if bench.peer else None, "ours": ours}
    found = bench.interleave("reading", turns, rounds=9)
    return compared(
        "transitions read as arrays",
        "1/s",
        found["ours"],
        found["numpy.load"],
        peer_name="numpy.load",
        goal=Goal(5e6, of="ours"),
    )


def _recording(bench: Bench) -> BenchmarkRow:
    """Episodes of ``mars-logic run``, with ``--record`` and without."""
    world, episodes = load_world(WORLD), bench.size(10, 1)

    def run(recordings: Path | None) -> float:
        made = Run("random", load_agent("random"), world, WORLD, recordings=recordings)
        begun = time.process_time()
        for seed in range(episodes):
            made.add(seed)
        return episodes / seconds_since(begun)

    def recorded() -> float:
        with _folder() as folder:
            return run(folder)

    turns = {"not recorded": lambda: run(None), "ours": recorded}
    found = bench.interleave("run --record", turns, rounds=7)
    return compared(
        "episodes of `run random`, recorded",
        "1/s",
        found["ours"],
        found["not recorded"],
        peer_name="not recorded",
        goal=Goal(SLOWED),
    )


def _bare_recording(bench: Bench) -> BenchmarkRow:
    """Steps of the random agent alone, which takes next to no time, all written to one file."""
    simulator, agent = Simulator(load_world(WORLD)), load_agent("random")()
    episodes = bench.size(100, 2)
    goals = ("no achievement",)

    def plain() -> float:
        begun = time.process_time()
        steps = sum(play(agent, simulator, seed, goals).steps for seed in range(episodes))
        return steps / seconds_since(begun)

    def recorded() -> float:
        with _folder() as folder:
            begun = time.process_time()
            kept = [
                record(agent, simulator, seed, goals, agent_name="random")[1]
                for seed in range(episodes)
            ]
            save(kept, folder / "all.parquet")
            return sum(map(len, kept)) / seconds_since(begun)

    found = bench.interleave("recording", {"not recorded": plain, "ours": recorded})
    return compared(
        "steps of random play without proofs, recorded in one file",
        "1/s",
        found["ours"],
        found["not recorded"],
        peer_name="not recorded",
    )


if __name__ == "__main__":
    from mars_logic.cli.bench import alone

    alone(__file__)
