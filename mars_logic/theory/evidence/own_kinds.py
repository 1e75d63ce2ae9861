"""Signatures of rules of kinds that Crafter lacks: added needs, hunting, harm by added creatures.

Such rules also change what other signatures may be taken from: cells change by themselves, so that
views tell less of whether the player moved, and of what it did to a cell.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mars_logic.compiled.kernel import inline_kernel, kernel
from mars_logic.theory.evidence.codes import (
    DO,
    cell,
    liquid,
    lives,
    moves,
    own_being,
)
from mars_logic.theory.evidence.influence import is_pushed, where_to
from mars_logic.theory.evidence.layout import (
    EATS,
    FURTHER,
    HARM,
    MOVED,
    NEED,
    PLACES,
    STAYED,
    UNCLEAR,
)
from mars_logic.theory.evidence.own_layout import (
    ALONE,
    EATEN,
    EMPTY,
    FURTHER_KIND,
    HUNTING,
    NIGHT,
    OTHERS,
    POINTS,
    STEP,
    SURE,
    TOUCHED,
)
from mars_logic.theory.evidence.packing import emit, emit_held, emit_more, head, health
from mars_logic.theory.evidence.surroundings import COLUMN, ROW
from mars_logic.world import names

_VITALS = len(names.VITALS)
_POSSIBLE, _IN_HAND, _WHEN = 3, 4, 5
"""The words of NEED."""
_NEAR, _STATE = 3, 4
"""The words of HARM."""


@inline_kernel
def see_own(step: Any, known: Any, own: Any, before: Any, after: Any, objects: Any) -> None:
    """Note in ``step`` what rules of such kinds may do to health, and what can be seen of a move.

    Args:
        step: The transition; whether the player moved may become unclear.
        known: What the names say.
        own: OWN_DTYPE: the moment before it.
        before: The materials in view.
        after: The materials in view afterwards.
        objects: The objects in view before.
    """
    step.empty = 0
    for need in range(known.needs):
        if own.points[need] <= 0:
            step.empty |= 1 << need
    step.touched = 0
    step.went = STAYED
    if moves(step.action):
        if step.object != 0 and lives(step.object):
            who = own_being(step.object)
            if (known.hunted >> who) & 1:
                step.touched = who + 1
        step.went = where_to(step, known, before, after, objects)
        step.shift = UNCLEAR if is_pushed(step, known) else step.went
    others = 0
    for who in range(len(step.others)):
        others += step.others[who]
    step.clouded = bool(step.empty or step.touched or others or (known.living and step.arrows))


@kernel
def tell_harm(news: Any, step: Any, known: Any, ground: int, before: Any, after: Any) -> None:
    """What became of health where added creatures and needs may have changed it.

    Without rules about projectiles, nothing where arrows may have hit, which any creature may have
    shot.

    Args:
        news: The signature is added to it.
        step: The transition.
        known: What the names say.
        ground: The material on which a move ended; 0 without one.
        before: What the player had.
        after: What it had afterwards.
    """
    if step.arrows and known.living and not known.shots:
        return
    emit(news, head(news, HARM, ground, 0, 0, 0), 0, health(step, before, after))
    near = 0
    for who in range(len(step.others)):
        near |= step.others[who] << OTHERS[0].width * who
    emit_more(news, _NEAR, near)
    state = step.empty << EMPTY.shift | step.touched << TOUCHED.shift
    emit_more(news, _STATE, state | (step.sure << SURE[0].shift if known.shots else 0))


@kernel
def tell_hunting(news: Any, who: int, killed: int, before: Any, after: Any) -> None:
    """What hitting a creature brought."""
    first = head(news, FURTHER, who, 0, killed, 0) | HUNTING << FURTHER_KIND.shift
    emit_held(news, first, 0, 0, before, after)


@kernel
def tell_needs(
    news: Any,
    step: Any,
    known: Any,
    own: Any,
    own_after: Any,
    t: int,
    before: Any,
    after: Any,
    materials: Any,
    materials_after: Any,
) -> None:
    """How the points of each added need changed.

    Args:
        news: The signatures are added to it.
        step: The transition.
        known: What the names say.
        own: OWN_DTYPE: the moment before it.
        own_after: OWN_DTYPE: the moment after it.
        t: Its number in the episode, from 0 on.
        before: What the player had.
        after: What it had afterwards.
        materials: The view before.
        materials_after: The view afterwards.
    """
    if step.shift == UNCLEAR and moves(step.action):
        return
    certain, possible = _around(step, known, materials, materials_after)
    moved = step.shift == MOVED and moves(step.action)
    ground = step.target if moved else materials.cells[cell(COLUMN, ROW)]
    in_hand = np.uint64(0)
    for item in range(_VITALS, len(after.amounts)):
        if after.amounts[item] > 0:
            in_hand |= np.uint64(1) << np.uint64(item)
    when = (t + 1) << STEP.shift | (1 if own_after.night else 0) << NIGHT.shift
    eats = step.deed == EATS and before.amounts[step.thing] > 0
    if eats:
        when |= (step.thing + 1) << EATEN.shift
    for need in range(known.needs):
        others = step.empty & ~(1 << need)
        alone = others == 0 and not eats and _is_idle(step)
        points = own.points[need] << POINTS[0].shift | own_after.points[need] << POINTS[1].shift
        first = head(news, NEED, need, ground, 0, 0)
        emit(news, first, int(certain), health(step, before, after) if alone else 0)
        emit_more(news, _POSSIBLE, int(possible))
        emit_more(news, _IN_HAND, int(in_hand))
        emit_more(news, _WHEN, when | points | (1 if alone else 0) << ALONE.shift)


@kernel
def _is_idle(step: Any) -> bool:
    """Whether neither the player's action nor any creature can have changed health."""
    near = step.near[0] + step.near[1] + step.near[2] + step.near[3]
    for who in range(len(step.others)):
        near += step.others[who]
    if near or step.arrows or moves(step.action):
        return False
    return step.action != DO or (step.object == 0 and not liquid(step.target))


@kernel
def _around(step: Any, known: Any, before: Any, after: Any) -> tuple[np.uint64, np.uint64]:
    """The materials on the player's cell and the eight around it: those surely there, and all.

    Needs change after the player acts and before anything else does: so cells are as they were,
    but for the one that the player may have changed.
    """
    certain, possible = np.uint64(0), np.uint64(0)
    acts = step.action == DO or step.deed == PLACES
    dx, dy = (step.dx, step.dy) if step.shift == MOVED else (0, 0)
    for x in range(COLUMN - 1, COLUMN + 2):
        for y in range(ROW - 1, ROW + 2):
            was = np.uint64(1) << np.uint64(before.cells[cell(x + dx, y + dy)])
            possible |= was
            if acts and x == COLUMN + step.dx and y == ROW + step.dy:
                possible |= np.uint64(1) << np.uint64(after.cells[cell(x, y)]) | known.changing
            else:
                certain |= was
    return certain, possible
