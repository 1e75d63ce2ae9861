"""Choices that tell nothing: how often questions are kept, and how distractors are drawn.

Questions that are worded alike form a group. In a group, an answer that is right more often than
others has fewer of its questions kept, so that none is right in more than a quarter of them; and
three distractors are drawn together, a set of them with a probability that grows with the product
of its weights (conditional Poisson sampling; Chen, Dempster and Liu, Biometrika 81, 1994). The
weights are such that each answer is right in a quarter of the cases in which it is shown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

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
from mars_logic.domains.conan.questions.history import History, Subject
from mars_logic.domains.conan.questions.phrases import phrase
from mars_logic.domains.conan.questions.templates import Template, templates
from mars_logic.domains.conan.vandal.tasks import SURVIVING

DISTRACTORS: Final = 3
_FAIR: Final = 1 / (DISTRACTORS + 1)
_MOST_BLIND: Final = 0.27
"""How often an answer that is shown may be right; questions with others are not asked."""
_ROUNDS: Final = 200
_LEAST: Final = 1e-6

Candidate = tuple[str, str, Sequence[str]]
"""A question that may be asked: its group, its right answer, and what may stand beside it."""


@dataclass(frozen=True)
class AnswerBalance:
    """What keeps the choices of a corpus from telling the answers.

    Attributes:
        kept: Probability with which a question is asked, by group and right answer; what is
            missing is not asked.
        weights: Weight of each answer as a distractor, by group.
    """

    kept: Mapping[str, Mapping[str, float]]
    weights: Mapping[str, Mapping[str, float]]

    def asks(self, candidate: Candidate, rng: np.random.RandomState) -> bool:
        """Whether a question is asked: a draw."""
        group, answer, _ = candidate
        return bool(rng.random_sample() < self.kept.get(group, {}).get(answer, 0.0))

    def distractors(self, candidate: Candidate, rng: np.random.RandomState) -> tuple[str, ...]:
        """Three distractors in random order, or none if there are fewer."""
        group, _, options = candidate
        weights = self.weights[group]
        usable = [each for each in options if each in weights]
        drawn = draw_set([weights[each] for each in usable], DISTRACTORS, rng)
        return tuple(usable[drawn[i]] for i in rng.permutation(len(drawn)))


def draw_set(weights: Sequence[float], size: int, rng: np.random.RandomState) -> list[int]:
    """Draw a set of indices with a probability in proportion to the product of their weights.

    Args:
        weights: Weights, none negative.
        size: How many to draw.
        rng: Draws.

    Returns:
        Indices in order; none if fewer have a weight.
    """
    sums = np.zeros((len(weights) + 1, size + 1))  # products of the sets of each size, from i on
    sums[:, 0] = 1.0
    for i in range(len(weights) - 1, -1, -1):
        sums[i, 1:] = sums[i + 1, 1:] + weights[i] * sums[i + 1, :-1]
    if sums[0, size] <= 0:
        return []
    drawn: list[int] = []
    for i, weight in enumerate(weights):
        left = size - len(drawn)
        if left and rng.random_sample() * sums[i, left] < weight * sums[i + 1, left - 1]:
            drawn.append(i)
    return drawn


def balance_of(candidates: Iterable[Candidate]) -> AnswerBalance:
    """Fit what balances the questions that may be asked about a corpus."""
    by_group: defaultdict[str, list[tuple[str, Sequence[str]]]] = defaultdict(list)
    for group, answer, options in candidates:
        by_group[group].append((answer, options))
    kept, weights = {}, {}
    for group, each in sorted(by_group.items()):
        if fitted := _fitted(each):
            kept[group], weights[group] = fitted
    return AnswerBalance(kept, weights)


def _fitted(
    asked: Sequence[tuple[str, Sequence[str]]],
) -> tuple[dict[str, float], dict[str, float]] | None:
    """Shares kept and weights of the answers of a group; None if it cannot be balanced.

    The answer that tells most is left out, again and again, until none tells much.
    """
    while True:
        names, right, options = _usable(asked)
        if not names:
            return None
        kept, weights, rates = _balanced(right, options)
        worst = names[int(rates.argmax())]
        if rates.max() <= _MOST_BLIND:
            return (
                dict(zip(names, kept.tolist(), strict=True)),
                dict(zip(names, weights.tolist(), strict=True)),
            )
        asked = [each for each in asked if each[0] != worst]


def _balanced(
    right: NDArray[np.int64], options: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Shares kept, weights, and how often each answer is right when it is shown: float64[answers].

    Args:
        right: int64[questions]: right answers.
        options: bool[questions, answers]: what may stand beside them.
    """
    counts = np.bincount(right, minlength=options.shape[1]).astype(np.float64)
    kept = np.minimum(most_of_each(counts) / counts, 1.0)
    weights = np.ones(len(counts))
    for _ in range(_ROUNDS):
        shown = kept[right] @ inclusions(weights, options)
        rates = kept * counts / np.maximum(kept * counts + shown, 1e-12)
        weights = weights * np.sqrt(DISTRACTORS * kept * counts / np.maximum(shown, 1e-9))
        weights = np.maximum(weights / weights.max(), _LEAST)
        kept = np.where(rates > _FAIR, kept * (_FAIR / rates) ** 0.1, kept)
    return kept, weights, rates


