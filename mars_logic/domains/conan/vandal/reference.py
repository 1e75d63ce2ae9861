"""The task vandal of the release, bit for bit: one turn, as a kernel.

The vandal keeps its own position and facing, a path from one subtask to the next, and a random
stream of its own. What it sees is the whole map and all objects.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from mars_logic.compiled.kernel import kernel
from mars_logic.domains.conan.codes import CODE
from mars_logic.domains.conan.vandal.log import LOG_DTYPE, Event, note
from mars_logic.domains.conan.vandal.programs import SubtaskKind
from mars_logic.domains.conan.vandal.routes import SEARCH_DTYPE, find_path, nearest
from mars_logic.sim.layout import STREAM_DTYPE
from mars_logic.sim.stream import below, seed_stream
from mars_logic.world.dialect import AREA

Array = Any
"""In annotations of kernels: an array."""
Vandal = Any
"""In annotations: one record of :data:`VANDAL_DTYPE`."""

VANDAL_DTYPE: Final = np.dtype(
    [
        ("x", np.int32),
        ("y", np.int32),
        ("facing_x", np.int32),
        ("facing_y", np.int32),
        ("plan", np.int32),
        ("subtask", np.int32),  # index of the current subtask in the plan, -1 before the first
        ("finished", np.bool_),
        ("path_at", np.int32),  # the path's next cell; path_end - path_at cells are left
        ("path_end", np.int32),
        ("path", np.int16, (AREA * AREA,)),
        ("stream", STREAM_DTYPE),
        ("search", SEARCH_DTYPE),
        ("log", LOG_DTYPE),
    ],
    align=True,
)
"""State of a vandal and its scratch memory."""

GROUND: Final = (
    ("code", np.uint8, (16, 16)),  # code of a material (first index) with a mark
    ("walkable", np.uint8, (len(CODE),)),
    ("placeable", np.uint8, (len(CODE), len(CODE))),
)
"""Fields of what every vandal knows of the rules."""

NOOP: Final = 0
DO: Final = 5
FAILED: Final = -1
"""What stands for an action where there is none."""
PATIENCE: Final = 20
"""Repetitions of a blocked step after which an attempt fails."""
SPREAD: Final = 9
"""Largest distance, along each axis, of a random place for a station."""
MOST_DRAWS: Final = 4000
"""Draws of a place after which an attempt fails: a supposed map may enclose the vandal."""
NEAR_PATH: Final = 5
"""A creature's path is renewed when fewer cells than these are left."""

_OPEN, _CLOSE, _GOTO = int(SubtaskKind.OPEN), int(SubtaskKind.CLOSE), int(SubtaskKind.GOTO)
_DO, _PLACE, _MAKE, _CHASE = (
    int(SubtaskKind.DO),
    int(SubtaskKind.PLACE),
    int(SubtaskKind.MAKE),
    int(SubtaskKind.CHASE),
)
_OPENED, _CLOSED = int(Event.OPEN), int(Event.CLOSE)
_DEAD = CODE["cow_dead"] - 2
"""What a creature's code is added to for the code of its remains: cow 2, zombie 3, skeleton 4."""


@kernel
def begin(vandal: Vandal, seed: int, first_plan: int, draws: bool, x: int, y: int) -> None:
    """Begin an attempt: draw the weapon and forget the attempt before.

    Args:
        vandal: The vandal.
        seed: Seed of its stream.
        first_plan: The task's plan without a weapon.
        draws: Whether the task draws a weapon.
        x: The player's column.
        y: The player's row.
    """
    seed_stream(vandal.stream, seed)
    vandal.plan = first_plan + (below(vandal.stream, 7) if draws else 0)
    vandal.x = x
    vandal.y = y
    vandal.facing_x = 1
    vandal.facing_y = 0
    vandal.subtask = -1
    vandal.finished = True
    vandal.path_at = 0
    vandal.path_end = 0
    vandal.log.size = 0


@kernel
def log_bracket(vandal: Vandal, step: int, bracket: int) -> None:
    """Note that a bracket is opened, or with -1 closed."""
    note(vandal.log, step, _OPENED if bracket >= 0 else _CLOSED, bracket, vandal.x, vandal.y, 0, -1)


@kernel
def _route(
    vandal: Vandal,
    codes: Array,
    objects: Array,
    walkable: Array,
    goal: int,
    extra: int,
    through: bool,
    cuts: bool,
) -> None:
    """Renew the path; once more through stone and trees if there is none and a pickaxe is held."""
    here = vandal.x * AREA + vandal.y
    vandal.path_at = 0
    vandal.path_end = 0
    if goal < 0:
        return
    search = vandal.search
    vandal.path_end = find_path(
        search, codes, objects, walkable, here, goal, extra, through, False, vandal.path
    )
    if vandal.path_end == 0 and cuts:
        vandal.path_end = find_path(
            search, codes, objects, walkable, here, goal, extra, through, True, vandal.path
        )


