"""Questions of a corpus: drawn, kept in Parquet, and read again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa

from mars_logic.data.checked import Among, Anything, Between, CheckedRows, RowColumn, Words
from mars_logic.domains.conan.corpus import stage_of, stream_of
from mars_logic.domains.conan.detective.abduction import abduction_of
from mars_logic.domains.conan.detective.evidence import first_view
from mars_logic.domains.conan.possible import ConanReach, reach, sources_on
from mars_logic.domains.conan.questions.answers import SURVIVAL_POOLS
from mars_logic.domains.conan.questions.asking import CHOICES, DEEDS, Question, draw_questions
from mars_logic.domains.conan.questions.balance import (
    AnswerBalance,
    BalancedCandidate,
    Candidate,
    balance_of,
    candidates_of,
    draw_balanced,
)
from mars_logic.domains.conan.questions.history import History, Subject, history_of
from mars_logic.domains.conan.questions.phrases import ANSWERS_BY_NAME, THINGS, phrase
from mars_logic.domains.conan.questions.templates import templates
from mars_logic.domains.conan.scenes import (
    MOST_SCENES,
    FinishedScene,
    count_scenes,
    read_scenes,
    scenes_file,
)
from mars_logic.domains.conan.scenes import ROWS as SCENE_ROWS
from mars_logic.domains.conan.vandal.tasks import ALL_TASKS, equivalents, prior_of
from mars_logic.world.dialect import AREA

_SIDES: Final = ("x0", "y0", "x1", "y1")
_CHOICES: Final = tuple(f"choice_{i}" for i in range(CHOICES))


def _asked(row: Mapping[str, Any]) -> Iterator[str]:
    """The texts that a row's template can have."""
    template = templates()[row["id"]]
    named = DEEDS.values() if template.category == "survival" else (row["name"].replace("_", " "),)
    return (template.text.replace("{X}", name) for name in named)


def _worded(words: str, choice: str, row: Mapping[str, Any]) -> bool:
    """Whether the words of a choice are those of its key."""
    return bool(row[words] == phrase(row[choice]))


def _placed(row: Mapping[str, Any]) -> bool:
    """Whether a cell is given where the template needs one, and has both numbers."""
    about = templates()[row["id"]].subject not in ("scene", "bracket")
    cell: tuple[int, int] = row["cell_x"], row["cell_y"]
    return min(cell) >= 0 if about else min(cell) >= 0 or max(cell) < 0


def _chosen(row: Mapping[str, Any]) -> bool:
    """Whether choices differ, and are answers of the template's type."""
    template = templates()[row["id"]]
    choices = [row[name] for name in _CHOICES]
    pool = {"goal": ALL_TASKS, "survival": SURVIVAL_POOLS.get(template.type, ())}
    known = pool.get(template.category, ANSWERS_BY_NAME)
    return len({*choices}) == CHOICES and all(each in known for each in choices)


def _alike(category: str, choices: Sequence[str], answer: int) -> bool:
    """Whether another choice of a Goal question leaves the same traces as the right one."""
    return category == "goal" and len({*equivalents(choices[answer])} & {*choices}) > 1


_ANSWER: Final = Among(ANSWERS_BY_NAME, "the key of an answer")
_CELL: Final = Between(-1, AREA - 1)
ROWS: Final = CheckedRows(
    "conan_questions 1",
    (
        RowColumn("scene", pa.int32(), Between(0, MOST_SCENES - 1)),
        RowColumn("id", pa.string(), Among(templates(), "the name of a template, such as I1")),
        RowColumn("category", pa.string(), Among(("intent", "goal", "survival"))),
        RowColumn("text", pa.string(), Words()),
        *(RowColumn(f"mask_{side}", pa.uint8(), Between(0, AREA - 1)) for side in _SIDES),
        RowColumn("cell_x", pa.int8(), _CELL),
        RowColumn("cell_y", pa.int8(), _CELL),
        RowColumn("name", pa.string(), Among(("", *THINGS), "a thing's name, or nothing")),
        *(RowColumn(name, pa.string(), _ANSWER) for name in _CHOICES),
        *(RowColumn(f"words_{i}", pa.string(), Words()) for i in range(CHOICES)),
        RowColumn("answer", pa.int8(), Between(0, CHOICES - 1)),
        RowColumn("equivalent", pa.bool_(), Anything()),
    ),
    "a file of questions, as `mars-logic conan questions` writes it",
    ("answer", "equivalent"),
    {
        "category": lambda row: row["category"] == templates()[row["id"]].category,
        "text, name": lambda row: row["text"] in _asked(row),
        "mask_x0, mask_x1": lambda row: row["mask_x0"] <= row["mask_x1"],
        "mask_y0, mask_y1": lambda row: row["mask_y0"] <= row["mask_y1"],
        "cell_x, cell_y": _placed,
        "choice_0 to choice_3": _chosen,
        **{
            f"words_{i}, {name}": partial(_worded, f"words_{i}", name)
            for i, name in enumerate(_CHOICES)
        },
        "equivalent": lambda row: (
            row["equivalent"]
            == _alike(row["category"], [row[name] for name in _CHOICES], row["answer"])
        ),
    },
)
"""Columns of a file of questions. A cell of -1 is none; choices are keys, with their words."""
SCHEMA: Final = ROWS.schema


@dataclass(frozen=True, slots=True)
class QuestionSpec:
    """Questions of a file of scenes.

    Attributes:
        scenes: The folder or file.
        hard: Whether an equivalent task is among the choices of a Goal question.
        balance: What balances the choices, if they are to tell nothing.
    """

    scenes: Path
    hard: bool = False
    balance: AnswerBalance | None = None


