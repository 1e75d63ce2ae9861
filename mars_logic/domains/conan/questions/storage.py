"""Questions of a corpus: drawn, kept in Parquet, and read again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa

from mars_logic.data.parquet import Parquet
from mars_logic.domains.conan.corpus import stage_of, stream_of
from mars_logic.domains.conan.detective.abduction import abduction_of
from mars_logic.domains.conan.detective.evidence import first_view
from mars_logic.domains.conan.possible import reach, sources_on
from mars_logic.domains.conan.questions.asking import CHOICES, Question, draw_questions
from mars_logic.domains.conan.questions.history import History, Subject, history_of
from mars_logic.domains.conan.questions.phrases import phrase
from mars_logic.domains.conan.questions.templates import templates
from mars_logic.domains.conan.scenes import FinishedScene, read_scenes
from mars_logic.domains.conan.vandal.tasks import ALL_TASKS, equivalents, prior_of
from mars_logic.world.dialect import AREA

_ALLOWED: Final = "a file of questions, as `mars-logic questions` writes it"
SCHEMA: Final = pa.schema(
    [
        pa.field(name, kind, nullable=False)
        for name, kind in (
            ("scene", pa.int32()),
            ("id", pa.string()),
            ("category", pa.string()),
            ("text", pa.string()),
            *((f"mask_{side}", pa.uint8()) for side in ("x0", "y0", "x1", "y1")),
            ("cell_x", pa.int8()),
            ("cell_y", pa.int8()),
            ("name", pa.string()),
            *((f"choice_{i}", pa.string()) for i in range(CHOICES)),
            *((f"words_{i}", pa.string()) for i in range(CHOICES)),
            ("answer", pa.int8()),
            ("equivalent", pa.bool_()),
        )
    ],
    metadata={"schema": "conan_questions 1", "privileged": "answer,equivalent"},
)
"""Columns of a file of questions. A cell of -1 is none; choices are keys, with their words."""


@dataclass(frozen=True, slots=True)
class QuestionSpec:
    """Questions of a file of scenes.

    Attributes:
        scenes: The folder or file.
        hard: Whether an equivalent task is among the choices of a Goal question.
    """

    scenes: Path
    hard: bool = False


def scene_history(scene: FinishedScene) -> History:
    """What happened in a scene. It is privileged."""
    recipes = stage_of(scene.world).recipes
    trail = scene.trail.astype(np.int64)
    saved = tuple(filter(None, scene.saved_by.split(",")))
    return history_of(
        scene.events, trail, scene.task, scene.brackets, recipes, scene.outcome, saved
    )


def questions_of(scene: FinishedScene, *, hard: bool = False) -> list[Question]:
    """The questions of a scene, from its own stream."""
    recipes = stage_of(scene.world).recipes
    rng = stream_of(scene.corpus_seed, scene.number, 4)
    allowed = reach(recipes, sources_on(scene.codes, scene.objects[:, 0].tolist()))
    evidence = first_view(scene, (AREA // 2, AREA // 2))
    possible = abduction_of(*scene.suspect).possible(evidence)
    plausible = frozenset(task for task, _ in possible)
    return draw_questions(
        scene_history(scene),
        scene.codes,
        allowed,
        scene.brackets,
        rng,
        int(rng.randint(CHOICES)),
        hard=hard,
        plausible=plausible,
        prior=prior_of(scene.tasks),
    )


def question_block(spec: QuestionSpec, first: int, last: int) -> pa.Table:
    """The questions of some scenes of a file as rows of :data:`SCHEMA`."""
    scenes = read_scenes(spec.scenes, first, last)
    rows = [row for scene in scenes for row in _rows(scene, hard=spec.hard)]
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def _rows(scene: FinishedScene, *, hard: bool) -> Iterator[dict[str, Any]]:
    for each in questions_of(scene, hard=hard):
        right = each.choices[each.answer]
        alike = set(equivalents(right)) & set(each.choices) if each.category == "goal" else {right}
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
            "equivalent": len(alike) > 1,
        }


_SIDES: Final = ("x0", "y0", "x1", "y1")


def read_questions(
    path: Path, scenes: Sequence[FinishedScene] | None = None
) -> dict[int, Sequence[Question]]:
    """The questions of a file, or of ``questions.parquet`` of a folder, by scene.

    Args:
        path: The file or folder.
        scenes: The scenes whose questions are wanted; by default all questions are read.

    Raises:
        InputError: It is missing or no file of questions.
    """
    file = Parquet.open(path / "questions.parquet" if path.is_dir() else path, _ALLOWED)
    if file.texts.get(b"schema") != SCHEMA.metadata[b"schema"]:
        file.refuse("schema", "this file holds no questions")
    found: dict[int, list[Question]] = {}
    table = file.table(SCHEMA)
    if scenes is not None:
        wanted = np.isin(table["scene"].to_numpy(), [scene.number for scene in scenes])
        table = table.filter(pa.array(wanted))
    for row in table.to_pylist():
        if wrong := _wrong(row):
            file.refuse(wrong, f"a value that no question has, about scene {row['scene']}")
        found.setdefault(row["scene"], []).append(_question(row))
    return dict(found)


def _wrong(row: dict[str, Any]) -> str | None:
    """The first column with a value that no question has, or None."""
    template = templates().get(row["id"])
    goal = template is not None and template.category == "goal"
    choices = [row[f"choice_{i}"] for i in range(CHOICES)]
    about = template is not None and template.subject not in ("scene", "bracket")
    fine = {
        "id": template is not None,
        "answer": 0 <= row["answer"] < CHOICES,
        "cell_x": (0 if about else -1) <= row["cell_x"] < AREA,
        "cell_y": (0 if about else -1) <= row["cell_y"] < AREA,
        "mask": all(row[f"mask_{side}"] < AREA for side in _SIDES),
        "choices": all(choice in ALL_TASKS for choice in choices) or not goal,
        "words": all(row[f"words_{i}"] == phrase(c) for i, c in enumerate(choices)),
    }
    return next((name for name, holds in fine.items() if not holds), None)


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
