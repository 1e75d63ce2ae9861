"""Cells that the player pushes, and that change by themselves beside others or after a time.

See docs/semantics.md, "Pushing" and "Changes of cells".
"""

from __future__ import annotations

from typing import Any

from mars_logic.compiled.kernel import kernel
from mars_logic.sim.board import (
    age_of,
    is_free,
    is_timed,
    kind_at,
    material_at,
    set_age,
    set_material,
)
from mars_logic.sim.codes import NONE
from mars_logic.sim.layout import BORDER, Env
from mars_logic.sim.rules_record import Rules
from mars_logic.sim.stream import uniform
from mars_logic.sim.time_of_day import is_time
from mars_logic.world.dialect import AREA


@kernel
def push(env: Env, rules: Rules, dx: int, dy: int) -> None:
    """Push what lies in a direction of the player by one cell, if there is room behind it."""
    x, y = env.player.x + dx, env.player.y + dy
    material = material_at(env, x, y)
    if kind_at(env, x, y) == NONE and is_free(env, x + dx, y + dy, rules.push_onto[material]):
        ground = material_at(env, x + dx, y + dy)
        set_material(env, x + dx, y + dy, rules.push_becomes[material, ground])
        set_material(env, x, y, rules.push_leaves[material])


@kernel
def change_cells(env: Env, rules: Rules, daylight: float) -> None:
    """Change the cells around the player, all at once, by the materials that they have before.

    These are the cells at which creatures act, column by column.
    """
    before = env.marks.copy()
    player, reach = env.player, int(rules.horizon) - 1
    for x in range(max(0, player.x - reach), min(AREA, player.x + reach + 1)):
        rest = reach - abs(x - player.x)
        for y in range(max(0, player.y - rest), min(AREA, player.y + rest + 1)):
            if rules.changing[before[x + BORDER, y + BORDER]]:
                change_cell(env, rules, before, x, y, daylight)


@kernel
def change_cell(env: Env, rules: Rules, before: Any, x: int, y: int, daylight: float) -> None:
    """Change one cell, if a rule says so.

    Args:
        env: The environment.
        rules: The rules of its world.
        before: uint8[columns, rows]: the materials of all cells before any change, with the border.
        x: Its column.
        y: Its row.
        daylight: From 0 to 1.
    """
    becomes = _beside(env, rules, before, x, y)
    if becomes == NONE and is_timed(env):
        becomes = _in_time(env, rules, before, x, y, daylight)
    if becomes != NONE:
        set_material(env, x, y, becomes)


@kernel
def _beside(env: Env, rules: Rules, before: Any, x: int, y: int) -> int:
    """What a cell becomes by the first material beside it that changes it; NONE: it stays."""
    i, j = x + BORDER, y + BORDER
    material = before[i, j]
    first = -1
    for other in (before[i - 1, j], before[i + 1, j], before[i, j - 1], before[i, j + 1]):
        if rules.beside_becomes[material, other] != NONE and (first < 0 or other < first):
            first = int(other)
    if first < 0 or not _happens(env, rules.beside_chance[material]):
        return NONE
    return int(rules.beside_becomes[material, first])


@kernel
def _in_time(env: Env, rules: Rules, before: Any, x: int, y: int, daylight: float) -> int:
    """What a cell becomes by its timer; NONE: it stays."""
    material = before[x + BORDER, y + BORDER]
    if rules.timer_becomes[material] == NONE:
        return NONE
    set_age(env, x, y, age_of(env, x, y) + 1)
    if age_of(env, x, y) < rules.timer_after[material]:
        return NONE
    if not is_time(rules.timer_when[material], daylight):
        return NONE
    near = rules.timer_near[material]
    if near != 0 and not _is_near(before, x + BORDER, y + BORDER, near):
        return NONE
    if not _happens(env, rules.timer_chance[material]):
        return NONE
    return int(rules.timer_becomes[material])


@kernel
def _is_near(before: Any, i: int, j: int, materials: int) -> bool:
    """Whether one of four cells beside another has a material of a set."""
    for other in (before[i - 1, j], before[i + 1, j], before[i, j - 1], before[i, j + 1]):
        if (materials >> other) & 1:
            return True
    return False


@kernel
def _happens(env: Env, probability: float) -> bool:
    """Whether chance lets a change happen; what is certain draws no number."""
    return probability >= 1 or uniform(env.stream) < probability
