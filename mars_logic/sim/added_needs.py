"""Needs that a world adds: points in the inventory that fall and rise by themselves.

See docs/creatures_and_needs.md, "Added needs, exactly".
"""

from __future__ import annotations

from mars_logic.compiled.kernel import kernel
from mars_logic.sim.board import material_at
from mars_logic.sim.layout import Env, Player
from mars_logic.sim.needs import change_health
from mars_logic.sim.rules_record import Rules
from mars_logic.sim.time_of_day import is_time
from mars_logic.world.dialect import MAXIMUM


@kernel
def fill_added_needs(env: Env, rules: Rules) -> None:
    """Let all added needs be full, at the beginning of an episode."""
    for need in range(rules.num_needs):
        env.player.inventory[rules.need_item[need]] = MAXIMUM


@kernel
def grow_added_needs(env: Env, rules: Rules, daylight: float) -> None:
    """Change the points of added needs in a step; they stay within 0 .. MAXIMUM."""
    player = env.player
    for need in range(rules.num_needs):
        item = rules.need_item[need]
        points = int(player.inventory[item]) + _gain(env, rules, need)
        if env.step % rules.need_every[need] == 0:
            if rules.need_rises[need] != 0 and is_time(rules.need_rises[need], daylight):
                points += 1
            elif is_time(rules.need_when[need], daylight) and not _is_kept(player, rules, need):
                if points <= 0:
                    change_health(player, rules.need_empty[need])
                points -= rules.need_loss[need]
        player.inventory[item] = max(0, min(points, MAXIMUM))


@kernel
def _is_kept(player: Player, rules: Rules, need: int) -> bool:
    """Whether an item in hand keeps the points."""
    for item in range(len(player.inventory)):
        if rules.need_kept_by[need, item] and player.inventory[item] > 0:
            return True
    return False


@kernel
def _gain(env: Env, rules: Rules, need: int) -> int:
    """Points gained in a step by the ground and by what is near, within one cell."""
    player = env.player
    most = 0
    for x in range(player.x - 1, player.x + 2):
        for y in range(player.y - 1, player.y + 2):
            most = max(most, int(rules.need_near[need, material_at(env, x, y)]))
    return most + int(rules.need_on[need, material_at(env, player.x, player.y)])


@kernel
def gain_by_eating(player: Player, rules: Rules, item: int) -> None:
    """Change added needs by an item that the player eats or drinks."""
    for need in range(rules.num_needs):
        player.inventory[rules.need_item[need]] += rules.need_eating[need, item]
