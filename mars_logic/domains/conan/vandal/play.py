"""A vandal at play: its turns and the world's steps in one kernel."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from mars_logic.compiled.kernel import inline_kernel, kernel
from mars_logic.domains.conan.codes import CODE, ITEM, OBJECT
from mars_logic.domains.conan.features import FEATURES, measure
from mars_logic.domains.conan.vandal.log import LOG_DTYPE, Event, Why, note, note_deed
from mars_logic.domains.conan.vandal.reference import (
    DO,
    FAILED,
    GROUND,
    PATIENCE,
    VANDAL_DTYPE,
    act,
    begin,
    breaks_through,
    log_bracket,
)
from mars_logic.sim.layout import BORDER
from mars_logic.sim.step import step_env
from mars_logic.sim.stream import seed_stream
from mars_logic.world.dialect import AREA

Array = Any
"""In annotations of kernels: an array."""
Stage = Any
"""In annotations: one record of :data:`STAGE_DTYPE`."""

MOST_STEPS: Final = 600
"""Steps of the longest episode."""
LOOKED_DTYPE: Final = np.dtype(
    [("cells", np.uint8, (AREA, AREA)), ("marks", np.uint8, (AREA, AREA))], align=True
)
"""The environment's map at the last look: columns that are as they were are not looked at again."""
_NOTHING_YET: Final = 255
"""A cell that no map has."""
WATCHED: Final = (
    ("codes", np.uint8, (AREA, AREA)),
    ("objects", np.uint8, (AREA, AREA)),
    ("looked", LOOKED_DTYPE),
    ("held", np.int16, (len(ITEM),)),
)
"""Fields of a stage that do not depend on the kind of vandal: what is seen, and what was held."""
STAGE_DTYPE: Final = np.dtype([("vandal", VANDAL_DTYPE), *WATCHED], align=True)
"""What one thread needs to let a vandal play."""

RESULT_DTYPE: Final = np.dtype(
    [
        ("plan", np.int32),
        ("won", np.bool_),
        ("dead", np.bool_),
        ("cause", np.int8),  # of a careful vandal's death: index in careful_play.OUTCOMES
        ("steps", np.int32),
        ("x", np.int32),
        ("y", np.int32),
        ("features", np.float64, (len(FEATURES),)),
        ("actions", np.uint8, (MOST_STEPS,)),
        ("trail", np.uint8, (MOST_STEPS + 1, 2)),
        ("codes", np.uint8, (AREA, AREA)),
        ("log", LOG_DTYPE),
    ],
    align=True,
)
"""What came of one attempt."""

JOB_DTYPE: Final = np.dtype(
    [
        ("plan", np.int32),  # of a task that draws a weapon: its plan without one
        ("draws", np.bool_),  # whether the vandal draws its weapon
        ("goal", np.int16, (2,)),  # the row of Programs.goal
        ("vandal_seed", np.int64),
        ("world_seed", np.int64),  # of the world's stream; -1: it goes on as it is
    ],
    align=True,
)
"""An attempt to be played."""

TABLES_DTYPE: Final = np.dtype([*GROUND], align=True)
"""What the vandal knows of the rules."""

_HEALTH, _PICKAXE = ITEM["health"], ITEM["wood_pickaxe"]
_COW, _SKELETON = OBJECT["cow"], OBJECT["skeleton"]
_COW_DEAD, _SKELETON_DEAD = CODE["cow_dead"], CODE["skeleton_dead"]
_DEAD = _COW_DEAD - _COW
_KILL, _WAY, _ARROW = int(Event.KILL), int(Why.WAY), int(Why.ARROW)
_PLANNED = int(Why.PLANNED)
_PLANS, _REPEATS, _STRIKES = 0, 1, 2


@kernel
def prepare(first: Array, envs: Array, job: Any) -> None:
    """Put the world into the state in which an attempt begins."""
    envs[0] = first[0]
    if job.world_seed >= 0:
        seed_stream(envs[0].stream, job.world_seed)


@kernel
def look_first(env: Any, stage: Stage, result: Any, tables: Any) -> None:
    """See the whole map and all objects at the beginning of an attempt."""
    stage.looked.cells[:] = _NOTHING_YET
    look(env, stage, tables, -1)
    result.trail[0, 0] = env.player.x
    result.trail[0, 1] = env.player.y


@kernel
def look(env: Any, stage: Stage, tables: Any, own: int) -> None:
    """See the whole map and all objects, and note whom arrows killed since the last look.

    Args:
        env: The environment.
        stage: Memory of what was seen.
        tables: Codes of cells.
        own: The cell 64 * x + y where a body is the vandal's own deed, or -1.
    """
    looked = stage.looked
    for x in range(AREA):
        changed = False
        for y in range(AREA):  # without a branch: many cells are compared at once
            changed |= env.cells[x + BORDER, y + BORDER] != looked.cells[x, y]
            changed |= env.marks[x + BORDER, y + BORDER] != looked.marks[x, y]
        if not changed:
            continue
        for y in range(AREA):
            cell = env.cells[x + BORDER, y + BORDER]
            mark = env.marks[x + BORDER, y + BORDER]
            looked.cells[x, y] = cell
            looked.marks[x, y] = mark
            code = tables.code[cell & 15, mark]
            stage.objects[x, y] = cell >> 4
            if code != stage.codes[x, y]:
                stage.codes[x, y] = code
                if _COW_DEAD <= code <= _SKELETON_DEAD and x * AREA + y != own:
                    note(stage.vandal.log, env.step, _KILL, code - _DEAD, x, y, _ARROW, -1)


