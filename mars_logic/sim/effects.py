"""Effective actions and the effect of `do` in the current state, computed without changing it.

See docs/simulator.md, "What an action would do".
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.compiled.kernel import kernel
from mars_logic.sim.board import (
    direction,
    is_free,
    is_traced,
    is_wide,
    kind_at,
    mark_at,
    material_at,
    thing_at,
)
from mars_logic.sim.codes import (
    ARROW,
    COW,
    DO,
    DRINK,
    ENERGY,
    FOOD,
    HEALTH,
    MOVE_DOWN,
    MOVE_LEFT,
    NONE,
    NOOP,
    PLANT,
    PLAYER,
    SKELETON,
    SLEEP,
    ZOMBIE,
)
from mars_logic.sim.layout import Env, Player
from mars_logic.sim.needs import can_sleep, change_health, end_turn, sleeps_on
from mars_logic.sim.player import (
    apply_ground,
    can_collect,
    can_make,
    can_place,
    is_ripe,
    strength_against,
    target_of,
)
from mars_logic.sim.rules_record import CONSUMES, MAKES, PLACES, Rules
from mars_logic.sim.traces import BARE, WATER_MARK
from mars_logic.world import names

DO_EFFECTS: Final = (
    "eat_plant",
    "defeat_zombie",
    "defeat_skeleton",
    "eat_cow",
    "collect_coal",
    "collect_diamond",
    "collect_drink",
    "collect_iron",
    "collect_sapling",
    "collect_stone",
    "collect_wood",
)
"""Effects of `do` by code (From Laws to Motivation, appendix C and the list in D.3)."""
NO_EFFECT: Final = -1

# Effects by the target of `do`, and by the yielded item.
_EAT_PLANT = DO_EFFECTS.index("eat_plant")
_EAT_COW = DO_EFFECTS.index("eat_cow")
_DEFEAT_ZOMBIE = DO_EFFECTS.index("defeat_zombie")
_DEFEAT_SKELETON = DO_EFFECTS.index("defeat_skeleton")
_COLLECT_DRINK = DO_EFFECTS.index("collect_drink")
_COLLECT = tuple(
    DO_EFFECTS.index(f"collect_{item}") if item in names.GAINS else NO_EFFECT
    for item in names.ITEMS
)


def action_mask(envs: NDArray[np.void], rules: NDArray[np.void], actions: int) -> NDArray[np.bool_]:
    """Mask of effective actions: bool[n, actions]; see ``Simulator.action_mask``."""
    mask = np.empty((len(envs), actions), np.bool_)
    _mask_batch(envs, rules, np.empty(2, envs.dtype["player"]), mask)
    return mask


def do_effects(envs: NDArray[np.void], rules: NDArray[np.void]) -> NDArray[np.int8]:
    """Code of the effect that `do` would have: int8[n]; see ``Simulator.do_effects``."""
    effects = np.empty(len(envs), np.int8)
    _effects_batch(envs, rules, effects)
    return effects


@kernel
def _mask_batch(envs: Any, rules: Any, ends: Any, mask: Any) -> None:
    for i in range(len(envs)):
        mask[i] = False
        mask[i, NOOP] = True
        if not (envs[i].done or sleeps_on(envs[i].player)):
            _mask_actions(envs[i], rules[0], ends, mask[i])


@kernel
def _mask_actions(env: Env, rules: Rules, ends: Any, mask: Any) -> None:
    """Mark the actions whose resulting state differs from noop's, for an awake player."""
    player = env.player
    for code in range(MOVE_DOWN - MOVE_LEFT + 1):
        mask[MOVE_LEFT + code] = _moves(env, rules, ends, code)
    mask[DO] = _does(env, rules, ends)
    mask[SLEEP] = _sleeps(env, rules, ends)
    for action in range(SLEEP + 1, len(mask)):
        argument = rules.action_argument[action]
        if rules.action_kind[action] == PLACES:
            mask[action] = can_place(env, rules, argument)
        elif rules.action_kind[action] == MAKES:
            mask[action] = can_make(env, rules, argument)
        elif rules.action_kind[action] == CONSUMES:
            mask[action] = player.inventory[argument] > 0


@kernel
def _moves(env: Env, rules: Rules, ends: Any, code: int) -> bool:
    player = env.player
    dx, dy = direction(code)
    if dx != player.facing_x or dy != player.facing_y:
        return True
    if is_free(env, player.x + dx, player.y + dy, rules.walkable[PLAYER]):
        return True
    idle, active = _awake(player, ends)
    if is_wide(env) and rules.hunted:
        change_health(active, rules.touch[kind_at(env, player.x + dx, player.y + dy)])
    apply_ground(active, rules, material_at(env, player.x, player.y))
    hurt_or_healed = active.inventory[HEALTH] != idle.inventory[HEALTH]
    return hurt_or_healed and _ends_apart(rules, idle, active)


