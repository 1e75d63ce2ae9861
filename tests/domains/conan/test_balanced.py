"""Balanced questions: sets are drawn as they should be, and shares of answers tell nothing."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from mars_logic.domains.conan.blocks import write_blocks
from mars_logic.domains.conan.corpus import CorpusSpec
from mars_logic.domains.conan.jobs import questions_job, scenes_job
from mars_logic.domains.conan.questions.asking import CHOICES, Question
from mars_logic.domains.conan.questions.balance import (
    balance_of,
    draw_set,
    inclusions,
    most_of_each,
)
from mars_logic.domains.conan.questions.phrases import phrase
from mars_logic.domains.conan.questions.shortcuts import BLIND, blind_accuracies, shortcuts
from mars_logic.domains.conan.questions.storage import (
    balance_of_scenes,
    questions_of,
    read_questions,
    scene_history,
)
from mars_logic.domains.conan.scenes import FinishedScene, read_scenes
from mars_logic.errors import InputError
from tests.domains.conan.judge import Judge

SPECS = {
    "reference": (CorpusSpec("conan", 51), 200),
    "careful": (CorpusSpec("conan", 51, "careful", "task", 60), 120),
    "survival": (CorpusSpec("conan", 51, "careful", "survival"), 200),
}
WEIGHTS = [3.0, 0.5, 1.0, 0.0, 2.0, 0.25]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("balanced")


@pytest.fixture(scope="module", params=SPECS)
def corpus(folder: Path, request: pytest.FixtureRequest) -> Path:
    place = folder / request.param
    list(write_blocks(place, scenes_job(*SPECS[request.param]), 1))
    return place


def shares(weights: list[float], size: int) -> dict[tuple[int, ...], float]:
    """The probability of each set, by listing all of them."""
    worth = {
        chosen: float(np.prod([weights[i] for i in chosen]))
        for chosen in combinations(range(len(weights)), size)
    }
    return {chosen: each / sum(worth.values()) for chosen, each in worth.items()}


def test_sets_are_drawn_by_the_product_of_their_weights() -> None:
    rng, number = np.random.RandomState(4), 20_000
    drawn = Counter(tuple(draw_set(WEIGHTS, 3, rng)) for _ in range(number))
    expected = {each: share * number for each, share in shares(WEIGHTS, 3).items() if share}
    assert drawn.keys() <= expected.keys()
    assert sum((drawn[s] - n) ** 2 / n for s, n in expected.items()) < 29.6  # 10 sets, 99.9 %
    assert draw_set([1.0, 0.0, 2.0], 3, rng) == []
    assert draw_set([], 3, rng) == []


def test_inclusions_are_those_of_all_sets() -> None:
    options = np.array([[1, 1, 1, 1, 1, 1], [0, 1, 1, 0, 1, 1]], np.bool_)
    found = inclusions(np.array(WEIGHTS), options)
    for row, allowed in zip(found, options, strict=True):
        known = [weight * ok for weight, ok in zip(WEIGHTS, allowed, strict=True)]
        by_set = shares(known, 3)
        for i, share in enumerate(row):
            assert share == pytest.approx(sum(each for s, each in by_set.items() if i in s))


@pytest.mark.parametrize(
    "counts", [[8, 5, 5, 5, 5], [100, 3, 2, 1], [100, 90, 80, 5, 5, 5], [7, 7, 7], [9, 1, 1, 1, 1]]
)
def test_no_answer_is_kept_in_more_than_a_quarter(counts: list[int]) -> None:
    kept = most_of_each(np.array(counts, np.float64))
    if len(counts) < CHOICES:
        assert not kept.any()
        return
    assert kept.max() == pytest.approx(kept.sum() / 4) or (kept == counts).all()
    assert (kept <= counts).all()
    assert kept.max() <= kept.sum() / 4 + 1e-9


def test_answers_that_cannot_be_balanced_are_left_out() -> None:
    pool = "abcdefg"
    rng = np.random.RandomState(1)
    skewed = rng.choice(list(pool), 4000, p=[0.5, 0.2, 0.1, 0.08, 0.06, 0.05, 0.01])
    asked = [("skewed", a, [each for each in pool if each != a]) for a in skewed.tolist()]
    asked += [("three", a, [each for each in "xyz" if each != a]) for a in "xyz" for _ in range(9)]
    # "g" is never allowed beside another answer: whoever sees it would know.
    asked = [(group, a, [o for o in others if o != "g"]) for group, a, others in asked]
    balance = balance_of(asked)
    assert set(balance.kept) == {"skewed"}
    assert set(balance.weights["skewed"]) == set(pool) - {"g"}
    right: Counter[str] = Counter()
    shown: Counter[str] = Counter()
    for each in asked:
        if balance.asks(each, rng):
            right[each[1]] += 1
            shown.update((each[1], *balance.distractors(each, rng)))
    for answer in balance.weights["skewed"]:
        assert right[answer] / shown[answer] == pytest.approx(0.25, abs=0.05), answer


@pytest.mark.slow
def test_answers_without_a_look_are_no_better_than_chance(corpus: Path) -> None:
    list(write_blocks(corpus, questions_job(corpus, "balanced"), 1))
    questions = read_questions(corpus)
    rows = shortcuts(questions)
    assert {row["by"] for row in rows} == set(BLIND)
    for row in rows:
        if row["category"] == "all":
            assert row["questions"] > 100
            noise = (0.25 * 0.75 / row["questions"]) ** 0.5
            assert row["right"] < 0.27 + 2.5 * noise, row
    careful = read_scenes(corpus)[0].mode == "task"
    count = sum(map(len, questions.values())) / len(questions)
    assert count > (8 if careful else 2)
    letters = Counter(q.answer for each in questions.values() for q in each)
    assert max(letters.values()) < 1.3 * min(letters.values())


@pytest.mark.slow
def test_balanced_questions_have_one_right_choice(corpus: Path) -> None:
    scenes = read_scenes(corpus, 0, 60)
    balance = balance_of_scenes(corpus)
    for scene in scenes:
        for question in questions_of(scene, balance=balance):
            require_one_right(question, scene)
    again = [questions_of(scene, balance=balance) for scene in scenes]
    assert again == [questions_of(scene, balance=balance) for scene in scenes]


def require_one_right(question: Question, scene: FinishedScene) -> None:
    """Check a question against the log, as a judge written apart reads it."""
    assert len({phrase(choice) for choice in question.choices}) == CHOICES
    history = scene_history(scene)
    if scene.mode == "task":
        assert not {"goal", history.brackets[0].name} <= {*question.choices}
        if question.template not in ("I1", "I2"):
            judge = Judge(scene.events, scene.brackets, scene.task)
            cell, name = question.subject.cell, question.subject.name
            right = judge.answer(question.template, cell, name)
            assert question.choices[question.answer] == right


@cache
def leaky(number: int) -> list[Question]:
    """Questions with the same text whose right answer follows from the words beside it."""
    rng = np.random.RandomState(number)
    from mars_logic.domains.conan.questions.history import Subject

    def one() -> Question:
        told = rng.random_sample() < 0.5
        choices = ["make_bed", "make_bucket", "make_steak"] if told else ["goal", "way", "nothing"]
        choices.insert(rng.randint(4), right := "place_bed" if told else "get_tree")
        text = "Why was this tree cut?"
        box = (0, 0, 1, 1)
        return Question("I14", text, Subject((0, 0)), box, tuple(choices), choices.index(right))

    return [one() for _ in range(200)]


def test_shortcuts_find_what_is_there_to_find() -> None:
    for row in blind_accuracies(leaky(1), leaky(2)):
        assert row["right"] == 1.0
    rows = shortcuts({0: leaky(1), 2: leaky(2)})
    assert rows == []


def test_too_few_scenes_are_refused(folder: Path) -> None:
    place = folder / "few"
    list(write_blocks(place, scenes_job(CorpusSpec("conan", 51), 1), 1))
    with pytest.raises(InputError, match="too few to balance answers"):
        questions_job(place, "balanced")
