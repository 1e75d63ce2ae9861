"""How a detective explores a scene before it answers: where it walks, and what it has seen when."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.conan.codes import TRACES
from mars_logic.domains.conan.corpus import stage_for, stage_of, stream_of
from mars_logic.domains.conan.detective.evidence import seen_of, with_neighbours
from mars_logic.domains.conan.detective.exploring import NEVER, Explorer, SceneWalk, far_start
from mars_logic.domains.conan.detective.posterior import Detective
from mars_logic.domains.conan.detective.walks import NOWHERE, WALKING, TakenWalk, walk_by
from mars_logic.domains.conan.questions.storage import scene_history
from mars_logic.domains.conan.scenes import MOST_SCENES, FinishedScene
from mars_logic.domains.conan.vandal.tasks import TASKS
from mars_logic.language.settings import LanguageSettings
from mars_logic.play.agent import Episode, load_agent
from mars_logic.sim.seeds import episode_seed
from mars_logic.world.dialect import AREA, CENTRE

MOST_WALK: Final = 5000
"""Steps of the longest walk that may be asked for."""
POLICY: Final = "policy:"
"""What the name of an explorer that was trained begins with."""
_LOOKS: Final = 25
"""Steps of ``curious`` between two renewals of what it expects to see."""
_LEAST_GAIN: Final = 1.0
"""Expected gain of everything unseen, in bits, below which ``curious`` stops."""
_CHANCE: Final = 0.003
"""Bits expected of any cell that was not seen: a plan that no simulation thought of."""
_SHORT: Final = 5
"""Steps between two looks for a first trace."""
_SPREAD: Final = 7
"""Distance from the cell where an episode begins over which traces get rarer by a factor of e."""
_ONCE: Final = 1
"""Simulations of each plan while exploring."""
_MOST: Final = 0.95
"""Share of the traces that is most of them."""


@dataclass(frozen=True, slots=True)
class DetectionSpec:
    """How scenes are investigated.

    Attributes:
        folder: The folder with scenes and questions.
        explorer: ``nearest``, ``random``, ``curious``; ``policy:DIR``: as was learned; ``all``:
            everything is seen at once; or ``witness``: the vandal's views are seen in the order of
            time.
        start: ``centre`` or ``far``.
        steps: The longest walk.
        detective: ``afd``, ``counts`` (abduction alone), ``prior`` (nothing is looked at), or
            ``model``: a language model reads what was seen.
        checkpoints: Whether questions are also asked on the way.
        language: Settings of that language model.
        scenes: How many scenes of the folder, from the first.
    """

    folder: Path
    explorer: str = "nearest"
    start: str = "centre"
    steps: int = 500
    detective: str = "afd"
    checkpoints: bool = False
    language: LanguageSettings | None = None
    scenes: int = MOST_SCENES


@cache
def detective_of(world: str, vandal: str = "reference", tasks: int = len(TASKS)) -> Detective:
    """The detective that supposes a kind of vandal in a world, prepared once in a process."""
    return Detective(stage_for(world, vandal), tasks=tasks)


def detective_seed(scene: FinishedScene) -> int:
    """Seed of a detective's simulations, from the scene's public number alone."""
    return episode_seed(scene.corpus_seed, scene.number) ^ 5


def traces_seen(scene: FinishedScene, seen: NDArray[np.bool_]) -> float:
    """The share of a scene's traces that was seen."""
    traces = TRACES[scene.codes]
    return float((traces & seen).sum() / max(int(traces.sum()), 1))


def step_of_most(scene: FinishedScene, seen_at: NDArray[np.int16]) -> int:
    """The step at which 95 % of a scene's traces had been seen, or -1."""
    found = np.sort(seen_at[TRACES[scene.codes]])
    last = found[int(np.ceil(_MOST * len(found))) - 1] if len(found) else 0
    return -1 if last == NEVER else int(last)


def investigate(spec: DetectionSpec, scene: FinishedScene) -> tuple[NDArray[np.int16], int]:
    """Walk through a scene: the step at which each cell was first seen, and the steps taken."""
    if spec.explorer == "all":
        return np.zeros((AREA, AREA), np.int16), 0
    walk = walk_through(spec, scene)
    return walk.seen_at, walk.steps


def walk_through(spec: DetectionSpec, scene: FinishedScene) -> SceneWalk | TakenWalk:
    """Walk through a scene with an explorer that walks: neither ``all`` nor ``witness``.

    Raises:
        InputError: A policy cannot be read, or is none of a detective.
    """
    walkable = stage_of(scene.world).tables["walkable"][0].astype(np.bool_)
    rng = stream_of(scene.corpus_seed, scene.number, 5)
    far = spec.start == "far"
    start = far_start(scene.codes, walkable, rng) if far else (AREA // 2, AREA // 2)
    if spec.explorer.startswith(POLICY):
        return _learned_walk(spec, scene, start, int(rng.randint(2**31 - 1)))
    walk = SceneWalk(scene.codes, walkable, start, int(rng.randint(2**31 - 1)))
    if spec.explorer != "curious" or scene.mode == "survival":
        explorer = "nearest" if spec.explorer == "curious" else spec.explorer  # no plan to test
        walk.on(Explorer[explorer], spec.steps)
        return walk
    while walk.steps < spec.steps:
        seen = walk.seen_at != NEVER
        traced = TRACES[scene.codes] & seen
        gains = expected_gains(scene, seen, traced) if traced.any() else _first_traces()
        if gains is None:
            break
        until = min(walk.steps + (_LOOKS if traced.any() else _SHORT), spec.steps)
        if not walk.on(Explorer.curious, until, gains):
            break
    return walk


def _learned_walk(
    spec: DetectionSpec, scene: FinishedScene, start: tuple[int, int], seed: int
) -> TakenWalk:
    """Walk by a policy; one that was trained with questions is shown the area of the goal's."""
    agent = policy_of(spec.explorer)
    agent.begin(Episode(seed, None, spec.steps, actions=WALKING))
    area = NOWHERE if agent.reward == "traces" else scene_history(scene).whole
    return walk_by(agent.act, scene, start, area, spec.steps)


@cache
def policy_of(explorer: str) -> Any:
    """The agent that ``policy:DIR`` names, read once in a process.

    Raises:
        InputError: There is no such policy.
    """
    return load_agent("policy")(folder=explorer.removeprefix(POLICY))  # type: ignore[call-arg]


def expected_gains(
    scene: FinishedScene, seen: NDArray[np.bool_], traced: NDArray[np.bool_]
) -> NDArray[np.float64] | None:
    """Bits expected of each cell, or None if nothing much is."""
    evidence = seen_of(scene, seen)
    believed = detective_of(*scene.suspect).posterior(evidence, detective_seed(scene), _ONCE)
    gains = believed.gains(seen) + _leads(seen, traced)
    if evidence.figure and gains.sum() < _LEAST_GAIN:
        return None
    expected: NDArray[np.float64] = gains + _CHANCE * ~seen
    return expected


@cache
def _first_traces() -> NDArray[np.float64]:
    """How likely each cell holds a trace, as long as none was seen: up to a factor."""
    x, y = np.ogrid[:AREA, :AREA]
    likely: NDArray[np.float64] = np.exp(-(np.abs(x - CENTRE) + np.abs(y - CENTRE)) / _SPREAD)
    return likely


def _leads(seen: NDArray[np.bool_], traced: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Bits expected of unseen cells beside seen traces, where a trail may go on."""
    return (with_neighbours(traced) & ~seen).astype(np.float64)
