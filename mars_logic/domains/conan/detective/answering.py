"""Answers by the posterior mass of simulated histories."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.conan.codes import CODES
from mars_logic.domains.conan.detective.evidence import SceneEvidence
from mars_logic.domains.conan.detective.posterior import FITTED, PlanPosterior
from mars_logic.domains.conan.questions.answers import ANSWERS, Answer
from mars_logic.domains.conan.questions.asking import Question, shows
from mars_logic.domains.conan.questions.history import Cell, History, Subject
from mars_logic.domains.conan.questions.templates import templates
from mars_logic.domains.conan.vandal.tasks import TASKS
from mars_logic.system.resources import own_json

Priors = Mapping[str, Mapping[str, float]]
"""Share of each answer by template, among training questions."""

_TRUST_IN_PRIOR: Final = 0.02
"""Mass of the prior of the template, beside that of simulated histories."""
_NEAR: Final = 12
"""Distance within which a trace of a simulated history stands for one of the scene."""


@cache
def bundled_priors(vandal: str = "reference", tasks: int = len(TASKS)) -> Priors:
    """The priors that come with the package, for a kind of vandal and 25 or 60 tasks."""
    priors: Priors = own_json(__name__, f"answer_priors{FITTED[vandal, tasks]}.json")["priors"]
    return priors


def masses(
    question: Question, posterior: PlanPosterior, evidence: SceneEvidence, priors: Priors
) -> NDArray[np.float64]:
    """The probability of each choice: float64[4].

    Args:
        question: The question.
        posterior: What is believed.
        evidence: What was seen.
        priors: Priors of the templates.
    """
    template = templates()[question.template]
    if template.category == "goal":
        found = np.array([posterior.probability(choice) for choice in question.choices]) + 1e-12
        return _normed(found)
    shares = priors.get(question.template, {})
    found = np.array([shares.get(choice, 0.0) + 0.01 for choice in question.choices])
    found *= _TRUST_IN_PRIOR / found.sum()
    for weight, history in posterior.believed:
        answer, trust = _answer(question, history, evidence)
        if answer in question.choices:
            found[question.choices.index(answer)] += weight * trust
    return _normed(found)


def _normed(found: NDArray[np.float64]) -> NDArray[np.float64]:
    normed: NDArray[np.float64] = found / found.sum()
    return normed


def _answer(question: Question, history: History, evidence: SceneEvidence) -> tuple[Answer, float]:
    """The answer in a simulated history, and how far it applies to the scene."""
    function = ANSWERS[templates()[question.template].answer]
    subject = question.subject
    answer = function(history, subject)
    if answer is not None and _same_trace(subject, history, evidence):
        return answer, 1.0
    if subject.cell is None:
        return answer, 1.0
    stand_in = _stand_in(question, history, evidence)
    if stand_in is None:
        return answer, 0.05
    near, distance = stand_in
    return function(history, subject._replace(cell=near)), 0.5 / (1 + distance)


def _same_trace(subject: Subject, history: History, evidence: SceneEvidence) -> bool:
    if subject.cell is None or subject.cell not in history.changed:
        return True
    deed = history.deeds[history.changed[subject.cell]]
    return shows(CODES[evidence.codes[subject.cell]], deed.kind, deed.name)


def _stand_in(
    question: Question, history: History, evidence: SceneEvidence
) -> tuple[Cell, int] | None:
    """The nearest cell of a simulated history that shows the same, with its distance."""
    cell = question.subject.cell
    assert cell is not None
    shown = CODES[evidence.codes[cell]]
    if templates()[question.template].subject == "print":
        cells = list(history.arrivals)
    else:
        cells = [
            other
            for other, index in history.changed.items()
            if shows(shown, history.deeds[index].kind, history.deeds[index].name)
        ]
    if not cells:
        return None
    apart = [abs(x - cell[0]) + abs(y - cell[1]) for x, y in cells]
    nearest = int(np.argmin(apart))
    return (cells[nearest], apart[nearest]) if apart[nearest] <= _NEAR else None
