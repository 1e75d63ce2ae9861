"""Analysis of views in a transition: the player's movement, and possible attackers."""

from __future__ import annotations

from typing import Any

import numpy as np

from mars_logic.compiled.kernel import inline_kernel, kernel
from mars_logic.data.trajectory import CENTRE
from mars_logic.theory.evidence.codes import (
    ARROW,
    FURNACE,
    NO_BEING,
    PATH,
    PLAYER,
    TABLE,
    being,
    cell,
    is_shot,
    kind,
)
from mars_logic.theory.evidence.layout import (
    CELLS,
    HEIGHT,
    LARGEST_LOOK,
    MOVED,
    STAYED,
    UNCLEAR,
    WIDTH,
    WORDS,
)
from mars_logic.world.projectile_rules import MOST_SPEED

COLUMN, ROW = CENTRE
_ROW_OF = np.arange(CELLS) % HEIGHT
_NOT_LAST_ROW = np.where(_ROW_OF < HEIGHT - 1, -1, 0).astype(np.int8)
_UPPER = _NOT_LAST_ROW[: 8 * WORDS].view(np.uint64)
"""uint64[7]: all bits set for cells of the first 56 that have one below them."""
_UPPER_END = _NOT_LAST_ROW[CELLS - 9 : CELLS - 1].view(np.uint64)[0]
"""Likewise for the last eight but one."""
_THINGS = np.uint64(0xFEFEFEFEFEFEFEFE)
"""For eight cells: bits of which one is set where something other than the player is."""
_ONE_CELL = np.uint64(8)


@inline_kernel
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
    """Note every cell where the next thing goes, so that there is no branch to foresee."""
    for i in range(first, last):
        look, place = objects.cells[i], things.count
        things.look[place] = look
        things.x[place] = i // HEIGHT
        things.y[place] = i % HEIGHT
        things.count = place + (look > PLAYER)


@inline_kernel
def shift(before: Any, after: Any, dx: int, dy: int) -> int:
    """Whether the player moved in a direction, by comparing the materials in view.

    While it moves, nothing but an arrow changes a cell, and only from table or furnace to path.
    """
    stayed = _unchanged(before, after) or _broken_only(before, after, 0, 0)
    moved = _moved(before, after, dx, dy) or _broken_only(before, after, dx, dy)
    if stayed == moved:
        return UNCLEAR
    return MOVED if moved else STAYED


@inline_kernel
def _unchanged(before: Any, after: Any) -> bool:
    differing = before.last ^ after.last
    for i in range(WORDS):
        differing |= before.words[i] ^ after.words[i]
    return bool(differing == 0)


@kernel
def _moved(before: Any, after: Any, dx: int, dy: int) -> bool:
    """Whether a view is what the one before it becomes by a step."""
    if dx > 0:
        return _by_a_column(before, after)
    if dx < 0:
        return _by_a_column(after, before)
    return _by_a_row(before, after) if dy > 0 else _by_a_row(after, before)


@kernel
def _by_a_column(left: Any, right: Any) -> bool:
    """Whether a view is what another becomes by a step to the right."""
    differing = np.uint64(0)
    for i in range(WORDS):
        differing |= left.from_column[i] ^ right.words[i]
    return bool(differing == 0)


@kernel
def _by_a_row(upper: Any, lower: Any) -> bool:
    """Whether a view is what another becomes by a step down."""
    differing = (upper.last ^ lower.before_last) & _UPPER_END
    for i in range(WORDS):
        differing |= (upper.from_second[i] ^ lower.words[i]) & _UPPER[i]
    return bool(differing == 0)


@kernel
def _broken_only(before: Any, after: Any, dx: int, dy: int) -> bool:
    """Whether cells differ, after a step, by nothing but what arrows may have done."""
    for x in range(max(0, -dx), WIDTH - max(0, dx)):
        for y in range(max(0, -dy), HEIGHT - max(0, dy)):
            old, new = before.cells[cell(x + dx, y + dy)], after.cells[cell(x, y)]
            if old != new and not (old in (TABLE, FURNACE) and new == PATH):
                return False
    return True


@inline_kernel
def find_dangers(step: Any, things: Any, known: Any) -> None:
    """Note in ``step`` what could attack, and how many arrows could hit.

    A creature moves by one cell at most and hits what is then beside it, so it comes from within
    two cells; an arrow comes from one beside the player. The player acts first. Where it is unclear
    if it moved, both places count.
    """
    for who in range(len(step.near)):
        step.near[who] = 0
    for who in range(len(step.others)):
        step.others[who] = 0
    step.arrows = 0
    dx, dy = (0, 0) if step.shift == STAYED else (step.dx, step.dy)
    for i in range(things.count):
        x, y = things.x[i] - COLUMN, things.y[i] - ROW
        far = abs(x - dx) + abs(y - dy)
        if step.shift == UNCLEAR:
            far = min(far, abs(x) + abs(y))
        if known.shots and is_shot(known, things.look[i]):
            step.arrows += far <= MOST_SPEED
            if far <= MOST_SPEED and things.look[i] > LARGEST_LOOK:
                step.others[things.look[i] - LARGEST_LOOK - 1] += 1
        elif far <= 2:
            who = being(things.look[i])
            if who != NO_BEING:
                step.near[who] += 1
            elif things.look[i] > LARGEST_LOOK:
                step.others[things.look[i] - LARGEST_LOOK - 1] += 1
            elif far <= 1 and kind(things.look[i]) == ARROW:
                step.arrows += 1
