"""The player: what its actions do, and how its needs grow.

See docs/semantics.md, "The player".
"""

from __future__ import annotations

from mars_logic.kernel import inline_kernel, kernel
from mars_logic.sim.board import (
    add_thing,
    direction,
    kind_at,
    material_at,
    move_player,
    set_material,
    thing_at,
)
from mars_logic.sim.codes import (
    ARROW,
    DO,
    DRINK,
    EAT_PLANT,
    ENERGY,
    FOOD,
    HEALTH,
    IRON_SWORD,
    MAKE,
    MAXIMUM,
    MOVE_DOWN,
    MOVE_LEFT,
    NONE,
    NUM_ITEMS,
    PLACE,
    PLANT,
    SLEEP,
    STONE_SWORD,
    WAKE_UP,
    WOOD_PICKAXE,
    WOOD_SWORD,
)
from mars_logic.sim.layout import Env, Player
from mars_logic.sim.stream import uniform
from mars_logic.sim.tables import Rules


@inline_kernel
def update_player(env: Env, rules: Rules, action: int) -> None:
    """One step of the player, which comes before that of everything else."""
    player = env.player
    if player.sleeping:
        if player.inventory[ENERGY] < MAXIMUM:
            action = SLEEP
        else:
            player.sleeping = False
            achieve(player, WAKE_UP)
    _act(env, rules, action)
    _grow_needs(player)
    _recover(player)
    clamp_inventory(player)
    if player.inventory[HEALTH] < player.wake_health:
        player.sleeping = False
    player.wake_health = player.inventory[HEALTH]


@inline_kernel
def change_health(player: Player, points: int) -> None:
    """Add to the player's health, which can pass its maximum for a while but not fall below 0."""
    player.inventory[HEALTH] = max(0, player.inventory[HEALTH] + points)


@inline_kernel
def achieve(player: Player, achievement: int) -> None:
    """Count an achievement."""
    if player.achievements[achievement] == 0:
        player.unlocked = True
    player.achievements[achievement] += 1


@inline_kernel
def clamp_inventory(player: Player) -> None:
    """Bring every item back into 0 .. MAXIMUM."""
    for item in range(NUM_ITEMS):
        player.inventory[item] = max(0, min(player.inventory[item], MAXIMUM))


@inline_kernel
def _act(env: Env, rules: Rules, action: int) -> None:
    player = env.player
    if MOVE_LEFT <= action <= MOVE_DOWN:
        _move(env, rules, action - MOVE_LEFT)
    elif action == DO:
        x = player.x + player.facing_x
        y = player.y + player.facing_y
        if kind_at(env, x, y) == NONE:
            _collect(env, rules, x, y)
        else:
            _hit(env, rules, x, y)
    elif action == SLEEP:
        if player.inventory[ENERGY] < MAXIMUM:
            player.sleeping = True
    elif action >= MAKE:
        _make(env, rules, action - MAKE)
    elif action >= PLACE:
        _place(env, rules, action - PLACE)


@inline_kernel
def _move(env: Env, rules: Rules, code: int) -> None:
    player = env.player
    dx, dy = direction(code)
    player.facing_x = dx
    player.facing_y = dy
    move_player(env, rules, dx, dy)
    # Moved or not: pushing against a wall while standing on lava kills as well.
    ground = material_at(env, player.x, player.y)
    if rules.deadly[ground]:
        player.inventory[HEALTH] = 0
    elif rules.walk_health[ground] != 0:
        change_health(player, rules.walk_health[ground])


@kernel
def _hit(env: Env, rules: Rules, x: int, y: int) -> None:
    """Hit a creature, or eat a ripe plant."""
    player = env.player
    kind = kind_at(env, x, y)
    if kind == ARROW:
        return
    thing = thing_at(env, x, y)
    if kind == PLANT:
        if thing.grown > rules.ripe_age:
            thing.grown = 0
            achieve(player, EAT_PLANT)
            _eat(player, rules, PLANT)
        return
    # A creature without health is removed in its own update, later in this step.
    thing.health = max(0, thing.health - _strength(player))
    if thing.health == 0:
        achieve(player, rules.killed[kind])
        _eat(player, rules, kind)
        if rules.resets_hunger[kind]:
            player.hunger = 0


@kernel
def _strength(player: Player) -> int:
    if player.inventory[IRON_SWORD] > 0:
        return 5
    if player.inventory[STONE_SWORD] > 0:
        return 3
    if player.inventory[WOOD_SWORD] > 0:
        return 2
    return 1


