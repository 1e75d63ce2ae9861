"""A patch of a map: connected cells of one material, or several such sets merged."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

NEVER = 99
"""An upper bound on all counted moves."""


@dataclass
class Region:
    """One or more sets of connected cells of one material.

    Attributes:
        material: Its material.
        cells: Number of its cells.
        whole: The same, including omitted patches that it covers.
        brim: For each adjacent patch, the number of cells counted as lying beside it; each cell
            counts at most once.
        room: The largest number of its cells in one chunk.
        square: Whether it has two by three cells, or a cell with four neighbours.
        distant: Whether it is far enough from the start for the generator to put a zombie on it.
        past: Whether it lies beside or behind the row of cells of the patch in front of the start.
        waits: Number of moves over the patch of the start that lead to it.
        at_hand: Number of its cells beside the start.
        ahead: Whether it lies right in front of the start.
        residents: The number of creatures of each kind on it at the beginning.
        beside: The numbers of the patches next to it.
        lanes: The patches, itself among them or not, that two of its cells in a row lead up to.
        faced: The patches of which this one is a lane's end.
        fronts: For each patch that two of its cells in a row lead up to, how many cells there are
            counted as lying at the end; each cell is counted at most once.
        loose: Number of these whose removal disconnects nothing.
        flanked: The materials of patches that lie beside three cells in a row of it.
        crossed: Those of patches beside the middle of three such cells, where the fourth cell
            beside that belongs to it as well.
        sights: Sets of materials, as bits, that lie with others among the 3 × 3 cells around one of
            its cells; of sets and their parts, only the sets.
        sights_ahead: The same without the cell in front, which is in a row of three of its cells.
        sights_dug: The same without the cell itself and two of the others of its own.
        double: Those of patches of which two cells can be faced from it within 3 × 3 cells.
    """

    material: str
    cells: int = 0
    whole: int = 0
    brim: Counter[int] = field(default_factory=Counter)
    room: int = 0
    square: bool = False
    distant: bool = False
    past: bool = False
    waits: int = NEVER
    at_hand: int = 0
    ahead: bool = False
    residents: Counter[str] = field(default_factory=Counter)
    beside: set[int] = field(default_factory=set)
    lanes: set[int] = field(default_factory=set)
    faced: set[int] = field(default_factory=set)
    fronts: Counter[int] = field(default_factory=Counter)
    loose: Counter[int] = field(default_factory=Counter)
    flanked: set[str] = field(default_factory=set)
    crossed: set[str] = field(default_factory=set)
    double: set[str] = field(default_factory=set)
    sights: set[int] = field(default_factory=set)
    sights_ahead: set[int] = field(default_factory=set)
    sights_dug: set[int] = field(default_factory=set)


def greatest(sets: set[int]) -> set[int]:
    """Those of some sets, as bits, that are not part of others."""
    if len(sets) < 2:
        return sets
    return {one for one in sets if not any(one != other and one & other == one for other in sets)}
