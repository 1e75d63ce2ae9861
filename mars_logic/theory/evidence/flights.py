"""Signatures of projectiles: how they fly, what they do to cells, who shoots them.

Looks of arrows tell in which direction they fly. That of any projectile, and how far it has flown,
follows from where it was before, or what may have shot it.
"""

from __future__ import annotations

from typing import Any, Final

from mars_logic.compiled.kernel import kernel
from mars_logic.theory.evidence.codes import (
    DO,
    PLAYER,
    cell,
    in_view,
    is_shot,
    lives,
    moves,
    own_being,
    shot_number,
    way_of_arrow,
)
from mars_logic.theory.evidence.influence import is_pushed, may_be_changed
from mars_logic.theory.evidence.layout import (
    CELLS,
    FURTHER,
    HEIGHT,
    MOVED,
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
    SHOOTER,
    SHOOTING,
    SHOT_BY,
    SURE,
    UNKNOWN_CELL,
    WAY_AFTER,
    WAY_MATERIALS,
)
from mars_logic.theory.evidence.packing import emit, emit_held, head
from mars_logic.theory.evidence.surroundings import COLUMN, ROW
from mars_logic.world import names
from mars_logic.world.projectile_rules import FARTHEST_FLIGHT, MOST_SPEED

_VITALS: Final = len(names.VITALS)
_ANY: Final = FARTHEST_FLIGHT
"""Cells that it may have flown at most."""


@kernel
def begin_courses(courses: Any, objects: Any, late: int) -> None:
    """Note what is known at the beginning of an episode: creatures have lost no health."""
    for i in range(CELLS):
        _forget(courses, i)
        courses.whole[i] = 1 if late == 0 and lives(objects.cells[i]) else 0


@kernel
def _forget(courses: Any, i: int) -> None:
    """Note that nothing is known of what is on a cell."""
    courses.way[i] = 0
    courses.least[i] = 0
    courses.most[i] = _ANY
    courses.mine[i] = 0
    courses.hits[i] = 0
    courses.by[i] = 0
    courses.whole[i] = 0


@kernel
def see_shots(step: Any, known: Any, courses: Any, objects: Any) -> None:
    """Note in ``step`` the projectiles right in front of the player: these hit, whatever they are.

    Args:
        step: The transition.
        known: What the names say.
        courses: COURSES_DTYPE: what is known of those in view.
        objects: The objects in view before it.
    """
    step.sure = 0
    if step.went == UNCLEAR:
        return
    place_x, place_y = place_of(step)
    for side in range(len(SIDES)):
        i = cell(place_x - SIDES[side][0], place_y - SIDES[side][1])
        if is_shot(known, objects.cells[i]) and courses.way[i] == side + 1:
            step.sure += 1 << SURE[0].width * shot_number(known, objects.cells[i])


@kernel
def place_of(step: Any) -> tuple[int, int]:
    """Where the player is after its action, in the view before."""
    moved = step.went == MOVED
    return COLUMN + (step.dx if moved else 0), ROW + (step.dy if moved else 0)


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
    ahead = _is_ahead(step, x, y)
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
def lives_there(known: Any, objects: Any, i: int) -> bool:
    """Whether there is a creature on a cell."""
    return lives(objects.cells[i]) and not is_shot(known, objects.cells[i])


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


@kernel
def follow_shots(
    news: Any,
    step: Any,
    known: Any,
    courses: Any,
    courses_after: Any,
    objects: Any,
    objects_after: Any,
    spent: bool,
) -> None:
    """Note where projectiles fly that are in view in the end, and which creatures shot.

    Args:
        news: Signatures of those that shot are added to it.
        step: The transition.
        known: What the names say.
        courses: COURSES_DTYPE: what was known before.
        courses_after: Likewise of the view afterwards; is filled in.
        objects: The objects in view before.
        objects_after: Those afterwards.
        spent: Whether the player used up anything, so that it surely shot if it tried to.
    """
    for i in range(CELLS):
        _forget(courses_after, i)
        courses_after.way[i] = way_of_arrow(objects_after.cells[i])
    if step.went == UNCLEAR:
        return
    place_x, place_y = place_of(step)
    for x in range(WIDTH):
        for y in range(HEIGHT):
            i = cell(x, y)
            if is_shot(known, objects_after.cells[i]):
                at_x, at_y = x + place_x - COLUMN, y + place_y - ROW
                look = objects_after.cells[i]
                if spent and step.deed == SHOOTS and _is_ahead(step, at_x, at_y):
                    courses_after.way[i] = _way(step.dx, step.dy)
                    courses_after.most[i], courses_after.mine[i] = 0, 1
                    continue
                _follow(news, step, known, courses, courses_after, objects, look, at_x, at_y, i)


@kernel
def _follow(
    news: Any,
    step: Any,
    known: Any,
    courses: Any,
    found: Any,
    objects: Any,
    look: int,
    x: int,
    y: int,
    i: int,
) -> None:
    """Note all that may be true of one that is at (x, y) of the view before."""
    number, directed = shot_number(known, look), way_of_arrow(look)
    least, most, mine, only, ways, explained = _ANY, 0, True, 0, 0, 0
    for side in range(len(SIDES)):
        way = side + 1
        if directed and directed != way:
            continue
        wx, wy = SIDES[side]
        before_it = explained
        for n in range(1, MOST_SPEED + 1):
            at_x, at_y = x - n * wx, y - n * wy
            j = cell(at_x, at_y)
            if not in_view(at_x, at_y):
                least, most, mine, explained = 0, _ANY, False, explained + 1
            elif shot_number(known, objects.cells[j]) == number and courses.way[j] in (0, way):
                least, most = min(least, courses.least[j] + n), max(most, courses.most[j] + n)
                mine = mine and courses.mine[j] != 0
                explained += 1
        if not in_view(x - wx, y - wy):
            least, mine, explained = 0, False, explained + 1
        elif lives_there(known, objects, cell(x - wx, y - wy)):
            least, mine, explained = 0, False, explained + 1
            only = 1 + own_being(objects.cells[cell(x - wx, y - wy)])
        if step.deed == SHOOTS and _is_ahead(step, x, y) and wx == step.dx and wy == step.dy:
            least, explained = 0, explained + 1
        if explained > before_it:
            ways += 1
            found.way[i] = way
    if ways != 1:
        found.way[i] = directed
    if explained:
        found.least[i], found.most[i] = least, min(most, _ANY)
        found.mine[i] = 1 if mine else 0
    if explained == 1 and only:
        first = head(news, FURTHER, only - 1, 0, 0, 0) | SHOOTER << FURTHER_KIND.shift
        emit(news, first, number << SHOT_BY.shift, 0)


@kernel
def _is_ahead(step: Any, x: int, y: int) -> bool:
    """Whether a cell is the one that the player faces."""
    return bool(x == COLUMN + step.dx and y == ROW + step.dy)


@kernel
def _way(dx: int, dy: int) -> int:
    """The number of a direction, from 1 on."""
    for side in range(len(SIDES)):
        if SIDES[side][0] == dx and SIDES[side][1] == dy:
            return side + 1
    return 0


@kernel
def spends(before: Any, after: Any) -> bool:
    """Whether there is less of any item afterwards."""
    for item in range(_VITALS, len(before.amounts)):
        if after.amounts[item] < before.amounts[item]:
            return True
    return False
