"""Survival: outcomes, counterfactuals, questions, and a detective that learned from lives."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest

from mars_logic.domains.conan.codes import ITEMS
from mars_logic.domains.conan.corpus import CorpusSpec, lives_of, make_scene
from mars_logic.domains.conan.detective.evidence import everything
from mars_logic.domains.conan.detective.surviving import bundled_survival, fit_softmax
from mars_logic.domains.conan.questions.answers import SURVIVAL_POOLS
from mars_logic.domains.conan.questions.phrases import phrase
from mars_logic.domains.conan.questions.storage import questions_of
from mars_logic.domains.conan.questions.templates import templates
from mars_logic.domains.conan.scenes import FinishedScene
from mars_logic.domains.conan.vandal.careful_play import OUTCOMES
from mars_logic.domains.conan.vandal.survival import LifeConditions

SPEC = CorpusSpec("conan", 33, "careful", "survival")


@cache
def scenes(count: int) -> list[FinishedScene]:
    return [make_scene(SPEC, number) for number in range(count)]


def judged(scene: FinishedScene, template: str, cell: tuple[int, int] | None) -> str:
    """The answer to a question, recomputed from a scene's raw events."""
    stack: list[str] = []
    needs, eaten, at = [], set(), "no_need"
    for step, kind, code, x, y, why, _ in scene.events.tolist():
        if kind == 0:
            stack.append(scene.brackets[code])
            needs += [stack[-1]] * stack[-1].startswith("need_")
        elif kind == 1:
            stack.pop()
        elif kind == 7:
            eaten.add(ITEMS[code])
        elif (x, y) == cell and kind in (2, 3, 5):
            inside = [name for name in stack if name.startswith("need_")]
            at = inside[-1] if inside and why == 0 else "no_need"
        assert step <= scene.steps
    if template in ("S1", "S2"):
        return at
    if template == "S3":
        return needs[-1] if needs else "no_need"
    if template in ("S4", "S5", "S6"):
        return f"died_{scene.outcome}"
    if template == "S7":
        return stack[-1] if stack else "wander"
    if template == "S8":
        return f"saved_{scene.saved_by or 'nothing'}"
    return "eaten_" + ("+".join(sorted(eaten)) or "nothing")


def test_outcomes_are_as_drawn_and_equally_likely() -> None:
    outcomes = Counter(scene.outcome for scene in scenes(100))
    assert set(outcomes) == set(OUTCOMES)
    assert sum((outcomes[name] - 20) ** 2 / 20 for name in OUTCOMES) < 18.5  # 4 df, 99.9 %
    for scene in scenes(100):
        assert scene.dead == (scene.outcome != "alive")
        assert scene.dead or scene.steps == 400
        neglected = {"thirst": "drink", "hunger": "food", "exhaustion": "energy"}
        assert scene.left_out == neglected.get(scene.outcome, scene.left_out)
        if scene.outcome == "monster":
            assert scene.monsters


@pytest.mark.long
def test_outcomes_have_a_fifth_each_in_10_000_scenes() -> None:
    outcomes = Counter(make_scene(SPEC, number).outcome for number in range(10_000))
    assert all(abs(outcomes[name] / 10_000 - 0.2) <= 0.01 for name in OUTCOMES)


def test_counterfactuals_change_one_condition() -> None:
    saved = [scene for scene in scenes(100) if scene.saved_by][:6]
    assert {name for scene in saved for name in scene.saved_by.split(",")}
    lives = lives_of("conan")
    for scene in saved:
        if scene.saved_by == scene.left_out and not scene.monsters:
            was = LifeConditions(
                scene.left_out, False, (9, 9, 9), scene.map_seed, scene.vandal_seed
            )
            now = LifeConditions("", False, (9, 9, 9), scene.map_seed, scene.vandal_seed)
            before, after = (lives.lived(each, scene.attempts) for each in (was, now))
            assert before["dead"]
            assert not after["dead"]


def test_the_judge_finds_the_same_answers_and_choices_differ() -> None:
    asked: Counter[str] = Counter()
    for scene in scenes(60):
        for question in questions_of(scene):
            asked[question.template] += 1
            right = question.choices[question.answer]
            assert right == judged(scene, question.template, question.subject.cell), question
            assert len({phrase(choice) for choice in question.choices}) == 4
            if question.template in ("S5", "S6", "S7", "S8"):
                assert scene.dead
    assert set(asked) == {f"S{number}" for number in range(1, 11)}


def test_answers_about_survival_are_far_better_than_shares_of_answers() -> None:
    model, right, shares = bundled_survival(), [], []
    for scene in scenes(60):
        evidence = everything(scene)
        for question in questions_of(scene):
            mass = model.masses(question, evidence)
            assert mass.sum() == pytest.approx(1)
            right.append(int(mass.argmax()) == question.answer)
            known = model.priors[question.template]
            worth = [known.get(choice, 0) for choice in question.choices]
            shares.append(worth.index(max(worth)) == question.answer)
    assert np.mean(right) > 0.8
    assert np.mean(right) > np.mean(shares) + 0.25


def test_pools_have_different_words() -> None:
    for kind, answers in SURVIVAL_POOLS.items():
        assert len({phrase(answer) for answer in answers}) == len(answers) >= 4
        assert any(each.type == kind for each in templates().values())


def test_a_softmax_learns_what_tells() -> None:
    rng = np.random.RandomState(1)
    features = rng.random_sample((300, 4))
    right = (features[:, 2] > 0.5).astype(np.int64)
    weights = fit_softmax(np.c_[features, np.ones(300)], right, 2)
    scores = np.c_[features, np.ones(300)] @ weights.T
    assert (scores.argmax(1) == right).mean() > 0.9
