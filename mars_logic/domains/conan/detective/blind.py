"""What detections could have got right without looking, by the questions that they answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mars_logic.domains.conan.detective.published import BLIND as COMPARES
from mars_logic.domains.conan.questions.shortcuts import BLIND, shortcuts
from mars_logic.domains.conan.questions.storage import ROWS, questions_file, read_questions
from mars_logic.errors import InputError
from mars_logic.system.kept import digest_of_file


def blind_rows(noted: Sequence[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], list[str]]:
    """Rows of accuracies without a look, and notes about questions that are not there.

    Args:
        noted: What detections were made from, one of each folder; categories do not overlap.

    Returns:
        A row for each of ``BLIND`` that knows shares of answers of half of the scenes, and is
        judged by the other half; none if questions are missing or others than were answered.
    """
    found: dict[str, dict[str, float]] = {name: {} for name in BLIND}
    scenes = 0
    for each in noted:
        place = questions_file(Path(str(each["scenes_of"])))
        try:
            same = digest_of_file(place, ROWS.allowed) == each.get("questions")
        except InputError:
            same = False
        if not same:
            told = f"{place} is not there, or holds other questions"
            return [], [f"{told}: accuracies without a look are left out."]
        questions = read_questions(place)
        scenes += sum(number % 2 for number in questions)
        for row in shortcuts(questions):
            found[row["by"]][row["category"]] = row["right"]
    return [_row(name, scores, scenes) for name, scores in found.items() if scores], []


def _row(name: str, scores: Mapping[str, float], scenes: int) -> dict[str, Any]:
    parts = [scores.get(category) for category in ("intent", "goal", "survival")]
    intent, goal, survival = parts
    overall = None
    if intent is not None and goal is not None:
        known = [intent, intent, goal, *([] if survival is None else [survival])]
        overall = sum(known) / len(known)
    return {
        "name": f"no look: {name}",
        "intent": intent,
        "goal": goal,
        "survival": survival,
        "overall": overall,
        "scenes": scenes,
        "compares": COMPARES,
    }
