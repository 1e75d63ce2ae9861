"""The player: effects of its actions, and growth of its needs.

See docs/semantics.md, "The player".
"""

from __future__ import annotations

from typing import Any

from mars_logic.compiled.kernel import inline_kernel, kernel
from mars_logic.sim.added_needs import gain_by_eating
from mars_logic.sim.board import (
    add_thing,
    direction,
    is_traced,
    is_wide,
    kind_at,
    mark_at,
    material_at,
    move_player,
    number_at,
    remove_thing,
    set_mark,
    set_material,
)
from mars_logic.sim.cell_changes import push
from mars_logic.sim.codes import (
    ARROW,
    DO,
    DRINK,
    FOOD,
    HEALTH,
    MOVE_DOWN,
    MOVE_LEFT,
    NONE,
    PLANT,
    SLEEP,
)
from mars_logic.sim.layout import Env, Player, Thing
from mars_logic.sim.needs import can_sleep, change_health, end_turn, sleeps_on
from mars_logic.sim.rules_record import CONSUMES, MAKES, PLACES, Rules
from mars_logic.sim.stream import uniform
from mars_logic.sim.traces import BARE, DOWN, leave_print, leave_remains, leave_water
from mars_logic.world.dialect import (
    UNARMED_DAMAGE,
)

OF_THE_PLAYER = 1
"""Cooldown of a projectile that the player shot; of all others it is 0."""


@inline_kernel
def update_player(env: Env, rules: Rules, action: int) -> None:
    """One step of the player, before the step of all things."""
    player = env.player
    if sleeps_on(player):
        action = SLEEP
    elif player.sleeping:
        player.sleeping = False
        achieve(player, rules.wake_up)
    _act(env, rules, action)
    end_turn(player, rules)
    if is_traced(env):
        leave_print(env, rules)


@inline_kernel
def achieve(player: Player, achievement: int) -> None:
    """Count an achievement."""
    if player.achievements[achievement] == 0:
        player.unlocked = True
    player.achievements[achievement] += 1


@inline_kernel
def _act(env: Env, rules: Rules, action: int) -> None:
    player = env.player
    if MOVE_LEFT <= action <= MOVE_DOWN:
        _move(env, rules, action - MOVE_LEFT)
    elif action == DO:
        x, y = target_of(player)
        if kind_at(env, x, y) == NONE:
            _collect(env, rules, x, y)
        else:
            _hit(env, rules, x, y)
    elif action == SLEEP:
        if can_sleep(player):
            player.sleeping = True
        if is_traced(env) and material_at(env, player.x, player.y) == rules.bed:
            player.in_bed = True
    elif rules.action_kind[action] == MAKES:
        _make(env, rules, rules.action_argument[action])
    elif rules.action_kind[action] == PLACES:
        _place(env, rules, rules.action_argument[action])
    elif (is_traced(env) or is_wide(env)) and rules.action_kind[action] == CONSUMES:
        _consume(env, rules, rules.action_argument[action])


@kernel
def target_of(player: Player) -> tuple[int, int]:
    """The cell that the player faces."""
    return player.x + player.facing_x, player.y + player.facing_y


@inline_kernel
def _move(env: Env, rules: Rules, code: int) -> None:
    player = env.player
    dx, dy = direction(code)
    player.facing_x = dx
    player.facing_y = dy
    if is_wide(env) and rules.pushes:
        push(env, rules, dx, dy)
    if is_wide(env) and rules.hunted:
        touched = kind_at(env, player.x + dx, player.y + dy)
        if rules.touch[touched] != 0:
            change_health(player, rules.touch[touched])
    move_player(env, rules, dx, dy)
    # Moved or not: pushing against a wall while standing on lava kills as well.
    apply_ground(player, rules, material_at(env, player.x, player.y))


@kernel
def apply_ground(player: Player, rules: Rules, ground: int) -> None:
    """Effect of the ground on a player that moves or tries to."""
    if rules.deadly[ground]:
        player.inventory[HEALTH] = 0
    elif rules.walk_health[ground] != 0:
        change_health(player, rules.walk_health[ground])


