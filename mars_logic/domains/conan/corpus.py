"""Corpora of scenes: every scene from the corpus's seed and its number alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
import pyarrow as pa

from mars_logic.domains.conan.scenes import FinishedScene, split_of, table_of
from mars_logic.domains.conan.vandal.stage import ReferenceStage
from mars_logic.domains.conan.vandal.tasks import GOALS
from mars_logic.sim.seeds import episode_seed
from mars_logic.world.load import load_world


@dataclass(frozen=True, slots=True)
class CorpusSpec:
    """A corpus: the same specification gives the same scenes.

    Attributes:
        world: A Conan world, by its name or file.
        seed: Seed of the corpus.
        vandal: The kind of vandal: ``reference``.
        mode: What it does: ``task``.
    """

    world: str
    seed: int = 0
    vandal: str = "reference"
    mode: str = "task"


@cache
def stage_of(world: str) -> ReferenceStage:
    """The stage of a world, prepared once in a process."""
    return ReferenceStage(load_world(world))


def stream_of(seed: int, number: int, use: int) -> np.random.RandomState:
    """A stream of a scene's own: 1 map, 2 vandal, 3 task, 4 questions, 5 detective."""
    return np.random.RandomState(episode_seed(episode_seed(seed, number), use))


def draw_task(stream: np.random.RandomState) -> str:
    """A task: the type uniformly, then the task within its type."""
    kinds = tuple(GOALS)
    kind = kinds[stream.randint(len(kinds))]
    return f"{kind}_{GOALS[kind][stream.randint(len(GOALS[kind]))]}"


def make_scene(spec: CorpusSpec, number: int) -> FinishedScene:
    """A scene of a corpus.

    The task is drawn again if it succeeds in none of 20 worlds.
    """
    stage = stage_of(spec.world)
    task_stream = stream_of(spec.seed, number, 3)
    base = episode_seed(spec.seed, number)
    while True:
        task = draw_task(task_stream)
        map_seed, vandal_seed = episode_seed(base, 1), episode_seed(base, 2)
        played = stage.until_success(task, map_seed, vandal_seed)
        if played:
            break
        base = episode_seed(base, 0)
    result = played.result
    steps, log = int(result["steps"]), result["log"]
    return FinishedScene(
        number=number,
        split=split_of(number),
        world=spec.world,
        codes=result["codes"],
        objects=np.stack([played.objects[name] for name in ("kind", "x", "y")], 1).astype("<i2"),
        figure=(int(result["x"]), int(result["y"])),
        dead=bool(result["dead"]),
        task=task,
        weapon=stage.programs.plans[int(result["plan"])][1],
        vandal=spec.vandal,
        mode=spec.mode,
        corpus_seed=spec.seed,
        map_seed=map_seed,
        episode=2 * played.number,
        vandal_seed=vandal_seed,
        attempts=played.number,
        actions=result["actions"][:steps],
        trail=result["trail"][: steps + 1],
        events=log["events"][: int(log["size"])],
        brackets=stage.programs.brackets,
    )


def make_scenes(spec: CorpusSpec, first: int, last: int) -> Iterator[FinishedScene]:
    """Scenes from ``first`` up to, not including, ``last``."""
    for number in range(first, last):
        yield make_scene(spec, number)


def scene_block(spec: CorpusSpec, first: int, last: int) -> pa.Table:
    """A block of a corpus as rows of ``scenes.SCHEMA``."""
    return table_of(make_scenes(spec, first, last))
