"""One step and one reset of an environment, and the loops over a batch of them.

See docs/semantics.md, "A step" and "A reset".
"""

from __future__ import annotations

from typing import Any

from mars_logic.compiled.kernel import inline_kernel, kernel
from mars_logic.sim.added_needs import fill_added_needs, grow_added_needs
from mars_logic.sim.board import (
    add_player,
    forget_removed,
    is_left,
    is_traced,
    is_wide,
    material_at,
    near_among,
)
from mars_logic.sim.cell_changes import change_cells
from mars_logic.sim.codes import HEALTH, NONE
from mars_logic.sim.creatures import update_thing
from mars_logic.sim.fetching import fetch_head, fetch_rest
from mars_logic.sim.layout import MOST_ENTERED, NUM_CHUNKS, Env, Player
from mars_logic.sim.needs import clamp_inventory
from mars_logic.sim.noise_grid import Lattice
from mars_logic.sim.player import update_player
from mars_logic.sim.rules_record import (
    AT,
    HAVE,
    NONE_LEFT,
    REACH,
    SURVIVE,
    WIDE_ACHIEVEMENTS,
    WIDE_KINDS,
    Rules,
)
from mars_logic.sim.seeds import episode_seed
from mars_logic.sim.sharing import Shares, share_done, take_share
from mars_logic.sim.spawning import balance, balance_added, most_coming
from mars_logic.sim.stream import seed_stream
from mars_logic.sim.terrain import generate
from mars_logic.sim.vectors import BYTES, lowest_bit
from mars_logic.world.dialect import BALANCE_PERIOD, CENTRE, MAXIMUM

_BALANCED_KINDS = 3
_FIRST_ACHIEVEMENT = 1.0
_NEED_OF_A_BOSS = 9.0
"""Counters of the needs of a player that nothing harms, at the end of each step."""

Array = Any
"""In annotations of kernels: an array. Rules and lattice come as arrays of one record each."""


@inline_kernel
def step_env(env: Env, rules: Rules, daylight: float, action: int) -> float:
    """Step one environment that is not done; return the reward.

    Args:
        env: The environment.
        rules: The rules of its world.
        daylight: Daylight after the step, from 0 to 1.
        action: The code of the player's action.
    """
    env.step += 1
    acting = env.num_things  # things created in this step act from the next one on
    if not (is_traced(env) and env.player.gone):
        update_player(env, rules, action)
    if is_wide(env) and rules.num_needs > 0:
        grow_added_needs(env, rules, daylight)
    for first in range(0, acting, BYTES):
        near = near_among(env, first, acting, int(rules.horizon))
        while near:
            update_thing(env, rules, first + lowest_bit(near), daylight)
            near &= near - 1
    if rules.balance and env.step % BALANCE_PERIOD == 0:
        balance(env, rules, daylight)
        if is_wide(env) and rules.first_coming > 0:
            balance_added(env, rules, daylight)
    if is_wide(env) and rules.changes:
        change_cells(env, rules, daylight)
    forget_removed(env)
    if is_traced(env) and rules.boss:
        _keep_from_harm(env.player)
    reward = _reward(env, rules)
    env.done = env.player.inventory[HEALTH] <= 0 or env.step >= rules.length
    if not rules.surplus_lasts:
        # After the reward: healing above the maximum is rewarded now and deducted in the next step.
        clamp_inventory(env.player)
    return reward


@kernel
def _keep_from_harm(player: Player) -> None:
    player.boss = True
    player.inventory[HEALTH] = MAXIMUM
    player.hunger = _NEED_OF_A_BOSS
    player.thirst = _NEED_OF_A_BOSS
    player.fatigue = _NEED_OF_A_BOSS
    player.recover = _NEED_OF_A_BOSS


@inline_kernel
def _reward(env: Env, rules: Rules) -> float:
    if is_wide(env) and rules.num_goals > 0:
        return _reward_of_goals(env, rules)
    player = env.player
    reward = float(player.inventory[HEALTH] - env.paid_health) / 10
    env.paid_health = player.inventory[HEALTH]
    if player.unlocked:
        player.unlocked = False
        reward += _FIRST_ACHIEVEMENT
    return reward


@kernel
def _reward_of_goals(env: Env, rules: Rules) -> float:
    """The reward of a step in a world with goals of its own; conditions that hold are counted."""
    player = env.player
    reward = float(player.inventory[HEALTH] - env.paid_health) / 10
    env.paid_health = player.inventory[HEALTH]
    player.unlocked = False
    for i in range(rules.num_goals):
        goal = int(rules.goal[i])
        if player.achievements[goal] == 0 and _holds(env, rules, i):
            player.achievements[goal] = 1
        paid = goal + WIDE_ACHIEVEMENTS
        if player.achievements[goal] > 0 and player.achievements[paid] == 0:
            player.achievements[paid] = 1
            reward += rules.goal_reward[i]
    return reward


@kernel
def _holds(env: Env, rules: Rules, i: int) -> bool:
    """Whether goal number i is a condition that holds, for a player that lives."""
    player = env.player
    kind, subject, number = rules.goal_kind[i], int(rules.goal_subject[i]), rules.goal_number[i]
    if kind == 0 or player.inventory[HEALTH] <= 0:
        return False
    if kind == HAVE:
        return bool(player.inventory[subject] >= number)
    if kind == REACH:
        return bool(material_at(env, player.x, player.y) == subject)
    if kind == AT:
        return bool(player.x == subject and player.y == number)
    if kind == NONE_LEFT:
        return not is_left(env, subject, i)
    return bool(kind == SURVIVE and env.step >= number)


