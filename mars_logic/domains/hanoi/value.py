"""Optimal play of the tower of Hanoi: backward induction over all states of the disks."""

from __future__ import annotations

import itertools
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.base import Value
from mars_logic.domains.hanoi.rules import MOVES, RODS, Hanoi, all_on, moved
from mars_logic.domains.hanoi.words import ACTIONS
from mars_logic.system.display import number

Values = NDArray[np.int64]

_SHOWN: Final = 8
"""Moves of the optimal plan that are told."""
_DISK: Final = 2**15
"""A disk on the goal outweighs all steps of an episode, of which there are at most 10,000."""
_REWARD: Final = 2**20
"""A unit of reward outweighs all disks, of which there are at most 8, and all steps."""


def value_of(game: Hanoi, told: str) -> Value:
    """The exact optimum of a game without slips.

    Of plays with the largest reward, this is one with the largest score after the last step, and
    of these the shortest.

    Args:
        game: The rules, without open fields.
        told: What the player was told, in words.
    """
    states = [*itertools.product(range(len(RODS)), repeat=game.disks)]
    index = {pegs: place for place, pegs in enumerate(states)}
    goal = index[all_on(game.goal, game.disks)]
    after, gains = _transitions(game, states, index, goal)
    layers = _layers(game, states, after, gains, goal)
    at, left = index[all_on(game.start, game.disks)], game.length
    best = int(layers[0][at])
    reward, rest = _parted(best, _REWARD)
    score, rest = _parted(rest, _DISK)
    steps = -rest
    moves = []
    for done in range(len(layers) - 1):
        if at == goal or done == left:
            break
        action = int(np.argmax(gains[:, at] + layers[done + 1][after[:, at]]))
        when = f"after {number(done, 'move')}" if done else "at the start"
        moves.append(f"{when}: {ACTIONS[action]}")
        at = int(after[action, at])
    note = _note(game, steps, solved=score == game.disks)
    return Value(told, float(score), float(reward), float(reward), tuple(moves), note, steps)


def _parted(value: int, unit: int) -> tuple[int, int]:
    """A multiple of a unit and what is left, of which the size is below half of the unit."""
    times = (value + unit // 2) // unit
    return times, value - times * unit


def _note(game: Hanoi, steps: int, *, solved: bool) -> str:
    if solved:
        return f"The goal is reached in {number(steps, 'move')} of {game.length}."
    return f"The best play of {number(game.length, 'move')} does not reach the goal."


def _transitions(
    game: Hanoi, states: list[tuple[int, ...]], index: dict[tuple[int, ...], int], goal: int
) -> tuple[Values, Values]:
    """For each action and state, int64[6, states]: the state after it, and what it is worth."""
    after = np.empty((len(MOVES), len(states)), np.int64)
    gains = np.empty_like(after)
    for action, (place, pegs) in itertools.product(range(len(MOVES)), enumerate(states)):
        target = moved(pegs, action)
        after[action, place] = place if target is None else index[target]
        reached = target is not None and index[target] == goal
        reward = game.illegal if target is None else game.solved if reached else 0
        gains[action, place] = reward * _REWARD - 1
    return after, gains


def _layers(
    game: Hanoi, states: list[tuple[int, ...]], after: Values, gains: Values, goal: int
) -> list[Values]:
    """int64[states] each: what the states are worth at the start, after one step, and so on.

    At most ``_SHOWN`` steps into the episode.
    """
    rod = RODS.index(game.goal)
    value = np.array([pegs.count(rod) for pegs in states], np.int64) * _DISK
    finished = value[goal]
    kept = [value]
    for _ in range(game.length):
        value = (gains + value[after]).max(axis=0)
        value[goal] = finished  # the episode is over
        kept = [value, *kept[:_SHOWN]]
    return kept
