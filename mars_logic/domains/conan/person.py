"""A person as detective: walks about a scene, sees what is near, and answers its questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from mars_logic.domains.conan.detective.exploring import REACH
from mars_logic.domains.conan.detective.investigating import traces_seen
from mars_logic.domains.conan.detective.walks import WALKING, SceneWalks
from mars_logic.domains.conan.questions.asking import Question
from mars_logic.domains.conan.questions.phrases import phrase
from mars_logic.domains.conan.scenes import FinishedScene
from mars_logic.domains.conan.showing import sign_at
from mars_logic.world.dialect import AREA

MOVES: Final = {
    key: WALKING.index(f"move_{way}")
    for key, way in (("a", "left"), ("d", "right"), ("w", "up"), ("s", "down"))
}
"""Keys of ``play``, and the actions that they stand for."""


def view_lines(scene: FinishedScene, x: int, y: int) -> Iterator[str]:
    """What is seen from a cell: nine lines of nine signs."""
    for row in range(y - REACH, y + REACH + 1):
        signs = (_sign(scene, column, row) for column in range(x - REACH, x + REACH + 1))
        yield " ".join(
            "&" if (column, row) == (x, y) else sign for column, sign in enumerate(signs, x - REACH)
        )


def question_lines(question: Question, told: str = "") -> Iterator[str]:
    """A question, what it is about, and its choices, numbered from 1."""
    cell = f" Here is {question.subject.cell}." if question.subject.cell else ""
    x0, y0, x1, y1 = question.mask
    yield f"{told}{question.text}{cell} The marked area is ({x0}, {y0}) to ({x1}, {y1})."
    for number, choice in enumerate(question.choices, 1):
        yield f"  {number} {phrase(choice)}"


def _sign(scene: FinishedScene, x: int, y: int) -> str:
    return sign_at(scene, x, y) if 0 <= x < AREA and 0 <= y < AREA else " "


class Investigation:
    """A person's walk through a scene and answers to its questions.

    Args:
        scene: The scene.
        questions: What is asked.
    """

    def __init__(self, scene: FinishedScene, questions: Sequence[Question]) -> None:
        self._scene, self._questions = scene, questions
        self._walks = SceneWalks(1)
        self._walks.begin(0, scene, (AREA // 2, AREA // 2))
        self.steps = 0
        self.given: list[int] = []
        """Indices of the choices given so far."""

    @property
    def over(self) -> bool:
        """Whether all questions were answered."""
        return len(self.given) == len(self._questions)

    @property
    def right(self) -> int:
        """How many answers were right."""
        return sum(q.answer == i for q, i in zip(self._questions, self.given, strict=False))

    def lines(self) -> Iterator[str]:
        """The view, the next question, and its choices."""
        x, y = self._walks.place[0].tolist()
        yield from view_lines(self._scene, x, y)
        yield f"You (&) are at ({x}, {y}), after {self.steps} steps."
        told = f"{len(self.given) + 1} of {len(self._questions)}: "
        yield from question_lines(self._questions[len(self.given)], told)

    def press(self, key: str) -> str:
        """Move, or answer the question; return what is wrong with the key, if anything."""
        if key in MOVES:
            self._walks.step(np.array([MOVES[key]]), np.ones(1, np.bool_))
            self.steps += 1
            return ""
        if key in "1234":
            self.given.append(int(key) - 1)
            return ""
        return f"'{key}' does nothing; allowed: w a s d to move, 1 to 4 to answer, q to leave"

    def record(self) -> dict[str, Any]:
        """The answers, to be kept."""
        return {
            "scene": self._scene.number,
            "corpus_seed": self._scene.corpus_seed,
            "steps": self.steps,
            "traces": round(traces_seen(self._scene, self._walks.seen[0]), 4),
            "answers": [
                {"id": q.template, "choice": q.choices[i], "right": q.answer == i}
                for q, i in zip(self._questions, self.given, strict=False)
            ],
        }
