"""Projectiles that a world describes: their flight and hits.

Where a world states no such rule, arrows fly by :mod:`mars_logic.sim.creatures`, and with rules
that say the same as Crafter's code, states are the same.
See docs/creatures_and_needs.md, "Projectiles, exactly".
"""

from __future__ import annotations

from mars_logic.compiled.kernel import kernel
from mars_logic.sim.board import (
    kind_at,
    material_at,
    move,
    number_at,
    remove_thing,
    set_material,
)
from mars_logic.sim.codes import NONE, PLANT, PLAYER
from mars_logic.sim.layout import Env
from mars_logic.sim.needs import change_health
from mars_logic.sim.player import OF_THE_PLAYER, count_kill
from mars_logic.sim.rules_record import AS_SHOOTER, Rules
from mars_logic.world.dialect import ARROW_POINTS


@kernel
def fly(env: Env, rules: Rules, i: int) -> None:
    """Update a projectile: it flies cell by cell until it hits something, or has gone its way."""
    shot = env.things[i]
    kind = int(shot.kind)
    for _ in range(rules.speed[kind]):
        if not _flies_on(env, rules, i):
            remove_thing(env, i)
            return
        if rules.range[kind] > 0:
            shot.grown += 1
            if shot.grown >= rules.range[kind]:
                remove_thing(env, i)
                return


@kernel
def _flies_on(env: Env, rules: Rules, i: int) -> bool:
    """Move a projectile by a cell, or hit what is in front; return whether it moved.

    A creature that the player's shot kills leaves the map at once.
    """
    shot = env.things[i]
    x = env.thing_x[i] + shot.facing_x
    y = env.thing_y[i] + shot.facing_y
    struck = kind_at(env, x, y)
    if struck == PLAYER:
        harm = int(rules.shot_harm[shot.kind])
        change_health(env.player, ARROW_POINTS * shot.arrow_factor if harm == AS_SHOOTER else harm)
        return False
    if struck != NONE:
        number = number_at(env, x, y)
        target = env.things[number]
        lived = target.health > 0
        target.health = max(0, target.health - rules.shot_damage[shot.kind])
        is_creature = struck != PLANT and rules.speed[struck] == 0
        if shot.cooldown == OF_THE_PLAYER and is_creature and lived and target.health == 0:
            count_kill(env, rules, struck)
            remove_thing(env, number)
        return False
    if move(env, rules, i, shot.facing_x, shot.facing_y):
        return True
    becomes = rules.shot_breaks[shot.kind, material_at(env, x, y)]
    if becomes != NONE:
        set_material(env, x, y, becomes)
    return False
