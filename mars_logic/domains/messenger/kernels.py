"""One tick of Messenger, compiled; states lie as :mod:`mars_logic.domains.messenger.rules` says.

Movers choose among options in the order north, west, south, east: those that bring them nearer to
where the agent stood before its move (chaser) or farther from there (fleeing), by Manhattan
distance; all four if there is none. An option that leads out of the map does nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mars_logic.compiled.kernel import inline_kernel, kernel
from mars_logic.domains.messenger.rules import (
    AGENT_X,
    AGENT_Y,
    CHASER,
    DEAD,
    DECOY_GOAL,
    DECOY_MESSAGE,
    ENEMY,
    FIRST_THING,
    GOAL,
    HAS_MESSAGE,
    IMMOVABLE,
    LARGEST,
    MESSAGE,
    NOWHERE,
    PLAYING,
    STATUS,
    THING_SIZE,
    THINGS,
    WON,
)

State = NDArray[np.int8]
_ALL_FOUR = 15


@inline_kernel
def step_x(direction: int) -> int:
    """How a direction changes x, in half cells."""
    return (1 if direction == 3 else 0) - (1 if direction == 1 else 0)


@inline_kernel
def step_y(direction: int) -> int:
    """How a direction changes y, which grows to the south."""
    return (1 if direction == 2 else 0) - (1 if direction == 0 else 0)


@inline_kernel
def action_x(action: int) -> int:
    """How an action changes x, in half cells: the agent moves a whole cell."""
    return (2 if action == 3 else 0) - (2 if action == 2 else 0)


@inline_kernel
def action_y(action: int) -> int:
    """How an action changes y."""
    return (2 if action == 1 else 0) - (2 if action == 0 else 0)


@inline_kernel
def options(agent_x: int, agent_y: int, x: int, y: int, motion: int) -> int:
    """The directions that a mover draws from, as bits; none of what does not move."""
    if motion == IMMOVABLE:
        return 0
    away = 0
    if y <= agent_y:
        away |= 1
    if x <= agent_x:
        away |= 2
    if y >= agent_y:
        away |= 4
    if x >= agent_x:
        away |= 8
    if motion != CHASER:
        return away
    return _ALL_FOUR - away if away != _ALL_FOUR else _ALL_FOUR


@inline_kernel
def count(mask: int) -> int:
    """How many directions there are among these bits."""
    return (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1) + ((mask >> 3) & 1)


@inline_kernel
def chosen(mask: int, uniform: float) -> int:
    """One of these directions, each with the same probability; ``NOWHERE`` if there is none."""
    left = int(uniform * count(mask))
    for direction in range(4):
        if (mask >> direction) & 1:
            if left == 0:
                return direction
            left -= 1
    return NOWHERE


@inline_kernel
def inside(value: int, change: int) -> int:
    """A half cell after a move, which does nothing where it leads out of the map."""
    moved = value + change
    return moved if 0 <= moved <= LARGEST else value


@inline_kernel
def touches(ax: int, ay: int, x: int, y: int) -> bool:
    """Whether the agent and a thing overlap, by half a cell at least."""
    return -1 <= ax - x <= 1 and -1 <= ay - y <= 1


@inline_kernel
def advance(state: State, level: int, action: int, directions: NDArray[np.int8]) -> float:
    """Carry out a tick in which the movers go in these directions; return the reward."""
    if state[STATUS] != PLAYING:
        return 0.0
    for thing in range(THINGS):
        at = FIRST_THING + THING_SIZE * thing
        direction = directions[thing]
        if state[at + 2] and direction != NOWHERE:
            state[at] = inside(state[at], step_x(direction))
            state[at + 1] = inside(state[at + 1], step_y(direction))
    state[AGENT_X] = inside(state[AGENT_X], action_x(action))
    state[AGENT_Y] = inside(state[AGENT_Y], action_y(action))
    return effects(state, level)


@inline_kernel
def effects(state: State, level: int) -> float:
    """What touching does, in the order of the rules; return the reward."""
    ax, ay = state[AGENT_X], state[AGENT_Y]
    reward = 0.0
    for thing in (ENEMY, DECOY_MESSAGE, DECOY_GOAL):
        at = FIRST_THING + THING_SIZE * thing
        if state[at + 2] and touches(ax, ay, state[at], state[at + 1]):
            reward -= 1.0
            state[STATUS] = DEAD
    message = FIRST_THING + THING_SIZE * MESSAGE
    goal = FIRST_THING + THING_SIZE * GOAL
    on_message = state[message + 2] and touches(ax, ay, state[message], state[message + 1])
    on_goal = state[goal + 2] and touches(ax, ay, state[goal], state[goal + 1])
    if level == 1:
        if on_message and state[STATUS] == PLAYING:
            state[STATUS] = DEAD if state[HAS_MESSAGE] else WON
            reward = -1.0 if state[HAS_MESSAGE] else 1.0
        if on_goal and state[STATUS] == PLAYING:
            state[STATUS] = WON if state[HAS_MESSAGE] else DEAD
            reward = 1.0 if state[HAS_MESSAGE] else -1.0
        return reward
    if on_goal and state[STATUS] == PLAYING and not state[HAS_MESSAGE]:
        reward -= 1.0
        state[STATUS] = DEAD
    if on_message:
        if state[STATUS] == PLAYING and not state[HAS_MESSAGE]:
            reward += 0.5
            state[HAS_MESSAGE] = 1
        state[message + 2] = 0
    if on_goal and state[STATUS] == PLAYING and state[HAS_MESSAGE]:
        reward += 1.0
        state[goal + 2] = 0
        state[STATUS] = WON
    return reward


@kernel
def draw_directions(state: State, uniforms: NDArray[np.float64], found: NDArray[np.int8]) -> None:
    """The directions of the movers, from a number in [0, 1) for each of the five things."""
    for thing in range(THINGS):
        at = FIRST_THING + THING_SIZE * thing
        found[thing] = NOWHERE
        if state[at + 2]:
            mask = options(state[AGENT_X], state[AGENT_Y], state[at], state[at + 1], state[at + 3])
            found[thing] = chosen(mask, uniforms[thing])


@kernel
def advance_one(state: State, level: int, action: int, directions: NDArray[np.int8]) -> float:
    """Carry out a tick in one environment."""
    return advance(state, level, action, directions)


@kernel
def step_many(
    states: NDArray[np.int8],
    level: int,
    actions: NDArray[np.int64],
    uniforms: NDArray[np.float64],
    rewards: NDArray[np.float64],
) -> None:
    """Carry out a tick in each environment.

    Args:
        states: int8[n, 24].
        level: Of the game.
        actions: int64[n].
        uniforms: float64[n, 5], in [0, 1): which of its options each mover takes.
        rewards: float64[n], written.
    """
    directions = np.empty(THINGS, np.int8)
    for i in range(len(states)):
        draw_directions(states[i], uniforms[i], directions)
        rewards[i] = advance(states[i], level, actions[i], directions)
