"""Questions: one right choice, as a judge written apart finds it; about what lies on a cell."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from mars_logic.domains.conan.codes import CODES, PRINTS
from mars_logic.domains.conan.possible import reach, sources_on
from mars_logic.domains.conan.questions.answers import ANSWERS
from mars_logic.domains.conan.questions.asking import Question, draw_questions, pool
from mars_logic.domains.conan.questions.history import History, history_of
from mars_logic.domains.conan.questions.phrases import phrase
from mars_logic.domains.conan.questions.templates import templates
from mars_logic.domains.conan.vandal.tasks import equivalents
from tests.domains.conan.judge import Judge
from tests.domains.conan.recorded import BUNDLED, Recording, Replay, programs, read
from tests.domains.conan.tables import RECIPES

TASKS = sorted(BUNDLED.glob("task*.npz"))


@cache
def scene(path: Path) -> tuple[Recording, Replay, History]:
    recording = read(path)
    replay = Replay(recording)
    trail = recording.arrays["pos"].astype(np.int64)
    task, names = recording.meta["task"], programs().brackets
    return recording, replay, history_of(replay.log, trail, task, names, RECIPES)


def drawn(path: Path, seed: int, *, hard: bool = False) -> list[Question]:
    recording, _, history = scene(path)
    codes = recording.maps[-1]
    allowed = reach(RECIPES, sources_on(codes, np.unique(recording.things[-1]).tolist()))
    rng = np.random.RandomState(seed)
    return draw_questions(history, codes, allowed, programs().brackets, rng, seed % 4, hard=hard)


@pytest.mark.parametrize("path", TASKS, ids=lambda path: path.stem)
def test_the_judge_finds_the_same_answers(path: Path) -> None:
    recording, replay, _ = scene(path)
    judge = Judge(replay.log, programs().brackets, recording.meta["task"])
    asked = set()
    for seed in range(40):
        for question in drawn(path, seed):
            asked.add(question.template)
            if question.template not in ("I1", "I2"):
                right = question.choices[question.answer]
                cell, name = question.subject.cell, question.subject.name
                assert right == judge.answer(question.template, cell, name), question
    assert len(asked) > 6


@pytest.mark.parametrize("path", TASKS, ids=lambda path: path.stem)
def test_choices_differ_in_words_and_meaning(path: Path) -> None:
    for seed in range(40):
        for question in drawn(path, seed):
            assert len({phrase(choice) for choice in question.choices}) == 4
            root = scene(path)[2].brackets[0].name
            assert not {"goal", root} <= set(question.choices)


@pytest.mark.parametrize("path", TASKS, ids=lambda path: path.stem)
def test_a_right_answer_does_not_depend_on_the_letter(path: Path) -> None:
    recording, _, history = scene(path)
    codes = recording.maps[-1]
    allowed = reach(RECIPES, sources_on(codes, np.unique(recording.things[-1]).tolist()))
    names = programs().brackets
    answers = [
        [
            (each.template, each.subject, each.choices[each.answer], frozenset(each.choices))
            for each in draw_questions(
                history, codes, allowed, names, np.random.RandomState(3), letter
            )
        ]
        for letter in range(4)
    ]
    assert answers[0] == answers[1] == answers[2] == answers[3]


@pytest.mark.parametrize("path", TASKS, ids=lambda path: path.stem)
def test_a_question_is_about_what_lies_on_its_cell(path: Path) -> None:
    codes = scene(path)[0].maps[-1]
    shown = {
        "table": ("table",),
        "furnace": ("furnace",),
        "made": ("table", "furnace"),
        "tree": ("tree_cut",),
        "mined": ("stone_left", "coal_left", "iron_left", "diamond_left"),
        "killed": ("cow_dead", "zombie_dead", "skeleton_dead"),
    }
    for seed in range(20):
        for question in drawn(path, seed):
            subject = templates()[question.template].subject
            cell = question.subject.cell
            if subject in shown:
                assert cell and CODES[codes[cell]] in shown[subject]
            elif subject == "print":
                assert cell and PRINTS[codes[cell]]
            x0, y0, x1, y1 = question.mask
            if cell and subject in ("deed", "tree", "mined", "killed"):
                assert x0 <= cell[0] <= x1 and y0 <= cell[1] <= y1


def test_an_equivalent_task_is_a_choice_of_hard_questions_alone() -> None:
    path = next(each for each in TASKS if "make_wood_sword" in each.stem)
    for hard in (False, True):
        goals = [q for s in range(20) for q in drawn(path, s, hard=hard) if q.category == "goal"]
        assert len(goals) == 20
        for question in goals:
            alike = set(equivalents("make_wood_sword")) & set(question.choices)
            assert len(alike) == 1 + hard


def test_templates_are_complete() -> None:
    categories = [each.category for each in templates().values()]
    names = ("intent", "goal", "survival")
    assert [categories.count(name) for name in names] == [22, 3, 10]
    history = scene(TASKS[0])[2]
    for each in templates().values():
        assert each.answer in ANSWERS
        options = pool(each.type, history, programs().brackets)
        assert len({phrase(option) for option in options}) >= 4
