"""Creatures, plants and arrows: their update in a step.

All creatures share one behaviour, controlled by the flags of their rule: a shooter shoots or
moves; any other creature approaches or wanders; an attacker then hits. A creature without health
leaves the map and still completes its last update, as in both games. See docs/semantics.md,
"Creatures".
"""

from __future__ import annotations

from mars_logic.compiled.kernel import inline_kernel, kernel
from mars_logic.sim.board import (
    add_thing,
    direction,
    distance_of,
    is_removed,
    is_wide,
    kind_at,
    material_at,
    move,
    number_at,
    remove_player,
    remove_thing,
    set_mark,
    set_material,
    toward_player,
)
from mars_logic.sim.codes import (
    ARROW,
    COW,
    HEALTH,
    NONE,
    PLANT,
    PLAYER,
    SKELETON,
    ZOMBIE,
)
from mars_logic.sim.creature_cases import act_by_cases
from mars_logic.sim.layout import Env
from mars_logic.sim.needs import change_health
from mars_logic.sim.player import is_ripe
from mars_logic.sim.projectiles import fly
from mars_logic.sim.rules_record import Rules
from mars_logic.sim.shooting import shoot
from mars_logic.sim.stream import below, chance
from mars_logic.sim.traces import leave_blood, leave_remains
from mars_logic.world.dialect import (
    APPROACH_CHANCE,
    APPROACH_DISTANCE,
    APPROACH_LONG_AXIS,
    ARROW_POINTS,
    ATTACK_DISTANCE,
    ATTACK_PAUSE,
    RETREAT_DISTANCE,
    SHOOTER_APPROACH_CHANCE,
    SHOOTER_LONG_AXIS,
    SHOOTER_WALK_CHANCE,
    SHOT_CHANCE,
    SHOT_DISTANCE,
    WALK_CHANCE,
)


@inline_kernel
def update_thing(env: Env, rules: Rules, i: int, daylight: float) -> None:
    """One step of a thing."""
    thing = env.things[i]
    if is_wide(env) and rules.own_flight:
        if is_removed(thing):  # the player's shot has killed it
            return
        if rules.speed[thing.kind] > 0:
            fly(env, rules, i)
            return
    if thing.kind == ARROW:
        _fly(env, rules, i)
        return
    if thing.kind == PLANT:
        thing.grown += 1
        if _is_trampled(env, i):
            thing.health = max(0, thing.health - 1)
        if thing.health == 0:
            remove_thing(env, i)
            return
        if not is_ripe(thing, rules):
            return
    elif thing.health == 0:
        if not rules.dies_at_once:
            remove_thing(env, i)
        if not rules.acts_dead[thing.kind]:
            return
    _behave(env, rules, i, daylight)


@inline_kernel
def _behave(env: Env, rules: Rules, i: int, daylight: float) -> None:
    kind = env.things[i].kind
    if is_wide(env) and rules.num_cases[kind] > 0:
        if act_by_cases(env, rules, i, daylight):
            return
    elif rules.shoots[kind]:
        if _shoot_or_move(env, rules, i):
            return
    elif rules.approaches[kind]:
        _approach(env, rules, i)
    elif rules.walks[kind] and chance(env.stream, WALK_CHANCE):
        _move_anywhere(env, rules, i)
    if rules.attacks[kind]:
        _attack(env, rules, i)


@inline_kernel
def _move_anywhere(env: Env, rules: Rules, i: int) -> None:
    dx, dy = direction(below(env.stream, 4))
    move(env, rules, i, dx, dy)


@inline_kernel
def _move_toward_player(env: Env, rules: Rules, i: int, long_axis: bool) -> None:
    dx, dy = toward_player(env, i, long_axis)
    move(env, rules, i, dx, dy)


@inline_kernel
def _approach(env: Env, rules: Rules, i: int) -> None:
    if distance_of(env, i) <= APPROACH_DISTANCE and chance(env.stream, APPROACH_CHANCE):
        _move_toward_player(env, rules, i, chance(env.stream, APPROACH_LONG_AXIS))
    else:
        _move_anywhere(env, rules, i)


@kernel
def _shoot_or_move(env: Env, rules: Rules, i: int) -> bool:
    """Shoot at a close player, or move; return whether the thing retreated instead."""
    thing = env.things[i]
    thing.reload = max(0, thing.reload - 1)
    far = distance_of(env, i)
    if rules.retreats[thing.kind] and far <= RETREAT_DISTANCE:
        dx, dy = toward_player(env, i, chance(env.stream, SHOOTER_LONG_AXIS))
        if move(env, rules, i, -dx, -dy):
            return True
    if far <= SHOT_DISTANCE and chance(env.stream, SHOT_CHANCE):
        shoot(env, rules, i, ARROW)
    elif far <= APPROACH_DISTANCE and chance(env.stream, SHOOTER_APPROACH_CHANCE):
        _move_toward_player(env, rules, i, chance(env.stream, SHOOTER_LONG_AXIS))
    elif chance(env.stream, SHOOTER_WALK_CHANCE):
        _move_anywhere(env, rules, i)
    return False


@inline_kernel
def _attack(env: Env, rules: Rules, i: int) -> None:
    if distance_of(env, i) > ATTACK_DISTANCE:
        return
    thing = env.things[i]
    if thing.cooldown > 0:
        thing.cooldown -= 1
        return
    if env.player.sleeping:
        change_health(env.player, rules.attack_asleep[thing.kind])
    else:
        change_health(env.player, rules.attack_awake[thing.kind])
    leave_blood(env, rules)
    thing.cooldown = ATTACK_PAUSE


@kernel
def _is_trampled(env: Env, i: int) -> bool:
    for code in range(4):
        dx, dy = direction(code)
        kind = kind_at(env, env.thing_x[i] + dx, env.thing_y[i] + dy)
        if kind in (COW, ZOMBIE, SKELETON):
            return True
    return False


@kernel
def _fly(env: Env, rules: Rules, i: int) -> None:
    """Update an arrow: it hits the thing in front of it, breaks, or flies on."""
    arrow = env.things[i]
    x = env.thing_x[i] + arrow.facing_x
    y = env.thing_y[i] + arrow.facing_y
    struck = kind_at(env, x, y)
    if struck != NONE:
        if struck == PLAYER:
            _strike_player(env, rules, ARROW_POINTS * arrow.arrow_factor)
        else:
            number = number_at(env, x, y)
            thing = env.things[number]
            thing.health = max(0, thing.health - ARROW_POINTS)
            if rules.dies_at_once and thing.health == 0:
                remove_thing(env, number)
                leave_remains(env, rules, x, y, rules.shot_leaves[struck])
        remove_thing(env, i)
    elif not move(env, rules, i, arrow.facing_x, arrow.facing_y):
        material = material_at(env, x, y)
        if rules.breaks_to[material] != NONE:
            set_material(env, x, y, rules.breaks_to[material])
            set_mark(env, x, y, rules.breaks_mark[material])
        remove_thing(env, i)


@inline_kernel
def _strike_player(env: Env, rules: Rules, points: int) -> None:
    """Let an arrow hit the player; where that leaves bodies, one takes a dead player's place."""
    player = env.player
    change_health(player, points)
    leave_blood(env, rules)
    if rules.body != NONE and player.inventory[HEALTH] == 0:
        remove_player(env)
        add_thing(env, rules, rules.body, player.x, player.y)