def scene_history(scene: FinishedScene) -> History:
    """What happened in a scene. It is privileged."""
    recipes = stage_of(scene.world).recipes
    trail = scene.trail.astype(np.int64)
    saved = tuple(filter(None, scene.saved_by.split(",")))
    return history_of(
        scene.events, trail, scene.task, scene.brackets, recipes, scene.outcome, saved
    )


def questions_of(
    scene: FinishedScene, *, hard: bool = False, balance: AnswerBalance | None = None
) -> list[Question]:
    """The questions of a scene, from its own stream.

    Args:
        scene: The scene.
        hard: Whether an equivalent task is among the choices of a Goal question.
        balance: What balances the choices; by default they are drawn from what the map allows.
    """
    rng, history = stream_of(scene.corpus_seed, scene.number, 4), scene_history(scene)
    if balance:
        found = list(_candidates(scene, history, rng))
        return draw_balanced(found, balance, history, scene.codes, rng)
    evidence = first_view(scene, (AREA // 2, AREA // 2))
    possible = abduction_of(*scene.suspect).possible(evidence)
    plausible = frozenset(task for task, _ in possible)
    return draw_questions(
        history,
        scene.codes,
        _reach(scene),
        scene.brackets,
        rng,
        int(rng.randint(CHOICES)),
        hard=hard,
        plausible=plausible,
        prior=prior_of(scene.tasks),
    )


def _reach(scene: FinishedScene) -> ConanReach:
    recipes = stage_of(scene.world).recipes
    return reach(recipes, sources_on(scene.codes, scene.objects[:, 0].tolist()))


def _candidates(
    scene: FinishedScene, history: History, rng: np.random.RandomState
) -> Iterator[BalancedCandidate]:
    about = history, scene.codes, _reach(scene), scene.brackets, rng, prior_of(scene.tasks)
    return candidates_of(*about)


_AT_ONCE: Final = 500
"""Scenes that are read together."""


def balance_of_scenes(path: Path) -> AnswerBalance:
    """What balances the questions about the scenes of a folder or file.

    Raises:
        InputError: It is missing or no file of scenes, or no question about them can be balanced.
    """
    found: list[Candidate] = []
    count = count_scenes(path)
    for first in range(0, count, _AT_ONCE):
        for scene in read_scenes(path, first, min(first + _AT_ONCE, count)):
            rng = stream_of(scene.corpus_seed, scene.number, 4)
            every = _candidates(scene, scene_history(scene), rng)
            found += [each.candidate for each in every]
    balance = balance_of(found)
    if not balance.kept:
        told = f"{count} scenes, too few to balance answers"
        SCENE_ROWS.open(scenes_file(path)).refuse("rows", told, "some hundreds of scenes")
    return balance


def question_block(spec: QuestionSpec, first: int, last: int) -> pa.Table:
    """The questions of some scenes of a file as rows of :data:`SCHEMA`."""
    scenes = read_scenes(spec.scenes, first, last)
    rows = [row for scene in scenes for row in _rows(spec, scene)]
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def _rows(spec: QuestionSpec, scene: FinishedScene) -> Iterator[dict[str, Any]]:
    for each in questions_of(scene, hard=spec.hard, balance=spec.balance):
        x, y = each.subject.cell or (-1, -1)
        yield {
            "scene": scene.number,
            "id": each.template,
            "category": each.category,
            "text": each.text,
            **{f"mask_{side}": v for side, v in zip(_SIDES, each.mask, strict=True)},
            "cell_x": x,
            "cell_y": y,
            "name": each.subject.name or "",
            **{f"choice_{i}": choice for i, choice in enumerate(each.choices)},
            **{f"words_{i}": phrase(choice) for i, choice in enumerate(each.choices)},
            "answer": each.answer,
            "equivalent": _alike(each.category, each.choices, each.answer),
        }


def questions_file(path: Path) -> Path:
    """The file of questions that a folder holds, or the file itself."""
    return path / "questions.parquet" if path.is_dir() else path


def read_questions(
    path: Path, scenes: Sequence[FinishedScene] | None = None
) -> dict[int, Sequence[Question]]:
    """The questions of a file, or of ``questions.parquet`` of a folder, by scene.

    Args:
        path: The file or folder.
        scenes: The scenes whose questions are wanted; by default all questions are read.

    Raises:
        InputError: It is missing or no file of questions, or a value is none that a question has.
    """
    file = questions_file(path)
    among = None
    if scenes is not None:
        asked = ROWS.table(file)["scene"].to_numpy()
        among = np.isin(asked, [scene.number for scene in scenes])
    found: dict[int, list[Question]] = {}
    for row in ROWS.read(file, among=among):
        found.setdefault(row["scene"], []).append(_question(row))
    return dict(found)


def _question(row: dict[str, Any]) -> Question:
    x0, y0, x1, y1 = mask = tuple(row[f"mask_{side}"] for side in _SIDES)
    cell = (row["cell_x"], row["cell_y"]) if row["cell_x"] >= 0 else None
    area = mask if templates()[row["id"]].subject == "bracket" else None
    return Question(
        template=row["id"],
        text=row["text"],
        subject=Subject(cell, row["name"] or None, area),
        mask=(x0, y0, x1, y1),
        choices=tuple(row[f"choice_{i}"] for i in range(CHOICES)),
        answer=row["answer"],
    )
