"""Signatures of creatures that act by cases: where one went that nothing hindered."""

from __future__ import annotations

from typing import Any

import numpy as np

from mars_logic.compiled.kernel import kernel
from mars_logic.theory.evidence.codes import balanced, cell, lives, moves, own_being
from mars_logic.theory.evidence.creatures import is_alone, where_it_went
from mars_logic.theory.evidence.influence import is_near_shot, is_pushed
from mars_logic.theory.evidence.layout import FURTHER, MOVED, SIDES, UNCLEAR, WAY, WENT, ZERO
from mars_logic.theory.evidence.own_layout import (
    ACT,
    DARK,
    FREE,
    FURTHER_KIND,
    GROUND_KNOWN,
    IN_HAND,
)
from mars_logic.theory.evidence.packing import emit, emit_more, head
from mars_logic.theory.evidence.surroundings import COLUMN, ROW
from mars_logic.world import names

_VITALS = len(names.VITALS)
_IN_HAND_WORD = IN_HAND.word


@kernel
def tell_acts(
    news: Any,
    step: Any,
    known: Any,
    own_after: Any,
    materials: Any,
    before: Any,
    after: Any,
    things: Any,
    items: Any,
) -> None:
    """Where creatures went that act by cases, and have no other thing within two cells.

    Args:
        news: The signatures are added to it.
        step: The transition.
        known: What the names say.
        own_after: OWN_DTYPE: the moment after it.
        materials: The materials in view before.
        before: The objects in view.
        after: The objects in view afterwards.
        things: Those in view before.
        items: What the player had afterwards.
    """
    if (
        step.went == UNCLEAR
        or balanced(step.number)
        or (moves(step.action) and is_pushed(step, known))
    ):
        return
    for i in range(things.count):
        x, y, look = things.x[i], things.y[i], things.look[i]
        if not lives(look) or not (known.behaving >> own_being(look)) & 1:
            continue
        if is_alone(step, before, x, y) and not (
            known.shots and _may_be_shot_at(known, before, x, y)
        ):
            _tell_act(news, step, known, own_after, materials, after, x, y, look, items)


@kernel
def _may_be_shot_at(known: Any, objects: Any, x: int, y: int) -> bool:
    """Whether a projectile may reach a cell beside a creature."""
    near = False
    for dx, dy in SIDES:
        near = near or is_near_shot(known, objects, x + dx, y + dy)
    return near


@kernel
def _tell_act(
    news: Any,
    step: Any,
    known: Any,
    own_after: Any,
    materials: Any,
    after: Any,
    x: int,
    y: int,
    look: int,
    items: Any,
) -> None:
    """One of them, if all places where it may have gone are still in view."""
    shift_x, shift_y = (step.dx, step.dy) if step.went == MOVED else (0, 0)
    went = where_it_went(after, look, x - shift_x, y - shift_y)
    if went < 0:
        return
    free, beside = 0, np.uint64(0)
    ground = known.ground[own_being(look)]
    for place in range(len(SIDES)):
        dx, dy = SIDES[place]
        bit = np.uint64(1) << np.uint64(materials.cells[cell(x + dx, y + dy)])
        beside |= bit
        free |= (1 if ground & bit else 0) << place
    in_hand = np.uint64(0)
    for item in range(_VITALS, len(items.amounts)):
        if items.amounts[item] > 0:
            in_hand |= np.uint64(1) << np.uint64(item)
    way_x, way_y = COLUMN + shift_x - x, ROW + shift_y - y
    third = (way_x + ZERO) << WAY[0].shift | (way_y + ZERO) << WAY[1].shift | went << WENT.shift
    third |= free << FREE.shift | (1 if ground else 0) << GROUND_KNOWN.shift
    third |= (1 if own_after.night else 0) << DARK.shift
    first = head(news, FURTHER, own_being(look), 0, 0, 0) | ACT << FURTHER_KIND.shift
    emit(news, first, int(beside), third)
    emit_more(news, _IN_HAND_WORD, int(in_hand))