@kernel
def reset_env(env: Env, rules: Rules, lattice: Lattice) -> bool:
    """Begin the episode that ``env.seed`` and ``env.episode`` name.

    Returns:
        Whether there was room for all creatures. If false, the state is invalid.
    """
    begin_env(env, rules, CENTRE, CENTRE)
    return generate(env, rules, lattice)


@kernel
def begin_env(env: Env, rules: Rules, x: int, y: int) -> None:
    """Begin an episode without a map yet; the player stands at (x, y)."""
    seed_stream(env.stream, episode_seed(env.seed, env.episode))
    env.step = 0
    env.done = False
    env.paid_health = MAXIMUM
    env.cells[:] = 0
    env.marks[:] = 0
    env.num_things = 0
    env.num_removed = 0
    env.next_entered = 0
    env.num_known = 0
    for i in range(NUM_CHUNKS):
        chunk = env.chunks[i]
        chunk.known = False
        chunk.grass = 0
        chunk.path = 0
        chunk.things[:] = 0
    _reset_player(env, x, y)
    if is_wide(env):
        fill_added_needs(env, rules)


@kernel
def _reset_player(env: Env, x: int, y: int) -> None:
    player = env.player
    player.x = x
    player.y = y
    player.facing_x = 0
    player.facing_y = 1
    player.sleeping = False
    player.in_bed = False
    player.boss = False
    player.gone = False
    player.wake_health = MAXIMUM
    player.inventory[:] = 0
    player.inventory[:4] = MAXIMUM  # the vitals
    player.achievements[:] = 0
    player.unlocked = False
    player.hunger = 0
    player.thirst = 0
    player.fatigue = 0
    player.recover = 0
    add_player(env)


@inline_kernel
def has_room(env: Env, rules: Rules) -> bool:
    """Whether the record has room for all things that the next step can create, and their entries.

    The bound is one thing by the player and its body, one arrow by each shooter, and, in a step
    that balances chunks, one creature of each kind in each chunk that may have too few.
    """
    if env.next_entered >= MOST_ENTERED:
        return False
    balances = rules.balance and (env.step + 1) % BALANCE_PERIOD == 0
    kinds = _BALANCED_KINDS
    if is_wide(env) and rules.first_coming > 0:
        kinds += WIDE_KINDS - int(rules.first_coming)
    needed = 1 + int(rules.body != NONE) + (NUM_CHUNKS * kinds if balances else 0)
    if 2 * env.num_things + needed <= len(env.things):  # even if all of them shoot
        return True
    return _has_just_room(env, rules, balances)


@kernel
def _has_just_room(env: Env, rules: Rules, balances: bool) -> bool:
    needed = 1 + int(rules.body != NONE) + (most_coming(env) if balances else 0)
    if is_wide(env) and balances and rules.first_coming > 0:
        needed += env.num_known * (WIDE_KINDS - int(rules.first_coming))
    for i in range(env.num_things):
        needed += rules.shoots[env.things[i].kind]
    return bool(env.num_things + needed <= len(env.things))


@kernel
def reset_batch(
    envs: Array, rules: Array, lattice: Array, where: Array, shares: Shares, thread: int
) -> None:
    """Reset those environments that are selected.

    A share is crowded if not all had room, for this and for their first step: states are invalid.
    """
    while True:
        first, end = take_share(shares, thread)
        if first == end:
            break
        room = True
        for i in range(first, end):
            if where[i]:
                fits = reset_env(envs[i], rules[0], lattice[0]) and has_room(envs[i], rules[0])
                room = fits and room
        share_done(shares, first, end, room)


@kernel
def have_room(envs: Array, rules: Array) -> bool:
    """Whether the next step of every environment fits into its record."""
    room = True
    for i in range(len(envs)):
        room = has_room(envs[i], rules[0]) and room
    return room


@kernel
def step_batch(
    envs: Array,
    rules: Array,
    daylight: Array,
    actions: Array,
    rewards: Array,
    dones: Array,
    shares: Shares,
    thread: int,
) -> None:
    """Step environments and fill in their rewards and done flags.

    An environment that is done stays as it is, with reward 0. A share is crowded if not all have
    room for the step after this one.
    """
    while True:
        first, end = take_share(shares, thread)
        if first == end:
            break
        room = _step_some(envs, rules, daylight, actions, rewards, dones, first, end)
        share_done(shares, first, end, room)


@kernel
def _step_some(
    envs: Array,
    rules: Array,
    daylight: Array,
    actions: Array,
    rewards: Array,
    dones: Array,
    first: int,
    end: int,
) -> bool:
    room = True
    for i in range(first, end):
        env = envs[i]
        if i + 2 < end:
            fetch_head(envs[i + 2])
            fetch_rest(envs[i + 1])
        if env.done:
            rewards[i] = 0.0
        else:
            rewards[i] = step_env(env, rules[0], daylight[env.step + 1], actions[i])
        dones[i] = env.done
        room = has_room(env, rules[0]) and room
    return room