@kernel
def _does(env: Env, rules: Rules, ends: Any) -> bool:
    player = env.player
    x, y = target_of(player)
    kind = kind_at(env, x, y)
    if kind == PLANT:
        return bool(rules.plants_are_eaten) and is_ripe(thing_at(env, x, y), rules)
    if kind != NONE:
        is_creature = kind < ARROW or (is_wide(env) and kind > PLANT)
        is_creature = is_creature and not (is_wide(env) and rules.speed[kind] > 0)
        return is_creature and strength_against(env, rules, kind) > 0
    if is_traced(env) and mark_at(env, x, y) != BARE:
        return False
    material = material_at(env, x, y)
    if can_collect(player, rules, material):
        return True  # it draws at least from the random stream
    if not rules.resets_thirst[material]:
        return False
    if is_traced(env) and not _is_wet(env, rules):
        return True
    idle, active = _awake(player, ends)
    active.thirst = 0
    if rules.drinks_first:
        active.inventory[DRINK] += rules.drink_drink[material]
        active.inventory[FOOD] += rules.drink_food[material]
        active.inventory[HEALTH] += rules.drink_health[material]
    return _ends_apart(rules, idle, active)


@kernel
def _is_wet(env: Env, rules: Rules) -> bool:
    """Whether drinking would leave no new mark."""
    x, y = env.player.x, env.player.y
    takes_water = (rules.water_on >> material_at(env, x, y)) & 1 != 0
    return not takes_water or mark_at(env, x, y) == WATER_MARK


@kernel
def _sleeps(env: Env, rules: Rules, ends: Any) -> bool:
    player = env.player
    lies_down = is_traced(env) and material_at(env, player.x, player.y) == rules.bed
    if not can_sleep(player) and not lies_down:
        return False
    idle, active = _awake(player, ends)
    active.sleeping = can_sleep(player)
    active.in_bed = player.in_bed or lies_down
    return _ends_apart(rules, idle, active)


@kernel
def _awake(player: Player, ends: Any) -> tuple[Player, Player]:
    """Two copies of the player, awake."""
    ends[0] = player
    ends[0].sleeping = False
    ends[1] = ends[0]
    return ends[0], ends[1]


@kernel
def _ends_apart(rules: Rules, idle: Player, active: Player) -> bool:
    """Whether two players still differ after the end of their turns.

    The end of a turn can undo an action's change: it limits health to the maximum and resets
    counters that pass their limit.
    """
    end_turn(idle, rules)
    end_turn(active, rules)
    for vital in (HEALTH, FOOD, DRINK, ENERGY):
        if idle.inventory[vital] != active.inventory[vital]:
            return True
    return bool(
        idle.sleeping != active.sleeping
        or idle.in_bed != active.in_bed
        or idle.hunger != active.hunger
        or idle.thirst != active.thirst
        or idle.fatigue != active.fatigue
        or idle.recover != active.recover
    )


@kernel
def _effects_batch(envs: Any, rules: Any, effects: Any) -> None:
    for i in range(len(envs)):
        env = envs[i]
        if env.done or sleeps_on(env.player):
            effects[i] = NO_EFFECT
        else:
            effects[i] = _effect_of_do(env, rules[0])


@kernel
def _effect_of_do(env: Env, rules: Rules) -> int:
    x, y = target_of(env.player)
    kind = kind_at(env, x, y)
    if kind == NONE:
        return _effect_of_collecting(env.player, rules, material_at(env, x, y))
    if kind == COW:
        return _EAT_COW
    if kind == ZOMBIE:
        return _DEFEAT_ZOMBIE
    if kind == SKELETON:
        return _DEFEAT_SKELETON
    if kind == PLANT and is_ripe(thing_at(env, x, y), rules):
        return _EAT_PLANT
    return NO_EFFECT


@kernel
def _effect_of_collecting(player: Player, rules: Rules, material: int) -> int:
    collects = can_collect(player, rules, material)
    if collects:
        item = _likeliest_yield(rules, material)
        if 0 <= item < len(_COLLECT):
            return _COLLECT[item]
    drinks = collects and (
        rules.drink_drink[material] != 0
        or rules.drink_food[material] != 0
        or rules.drink_health[material] != 0
    )
    return _COLLECT_DRINK if drinks or rules.resets_thirst[material] else NO_EFFECT


@kernel
def _likeliest_yield(rules: Rules, material: int) -> int:
    """The most probable yield, the first among equals; -1 without any yield."""
    item = -1
    highest = 0.0
    for i in range(rules.num_yields[material]):
        up_to = min(rules.yield_up_to[material, i], 1.0)
        chance = up_to - max(rules.yield_above[material, i], 0.0)
        if chance > highest:
            highest = chance
            item = rules.yield_item[material, i]
    return item
