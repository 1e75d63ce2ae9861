"""Signatures of cells that change by themselves, of pushes, and of creatures that act by cases.

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


class Act(NamedTuple):
    """Where a creature went that acts by cases, with no other thing within two cells.

    Attributes:
        being: Which.
        free: Whether it can walk to its left, right, up and down; None if that is not known.
        beside: The materials of these four cells.
        way: The way to the player (dx, dy).
        night: Whether it was night.
        in_hand: The items that the player held, at least one of each.
        went: Left, right, up, down (0 to 3), or nowhere (4).
    """

    being: str
    free: tuple[bool, ...] | None
    beside: tuple[str, ...]
    way: tuple[int, int]
    night: bool
    in_hand: tuple[str, ...]
    went: int
