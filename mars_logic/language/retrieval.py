"""Retrieval of texts by their words, without embeddings: Okapi BM25."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

K1: Final = 1.5
B: Final = 0.75
"""The usual parameters of BM25 (Robertson and Zaragoza, 2009)."""


def best_matches(query: str, texts: Sequence[str], most: int) -> list[int]:
    """The positions of the texts that match a query best, best first, without those that do not.

    Args:
        query: Words.
        texts: The texts.
        most: How many at most.

    Example:
        >>> best_matches("wood", ["make a table of wood", "drink water", "wood"], 2)
        [2, 0]
    """
    bags = [Counter(_words(text)) for text in texts]
    sizes = [bag.total() for bag in bags]
    mean = sum(sizes) / len(sizes) if sizes else 1.0
    scores = [0.0] * len(texts)
    for word in set(_words(query)):
        within = sum(word in bag for bag in bags)
        weight = math.log(1 + (len(bags) - within + 0.5) / (within + 0.5))
        for n, bag in enumerate(bags):
            times = bag[word]
            spread = times + K1 * (1 - B + B * sizes[n] / mean) if mean else 1.0
            scores[n] += weight * times * (K1 + 1) / spread if times else 0.0
    ranked = sorted(range(len(texts)), key=lambda n: (-scores[n], n))
    return [n for n in ranked if scores[n] > 0][:most]


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower().replace("_", " "))