@kernel
def step_and_note(
    env: Any, stage: Stage, result: Any, rules: Any, tables: Any, action: int, why: int
) -> int:
    """Take a step, see what became of it, and log it; return the creature that it killed, or 0."""
    player = env.player
    x = int(player.x)
    y = int(player.y)
    dx = int(player.facing_x)
    dy = int(player.facing_y)
    inside = 0 <= x + dx < AREA and 0 <= y + dy < AREA
    fx = x + dx if inside else x
    fy = y + dy if inside else y
    code = int(stage.codes[fx, fy])
    thing = int(stage.objects[fx, fy])
    held = stage.held
    for item in range(len(held)):
        held[item] = player.inventory[item]
    result.actions[env.step] = action
    step_env(env, rules, 1.0, action)
    result.trail[env.step, 0] = player.x
    result.trail[env.step, 1] = player.y
    look(env, stage, tables, fx * AREA + fy if action == DO and thing != 0 else -1)
    new = int(stage.codes[fx, fy])
    log = stage.vandal.log
    note_deed(log, env.step, action, why, x, y, dx, dy, code, thing, new, held, player.inventory)
    killed = action == DO and _COW <= thing <= _SKELETON and new == _DEAD + thing != code
    return thing if killed else 0


@kernel
def finish(
    env: Any, stage: Stage, result: Any, scene: Array, seen: Array, figure_x: int, figure_y: int
) -> None:
    """Fill in what an attempt left, and measure it against a scene; ``result.won`` is known."""
    log = stage.vandal.log
    result.steps = env.step
    result.x = env.player.x
    result.y = env.player.y
    result.dead = env.player.inventory[_HEALTH] <= 0
    result.codes[:] = stage.codes
    result.log.size = log.size
    for j in range(log.size):
        result.log.events[j] = log.events[j]
    found = result.features
    measure(stage.codes, result.x, result.y, result.won, scene, seen, figure_x, figure_y, found)


@kernel
def succeeded(env: Any, stage: Stage, goal: Array) -> bool:
    """Whether an item is held, or a material is within distance 3 of the player."""
    player = env.player
    if goal[0] == 0:
        return bool(player.inventory[goal[1]] > 0)
    for dx in range(-3, 4):
        for dy in range(-3 + abs(dx), 4 - abs(dx)):
            x = player.x + dx
            y = player.y + dy
            if 0 <= x < AREA and 0 <= y < AREA and stage.codes[x, y] == goal[1]:
                return True
    return False


@kernel
def play_batch(
    first: Array,
    envs: Array,
    stages: Array,
    rules: Array,
    tables: Array,
    kinds: Array,
    targets: Array,
    actions: Array,
    jobs: Array,
    scene: Array,
    seen: Array,
    figure_x: int,
    figure_y: int,
    results: Array,
) -> None:
    """Play attempts, each from the same state; fill in a result for each.

    Args:
        first: The state, an array of one environment.
        envs: An array of one environment, to play in.
        stages: Memory, an array of one record.
        rules: The world's rules, one record.
        tables: What the vandal knows, one record.
        kinds: ``Programs.kind``.
        targets: ``Programs.code``.
        actions: ``Programs.action``.
        jobs: Records of :data:`JOB_DTYPE`.
        scene: uint8[64, 64]: a finished map to measure results against.
        seen: bool[64, 64]: the cells of it that count.
        figure_x: Column of the figure in it, or -1.
        figure_y: Its row.
        results: As many records of :data:`RESULT_DTYPE`.
    """
    stage = stages[0]
    vandal = stage.vandal
    for i in range(len(jobs)):
        job = jobs[i]
        prepare(first, envs, job)
        env = envs[0]
        begin(vandal, job.vandal_seed, job.plan, job.draws, env.player.x, env.player.y)
        result = results[i]
        result.plan = vandal.plan
        result.won = _play(
            env, stage, result, rules[0], tables[0], kinds, targets, actions, job.goal
        )
        finish(env, stage, result, scene, seen, figure_x, figure_y)


@inline_kernel
def _play(
    env: Any,
    stage: Stage,
    result: Any,
    rules: Any,
    tables: Any,
    kinds: Array,
    targets: Array,
    actions: Array,
    goal: Array,
) -> bool:
    """Play an attempt to its end; return whether the task succeeded.

    Where a step does not lead to where the vandal thinks it is, the step is repeated, and what
    stands there is struck: those are the phases ``_REPEATS`` and ``_STRIKES``.
    """
    vandal = stage.vandal
    player = env.player
    look_first(env, stage, result, tables)
    phase = _PLANS
    planned = 0
    repeated = 0
    strikes = False
    while not env.done:
        if phase == _PLANS:
            planned = act(
                vandal,
                kinds,
                targets,
                actions,
                stage.codes,
                stage.objects,
                tables.walkable,
                tables.placeable,
                player.inventory[_PICKAXE] > 0,
                env.step,
            )
            if planned == FAILED:
                return False
            repeated = 0
        elif phase == _REPEATS:
            strikes = breaks_through(stage.codes, stage.objects, vandal.x, vandal.y)
            repeated += 1
        action = DO if phase == _STRIKES else planned
        why = _PLANNED if phase == _PLANS else _WAY
        step_and_note(env, stage, result, rules, tables, action, why)
        if phase == _REPEATS:
            if repeated > PATIENCE:
                return False
            if strikes:
                phase = _STRIKES
                continue
        phase = _REPEATS if player.x != vandal.x or player.y != vandal.y else _PLANS
        if phase == _PLANS and succeeded(env, stage, goal):
            log_bracket(vandal, env.step, -1)
            return True
    if succeeded(env, stage, goal):
        log_bracket(vandal, env.step, -1)
        return True
    return False