@kernel
def _eat(player: Player, rules: Rules, kind: int) -> None:
    player.inventory[FOOD] += rules.eaten_food[kind]
    player.inventory[DRINK] += rules.eaten_drink[kind]
    change_health(player, rules.eaten_health[kind])


@kernel
def _collect(env: Env, rules: Rules, x: int, y: int) -> None:
    """Do the collect rule of a cell without a thing on it."""
    player = env.player
    material = material_at(env, x, y)
    if rules.resets_thirst[material]:
        player.thirst = 0
    if not rules.collectable[material]:
        return
    for item in range(NUM_ITEMS):
        if player.inventory[item] < rules.collect_requires[material, item]:
            return
    player.inventory[DRINK] += rules.drink_drink[material]
    player.inventory[FOOD] += rules.drink_food[material]
    player.inventory[HEALTH] += rules.drink_health[material]  # may fall below 0 until clamped
    set_material(env, x, y, rules.leaves[material])
    creature = rules.spawns[material]
    if creature != NONE and uniform(env.stream) <= rules.spawn_probability[material]:
        add_thing(env, rules, creature, x, y)
    chance = uniform(env.stream)  # drawn even if there is nothing to get
    for i in range(rules.num_yields[material]):
        if rules.yield_above[material, i] < chance <= rules.yield_up_to[material, i]:
            item = rules.yield_item[material, i]
            player.inventory[item] += rules.yield_amount[material, i]
            achieve(player, rules.collected[item])


@kernel
def _place(env: Env, rules: Rules, code: int) -> None:
    player = env.player
    x = player.x + player.facing_x
    y = player.y + player.facing_y
    material = material_at(env, x, y)
    if kind_at(env, x, y) != NONE or (rules.place_where[code] >> material) & 1 == 0:
        return
    if not _use(player, rules.place_uses[code]):
        return
    if rules.place_material[code] == NONE:
        add_thing(env, rules, PLANT, x, y)
    else:
        set_material(env, x, y, rules.place_material[code])
    achieve(player, rules.placed[code])


@kernel
def _make(env: Env, rules: Rules, code: int) -> None:
    player = env.player
    if _nearby(env) & rules.make_nearby[code] != rules.make_nearby[code]:
        return
    if not _use(player, rules.make_uses[code]):
        return
    player.inventory[WOOD_PICKAXE + code] += rules.make_gives[code]
    achieve(player, rules.made[code])


@kernel
def _use(player: Player, uses: object) -> bool:
    """Take what a rule uses from the inventory, if all of it is there."""
    for item in range(NUM_ITEMS):
        if player.inventory[item] < uses[item]:  # type: ignore[index]
            return False
    for item in range(NUM_ITEMS):
        player.inventory[item] -= uses[item]  # type: ignore[index]
    return True


@kernel
def _nearby(env: Env) -> int:
    """The materials around the player, as a set; none at all at x = 0 and at y = 0.

    The games cut the block of 3 x 3 cells out of the map with slices; at the left and upper edge
    they start at -1, which is the other side, and the block is empty.
    """
    player = env.player
    if player.x == 0 or player.y == 0:
        return 0
    materials = 0
    for x in range(player.x - 1, player.x + 2):
        for y in range(player.y - 1, player.y + 2):
            materials |= 1 << material_at(env, x, y)
    return materials


@inline_kernel
def _grow_needs(player: Player) -> None:
    """Count towards the next loss of food, drink and energy; asleep, energy comes back."""
    rate = 0.5 if player.sleeping else 1.0
    player.hunger += rate
    if player.hunger > 25:
        player.hunger = 0
        player.inventory[FOOD] -= 1
    player.thirst += rate
    if player.thirst > 20:
        player.thirst = 0
        player.inventory[DRINK] -= 1
    if player.sleeping:
        player.fatigue = min(player.fatigue - 1, 0)
    else:
        player.fatigue += 1
    if player.fatigue < -10:
        player.fatigue = 0
        player.inventory[ENERGY] += 1
    if player.fatigue > 30:
        player.fatigue = 0
        player.inventory[ENERGY] -= 1


@inline_kernel
def _recover(player: Player) -> None:
    """Count towards the next gain of health, or its loss if a need is not met."""
    rested = player.inventory[ENERGY] > 0 or player.sleeping
    if player.inventory[FOOD] > 0 and player.inventory[DRINK] > 0 and rested:
        player.recover += 2 if player.sleeping else 1
    else:
        player.recover -= 0.5 if player.sleeping else 1.0
    if player.recover > 25:
        player.recover = 0
        change_health(player, 1)
    if player.recover < -15:
        player.recover = 0
        change_health(player, -1)
