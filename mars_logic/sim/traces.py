"""Marks that players and creatures leave on land, in dialects that have them.

A mark is one byte of a cell beside its material; on the material ``remains`` it tells of what they
are. The kernels here do nothing in records without marks. See docs/semantics.md, "Traces".
"""

from __future__ import annotations

from typing import Final

from mars_logic.compiled.kernel import inline_kernel, kernel
from mars_logic.sim.board import is_traced, mark_at, material_at, set_mark, set_material
from mars_logic.sim.layout import Env
from mars_logic.sim.rules_record import Rules

BARE: Final = 0
LEFT: Final = 1
"""The first of the prints by direction: left, right, up, down."""
DOWN: Final = 4
UNKNOWN: Final = 5
WATER_MARK: Final = 6
BLOOD: Final = 7


@kernel
def leave_print(env: Env, rules: Rules) -> None:
    """Mark the player's cell with the direction that it looks in.

    A second direction makes the print unknown; nothing else changes under it.
    """
    player = env.player
    x, y = player.x, player.y
    if (rules.prints_on >> material_at(env, x, y)) & 1 == 0:
        return
    vertical = player.facing_x == 0
    mark = LEFT + 2 * int(vertical) + int(player.facing_x + player.facing_y > 0)
    before = mark_at(env, x, y)
    if before == BARE:
        set_mark(env, x, y, mark)
    elif before <= DOWN and before != mark:
        set_mark(env, x, y, UNKNOWN)


@inline_kernel
def leave_water(env: Env, rules: Rules) -> None:
    """Mark the cell of a player that drinks."""
    if is_traced(env):
        player = env.player
        if (rules.water_on >> material_at(env, player.x, player.y)) & 1 != 0:
            set_mark(env, player.x, player.y, WATER_MARK)


@inline_kernel
def leave_blood(env: Env, rules: Rules) -> None:
    """Mark the cell of a player that is hit."""
    if is_traced(env):
        player = env.player
        ground = material_at(env, player.x, player.y)
        if not player.boss and (rules.blood_on >> ground) & 1 != 0:
            set_mark(env, player.x, player.y, BLOOD)


@kernel
def leave_remains(env: Env, rules: Rules, x: int, y: int, mark: int) -> None:
    """Let remains replace the ground of a cell; nothing happens if the mark is negative."""
    if mark >= 0:
        set_material(env, x, y, rules.remains)
        set_mark(env, x, y, mark)