@kernel
def _hit(env: Env, rules: Rules, x: int, y: int) -> None:
    """Hit a creature, or eat a ripe plant."""
    player = env.player
    kind = kind_at(env, x, y)
    if kind == ARROW or (kind > PLANT and not is_wide(env)):
        return
    if is_wide(env) and rules.speed[kind] > 0:
        return
    number = number_at(env, x, y)
    thing = env.things[number]
    if kind == PLANT:
        if rules.plants_are_eaten and is_ripe(thing, rules):
            thing.grown = 0
            achieve(player, rules.eat_plant)
            _eat(player, rules, PLANT)
        return
    # A creature without health is removed here, or in its own update later in this step.
    strength = strength_against(env, rules, kind)
    if strength == 0:
        return
    thing.health = max(0, thing.health - strength)
    if thing.health == 0:
        count_kill(env, rules, kind)
        if rules.dies_at_once:
            remove_thing(env, number)
            leave_remains(env, rules, x, y, rules.kill_leaves[kind])
            _loot(player, rules, kind)


@inline_kernel
def count_kill(env: Env, rules: Rules, kind: int) -> None:
    """Count a creature as killed by the player, and give what that brings."""
    player = env.player
    if rules.killed[kind] >= 0:
        achieve(player, rules.killed[kind])
    _eat(player, rules, kind)
    if rules.resets_hunger[kind]:
        player.hunger = 0
    if is_wide(env) and rules.hunted:
        _loot(player, rules, kind)


@kernel
def _loot(player: Player, rules: Rules, kind: int) -> None:
    """Give the player what a killed creature yields."""
    for item in range(len(player.inventory)):
        amount = rules.kill_yields[kind, item]
        if amount != 0:
            player.inventory[item] += amount
            if rules.collected[item] >= 0:
                achieve(player, rules.collected[item])


@kernel
def is_ripe(plant: Thing, rules: Rules) -> bool:
    """Whether a plant can be eaten."""
    return bool(plant.grown > rules.ripe_age)


@kernel
def _strength(player: Player, rules: Rules) -> int:
    """Damage with the first weapon in hand."""
    for number in range(len(rules.weapon_item)):
        if player.inventory[rules.weapon_item[number]] > 0:
            return int(rules.weapon_damage[number])
    return UNARMED_DAMAGE


@kernel
def strength_against(env: Env, rules: Rules, kind: int) -> int:
    """Damage to a creature of a kind: the usual one, or that of the best tool for it, if more.

    It is 0 where what hunting requires is not held.
    """
    player = env.player
    most = _strength(player, rules)
    if not (is_wide(env) and rules.hunted):
        return most
    if not _holds(player, rules.hunt_requires[kind]):
        return 0
    for item in range(len(player.inventory)):
        if player.inventory[item] > 0:
            most = max(most, int(rules.hunt_damage[kind, item]))
    return most


@kernel
def _eat(player: Player, rules: Rules, kind: int) -> None:
    player.inventory[FOOD] += rules.eaten_food[kind]
    player.inventory[DRINK] += rules.eaten_drink[kind]
    change_health(player, rules.eaten_health[kind])


@kernel
def _collect(env: Env, rules: Rules, x: int, y: int) -> None:
    """Apply the collect rule of a cell without a thing on it."""
    player = env.player
    material = material_at(env, x, y)
    if is_traced(env) and mark_at(env, x, y) != BARE:
        return
    if rules.resets_thirst[material]:
        player.thirst = 0
        leave_water(env, rules)
    if rules.drinks_first:
        _drink(player, rules, material)
    if not can_collect(player, rules, material):
        return
    if not rules.drinks_first:
        _drink(player, rules, material)
    if is_traced(env):
        _use(player, rules.collect_uses[material])
    set_material(env, x, y, rules.leaves[material])
    set_mark(env, x, y, rules.leaves_mark[material])
    creature = rules.spawns[material]
    if creature != NONE and uniform(env.stream) <= rules.spawn_probability[material]:
        add_thing(env, rules, creature, x, y)
    chance = uniform(env.stream) if rules.draws[material] else 0.0
    for i in range(rules.num_yields[material]):
        if rules.yield_above[material, i] < chance <= rules.yield_up_to[material, i]:
            item = rules.yield_item[material, i]
            player.inventory[item] += rules.yield_amount[material, i]
            if rules.collected[item] >= 0:
                achieve(player, rules.collected[item])


