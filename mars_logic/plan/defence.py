"""The policy inside rollouts: a player that only defends itself."""

from __future__ import annotations

from mars_logic.kernel import kernel
from mars_logic.sim.board import is_free, kind_at, material_at
from mars_logic.sim.codes import HEALTH, PLAYER
from mars_logic.sim.layout import Env
from mars_logic.sim.rules_record import Rules


@kernel
def defensive_action(env: Env, rules: Rules, flees: bool) -> int:
    """The code of the action that strikes back or moves away; 0 (noop) if nothing attacks.

    Args:
        env: The environment; it is not changed.
        rules: The rules that it obeys.
        flees: Whether the player moves away, where it can, rather than strike back.
    """
    player = env.player
    if env.done or player.sleeping or player.inventory[HEALTH] <= 0:
        return 0
    action = _flight(env, rules) if flees else 0
    return action if action != 0 else _counterattack(env, rules)


@kernel
def _counterattack(env: Env, rules: Rules) -> int:
    """Turn to a creature that does harm and stands beside the player, and hit it."""
    player = env.player
    action = 0
    for side in range(4):
        dx = (side == 1) - (side == 0)
        dy = (side == 3) - (side == 2)
        kind = kind_at(env, player.x + dx, player.y + dy)
        harm = _strikes(rules, kind) or rules.shoots[kind]
        if kind > 1 and harm and player.inventory[HEALTH] + rules.eaten_health[kind] > 0:
            if player.facing_x == dx and player.facing_y == dy:
                return 5
            action = 1 + side
    return action


@kernel
def _strikes(rules: Rules, kind: int) -> bool:
    return bool(rules.attacks[kind] and rules.attack_awake[kind] < 0)


@kernel
def _flight(env: Env, rules: Rules) -> int:
    """The step that leads farthest from attackers, onto harmless ground."""
    player = env.player
    action, least = 0, _nearness(env, rules, player.x, player.y)
    for side in range(4):
        x = player.x + (side == 1) - (side == 0)
        y = player.y + (side == 3) - (side == 2)
        if not is_free(env, x, y, rules.walkable[PLAYER]):
            continue
        ground = material_at(env, x, y)
        if rules.deadly[ground] or rules.walk_health[ground] < 0:
            continue
        near = _nearness(env, rules, x, y)
        if near < least:
            action, least = 1 + side, near
    return action


@kernel
def _nearness(env: Env, rules: Rules, x: int, y: int) -> int:
    """How near what strikes is to a cell, all taken together."""
    total = 0
    for i in range(env.num_things):
        if _strikes(rules, env.things[i].kind):
            away = abs(env.thing_x[i] - x) + abs(env.thing_y[i] - y)
            total += 720 // (away * away) if away > 0 else 0
    return total
