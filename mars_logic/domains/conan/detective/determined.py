"""Which questions the traces determine: the posterior of each right answer, all being seen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from mars_logic.domains.conan.detective.detecting import judge_of
from mars_logic.domains.conan.detective.evidence import everything
from mars_logic.domains.conan.questions.asking import Question
from mars_logic.domains.conan.questions.storage import read_questions
from mars_logic.domains.conan.scenes import FinishedScene, read_scenes

DETERMINED: Final = 0.99
"""Posterior of the right answer from which on the traces determine it."""

SCHEMA: Final = pa.schema(
    [
        pa.field(name, kind, nullable=False)
        for name, kind in (
            ("scene", pa.int32()),
            ("question", pa.int16()),
            ("id", pa.string()),
            ("posterior", pa.float32()),
            ("determined", pa.bool_()),
        )
    ],
    metadata={"schema": "conan_posteriors 1", "privileged": "posterior,determined"},
)
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
