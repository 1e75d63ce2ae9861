"""Signatures of cells that are pushed, or change by themselves.

Of each cell that stays in view, what was beside it and for how long it had its material is known
as far as it was seen. Where the player, a creature or a projectile may have changed a cell first,
it is no evidence, and beside others it may be anything.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from mars_logic.compiled.kernel import kernel
from mars_logic.theory.evidence.codes import cell, in_view, moves
from mars_logic.theory.evidence.influence import may_be_hit, may_differ
from mars_logic.theory.evidence.layout import (
    FURTHER,
    HEIGHT,
    MOVED,
    SIDES,
    STAYED,
    UNCLEAR,
    WIDE,
    WIDTH,
)
from mars_logic.theory.evidence.own_layout import (
    AHEAD,
    BEHIND,
    CHANGE,
    DARKNESS,
    FURTHER_KIND,
    GROUND,
    LEAST_AGE,
    MOST_AGE,
    PUSHING,
    SEEN,
    TAKEN,
    UNSURE,
)
from mars_logic.theory.evidence.packing import emit, head
from mars_logic.theory.evidence.surroundings import COLUMN, ROW
from mars_logic.world.cell_rules import MOST_STEPS

_OLDEST: Final = MOST_STEPS
"""At greater ages all timers are due."""
_PAIR: Final = AHEAD[1].shift - AHEAD[0].shift
"""Bits for the materials of both cells of a push."""


@kernel
def begin_ages(ages: Any, steps: int) -> None:
    """Note how old cells are after so many steps of an episode."""
    for i in range(len(ages.least)):
        ages.least[i] = 0
        ages.most[i] = steps


@kernel
def tell_cells(
    news: Any,
    step: Any,
    known: Any,
    own_after: Any,
    ages: Any,
    ages_after: Any,
    before: Any,
    after: Any,
    objects: Any,
) -> None:
    """What became of the cells in view, and how old they are afterwards.

    Args:
        news: The signatures are added to it.
        step: The transition.
        known: What the names say.
        own_after: OWN_DTYPE: the moment after it.
        ages: AGES_DTYPE: those of the cells in the view before.
        ages_after: AGES_DTYPE: those of the cells in view afterwards; is filled in.
        before: The materials in view.
        after: The materials in view afterwards.
        objects: The objects in view before.
    """
    dx, dy = (step.dx, step.dy) if step.went == MOVED else (0, 0)
    darkness = (1 if own_after.night else 0) << DARKNESS.shift
    for x in range(WIDTH):
        for y in range(HEIGHT):
            at_x, at_y, i = x + dx, y + dy, cell(x, y)
            if step.went == UNCLEAR or not in_view(at_x, at_y):
                ages_after.least[i] = 0
                ages_after.most[i] = min(_OLDEST, step.number + 1)
                continue
            j = cell(at_x, at_y)
            least, most = ages.least[j], ages.most[j]
            changed = before.cells[j] != after.cells[i]
            touched = may_differ(step, known, before, objects, at_x, at_y)
            if not touched and _is_evidence(known, before.cells[j], changed):
                first, third = _ages(known, before.cells[j], after.cells[i], least, most)
                certain, unsure = _beside(step, known, before, objects, at_x, at_y)
                emit(news, first, int(certain), third | darkness | unsure << UNSURE.shift)
            ages_after.least[i] = 0 if touched or changed else min(_OLDEST, least + 1)
            ages_after.most[i] = min(_OLDEST, most + 1)
            if changed:
                ages_after.most[i] = 1 if touched else 0


@kernel
def _is_evidence(known: Any, was: int, changed: bool) -> bool:
    """Whether a cell is on the map, and can have changed if it did."""
    return bool(was != 0 and (not changed or _has(known.changing, was)))


@kernel
def _has(materials: np.uint64, material: int) -> bool:
    """Whether a material is in a set."""
    return bool((materials >> np.uint64(material)) & np.uint64(1))


@kernel
def _ages(known: Any, was: int, now: int, least: int, most: int) -> tuple[int, int]:
    """The first word of a signature, and the part of the third that tells ages.

    Of a cell that stayed, it does not matter how old it can be at most; and of one that changes at
    any age, ages are told roughly, so that there are fewer signatures.
    """
    if was == now or not _has(known.timed, was):
        most = _OLDEST
    if not _has(known.timed, was):
        least = _rounded(least)
    first = FURTHER | CHANGE << FURTHER_KIND.shift
    first |= was << WIDE.subject.shift | now << WIDE.left.shift
    return first, least << LEAST_AGE.shift | most << MOST_AGE.shift


@kernel
def _rounded(age: int) -> int:
    """The greatest number below a power of two that is at most an age."""
    power = 1
    while 2 * power <= age + 1:
        power *= 2
    return _OLDEST if age >= _OLDEST else power - 1


@kernel
def _beside(
    step: Any, known: Any, before: Any, objects: Any, x: int, y: int
) -> tuple[np.uint64, int]:
    """The materials that are surely beside a cell, and whether (1) there may be others."""
    certain, unsure = np.uint64(0), 0
    for dx, dy in SIDES:
        at_x, at_y = x + dx, y + dy
        if not in_view(at_x, at_y) or may_differ(step, known, before, objects, at_x, at_y):
            unsure = 1
        else:
            certain |= np.uint64(1) << np.uint64(before.cells[cell(at_x, at_y)])
    return certain, unsure


@kernel
def tell_push(news: Any, step: Any, known: Any, before: Any, after: Any, objects: Any) -> None:
    """What became of the cell that a move is directed at, and of the one behind it.

    Args:
        news: The signature is added to it.
        step: The transition.
        known: What the names say.
        before: The materials in view.
        after: The materials in view afterwards.
        objects: The objects in view before.
    """
    if not moves(step.action) or step.object != 0 or step.target == 0:
        return
    x, y = COLUMN + step.dx, ROW + step.dy
    far_x, far_y = x + step.dx, y + step.dy
    if may_be_hit(known, before, objects, x, y) or may_be_hit(known, before, objects, far_x, far_y):
        return
    taken = 1 if objects.cells[cell(far_x, far_y)] != 0 else 0
    second = before.cells[cell(far_x, far_y)] << GROUND.shift | taken << TAKEN.shift
    third = 0
    for moved in range(2):
        if step.went == UNCLEAR or step.went == (MOVED if moved else STAYED):
            dx, dy = (step.dx, step.dy) if moved else (0, 0)
            second |= 1 << (SEEN[0].shift + moved)
            pair = after.cells[cell(x - dx, y - dy)] << AHEAD[0].shift
            pair |= after.cells[cell(far_x - dx, far_y - dy)] << BEHIND[0].shift
            third |= pair << _PAIR * moved
    first = head(news, FURTHER, step.target, 0, 0, 0) | PUSHING << FURTHER_KIND.shift
    emit(news, first, second, third)
