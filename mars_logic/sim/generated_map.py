"""Generated maps by themselves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mars_logic.sim.simulator import Simulator
from mars_logic.sim.state import creatures_of, materials_of
from mars_logic.world.theory import World


@dataclass(frozen=True, slots=True)
class GeneratedMap:
    """A generated map, before the first step.

    Attributes:
        materials: uint8[64, 64], indexed [x, y]: material codes (``names.MATERIALS``).
        creatures: (name, x, y) of each creature, in order of creation.
        start: (x, y) of the player.
    """

    materials: NDArray[np.uint8]
    creatures: tuple[tuple[str, int, int], ...]
    start: tuple[int, int]


def generate_map(world: World, seed: int, episode: int = 1) -> GeneratedMap:
    """The map that a world generates for a seed, with its first creatures.

    Raises:
        ValueError: The seed or the episode is not an integer or out of range.
    """
    simulator = Simulator(world)
    simulator.reset(seed, episode)
    env = simulator.snapshot().envs[0]
    player = env["player"]
    return GeneratedMap(
        materials_of(env), creatures_of(env, world.vocabulary), (int(player["x"]), int(player["y"]))
    )
