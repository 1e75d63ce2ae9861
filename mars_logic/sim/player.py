"""The player: what its actions do, and how its needs grow.

See docs/semantics.md, "The player".
"""

from __future__ import annotations

from typing import Any

from mars_logic.kernel import kernel
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
from mars_logic.sim.layout import Env, Player, Thing
from mars_logic.sim.stream import uniform
from mars_logic.sim.tables import Rules


@kernel
def update_player(env: Env, rules: Rules, action: int) -> None:
    """One step of the player, which comes before that of everything else."""
    player = env.player
    if sleeps_on(player):
        action = SLEEP
    elif player.sleeping:
        player.sleeping = False
        achieve(player, WAKE_UP)
    _act(env, rules, action)
    end_turn(player)


@kernel
def sleeps_on(player: Player) -> bool:
    """Whether the player goes on sleeping, whatever it is told to do."""
    return bool(player.sleeping and can_sleep(player))


@kernel
def end_turn(player: Player) -> None:
    """What happens to the player after every action."""
    _grow_needs(player)
    _recover(player)
    clamp_inventory(player)
    if player.inventory[HEALTH] < player.wake_health:
        player.sleeping = False
    player.wake_health = player.inventory[HEALTH]


@kernel
def change_health(player: Player, points: int) -> None:
    """Add to the player's health, which can pass its maximum for a while but not fall below 0."""
    player.inventory[HEALTH] = max(0, player.inventory[HEALTH] + points)


@kernel
def achieve(player: Player, achievement: int) -> None:
    """Count an achievement."""
    if player.achievements[achievement] == 0:
        player.unlocked = True
    player.achievements[achievement] += 1


@kernel
def clamp_inventory(player: Player) -> None:
    """Bring every item back into 0 .. MAXIMUM."""
    for item in range(NUM_ITEMS):
        player.inventory[item] = max(0, min(player.inventory[item], MAXIMUM))


@kernel
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
    elif action >= MAKE:
        _make(env, rules, action - MAKE)
    elif action >= PLACE:
        _place(env, rules, action - PLACE)


@kernel
def target_of(player: Player) -> tuple[int, int]:
    """The cell that the player faces."""
    return player.x + player.facing_x, player.y + player.facing_y


@kernel
def can_sleep(player: Player) -> bool:
    """Whether falling asleep is possible."""
    return bool(player.inventory[ENERGY] < MAXIMUM)


@kernel
def _move(env: Env, rules: Rules, code: int) -> None:
    player = env.player
    dx, dy = direction(code)
    player.facing_x = dx
    player.facing_y = dy
    move_player(env, rules, dx, dy)
    # Moved or not: pushing against a wall while standing on lava kills as well.
    tread(player, rules, material_at(env, player.x, player.y))


@kernel
def tread(player: Player, rules: Rules, ground: int) -> None:
    """What the ground does to a player who moves, or tries to."""
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
        if is_ripe(thing, rules):
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
def is_ripe(plant: Thing, rules: Rules) -> bool:
    """Whether a plant can be eaten."""
    return bool(plant.grown > rules.ripe_age)


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
    if not can_collect(player, rules, material):
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
def can_collect(player: Player, rules: Rules, material: int) -> bool:
    """Whether the collect rule of a material applies, with nothing standing on it."""
    return bool(rules.collectable[material]) and _holds(player, rules.collect_requires[material])


@kernel
def _place(env: Env, rules: Rules, code: int) -> None:
    if not can_place(env, rules, code):
        return
    player = env.player
    _use(player, rules.place_uses[code])
    x, y = target_of(player)
    if rules.place_material[code] == NONE:
        add_thing(env, rules, PLANT, x, y)
    else:
        set_material(env, x, y, rules.place_material[code])
    achieve(player, rules.placed[code])


@kernel
def can_place(env: Env, rules: Rules, code: int) -> bool:
    """Whether a place action, counted from PLACE, would do anything."""
    player = env.player
    x, y = target_of(player)
    material = material_at(env, x, y)
    if kind_at(env, x, y) != NONE or (rules.place_where[code] >> material) & 1 == 0:
        return False
    return _holds(player, rules.place_uses[code])


@kernel
def _make(env: Env, rules: Rules, code: int) -> None:
    if not can_make(env, rules, code):
        return
    player = env.player
    _use(player, rules.make_uses[code])
    player.inventory[WOOD_PICKAXE + code] += rules.make_gives[code]
    achieve(player, rules.made[code])


@kernel
def can_make(env: Env, rules: Rules, code: int) -> bool:
    """Whether a make action, counted from MAKE, would do anything."""
    if not _holds(env.player, rules.make_uses[code]):
        return False
    return bool(_nearby(env) & rules.make_nearby[code] == rules.make_nearby[code])


@kernel
def _holds(player: Player, amounts: Any) -> bool:
    """Whether the inventory has at least these amounts."""
    for item in range(NUM_ITEMS):  # noqa: SIM110 (compiled)
        if player.inventory[item] < amounts[item]:
            return False
    return True


@kernel
def _use(player: Player, amounts: Any) -> None:
    """Take these amounts from the inventory."""
    for item in range(NUM_ITEMS):
        player.inventory[item] -= amounts[item]


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


@kernel
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


@kernel
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
