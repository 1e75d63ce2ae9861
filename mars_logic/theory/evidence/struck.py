"""Signatures of creatures that shots of the player hit, which leave the map at once if killed."""

from __future__ import annotations

from typing import Any

from mars_logic.compiled.kernel import kernel
from mars_logic.theory.evidence.codes import (
    DO,
    balanced,
    cell,
    in_view,
    is_shot,
    own_being,
    shot_number,
)
from mars_logic.theory.evidence.courses import lives_there, place_of
from mars_logic.theory.evidence.flights import is_raked
from mars_logic.theory.evidence.layout import FURTHER, HEIGHT, SIDES, UNCLEAR, WIDTH
from mars_logic.theory.evidence.own_layout import (
    DIED,
    FURTHER_KIND,
    HITS,
    SHOT_BY,
    STRUCK,
    WHOLE,
)
from mars_logic.theory.evidence.packing import emit, head
from mars_logic.theory.evidence.surroundings import COLUMN, ROW

_MOST_HITS = (1 << HITS.width) - 1
_NOWHERE = -1


@kernel
def tell_struck(
    news: Any,
    step: Any,
    known: Any,
    courses: Any,
    courses_after: Any,
    objects: Any,
    objects_after: Any,
) -> None:
    """Creatures that a shot of the player hit; those in view are followed, with their hits.

    Args:
        news: The signatures are added to it.
        step: The transition.
        known: What the names say.
        courses: COURSES_DTYPE: what is known of things in view before.
        courses_after: Likewise of those in view afterwards; is filled in.
        objects: The objects in view before.
        objects_after: Those afterwards.
    """
    if step.went == UNCLEAR:
        return
    place_x, place_y = place_of(step)
    left, up = place_x - COLUMN, place_y - ROW
    for x in range(WIDTH):
        for y in range(HEIGHT):
            if lives_there(known, objects_after, cell(x, y)):
                _follow(news, step, known, courses, courses_after, objects, objects_after,
                        x, y, left, up)  # fmt: skip
            if lives_there(known, objects, cell(x, y)):
                shot = _hitter(known, courses, objects, x, y)
                if shot >= 0 and courses.whole[cell(x, y)] != 0 and not balanced(step.number):
                    gone = _near(objects_after, objects.cells[cell(x, y)], x - left, y - up) == 0
                    number = shot_number(known, objects.cells[shot])
                    same = courses.by[cell(x, y)] in (0, number + 1)
                    if gone and same and _is_safe(step, known, objects, x, y, shot):
                        _tell(news, courses, cell(x, y), objects.cells[cell(x, y)], number, 1)


@kernel
def _follow(
    news: Any,
    step: Any,
    known: Any,
    courses: Any,
    courses_after: Any,
    objects: Any,
    objects_after: Any,
    x: int,
    y: int,
    left: int,
    up: int,
) -> None:
    """Note what is known of the creature at (x, y) of the view afterwards."""
    i = cell(x, y)
    look = objects_after.cells[i]
    before = _near(objects, look, x + left, y + up)
    if before == 0:  # it has just come
        raked = is_raked(known, objects, x + left, y + up, _NOWHERE, False)
        courses_after.whole[i] = 0 if raked else 1
    if before != 1 or balanced(step.number):
        return
    was_x, was_y = _found(objects, look, x + left, y + up)
    if _near(objects_after, look, was_x - left, was_y - up) != 1:
        return
    j = cell(was_x, was_y)
    courses_after.hits[i], courses_after.by[i] = courses.hits[j], courses.by[j]
    stayed = was_x == x + left and was_y == y + up
    shot = _hitter(known, courses, objects, was_x, was_y) if stayed else _NOWHERE
    whole = courses.whole[j] != 0 and _is_safe(step, known, objects, was_x, was_y, shot)
    if not stayed:
        whole = whole and not is_raked(known, objects, x + left, y + up, _NOWHERE, False)
    courses_after.whole[i] = 1 if whole else 0
    if shot >= 0:
        number = shot_number(known, objects.cells[shot])
        if courses.by[j] not in (0, number + 1):
            courses_after.hits[i], courses_after.whole[i] = 0, 0
        courses_after.hits[i] = min(courses_after.hits[i] + 1, _MOST_HITS)
        courses_after.by[i] = number + 1
        _tell(news, courses_after, i, look, number, 0)


@kernel
def _tell(news: Any, courses: Any, i: int, look: int, number: int, died: int) -> None:
    second = number << SHOT_BY.shift | courses.hits[i] << HITS.shift | died << DIED.shift
    second |= courses.whole[i] << WHOLE.shift
    first = head(news, FURTHER, own_being(look), 0, 0, 0) | STRUCK << FURTHER_KIND.shift
    emit(news, first, second, 0)


@kernel
def _near(objects: Any, look: int, x: int, y: int) -> int:
    """How many things with a look are on a cell and beside it; -1 if not all that is in view."""
    if not in_view(x, y):
        return -1
    found = 1 if objects.cells[cell(x, y)] == look else 0
    for dx, dy in SIDES:
        if not in_view(x + dx, y + dy):
            return -1
        found += objects.cells[cell(x + dx, y + dy)] == look
    return int(found)


@kernel
def _found(objects: Any, look: int, x: int, y: int) -> tuple[int, int]:
    """Where the only one is."""
    for dx, dy in SIDES:
        if objects.cells[cell(x + dx, y + dy)] == look:
            return x + dx, y + dy
    return x, y


@kernel
def _hitter(known: Any, courses: Any, objects: Any, x: int, y: int) -> int:
    """The cell of the one shot of the player that flies at a creature beside it; -1 without one."""
    found = _NOWHERE
    for side in range(len(SIDES)):
        at_x, at_y = x - SIDES[side][0], y - SIDES[side][1]
        if in_view(at_x, at_y) and is_shot(known, objects.cells[cell(at_x, at_y)]):
            j = cell(at_x, at_y)
            if found >= 0 or courses.way[j] != side + 1 or not courses.mine[j]:
                return _NOWHERE
            found = j
    return found


@kernel
def _is_safe(step: Any, known: Any, objects: Any, x: int, y: int, shot: int) -> bool:
    """Whether nothing but a shot can have taken health from a creature."""
    struck = step.action == DO and x == COLUMN + step.dx and y == ROW + step.dy
    return not struck and not is_raked(known, objects, x, y, shot, False)
