"""Signatures of creature behaviour: movement, shots, and attacks that did not occur."""

from __future__ import annotations

from typing import Any

from mars_logic.compiled.kernel import inline_kernel, kernel
from mars_logic.theory.evidence.codes import (
    ARROW,
    DO,
    NO_BEING,
    PLAYER,
    RIPE_PLANT,
    balanced,
    being,
    cell,
    has_rules,
    in_view,
    is_creature,
    kind,
    liquid,
    moves,
)
from mars_logic.theory.evidence.layout import (
    EATS,
    HEIGHT,
    MOTION,
    MOVED,
    MOVED_ON,
    PLACES,
    SHOT,
    SIDES,
    UNHARMED,
    WAY,
    WENT,
    WIDTH,
    ZERO,
)
from mars_logic.theory.evidence.packing import emit, head
from mars_logic.theory.evidence.surroundings import COLUMN, ROW
from mars_logic.world import names
from mars_logic.world.dialect import ATTACK_PAUSE, MAXIMUM

_HEALTH = names.ITEMS.index("health")
_LONG_AGO = -2


@kernel
def begin_watch(watch: Any) -> None:
    """Forget all observed creatures."""
    watch.full = -1
    for side in range(len(SIDES)):
        watch.kind[side] = 0
        watch.since[side] = 0
        watch.last[side] = _LONG_AGO


@inline_kernel
def tell_arrivals(news: Any, step: Any, known: Any, before: Any, things: Any) -> None:
    """New arrows, and creatures that changed their place.

    Args:
        news: The signatures are added to it.
        step: The transition.
        known: What the names say; of creatures that act by cases, these signatures tell nothing.
        before: The objects in view.
        things: Those in view afterwards.
    """
    dx, dy = (step.dx, step.dy) if step.shift == MOVED else (0, 0)
    for i in range(things.count):
        x, y = things.x[i] + dx, things.y[i] + dy  # in the view before
        if not (0 < x < WIDTH - 1 and 0 < y < HEIGHT - 1):
            continue  # it may have come from out of view
        look = things.look[i]
        if kind(look) == ARROW:
            if not known.living:
                _tell_shot(news, before, x, y)
        elif is_creature(look) and not by_cases(known, look) and before.cells[cell(x, y)] != look:
            faced = x == COLUMN + step.dx and y == ROW + step.dy
            if not balanced(step.number) and not (step.action == DO and faced):
                emit(news, head(news, MOVED_ON, being(look), 0, 0, 0), 0, 0)


@kernel
def by_cases(known: Any, look: int) -> bool:
    """Whether a creature of the dialects acts by cases."""
    return bool((known.behaving >> being(look)) & 1)


@kernel
def _tell_shot(news: Any, before: Any, x: int, y: int) -> None:
    """An arrow is at a place; it is new if there was none beside."""
    beside = 0
    for dx, dy in SIDES:
        look = before.cells[cell(x + dx, y + dy)]
        if kind(look) == ARROW:
            return
        if being(look) != NO_BEING:
            beside |= 1 << being(look)
    emit(news, SHOT, beside, 0)


@inline_kernel
def tell_motions(
    news: Any, step: Any, known: Any, materials: Any, before: Any, after: Any, things: Any
) -> None:
    """How creatures moved that nothing hindered: they are alone, on ground all of one kind.

    Args:
        news: The signatures are added to it.
        step: The transition.
        known: What the names say, as above.
        materials: The view before.
        before: The objects in it.
        after: The objects in view afterwards.
        things: Those in view before.
    """
    for i in range(things.count):
        x, y, look = things.x[i], things.y[i], things.look[i]
        if is_creature(look) and not by_cases(known, look) and is_alone(step, before, x, y):
            ground = materials.cells[cell(x - 1, y)]
            same = has_rules(ground)
            for dx, dy in SIDES:
                same = same and materials.cells[cell(x + dx, y + dy)] == ground
            if same:
                _tell_motion(news, step, ground, look, after, x, y)


