"""Answers without looking: how far shares of answers and words lead."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.conan.questions.asking import CHOICES, Question
from mars_logic.domains.conan.questions.phrases import phrase

BLIND: Final = ("prior", "template", "words")
"""Ways to answer without looking."""
_TURNS, _RATE, _DECAY = 150, 0.1, 2e-4

Answerer = Callable[[Sequence[Question]], NDArray[np.int64]]
"""Chooses an answer of each question: int64[n]."""


def shortcuts(questions: Mapping[int, Sequence[Question]]) -> list[dict[str, Any]]:
    """Accuracies of answering without looking, by way and category.

    ``prior`` gives the choice that is right most often in its category; ``template`` that which is
    right most often among questions with the same words; ``words`` weighs what choices are, what
    they are where the question has these words, and each of their words (conditional logit). Ways
    are learned from the scenes with even numbers, and judged by the others.

    Args:
        questions: Questions by scene.

    Returns:
        Rows with ``by``, ``category`` (``all`` at last), ``right`` and ``questions``.
    """
    learned = [q for scene, each in questions.items() if scene % 2 == 0 for q in each]
    asked = [q for scene, each in questions.items() if scene % 2 for q in each]
    return blind_accuracies(learned, asked)


def blind_accuracies(
    learned: Sequence[Question], asked: Sequence[Question]
) -> list[dict[str, Any]]:
    """Accuracies of answering ``asked`` with what ``learned`` tells: see :func:`shortcuts`."""
    rows = []
    right = np.array([question.answer for question in asked], np.int64)
    for name, learn in _LEARNERS.items():
        hits = learn(learned)(asked) == right
        scores: defaultdict[str, list[bool]] = defaultdict(list)
        for question, hit in zip(asked, hits.tolist(), strict=True):
            scores[question.category].append(hit)
        rows += [
            {"by": name, "category": kind, "right": sum(each) / len(each), "questions": len(each)}
            for kind, each in [*sorted(scores.items()), ("all", hits.tolist())]
            if each
        ]
    return rows


def _shares_by(key: Callable[[Question], str]) -> Callable[[Sequence[Question]], Answerer]:
    """Learns how often each answer is right, among the questions with one key."""

    def learn(learned: Sequence[Question]) -> Answerer:
        shares: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for question in learned:
            shares[key(question)][question.choices[question.answer]] += 1

        def answer(asked: Sequence[Question]) -> NDArray[np.int64]:
            worth = [[shares[key(q)][choice] for choice in q.choices] for q in asked]
            chosen: NDArray[np.int64] = np.array(worth, np.int64).reshape(-1, CHOICES).argmax(1)
            return chosen

        return answer

    return learn


def _words(learned: Sequence[Question]) -> Answerer:
    """Learns weights of features of choices by maximum likelihood with a penalty (Adam)."""
    numbers: dict[str, int] = {"": 0}
    for question in learned:
        for choice in question.choices:
            for feature in _features(question, choice):
                numbers.setdefault(feature, len(numbers))
    table = _numbered(learned, numbers)
    right = np.eye(CHOICES)[[question.answer for question in learned]]
    weights, mean, square = (np.zeros(len(numbers)) for _ in range(3))
    for turn in range(1, _TURNS + 1 if learned else 1):
        scores = weights[table].sum(2)
        shares = np.exp(scores - scores.max(1, keepdims=True))
        slope = (shares / shares.sum(1, keepdims=True) - right) / len(learned)
        each = np.repeat(slope.ravel(), table.shape[2])
        step = np.bincount(table.ravel(), each, len(numbers)) + _DECAY * weights
        mean = 0.9 * mean + 0.1 * step
        square = 0.999 * square + 0.001 * step**2
        weights -= _RATE * mean / (1 - 0.9**turn) / (np.sqrt(square / (1 - 0.999**turn)) + 1e-8)
        weights[0] = 0.0
    return lambda asked: weights[_numbered(asked, numbers)].sum(2).argmax(1)


def _features(question: Question, choice: str) -> list[str]:
    words = phrase(choice)
    return [words, f"{question.text} {words}", *(f"{question.category} {w}" for w in words.split())]


def _numbered(questions: Sequence[Question], numbers: Mapping[str, int]) -> NDArray[np.int64]:
    """int64[n, 4, m]: the features of each choice; those that are not known, and padding, are 0."""
    rows = [
        [[numbers.get(name, 0) for name in _features(q, choice)] for choice in q.choices]
        for q in questions
    ]
    most = max((len(each) for row in rows for each in row), default=1)
    table = np.zeros((len(rows), CHOICES, most), np.int64)
    for line, row in zip(table, rows, strict=True):
        for cells, each in zip(line, row, strict=True):
            cells[: len(each)] = each
    return table


_LEARNERS: Final[Mapping[str, Callable[[Sequence[Question]], Answerer]]] = {
    "prior": _shares_by(lambda question: question.category),
    "template": _shares_by(
        lambda question: question.text if question.category != "goal" else "goal"
    ),
    "words": _words,
}
