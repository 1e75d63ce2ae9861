"""Where projectiles in view fly, how far they have flown, and which creatures shot them.

Looks of arrows tell in which direction they fly. That of any projectile, and how far it has flown,
follows from where it was before, or what may have shot it.
"""

from __future__ import annotations

from typing import Any, Final

from mars_logic.compiled.kernel import kernel
from mars_logic.theory.evidence.codes import (
    cell,
    in_view,
    is_shot,
    lives,
    own_being,
    shot_number,
    way_of_arrow,
)
from mars_logic.theory.evidence.layout import (
    CELLS,
    FURTHER,
    HEIGHT,
    MOVED,
    SHOOTS,
    SIDES,
    UNCLEAR,
    WIDTH,
)
from mars_logic.theory.evidence.own_layout import (
    FURTHER_KIND,
    SHOOTER,
    SHOT_BY,
    SURE,
)
from mars_logic.theory.evidence.packing import emit, head
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
def lives_there(known: Any, objects: Any, i: int) -> bool:
    """Whether there is a creature on a cell."""
    return lives(objects.cells[i]) and not is_shot(known, objects.cells[i])


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
                if spent and step.deed == SHOOTS and is_ahead(step, at_x, at_y):
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
        if step.deed == SHOOTS and is_ahead(step, x, y) and wx == step.dx and wy == step.dy:
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
def is_ahead(step: Any, x: int, y: int) -> bool:
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
