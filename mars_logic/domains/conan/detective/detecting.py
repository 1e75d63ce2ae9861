"""Detections: a detective explores scenes and answers their questions.

And which questions the traces determine: the posterior of each right answer, all being seen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mars_logic.data.checked import Among, Anything, Between, CheckedRows, RowColumn
from mars_logic.domains.conan.codes import CODES, OBJECTS, TRACES
from mars_logic.domains.conan.detective.answering import bundled_priors, masses
from mars_logic.domains.conan.detective.evidence import SceneEvidence, everything, seen_of
from mars_logic.domains.conan.detective.investigating import (
    MOST_WALK,
    DetectionSpec,
    detective_of,
    detective_seed,
    investigate,
    step_of_most,
    traces_seen,
)
from mars_logic.domains.conan.detective.posterior import PlanPosterior
from mars_logic.domains.conan.detective.surviving import bundled_survival
from mars_logic.domains.conan.detective.witnessing import weighed_by, witnessed
from mars_logic.domains.conan.person import question_lines
from mars_logic.domains.conan.questions.asking import CHOICES, Question
from mars_logic.domains.conan.questions.phrases import ANSWERS_BY_NAME, noun, phrase
from mars_logic.domains.conan.questions.storage import read_questions
from mars_logic.domains.conan.questions.templates import templates
from mars_logic.domains.conan.scenes import MOST_SCENES, FinishedScene, read_scenes
from mars_logic.domains.conan.vandal.tasks import ALL_TASKS, SURVIVING, prior_of
from mars_logic.language.answers import action_answer
from mars_logic.language.session import open_session
from mars_logic.language.settings import LanguageSettings
from mars_logic.world.dialect import AREA

CHECKPOINTS: Final = (0, 50, 100, 200, 300, 500)
"""Steps after which a detective is asked, besides the end."""
_STEPS: Final = Between(0, MOST_WALK)
_SHARE: Final = Between(0, 1)
_ANSWER: Final = Among(ANSWERS_BY_NAME, "the key of an answer")
_ID: Final = Among(("task", *templates()), "the name of a template, such as I1, or task")


def _category(row: Mapping[str, Any]) -> str:
    return "task" if row["id"] == "task" else templates()[row["id"]].category


ROWS: Final = CheckedRows(
    "conan_detections 2",
    (
        RowColumn("scene", pa.int32(), Between(0, MOST_SCENES - 1)),
        RowColumn("task", pa.string(), Among((*ALL_TASKS, SURVIVING), "a task, or survive")),
        RowColumn("step", pa.int16(), _STEPS),
        RowColumn("last", pa.bool_(), Anything()),
        RowColumn("id", pa.string(), _ID),
        RowColumn("category", pa.string(), Among(("intent", "goal", "survival", "task"))),
        RowColumn("choice", pa.string(), _ANSWER),
        RowColumn("answer", pa.string(), _ANSWER),
        RowColumn("mass", pa.float32(), _SHARE),
        RowColumn("traces", pa.float32(), _SHARE),
        RowColumn("most_seen", pa.int16(), Between(-1, MOST_WALK)),
    ),
    "detections, as `mars-logic conan detect` writes them",
    (),
    {
        "id, category": lambda row: row["category"] == _category(row),
        "task, answer": lambda row: row["category"] != "task" or row["answer"] == row["task"],
    },
)
SCHEMA: Final = ROWS.schema
"""Columns of detections: ``mass`` is the belief in the choice, ``traces`` the share seen, and
``most_seen`` the step at which 95 % of the traces had been seen on the whole walk, or -1."""


def detection_block(spec: DetectionSpec, first: int, last: int) -> pa.Table:
    """Investigate some scenes of a folder; rows of :data:`SCHEMA`."""
    scenes = read_scenes(spec.folder, first, last)
    questions = read_questions(spec.folder, scenes)
    rows = [row for s in scenes for row in _detected(spec, s, questions.get(s.number, ()))]
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def _detected(
    spec: DetectionSpec, scene: FinishedScene, questions: Any
) -> Iterator[dict[str, Any]]:
    episode = witnessed(scene) if spec.explorer == "witness" else None
    seen_at, steps = (episode.seen_at, scene.steps) if episode else investigate(spec, scene)
    most_seen = step_of_most(scene, seen_at)
    marks = [mark for mark in CHECKPOINTS if mark < steps] if spec.checkpoints else []
    for step in (*marks, steps):
        episode = witnessed(scene, step) if episode else None
        evidence = episode.evidence if episode else seen_of(scene, seen_at <= step)
        about = {
            "scene": scene.number,
            "task": scene.task,
            "step": step,
            "last": step == steps,
            "traces": traces_seen(scene, evidence.seen),
            "most_seen": most_seen,
        }
        judged: Callable[[Question], NDArray[np.float64]]
        if spec.detective == "model":
            judged = model_judge(spec.language or LanguageSettings(), scene, seen_at, step)
        elif scene.mode == "survival":
            judged = _survival_judge(spec, evidence)
        else:
            posterior = _believed(spec, scene, evidence)
            if episode and spec.detective == "afd":
                posterior = weighed_by(posterior, episode)
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


def _masses(
    spec: DetectionSpec,
    scene: FinishedScene,
    posterior: PlanPosterior,
    evidence: SceneEvidence,
    question: Question,
) -> NDArray[np.float64]:
    priors = bundled_priors(scene.vandal, scene.tasks)
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


DETERMINED: Final = 0.99
"""Posterior of the right answer from which on the traces determine it."""

_MOST_QUESTIONS: Final = 100
"""Questions about one scene, at most."""
_ROUNDING: Final = 1e-6


def _agree(posterior: float, determined: bool) -> bool:
    """Whether a posterior of single precision is on the side of the bound that is stated."""
    return abs(posterior - DETERMINED) < _ROUNDING or (posterior >= DETERMINED) == determined


POSTERIORS: Final = CheckedRows(
    "conan_posteriors 1",
    (
        RowColumn("scene", pa.int32(), Between(0, MOST_SCENES - 1)),
        RowColumn("question", pa.int16(), Between(0, _MOST_QUESTIONS - 1)),
        RowColumn("id", pa.string(), Among(templates(), "the name of a template, such as I1")),
        RowColumn("posterior", pa.float32(), Between(0, 1)),
        RowColumn("determined", pa.bool_(), Anything()),
    ),
    "posteriors, as `mars-logic conan questions --posterior` writes them",
    ("posterior", "determined"),
    {"posterior, determined": lambda row: _agree(row["posterior"], row["determined"])},
)
"""Columns of a file of posteriors; ``question`` counts the questions of a scene from 0."""


def posterior_block(folder: Path, first: int, last: int) -> pa.Table:
    """Posteriors of the questions about some scenes of a folder, as rows of :data:`POSTERIORS`."""
    scenes = read_scenes(folder, first, last)
    questions = read_questions(folder, scenes)
    rows = [row for s in scenes for row in _judged(s, questions.get(s.number, ()))]
    return pa.Table.from_pylist(rows, schema=POSTERIORS.schema)


def _judged(scene: FinishedScene, questions: Any) -> Iterator[dict[str, Any]]:
    evidence = everything(scene)
    question: Question
    judged = judge_of(scene, evidence)
    for number, question in enumerate(questions):
        mass = float(judged(question)[question.answer])
        yield {
            "scene": scene.number,
            "question": number,
            "id": question.template,
            "posterior": mass,
            "determined": mass >= DETERMINED,
        }


_ANSWERS: Final = tuple(f"answer_{number}" for number in range(1, CHOICES + 1))
_MARKS: Final = {
    **{way: f"footprint to the {way}" for way in ("left", "right")},
    **{way: f"footprint {way}wards" for way in ("up", "down")},
    "unknown": "footprints in several directions",
    "water": "spilt water",
    "blood": "blood",
}
"""What is left on land, by the end of a code's name."""


