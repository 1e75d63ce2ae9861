"""Equivalence of cells that change by themselves for a theory.

What matters is which of the materials that its rules name were beside a cell, and whether its
timer was due, might have been, or was not yet by a single step (theory/cell_claims.py).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from mars_logic.theory.claims import Values
from mars_logic.theory.evidence.layout import FURTHER, Words
from mars_logic.theory.evidence.own_layout import (
    BESIDE,
    CHANGE,
    DARKNESS,
    FURTHER_KIND,
    LEAST_AGE,
    MOST_AGE,
)
from mars_logic.world.vocabulary import Vocabulary


def forget_cells(
    words: Words,
    places: Callable[[int, int], NDArray[np.int64]],
    values: Values,
    known: Vocabulary,
) -> None:
    """Take out of signatures of cells what a theory does not read.

    Args:
        words: uint64[n, words]: the signatures; they are changed.
        places: From a kind and a subject to where such signatures are.
        values: The theory.
        known: The names of the evidence.
    """
    for code, material in enumerate(known.materials):
        which = places(FURTHER, code)
        which = which[FURTHER_KIND.get(words, which) == CHANGE]
        if not len(which):
            continue
        named = [values((f"beside.{material}", "becomes")), values((f"timer.{material}", "near"))]
        beside = {name for found in named for value in found for name in value or ()}
        kept = sum(1 << number for number, name in enumerate(known.materials) if name in beside)
        BESIDE.put(words, which, BESIDE.get(words, which) & np.uint64(kept))
        if set(values((f"timer.{material}", "when"))) <= {None, "always"}:
            DARKNESS.put(words, which, 0)
        after = values((f"timer.{material}", "after"))
        if len(after) == 1:
            for age, nearly in ((LEAST_AGE, 1), (MOST_AGE, 0)):
                age.put(words, which, _standing(age.get(words, which), after[0], nearly))


def _standing(ages: NDArray[np.uint64], after: int | None, nearly: int) -> NDArray[np.int64]:
    """Whether a timer is due in a step at some ages: 2, or 1 if only just (or nearly), else 0."""
    if after is None:
        return np.zeros(len(ages), np.int64)
    rest = ages.astype(np.int64) + 1 - after
    standing: NDArray[np.int64] = np.where(rest == -nearly, 1, np.where(rest >= 0, 2, 0))
    return standing