def _usable(
    asked: Sequence[tuple[str, Sequence[str]]],
) -> tuple[list[str], NDArray[np.int64], NDArray[np.bool_]]:
    """The answers of a group, and of each question its right one and what may stand beside it.

    An answer that is never right is never shown, and a question without three others not asked.
    """
    while True:
        names = sorted({answer for answer, _ in asked})
        number = {name: i for i, name in enumerate(names)}
        options = np.zeros((len(asked), len(names)), np.bool_)
        for row, (_, others) in zip(options, asked, strict=True):
            row[[number[each] for each in others if each in number]] = True
        enough = options.sum(1) >= DISTRACTORS
        if enough.all():
            return names, np.array([number[answer] for answer, _ in asked], np.int64), options
        asked = [each for each, usable in zip(asked, enough, strict=True) if usable]


def most_of_each(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Counts cut off at the largest level at which none is more than a quarter of their sum.

    Args:
        counts: float64[n].

    Returns:
        float64[n]; zeros if fewer than four are positive.
    """
    falling = np.sort(counts)[::-1]
    if len(falling) <= DISTRACTORS or falling[DISTRACTORS] <= 0:
        return np.zeros_like(counts)
    if falling[0] <= _FAIR * falling.sum():
        return counts
    level = float(falling[DISTRACTORS])
    for cut in range(1, DISTRACTORS + 1):  # with so many cut off, the rest decides the level
        found = falling[cut:].sum() / (DISTRACTORS + 1 - cut)
        if falling[cut] <= found <= falling[cut - 1]:
            level = float(found)
    cut_off: NDArray[np.float64] = np.minimum(counts, level)
    return cut_off


def inclusions(weights: NDArray[np.float64], options: NDArray[np.bool_]) -> NDArray[np.float64]:
    """How likely each answer is among three distractors that are drawn by weight.

    Args:
        weights: float64[answers].
        options: bool[questions, answers]: what may be drawn.

    Returns:
        float64[questions, answers].
    """
    each = options * weights
    sums = [np.ones(len(options)), *(np.zeros(len(options)) for _ in range(DISTRACTORS))]
    for column in each.T:
        for size in range(DISTRACTORS, 0, -1):
            sums[size] = sums[size] + column * sums[size - 1]
    without = np.ones_like(each)
    for size in range(1, DISTRACTORS):
        without = np.maximum(sums[size][:, None] - each * without, 0.0)
    found: NDArray[np.float64] = each * without / np.maximum(sums[DISTRACTORS], 1e-300)[:, None]
    return found


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