def seen_lines(scene: FinishedScene, seen_at: NDArray[np.int16], last: int) -> Iterator[str]:
    """What a walk showed: a line for each step that showed a trace, a creature or the figure.

    Args:
        scene: The scene.
        seen_at: int16[64, 64]: the step at which each cell was first seen.
        last: The last step that counts.
    """
    by_step: defaultdict[int, list[str]] = defaultdict(list)
    told = TRACES[scene.codes] | (scene.things > 0)
    told[scene.figure] = True
    for x, y in np.argwhere(told & (seen_at <= last)).tolist():
        by_step[int(seen_at[x, y])].append(f"{_words(scene, x, y)} at ({x}, {y})")
    for step, found in sorted(by_step.items()):
        yield f"Step {step}: {'; '.join(found)}"
    whole = np.unique(scene.codes[seen_at <= last]).tolist()
    ground = [CODES[code] for code in whole if code and not TRACES[code]]
    yield f"Also seen: {', '.join(name.replace('_', ' ') for name in ground)}"


def _words(scene: FinishedScene, x: int, y: int) -> str:
    if (x, y) == scene.figure:
        return "the vandal's dead body" if scene.dead else "the vandal"
    if scene.things[x, y]:
        return noun(OBJECTS[scene.things[x, y]])
    name = CODES[scene.codes[x, y]]
    what, _, kind = name.rpartition("_")
    if what in ("grass", "sand", "path"):
        return _MARKS[kind]
    if kind == "left":
        return f"rubble of {what}"
    if kind == "cut":
        return "stump of a tree"
    return f"{kind} {what}" if kind in ("dead", "destroyed") else noun(name)


def model_judge(
    settings: LanguageSettings, scene: FinishedScene, seen_at: NDArray[np.int16], last: int
) -> Callable[[Question], NDArray[np.float64]]:
    """What asks a language model about a scene: all mass is on the choice that it names.

    An answer that cannot be read, twice, spreads it evenly, and one is chosen at random.

    Args:
        settings: Of the language model; exchanges about a scene are a session of their own.
        scene: The scene.
        seen_at: int16[64, 64]: the step at which each cell was first seen.
        last: The last step that counts.

    Raises:
        InputError: No model is named, or something that the settings name is wrong or missing.
    """
    name = f"scene{scene.corpus_seed}_{scene.number:06d}_{last}"
    session = open_session("detective", settings.model_copy(update={"session": name}))
    told = list(seen_lines(scene, seen_at, last))
    form = action_answer(_ANSWERS)
    chance = np.random.RandomState(scene.number)

    def judged(question: Question) -> NDArray[np.float64]:
        asked = session.counts.asked
        session.place = replace(session.place, seed=scene.number, step=asked)
        line, *_ = question_lines(question)
        offers = list(map(phrase, question.choices))
        found = session.ask("conan_question", form, told=told, question=line, offers=offers)
        mass = np.full(CHOICES, 1 / CHOICES)
        if found is None:
            mass[chance.randint(CHOICES)] += 1e-6
            return mass
        mass[:] = 0
        mass[_ANSWERS.index(found.action)] = 1
        return mass

    return judged
