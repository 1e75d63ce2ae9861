"""Signatures of cells that change by themselves, and of pushes.

As all signatures they hold what was seen, whatever the rules are.
"""

from __future__ import annotations

from typing import NamedTuple


class CellChange(NamedTuple):
    """A cell that nothing but rules about cells can have changed, in a step.

    Attributes:
        material: What it was of.
        after: What it was of afterwards.
        beside: The materials that surely were beside it, in the order of their codes.
        unsure: Whether there may have been others.
        age: For how many steps it had had its material, at least and at most; the latter matters
            only if it changed.
        night: Whether it was night.
    """

    material: str
    after: str
    beside: tuple[str, ...]
    unsure: bool
    age: tuple[int, int]
    night: bool


class PushTry(NamedTuple):
    """A move towards a cell without anything on it.

    Attributes:
        material: What it is of.
        ground: The material of the cell behind it.
        taken: Whether something stood there.
        outcomes: What both cells may have become, the nearer one first; two outcomes if it is
            unclear whether the player moved.
        changing: Materials of cells that may change by themselves.
    """

    material: str
    ground: str
    taken: bool
    outcomes: tuple[tuple[str, str], ...]
    changing: tuple[str, ...]
