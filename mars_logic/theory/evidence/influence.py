"""What may change a cell in a step before cells change by themselves, and where the player went.

In worlds with rules of kinds that Crafter lacks, so much happens at once that a view as a whole
does not show whether the player moved; cells that nothing else can have changed do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mars_logic.compiled.kernel import kernel
from mars_logic.theory.evidence.codes import (
    ARROW,
    DO,
    FURNACE,
    PATH,
    TABLE,
    cell,
    in_view,
    is_shot,
    kind,
    lives,
    moves,
)
from mars_logic.theory.evidence.layout import (
    HEIGHT,
    MOVED,
    PLACES,
    SIDES,
    STAYED,
    UNCLEAR,
    WIDTH,
)
from mars_logic.theory.evidence.surroundings import COLUMN, ROW
from mars_logic.world.projectile_rules import MOST_SPEED


@kernel
def is_pushed(step: Any, known: Any) -> bool:
    """Whether a move is directed at a material that can be pushed."""
    return bool((known.pushed >> np.uint64(step.target)) & np.uint64(1))


@kernel
def where_to(step: Any, known: Any, before: Any, after: Any, objects: Any) -> int:
    """Whether the player surely MOVED or surely STAYED in a move; else it is UNCLEAR.

    Args:
        step: The transition.
        known: What the names say.
        before: The materials in view.
        after: The materials in view afterwards.
        objects: The objects in view before.
    """
    may_stay = _fits(step, known, before, after, objects, 0, 0)
    if may_stay == _fits(step, known, before, after, objects, step.dx, step.dy):
        return UNCLEAR
    return STAYED if may_stay else MOVED


@kernel
def _fits(step: Any, known: Any, before: Any, after: Any, objects: Any, dx: int, dy: int) -> bool:
    """Whether all cells that changed, if the player went so far, can have changed."""
    for x in range(max(0, -dx), WIDTH - max(0, dx)):
        for y in range(max(0, -dy), HEIGHT - max(0, dy)):
            at_x, at_y = x + dx, y + dy
            old, new = before.cells[cell(at_x, at_y)], after.cells[cell(x, y)]
            if old == new or (known.changing >> np.uint64(old)) & np.uint64(1):
                continue
            if old in (TABLE, FURNACE) and new == PATH:
                continue
            if not may_differ(step, known, before, objects, at_x, at_y):
                return False
    return True


@kernel
def may_differ(step: Any, known: Any, before: Any, objects: Any, x: int, y: int) -> bool:
    """Whether a cell of the view before may have another material when cells change.

    The player may have changed it, a creature, or a projectile.
    """
    ahead = x == COLUMN + step.dx and y == ROW + step.dy
    if ahead and (step.action == DO or step.deed == PLACES):
        return True
    behind = x == COLUMN + 2 * step.dx and y == ROW + 2 * step.dy
    if (ahead or behind) and moves(step.action) and is_pushed(step, known):
        return True
    return may_be_hit(known, before, objects, x, y)


@kernel
def may_be_hit(known: Any, before: Any, objects: Any, x: int, y: int) -> bool:
    """Whether a creature or a projectile may change a cell of the view before."""
    if before.cells[cell(x, y)] in (TABLE, FURNACE) and _is_beside_arrow(objects, x, y):
        return True
    return may_be_changed(known, objects, x, y)


@kernel
def _is_beside_arrow(objects: Any, x: int, y: int) -> bool:
    """Whether an arrow is beside a cell, or may be so out of view."""
    for dx, dy in SIDES:
        if not in_view(x + dx, y + dy) or kind(objects.cells[cell(x + dx, y + dy)]) == ARROW:
            return True
    return False


@kernel
def _is_beside_life(objects: Any, x: int, y: int) -> bool:
    """Whether a creature is beside a cell, or may be so out of view."""
    for dx, dy in SIDES:
        if not in_view(x + dx, y + dy) or lives(objects.cells[cell(x + dx, y + dy)]):
            return True
    return False


@kernel
def may_be_changed(known: Any, objects: Any, x: int, y: int) -> bool:
    """Whether a creature or a projectile may change any cell of the view before.

    Without added creatures, cases and rules about projectiles, arrows alone change a cell: a table
    or a furnace.
    """
    if not known.living:
        return False
    return _is_beside_life(objects, x, y) or (known.shots and is_near_shot(known, objects, x, y))


@kernel
def is_near_shot(known: Any, objects: Any, x: int, y: int) -> bool:
    """Whether a projectile may reach a cell in a step, from within the view or without."""
    for dx, dy in SIDES:
        for n in range(1, MOST_SPEED + 1):
            at_x, at_y = x + n * dx, y + n * dy
            if not in_view(at_x, at_y) or is_shot(known, objects.cells[cell(at_x, at_y)]):
                return True
    return False
