"""Questions of a balanced set: all that may be asked about a scene, and those that are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.conan.possible import ConanReach
from mars_logic.domains.conan.questions.asking import (
    CHOICES,
    Asked,
    Question,
    named,
    options_of,
    question_about,
    questions_with_answers,
    same_answers,
)
from mars_logic.domains.conan.questions.balance import AnswerBalance, Candidate
from mars_logic.domains.conan.questions.history import History, Subject
from mars_logic.domains.conan.questions.phrases import phrase
from mars_logic.domains.conan.questions.templates import Template, templates
from mars_logic.domains.conan.vandal.tasks import SURVIVING

MOST_OF_TEMPLATE = 3
"""Questions of one template in a scene, each with another answer."""


class BalancedCandidate(NamedTuple):
    """A question that may be asked about a scene, and what balances it."""

    asked: Asked
    candidate: Candidate


def group_of(template: Template, subject: Subject, codes: NDArray[np.uint8]) -> str:
    """The group of a question: those of one kind, about things of one name."""
    return f"{template.answer} {named(template, subject, codes)}".strip()


def candidates_of(
    history: History,
    codes: NDArray[np.uint8],
    reach: ConanReach,
    brackets: Sequence[str],
    rng: np.random.RandomState,
    prior: Mapping[str, float],
) -> Iterator[BalancedCandidate]:
    """What may be asked about a scene: one question of a group with each answer.

    Args:
        history: The scene's history.
        codes: uint8[64, 64]: the finished map.
        reach: What the map allows.
        brackets: Names of brackets.
        rng: The questions' own stream.
        prior: Tasks of the corpus.
    """
    known = list(templates().values())
    survives = history.task == SURVIVING
    order = [each for each in known if (each.category == "survival") == survives]
    found: set[tuple[str, str]] = set()
    for i in rng.permutation(len(order)):
        template, number = order[i], 0
        for asked in questions_with_answers(template, history, codes, rng):
            _, subject, _, answer = asked
            group = group_of(template, subject, codes)
            if (group, answer) in found or number == MOST_OF_TEMPLATE:
                continue
            found.add((group, answer))
            number += 1
            options = options_of(template, history, reach, brackets, answer, prior)
            apart = tuple(_different(options, answer, history))
            yield BalancedCandidate(asked, (group, answer, apart))


def _different(options: Sequence[str], answer: str, history: History) -> Iterator[str]:
    """The options of which no two mean the same, or are worded alike."""
    known = {phrase(each) for each in (answer, *same_answers(answer, history))}
    for option in options:
        if phrase(option) not in known:
            known |= {phrase(option), *map(phrase, same_answers(option, history))}
            yield option


def draw_balanced(
    found: Sequence[BalancedCandidate],
    balance: AnswerBalance,
    history: History,
    codes: NDArray[np.uint8],
    rng: np.random.RandomState,
) -> list[Question]:
    """The questions of a scene that are asked, each with its right choice at a drawn letter."""
    questions: list[Question] = []
    letter = int(rng.randint(CHOICES))
    for asked, candidate in found:
        if not balance.asks(candidate, rng):
            continue
        others = balance.distractors(candidate, rng)
        if len(others) == CHOICES - 1:
            letter = (letter + 1) % CHOICES
            questions.append(question_about(asked, others, letter, history, codes))
    return questions
