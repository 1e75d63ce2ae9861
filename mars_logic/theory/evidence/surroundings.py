"""What views tell of a transition: whether the player moved, and what could attack it."""

from __future__ import annotations

from typing import Any

import numpy as np

from mars_logic.data.trajectory import CENTRE
from mars_logic.kernel import kernel
from mars_logic.theory.evidence.codes import (
    ARROW,
    FURNACE,
    NO_BEING,
    PATH,
    PLAYER,
    TABLE,
    being,
    cell,
    kind,
)
from mars_logic.theory.evidence.layout import CELLS, HEIGHT, MOVED, STAYED, UNCLEAR

COLUMN, ROW = CENTRE
_ROW_OF = np.arange(CELLS) % HEIGHT
_STAYING = np.array(
    [np.where((_ROW_OF + dy >= 0) & (_ROW_OF + dy < HEIGHT), -1, 0) for dy in (-1, 0, 1)], np.int8
)
"""int8[3, 63]: for dy = -1, 0, 1, all bits set for the cells whose neighbour there is in view."""
_THINGS = np.uint64(0xFEFEFEFEFEFEFEFE)
"""For eight cells: bits of which one is set where something other than the player is."""
_ONE_CELL = np.uint64(8)


@kernel
def list_things(objects: Any, things: Any) -> None:
    """List what is in view besides the player."""
    things.count = 0
    for number in range(len(objects.words)):
        if objects.words[number] & _THINGS:
            _list_part(objects, things, 8 * number, 8 * number + 8)
    if objects.last >> _ONE_CELL & _THINGS:
        _list_part(objects, things, CELLS - 7, CELLS)


@kernel
def _list_part(objects: Any, things: Any, first: int, last: int) -> None:
    for i in range(first, last):
        look = objects.cells[i]
        if look > PLAYER:
            things.look[things.count] = look
            things.x[things.count] = i // HEIGHT
            things.y[things.count] = i % HEIGHT
            things.count += 1


@kernel
def shift(before: Any, after: Any, dx: int, dy: int) -> int:
    """Whether the player moved in a direction, by comparing the materials in view.

    While it moves, nothing but an arrow changes a cell, and only from table or furnace to path.
    """
    stayed = _agree(before, after, 0, 0)
    moved = _agree(before, after, dx, dy)
    if stayed == moved:
        return UNCLEAR
    return MOVED if moved else STAYED


@kernel
def _agree(before: Any, after: Any, dx: int, dy: int) -> bool:
    """Whether a view is what the one before it becomes by a step."""
    by = cell(dx, dy)
    first, last = max(0, -by), CELLS - max(0, by)
    differing = 0
    for i in range(first, last):  # without a branch, so that many cells are compared at once
        differing |= (before.cells[i + by] ^ after.cells[i]) & _STAYING[dy + 1, i]
    if not differing:
        return True
    for i in range(first, last):
        old, new = before.cells[i + by], after.cells[i]
        if old != new and _STAYING[dy + 1, i]:
            broken = old in (TABLE, FURNACE) and new == PATH
            if not broken:
                return False
    return True


@kernel
def find_dangers(step: Any, things: Any) -> None:
    """Note in ``step`` what could attack, and how many arrows could hit.

    A creature moves by one cell at most and hits what is then beside it, so it comes from within
    two cells; an arrow comes from one beside the player. The player acts first. Where it is unclear
    if it moved, both places count.
    """
    for who in range(len(step.near)):
        step.near[who] = 0
    step.arrows = 0
    dx, dy = (0, 0) if step.shift == STAYED else (step.dx, step.dy)
    for i in range(things.count):
        x, y = things.x[i] - COLUMN, things.y[i] - ROW
        far = abs(x - dx) + abs(y - dy)
        if step.shift == UNCLEAR:
            far = min(far, abs(x) + abs(y))
        if far <= 2:
            who = being(things.look[i])
            if who != NO_BEING:
                step.near[who] += 1
            elif far <= 1 and kind(things.look[i]) == ARROW:
                step.arrows += 1
