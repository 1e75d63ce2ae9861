"""What the believed generator makes, measured on maps of its own: terrain and first creatures.

The maps are drawn from the believed world with seeds that no episode has.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.sim import Simulator
from mars_logic.world import names
from mars_logic.world.dialect import AREA, VIEW_HEIGHT, VIEW_WIDTH
from mars_logic.world.load import load_world
from mars_logic.world.names import Dynamics
from mars_logic.world.rules import Rule
from mars_logic.world.theory import World

MATERIALS: Final = len(names.MATERIALS)
REACH: Final = 24
"""Distances of two cells that are told apart; farther ones count as unrelated."""
_FIRST_KIND: Final = names.LOOKS.index(names.CREATURES[0])
_MAPS: Final = 32
_FIRST_SEED: Final = 1 << 41
_FAMILIES: Final = ("neighbour", "rename", "walk")
"""The rules on which the generator depends."""


@dataclass(frozen=True)
class GeneratorStatistics:
    """Relative frequencies on maps of a believed generator.

    Attributes:
        beside: float64[REACH + 1, 13, 13]: the probability of the second material at a distance
            from a cell of the first one; at REACH, and where the first one is never generated,
            that of any cell.
        cluster: float64[13]: the mean number of cells of a material in a view that has at least
            one; 1 where there is none.
        creatures: float64[kinds, 13]: creatures at the start of an episode for each cell of a
            material.
    """

    beside: NDArray[np.float64]
    cluster: NDArray[np.float64]
    creatures: NDArray[np.float64]


def generator_statistics(world: World) -> GeneratorStatistics:
    """The statistics of a believed world's generator; kept for the last few generators."""
    rules = tuple(rule for rule in world.rules() if rule.family in _FAMILIES)
    return _measured(world.dynamics, rules)


@lru_cache(maxsize=16)
def _measured(dynamics: Dynamics, rules: tuple[Rule, ...]) -> GeneratorStatistics:
    usual = load_world("crafter" if dynamics == "crafter" else "default")
    simulator = Simulator(usual.with_rules(*rules))
    pairs = np.zeros((REACH + 1, MATERIALS, MATERIALS))
    counts = np.zeros((len(names.CREATURES), MATERIALS))
    cells = np.zeros(MATERIALS)
    within, views = np.zeros(MATERIALS), np.zeros(MATERIALS)
    for seed in range(_FIRST_SEED, _FIRST_SEED + _MAPS):
        simulator.reset(seed)
        state = simulator.state()
        materials = state.materials
        for distance in range(1, REACH):
            for one, other in (
                (materials[distance:], materials[:-distance]),
                (materials[:, distance:], materials[:, :-distance]),
            ):
                code = one.ravel().astype(np.int64) * MATERIALS + other.ravel()
                found = np.bincount(code, minlength=MATERIALS**2)
                found = found.reshape(MATERIALS, MATERIALS)
                pairs[distance] += found + found.T
        cells += np.bincount(materials.ravel(), minlength=MATERIALS)
        for thing in state.objects:
            kind = int(thing["kind"]) - _FIRST_KIND
            counts[kind, materials[thing["x"], thing["y"]]] += 1
        for x in range(0, AREA - VIEW_WIDTH + 1, VIEW_WIDTH):
            for y in range(0, AREA - VIEW_HEIGHT + 1, VIEW_HEIGHT):
                view = materials[x : x + VIEW_WIDTH, y : y + VIEW_HEIGHT]
                seen = np.bincount(view.ravel(), minlength=MATERIALS)
                within += seen
                views += seen > 0
    share = cells / cells.sum()
    totals = pairs.sum(axis=2, keepdims=True)
    beside = np.where(totals > 0, pairs / np.maximum(totals, 1), share)
    cluster = np.where(views > 0, within / np.maximum(views, 1), 1)
    return GeneratorStatistics(beside, cluster, counts / np.maximum(cells, 1))