@kernel
def _faced(vandal: Vandal, grid: Array) -> int:
    x = vandal.x + vandal.facing_x
    y = vandal.y + vandal.facing_y
    if x < 0 or y < 0 or x >= AREA or y >= AREA:
        return 0
    return int(grid[x, y])


@kernel
def _move(vandal: Vandal, codes: Array, target: int) -> int:
    """Take a step of the path: return the action, + 100 if the movement is done."""
    if vandal.path_at >= vandal.path_end:
        return NOOP + 100
    cell = int(vandal.path[vandal.path_at])
    dx = cell // AREA - vandal.x
    dy = cell % AREA - vandal.y
    faced = dx == vandal.facing_x and dy == vandal.facing_y
    vandal.facing_x = dx
    vandal.facing_y = dy
    action = 1 if dx == -1 else 2 if dx == 1 else 3 if dy == -1 else 4
    if target >= 0 and codes[cell // AREA, cell % AREA] == target:
        return (NOOP if faced else action) + 100
    vandal.x += dx
    vandal.y += dy
    vandal.path_at += 1
    return action


@kernel
def act(
    vandal: Vandal,
    kinds: Array,
    targets: Array,
    actions: Array,
    codes: Array,
    objects: Array,
    walkable: Array,
    placeable: Array,
    cuts: bool,
    step: int,
) -> int:
    """The action of a turn, or ``FAILED``.

    Args:
        vandal: The vandal.
        kinds: Kinds of subtasks by plan (``Programs.kind``).
        targets: What they are about (``Programs.code``).
        actions: Actions of place and make (``Programs.action``).
        codes: uint8[64, 64]: the map.
        objects: uint8[64, 64]: objects on it.
        walkable: bool[42].
        placeable: bool[42, 42]: whether a thing (first index) may be placed on a code.
        cuts: Whether a wood pickaxe is held.
        step: Steps since the reset, for the log.
    """
    plan = vandal.plan
    while vandal.finished:
        vandal.subtask += 1
        kind = kinds[plan, vandal.subtask]
        if kind < 0:  # the plan is over without success: it waits for the episode's end
            vandal.subtask -= 1
            return NOOP
        if kind == _OPEN:
            log_bracket(vandal, step, targets[plan, vandal.subtask])
        elif kind == _CLOSE:
            log_bracket(vandal, step, -1)
        else:
            vandal.finished = False
    kind = kinds[plan, vandal.subtask]
    target = int(targets[plan, vandal.subtask])
    if kind == _GOTO:
        goal = nearest(codes, target, vandal.x, vandal.y)
        _route(vandal, codes, objects, walkable, goal, target, False, cuts)
        if vandal.path_end == 0:
            return FAILED
        move = _move(vandal, codes, target)
        vandal.finished = move >= 100
        return move % 100
    if kind == _DO:
        vandal.finished = True
        return DO if _faced(vandal, codes) == target else NOOP
    if kind == _MAKE:
        vandal.finished = True
        return int(actions[plan, vandal.subtask])
    if kind == _PLACE:
        draws = 0
        while vandal.path_end - vandal.path_at <= 1:
            draws += 1
            if draws > MOST_DRAWS:
                return FAILED
            x = vandal.x + below(vandal.stream, 2 * SPREAD + 1) - SPREAD
            y = vandal.y + below(vandal.stream, 2 * SPREAD + 1) - SPREAD
            inside = 0 <= x < AREA and 0 <= y < AREA
            _route(vandal, codes, objects, walkable, x * AREA + y if inside else -1, -1, True, cuts)
        if placeable[target, _faced(vandal, codes)]:
            vandal.path_at = 0
            vandal.path_end = 0
            vandal.finished = True
            return int(actions[plan, vandal.subtask])
        return _move(vandal, codes, -1) % 100
    goal = nearest(objects, target, vandal.x, vandal.y)
    if goal < 0:
        return FAILED
    if _faced(vandal, objects) == target:
        return DO
    if _faced(vandal, codes) == _DEAD + target:
        vandal.finished = True
        return NOOP
    if vandal.path_end - vandal.path_at < NEAR_PATH:
        _route(vandal, codes, objects, walkable, goal, target, True, cuts)
    return _move(vandal, codes, -1) % 100


@kernel
def breaks_through(codes: Array, objects: Array, x: int, y: int) -> bool:
    """Whether a vandal that could not enter a cell strikes at what is there."""
    thing = objects[x, y]
    if thing != 0:
        return bool(thing == 2 or thing == 4 or thing == 6)  # cow, skeleton, plant
    code = codes[x, y]
    return bool(code == 1 or code == 3 or code == 6 or code == 7)  # water, stone, tree, lava
