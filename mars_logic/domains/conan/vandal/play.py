"""A vandal at play: its turns and the world's steps in one kernel."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from mars_logic.domains.conan.codes import AREA, CODE, ITEM, OBJECT
from mars_logic.domains.conan.vandal.log import Event, Why, note, note_deed
from mars_logic.domains.conan.vandal.reference import (
    DO,
    FAILED,
    PATIENCE,
    VANDAL_DTYPE,
    act,
    begin,
    breaks_through,
    log_bracket,
)
from mars_logic.kernel import kernel
from mars_logic.sim.layout import BORDER, WORK_DTYPE
from mars_logic.sim.seeds import episode_seed
from mars_logic.sim.step import reset_env, step_env

Array = Any
"""In annotations of kernels: an array."""
Stage = Any
"""In annotations: one record of :data:`STAGE_DTYPE`."""

MOST_STEPS: Final = 400
MOST_ATTEMPTS: Final = 20
"""Worlds in which a task is tried until it succeeds in one."""

STAGE_DTYPE: Final = np.dtype(
    [
        ("work", WORK_DTYPE),
        ("vandal", VANDAL_DTYPE),
        ("codes", np.uint8, (AREA, AREA)),
        ("objects", np.uint8, (AREA, AREA)),
        ("held", np.int16, (len(ITEM),)),
        ("actions", np.uint8, (MOST_STEPS,)),
        ("trail", np.uint8, (MOST_STEPS + 1, 2)),
    ],
    align=True,
)
"""What one thread needs to let a vandal play."""

TABLES_DTYPE: Final = np.dtype(
    [
        ("code", np.uint8, (16, 16)),  # code of a material (first index) with a mark
        ("walkable", np.uint8, (len(CODE),)),
        ("placeable", np.uint8, (len(CODE), len(CODE))),
    ],
    align=True,
)
"""What the vandal knows of the rules."""

_PICKAXE = ITEM["wood_pickaxe"]
_COW_DEAD, _SKELETON_DEAD = CODE["cow_dead"], CODE["skeleton_dead"]
_DEAD = CODE["cow_dead"] - OBJECT["cow"]
_KILL, _WAY, _ARROW = int(Event.KILL), int(Why.WAY), int(Why.ARROW)
_PLANNED = int(Why.PLANNED)


@kernel
def look(env: Any, stage: Stage, tables: Any, own: int) -> None:
    """See the whole map and all objects, and note whom arrows killed since the last look.

    Args:
        env: The environment.
        stage: Memory of what was seen.
        tables: Codes of cells.
        own: The cell 64 * x + y where a body is the vandal's own deed, or -1.
    """
    for x in range(AREA):
        for y in range(AREA):
            cell = env.cells[x + BORDER, y + BORDER]
            code = tables.code[cell & 15, env.marks[x + BORDER, y + BORDER]]
            stage.objects[x, y] = cell >> 4
            if code != stage.codes[x, y]:
                stage.codes[x, y] = code
                if _COW_DEAD <= code <= _SKELETON_DEAD and x * AREA + y != own:
                    note(stage.vandal.log, env.step, _KILL, code - _DEAD, x, y, _ARROW, -1)


@kernel
def take(env: Any, stage: Stage, rules: Any, tables: Any, action: int, why: int) -> None:
    """Let the world take one step with an action, and note what came of it."""
    if env.done:
        return
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
    for item in range(len(stage.held)):
        stage.held[item] = player.inventory[item]
    stage.actions[env.step] = action
    step_env(env, rules, stage.work, 1.0, action)
    stage.trail[env.step, 0] = player.x
    stage.trail[env.step, 1] = player.y
    look(env, stage, tables, fx * AREA + fy if action == DO and thing != 0 else -1)
    note_deed(
        stage.vandal.log,
        env.step,
        action,
        why,
        x,
        y,
        dx,
        dy,
        code,
        thing,
        int(stage.codes[fx, fy]),
        stage.held,
        player.inventory,
    )


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
def play_plan(
    env: Any,
    stage: Stage,
    rules: Any,
    tables: Any,
    kinds: Array,
    targets: Array,
    actions: Array,
    goal: Array,
) -> bool:
    """Play an attempt to its end; return whether the task succeeded.

    The environment has been reset and the vandal has begun.

    Args:
        env: The environment.
        stage: Memory, with the vandal.
        rules: The world's rules.
        tables: What the vandal knows.
        kinds: ``Programs.kind``.
        targets: ``Programs.code``.
        actions: ``Programs.action``.
        goal: The row of ``Programs.goal``.
    """
    vandal = stage.vandal
    look(env, stage, tables, -1)
    stage.trail[0, 0] = env.player.x
    stage.trail[0, 1] = env.player.y
    while not env.done:
        action = act(
            vandal,
            kinds,
            targets,
            actions,
            stage.codes,
            stage.objects,
            tables.walkable,
            tables.placeable,
            env.player.inventory[_PICKAXE] > 0,
            env.step,
        )
        if action == FAILED:
            return False
        take(env, stage, rules, tables, action, _PLANNED)
        repeated = 0
        while (env.player.x != vandal.x or env.player.y != vandal.y) and not env.done:
            strikes = breaks_through(stage.codes, stage.objects, vandal.x, vandal.y)
            take(env, stage, rules, tables, action, _WAY)
            repeated += 1
            if repeated > PATIENCE:
                return False
            if strikes:
                take(env, stage, rules, tables, DO, _WAY)
        if succeeded(env, stage, goal):
            log_bracket(vandal, env.step, -1)
            return True
    return False


@kernel
def play_until_success(
    envs: Array,
    stages: Array,
    rules: Array,
    tables: Array,
    lattice: Array,
    kinds: Array,
    targets: Array,
    actions: Array,
    goal: Array,
    first_plan: int,
    draws: bool,
    map_seed: int,
    vandal_seed: int,
) -> int:
    """Try a task in one world after the other; return the attempt that succeeded, or 0.

    Attempt k plays episode 2k of the map's seed, as the release does.
    """
    env = envs[0]
    stage = stages[0]
    env.seed = map_seed
    for attempt in range(1, MOST_ATTEMPTS + 1):
        env.episode = 2 * attempt
        if not reset_env(env, rules[0], lattice[0]):
            continue
        seed = episode_seed(vandal_seed, attempt)
        begin(stage.vandal, seed, first_plan, draws, env.player.x, env.player.y)
        if play_plan(env, stage, rules[0], tables[0], kinds, targets, actions, goal):
            return attempt
    return 0
