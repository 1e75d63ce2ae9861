"""The detective: undone maps, posteriors, walks, and answers beyond chance."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from mars_logic.benchmarks.conan_weights import LabelledScene, fit
from mars_logic.domains.conan.codes import CODE, LAND, TRACES
from mars_logic.domains.conan.corpus import CorpusSpec, make_scene, stage_of
from mars_logic.domains.conan.detective.abduction import abduction_of
from mars_logic.domains.conan.detective.answering import bundled_priors, masses
from mars_logic.domains.conan.detective.evidence import everything, seen_of
from mars_logic.domains.conan.detective.exploring import FAR, NEVER, far_start
from mars_logic.domains.conan.detective.investigating import (
    DetectionSpec,
    detective_of,
    detective_seed,
    investigate,
    step_of_most,
    traces_seen,
)
from mars_logic.domains.conan.detective.posterior import undone
from mars_logic.domains.conan.detective.summary import (
    calibration_error,
    debiased_error,
    exact_error,
)
from mars_logic.domains.conan.features import FEATURES
from mars_logic.domains.conan.questions.storage import questions_of
from mars_logic.domains.conan.scenes import FinishedScene
from mars_logic.domains.conan.vandal.tasks import ALL_TASKS, TASKS, equivalents
from mars_logic.sim.cells import cells_of
from mars_logic.sim.state import materials_of

SPEC = CorpusSpec("conan", 77)


@cache
def scenes(count: int) -> list[FinishedScene]:
    return [make_scene(SPEC, number) for number in range(count)]


def first_map(scene: FinishedScene) -> np.ndarray:
    stage = stage_of(scene.world)
    env = stage.generated(scene.map_seed, scene.episode)[0]
    materials = materials_of(env)
    return cells_of(stage.world.vocabulary, materials, np.zeros_like(materials))


def test_the_truth_is_never_refuted() -> None:
    for scene in scenes(120):
        for seen in (np.ones((64, 64), np.bool_), np.tri(64, 64, 3, np.bool_)):
            possible = abduction_of(scene.world).possible(seen_of(scene, seen))
            assert (scene.task, scene.weapon) in possible


@pytest.mark.long
def test_the_truth_is_never_refuted_in_2000_scenes() -> None:
    spec = CorpusSpec("conan", 78)
    for number in range(2000):
        scene = make_scene(spec, number)
        assert (scene.task, scene.weapon) in abduction_of("conan").possible(everything(scene))


def test_changed_cells_are_undone() -> None:
    """Apple trees and trees leave the same stump: 99 % of the other changed cells are right."""
    right = changed = 0
    for scene in scenes(120):
        before, after = first_map(scene), undone(everything(scene))[0]
        differs = (scene.codes != before) & (before != CODE["apple_tree"])
        right += int((after == before)[differs].sum())
        changed += int(differs.sum())
        untouched = scene.codes == before
        assert (after[untouched] == before[untouched]).all()
    assert right / changed > 0.99


def test_what_was_not_seen_is_what_the_nearest_seen_cell_is() -> None:
    scene, dice = scenes(12)[3], np.random.RandomState(1)
    whole = undone(everything(scene))[0]
    for _ in range(20):
        seen = np.zeros((64, 64), np.bool_)
        for x, y in dice.randint(0, 56, (dice.randint(1, 4), 2)):
            seen[x : x + 9, y : y + 9] = True
        filled = undone(seen_of(scene, seen))[0]
        known = np.argwhere(seen)
        for x, y in dice.randint(0, 64, (30, 2)):
            apart = np.abs(known - (x, y)).sum(1)
            near = known[apart == apart.min()]
            assert filled[x, y] in {filled[tuple(cell)] for cell in near.tolist()}
        inner = inside_of(seen)
        assert (filled[inner] == whole[inner]).all()
    nothing = undone(seen_of(scene, np.zeros((64, 64), np.bool_)))[0]
    assert set(nothing.ravel().tolist()) == {CODE["grass"]}


def inside_of(seen: np.ndarray) -> np.ndarray:
    """Seen cells all of whose eight neighbours are seen."""
    padded = np.pad(seen, 1)
    return np.logical_and.reduce(
        [padded[dx : dx + 64, dy : dy + 64] for dx in range(3) for dy in range(3)]
    )


@pytest.mark.slow
def test_the_posterior_is_a_distribution_that_repeats_itself() -> None:
    scene = scenes(12)[3]
    detective = detective_of(scene.world)
    evidence = everything(scene)
    first, second = (detective.posterior(evidence, detective_seed(scene)) for _ in range(2))
    assert first.tasks.sum() == pytest.approx(1)
    assert (first.tasks == second.tasks).all()
    assert first.weights.sum() == pytest.approx(1)
    assert first.probability(scene.task) > 0
    nothing = detective.posterior(seen_of(scene, np.zeros((64, 64), np.bool_)), 1)
    assert nothing.entropy > first.entropy + 2


@pytest.mark.slow
def test_answers_are_far_better_than_chance() -> None:
    right, asked, goals = 0, 0, []
    for scene in scenes(30):
        evidence = everything(scene)
        posterior = detective_of(scene.world).posterior(evidence, detective_seed(scene))
        for question in questions_of(scene):
            mass = masses(question, posterior, evidence, bundled_priors())
            assert mass.sum() == pytest.approx(1)
            correct = int(mass.argmax()) == question.answer
            if question.category == "goal":
                goals.append(correct)
            else:
                right, asked = right + correct, asked + 1
    assert np.mean(goals) > 0.9
    assert right / asked > 0.85


def test_equivalent_tasks_together_are_believed_most() -> None:
    found = [s for s in scenes(120) if s.task == "make_stone_sword"][:2]
    assert found
    for scene in found:
        posterior = detective_of(scene.world).posterior(everything(scene), 5)
        masses_of = {task: sum(map(posterior.probability, equivalents(task))) for task in TASKS}
        assert masses_of[scene.task] == max(masses_of.values())


@pytest.mark.parametrize("explorer", ["nearest", "curious", "random"])
def test_a_walk_sees_more_and_more(explorer: str) -> None:
    scene = scenes(12)[3]
    spec = DetectionSpec(folder=None, explorer=explorer, steps=120)  # type: ignore[arg-type]
    seen_at, steps = investigate(spec, scene)
    assert 0 < steps <= 120
    assert (seen_at[28:37, 28:37] == 0).all()
    shares = [traces_seen(scene, seen_at <= step) for step in (0, 20, 120)]
    assert shares == sorted(shares)
    if explorer != "random":
        assert shares[-1] > 0.9
    assert ((seen_at == NEVER) | (seen_at <= steps)).all()


def test_the_step_at_which_most_traces_were_seen() -> None:
    scene = scenes(12)[3]
    cells = np.argwhere(TRACES[scene.codes])
    seen_at = np.full((64, 64), NEVER, np.int16)
    assert step_of_most(scene, seen_at) == -1
    for number, cell in enumerate(cells.tolist()):
        seen_at[tuple(cell)] = number
    step = step_of_most(scene, seen_at)
    assert traces_seen(scene, seen_at <= step) >= 0.95 > traces_seen(scene, seen_at < step)


def test_curious_finds_traces_sooner_than_nearest_from_afar() -> None:
    steps = {"curious": [], "nearest": []}  # type: ignore[var-annotated]
    for explorer, found in steps.items():
        spec = DetectionSpec(folder=None, explorer=explorer, start="far", steps=100)  # type: ignore[arg-type]
        for scene in scenes(12):
            seen_at, _ = investigate(spec, scene)
            found.append(seen_at[TRACES[scene.codes]].min())
    assert np.median(steps["curious"]) < np.median(steps["nearest"])


def test_far_starts_are_far() -> None:
    walkable = stage_of("conan").tables["walkable"][0].astype(np.bool_)
    for scene in scenes(12):
        x, y = far_start(scene.codes, walkable, np.random.RandomState(1))
        traces = np.argwhere(TRACES[scene.codes])
        assert walkable[scene.codes[x, y]]
        assert np.abs(traces - (x, y)).sum(1).min() >= FAR
        assert LAND[scene.codes[x, y]] or walkable[scene.codes[x, y]]


def test_fitting_finds_the_feature_that_tells() -> None:
    rng = np.random.RandomState(0)
    samples = []
    for _ in range(60):
        features = rng.random_sample((10, len(FEATURES)))
        right = np.zeros(10, np.bool_)
        right[features[:, 2].argmin()] = True
        samples.append(LabelledScene(features, np.full(10, 0.1), right))
    weights = fit(samples)
    assert weights.argmax() == 2
    assert (weights >= 0).all()


def test_calibration_error_of_known_cases() -> None:
    assert calibration_error([1.0, 1.0], np.array([True, True])) == 0
    assert calibration_error([0.9, 0.9], np.array([True, False])) == pytest.approx(0.4)


def test_a_debiased_error_is_near_that_of_the_belief() -> None:
    rng = np.random.RandomState(3)
    mass = rng.random_sample(2000)
    for skew in (0.0, 0.2):
        errors = []
        for _ in range(5):
            right = rng.random_sample(len(mass)) < np.clip(mass - skew, 0, 1)
            errors.append(debiased_error(mass, right, 100))
        true = np.abs(mass - np.clip(mass - skew, 0, 1)).mean()
        assert np.mean([error for error, _ in errors]) == pytest.approx(true, abs=0.015)
        assert all(abs(error - true) < 2 * width for error, width in errors)


@pytest.mark.slow
def test_weights_are_fitted_and_judged(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mars_logic.benchmarks.conan_weights", "--out", str(tmp_path)]
    sizes = ["--scenes", "2", "--held-out", "2"]
    done = subprocess.run([*command, *sizes], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "2 held-out scenes (corpus seed 102)" in done.stdout
    found = json.loads((tmp_path / "likelihood.json").read_text(encoding="utf-8"))
    assert set(found["weights"]["whole"]) == set(FEATURES)
    assert (tmp_path / "answer_priors.json").is_file()


@pytest.mark.long
def test_belief_among_sixty_tasks_is_calibrated() -> None:
    spec, mass, right = CorpusSpec("conan", 88, "careful", "task", 60), [], []
    for number in range(200):
        scene = make_scene(spec, number)
        evidence = everything(scene)
        belief = detective_of(*scene.suspect).posterior(evidence, detective_seed(scene)).tasks
        mass.append(belief.max())
        right.append(ALL_TASKS[int(belief.argmax())] == scene.task)
    assert debiased_error(mass, right)[0] < 0.06  # .005 ± .019 in 1,000 scenes of another seed


def test_an_exact_belief_shows_less_error_in_more_scenes() -> None:
    mass = np.random.RandomState(2).random_sample(4000)
    few, many = exact_error(mass[:100]), exact_error(mass)
    assert 0.03 < many * 6 < few * 1.2 < 0.2
    assert exact_error(np.ones(50)) == 0
