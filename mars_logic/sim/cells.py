"""Codes of cells as recordings have them: one number for a material with its mark."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from mars_logic.world.vocabulary import REMAINS, Vocabulary


def cells_of(
    words: Vocabulary, materials: NDArray[np.uint8], marks: NDArray[np.uint8] | None
) -> NDArray[np.uint8]:
    """The codes of cells: positions in ``words.cells``, or those of the materials without marks.

    Args:
        words: The vocabulary.
        materials: Codes of materials, of any shape.
        marks: Codes of marks, of the same shape; None in a dialect without marks.
    """
    if marks is None or not words.cells:
        return materials
    codes: NDArray[np.uint8] = _table(words)[materials, marks]
    return codes


def parts_of(
    words: Vocabulary, cells: NDArray[np.uint8]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The codes of materials and of marks of cells; the inverse of :func:`cells_of`."""
    parts = np.array([words.parts(name) for name in words.cells], np.uint8)
    return parts[cells, 0], parts[cells, 1]


@cache
def _table(words: Vocabulary) -> NDArray[np.uint8]:
    """uint8[materials, marks]: the code of each cell; 255 where no recording has one."""
    marks = max(len(words.marks), len(words.remains))
    table = np.full((len(words.materials), marks), 255, np.uint8)
    for material, name in enumerate(words.materials):
        kinds = words.remains if name == REMAINS else words.marks
        for mark in range(len(kinds)):
            cell = words.cell(material, mark)
            if cell in words.cells:
                table[material, mark] = words.cells.index(cell)
    table.flags.writeable = False
    return table