@kernel
def is_alone(step: Any, objects: Any, x: int, y: int) -> bool:
    """Whether nothing is within two cells of a creature, and nobody will act beside it."""
    if not (2 <= x < WIDTH - 2 and 2 <= y < HEIGHT - 2):
        return False
    if abs(x - COLUMN) + abs(y - ROW) < 2:
        return False
    upon = step.action == DO or step.deed == PLACES or step.shift == MOVED
    if upon and abs(x - COLUMN - step.dx) + abs(y - ROW - step.dy) < 2:
        return False
    for dx in range(-2, 3):
        for dy in range(abs(dx) - 2, 3 - abs(dx)):
            if objects.cells[cell(x + dx, y + dy)] > PLAYER and (dx or dy):
                return False
    return True


@kernel
def where_it_went(after: Any, look: int, x: int, y: int) -> int:
    """Where a creature went: left, right, up, down (0 to 3), or nowhere (4).

    Args:
        after: The objects in view afterwards.
        look: Its code.
        x: The column where it was, in that view.
        y: The row.

    Returns:
        -1 if not all of these places are in view, or not exactly one of them has such a creature.
    """
    found, went = 0, 0
    for place in range(len(SIDES) + 1):
        dx, dy = SIDES[place] if place < len(SIDES) else (0, 0)
        if not in_view(x + dx, y + dy):
            return -1
        if after.cells[cell(x + dx, y + dy)] == look:
            found += 1
            went = place
    return went if found == 1 else -1


@kernel
def _tell_motion(news: Any, step: Any, ground: int, look: int, after: Any, x: int, y: int) -> None:
    """Where a creature went, if all places it may have gone to are still in view."""
    shift_x, shift_y = (step.dx, step.dy) if step.shift == MOVED else (0, 0)
    went = where_it_went(after, look, x - shift_x, y - shift_y)
    if went >= 0:
        way_x, way_y = COLUMN + shift_x - x, ROW + shift_y - y
        third = (way_x + ZERO) << WAY[0].shift | (way_y + ZERO) << WAY[1].shift
        first = head(news, MOTION, being(look), ground, 0, 0)
        emit(news, first, 0, third | went << WENT.shift)


@inline_kernel
def tell_unharmed(
    news: Any, step: Any, watch: Any, before: Any, after: Any, had: Any, has: Any
) -> None:
    """Creatures that stood beside the player for so long that they would have hit it.

    Args:
        news: The signatures are added to it.
        step: The transition, in which the player stayed.
        watch: Who has spared it so far; is changed.
        before: The objects in view.
        after: The objects in view afterwards.
        had: What the player had.
        has: What it had afterwards.
    """
    t = step.number
    health = had.amounts[_HEALTH] + step.recovery
    if health >= MAXIMUM:
        watch.full = t
    lives = health > 0  # of the dead, it cannot be seen what they died of
    quiet = lives and _quiet(step, after) and has.amounts[_HEALTH] == min(MAXIMUM, health)
    for side in range(len(SIDES)):
        x, y = COLUMN + SIDES[side][0], ROW + SIDES[side][1]
        look = before.cells[cell(x, y)]
        spares = quiet and (is_creature(look) or look == RIPE_PLANT)
        if not spares or after.cells[cell(x, y)] != look or not _alone(before, x, y):
            watch.kind[side] = 0
            continue
        if watch.kind[side] != look or watch.last[side] != t - 1:
            watch.since[side] = t
        watch.kind[side] = look
        watch.last[side] = t
        if t - watch.since[side] >= ATTACK_PAUSE:
            healing = 1 if watch.full < t - ATTACK_PAUSE else 0
            emit(news, head(news, UNHARMED, being(look), 0, 0, healing), 0, 0)


@kernel
def _alone(objects: Any, x: int, y: int) -> bool:
    """Whether no other of its kind is beside a creature."""
    others = 0
    for dx, dy in SIDES:
        others += objects.cells[cell(x + dx, y + dy)] == objects.cells[cell(x, y)]
    return others == 0


@kernel
def _quiet(step: Any, after: Any) -> bool:
    """Whether nothing but one creature could have changed health."""
    near = step.near[0] + step.near[1] + step.near[2] + step.near[3]
    if near != 1 or step.arrows or step.clouded:
        return False
    if step.action != DO:
        return not moves(step.action) and step.deed != EATS
    if step.object:
        ahead = after.cells[cell(COLUMN + step.dx, ROW + step.dy)]
        return is_creature(step.object) and ahead == step.object
    return not liquid(step.target)
