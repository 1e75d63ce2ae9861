"""What a report of one scene tells: what was seen when, the plan believed, belief over time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.conan.detective.detecting import judge_of
from mars_logic.domains.conan.detective.evidence import SceneEvidence, seen_of
from mars_logic.domains.conan.detective.investigating import (
    DetectionSpec,
    detective_of,
    detective_seed,
    traces_seen,
    walk_through,
)
from mars_logic.domains.conan.detective.posterior import PlanPosterior
from mars_logic.domains.conan.detective.surviving import bundled_survival
from mars_logic.domains.conan.questions.asking import Question
from mars_logic.domains.conan.questions.history import Cell
from mars_logic.domains.conan.questions.phrases import phrase
from mars_logic.domains.conan.questions.storage import questions_of
from mars_logic.domains.conan.scenes import FinishedScene
from mars_logic.domains.conan.showing import plan_words, refutations, sentence
from mars_logic.domains.conan.vandal.tasks import ALL_TASKS
from mars_logic.views.scenes import picture
from mars_logic.views.scenes.picture import Box, Pixels

MOMENTS: Final = 25
"""Moments at which the belief is shown, at most."""
COLOURS: Final = ("#1f6fb4", "#d9822b", "#2f9e55", "#b0413e", "#7a5ea8", "#8a8f98")
"""Colours of what is believed in, the likeliest first; the last one is that of all others."""
_WALK, _PLAN = "#202020", "#e0218a"


@dataclass(frozen=True)
class JudgedQuestion:
    """A question that the detective answered at the end of its walk.

    Attributes:
        question: The question.
        masses: float64[4]: the probability of each choice.
    """

    question: Question
    masses: NDArray[np.float64]

    @property
    def chosen(self) -> int:
        """Index of the answer given."""
        return int(self.masses.argmax())

    @property
    def right(self) -> bool:
        """Whether it is the right one."""
        return self.chosen == self.question.answer


@dataclass(frozen=True)
class WalkReport:
    """The contents of a report on a detective's walk through a scene.

    Attributes:
        scene: The scene.
        spec: How it was explored.
        steps: Steps of the walk.
        traces: Share of the traces that was seen.
        maps: Pictures of the map with their titles.
        moments: Steps at which the belief is told.
        names: The alternatives of the belief: tasks, or ways in which a life ended.
        shares: float64[moments, names]: probabilities.
        deeds: The deeds of the likeliest simulated vandal, in sentences.
        refuted: Tasks that what was seen refutes, with reasons, in sentences.
        answers: The scene's questions, answered.
    """

    scene: FinishedScene
    spec: DetectionSpec
    steps: int
    traces: float
    maps: Sequence[tuple[str, Pixels]]
    moments: Sequence[int]
    names: Sequence[str]
    shares: NDArray[np.float64]
    deeds: Sequence[str]
    refuted: Sequence[str]
    answers: Sequence[JudgedQuestion]


def walk_report(scene: FinishedScene, spec: DetectionSpec) -> WalkReport:
    """Let a detective walk through a scene, and gather what there is to tell.

    Args:
        scene: The scene.
        spec: How it is explored; not ``all``.
    """
    walk = walk_through(spec, scene)
    last = walk.steps
    moments = sorted({round(last * i / (MOMENTS - 1)) for i in range(MOMENTS)})
    evidence = [seen_of(scene, walk.seen_at <= step) for step in moments]
    box = _around(picture.box_of(scene), walk.trail)
    ground = picture.finished(scene, box)
    when = picture.shaded(ground, walk.seen_at, last, box)
    when = picture.with_line(when, walk.trail.tolist(), box, _WALK)
    maps = [(f"Seen when: blue first, red last, after {last} steps", when)]
    deeds: list[str] = []
    refuted: list[str] = []
    if scene.mode == "survival":
        names, shares = _outcomes(evidence)
    else:
        posteriors = [_posterior(scene, each) for each in evidence]
        names, shares = _tasks(posteriors)
        maps.append(_believed(posteriors[-1], ground, box))
        deeds = [sentence(deed) for deed in posteriors[-1].believed[0][1].deeds]
        refuted = list(refutations(scene, evidence[-1]))
    return WalkReport(
        *(scene, spec, last, traces_seen(scene, evidence[-1].seen), maps),
        *(moments, names, shares, deeds, refuted),
        list(_answers(scene, evidence[-1])),
    )


def _answers(scene: FinishedScene, evidence: SceneEvidence) -> Iterator[JudgedQuestion]:
    judged = judge_of(scene, evidence)
    for question in questions_of(scene):
        yield JudgedQuestion(question, judged(question))


def _posterior(scene: FinishedScene, evidence: SceneEvidence) -> PlanPosterior:
    return detective_of(*scene.suspect).posterior(evidence, detective_seed(scene))


def _around(box: Box, trail: NDArray[np.uint8]) -> Box:
    """A box that also holds a walk."""
    low, high = np.minimum(box[:2], trail.min(0)), np.maximum(box[2:], trail.max(0).astype(int) + 1)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _tasks(posteriors: Sequence[PlanPosterior]) -> tuple[list[str], NDArray[np.float64]]:
    """Names and probabilities over time of the five tasks believed most, and of all others."""
    tasks = np.array([each.tasks for each in posteriors])
    rank = tasks[-1] + 0.01 * tasks.mean(0)
    top = np.argsort(-rank, kind="stable")[: len(COLOURS) - 1]
    shares = tasks[:, top]
    names = [phrase(ALL_TASKS[task]) for task in top]
    return [*names, "others"], np.c_[shares, 1 - shares.sum(1)]


def _outcomes(evidence: Sequence[SceneEvidence]) -> tuple[list[str], NDArray[np.float64]]:
    """Names and probabilities over time of how a life ended."""
    model = bundled_survival()
    return [phrase(each) for each in model.answers["outcome"]], np.array(
        [model.shares("outcome", each, None) for each in evidence]
    )


def _believed(posterior: PlanPosterior, ground: Pixels, box: Box) -> tuple[str, Pixels]:
    """The likeliest simulated vandal's way and deeds over the finished map."""
    number = int(posterior.weights.argmax())
    _, history = posterior.believed[0]
    drawn = picture.with_line(ground, history.trail.tolist(), box, _PLAN)
    cells: list[Cell] = [deed.cell for deed in history.deeds if deed.kind != "drink"]
    plan = posterior.plans[int(posterior.results["plan"][number])]
    title = f"The plan believed: {plan_words(plan)}; deeds in order"
    return title, picture.numbered(drawn, cells, box, _PLAN)
