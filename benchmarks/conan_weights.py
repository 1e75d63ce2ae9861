"""Fits what the Conan detective knows beforehand, and writes it into the package.

Weights of the likelihood, the share of attempts that succeed by task, and the shares of answers by
template come from training scenes, whose seed no test uses.

    python -m mars_logic.benchmarks.conan_weights [--scenes 300] [--seed 101]
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from mars_logic.domains.conan import detective
from mars_logic.domains.conan.corpus import CorpusSpec, make_scene, stage_of
from mars_logic.domains.conan.detective.evidence import everything
from mars_logic.domains.conan.detective.fitting import LabelledScene, fit
from mars_logic.domains.conan.detective.posterior import Detective, TraceLikelihood
from mars_logic.domains.conan.features import FEATURES
from mars_logic.domains.conan.questions.storage import questions_of
from mars_logic.domains.conan.scenes import FinishedScene
from mars_logic.files import write_atomically
from mars_logic.sim.seeds import episode_seed

WORLD = "conan"
MORE = 10
"""Scenes for shares of success and of answers, for each scene that weights are fitted to."""


def success(scenes: Sequence[FinishedScene]) -> dict[str, float]:
    """Share of attempts that succeeded, by task."""
    attempts: defaultdict[str, list[int]] = defaultdict(list)
    for scene in scenes:
        attempts[scene.task].append(scene.attempts)
    return {task: round(len(each) / sum(each), 4) for task, each in sorted(attempts.items())}


def samples(scenes: Sequence[FinishedScene], rates: dict[str, float]) -> list[LabelledScene]:
    """Simulations of each scene, seen as a whole."""
    stage = stage_of(WORLD)
    likelihood = TraceLikelihood(np.ones(len(FEATURES)), rates, "")
    found = Detective(stage, likelihood)
    plans = stage.programs.plans
    made = []
    for scene in scenes:
        results = found.simulated(everything(scene), episode_seed(scene.vandal_seed, -3))
        numbers = results["plan"]
        prior = found.prior
        times = np.bincount(numbers, minlength=len(plans))
        right = np.array([plans[number][0] == scene.task for number in numbers])
        made.append(
            LabelledScene(results["features"], (prior / np.maximum(times, 1))[numbers], right)
        )
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


def main() -> None:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=300)
    parser.add_argument("--seed", type=int, default=101)
    given = parser.parse_args()
    spec = CorpusSpec(WORLD, given.seed)
    scenes = [make_scene(spec, number) for number in range(MORE * given.scenes)]
    rates = success(scenes)
    weights = fit(samples(scenes[: given.scenes], rates))
    origin = (
        f"own scenes of {WORLD}, reference vandal, corpus seed {given.seed}: weights by maximum "
        f"likelihood on {given.scenes}, shares on {len(scenes)} (benchmarks/conan_weights.py)"
    )
    folder = Path(str(detective.__file__)).parent
    documents = {
        "likelihood": {
            "origin": origin,
            "weights": dict(zip(FEATURES, np.round(weights, 4).tolist(), strict=True)),
            "success": rates,
        },
        "answer_priors": {"origin": origin, "priors": answer_shares(scenes)},
    }
    for name, document in documents.items():
        write_atomically(folder / f"{name}.json", json.dumps(document, indent=1) + "\n")
        print(f"{folder / name}.json")


if __name__ == "__main__":
    main()
