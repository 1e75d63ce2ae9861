"""Fits what the Conan detective knows beforehand, and writes it into the package.

Weights of the likelihood, the share of attempts that succeed by task, and the shares of answers by
template come from training scenes, whose seed no test uses. Scenes of the next seed are held out:
on them the accuracy of the belief in the task, and its calibration error, are printed.

    python -m mars_logic.benchmarks.conan_weights [--vandal careful [--tasks 60]] [--scenes 300]
        [--seed 101] [--held-out 100]
    python -m mars_logic.benchmarks.conan_weights --survival --scenes 600
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.conan import detective
from mars_logic.domains.conan.corpus import CorpusSpec, make_scene, stage_for
from mars_logic.domains.conan.detective.evidence import VIEWS, SceneEvidence, everything, seen_of
from mars_logic.domains.conan.detective.investigating import (
    DetectionSpec,
    detective_seed,
    investigate,
)
from mars_logic.domains.conan.detective.posterior import FITTED, Detective, TraceLikelihood
from mars_logic.domains.conan.detective.summary import calibration_told
from mars_logic.domains.conan.detective.surviving import features_of, fit_softmax
from mars_logic.domains.conan.features import FEATURES
from mars_logic.domains.conan.questions.answers import SURVIVAL_POOLS
from mars_logic.domains.conan.questions.storage import questions_of
from mars_logic.domains.conan.questions.templates import templates
from mars_logic.domains.conan.scenes import FinishedScene
from mars_logic.domains.conan.vandal.tasks import ALL_TASKS, TASKS
from mars_logic.sim.seeds import episode_seed
from mars_logic.system.files import write_atomically

WORLD = "conan"
MORE = 10
"""Scenes for shares of success and of answers, for each scene that weights are fitted to."""


def success(scenes: Sequence[FinishedScene]) -> dict[str, float]:
    """Share of attempts that succeeded, by task."""
    attempts: defaultdict[str, list[int]] = defaultdict(list)
    for scene in scenes:
        attempts[scene.task].append(scene.attempts)
    return {task: round(len(each) / sum(each), 4) for task, each in sorted(attempts.items())}


def walked(scene: FinishedScene) -> SceneEvidence:
    """What is seen of a scene on a walk of some length, from the centre or from afar."""
    start = ("centre", "far")[scene.number % 2]
    steps = (20, 500, 60, 500, 120, 500, 250, 500)[scene.number // 2 % 8]
    spec = DetectionSpec(Path(), "nearest", start, steps)
    seen_at, last = investigate(spec, scene)
    return seen_of(scene, seen_at <= last)


def samples(
    seen: Iterable[tuple[FinishedScene, SceneEvidence]], rates: dict[str, float], spec: CorpusSpec
) -> dict[str, list[LabelledScene]]:
    """Simulations of each scene, by how much of it was seen."""
    ones = dict.fromkeys(VIEWS, np.ones(len(FEATURES)))
    known = TraceLikelihood(ones, rates, "")
    found = Detective(stage_for(WORLD, spec.vandal), known, spec.tasks)
    plans = found.abduction.plans
    made: dict[str, list[LabelledScene]] = {view: [] for view in VIEWS}
    for scene, evidence in seen:
        results = found.simulated(evidence, episode_seed(scene.vandal_seed, -3))
        numbers = results["plan"]
        times = np.bincount(numbers, minlength=len(plans))
        right = np.array([plans[number][0] == scene.task for number in numbers])
        prior = (found.prior / np.maximum(times, 1))[numbers]
        made[evidence.view].append(LabelledScene(results["features"], prior, right))
    return made


def answer_shares(scenes: Sequence[FinishedScene]) -> dict[str, dict[str, float]]:
    """Share of each right answer, by template."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for scene in scenes:
        for question in questions_of(scene):
            if question.category != "goal":
                counts[question.template][question.choices[question.answer]] += 1
    return {
        template: {key: round(n / each.total(), 4) for key, n in sorted(each.items())}
        for template, each in sorted(counts.items())
    }


def survival_weights(scenes: Sequence[FinishedScene]) -> dict[str, Any]:
    """Weights of each type of answers about survival."""
    rows: defaultdict[str, list[tuple[NDArray[np.float64], str]]] = defaultdict(list)
    for scene in scenes:
        evidence = everything(scene)
        for question in questions_of(scene):
            kind = templates()[question.template].type
            right = question.choices[question.answer]
            rows[kind].append((features_of(question.subject.cell, evidence), right))
    found = {}
    for kind, each in rows.items():
        answers = SURVIVAL_POOLS[kind]
        numbers = np.array([answers.index(answer) for _, answer in each])
        weights = fit_softmax(np.array([row for row, _ in each]), numbers, len(answers))
        found[kind] = {"answers": answers, "weights": np.round(weights, 3).tolist()}
    return found


