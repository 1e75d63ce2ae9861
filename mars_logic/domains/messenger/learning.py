"""Fits the weights of terms to labelled sentences: logistic regression, on top of a lexicon.

The features of a sentence are its words, but for those that the lexicon holds for something else:
where names and roles go together in the sentences, a word for a role must not speak for a name. The
lexicon's own scores are an offset, and weights are drawn to 0, so that what is learned corrects the
lexicon only as far as the sentences speak for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.messenger.lexicon import PARTS, Lexicon, Words, words_of
from mars_logic.errors import InputError

_PENALTY: Final = 3.0
"""Half the square of a weight counts so much against the log-likelihood of the sentences."""
_ITERATIONS: Final = 150
_FEWEST: Final = 3
"""Sentences in which a word has to stand to get a weight."""
_SMALLEST: Final = 0.05
"""Weights smaller than this are left out."""

Row = tuple[str, str, str, str]
"""Name, role, motion or ``unknown``, sentence."""


def learn_weights(rows: Sequence[Row], lexicon: Lexicon) -> Lexicon:
    """Weights to be added to a lexicon, as a lexicon of their own.

    Args:
        rows: Labelled sentences.
        lexicon: What is known before.

    Raises:
        InputError: There is no sentence.
    """
    if not rows:
        raise InputError("--learn: there is no sentence; allowed: labelled sentences")
    words = [words_of(row[3]) for row in rows]
    return Lexicon(
        {
            part: _part(part, words, [row[column] for row in rows], lexicon)
            for column, part in enumerate(PARTS)
        }
    )


def _part(
    part: str, words: Sequence[Words], labels: Sequence[str], lexicon: Lexicon
) -> dict[Words, dict[str, float]]:
    meanings = PARTS[part]
    kept = [i for i, label in enumerate(labels) if label in meanings]
    others = [each for each in PARTS if each != part]
    elsewhere = {
        word
        for i in kept
        for other in others
        for match in lexicon.matches(other, words[i])
        for word in match.words
    }
    counts = Counter(word for i in kept for word in set(words[i]) - elsewhere)
    vocabulary = {(word,): 1.0 for word, count in counts.items() if count >= _FEWEST}
    terms = sorted(vocabulary)
    if not kept or not terms:
        return {}
    index = {term: place for place, term in enumerate(terms)}
    features = np.zeros((len(kept), len(terms)))
    for row, i in enumerate(kept):
        covered = {
            place
            for match in lexicon.matches(part, words[i])
            if len(match.words) > 1
            for place in range(match.start, match.start + len(match.words))
        }
        for place, word in enumerate(words[i]):
            if (word,) in index and place not in covered:
                features[row, index[word,]] = 1
    offset = np.stack([lexicon.scores(part, words[i]) for i in kept])
    truth = np.array([meanings.index(labels[i]) for i in kept])
    weights = _fitted(features, offset, truth)
    return {
        term: {
            meaning: float(weight)
            for meaning, weight in zip(meanings, weights[place], strict=True)
            if abs(weight) >= _SMALLEST
        }
        for term, place in index.items()
        if np.abs(weights[place]).max() >= _SMALLEST
    }


def _fitted(
    features: NDArray[np.float64], offset: NDArray[np.float64], truth: NDArray[np.int64]
) -> NDArray[np.float64]:
    """float64[terms, meanings]: the most likely weights, by Nesterov's accelerated gradient."""
    target = np.eye(offset.shape[1])[truth]
    weights = np.zeros((features.shape[1], offset.shape[1]))
    ahead, momentum = weights, 1.0
    # The curvature of the log-likelihood is at most half the largest squared singular value.
    step = 1 / (0.5 * np.linalg.norm(features, 2) ** 2 + _PENALTY)
    for _ in range(_ITERATIONS):
        scores = offset + features @ ahead
        shares = np.exp(scores - scores.max(1, keepdims=True))
        shares /= shares.sum(1, keepdims=True)
        after = ahead - step * (features.T @ (shares - target) + _PENALTY * ahead)
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = after + (momentum - 1) / following * (after - weights)
        weights, momentum = after, following
    return weights
