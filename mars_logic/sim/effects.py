"""Which actions would do anything now, and what `do` would do; nothing is changed by asking.

See docs/simulator.md, "What an action would do".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mars_logic.kernel import kernel
from mars_logic.sim import arguments
from mars_logic.sim.board import direction, is_free, kind_at, material_at, thing_at
from mars_logic.sim.codes import (
    ARROW,
    COW,
    DO,
    DRINK,
    ENERGY,
    FOOD,
    HEALTH,
    MAKE,
    MOVE_DOWN,
    MOVE_LEFT,
    NONE,
    NOOP,
    NUM_ACTIONS,
    PLACE,
    PLANT,
    PLAYER,
    SKELETON,
    SLEEP,
    ZOMBIE,
)
from mars_logic.sim.layout import PLAYER_DTYPE, Env, Player
from mars_logic.sim.player import (
    can_collect,
    can_make,
    can_place,
    can_sleep,
    end_turn,
    is_ripe,
    sleeps_on,
    target_of,
    tread,
)
from mars_logic.sim.tables import Rules
from mars_logic.world import names

if TYPE_CHECKING:
    from mars_logic.sim.simulator import Simulator

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
"""What `do` can be, by code (From Laws to Motivation, appendix C and the list in D.3)."""
SPLIT_ACTIONS: Final = (*names.ACTIONS[:DO], *DO_EFFECTS, *names.ACTIONS[DO + 1 :])
"""The 27 actions of that paper, in its order: `do` is replaced by its effects."""
NO_EFFECT: Final = -1

_FIRST_SPLIT = DO
_AFTER_SPLIT = DO + len(DO_EFFECTS)

# Effects by what `do` is done to, and by the item that it yields.
_EAT_PLANT = DO_EFFECTS.index("eat_plant")
_EAT_COW = DO_EFFECTS.index("eat_cow")
_DEFEAT_ZOMBIE = DO_EFFECTS.index("defeat_zombie")
_DEFEAT_SKELETON = DO_EFFECTS.index("defeat_skeleton")
_COLLECT_DRINK = DO_EFFECTS.index("collect_drink")
_COLLECT = tuple(
    DO_EFFECTS.index(f"collect_{item}") if item in names.GAINS else NO_EFFECT
    for item in names.ITEMS
)


def action_mask(envs: NDArray[np.void], rules: NDArray[np.void]) -> NDArray[np.bool_]:
    """Which actions would do anything: bool[n, 17]; see ``Simulator.action_mask``."""
    mask = np.empty((len(envs), NUM_ACTIONS), np.bool_)
    _mask_batch(envs, rules, np.empty(2, PLAYER_DTYPE), mask)
    return mask


def do_effects(envs: NDArray[np.void], rules: NDArray[np.void]) -> NDArray[np.int8]:
    """What `do` would now be: int8[n]; see ``Simulator.do_effects``."""
    effects = np.empty(len(envs), np.int8)
    _effects_batch(envs, rules, effects)
    return effects


def split_mask(simulator: Simulator) -> NDArray[np.bool_]:
    """Which of the 27 actions would do anything: bool[n, 27], in ``SPLIT_ACTIONS``.

    Raises:
        RuntimeError: There was no reset yet.
    """
    plain = simulator.action_mask()
    effects = simulator.do_effects()[:, np.newaxis]
    parts = plain[:, DO : DO + 1] & (effects == np.arange(len(DO_EFFECTS)))
    return np.concatenate([plain[:, :DO], parts, plain[:, DO + 1 :]], axis=1)


def split_actions_to_plain(simulator: Simulator, actions: ArrayLike) -> NDArray[np.int64]:
    """Translate actions of the 27-action variant into those that ``Simulator.step`` takes.

    An effect that `do` would not have now becomes noop. Translate right before the step: what `do`
    would be depends on the state.

    Args:
        simulator: The environments that the actions are meant for.
        actions: Integers of shape (n,), codes of ``SPLIT_ACTIONS``; or one integer if n is 1.

    Returns:
        int64[n], codes of ``names.ACTIONS``.

    Raises:
        ValueError: An action is out of range, or the actions have another shape or type.
        RuntimeError: There was no reset yet.
    """
    split = arguments.actions(actions, simulator.n, len(SPLIT_ACTIONS))
    is_effect = (split >= _FIRST_SPLIT) & (split < _AFTER_SPLIT)
    done = np.where(simulator.do_effects() == split - _FIRST_SPLIT, DO, NOOP)
    others = np.where(split < _FIRST_SPLIT, split, split - _AFTER_SPLIT + DO + 1)
    return np.where(is_effect, done, others)


@kernel
def _mask_batch(envs: Any, rules: Any, ends: Any, mask: Any) -> None:
    for i in range(len(envs)):
        mask[i] = False
        mask[i, NOOP] = True
        if not (envs[i].done or sleeps_on(envs[i].player)):
            _mask_actions(envs[i], rules[0], ends, mask[i])


@kernel
def _mask_actions(env: Env, rules: Rules, ends: Any, mask: Any) -> None:
    """Mark what would make the player, who is free to act, end its turn otherwise than noop."""
    player = env.player
    for code in range(MOVE_DOWN - MOVE_LEFT + 1):
        mask[MOVE_LEFT + code] = _moves(env, rules, ends, code)
    mask[DO] = _does(env, rules, ends)
    mask[SLEEP] = _sleeps(player, ends)
    for code in range(len(names.PLACEABLE)):
        mask[PLACE + code] = can_place(env, rules, code)
    for code in range(len(names.TOOLS)):
        mask[MAKE + code] = can_make(env, rules, code)


@kernel
def _moves(env: Env, rules: Rules, ends: Any, code: int) -> bool:
    player = env.player
    dx, dy = direction(code)
    if dx != player.facing_x or dy != player.facing_y:
        return True
    if is_free(env, player.x + dx, player.y + dy, rules.walkable[PLAYER]):
        return True
    idle, active = _awake(player, ends)
    tread(active, rules, material_at(env, player.x, player.y))
    hurt_or_healed = active.inventory[HEALTH] != idle.inventory[HEALTH]
    return hurt_or_healed and _ends_apart(idle, active)


@kernel
def _does(env: Env, rules: Rules, ends: Any) -> bool:
    player = env.player
    x, y = target_of(player)
    kind = kind_at(env, x, y)
    if kind == PLANT:
        return is_ripe(thing_at(env, x, y), rules)
    if kind != NONE:
        return bool(kind != ARROW)
    material = material_at(env, x, y)
    if can_collect(player, rules, material):
        return True  # at the least, it draws from the random stream
    if not rules.resets_thirst[material]:
        return False
    idle, active = _awake(player, ends)
    active.thirst = 0
    return _ends_apart(idle, active)


@kernel
def _sleeps(player: Player, ends: Any) -> bool:
    if not can_sleep(player):
        return False
    idle, active = _awake(player, ends)
    active.sleeping = True
    return _ends_apart(idle, active)


@kernel
def _awake(player: Player, ends: Any) -> tuple[Player, Player]:
    """Two copies of the player, as it is when it is free to act."""
    ends[0] = player
    ends[0].sleeping = False
    ends[1] = ends[0]
    return ends[0], ends[1]


@kernel
def _ends_apart(idle: Player, active: Player) -> bool:
    """Let the turns of two players end: whether they still differ.

    What an action changed may not last: healing above the maximum is cut off, and a counter that
    runs over in this turn is set back.
    """
    end_turn(idle)
    end_turn(active)
    for vital in (HEALTH, FOOD, DRINK, ENERGY):
        if idle.inventory[vital] != active.inventory[vital]:
            return True
    return bool(
        idle.sleeping != active.sleeping
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
        if item >= 0:
            return _COLLECT[item]
    drinks = collects and (
        rules.drink_drink[material] != 0
        or rules.drink_food[material] != 0
        or rules.drink_health[material] != 0
    )
    return _COLLECT_DRINK if drinks or rules.resets_thirst[material] else NO_EFFECT


@kernel
def _likeliest_yield(rules: Rules, material: int) -> int:
    """The item that is yielded most often, the first among equals; -1 if nothing ever is."""
    item = -1
    highest = 0.0
    for i in range(rules.num_yields[material]):
        up_to = min(rules.yield_up_to[material, i], 1.0)
        chance = up_to - max(rules.yield_above[material, i], 0.0)
        if chance > highest:
            highest = chance
            item = rules.yield_item[material, i]
    return item
