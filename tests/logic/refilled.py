"""Players that do something at random and whose vitals are refilled in each step."""

from __future__ import annotations

import numpy as np

from mars_logic import World
from mars_logic.sim import Simulator
from mars_logic.sim.snapshot import Snapshot
from mars_logic.world import names

STEPS = 300
_VITALS = 4
_MOVES, _DO = slice(1, 5), 5
_SHARES = (0.35, 0.35)
"""Of moves and of interactions with what is in front; the rest is any action."""


def played(world: World, map_seed: int, players: int, steps: int = STEPS) -> set[str]:
    """What some players unlock on a map, if they neither hunger nor thirst nor tire.

    What kills at once still does.
    """
    simulator = Simulator(world, players)
    simulator.reset([map_seed] * players)
    dice = np.random.default_rng(map_seed)
    many = len(names.ACTIONS)
    acting = np.full(many, (1 - sum(_SHARES)) / many)
    acting[_MOVES] += _SHARES[0] / 4
    acting[_DO] += _SHARES[1]
    for _ in range(steps):
        simulator.step(dice.choice(many, players, p=acting).tolist())
        envs = simulator.snapshot().envs.copy()
        envs["player"]["inventory"][:, :_VITALS] = 9
        simulator.restore(Snapshot(envs))
    some = np.flatnonzero(simulator.unlocked.any(axis=0))
    return {world.achievements[number] for number in some.tolist()}
