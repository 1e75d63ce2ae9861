"""Detections: a detective explores scenes and answers their questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mars_logic.domains.conan.codes import TRACES
from mars_logic.domains.conan.corpus import stage_for, stage_of, stream_of
from mars_logic.domains.conan.detective.answering import bundled_priors, masses
from mars_logic.domains.conan.detective.evidence import SceneEvidence, seen_of
from mars_logic.domains.conan.detective.exploring import NEVER, Explorer, SceneWalk, far_start
from mars_logic.domains.conan.detective.posterior import Detective, PlanPosterior
from mars_logic.domains.conan.detective.surviving import bundled_survival
from mars_logic.domains.conan.questions.asking import Question
from mars_logic.domains.conan.questions.storage import read_questions
from mars_logic.domains.conan.questions.templates import templates
from mars_logic.domains.conan.scenes import FinishedScene, read_scenes
from mars_logic.domains.conan.vandal.tasks import ALL_TASKS, TASKS, prior_of
from mars_logic.sim.seeds import episode_seed
from mars_logic.world.dialect import AREA

CHECKPOINTS: Final = (0, 50, 100, 200, 300, 500)
"""Steps after which a detective is asked, besides the end."""
_LOOKS: Final = 25
"""Steps of ``curious`` between two renewals of what it expects to see."""
_LEAST_GAIN: Final = 1.0
"""Expected gain of everything unseen, in bits, below which ``curious`` stops."""
_CHANCE: Final = 0.003
"""Bits expected of any cell that was not seen: a plan that no simulation thought of."""
_SHORT: Final = 5
"""Steps between two looks for a first trace."""
_MOST: Final = 0.95
"""Share of the traces that are most of them."""
_FEW: Final = 2
"""Simulations of each plan while exploring."""


@dataclass(frozen=True, slots=True)
class DetectionSpec:
    """How scenes are investigated.

    Attributes:
        folder: The folder with scenes and questions.
        explorer: ``nearest``, ``random``, ``curious``, or ``all``: everything is seen at once.
        start: ``centre`` or ``far``.
        steps: The longest walk.
        detective: ``afd``, ``counts`` (abduction alone), or ``prior`` (nothing is looked at).
        checkpoints: Whether questions are also asked on the way.
    """

    folder: Path
    explorer: str = "nearest"
    start: str = "centre"
    steps: int = 500
    detective: str = "afd"
    checkpoints: bool = False


SCHEMA: Final = pa.schema(
    [
        pa.field(name, kind, nullable=False)
        for name, kind in (
            ("scene", pa.int32()),
            ("task", pa.string()),
            ("step", pa.int16()),
            ("last", pa.bool_()),
            ("id", pa.string()),
            ("category", pa.string()),
            ("choice", pa.string()),
            ("answer", pa.string()),
            ("mass", pa.float32()),
            ("traces", pa.float32()),
            ("most_seen", pa.int16()),
        )
    ],
    metadata={"schema": "conan_detections 2"},
)
"""Columns of detections: ``mass`` is the belief in the choice, ``traces`` the share seen, and
``most_seen`` the step at which 95 % of the traces had been seen on the whole walk, or -1."""


def detection_block(spec: DetectionSpec, first: int, last: int) -> pa.Table:
    """Investigate some scenes of a folder; rows of :data:`SCHEMA`."""
    scenes = read_scenes(spec.folder, first, last)
    questions = read_questions(spec.folder, scenes)
    rows = [row for s in scenes for row in _detected(spec, s, questions.get(s.number, ()))]
    return pa.Table.from_pylist(rows, schema=SCHEMA)


@cache
def detective_of(world: str, vandal: str = "reference", tasks: int = len(TASKS)) -> Detective:
    """The detective that supposes a kind of vandal in a world, prepared once in a process."""
    return Detective(stage_for(world, vandal), tasks=tasks)


def _detected(
    spec: DetectionSpec, scene: FinishedScene, questions: Any
) -> Iterator[dict[str, Any]]:
    seen_at, steps = investigate(spec, scene)
    most_seen = step_of_most(scene, seen_at)
    marks = [mark for mark in CHECKPOINTS if mark < steps] if spec.checkpoints else []
    for step in (*marks, steps):
        evidence = seen_of(scene, seen_at <= step)
        about = {
            "scene": scene.number,
            "task": scene.task,
            "step": step,
            "last": step == steps,
            "traces": traces_seen(scene, evidence.seen),
            "most_seen": most_seen,
        }
        judged: Callable[[Question], NDArray[np.float64]]
        if scene.mode == "survival":
            judged = _survival_judge(spec, evidence)
        else:
            posterior = _believed(spec, scene, evidence)
            top = int(posterior.tasks.argmax())
            yield {
                **about,
                "id": "task",
                "category": "task",
                "choice": ALL_TASKS[top],
                "answer": scene.task,
                "mass": float(posterior.tasks[top]),
            }
            judged = partial(_masses, spec, scene, posterior, evidence)
        for question in questions:
            mass = judged(question)
            chosen = int(mass.argmax())
            yield {
                **about,
                "id": question.template,
                "category": question.category,
                "choice": question.choices[chosen],
                "answer": question.choices[question.answer],
                "mass": float(mass[chosen]),
            }


def _believed(spec: DetectionSpec, scene: FinishedScene, evidence: SceneEvidence) -> PlanPosterior:
    seed = detective_seed(scene)
    simulate = spec.detective == "afd"
    if spec.detective == "prior":
        evidence = seen_of(scene, np.zeros((AREA, AREA), np.bool_))
    return detective_of(*scene.suspect).posterior(evidence, seed, simulate=simulate)


def judge_of(
    scene: FinishedScene, evidence: SceneEvidence
) -> Callable[[Question], NDArray[np.float64]]:
    """What gives the probability of each choice of a question about a scene."""
    spec = DetectionSpec(Path())
    if scene.mode == "survival":
        return _survival_judge(spec, evidence)
    return partial(_masses, spec, scene, _believed(spec, scene, evidence), evidence)


def detective_seed(scene: FinishedScene) -> int:
    """Seed of a detective's simulations, from the scene's public number alone."""
    return episode_seed(scene.corpus_seed, scene.number) ^ 5


def _masses(
    spec: DetectionSpec,
    scene: FinishedScene,
    posterior: PlanPosterior,
    evidence: SceneEvidence,
    question: Question,
) -> NDArray[np.float64]:
    priors = bundled_priors(scene.vandal)
    if spec.detective != "prior":
        return masses(question, posterior, evidence, priors)
    goal = templates()[question.template].category == "goal"
    shares = prior_of(scene.tasks) if goal else priors.get(question.template, {})
    return _by_shares(question, shares)


def _survival_judge(
    spec: DetectionSpec, evidence: SceneEvidence
) -> Callable[[Question], NDArray[np.float64]]:
    """What judges questions about survival: learned weights, or shares of answers alone."""
    if spec.detective == "afd":
        return lambda question: bundled_survival().masses(question, evidence)
    priors = bundled_survival().priors
    return lambda question: _by_shares(question, priors.get(question.template, {}))


def _by_shares(question: Question, shares: Mapping[str, float]) -> NDArray[np.float64]:
    """The probability of each choice by shares of answers alone."""
    found = np.array([shares.get(choice, 0.0) + 1e-6 for choice in question.choices])
    normed: NDArray[np.float64] = found / found.sum()
    return normed


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


def walk_through(spec: DetectionSpec, scene: FinishedScene) -> SceneWalk:
    """Walk through a scene with an explorer other than ``all``."""
    walkable = stage_of(scene.world).tables["walkable"][0].astype(np.bool_)
    rng = stream_of(scene.corpus_seed, scene.number, 5)
    far = spec.start == "far"
    start = far_start(scene.codes, walkable, rng) if far else (AREA // 2, AREA // 2)
    walk = SceneWalk(scene.codes, walkable, start, int(rng.randint(2**31 - 1)))
    if spec.explorer != "curious" or scene.mode == "survival":
        explorer = "nearest" if spec.explorer == "curious" else spec.explorer  # no plan to test
        walk.on(Explorer[explorer], spec.steps)
        return walk
    while walk.steps < spec.steps:
        seen = walk.seen_at != NEVER
        if not (TRACES[scene.codes] & seen).any():
            if not walk.on(Explorer.nearest, min(walk.steps + _SHORT, spec.steps)):
                break
            continue
        evidence = seen_of(scene, seen)
        believed = detective_of(*scene.suspect).posterior(evidence, detective_seed(scene), _FEW)
        gains = believed.gains(seen) + _leads(scene, seen)
        if evidence.figure and gains.sum() < _LEAST_GAIN:
            break
        gains += _CHANCE * ~seen
        if not walk.on(Explorer.curious, min(walk.steps + _LOOKS, spec.steps), gains):
            break
    return walk


def _leads(scene: FinishedScene, seen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Bits expected of unseen cells beside seen traces, where a trail may go on."""
    beside = np.zeros_like(seen)
    traced = np.pad(TRACES[scene.codes] & seen, 1)
    for dx in range(3):
        for dy in range(3):
            beside |= traced[dx : dx + AREA, dy : dy + AREA]
    return (beside & ~seen).astype(np.float64)
