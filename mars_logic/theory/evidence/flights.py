"""Signatures of projectiles: how they fly and what they do to cells; and of the player's shots."""

from __future__ import annotations

from typing import Any

from mars_logic.compiled.kernel import kernel
from mars_logic.theory.evidence.codes import (
    DO,
    PLAYER,
    cell,
    in_view,
    is_shot,
    moves,
    shot_number,
    way_of_arrow,
)
from mars_logic.theory.evidence.courses import is_ahead, lives_there, place_of, spends
from mars_logic.theory.evidence.influence import is_pushed, may_be_changed
from mars_logic.theory.evidence.layout import (
    FURTHER,
    HEIGHT,
    PLACES,
    SHOOTS,
    SIDES,
    UNCLEAR,
    WIDTH,
)
from mars_logic.theory.evidence.own_layout import (
    BY_PLAYER,
    FLIGHT,
    FLOWN,
    FLYING_AT,
    FURTHER_KIND,
    ON_WAY,
    OPEN,
    SHOOTING,
    UNKNOWN_CELL,
    WAY_AFTER,
    WAY_MATERIALS,
)
from mars_logic.theory.evidence.packing import emit, emit_held, head
from mars_logic.theory.evidence.surroundings import COLUMN, ROW
from mars_logic.world.projectile_rules import MOST_SPEED


@kernel
def tell_shooting(
    news: Any, step: Any, known: Any, alone: bool, before: Any, after: Any, objects: Any
) -> None:
    """A try of the player to shoot onto a cell that nothing else can reach, or a sure shot.

    Args:
        news: The signature is added to it.
        step: The transition.
        known: What the names say.
        alone: Whether the player has no other shots in the air, so that nothing else is gained.
        before: What it had.
        after: What it had afterwards.
        objects: The objects in view before.
    """
    unsure = may_be_changed(known, objects, COLUMN + step.dx, ROW + step.dy)
    if step.object != 0 or (unsure and not spends(before, after)):
        return
    shot = 1 if is_shot(known, step.object_after) else 0
    first = head(news, FURTHER, step.thing, 0, 1 if alone else 0, shot)
    emit_held(news, first | SHOOTING << FURTHER_KIND.shift, step.target, 0, before, after)


@kernel
def tell_flights(
    news: Any,
    step: Any,
    known: Any,
    courses: Any,
    before: Any,
    after: Any,
    objects: Any,
    objects_after: Any,
) -> None:
    """What became of projectiles of which it is known where they fly.

    Args:
        news: The signatures are added to it.
        step: The transition.
        known: What the names say.
        courses: COURSES_DTYPE: what is known of those in view before.
        before: The materials in view.
        after: The materials in view afterwards.
        objects: The objects in view before.
        objects_after: Those afterwards.
    """
    if step.went == UNCLEAR:
        return
    for x in range(WIDTH):
        for y in range(HEIGHT):
            if is_shot(known, objects.cells[cell(x, y)]) and courses.way[cell(x, y)]:
                _tell_flight(
                    news, step, known, courses, before, after, objects, objects_after, x, y
                )


@kernel
def _tell_flight(
    news: Any,
    step: Any,
    known: Any,
    courses: Any,
    before: Any,
    after: Any,
    objects: Any,
    objects_after: Any,
    x: int,
    y: int,
) -> None:
    i = cell(x, y)
    look, way = objects.cells[i], courses.way[i]
    wx, wy = SIDES[way - 1]
    at = _landed(step, known, objects, objects_after, x, y, wx, wy)
    if at < 0:
        return
    second = at << FLYING_AT.shift
    second |= courses.least[i] << FLOWN[0].shift | courses.most[i] << FLOWN[1].shift
    for n in range(MOST_SPEED):
        there = UNKNOWN_CELL
        cx, cy = x + (n + 1) * wx, y + (n + 1) * wy
        if at == 0 or n < at:
            there = _on_way(step, known, before, after, objects, objects_after, cx, cy, i, at > 0)
        if n == 0 and there != OPEN:
            return
        second |= there << (ON_WAY[0].shift + n * ON_WAY[0].width)
        if there == OPEN:
            shift = n * WAY_MATERIALS[0].width
            now = _changed_to(step, known, after, objects, cx, cy, i)
            second |= before.cells[cell(cx, cy)] << (WAY_MATERIALS[0].shift + shift)
            second |= now << (WAY_AFTER[0].shift + shift)
    number = shot_number(known, look)
    emit(news, head(news, FURTHER, number, 0, 0, 0) | FLIGHT << FURTHER_KIND.shift, second, 0)