@inline_kernel
def _drink(player: Player, rules: Rules, material: int) -> None:
    player.inventory[DRINK] += rules.drink_drink[material]
    player.inventory[FOOD] += rules.drink_food[material]
    player.inventory[HEALTH] += rules.drink_health[material]  # may fall below 0 until clamped


@kernel
def _consume(env: Env, rules: Rules, item: int) -> None:
    """Eat or drink an item of the inventory."""
    player = env.player
    if player.inventory[item] <= 0:
        return
    player.inventory[item] -= 1
    player.inventory[FOOD] += rules.eat_food[item]
    player.inventory[DRINK] += rules.eat_drink[item]
    player.inventory[HEALTH] += rules.eat_health[item]
    if rules.eat_leaves[item] >= 0:
        player.inventory[rules.eat_leaves[item]] += 1
    if is_traced(env) and rules.eat_drink[item] > 0:
        player.thirst = 0
        leave_water(env, rules)
    if is_wide(env) and rules.num_needs > 0:
        gain_by_eating(player, rules, item)
    if rules.eaten[item] >= 0:
        achieve(player, rules.eaten[item])


@kernel
def can_collect(player: Player, rules: Rules, material: int) -> bool:
    """Whether the collect rule of a material applies, with nothing standing on it."""
    return bool(rules.collectable[material]) and _holds(player, rules.collect_requires[material])


@kernel
def _place(env: Env, rules: Rules, code: int) -> None:
    """Place a material or a plant in front, or shoot a projectile onto that cell."""
    if not can_place(env, rules, code):
        return
    player = env.player
    _use(player, rules.place_uses[code])
    x, y = target_of(player)
    if rules.place_material[code] == NONE:
        kind = int(rules.place_kind[code])
        thing = env.things[add_thing(env, rules, kind, x, y)]
        if kind != PLANT:
            thing.facing_x = player.facing_x
            thing.facing_y = player.facing_y
            thing.cooldown = OF_THE_PLAYER
    else:
        set_material(env, x, y, rules.place_material[code])
        set_mark(env, x, y, BARE)
    achieve(player, rules.placed[code])


@kernel
def can_place(env: Env, rules: Rules, code: int) -> bool:
    """Whether placing the thing with a code, or shooting it, would have an effect."""
    player = env.player
    x, y = target_of(player)
    material = material_at(env, x, y)
    if kind_at(env, x, y) != NONE or (rules.place_where[code] >> material) & 1 == 0:
        return False
    if is_traced(env) and mark_at(env, x, y) > DOWN:
        return False
    if is_wide(env) and not _holds(player, rules.place_requires[code]):
        return False
    return _holds(player, rules.place_uses[code])


@kernel
def _make(env: Env, rules: Rules, code: int) -> None:
    if not can_make(env, rules, code):
        return
    player = env.player
    _use(player, rules.make_uses[code])
    player.inventory[rules.make_item[code]] += rules.make_gives[code]
    achieve(player, rules.made[code])


@kernel
def can_make(env: Env, rules: Rules, code: int) -> bool:
    """Whether making the thing with a code would have an effect."""
    if not _holds(env.player, rules.make_uses[code]):
        return False
    return bool(_nearby(env) & rules.make_nearby[code] == rules.make_nearby[code])


@kernel
def _holds(player: Player, amounts: Any) -> bool:
    """Whether the inventory has at least these amounts."""
    for item in range(len(player.inventory)):  # noqa: SIM110 (compiled)
        if player.inventory[item] < amounts[item]:
            return False
    return True


@kernel
def _use(player: Player, amounts: Any) -> None:
    """Take these amounts from the inventory."""
    for item in range(len(player.inventory)):
        player.inventory[item] -= amounts[item]


@kernel
def _nearby(env: Env) -> int:
    """The materials around the player, as a set; empty at x = 0 and at y = 0.

    The games cut the block of 3 x 3 cells out of the map with slices; at the left and upper edge
    they start at -1, which means the opposite edge, and the block is empty.
    """
    player = env.player
    if player.x == 0 or player.y == 0:
        return 0
    materials = 0
    for x in range(player.x - 1, player.x + 2):
        for y in range(player.y - 1, player.y + 2):
            materials |= 1 << material_at(env, x, y)
    return materials
