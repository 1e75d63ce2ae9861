"""Needs: growth of hunger, thirst and fatigue, recovery, and sleep.

See docs/semantics.md, "The player".
"""

from __future__ import annotations

from mars_logic.compiled.kernel import inline_kernel, kernel
from mars_logic.sim.codes import DRINK, ENERGY, FOOD, HEALTH
from mars_logic.sim.layout import Player
from mars_logic.sim.rules_record import Rules
from mars_logic.world.dialect import DECLINE_ASLEEP, DECLINE_AWAKE, MAXIMUM, RESTED, WASTED


@inline_kernel
def change_health(player: Player, points: int) -> None:
    """Add to the player's health, which can pass its maximum temporarily but stays at least 0."""
    player.inventory[HEALTH] = max(0, player.inventory[HEALTH] + points)


@inline_kernel
def clamp_inventory(player: Player) -> None:
    """Bring every item back into 0 .. MAXIMUM."""
    for item in range(len(player.inventory)):
        player.inventory[item] = max(0, min(player.inventory[item], MAXIMUM))


@kernel
def can_sleep(player: Player) -> bool:
    """Whether falling asleep is possible."""
    return bool(player.inventory[ENERGY] < MAXIMUM)


@kernel
def sleeps_on(player: Player) -> bool:
    """Whether the player stays asleep, whatever the action."""
    return bool(player.sleeping and can_sleep(player))


@kernel
def end_turn(player: Player, rules: Rules) -> None:
    """The part of the player's update after every action."""
    _grow_needs(player, rules)
    _recover(player, rules)
    clamp_inventory(player)
    if player.inventory[HEALTH] < player.wake_health:
        player.sleeping = False
        player.in_bed = False
    player.wake_health = player.inventory[HEALTH]


@inline_kernel
def _rest(player: Player) -> int:
    """How the player rests: 0 awake, 1 asleep, 2 asleep in bed."""
    return (1 + int(player.in_bed)) if player.sleeping else 0


@inline_kernel
def _grow_needs(player: Player, rules: Rules) -> None:
    """Count towards the next loss of food, drink and energy; asleep, energy comes back."""
    rest = _rest(player)
    player.hunger += rules.hunger[rest]
    if player.hunger > rules.hungry_above:
        player.hunger = 0
        player.inventory[FOOD] -= rules.food_loss
    player.thirst += rules.thirst[rest]
    if player.thirst > rules.thirsty_above:
        player.thirst = 0
        player.inventory[DRINK] -= rules.drink_loss
    player.fatigue += rules.fatigue[rest]
    if player.sleeping:
        player.fatigue = min(player.fatigue, 0)
    if player.fatigue < RESTED:
        player.fatigue = 0
        player.inventory[ENERGY] += 1
    if player.fatigue > rules.tired_above:
        player.fatigue = 0
        player.inventory[ENERGY] -= rules.energy_loss


@inline_kernel
def _recover(player: Player, rules: Rules) -> None:
    """Count towards the next gain of health, or towards its loss with an unmet need."""
    rested = player.inventory[ENERGY] > 0 or player.sleeping
    if player.inventory[FOOD] > 0 and player.inventory[DRINK] > 0 and rested:
        player.recover += rules.recovery[_rest(player)]
    else:
        player.recover += DECLINE_ASLEEP if player.sleeping else DECLINE_AWAKE
    if player.recover > rules.healed_above:
        player.recover = 0
        change_health(player, 1)
    if player.recover < WASTED:
        player.recover = 0
        change_health(player, -rules.health_loss)
