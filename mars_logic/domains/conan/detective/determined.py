"""Which questions the traces determine: the posterior of each right answer, all being seen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from mars_logic.data.checked import Among, Anything, Between, CheckedRows, RowColumn
from mars_logic.domains.conan.detective.detecting import judge_of
from mars_logic.domains.conan.detective.evidence import everything
from mars_logic.domains.conan.questions.asking import Question
from mars_logic.domains.conan.questions.storage import read_questions
from mars_logic.domains.conan.questions.templates import templates
from mars_logic.domains.conan.scenes import MOST_SCENES, FinishedScene, read_scenes

DETERMINED: Final = 0.99
"""Posterior of the right answer from which on the traces determine it."""

_MOST_QUESTIONS: Final = 100
"""Questions about one scene, at most."""
_ROUNDING: Final = 1e-6


def _agree(posterior: float, determined: bool) -> bool:
    """Whether a posterior of single precision is on the side of the bound that is stated."""
    return abs(posterior - DETERMINED) < _ROUNDING or (posterior >= DETERMINED) == determined


ROWS: Final = CheckedRows(
    "conan_posteriors 1",
    (
        RowColumn("scene", pa.int32(), Between(0, MOST_SCENES - 1)),
        RowColumn("question", pa.int16(), Between(0, _MOST_QUESTIONS - 1)),
        RowColumn("id", pa.string(), Among(templates(), "the name of a template, such as I1")),
        RowColumn("posterior", pa.float32(), Between(0, 1)),
        RowColumn("determined", pa.bool_(), Anything()),
    ),
    "posteriors, as `mars-logic questions --posterior` writes them",
    ("posterior", "determined"),
    {"posterior, determined": lambda row: _agree(row["posterior"], row["determined"])},
)
SCHEMA: Final = ROWS.schema
"""Columns of a file of posteriors; ``question`` counts the questions of a scene from 0."""


def posterior_block(folder: Path, first: int, last: int) -> pa.Table:
    """Posteriors of the questions about some scenes of a folder, as rows of :data:`SCHEMA`."""
    scenes = read_scenes(folder, first, last)
    questions = read_questions(folder, scenes)
    rows = [row for s in scenes for row in _rows(s, questions.get(s.number, ()))]
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def _rows(scene: FinishedScene, questions: Any) -> Iterator[dict[str, Any]]:
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
