"""Answers without looking: how far shares of answers and words of choices lead."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from mars_logic.domains.conan.questions.asking import Question


def shortcuts(questions: Mapping[int, Sequence[Question]]) -> list[dict[str, Any]]:
    """Accuracies by category of answering by ``prior of the template`` and by ``choice text``.

    Shares come from the scenes with even numbers, accuracies from the others. The text of a choice
    is worth how often it was right when it was among the choices of its category.

    Args:
        questions: Questions by scene.
    """
    learned = [q for scene, each in questions.items() if scene % 2 == 0 for q in each]
    asked = [q for scene, each in questions.items() if scene % 2 for q in each]
    right: defaultdict[str, Counter[str]] = defaultdict(Counter)
    shown: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for q in learned:
        right[q.template][q.choices[q.answer]] += 1
        right[q.category][q.choices[q.answer]] += 1
        shown[q.category].update(q.choices)
    rows = []
    for name in ("prior of the template", "choice text"):
        scores: defaultdict[str, list[bool]] = defaultdict(list)
        for q in asked:
            if name == "choice text":
                worth = [(right[q.category][c] + 1) / (shown[q.category][c] + 4) for c in q.choices]
            else:
                known = right["goal" if q.category == "goal" else q.template]
                worth = [float(known[choice]) for choice in q.choices]
            scores[q.category].append(worth.index(max(worth)) == q.answer)
        rows += [
            {"by": name, "category": kind, "right": sum(each) / len(each), "questions": len(each)}
            for kind, each in sorted(scores.items())
        ]
    return rows