@kernel
def _landed(
    step: Any,
    known: Any,
    objects: Any,
    objects_after: Any,
    x: int,
    y: int,
    wx: int,
    wy: int,
) -> int:
    """How many cells on a projectile surely is; 0 if it is surely gone, -1 if that is unclear."""
    i = cell(x, y)
    look, number = objects.cells[i], shot_number(known, objects.cells[i])
    found = 0
    for n in range(1, MOST_SPEED + 1):
        cx, cy = x + n * wx, y + n * wy
        seen_x, seen_y = _seen(step, cx, cy)
        if not in_view(cx, cy) or not in_view(seen_x, seen_y):
            continue
        look_after = objects_after.cells[cell(seen_x, seen_y)]
        if shot_number(known, look_after) != number:
            continue
        if way_of_arrow(look) and way_of_arrow(look_after) != way_of_arrow(look):
            return -1
        if found or not _is_same(step, known, objects, x, y, wx, wy, n, way_of_arrow(look) > 0):
            return -1
        found = n
    return found


@kernel
def _is_same(
    step: Any, known: Any, objects: Any, x: int, y: int, wx: int, wy: int, n: int, directed: bool
) -> bool:
    """Whether no other projectile can be seen n cells on, or none that flies in this direction."""
    cx, cy, i = x + n * wx, y + n * wy, cell(x, y)
    if _player_acts_on(step, known, cx, cy):
        return False
    if not directed:
        return is_calm(known, objects, cx, cy) and not is_raked(known, objects, cx, cy, i, False)
    if n > 1:
        return bool(objects.cells[cell(x + wx, y + wy)] <= PLAYER)
    behind_x, behind_y = x - wx, y - wy
    return in_view(behind_x, behind_y) and not is_shot(
        known, objects.cells[cell(behind_x, behind_y)]
    )


@kernel
def _on_way(
    step: Any,
    known: Any,
    before: Any,
    after: Any,
    objects: Any,
    objects_after: Any,
    x: int,
    y: int,
    shot: int,
    passed: bool,
) -> int:
    """Whether a cell was surely OPEN when a projectile came, whether the player was there, or not.

    A cell that it passed had nothing on it. Where others may come from out of view, cells without a
    change, and without anything on them in the end, had nothing on them either.
    """
    if not in_view(x, y):
        return UNKNOWN_CELL
    place_x, place_y = place_of(step)
    if x == place_x and y == place_y:
        return BY_PLAYER
    if objects.cells[cell(x, y)] > PLAYER or _player_acts_on(step, known, x, y):
        return UNKNOWN_CELL
    seen_x, seen_y = _seen(step, x, y)
    if not in_view(seen_x, seen_y):
        return UNKNOWN_CELL
    calm = is_calm(known, objects, x, y)
    if calm and not is_raked(known, objects, x, y, shot, False):
        return OPEN
    same = before.cells[cell(x, y)] == after.cells[cell(seen_x, seen_y)] and known.changing == 0
    if passed:
        return OPEN if same else UNKNOWN_CELL
    empty = objects_after.cells[cell(seen_x, seen_y)] == 0
    calm = calm and not is_raked(known, objects, x, y, shot, True)
    return OPEN if calm and same and empty else UNKNOWN_CELL


@kernel
def _changed_to(step: Any, known: Any, after: Any, objects: Any, x: int, y: int, shot: int) -> int:
    """The material of a cell in the end, if nothing else can have changed it; else 0."""
    seen_x, seen_y = _seen(step, x, y)
    if is_calm(known, objects, x, y) and not is_raked(known, objects, x, y, shot, False):
        return int(after.cells[cell(seen_x, seen_y)])
    return 0


@kernel
def _seen(step: Any, x: int, y: int) -> tuple[int, int]:
    """Where a cell of the view before is in the view afterwards."""
    place_x, place_y = place_of(step)
    return x - place_x + COLUMN, y - place_y + ROW


@kernel
def _player_acts_on(step: Any, known: Any, x: int, y: int) -> bool:
    """Whether the player may change a cell, or put something on it."""
    ahead = is_ahead(step, x, y)
    if ahead and (step.action == DO or step.deed in (PLACES, SHOOTS)):
        return True
    behind = x == COLUMN + 2 * step.dx and y == ROW + 2 * step.dy
    return (ahead or behind) and moves(step.action) and is_pushed(step, known)


@kernel
def is_calm(known: Any, objects: Any, x: int, y: int) -> bool:
    """Whether no creature can walk onto a cell, shoot onto it, or graze it."""
    for dx, dy in SIDES:
        if not in_view(x + dx, y + dy) or lives_there(known, objects, cell(x + dx, y + dy)):
            return False
    return True


@kernel
def is_raked(known: Any, objects: Any, x: int, y: int, shot: int, seen_only: bool) -> bool:
    """Whether a projectile but the one on cell ``shot`` may reach a cell; or one that is seen."""
    for dx, dy in SIDES:
        for n in range(1, MOST_SPEED + 1):
            at_x, at_y = x + n * dx, y + n * dy
            if not in_view(at_x, at_y):
                if not seen_only:
                    return True
            elif cell(at_x, at_y) != shot and is_shot(known, objects.cells[cell(at_x, at_y)]):
                return True
    return False
