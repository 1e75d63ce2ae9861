"""A patch of a map: connected cells of one material, or several such sets told as one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

NEVER = 99
"""More moves than are ever counted."""
CHUNK = 12
"""Creatures are balanced in squares of so many cells a side."""


@dataclass
class Patch:
    """One or more sets of connected cells of one material.

    Attributes:
        material: What it is made of.
        cells: How many cells it has.
        whole: The same, with those of patches that are left out because they add nothing to it.
        brim: For each patch next to it, how many of the cells are counted as lying beside that one;
            each cell is counted at most once.
        room: The most cells that it has in one chunk.
        square: Whether it has two by three cells, or a cell with four neighbours.
        distant: Whether it is far enough from the start for the generator to put a zombie on it.
        past: Whether it lies beside or behind the row of cells of the patch in front of the start.
        waits: How many moves over the patch of the start lead up to it.
        at_hand: How many of its cells lie beside the start.
        ahead: Whether it lies right in front of the start.
        residents: The creatures on it at the beginning.
        beside: The numbers of the patches next to it.
        lanes: The patches, itself among them or not, that two of its cells in a row lead up to.
        faced: The patches of which this one is a lane's end.
        fronts: For each patch that two of its cells in a row lead up to, how many cells there are
            counted as lying at the end; each cell is counted at most once.
        loose: How many of these can be taken without cutting anything off.
        flanked: The materials of patches that lie beside three cells in a row of it.
        crossed: Those of patches beside the middle of three such cells, where the fourth cell
            beside that belongs to it as well.
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
    residents: frozenset[str] = frozenset()
    beside: set[int] = field(default_factory=set)
    lanes: set[int] = field(default_factory=set)
    faced: set[int] = field(default_factory=set)
    fronts: Counter[int] = field(default_factory=Counter)
    loose: Counter[int] = field(default_factory=Counter)
    flanked: set[str] = field(default_factory=set)
    crossed: set[str] = field(default_factory=set)
    double: set[str] = field(default_factory=set)
