"""Values of actions by rollouts, compiled: a greedy player that avoids touch, in sampled states."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mars_logic.compiled.kernel import inline_kernel, kernel
from mars_logic.domains.messenger.kernels import (
    State,
    action_x,
    action_y,
    advance,
    chosen,
    count,
    inside,
    options,
    step_x,
    step_y,
    touches,
)
from mars_logic.domains.messenger.rules import (
    AGENT_X,
    AGENT_Y,
    FIRST_THING,
    GOAL,
    HAS_MESSAGE,
    IMMOVABLE,
    MESSAGE,
    NOWHERE,
    PLAYING,
    STATE_SIZE,
    STATUS,
    THING_SIZE,
    THINGS,
)

_TOUCH = 40.0
"""What a certain touch of something deadly costs the greedy player, in half cells."""
_NEAR = 3.0
"""What it costs to stand next to something deadly that moves, so that it might touch later."""
_DISCOUNT = 0.99
"""Worth of a reward a step later; below 1, so that of two sure wins the earlier is taken."""


@inline_kernel
def _next(random: NDArray[np.uint64]) -> float:
    """A number in [0, 1): xorshift64*."""
    x = random[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    random[0] = x
    return float((x * np.uint64(2685821657736338717)) >> np.uint64(11)) / 9007199254740992.0


@inline_kernel
def is_deadly(state: State, level: int, thing: int) -> bool:
    """Whether touching a thing loses now."""
    if thing == MESSAGE:
        return bool(level == 1 and state[HAS_MESSAGE])
    if thing == GOAL:
        return bool(not state[HAS_MESSAGE])
    return True


@inline_kernel
def _risk(state: State, thing: int, agent_x: int, agent_y: int) -> float:
    """The probability that a thing touches the agent, if it moves there in this tick."""
    at = FIRST_THING + THING_SIZE * thing
    x, y = state[at], state[at + 1]
    mask = options(state[AGENT_X], state[AGENT_Y], x, y, state[at + 3])
    if mask == 0:
        return 1.0 if touches(agent_x, agent_y, x, y) else 0.0
    hits = 0
    for direction in range(4):
        if (mask >> direction) & 1:
            moved_x, moved_y = inside(x, step_x(direction)), inside(y, step_y(direction))
            hits += touches(agent_x, agent_y, moved_x, moved_y)
    return hits / count(mask)


@inline_kernel
def greedy(state: State, level: int, random: NDArray[np.uint64]) -> int:
    """The action that brings the agent nearest to its target without touching what is deadly."""
    target = FIRST_THING + THING_SIZE * (GOAL if state[HAS_MESSAGE] else MESSAGE)
    best, best_score = 4, -1e9
    for action in range(5):
        x = inside(state[AGENT_X], action_x(action))
        y = inside(state[AGENT_Y], action_y(action))
        score = -float(abs(x - state[target]) + abs(y - state[target + 1]))
        for thing in range(THINGS):
            at = FIRST_THING + THING_SIZE * thing
            if state[at + 2] and is_deadly(state, level, thing):
                score -= _TOUCH * _risk(state, thing, x, y)
                gap = max(abs(x - state[at]), abs(y - state[at + 1]))
                if gap <= 3 and state[at + 3] != IMMOVABLE:
                    score -= _NEAR
        score += _next(random)
        if score > best_score:
            best, best_score = action, score
    return best


@inline_kernel
def _tick(state: State, level: int, action: int, random: NDArray[np.uint64]) -> float:
    directions = np.empty(THINGS, np.int8)
    for thing in range(THINGS):
        at = FIRST_THING + THING_SIZE * thing
        directions[thing] = NOWHERE
        if state[at + 2]:
            mask = options(state[AGENT_X], state[AGENT_Y], state[at], state[at + 1], state[at + 3])
            if mask:
                directions[thing] = chosen(mask, _next(random))
    return advance(state, level, action, directions)


@inline_kernel
def _rollout(
    state: State, level: int, action: int, steps: int, random: NDArray[np.uint64]
) -> float:
    """The discounted reward of an action and of greedy play after it."""
    total, weight = 0.0, 1.0
    for _ in range(steps):
        total += weight * _tick(state, level, action, random)
        if state[STATUS] != PLAYING:
            break
        weight *= _DISCOUNT
        action = greedy(state, level, random)
    return total


@kernel
def action_values(
    states: NDArray[np.int8], level: int, steps: int, repeats: int, seed: int
) -> NDArray[np.float64]:
    """The mean discounted reward of each action, followed by greedy play.

    All actions are tried with the same states and random numbers, so that their differences vary
    little.

    Args:
        states: int8[n, 24], sampled from what is believed; not changed.
        level: Of the game.
        steps: At most so many.
        repeats: Rollouts from each state.
        seed: Of the rollouts' random numbers, from 1.

    Returns:
        float64[5].
    """
    values = np.zeros(5)
    state = np.empty(STATE_SIZE, np.int8)
    random = np.empty(1, np.uint64)
    for action in range(5):
        random[0] = np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(1)
        for i in range(len(states)):
            for _ in range(repeats):
                first = random[0]
                state[:] = states[i]
                values[action] += _rollout(state, level, action, steps, random)
                random[0] = first * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
    return values / (len(states) * repeats)
