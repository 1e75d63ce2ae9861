"""Corpora of scenes: every scene from the corpus's seed and its number alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

from mars_logic.domains.conan.scenes import FinishedScene, split_of, table_of
from mars_logic.domains.conan.vandal.careful_play import OUTCOMES
from mars_logic.domains.conan.vandal.careful_stage import CarefulStage, first_needs
from mars_logic.domains.conan.vandal.stage import PlayedAttempt, ReferenceStage, VandalStage
from mars_logic.domains.conan.vandal.survival import Lives
from mars_logic.domains.conan.vandal.tasks import GOALS, PAIRS, SURVIVING, TASKS
from mars_logic.sim.seeds import episode_seed
from mars_logic.sim.sharing import shares_of
from mars_logic.sim.state import State, state_of
from mars_logic.sim.step import step_batch
from mars_logic.world.load import load_world


@dataclass(frozen=True, slots=True)
class CorpusSpec:
    """A corpus: the same specification gives the same scenes.

    Attributes:
        world: A Conan world, by its name or file.
        seed: Seed of the corpus.
        vandal: The kind of vandal: ``reference`` or ``careful``.
        mode: What it does: ``task``, or, if it is careful, ``survival``.
        tasks: 25, or, if it is careful, 60: with pairs of tasks.
    """

    world: str
    seed: int = 0
    vandal: str = "reference"
    mode: str = "task"
    tasks: int = 25


@cache
def stage_of(world: str) -> ReferenceStage:
    """The stage of a world, prepared once in a process."""
    return ReferenceStage(load_world(world))


def stream_of(seed: int, number: int, use: int) -> np.random.RandomState:
    """A stream of a scene's own: 1 map, 2 vandal, 3 task, 4 questions, 5 detective."""
    return np.random.RandomState(episode_seed(episode_seed(seed, number), use))


@cache
def careful_stage_of(world: str) -> CarefulStage:
    """The stage of a careful vandal in a world, prepared once in a process."""
    return CarefulStage(load_world(world))


def stage_for(world: str, vandal: str) -> VandalStage:
    """The stage of a kind of vandal."""
    return careful_stage_of(world) if vandal == "careful" else stage_of(world)


def draw_task(stream: np.random.RandomState, tasks: int = 25) -> str:
    """A task: of 60, one of the pairs in 35 cases; else the type, then the task within its type."""
    if tasks > len(TASKS) and stream.randint(tasks) >= len(TASKS):
        return PAIRS[stream.randint(len(PAIRS))]
    kinds = tuple(GOALS)
    kind = kinds[stream.randint(len(kinds))]
    return f"{kind}_{GOALS[kind][stream.randint(len(GOALS[kind]))]}"


def make_scene(spec: CorpusSpec, number: int) -> FinishedScene:
    """A scene of a corpus.

    The task is drawn again if it succeeds in none of 20 worlds.
    """
    if spec.mode == "survival":
        return make_survival_scene(spec, number)
    stage = stage_for(spec.world, spec.vandal)
    task_stream = stream_of(spec.seed, number, 3)
    base = episode_seed(spec.seed, number)
    while True:
        task = draw_task(task_stream, spec.tasks)
        map_seed, vandal_seed = episode_seed(base, 1), episode_seed(base, 2)
        played = stage.until_success(task, map_seed, vandal_seed)
        if played:
            break
        base = episode_seed(base, 0)
    weapon = stage.programs.plans[int(played.result["plan"])][1]
    known: dict[str, Any] = {
        "task": task,
        "weapon": weapon,
        "map_seed": map_seed,
        "vandal_seed": vandal_seed,
    }
    if spec.vandal == "careful":
        known["needs"] = np.array(first_needs(task), np.int8)
    return _scene(spec, number, played, stage.programs.brackets, known)


def make_survival_scene(spec: CorpusSpec, number: int) -> FinishedScene:
    """A scene in which a careful vandal only lives; each outcome has the same probability."""
    stream = stream_of(spec.seed, number, 3)
    outcome = OUTCOMES[stream.randint(len(OUTCOMES))]
    base = episode_seed(spec.seed, number)
    life = lives_of(spec.world).until(outcome, stream, base)
    lived = life.conditions
    known = {
        "task": SURVIVING,
        "weapon": "none",
        "map_seed": lived.map_seed,
        "vandal_seed": lived.vandal_seed,
        "outcome": outcome,
        "left_out": lived.left_out,
        "monsters": lived.monsters,
        "saved_by": ",".join(life.saved_by),
        "needs": np.array(lived.needs, np.int8),
    }
    brackets = lives_of(spec.world).stage.programs.brackets
    return _scene(spec, number, life.played, brackets, known)


@cache
def lives_of(world: str) -> Lives:
    """Lives in a world, prepared once in a process."""
    return Lives(load_world(world))


def _scene(
    spec: CorpusSpec,
    number: int,
    played: PlayedAttempt,
    brackets: tuple[str, ...],
    known: dict[str, Any],
) -> FinishedScene:
    """A scene of an attempt.

    Args:
        spec: The corpus.
        number: The scene's number in it.
        played: The attempt.
        brackets: Names of the brackets that its log numbers.
        known: Fields that only the vandal knows.
    """
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
        vandal=spec.vandal,
        mode=spec.mode,
        tasks=spec.tasks,
        corpus_seed=spec.seed,
        episode=2 * played.number,
        attempts=played.number,
        actions=result["actions"][:steps],
        trail=result["trail"][: steps + 1],
        events=log["events"][: int(log["size"])],
        brackets=brackets,
        **known,
    )


def make_scenes(spec: CorpusSpec, first: int, last: int) -> Iterator[FinishedScene]:
    """Scenes from ``first`` up to, not including, ``last``."""
    for number in range(first, last):
        yield make_scene(spec, number)


def scene_block(spec: CorpusSpec, first: int, last: int) -> pa.Table:
    """A block of a corpus as rows of ``scenes.SCHEMA``."""
    return table_of(make_scenes(spec, first, last))


def states(scene: FinishedScene) -> Iterator[State]:
    """The states of a scene's episode, from the first to the last, by its streams and actions."""
    stage: Any = stage_for(scene.world, scene.vandal)
    if scene.mode == "survival":
        stage = lives_of(scene.world).stage_with(monsters=scene.monsters)
    envs = stage.generated(scene.map_seed, scene.episode).copy()
    envs["player"]["inventory"][0, 1:4] = scene.needs
    words, daylight = stage.world.vocabulary, np.ones(stage.rules["length"][0] + 2)
    rewards, dones = np.zeros(1), np.zeros(1, np.bool_)
    yield state_of(envs[0], daylight, words)
    for action in scene.actions:
        given = np.array([action], np.int64)
        step_batch(envs, stage.rules, daylight, given, rewards, dones, shares_of(0, 1), 0)
        yield state_of(envs[0], daylight, words)
