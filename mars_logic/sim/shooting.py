"""Arrows and other projectiles: how creatures shoot them. See docs/semantics.md, "Creatures"."""

from __future__ import annotations

from mars_logic.compiled.kernel import kernel
from mars_logic.sim.board import add_thing, is_free, toward_player
from mars_logic.sim.layout import Env
from mars_logic.sim.rules_record import Rules
from mars_logic.world.dialect import SHOT_PAUSE


@kernel
def shoot(env: Env, rules: Rules, i: int, kind: int) -> None:
    """Let a creature shoot a projectile of a kind, if it can."""
    thing = env.things[i]
    dx, dy = toward_player(env, i, True)
    if thing.reload > 0 or (dx == 0 and dy == 0):
        return
    x = env.thing_x[i] + dx
    y = env.thing_y[i] + dy
    if is_free(env, x, y, rules.walkable[kind]):
        shot = env.things[add_thing(env, rules, kind, x, y)]
        shot.facing_x = dx
        shot.facing_y = dy
        shot.arrow_factor = rules.arrow_factor[thing.kind]
        thing.reload = SHOT_PAUSE