def judged(scenes: Iterable[FinishedScene], likelihood: TraceLikelihood, spec: CorpusSpec) -> str:
    """How well the belief in the task among all fits to held-out scenes, everything being seen."""
    detective = Detective(stage_for(WORLD, spec.vandal), likelihood, spec.tasks)
    mass, right = [], []
    for scene in scenes:
        belief = detective.posterior(everything(scene), detective_seed(scene)).tasks
        mass.append(float(belief.max()))
        right.append(ALL_TASKS[int(belief.argmax())] == scene.task)
    return (
        f"{np.mean(right):.3f} of {len(right)} held-out scenes (corpus seed {spec.seed}) right "
        f"where {np.mean(mass):.3f} is expected; {calibration_told(mass, right)}"
    )


def written(place: Path, document: dict[str, Any]) -> None:
    """Write a file of the detective's."""
    write_atomically(place, json.dumps(document, indent=None if "types" in document else 1) + "\n")
    print(place)


def main() -> None:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=300)
    parser.add_argument("--seed", type=int, default=101)
    parser.add_argument("--vandal", choices=("reference", "careful"), default="reference")
    parser.add_argument("--tasks", type=int, choices=(len(TASKS), len(ALL_TASKS)), default=25)
    parser.add_argument("--held-out", type=int, default=100)
    parser.add_argument("--survival", action="store_true")
    parser.add_argument("--out", type=Path, default=Path(str(detective.__file__)).parent)
    given = parser.parse_args()
    vandal = "careful" if given.survival else given.vandal
    mode = "survival" if given.survival else "task"
    spec = CorpusSpec(WORLD, given.seed, vandal, mode, given.tasks)
    scenes = [make_scene(spec, number) for number in range(MORE * given.scenes)]
    origin = f"own scenes of {WORLD}, {vandal} vandal, mode {mode}, {given.tasks} tasks, corpus "
    origin += f"seed {given.seed}: "
    if given.survival:
        origin += f"maximum likelihood on {len(scenes)} (benchmarks/conan_weights.py)"
        shares = answer_shares(scenes)
        known = {"origin": origin, "types": survival_weights(scenes), "priors": shares}
        written(given.out / "survival.json", known)
        return
    rates = success(scenes)
    used = enumerate(scenes[: 3 * given.scenes])
    seen = ((s, everything(s) if i < given.scenes else walked(s)) for i, s in used)
    sampled = samples(seen, rates, spec)
    fitted = {
        view: dict(zip(FEATURES, np.round(fit(each), 4).tolist(), strict=True))
        for view, each in sampled.items()
    }
    numbers = ", ".join(f"{len(each)} ({view})" for view, each in sampled.items())
    origin += (
        f"weights by maximum likelihood on {numbers}, shares on {len(scenes)} "
        "(benchmarks/conan_weights.py)"
    )
    ending = FITTED[vandal, given.tasks]
    known = {"origin": origin, "weights": fitted, "success": rates}
    written(given.out / f"likelihood{ending}.json", known)
    priors = {"origin": origin, "priors": answer_shares(scenes)}
    written(given.out / f"answer_priors{ending}.json", priors)
    other = replace(spec, seed=spec.seed + 1)
    held_out = (make_scene(other, number) for number in range(given.held_out))
    vectors = {view: np.array(list(each.values())) for view, each in fitted.items()}
    print(judged(held_out, TraceLikelihood(vectors, rates, origin), other))


_RATE, _ROUNDS, _DECAY = 0.05, 400, 1e-3
_FIRST: Final = 1.0


@dataclass(frozen=True)
class LabelledScene:
    """Simulations of one scene.

    Attributes:
        features: float64[n, 18].
        prior: float64[n]: prior of the simulation's plan over the number of its simulations.
        right: bool[n]: whether the simulation's task is the scene's.
    """

    features: NDArray[np.float64]
    prior: NDArray[np.float64]
    right: NDArray[np.bool_]


def fit(samples: Sequence[LabelledScene]) -> NDArray[np.float64]:
    """Weights, none negative, that give the true tasks the largest likelihood (Adam).

    Args:
        samples: Scenes; those whose true task was not simulated do not count.

    Returns:
        float64[18], of ``FEATURES``.
    """
    usable = [each for each in samples if each.right.any()]
    weights = np.full(len(FEATURES), _FIRST)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for turn in range(1, _ROUNDS + 1):
        slope = np.mean([_slope(each, weights) for each in usable], axis=0) + _DECAY * weights
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        step = mean / (1 - 0.9**turn) / (np.sqrt(square / (1 - 0.999**turn)) + 1e-8)
        weights = np.maximum(weights - _RATE * step, 0.0)
    return weights


def _slope(sample: LabelledScene, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The gradient of minus the log posterior of the true task."""
    scores = np.log(sample.prior) - sample.features @ weights
    everything = _shares(scores)
    right = np.zeros_like(everything)
    right[sample.right] = _shares(scores[sample.right])
    slope: NDArray[np.float64] = (right - everything) @ sample.features
    return slope


def _shares(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    shares = np.exp(scores - scores.max())
    normed: NDArray[np.float64] = shares / shares.sum()
    return normed


if __name__ == "__main__":
    main()
