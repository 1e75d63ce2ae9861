"""A careful vandal at play: its turns and the world's steps in one kernel."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from mars_logic.compiled.kernel import kernel
from mars_logic.domains.conan.codes import CODE, ITEM, OBJECT
from mars_logic.domains.conan.vandal.careful import act, begin
from mars_logic.domains.conan.vandal.careful_plans import Op
from mars_logic.domains.conan.vandal.flood import FLOOD_DTYPE
from mars_logic.domains.conan.vandal.log import LOG_DTYPE, Event, note
from mars_logic.domains.conan.vandal.play import (
    WATCHED,
    finish,
    look_first,
    prepare,
    step_and_note,
)
from mars_logic.domains.conan.vandal.reference import FAILED, GROUND
from mars_logic.sim.layout import STREAM_DTYPE

Array = Any
"""In annotations of kernels: an array."""

OUTCOMES: Final = ("alive", "monster", "thirst", "hunger", "exhaustion")
"""How an episode of survival can end."""

CAREFUL_DTYPE: Final = np.dtype(
    [
        ("at", np.int32),  # the operation of the plan
        ("target", np.int32),  # the cell that is gone to, or -1
        ("expected", np.int32),  # the cell where a thing was being placed, or -1
        ("why", np.int8),  # the reason of the turn's action (Why)
        ("need", np.int8),  # index in the inventory of the need that is served, or 0
        ("waits", np.int32, (4,)),  # until which step a need is left, which could not be served
        ("fleeing", np.bool_),
        ("food", np.int8),  # the first of the foods it looks for
        ("kills", np.int32, (len(OBJECT),)),
        ("costs", np.int64, (len(CODE),)),
        ("bridged", np.uint8, (len(CODE),)),  # what can be crossed with a stone
        ("burdens", np.int64, (len(OBJECT),)),
        ("stream", STREAM_DTYPE),
        ("flood", FLOOD_DTYPE),
        ("log", LOG_DTYPE),
    ],
    align=True,
)
"""State of a careful vandal and its scratch memory."""

MOST_FOODS: Final = 8
CAREFUL_TABLES_DTYPE: Final = np.dtype(
    [
        *GROUND,
        ("cuttable", np.uint8, (len(CODE),)),  # collecting leaves what can be walked on
        ("tools", np.int16, (len(CODE), len(ITEM))),  # what collecting requires
        ("place_uses", np.int16, (len(CODE), len(ITEM))),  # what placing a thing costs
        ("water", np.uint8, (len(CODE),)),  # what can be drunk
        # Foods of minimal proofs: creature (or 0), and the codes it is collected from.
        ("foods", np.int8),
        ("food_creature", np.int16, (MOST_FOODS,)),
        ("food_mask", np.uint8, (MOST_FOODS, len(CODE))),
        ("eat", np.int16, (len(ITEM),)),  # the action that eats an item, or 0
        ("brackets", np.int16, (5,)),  # of needs by their index in the inventory; 4: of fleeing
    ],
    align=True,
)
"""What a careful vandal knows of the rules."""

CAREFUL_STAGE_DTYPE: Final = np.dtype(
    [
        ("vandal", CAREFUL_DTYPE),
        *WATCHED,
        ("walk", np.uint8, (len(CODE),)),
        ("only", np.uint8, (len(CODE),)),
        ("nothing", np.uint8, (len(CODE),)),
    ],
    align=True,
)
"""What one thread needs to let a careful vandal play."""

CAREFUL_JOB_DTYPE: Final = np.dtype(
    [
        ("plan", np.int32),  # number of its row of operations
        ("named", np.int32),  # what results call the plan
        ("cautious", np.bool_),
        ("left_out", np.int8),  # the need that it never serves, or 0
        ("needs", np.int16, (3,)),  # food, drink and energy at the beginning
        ("vandal_seed", np.int64),
        ("world_seed", np.int64),  # of the world's stream; -1: it goes on as it is
    ],
    align=True,
)
"""An attempt to be played."""

_FOOD, _DRINK, _ENERGY, _HEALTH = (ITEM[name] for name in ("food", "drink", "energy", "health"))
_SLEPT = int(Event.SLEEP)
_END = int(Op.END)


@kernel
def careful_batch(
    first: Array,
    envs: Array,
    stages: Array,
    rules: Array,
    tables: Array,
    plans: Array,
    masks: Array,
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
        plans: int16[n, length, 6]: operations.
        masks: uint8[m, 42]: sets of codes that they name.
        jobs: Records of :data:`CAREFUL_JOB_DTYPE`.
        scene: uint8[64, 64]: a finished map to measure results against.
        seen: bool[64, 64]: the cells of it that count.
        figure_x: Column of the figure in it, or -1.
        figure_y: Its row.
        results: As many records of ``play.RESULT_DTYPE``.
    """
    stage = stages[0]
    vandal = stage.vandal
    for code in range(len(stage.walk)):
        stage.walk[code] = tables[0].walkable[code] != 0
    for i in range(len(jobs)):
        job = jobs[i]
        prepare(first, envs, job)
        env = envs[0]
        for need in range(3):
            env.player.inventory[_FOOD + need] = job.needs[need]
        begin(vandal, tables[0], job.vandal_seed)
        result = results[i]
        result.plan = job.named
        result.cause = 0
        plan = plans[job.plan]
        _play(env, stage, result, rules[0], tables[0], plan, masks, job)
        result.won = plan[vandal.at, 0] == _END and env.player.inventory[_HEALTH] > 0
        finish(env, stage, result, scene, seen, figure_x, figure_y)


@kernel
def _play(
    env: Any,
    stage: Any,
    result: Any,
    rules: Any,
    tables: Any,
    plan: Array,
    masks: Array,
    job: Any,
) -> None:
    """Play an attempt to its end: the plan is over or cannot go on, or the episode is over."""
    vandal = stage.vandal
    player = env.player
    look_first(env, stage, result, tables)
    while not env.done:
        action = act(env, stage, tables, plan, masks, job.cautious, job.left_out)
        if action == FAILED or plan[vandal.at, 0] == _END:
            return
        x = player.x
        y = player.y
        slept = player.sleeping
        killed = step_and_note(env, stage, result, rules, tables, action, vandal.why)
        if killed > 0:
            vandal.kills[killed] += 1
        if player.sleeping and not slept:
            note(vandal.log, env.step, _SLEPT, 0, x, y, vandal.why, -1)
        if player.inventory[_HEALTH] <= 0:
            result.cause = _cause(player)


@kernel
def _cause(player: Any) -> int:
    """Index in ``OUTCOMES`` of what killed a player in the last step."""
    if not player.recover:  # the counter starts again when a need has cost health
        if player.inventory[_FOOD] <= 0:
            return 3
        if player.inventory[_DRINK] <= 0:
            return 2
        if player.inventory[_ENERGY] <= 0:
            return 4
    return 1
