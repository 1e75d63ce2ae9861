"""Answers about survival: what traces of a life tell, by weights learned from simulated lives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.conan.codes import CODE, CODES, OBJECT, PRINTS
from mars_logic.domains.conan.detective.evidence import SceneEvidence
from mars_logic.domains.conan.questions.asking import Question
from mars_logic.domains.conan.questions.history import Cell
from mars_logic.domains.conan.questions.templates import templates
from mars_logic.system.resources import own_json

_REMAINS: Final = (
    *("tree_cut", "stone_left", "coal_left", "cow_dead", "zombie_dead", "skeleton_dead"),
)
_BLOOD: Final = [CODE[f"{land}_blood"] for land in ("grass", "sand", "path")]
_WATER: Final = [CODE["grass_water"], CODE["sand_water"]]
_UNKNOWN: Final = [CODE["grass_unknown"], CODE["sand_unknown"]]
_PLACES: Final = {
    "water": [CODE["water"]],
    "apple_tree": [CODE["apple_tree"]],
    "drink": _WATER,
    "blood": _BLOOD,
    "stump": [CODE["tree_cut"]],
    "cow_dead": [CODE["cow_dead"]],
}
_FAR: Final = 16.0
"""Distance from the figure beyond which it does not matter how far something is."""


def scene_features(evidence: SceneEvidence) -> NDArray[np.float64]:
    """What is measured of a scene, each once for the dead and once for the living.

    Counts of remains, marks and prints; distances from the figure to what it may have sought or
    suffered; monsters about; what the figure stands on.
    """
    codes, seen = evidence.codes, evidence.seen
    counts = evidence.counts
    prints = (PRINTS[codes] > 0) & seen
    values = [1.0, *(np.log1p(counts[name]) for name in _REMAINS)]
    values += [float(counts[name] > 0) for name in _REMAINS]
    for group in (_BLOOD, _WATER, _UNKNOWN):
        number = sum(counts[CODES[code]] for code in group)
        values += [np.log1p(number), float(number > 0)]
    walked = int(prints.sum())
    values += [np.log1p(walked), walked / 100, (walked / 100) ** 2]
    values += [_nearness(evidence, np.isin(codes, group)) for group in _PLACES.values()]
    for thing in ("cow", "zombie", "skeleton"):
        here = evidence.objects == OBJECT[thing]
        values += [_nearness(evidence, here), float((here & seen).any())]
    values += _underfoot(evidence)
    found = np.array(values)
    return np.concatenate([found * evidence.dead, found * (not evidence.dead)])


def _nearness(evidence: SceneEvidence, where: NDArray[np.bool_]) -> float:
    """1 on the figure's cell, 0 far away."""
    cells = np.argwhere(where & evidence.seen)
    if evidence.figure is None or not len(cells):
        return 0.0
    apart = np.abs(cells - evidence.figure).sum(1).min()
    return float(1 - min(apart, _FAR) / _FAR)


def _underfoot(evidence: SceneEvidence) -> list[float]:
    groups = (_BLOOD, _WATER, _UNKNOWN)
    if evidence.figure is None:
        return [0.0] * (2 * len(groups))
    x, y = evidence.figure
    around = evidence.codes[max(x - 2, 0) : x + 3, max(y - 2, 0) : y + 3]
    found = [float(evidence.codes[x, y] in group) for group in groups]
    return found + [np.log1p(np.isin(around, group).sum()) for group in groups]


def subject_features(evidence: SceneEvidence, cell: Cell | None) -> NDArray[np.float64]:
    """What is measured of the cell that a question is about."""
    shown = CODES[evidence.codes[cell]] if cell else ""
    values = [float(shown == name) for name in _REMAINS]
    near = np.zeros(2)
    if cell:
        near[0] = _nearness(evidence, _only(cell))
        x, y = cell
        around = evidence.codes[max(x - 1, 0) : x + 2, max(y - 1, 0) : y + 2]
        near[1] = float((PRINTS[around] > 0).mean())
    return np.array([*values, *near])


def _only(cell: Cell) -> NDArray[np.bool_]:
    where = np.zeros((64, 64), np.bool_)
    where[cell] = True
    return where


def features_of(cell: Cell | None, evidence: SceneEvidence) -> NDArray[np.float64]:
    """All that is measured for a question, about a cell if it is about one."""
    return np.concatenate([scene_features(evidence), subject_features(evidence, cell)])


@dataclass(frozen=True)
class SurvivalModel:
    """Weights of a softmax for each type of answers.

    Attributes:
        weights: float64[answers, features] by type.
        answers: The answers of each type.
        priors: Share of each right answer, by template.
        origin: How they were found.
    """

    weights: Mapping[str, NDArray[np.float64]]
    answers: Mapping[str, tuple[str, ...]]
    priors: Mapping[str, Mapping[str, float]]
    origin: str

    def masses(self, question: Question, evidence: SceneEvidence) -> NDArray[np.float64]:
        """The probability of each choice: float64[4]."""
        kind = templates()[question.template].type
        known = self.answers[kind]
        shares = self.shares(kind, evidence, question.subject.cell)
        chosen = np.array([shares[known.index(choice)] for choice in question.choices]) + 1e-12
        found: NDArray[np.float64] = chosen / chosen.sum()
        return found

    def shares(self, kind: str, evidence: SceneEvidence, cell: Cell | None) -> NDArray[np.float64]:
        """The probability of each answer of a type, about a cell if the type is about one."""
        scores = self.weights[kind] @ features_of(cell, evidence)
        shares = np.exp(scores - scores.max())
        found: NDArray[np.float64] = shares / shares.sum()
        return found


@cache
def bundled_survival() -> SurvivalModel:
    """The weights that come with the package."""
    document: dict[str, Any] = own_json(__name__, "survival.json")
    kinds = document["types"]
    return SurvivalModel(
        {kind: np.array(each["weights"]) for kind, each in kinds.items()},
        {kind: tuple(each["answers"]) for kind, each in kinds.items()},
        document["priors"],
        document["origin"],
    )


def fit_softmax(
    features: NDArray[np.float64], right: NDArray[np.int64], answers: int, decay: float = 3e-3
) -> NDArray[np.float64]:
    """Weights of the largest likelihood with a penalty on their squares (accelerated descent).

    Args:
        features: float64[n, m].
        right: int64[n]: the right answers.
        answers: How many answers there are.
        decay: The penalty.

    Returns:
        float64[answers, m].
    """
    spread = features.std(0) + 1e-9
    scaled = features / np.maximum(spread, 0.05)
    weights = np.zeros((answers, features.shape[1]))
    ahead, before = weights.copy(), weights.copy()
    target = np.eye(answers)[right]
    rate = 4.0 / max(float((scaled**2).sum(1).mean()), 1e-9)
    for turn in range(600):
        scores = scaled @ ahead.T
        shares = np.exp(scores - scores.max(1, keepdims=True))
        shares /= shares.sum(1, keepdims=True)
        slope = (shares - target).T @ scaled / len(right) + decay * ahead
        weights = ahead - rate * slope
        ahead = weights + turn / (turn + 3) * (weights - before)
        before = weights
    found: NDArray[np.float64] = weights / np.maximum(spread, 0.05)
    return found
